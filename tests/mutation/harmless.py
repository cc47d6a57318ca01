"""Read the reviewed list of rows that `audit` and `reach` need not name."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.mutation.run import Row

_FILE = Path(__file__).with_name("harmless.txt")


class Reasons:
    """Rows with the reason why a mutant of them is harmless to both engines."""

    def __init__(self, text: str) -> None:
        """Read `platform | act | row pattern | reason` line by line."""
        self.rows = [
            tuple(part.strip() for part in line.split(" | "))
            for line in text.splitlines()
            if line and not line.startswith("#")
        ]

    def reason(self, row: Row, act: str) -> str:
        """Return the reason of the first pattern that a row matches; empty where none does."""
        return next((each[3] for each in self.rows if _matches(each, row, act)), "")


def _matches(each: tuple[str, ...], row: Row, act: str) -> bool:
    platform, acts, pattern, _ = each
    fits = fnmatchcase(row.row, re.sub(r"[\[\]]", "?", pattern))
    return fits and platform in (row.platform, "any") and acts in (act, "both")


@cache
def reasons() -> Reasons:
    """Return the list."""
    return Reasons(_FILE.read_text())
