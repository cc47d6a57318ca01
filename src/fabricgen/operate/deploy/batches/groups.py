"""Group switches that are redundant with each other, of which a batch may touch only a few.

Each rule is one function, and RULES lists them. The check in `judge.py` must
find the groups without this file: it follows the cables instead of the coordinates.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fabricgen.core.units import counted
from fabricgen.model.fabric.topology import Role, Server

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from fabricgen.model.fabric.switch import Fabric
    from fabricgen.model.fabric.topology import Switch

    Rule = Callable[[Fabric], Iterable["Group"]]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Group:
    """Redundant parts. A part is a switch, or switches that fail together.

    Attributes:
        noun: Name of the parts, for example `spines`.
        place: Name of the location, for example `plane 1`.
        parts: Part by name of its switch.
        capacity: Whether --min-available limits the parts per batch; otherwise the limit is one.
    """

    noun: str
    place: str
    parts: Mapping[str, str]
    capacity: bool

    @property
    def name(self) -> str:
        """Return the name for messages."""
        return f"{self.noun} of {self.place}" if self.place else self.noun

    @property
    def total(self) -> int:
        """Return the number of parts, including unchanged ones."""
        return len(set(self.parts.values()))

    def without(self, names: Collection[str]) -> Group:
        """Return the group without unavailable switches, which provide no redundancy."""
        if not names:
            return self
        return replace(self, parts={it: to for it, to in self.parts.items() if it not in names})

    def limit(self, floor: int) -> int:
        """Return the limit of parts per batch; at least one, so that a change is possible."""
        return max(1, self.total * (100 - floor) // 100) if self.capacity else 1


def _of(noun: str, place: str, names: Iterable[str], *, capacity: bool) -> Group:
    """Make a group in which every switch is a part of its own."""
    return Group(noun=noun, place=place, parts={name: name for name in names}, capacity=capacity)


def same_server(fabric: Fabric) -> Iterator[Group]:
    """Yield the leafs of one server (MLAG or ESI pair, or rails of a GPU server); one at a time."""
    homes: dict[str, set[str]] = defaultdict(set)
    for link in fabric.topology.links:
        if isinstance(link.lower, Server) and link.standing is None:
            homes[link.lower.name].add(link.upper.name)
    servers: dict[frozenset[str], list[str]] = defaultdict(list)
    for name, mine in homes.items():
        if len(mine) > 1:
            servers[frozenset(mine)].append(name)
    for leafs, names in servers.items():
        more = f" and {counted(len(names) - 1, 'more server')}" if len(names) > 1 else ""
        yield _of("leafs", f"server {min(names)}{more}", leafs, capacity=False)


def same_pair(fabric: Fabric) -> Iterator[Group]:
    """Yield the leafs of one MLAG pair, also without a common server; one at a time."""
    pairs: dict[str, list[str]] = defaultdict(list)
    for switch in fabric.topology.switches:
        if switch.domain is not None:
            pairs[switch.domain.name].append(switch.name)
    for name, leafs in pairs.items():
        yield _of("leafs", f"MLAG pair {name}", leafs, capacity=False)


def same_rail(fabric: Fabric) -> Iterator[Group]:
    """Yield the leafs of one rail in all planes and scalable units; limited by capacity.

    A server has two of them only with a port in each plane, and then `same_server` separates them.
    """
    rails: dict[int, list[str]] = defaultdict(list)
    for switch in fabric.topology.switches:
        for rail in switch.rails if switch.is_leaf else ():
            rails[rail].append(switch.name)
    for rail, leafs in sorted(rails.items()):
        yield _of("leafs", f"rail {rail}", leafs, capacity=True)


def same_plane(fabric: Fabric) -> Iterator[Group]:
    """Yield the switches of one tier of one plane; limited by capacity."""
    planes: dict[tuple[Role, int], list[str]] = defaultdict(list)
    for switch in fabric.topology.switches:
        planes[switch.role, switch.plane].append(switch.name)
    many = len({plane for _, plane in planes}) > 1
    for (role, plane), names in planes.items():
        yield _of(f"{role}s", f"plane {plane}" if many else "", names, capacity=True)


def same_pod(fabric: Fabric) -> Iterator[Group]:
    """Yield the switches of one tier and pod, or superspines of one group; limited by capacity.

    A superspine that is alone in its group is not the only path of a pod: the plane has other
    groups.
    """
    pods: dict[tuple[Role, int, int], list[str]] = defaultdict(list)
    for switch in fabric.topology.switches:
        top = switch.role is Role.SUPERSPINE
        pods[switch.role, switch.plane, switch.unit if top else switch.pod].append(switch.name)
    planes = len({plane for _, plane, _ in pods}) > 1
    alike = Counter((role, plane) for role, plane, _ in pods)
    for (role, plane, pod), names in pods.items():
        top = role is Role.SUPERSPINE
        if alike[role, plane] == 1 or (top and len(names) == 1):
            continue
        place = f"plane {plane} " * planes + f"{'group' if top else 'pod'} {pod}"
        yield _of(f"{role}s", place, names, capacity=True)


def same_row(fabric: Fabric) -> Iterator[Group]:
    """Yield the spines of all pods in rows, where only spines s reach superspine group s.

    The rows limit the capacity between pods. Spine 1 of one pod and spine 2 of another cost two
    groups, spine 1 of two pods costs one.
    """
    planes = {
        switch.plane
        for switch in fabric.topology.switches
        if switch.role is Role.SUPERSPINE and switch.unit
    }
    rows: dict[int, dict[str, str]] = defaultdict(dict)
    for switch in fabric.topology.switches:
        if switch.role is Role.SPINE and switch.plane in planes:
            rows[switch.plane][switch.name] = f"spine {switch.index}"
    for plane, parts in sorted(rows.items()):
        place = f"plane {plane}" if len(rows) > 1 else ""
        yield Group(noun="spine rows", place=place, parts=parts, capacity=True)


def borders(fabric: Fabric) -> Iterator[Group]:
    """Yield the leafs with an exit from the site; limited by capacity."""
    names = _outside(fabric)
    if names:
        yield _of("border leafs", "", names, capacity=True)


def ways_out(fabric: Fabric) -> Iterator[Group]:
    """Yield the leafs with an exit for one VRF; limited by capacity."""
    vrfs: dict[str, set[str]] = defaultdict(set)
    for leaf, names in _outside(fabric).items():
        for vrf in names:
            vrfs[vrf].add(leaf)
    for vrf, leafs in sorted(vrfs.items()):
        yield _of("exits", f"VRF {vrf}", leafs, capacity=True)


def other_sites(fabric: Fabric) -> Iterator[Group]:
    """Yield the leafs with a link or gateway to another site; one at a time.

    So no batch contains both gateways of a site, or two paths of a VRF.
    """
    if fabric.overlay is None:
        return
    external = fabric.overlay.external
    joining = [leaf for leaf, peers in external.items() if any(peer.joins for peer in peers)]
    leafs = dict.fromkeys([*joining, *fabric.overlay.gateways])
    if leafs:
        yield _of("links", "other sites", leafs, capacity=False)


def _outside(fabric: Fabric) -> dict[str, set[str]]:
    """Return each leaf with external peers, and their VRFs."""
    if fabric.overlay is None:
        return {}
    external = fabric.overlay.external
    return {leaf: {peer.vrf for peer in peers} for leaf, peers in external.items() if peers}


RULES: tuple[Rule, ...] = (
    same_server,
    same_pair,
    same_rail,
    same_plane,
    same_pod,
    same_row,
    borders,
    ways_out,
    other_sites,
)


def groups_of(fabric: Fabric, changing: Iterable[Switch]) -> tuple[Group, ...]:
    """Return the groups with a changing switch, without idle switches."""
    names = {switch.name for switch in changing}
    away = fabric.idle - names
    return tuple(
        group.without(away)
        for rule in RULES
        for group in rule(fabric)
        if not names.isdisjoint(group.parts)
    )
