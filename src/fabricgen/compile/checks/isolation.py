"""Checks that fabrics share no switch, cable, NIC, session or address, and leak no route.

A lossless backend that a frontend packet can reach is paused by it, and a default route carries the
packet there. To fix it, give each fabric its own pools and hardware. The check compares switch
names, NICs of servers of the same name, pools and tenant subnets, and allowed prefixes. On each
switch, no cable or session may leave the fabric. Allowed prefixes stay inside the fabric's pools,
which excludes a default route. Only a VRF of an overlay has external peers, and only a gateway has
a port to another site. So a fabric without tenants has no exit. A VLAN that is stretched over two
sites has one subnet there. Between VRFs pass only the routes that one imports from another: each is
a subnet there, or what an exit of it accepts, and that VRF is on the switch. The management network
is shared on purpose, and is in no pool. Where a fabric has management ports as well as tenants,
each port belongs to one of the two.
"""

from collections.abc import Iterable
from itertools import combinations

from fabricgen.compile.checks import ends
from fabricgen.compile.checks.across import Block, allowed_blocks, block_of, own_blocks
from fabricgen.compile.checks.tally import Tallied
from fabricgen.core.diagnostics import Code
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.managed import ManagedPorts
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice
from fabricgen.model.fabric.topology import Nic, Server, Switch
from fabricgen.model.fabric.vlans import Carries


