"""Texts in, the entries of a list that EOS numbers out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Entry:
    """One entry of a list that EOS numbers."""

    sequence: int
    says: str


def entries(says: Iterable[str]) -> tuple[Entry, ...]:
    """Number the entries of a list by tens, as EOS does."""
    return tuple(Entry(10 * place, text) for place, text in enumerate(says, 1))
