"""Choose the switches outside a batch whose health is checked with it.

These switches see the effect of the batch on others: the remote end of a cable, or a leaf with the
same VLAN. A few are enough, so that one of them sees each VLAN and each cable of the batch.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping

from fabricgen.core.record import record
from fabricgen.core.units import counted
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.operate.deploy.push.model import Model

MOST = 16
"""Limit of neighbors: a snapshot takes one or two seconds of a switch."""
PAIR = 2
"""Leafs outside a batch that ping the servers of each VRF of the batch."""

Thing = tuple[str, str, str | int]
"""An observed object: `vlan FABRIC number`, `cable SWITCH neighbor`."""


@record()
class NeighborScope:
    """The model, and the names of switches that may be asked within --limit."""

    model: Model
    askable: frozenset[str]


@record(kw_only=True)
class Neighbors:
    """Chosen neighbors. seen, of: observed and all cables and VLANs of the batch."""

    names: tuple[str, ...]
    seen: int
    of: int

    @property
    def sentence(self) -> str:
        """Return the line for the user."""
        if not self.names:
            return (
                f"no neighbor is checked; the batch shares {self.of} cables and VLANs with others"
            )
        see = "see" if len(self.names) > 1 else "sees"
        return (
            f"checking {counted(len(self.names), 'neighbor')}, too, which {see} {self.seen} "
            f"of {self.of} cables and VLANs that the batch shares with others"
        )


def chosen(site: Site, batch: Collection[str], askable: Collection[str]) -> Neighbors:
    """Choose neighbors. askable: allowed switches, which --limit reduces."""
    inside, sees = frozenset(batch), defaultdict[str, set[Thing]](set)
    for fabric in site.fabrics:
        for name, thing in (*_cables(fabric, inside), *_vlans(fabric, inside)):
            sees[name].add(thing)
    everything = {thing for things in sees.values() for thing in things}
    left, names = set(everything), list[str]()
    candidates = {name: sees[name] for name in sees.keys() & frozenset(askable)}
    while left and len(names) < MOST:
        best = max(sorted(candidates), key=lambda name: len(candidates[name] & left), default="")
        if not best or not candidates[best] & left:
            break
        names.append(best)
        left -= candidates.pop(best)
    seen = len(everything - left)
    for fabric in site.fabrics:
        _paired(fabric, inside, frozenset(askable) - inside, names)
    return Neighbors(names=tuple(names), seen=seen, of=len(everything))


def _paired(
    fabric: Fabric, inside: frozenset[str], askable: frozenset[str], names: list[str]
) -> None:
    """Add leafs until two have each VRF of the batch; they ping its servers from outside."""
    vlans = fabric.overlay.vlans if fabric.overlay is not None else {}
    vrfs = {
        leaf: {vlans[number].vrf for number in own} - {None}
        for leaf, own in _carried(fabric).items()
    }
    for vrf in sorted({str(each) for name in inside for each in vrfs.get(name, ())}):
        have = [leaf for leaf in sorted(vrfs) if vrf in vrfs[leaf] and leaf in askable]
        for leaf in have:
            chosen_of = sum(each in names for each in have)
            if chosen_of < PAIR and leaf not in names and len(names) < MOST:
                names.append(leaf)


def _cables(fabric: Fabric, inside: frozenset[str]) -> Iterator[tuple[str, Thing]]:
    """Yield each cable of the batch with its observer outside; parallel cables count as one."""
    for name in sorted(inside):
        for link in fabric.topology.links_at.get(name, ()):
            other = link.upper.name if link.lower.name == name else link.lower.name
            if not link.to_server and other not in inside:
                yield other, ("cable", name, other)


def _vlans(fabric: Fabric, inside: frozenset[str]) -> Iterator[tuple[str, Thing]]:
    """Yield each VLAN of the batch with its observers outside."""
    vlans = _carried(fabric)
    shared = {vlan for name in inside for vlan in vlans.get(name, ())}
    for leaf, own in vlans.items():
        if leaf not in inside:
            yield from ((leaf, ("vlan", fabric.name, vlan)) for vlan in sorted(own & shared))


def _carried(fabric: Fabric) -> Mapping[str, set[int]]:
    """Return the overlay VLANs on the ports of each leaf."""
    ports = fabric.overlay.ports if fabric.overlay is not None else {}
    return {
        leaf: {vlan.id for carries in own.values() for vlan in carries.vlans if vlan.vni}
        for leaf, own in ports.items()
    }
