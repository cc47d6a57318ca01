"""Build the side of each server on an EVPN fabric: ports, bond, VLANs and addresses.

The attachments of a server define the settings of its ports. A port without an attachment gets
none.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from fabricgen.core.provenance import Block, Provenance
from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.host_ports import HostBgp, HostPorts
from fabricgen.model.fabric.routing import Bfd
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Link, Nic, Server
from fabricgen.model.fabric.vlans import Addressing, Carries, OnHost, Vlan

LACP, ACTIVE_BACKUP = "lacp", "active-backup"
MODES = {LACP: "802.3ad", ACTIVE_BACKUP: "active-backup"}
"""Bond modes in the kernel's words (docs.kernel.org/networking/bonding, mode)."""
TABLES = 4000
"""First routing table of VLANs without the default route: plus its id, above tables of rails."""
CLOSED = 8100
"""First table without a path, above the tables of VLANs."""


_EVERY = {4: "0.0.0.0/0", 6: "::/0"}


@record(eq=False, kw_only=True)
class Address(Block):
    """One address of a server's interface, on any network.

    Attributes:
        address: None if the interface receives one by DHCP or IPv6 router advertisements.
        gateway: Address of the leaf or of the VLAN's gateway.
        table: Number of the table with its routes. 0 is the main table.
        metric: Metric of the route that orders ports. 0 without an order.
        reached: Prefixes that programs without a chosen address reach by this table.
        closed: Table without a path, for packets to its subnet with another address. 0 without one.
        way_out: Whether the default route uses a VLAN with this address.
    """

    routed: ClassVar[bool] = False
    """The port itself is routed, on an evpn fabric."""
    address: Ip | None
    gateway: Ip
    table: int = 0
    metric: int = 0
    reached: tuple[str, ...] = ()
    closed: int = 0
    way_out: bool = False

    @property
    def dhcp(self) -> bool:
        """Return whether the interface requests its address."""
        return self.address is None

    @property
    def six(self) -> bool:
        return self.gateway.version == 6

    @property
    def every(self) -> str:
        """Return the prefix that covers all addresses."""
        return _EVERY[self.gateway.version]


@record(eq=False, kw_only=True)
class RoutedLink(Address):
    """One routed port of a server. `metric`: of its default route, or 0 if BGP learns that."""

    routed: ClassVar[bool] = True
    address: Ip
    port: str
    leaf: str
    leaf_asn: int


@record(kw_only=True)
class Bond:
    """A bond of a server. `primary`: the preferred port of active-backup."""

    name: str
    mode: str
    primary: str = ""


@record(eq=False, kw_only=True)
class Member:
    """One VLAN of a server, the port or bond below it, and its static addresses.

    `reached`: its subnet and imported prefixes of its VRF, if programs reach them by it alone.
    """

    vlan: Vlan
    tagged: bool
    below: str
    told: OnHost
    addresses: tuple[Ip, ...]
    reached: tuple[Ip, ...] = ()

    @property
    def device(self) -> str:
        return f"{self.below}.{self.vlan.id}" if self.tagged else self.below

    @property
    def closed(self) -> int:
        """Return the table without a path, for packets to its subnet with another address."""
        return CLOSED + self.vlan.id if self.reached else 0

    @property
    def table(self) -> int:
        """Return the routing table of its packets, unless it has the default route."""
        return TABLES + self.vlan.id


@record(eq=False, kw_only=True)
class BridgedSide:
    """One server's ports on an evpn fabric. `attached`: the reason for its VLANs.

    `time`: its PTP domain there. `links`: its routed ports, which carry no VLAN. `bgp`: BGP over
    these ports, with the timers of BFD.
    """

    fabric: str
    mtu: int
    ports: tuple[str, ...]
    bond: Bond | None
    members: tuple[Member, ...]
    because: Provenance
    attached: Provenance
    time: int | None = None
    links: tuple[RoutedLink, ...] = ()
    bgp: HostBgp | None = None
    timers: Bfd | None = None


