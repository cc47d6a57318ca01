"""Checks whether the patterns of a limit match a switch."""

from collections.abc import Collection
from fnmatch import fnmatchcase


def within(limit: Collection[str], name: str, fabric: str) -> bool:
    """Return whether a pattern matches the switch or its fabric; without patterns all match."""
    return not limit or any(fnmatchcase(it, each) for it in (name, fabric) for each in limit)
