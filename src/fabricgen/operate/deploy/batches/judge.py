"""List every reason against a batch, right before its switches change.

It shares no code with the planner and has no groups. It removes the slices of the batch, follows
every cable from there, and counts what each server and each neighbor can still reach.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations

from fabricgen.compile.design.slices import Slicer
from fabricgen.core.record import record
from fabricgen.core.units import counted
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice
from fabricgen.model.fabric.topology import Link, Nic, Server, Switch
from fabricgen.operate.deploy.batches.crossing import judge_crossing


@record(kw_only=True)
class Joins:
    """Objects whose ends all change in a window: these VLANs and VRFs, sessions on cables."""

    vlans: Collection[int]
    vrfs: Collection[str]
    cables: bool


def joins_of(site: Site) -> Joins:
    """Return all objects that may connect the switches of a window whose reason is unknown."""
    overlays = [fabric.overlay for fabric in site.fabrics if fabric.overlay is not None]
    return Joins(
        vlans={vlan for overlay in overlays for vlan in overlay.vlans},
        vrfs={vrf for overlay in overlays for vrf in overlay.vrfs},
        cables=True,
    )


def judge_batch(
    site: Site,
    names: Sequence[str],
    floor: int = 75,
    reloads: Collection[str] = (),
    window: Joins | None = None,
    gone: Collection[str] = (),
) -> tuple[str, ...]:
    """Return the reasons against a batch; empty when it is safe.

    At least `floor` percent of redundant switches stay outside the batch, unless one changes alone.
    A switch in `reloads` is down while it changes. `gone` are switches that this push could not
    reach. With `window`, all its ends change at once, independent of redundancy. Each switch must
    then be an end, according to the cables and VLANs of the site.
    """
    wanted = frozenset(names)
    parts = [
        (fabric, [switch for switch in fabric.topology.switches if switch.name in wanted])
        for fabric in site.fabrics
    ]
    there = [(fabric, switches) for fabric, switches in parts if switches]
    return (
        *_names(names, {switch.name for _, switches in there for switch in switches}),
        *_fabrics([fabric.name for fabric, _ in there]),
        *_reloads(names, reloads),
        *(
            sentence
            for fabric, switches in there
            for sentence in (
                _Look(fabric, switches, floor).sentences()
                if window is None
                else _apart(fabric, switches, window)
            )
        ),
        *judge_crossing(site, names, gone),
    )


def _apart(fabric: Fabric, switches: list[Switch], joins: Joins) -> Iterator[str]:
    """Yield the switches of a window that share none of its objects, directly or indirectly."""
    names = {switch.name for switch in switches}
    near, left, most = _joined(fabric, switches, joins), set(names), set[str]()
    for switch in switches:
        if switch.name in left:
            whole = _around(switch.name, near) & names
            left -= whole
            most = max(most, whole, key=len)
    for switch in switches:
        if switch.name not in most or len(most) == 1:
            yield f"{switch.name} shares no object of this window with the other switches"


def _around(name: str, near: Mapping[str, set[str]]) -> set[str]:
    """Return a switch and all switches connected to it, directly or indirectly."""
    reached, edge = {name}, [name]
    while edge:
        found = near[edge.pop()] - reached
        reached |= found
        edge += found
    return reached


def _joined(fabric: Fabric, switches: list[Switch], joins: Joins) -> dict[str, set[str]]:
    """Map each switch to its objects in the window, and each object to its switches.

    A cable connects two switches. A VLAN or VRF connects all switches that have it.
    """
    near: dict[str, set[str]] = defaultdict(set)
    names, slicer = {switch.name for switch in switches}, Slicer(fabric)
    for switch in switches:
        switch_slice = slicer.slice(switch)
        peers = {session.peer.name for session in switch_slice.sessions} if joins.cables else set()
        shared = peers & names
        shared |= {
            f"VLAN {each.id}" for each in switch_slice.vlans if each.vni and each.id in joins.vlans
        }
        shared |= {f"VRF {each.name}" for each in switch_slice.vrfs if each.name in joins.vrfs}
        for other in shared:
            near[switch.name].add(other)
            near[other].add(switch.name)
    return near


def _names(names: Sequence[str], known: Collection[str]) -> Iterator[str]:
    for name, times in Counter(names).items():
        if name not in known:
            yield f"{name} is not a switch of the site"
        if times > 1:
            yield f"{name} is listed {times} times in the batch"


def _fabrics(fabrics: list[str]) -> Iterator[str]:
    if len(fabrics) > 1:
        yield f"{' and '.join(fabrics)} are separate fabrics and change in separate batches"


def _reloads(names: Sequence[str], reloads: Collection[str]) -> Iterator[str]:
    for name in names:
        if name in reloads and len(names) > 1:
            yield f"{name} changes by a reload and must be alone in its batch"


class _Look:
    """The switches of one fabric in the batch, seen from their cables."""

    def __init__(self, fabric: Fabric, switches: list[Switch], floor: int) -> None:
        self._fabric, self._floor = fabric, floor
        slicer = Slicer(fabric)
        self._pieces = [slicer.slice(switch) for switch in switches]
        self._gone = {switch.name for switch in switches}
        self._idle = fabric.idle - self._gone

    def sentences(self) -> Iterator[str]:
        yield from self._tiers()
        yield from self._servers()
        yield from self._mlag()
        yield from self._rails()
        yield from self._planes()
        yield from self._above()
        yield from self._below()
        yield from self._between_pods()
        yield from self._outside()
        yield from self._other_sites()

    def _tiers(self) -> Iterator[str]:
        first: dict[str, str] = {}
        for switch_slice in self._pieces:
            first.setdefault(switch_slice.switch.role, switch_slice.switch.name)
        if len(first) > 1:
            told = " and ".join(f"{name} ({role})" for role, name in first.items())
            yield f"{told} belong to different tiers: both ends of a session would be in the batch"

    def _servers(self) -> Iterator[str]:
        """Find servers with a cable to two switches of the batch."""
        homes: dict[str, list[str]] = defaultdict(list)
        for switch_slice in self._pieces:
            for server in {server.name for server, _ in _server_ports(switch_slice)}:
                homes[server].append(switch_slice.switch.name)
        shared = Counter(tuple(leafs) for leafs in homes.values() if len(leafs) > 1)
        for leafs, servers in sorted(shared.items()):
            who = min(name for name, mine in homes.items() if tuple(mine) == leafs)
            others = f" and {counted(servers - 1, 'more server')}" if servers > 1 else ""
            yield f"{' and '.join(leafs)} are leafs of one server, {who}{others}"

    def _mlag(self) -> Iterator[str]:
        """Find two switches of the batch with a peer link."""
        for switch_slice in self._pieces:
            bridged = (item.peer for item in switch_slice.interfaces if item.use is Use.PEER)
            for peer in sorted({peer.name for peer in bridged if peer} & self._gone):
                if switch_slice.switch.name < peer:
                    yield f"{switch_slice.switch.name} and {peer} are an MLAG pair"

    def _rails(self) -> Iterator[str]:
        """Count the leafs that the NICs of each rail of the batch still reach, in all units."""
        mine = {
            nic.rail for switch_slice in self._pieces for _, nic in _server_ports(switch_slice)
        } - {0}
        leafs: dict[int, set[str]] = defaultdict(set)
        for link in self._fabric.topology.links if mine else ():
            if isinstance(link.lower_port, Nic) and link.lower_port.rail in mine:
                leafs[link.lower_port.rail].add(link.upper.name)
        for rail, names in sorted(leafs.items()):
            if self._too_few(frozenset(names)):
                yield f"rail {rail} has only {self._left(frozenset(names), 'leafs')}"

    def _planes(self) -> Iterator[str]:
        """Count the remaining switches of each tier and plane."""
        for role, plane in sorted({(item.switch.role, item.switch.plane) for item in self._pieces}):
            alike = frozenset(
                switch.name
                for switch in self._fabric.topology.switches
                if switch.role is role and switch.plane == plane
            )
            if self._too_few(alike):
                yield f"plane {plane} has only {self._left(alike, f'{role}s')}"

    def _above(self) -> Iterator[str]:
        """Count the remaining upper switches of each switch below spines and superspines."""
        seen: set[frozenset[str]] = set()
        for below in sorted(self._peers(up=False)):
            above = frozenset(
                link.upper.name for link in self._links(below) if link.lower.name == below
            )
            if above not in seen and self._too_few(above):
                yield f"{below} has only {self._left(above, 'upper switches')}"
            seen.add(above)

    def _below(self) -> Iterator[str]:
        """Count the remaining leafs of each upper switch."""
        seen: set[frozenset[str]] = set()
        for above in sorted(self._peers(up=True)):
            leafs = frozenset(
                link.lower.name
                for link in self._links(above)
                if isinstance(link.lower, Switch) and link.lower.is_leaf
            )
            if leafs not in seen and self._too_few(leafs):
                yield f"{above} has only {self._left(leafs, 'leafs')}"
            seen.add(leafs)

    def _between_pods(self) -> Iterator[str]:
        """Count the superspines that still connect two pods which both lose spines."""
        spines = [item.switch for item in self._pieces if not item.switch.is_leaf]
        for plane in sorted({switch.plane for switch in spines}):
            pods = self._pods(plane)
            lost = {
                pod: {top for top, spines in tops.items() if spines <= self._gone}
                for pod, tops in pods.items()
            }
            for one, other in combinations(sorted(pod for pod in lost if lost[pod]), 2):
                joining = pods[one].keys() & pods[other].keys()
                gone = (lost[one] | lost[other]) & joining
                if lost[one] != lost[other] and self._under(len(joining), len(gone)):
                    left = (
                        f"{len(joining) - len(gone)} of {len(joining)} superspines between them "
                        "left"
                    )
                    yield (
                        f"pods {one} and {other} have only {left} (--min-available is "
                        f"{self._floor} %)"
                    )

    def _pods(self, plane: int) -> dict[int, dict[str, set[str]]]:
        """Return each pod's superspines with the spines that connect them."""
        pods: dict[int, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for link in self._fabric.topology.links:
            lower = link.lower
            if isinstance(lower, Switch) and not lower.is_leaf and lower.plane == plane:
                pods[lower.pod][link.upper.name].add(lower.name)
        return pods

    def _outside(self) -> Iterator[str]:
        """Count the leafs with an exit for each VRF and for the site."""
        out = self._fabric.overlay.external if self._fabric.overlay else {}
        border = frozenset(name for name, peers in out.items() if peers)
        if self._too_few(border):
            yield f"the site has only {self._left(border, 'border leafs')}"
        for vrf in sorted(
            {peer.vrf for switch_slice in self._pieces for peer in switch_slice.external}
        ):
            ways = frozenset(
                name for name, peers in out.items() if vrf in {peer.vrf for peer in peers}
            )
            if self._too_few(ways):
                yield f"VRF {vrf} has only {self._left(ways, 'exits')}"

    def _other_sites(self) -> Iterator[str]:
        """Find two switches of the batch with a cable or tunnel to another site."""
        ends = [
            switch_slice.switch.name
            for switch_slice in self._pieces
            if switch_slice.gateway is not None
            or any(peer.because.main[:1] == ("dci",) for peer in switch_slice.external)
        ]
        if len(ends) > 1:
            yield f"{' and '.join(ends)} connect to other sites and must change one at a time"

    def _peers(self, *, up: bool) -> set[str]:
        """Return the neighbors of the batch above its leafs, or below its other switches."""
        return {
            port.peer.name
            for switch_slice in self._pieces
            if switch_slice.switch.is_leaf is up
            for port in switch_slice.interfaces
            if isinstance(port.peer, Switch)
            and (port.peer.role.tier > switch_slice.switch.role.tier) is up
        }

    def _links(self, name: str) -> list[Link]:
        links = self._fabric.topology.links_at[name]
        return [link for link in links if link.standing is None]

    def _too_few(self, alike: frozenset[str]) -> bool:
        return self._under(len(alike - self._idle), len(alike & self._gone))

    def _under(self, total: int, gone: int) -> bool:
        """Check whether more than one switch changes and fewer than --min-available remain."""
        return gone > 1 and (total - gone) * 100 < self._floor * total

    def _left(self, alike: frozenset[str], noun: str) -> str:
        there = alike - self._idle
        left = f"{len(there - self._gone)} of {len(there)} {noun} left"
        return f"{left} (--min-available is {self._floor} %)"


def _server_ports(switch_slice: SwitchSlice) -> Iterator[tuple[Server, Nic]]:
    """Yield the server and the NIC at the other end of each cable to a present server."""
    for port in switch_slice.interfaces:
        server, nic = port.peer, port.peer_port
        if isinstance(server, Server) and isinstance(nic, Nic) and server.standing is None:
            yield server, nic
