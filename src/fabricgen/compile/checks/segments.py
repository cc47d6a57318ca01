"""Check that a server's LACP bundle over two leafs is one Ethernet segment or MLAG port on both.

If the leafs disagree on the LACP system, the server uses the ports to one of them only. If they
disagree on the segment, they are unaware of each other: broadcasts arrive twice, and MACs move to
and fro. Two bundles with one segment make one leaf forward for both. Links of different speeds are
no bundle (IEEE 802.1AX). Fix the design, because the intent names no segment. Bundles are compared
by server and set of ports. A switch without bundles counts as examined.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.compile.checks.tally import Tallied
from fabricgen.core.diagnostics import Code, Examined
from fabricgen.model.fabric.switch import Fabric, Lag, Site, SwitchSlice
from fabricgen.model.fabric.topology import Nic


class _End(NamedTuple):
    """A LAG on one switch."""

    switch: str
    lag: Lag
    platform: str

    @property
    def identifier(self) -> str | None:
        return self.lag.segment.identifier if self.lag.segment is not None else None

    @property
    def spread(self) -> bool:
        """Return whether the LAG is configured as one over two leafs."""
        return self.lag.segment is not None or self.lag.mlag


_Bond = tuple[str, str]
"""A server and the set of its ports."""


class Segments(Tallied):
    """LAGs of every server, and the owner of each segment."""

    name, code, noun = "segments", Code.SEGMENT_ENDS_DISAGREE, "switches and LAGs"

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.bonds: dict[_Bond, list[_End]] = defaultdict(list)
        self.owners: dict[str, _Bond] = {}

    def see(self, fabric: Fabric, switch_slice: SwitchSlice) -> None:
        """Record the LAGs of one switch."""
        del fabric
        self.tally.objects += 1 + len(switch_slice.lags)
        for lag in switch_slice.lags:
            end = _End(switch_slice.switch.name, lag, switch_slice.switch.platform)
            networks = {m.peer_port.network for m in lag.members if isinstance(m.peer_port, Nic)}
            far = lag.far if networks else f"{switch_slice.switch.fabric} {lag.far}"
            bond = (far, min(networks, default=""))
            self.bonds[bond].append(end)
            if end.identifier is not None:
                self.claim(end, bond, end.identifier)

    def claim(self, end: _End, bond: _Bond, identifier: str) -> None:
        """Report a segment that another LAG has already."""
        other = self.owners.setdefault(identifier, bond)
        if other != bond:
            text = (
                f"the segment {identifier} of {' '.join(bond)} on {end.switch} is also the segment "
                "of"
            )
            self.say("segments of two LAGs", f"{text} {' '.join(other)}", end)

    def say(self, kind: str, message: str, end: _End) -> None:
        """Add a finding about one end."""
        self.tally.add(kind, message, end.lag.because)

    def result(self) -> Examined:
        """Compare the ends of every LAG."""
        for (server, network), ends in self.bonds.items():
            for what, values in _told(ends):
                if len(set(values)) > 1:
                    rows = (f"{v} on {e.switch}" for v, e in zip(values, ends, strict=True))
                    text = f"the LAG {network} of {server} differs in its {what}: "
                    self.say("LAGs whose ends differ", text + ", ".join(rows), ends[0])
            self.sides(f"the LAG {network} of {server}", ends)
        return self.tally.result()

    def sides(self, bundle: str, ends: list[_End]) -> None:
        """Report a missing or extra end, and an election without a winner."""
        there = ", ".join(end.switch for end in ends)
        if any(end.spread for end in ends) and len(ends) != 2:
            what = "an MLAG port" if ends[0].lag.mlag else "a segment"
            self.say(
                "segments not on two leafs", f"{bundle} is {what}, but only on {there}", ends[0]
            )
        if len(ends) > 1 and not all(end.spread for end in ends):
            self.say(
                "LAGs without a segment",
                f"{bundle} is on {there}, but has no Ethernet segment",
                ends[0],
            )
        ranks = [end.lag.segment.preference for end in ends if end.lag.segment is not None]
        if len(set(ranks)) != len(ranks):
            text = (
                f"{bundle} has the preference {ranks[0]} on {there}: the election of the forwarder "
                "has no winner"
            )
            self.say("elections without a winner", text, ends[0])


def _told(ends: list[_End]) -> Iterator[tuple[str, list[str]]]:
    """Yield the values that must be equal on all ends, with the value of each end."""
    lags = [end.lag for end in ends]
    if any(lag.segment is not None for lag in lags):
        yield "network OS", [end.platform for end in ends]
    yield "segment", [str(end.identifier) for end in ends]
    yield "LACP system", [lag.segment.system if lag.segment else "its own" for lag in lags]
    yield "multihoming", ["MLAG" if lag.mlag else "ESI" for lag in lags]
    yield "number", [str(lag.number) for lag in lags]
    yield "MTU", [str(lag.mtu) for lag in lags]
    yield "VLANs", [_vlans(lag) for lag in lags]


def _vlans(lag: Lag) -> str:
    carries = lag.carries
    if carries is None:
        return "none"
    tagged = ", ".join(str(vlan.id) for vlan in carries.tagged)
    return (
        f"{carries.untagged.id if carries.untagged else 'none'} untagged, {tagged or 'none'} tagged"
    )
