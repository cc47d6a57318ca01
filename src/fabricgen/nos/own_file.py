"""Inserts custom lines into a file of a network OS."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabricgen.core.record import record

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabricgen.core.tree.outline import OutlineSyntax


def lines_of(words: str) -> re.Pattern[str]:
    """Return a pattern of lines that begin with one of these words, each behind a `|`.

    A CLI takes any beginning of a word that is no other word's, so those from two letters on count.
    """
    whole = words.split("|")
    short = (word[:end] for word in whole if " " not in word for end in range(2, len(word)))
    every = "|".join(map(re.escape, (*whole, *short)))
    return re.compile(rf"(?:{every})(?: .*)?")


@record(eq=False, kw_only=True)
class OwnFile:
    """One file that takes own lines. path: below the switch's folder.

    manner: how its sections are told; None for a database of tables. secrets: patterns whose second
    group is a secret; a placeholder has to stand there. refused: lines that are none of a
    configuration, or do more than configure, each with why. heads: what may begin a section.
    tables: those of the database that are written. port: the line, or the table, that lines of a
    port stand below, with room for its name. closed: heads of lists and of
    objects, named by the groups, of which nobody says more where the design has one.
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
    """How a network OS takes whole files. refusal: says why a path is none for them, or nothing.

    secret: a pattern whose second group is a secret; a placeholder stands there and nowhere else.
    """

    refusal: Callable[[str], str]
    secret: re.Pattern[str]
