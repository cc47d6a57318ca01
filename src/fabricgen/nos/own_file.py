"""Insert custom lines into a file of a network OS."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabricgen.core.record import record

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabricgen.core.tree.outline import OutlineSyntax


def lines_of(words: str) -> re.Pattern[str]:
    """Return a pattern of lines that begin with one of the words, which `|` separates.

    A CLI accepts any unique prefix of a word, so prefixes of two or more letters match.
    """
    whole = words.split("|")
    short = (word[:end] for word in whole if " " not in word for end in range(2, len(word)))
    every = "|".join(map(re.escape, (*whole, *short)))
    return re.compile(rf"(?:{every})(?: .*)?")


@record(eq=False, kw_only=True)
class OwnFile:
    """One file that accepts custom config.

    Attributes:
        path: Path below the switch's folder.
        manner: Syntax of its sections. None for a database of tables.
        secrets: Patterns whose second group is a secret that must be a placeholder.
        refused: Lines that are no configuration or do more than configure, each with the reason.
        heads: Words that may begin a section.
        tables: Tables of the database that fabricgen writes.
        port: The line, or the table, above the lines of a port, with a field for its name.
        closed: Heads of lists and objects, named by the groups, that accept no custom lines if the
            design has them.
    """

    path: str
    manner: OutlineSyntax | None = None
    secrets: tuple[re.Pattern[str], ...]
    refused: tuple[tuple[re.Pattern[str], str], ...]
    heads: re.Pattern[str] | None = None
    tables: frozenset[str] = frozenset()
    port: str = ""
    closed: re.Pattern[str] | None = None


@record(kw_only=True)
class OwnFiles:
    """Support of a network OS for complete custom files.

    Attributes:
        refusal: Returns the reason why a path is not allowed, or an empty text.
        secret: A pattern whose second group is a secret. Placeholders are allowed only there.
    """

    refusal: Callable[[str], str]
    secret: re.Pattern[str]
