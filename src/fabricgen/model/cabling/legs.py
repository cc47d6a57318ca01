"""Groups the links that share split cages and finds the longest link of each group."""

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from fabricgen.core.record import record
from fabricgen.model.cabling.lengths import Length
from fabricgen.model.cabling.media import Place
from fabricgen.model.fabric.topology import Link

T = TypeVar("T")


class Joined(Generic[T]):
    """Groups of things that are joined by pairs."""

    def __init__(self) -> None:
        """Start with each thing in its own group."""
        self._above: dict[T, T] = {}

    def first(self, thing: T) -> T:
        """Return the representative of a thing's group."""
        above = self._above
        while (up := above.setdefault(thing, thing)) != thing:
            above[thing] = above[up]
            thing = up
        return thing

    def join(self, one: T, other: T) -> None:
        """Join the groups of two things."""
        self._above[self.first(other)] = self.first(one)


# A cage holds one transceiver, or one end of a cable, so its legs share one medium. The same
# applies to the cages at their remote ends. So the longest leg decides for all.

_Cage = tuple[int, int | str]


@record(kw_only=True)
class Lengths:
    """Lengths of a cable from port to port, and as fiber: through panels, or the same."""

    direct: Length
    laid: Length


class Legs:
    """Groups of links that share a split cage, and the longest link of each group."""

    def __init__(
        self,
        links: Iterable[Link],
        of: Callable[[Link], Lengths],
        below: Callable[[Link], Place],
    ) -> None:
        """Join the cages at both ends of split cages.

        `of`: returns the lengths of a single link. `below`: returns the place of its lower end.
        """
        self._of, self._below = of, below
        self._joined: Joined[_Cage] = Joined()
        self._longest: dict[_Cage, Lengths] = {}
        split = [link for link in links if self._split(link)]
        for link in split:
            self._joined.join(_above(link), (id(link.lower), below(link).cage))
        for link in split:
            first, mine = self._joined.first(_above(link)), of(link)
            there = self._longest.setdefault(first, mine)
            if there is not mine:
                self._longest[first] = Lengths(
                    direct=max(there.direct, mine.direct, key=_meters),
                    laid=max(there.laid, mine.laid, key=_meters),
                )

    def longest(self, link: Link) -> Lengths:
        """Return the lengths that decide the optics of a link."""
        if not self._split(link):
            return self._of(link)
        return self._longest[self._joined.first(_above(link))]

    def _split(self, link: Link) -> bool:
        return link.upper_port.subs > 1 or self._below(link).subs > 1


def _meters(length: Length) -> float:
    return length.meters


def _above(link: Link) -> _Cage:
    return id(link.upper), link.upper_port.cage
