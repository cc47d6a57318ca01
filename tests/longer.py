"""Which tests take minutes: `make reliability` runs them, with FABRICGEN_FAULTS=all."""

import os
from zlib import crc32

import pytest

ALL = os.environ.get("FABRICGEN_FAULTS") == "all"
LARGE = frozenset({"full", "three-tier", "rail-optimized"})
"""Examples that take a while; the smaller ones show what each platform makes of a site."""
longer = pytest.mark.skipif(not ALL, reason="minutes: make reliability runs it")


def drawn(what: str, of: int) -> bool:
    """Tell whether a case is one of the sample: one of so many, by its words, and always the same.

    `make reliability` draws all.
    """
    return ALL or crc32(what.encode()) % of == 0


def draws(many: int) -> int:
    """Return how often Hypothesis draws: half as often as `make reliability` does."""
    return many if ALL else many // 2