class Isolation(Tallied):
    """Compares whole fabrics at the start, and the peers of each switch as it comes."""

    name, code, noun = "isolation", Code.FABRICS_NOT_ISOLATED, "switches and sessions"

    def __init__(self, site: Site) -> None:
        """Compare each pair of fabrics."""
        super().__init__(site)
        self.blocks = {fabric.name: list(own_blocks(fabric)) for fabric in site.fabrics}
        self.servers = {
            fabric.name: {server.name for server in fabric.topology.servers}
            for fabric in site.fabrics
        }
        self.one_vlan = {
            overlay.vlans[number].because.main: f"{gateway.name} {target}"
            for fabric in site.fabrics
            if (overlay := fabric.overlay) is not None
            for gateway in overlay.gateways.values()
            for number, target in gateway.vlans.items()
        }
        for fabric in site.fabrics:
            self.allowed(fabric)
        for one, other in combinations(site.fabrics, 2):
            self.hardware(one, other)
            self.overlap("subnets", self.blocks[one.name], self.blocks[other.name])
            self.overlap("allowed prefixes", allowed_blocks(one), allowed_blocks(other))

    def see(self, fabric: Fabric, switch_slice: SwitchSlice) -> None:
        """Compare the fabric of each peer with the switch's own."""
        switch, home = switch_slice.switch, fabric.name
        if not self.tally.objects:
            self.managed(switch_slice)
        self.tally.objects += 1 + len(switch_slice.sessions) + len(switch_slice.external)
        self.outside(fabric, switch_slice)
        self.taken(fabric, switch_slice)
        if switch.fabric != home:
            text = f"{switch.name} of the {switch.fabric} stands in the {home}"
            self.tally.add("switches of another fabric", text, switch.because)
        for interface in switch_slice.interfaces:
            peer = interface.peer
            if isinstance(peer, Switch) and peer.fabric != home:
                self.tally.add(
                    "cables that leave the fabric",
                    f"{ends.text(switch, interface.port)}"
                    f" of the {home} goes to {peer.name} of the {peer.fabric}",
                    interface.because,
                )
            elif fabric.managed is not None and interface.carries is not None:
                self.apart(fabric.managed, switch_slice, interface, interface.carries)
            if isinstance(peer, Server) and peer.name not in self.servers[home]:
                self.tally.add(
                    "cables that leave the fabric",
                    f"{ends.text(switch, interface.port)}"
                    f" of the {home} goes to {peer.name}, no server of it",
                    interface.because,
                )
        for session in switch_slice.sessions:
            if session.peer.fabric != home:
                self.tally.add(
                    "sessions that leave the fabric",
                    f"{switch.name} of the {home} has "
                    f"a session to {session.peer.name} of the {session.peer.fabric}",
                    session.because,
                )

    def apart(
        self,
        managed: ManagedPorts,
        switch_slice: SwitchSlice,
        interface: Interface,
        carries: Carries,
    ) -> None:
        """Management ports carry VLANs of management alone, and no other port carries one."""
        peer, port = interface.peer, interface.peer_port
        inside = {vlan.vrf == managed.vrf for vlan in carries.vlans}
        network = port.network if isinstance(port, Nic) else ""
        end = (peer.name if peer is not None else "", network)
        if inside != {end in managed.ends}:
            self.tally.add(
                "ports of tenants and of management",
                f"{end[0]} {network} at {ends.text(switch_slice.switch, interface.port)} carries "
                f"{', '.join(vlan.name for vlan in carries.vlans)}: management is apart",
                carries.because,
            )

    def managed(self, switch_slice: SwitchSlice) -> None:
        """Compare the management subnet with every pool: a rail's route would lead away from it."""
        path = (*switch_slice.services.path, "subnet")
        own = block_of(
            switch_slice.management, f"{switch_slice.management.prefix} of management", path
        )
        pools = [
            block
            for blocks in self.blocks.values()
            for block in blocks
            if block.path[-2:-1] == ("addressing",)
        ]
        for pool in pools:
            if pool.meets(own):
                text = f"management lies in a pool: {own.text} and {pool.text} overlap"
                self.tally.add("pools with management", text, path, "give each a prefix of its own")

    def taken(self, fabric: Fabric, switch_slice: SwitchSlice) -> None:
        """Look for routes that one VRF takes and the other does not have, or not here."""
        here = {vrf.name for vrf in switch_slice.vrfs}
        takes = [(vrf.name, each) for vrf in switch_slice.vrfs for each in vrf.takes]
        for taker, each in takes:
            own = _offered(fabric, each.source)
            wrong = [rule.prefix.prefix for rule in each.prefixes if rule[1:] not in own]
            absent = each.source not in here
            if wrong or absent:
                what = "a VRF that is not there" if absent else f"{wrong[0]}, which is not its own"
                self.tally.add(
                    "routes taken of another VRF",
                    f"{taker} on {switch_slice.switch.name} takes from {each.source} {what}",
                    each.because,
                )

    def outside(self, fabric: Fabric, switch_slice: SwitchSlice) -> None:
        """Look for ways out of the site: only from inside a VRF of the overlay."""
        vrfs = fabric.overlay.vrfs if fabric.overlay is not None else {}
        links = fabric.overlay.edge if fabric.overlay is not None else {}
        for peer in switch_slice.external:
            if peer.vrf not in vrfs:
                text = (
                    f"{switch_slice.switch.name} of the {fabric.name} reaches {peer.name} outside"
                )
                self.tally.add("ways out of a fabric", text, peer.because)
        for interface in (*switch_slice.interfaces, *switch_slice.tagged, *switch_slice.tunnels):
            if switch_slice.gateway is not None and interface in switch_slice.gateway.cables:
                continue
            bare = interface.vrf is None and not interface.addresses  # no packet is routed there
            if not interface.outside or (bare and interface.outside in links):
                continue
            if interface.vrf not in vrfs:
                text = f"{ends.text(switch_slice.switch, interface.port)} of the {fabric.name}"
                self.tally.add(
                    "ports that lead outside",
                    f"{text} leads to {interface.outside} outside, in no VRF of a tenant",
                    interface.because,
                )

    def allowed(self, fabric: Fabric) -> None:
        """Compare what may be announced with the pools: wider than a pool is a way out."""
        own = self.blocks[fabric.name]
        for item, block in zip(fabric.routing.allowed, allowed_blocks(fabric), strict=True):
            inside = any(pool.holds(block) for pool in own)
            if not inside or not item.prefix.length <= item.shortest <= item.longest:
                what = (
                    "a default route"
                    if not item.prefix.length or not item.shortest
                    else "more than its pools"
                )
                self.tally.add(
                    "prefixes wider than their pool",
                    f"the {fabric.name} may announce "
                    f"{item.prefix} from /{item.shortest} on, {what}",
                    block.path,
                )

    def hardware(self, one: Fabric, other: Fabric) -> None:
        """Compare the names of switches, and the NICs of servers of the same name."""
        both = {s.name for s in one.topology.switches} & {s.name for s in other.topology.switches}
        for name in sorted(both):
            text = f"the switch {name} stands in the {one.name} and in the {other.name}"
            self.tally.add("switches in two fabrics", text, other.place)
        servers = self.servers[one.name] & self.servers[other.name]
        if servers:
            for server, nic in sorted(_nics(one, servers) & _nics(other, servers)):
                text = f"{server} port {nic} is cabled in the {one.name} and in the {other.name}"
                self.tally.add("NICs in two fabrics", text, other.place)

    def overlap(self, kind: str, ours: Iterable[Block], theirs: Iterable[Block]) -> None:
        """Sweep the blocks of two fabrics by their first address."""
        marked = [(block, 0) for block in ours] + [(block, 1) for block in theirs]
        reach: dict[tuple[int, int], Block] = {}
        for block, side in sorted(marked, key=lambda item: item[0][:2]):
            other = reach.get((block.version, 1 - side))
            if other is not None and other.last >= block.first and not self.shared(other, block):
                self.tally.add(
                    f"{kind} of two fabrics that overlap",
                    f"{kind} of two fabrics overlap: {other.text} and {block.text}",
                    block.path,
                    "give each fabric pools of its own",
                )
            mine = reach.get((block.version, side))
            if mine is None or mine.last < block.last:
                reach[block.version, side] = block

    def shared(self, one: Block, other: Block) -> bool:
        """Tell whether both are ends of a link between sites, or one VLAN at two."""
        ends = one.path == other.path and one.path[:1] == ("dci",)
        vlan = self.one_vlan.get(one.path)
        return ends or (vlan is not None and vlan == self.one_vlan.get(other.path))


def _offered(fabric: Fabric, vrf: str) -> set[tuple[Ip, int]]:
    """Return what a VRF has itself, each with the longest prefix in it that may be taken."""
    overlay = fabric.overlay
    if overlay is None:
        return set()
    gateways = [
        each for vlan in overlay.vlans.values() if vlan.vrf == vrf for each in vlan.gateways
    ]
    peers = (peer for peer in overlay.peers if peer.vrf == vrf)
    routes = (route for route in overlay.routes if route.vrf == vrf)
    diagnostics = overlay.vrfs[vrf].diagnostics if vrf in overlay.vrfs else None
    sources = () if diagnostics is None else (diagnostics.sources.whole,)
    return {
        *((prefix, prefix.bits) for prefix in sources),
        *((each.subnet, each.bits) for each in gateways),
        *((each.prefix, each.prefix.length) for each in routes),
        *((rule.prefix, rule.prefix.length) for peer in peers for rule in peer.accept),
    }


def _nics(fabric: Fabric, servers: set[str]) -> set[tuple[str, str]]:
    return {
        (link.lower.name, link.lower_port.name)
        for link in fabric.topology.links
        if isinstance(link.lower_port, Nic) and link.lower.name in servers
    }