@dataclass(slots=True)
class BridgedSlicer:
    """Slices the sides of one fabric's servers."""

    fabric: Fabric

    def tells(self, server: Server) -> bool:
        """Return whether an attachment names ports of a server."""
        return any(True for _ in self.carried(server)) or any(True for _ in self.routed(server))

    def carried(self, server: Server) -> Iterator[tuple[str, list[Link], Carries]]:
        """Yield each set of a server's ports that an attachment names, with its VLANs."""
        for network, links in self._sets(server).items():
            carries = self._carries(server, network, links[0])
            if carries is not None and carries.on_host:
                yield network, links, carries

    def sides(self, server: Server) -> Iterator[BridgedSide]:
        for network, links, carries in self.carried(server):
            yield self.side(server, network, links, carries)
        yield from self.routed(server)

    def routed(self, server: Server) -> Iterator[BridgedSide]:
        """Yield the sides of a server whose ports are routed."""
        overlay = self.fabric.overlay
        for network, links in self._sets(server).items() if overlay and overlay.routed else ():
            ports = overlay.routed.get((server.name, network)) if overlay else None
            if ports is not None:
                yield self._routed_side(server, links, ports)

    def _routed_side(self, server: Server, links: list[Link], ports: HostPorts) -> BridgedSide:
        routing, told = self.fabric.routing, ports.bgp
        learns = told is not None and told.speaker == "frr"
        every = []
        for turn, link in enumerate(links):
            assert isinstance(link.lower_port, Nic)
            leaf, own = ports.link(server.number, link.lower_port.port)
            every.append(
                RoutedLink(
                    because=links[0].because,
                    port=link.lower_port.label,
                    address=own,
                    gateway=leaf,
                    leaf=link.upper.name,
                    leaf_asn=routing.asns.asn(link.upper),
                    metric=0 if learns else (turn + 1 - server.number) % len(links) + 1,
                )
            )
        return BridgedSide(
            fabric=self.fabric.name,
            mtu=routing.tenant_mtu,
            ports=tuple(each.port for each in every),
            bond=None,
            members=(),
            because=links[0].because,
            attached=ports.because,
            links=tuple(every),
            bgp=told,
            timers=routing.bfd if told is not None and told.bfd else None,
        )

    def _sets(self, server: Server) -> dict[str, list[Link]]:
        """Return the cables of each set of a server's ports."""
        sets: dict[str, list[Link]] = {}
        for link in self.fabric.topology.links_at.get(server.name, ()):
            if isinstance(link.lower_port, Nic):
                sets.setdefault(link.lower_port.network, []).append(link)
        return sets

    def side(
        self, server: Server, network: str, links: list[Link], carries: Carries
    ) -> BridgedSide:
        """Return one side: the settings of a set of ports, by its links, for its VLANs."""
        ports = tuple(link.lower_port.label for link in links)
        bond = _bond(server, network, links)
        return BridgedSide(
            fabric=self.fabric.name,
            mtu=self.fabric.routing.tenant_mtu,
            ports=ports,
            bond=bond,
            members=tuple(self._members(server, carries, (bond.name,) if bond else ports)),
            because=links[0].because,
            attached=carries.because,
            time=self._time(links[0]),
        )

    def _members(
        self, server: Server, carries: Carries, devices: tuple[str, ...]
    ) -> Iterator[Member]:
        """Yield the VLANs of each device that carries them, the untagged one first."""
        for device in devices:
            for vlan in carries.vlans:
                told = carries.on_host[vlan.id]
                yield Member(
                    vlan=vlan,
                    tagged=vlan is not carries.untagged,
                    below=device,
                    told=told,
                    addresses=tuple(_addresses(vlan, told, server)),
                    reached=tuple(self._imported(vlan)) if told.reaches else (),
                )

    def _imported(self, vlan: Vlan) -> Iterator[Ip]:
        """Yield the IPv4 subnet of a VLAN and the IPv4 prefixes that its VRF imports.

        A rule of the kernel can name IPv4 packets without a chosen source (fib4_rule_match), and no
        such IPv6 packets (fib6_rule_match asks RT6_LOOKUP_F_HAS_SADDR).
        """
        overlay = self.fabric.overlay
        vrf = overlay.vrfs.get(vlan.vrf or "") if overlay is not None else None
        yield from (gateway.subnet for gateway in vlan.gateways if gateway.version == 4)
        for taken in vrf.takes if vrf is not None else ():
            yield from (each.prefix.subnet for each in taken.prefixes if each.prefix.version == 4)

    def _time(self, link: Link) -> int | None:
        told, nic = self.fabric.services.ptp, link.lower_port
        follows = isinstance(nic, Nic) and nic.ptp == "client"
        of_it = told is not None and self.fabric.name in told.fabrics
        return told.domain if told is not None and of_it and follows else None

    def _carries(self, server: Server, network: str, link: Link) -> Carries | None:
        overlay = self.fabric.overlay
        if overlay is None or link.upper.name not in overlay.ports:
            return None
        place = self.fabric.topology.places[server.name, network]
        return overlay.ports[link.upper.name].get(place.index)


def _bond(server: Server, network: str, links: list[Link]) -> Bond | None:
    """Return the bond of a set of ports, named after it; a fabric's own key names none.

    In active-backup mode servers alternate their primary port, so that leafs share the load.
    """
    nic = links[0].lower_port
    if not isinstance(nic, Nic) or nic.bond not in MODES:
        return None
    turn = links[(server.number - 1) % len(links)].lower_port.label
    return Bond(
        name=network if server.kind else "bond0",
        mode=nic.bond,
        primary=turn if nic.bond == ACTIVE_BACKUP else "",
    )


def _addresses(vlan: Vlan, told: OnHost, server: Server) -> Iterator[Ip]:
    """Yield the addresses of a server in a VLAN, by override or number, even outside the subnet."""
    for gateway in vlan.gateways:
        if told.of(gateway.version) is not Addressing.STATIC:
            continue
        ends, version = gateway.network, gateway.version
        said = server.pin.among(version, *ends) if server.pin is not None else None
        computed = ends[0] + told.first + server.number - 1
        yield Ip(computed if said is None else said, gateway.length, version)
