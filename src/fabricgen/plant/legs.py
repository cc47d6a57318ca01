"""The links of a fabric in; the longest of those for which one optic is chosen, out.

A cage holds one transceiver, or one end of a cable: its legs are of one medium, and so are those of
the cages at their other ends. So it is chosen by the longest of them all.
"""

from collections.abc import Callable, Iterable

from fabricgen.fabric.topology import Link, Port
from fabricgen.plant.joined import Joined
from fabricgen.plant.lengths import Length
from fabricgen.record import record

_Cage = tuple[int, int]


@record(kw_only=True)
class Lengths:
    """Of a cable from port to port, and as fibre is laid: by panels, or the same."""

    direct: Length
    laid: Length


class Legs:
    """Which links share a cage that is split, and how long the longest of them is."""

    def __init__(self, links: Iterable[Link], of: Callable[[Link], Lengths]) -> None:
        """Join the cages at both ends of split ones. of: the lengths of a link by itself."""
        self._of = of
        self._joined: Joined[_Cage] = Joined()
        self._longest: dict[_Cage, Lengths] = {}
        split = [link for link in links if _split(link)]
        for link in split:
            if isinstance(link.lower_port, Port):
                self._joined.join(_above(link), (id(link.lower), link.lower_port.cage))
        for link in split:
            first, mine = self._joined.first(_above(link)), of(link)
            there = self._longest.setdefault(first, mine)
            if there is not mine:
                self._longest[first] = Lengths(
                    direct=max(there.direct, mine.direct, key=_metres),
                    laid=max(there.laid, mine.laid, key=_metres),
                )

    def longest(self, link: Link) -> Lengths:
        """Return the lengths by which the optics of a link are chosen."""
        if not _split(link):
            return self._of(link)
        return self._longest[self._joined.first(_above(link))]


def _metres(length: Length) -> float:
    return length.metres


def _split(link: Link) -> bool:
    lower = link.lower_port
    return link.upper_port.subs > 1 or (isinstance(lower, Port) and lower.subs > 1)


def _above(link: Link) -> _Cage:
    return id(link.upper), link.upper_port.cage
