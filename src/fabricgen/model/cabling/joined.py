"""Pairs of what belongs together in; one of each whole, which stands for all of it, out."""

from typing import Generic, TypeVar

T = TypeVar("T")


class Joined(Generic[T]):
    """Which things are one, by the pairs of them that are."""

    def __init__(self) -> None:
        """Begin with each thing by itself."""
        self._above: dict[T, T] = {}

    def first(self, thing: T) -> T:
        """Return the one that stands for all that are joined to a thing."""
        above = self._above
        while (up := above.setdefault(thing, thing)) != thing:
            above[thing] = above[up]
            thing = up
        return thing

    def join(self, one: T, other: T) -> None:
        """Put two things, and all that are joined to them, together."""
        self._above[self.first(other)] = self.first(one)
