"""Patterns of a limit and a switch in, whether it is meant out."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection


def within(limit: Collection[str], name: str, fabric: str) -> bool:
    """Return whether a pattern is the switch's name or its fabric's; all are without a pattern."""
    return not limit or any(fnmatchcase(it, each) for it in (name, fabric) for each in limit)
