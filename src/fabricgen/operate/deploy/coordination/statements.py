"""Read the old and new facts of an item, of VLANs, VRFs and tunnels, from state snapshots.

Unless a snapshot shows a change, the value is that of the design. For a switch without a snapshot
the value is unknown.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from fabricgen.compile.design.slices import Slicer
from fabricgen.model.fabric.overlay import Overlay
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Switch
from fabricgen.model.fabric.transition import AS_DESIGNED, Transition
from fabricgen.nos.lowering import spell
from fabricgen.operate.deploy.coordination.agreement import End, Term
from fabricgen.operate.deploy.coordination.terms import (
    EXPORT,
    IMPORT,
    LINK,
    MAC,
    PORT,
    TUNNEL,
    VLAN,
    VNI,
    VRF,
    Item,
    Terms,
    terms_of,
    unspelled,
)
from fabricgen.prove.written import judge_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fabricgen.core.tree.facts import Value
    from fabricgen.model.fabric.switch import Fabric
    from fabricgen.operate.deploy.coordination.terms import Changed


Values = tuple["Value | None", "Value | None"]


class Statements:
    """The values on the switches of a fabric. looks: changes. known: switches with a snapshot."""

    def __init__(
        self,
        fabric: Fabric,
        looks: Mapping[str, Changed],
        known: frozenset[str],
        kept: Mapping[str, Transition],
    ) -> None:
        self.looks, self.known = looks, known
        self._designed = designed(fabric, kept)

    def end(self, name: str, item: Item) -> End:
        """Return the values of a switch from the snapshot or the design, if known."""
        if name not in self.known:
            return End(switch=name, was=None, will=None, outside=True)
        was, will = self.values(name, item)
        return End(switch=name, was=was, will=will)

    def values(self, name: str, item: Item) -> Values:
        changes = self.looks.get(name, {})
        if item in changes:
            return changes[item]
        value = self._designed(name).get(item)
        return value, value


def designed(fabric: Fabric, kept: Mapping[str, Transition]) -> Callable[[str], Terms]:
    """Return a function for the designed terms of a switch, with retained settings of a step.

    Each term is needed for every VLAN and neighbor, so results are cached, without server ports.
    """
    slicer = Slicer(fabric)
    switches = {switch.name: switch for switch in fabric.topology.switches}
    cabled = {
        (switch.name, spell(switch, port))
        for link in fabric.topology.links
        for switch, port in ((link.lower, link.lower_port), (link.upper, link.upper_port))
        if isinstance(link.lower, Switch)
    }

    @cache
    def of(name: str) -> Terms:
        switch_slice = slicer.slice(switches[name], kept.get(name, AS_DESIGNED))
        judge = judge_of(switch_slice.switch.platform)
        every = terms_of(judge.expectation.of(switch_slice)) if judge is not None else {}
        return {
            item: unspelled(item, value)
            for item, value in every.items()
            if item.kind != LINK or (name, item.name) in cabled
        }

    return of


# The overlay lists the switches with the same VLAN or VRF. A leaf outside the plan is assumed to
# run the same values as most others now.


def shared(fabric: Fabric, say: Statements) -> Iterator[Term]:
    """Yield the values that every leaf must share: of VLANs, VRFs and tunnels."""
    subjects: dict[tuple[str, str], None] = {}
    for changes in say.looks.values():
        for item in changes:
            if item.kind in (VLAN, VRF) or item.kind == TUNNEL:
                subjects[item.kind, item.name if item.kind != TUNNEL else item.word] = None
    leafs = _leafs(fabric, say) if subjects else {}
    for kind, name in subjects:
        ends = [_stated(say, leaf, kind, name) for leaf in leafs.get((kind, name), ())]
        told = _mirrored([end for end in ends if end is not None])
        if len(told) > 1:
            word = name if kind == TUNNEL else VNI
            yield Term(fabric=fabric.name, kind=kind, word=word, of=name, ends=tuple(told))


def _stated(say: Statements, leaf: str, kind: str, name: str) -> End | None:
    """Return the values of a leaf for a VLAN or VRF; None when it did not have it.

    A leaf that removes the VLAN or VRF is not an end: the other leafs lose nothing.
    """
    if leaf not in say.known:
        return End(switch=leaf, was=None, will=None, outside=True)
    if kind == TUNNEL:
        was, will = say.values(leaf, Item(TUNNEL, "", name))
        return None if was is None else End(switch=leaf, was=was, will=will)
    values = [say.values(leaf, Item(kind, name, word)) for word in (VNI, IMPORT, EXPORT)]
    old, new = (tuple(side) for side in zip(*values, strict=True))
    if old[0] is None:
        return None
    return End(switch=leaf, was=old, will=None if new[0] is None else new)


def _leafs(fabric: Fabric, say: Statements) -> dict[tuple[str, str], list[str]]:
    """Return the leafs of each VLAN, each VRF and the tunnel, now or by design."""
    found: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    if fabric.overlay is not None:
        for subject, leaf in (*_having(fabric.overlay), *_sharing(fabric, fabric.overlay)):
            found[subject][leaf] = None
    for name, changes in say.looks.items():
        for item in changes:
            if item.kind in (VLAN, VRF):
                found[item.kind, item.name][name] = None
    everyone = dict.fromkeys(name for names in found.values() for name in names)
    found[TUNNEL, PORT] = found[TUNNEL, MAC] = everyone
    return {key: list(names) for key, names in found.items()}


def _having(overlay: Overlay) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield each VLAN with a VNI, and each VRF, with each of its leafs."""
    for leaf, ports in overlay.ports.items():
        for carries in {id(each): each for each in ports.values()}.values():
            for vlan in carries.vlans:
                if vlan.vni is not None:
                    yield (VLAN, str(vlan.id)), leaf
                if vlan.vrf is not None:
                    yield (VRF, vlan.vrf), leaf
    for leaf, peers in overlay.external.items():
        for peer in peers:
            yield (VRF, peer.vrf), leaf


def _sharing(fabric: Fabric, overlay: Overlay) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield each VRF that leafs of rails share, with each leaf that has one of its servers."""
    for link in fabric.topology.links if overlay.members else ():
        member = overlay.members.get(link.lower.name)
        if member is not None and not overlay.vrfs[member.vrf].local:
            yield (VRF, member.vrf), link.upper.name


def _mirrored(ends: list[End]) -> list[End]:
    """Assume for leafs outside the plan the same values as on most others now."""
    usual = Counter(end.was for end in ends if not end.outside).most_common(1)
    if not usual:
        return []
    value = usual[0][0]
    return [
        End(switch=end.switch, was=value, will=value, outside=True) if end.outside else end
        for end in ends
    ]
