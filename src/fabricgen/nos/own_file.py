"""How a file of a network OS takes lines that people wrote themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.record import record

if TYPE_CHECKING:
    import re

    from fabricgen.tree.outline import Manner


@record(kw_only=True)
class OwnFile:
    """One file that takes own lines. path: below the switch's folder.

    manner: how its sections are told; None for a database of tables. secrets: patterns whose second
    group is a secret; a placeholder has to stand there. refused: lines that are none of a
    configuration, or do more than configure, each with why. heads: what may begin a section.
    """

    path: str
    manner: Manner | None = None
    secrets: tuple[re.Pattern[str], ...]
    refused: tuple[tuple[re.Pattern[str], str], ...]
    heads: re.Pattern[str] | None = None
