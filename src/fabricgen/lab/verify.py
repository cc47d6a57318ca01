"""A running lab and the site it was compiled from in; where the two differ, by switch, out."""

from __future__ import annotations

import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabricgen.compiler import slices
from fabricgen.state.compare.compare import compare
from fabricgen.state.compare.difference import Difference, Kind
from fabricgen.state.expected import Expected, expected
from fabricgen.state.registry import READERS
from fabricgen.state.stability import unsettled
from fabricgen.state.underlay import underlay

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from fabricgen.fabric.switch import Site
    from fabricgen.lab.client import LabClient
    from fabricgen.lab.plan import LabPlan
    from fabricgen.state.observed import Observed

_READER = READERS["linux"]
_AT_ONCE = 4  # looks at a time; each is mostly waiting for vtysh


@dataclass(frozen=True, slots=True)
class Look:
    """One look at one switch. moving: what of its BGP has not settled since the look before.

    first: there was no look before, so nothing is known about that.
    """

    expected: Expected
    observed: Observed
    differences: tuple[Difference, ...]
    moving: tuple[str, ...]
    first: bool

    @property
    def wrong(self) -> bool:
        """Tell whether something contradicts the model, which waiting will not change."""
        return any(found.kind is Kind.WRONG for found in self.differences)

    @property
    def done(self) -> bool:
        """Tell whether it shows what it must show, and nothing moves."""
        return not (self.differences or self.moving or self.first)


def expectations(site: Site, plan: LabPlan) -> dict[str, Expected]:
    """Return what each switch of a lab must show; its servers do not speak LLDP.

    What a site has beyond the lab (switches that --limit left out, external peers) is not there.
    """
    part = frozenset(switch.name for switch in plan.switches)
    by_fabric = defaultdict(list)
    for fabric, piece in slices(site):
        if piece.switch.name in part:
            by_fabric[fabric.name].append(piece)
    return {
        piece.switch.name: expected(piece, ways, _READER.spelling, part=part)
        for pieces in by_fabric.values()
        for ways in (underlay(pieces),)
        for piece in pieces
    }


class Verifier:
    """Looks at the switches of a lab, again and again."""

    def __init__(self, client: LabClient, wanted: Mapping[str, Expected]) -> None:
        """Take a lab and what its switches must show."""
        self.client, self.wanted = client, wanted
        self._before: dict[str, Observed] = {}

    def look(self, names: Iterable[str] | None = None) -> dict[str, Look]:
        """Look once at all switches, or at some."""
        chosen = list(names or self.wanted)
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            return dict(zip(chosen, pool.map(self._at, chosen), strict=True))

    def _at(self, name: str) -> Look:
        said = self.client.execute(name, ("sh", "-s"), _READER.script)
        observed, wanted = _READER.parse(said.stdout), self.wanted[name]
        before, self._before[name] = self._before.get(name), observed
        moving = () if before is None else unsettled(wanted, before, observed)
        return Look(wanted, observed, compare(wanted, observed), moving, before is None)

    def settle(
        self, patience: float, tell: Callable[[Mapping[str, Look]], None] | None = None
    ) -> dict[str, Look]:
        """Look until everything shows what it must, or `patience` seconds are over.

        A switch that contradicts the model is looked at once more, and then not waited for.
        """
        end, looks, twice = time.monotonic() + patience, self.look(), set[str]()
        while True:
            if tell is not None:
                tell(looks)
            waiting = [name for name, look in looks.items() if not look.done and name not in twice]
            if not waiting or time.monotonic() > end:
                return looks
            twice |= {name for name in waiting if looks[name].wrong and not looks[name].moving}
            looks |= self.look(waiting)
