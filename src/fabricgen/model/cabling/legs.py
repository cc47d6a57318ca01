"""Groups the links that share split cages and finds the longest link of each group."""

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from fabricgen.core.record import record
from fabricgen.model.cabling.lengths import Length
from fabricgen.model.cabling.media import Place
from fabricgen.model.fabric.topology import Link

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


# A cage holds one transceiver, or one end of a cable: its legs are of one medium, and so are those
# of the cages at their other ends. So it is chosen by the longest of them all.

_Cage = tuple[int, int | str]


@record(kw_only=True)
class Lengths:
    """Of a cable from port to port, and as fiber is laid: by panels, or the same."""

    direct: Length
    laid: Length


class Legs:
    """Which links share a cage that is split, and how long the longest of them is."""

    def __init__(
        self,
        links: Iterable[Link],
        of: Callable[[Link], Lengths],
        below: Callable[[Link], Place],
    ) -> None:
        """Join the cages at both ends of split ones.

        of: the lengths of a link by itself. below: the place of its lower end.
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
        """Return the lengths by which the optics of a link are chosen."""
        if not self._split(link):
            return self._of(link)
        return self._longest[self._joined.first(_above(link))]

    def _split(self, link: Link) -> bool:
        return link.upper_port.subs > 1 or self._below(link).subs > 1


def _meters(length: Length) -> float:
    return length.meters


def _above(link: Link) -> _Cage:
    return id(link.upper), link.upper_port.cage
