"""Define the views of the templates of a server's files, with every string and order decided."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from fabricgen.core.provenance import Block, Provenance, SharedBlock
from fabricgen.core.record import record

if TYPE_CHECKING:
    from fabricgen.model.fabric.host_ports import HostBgp
    from fabricgen.model.fabric.hosts import HostContract
    from fabricgen.model.fabric.routing import Bfd
    from fabricgen.nos.hosts.bridged import Address, RoutedLink
    from fabricgen.nos.hosts.routed import RoutedPort


@record(kw_only=True)
class HostFile:
    """One output file of a server: its path, the index template, and the view that fills it."""

    path: str
    index: str
    view: object
    executable: bool = False


@record(eq=False, kw_only=True)
class NicSet(Block):
    """One set of NIC ports, as the scripts of all servers have it.

    table, word: the file with a row for each of its ports, and the row's first word. setting,
    checking: templates of the NIC family for nics.sh and check, which are given `nic`, None without
    a contract. first: no set before it is of that family, so what a host has once is told here.
    open: the table of programs without an address, 0 where each port's own is. rdma: its devices
    have the names of their interfaces, and the GID of that index is the address.
    """

    table: str
    word: str
    mtu: int
    open: int
    rdma: bool
    gid_index: int
    setting: str
    checking: str
    first: bool
    nic: Qos | None
    slots: tuple[Slot, ...]


@record(eq=False, kw_only=True)
class Script(SharedBlock):
    """The script that sets the NICs, set of ports by set. whose: those of the first lines.

    roce: there is a class for RoCE, so NICs are configured.
    """

    whose: str
    roce: bool
    sets: tuple[NicSet, ...]


@record(eq=False, kw_only=True)
class NicRows(Block):
    """One set of NIC ports in the table of its server. word: the first of each row."""

    word: str
    ports: tuple[RoutedPort, ...]


@record(eq=False)
class Slot:
    """The PCI address of a NIC port, and the name that its interface is given."""

    name: str
    pci: str
    because: Provenance


@record(eq=False, kw_only=True)
class Speaker(Block):
    """BGP of a server.

    Attributes:
        bgp: Whether bgpd runs, in the words of FRR's table of daemons; `ospf` and `bfd` alike.
        policy: BGP settings of the attachment.
        blocks: Prefixes to announce, as FRR's prefix lists have them.
        timers: None without BFD.
    """

    bgp: ClassVar[str] = "yes"
    ospf: ClassVar[str] = "no"
    server: str
    policy: HostBgp
    router_id: str
    leafs: tuple[RoutedLink, ...]
    blocks: tuple[str, ...]
    timers: Bfd | None

    @property
    def bfd(self) -> str:
        """Return whether bfdd runs."""
        return "yes" if self.timers is not None else "no"


@record(eq=False, kw_only=True)
class Device(Block):
    """One interface towards an evpn fabric: a port, a bond or a tagged VLAN.

    bond: of which it is a member. members, mode: of a bond. primary: of one that uses one port at a
    time, that port. link, vlan: of a tagged VLAN. tagged: the interfaces of VLANs on it.
    addresses: at most one of each family, IPv4 first.
    """

    name: str
    mtu: int
    bond: str = ""
    members: tuple[str, ...] = ()
    mode: str = ""
    primary: str = ""
    link: str = ""
    vlan: int = 0
    tagged: tuple[str, ...] = ()
    addresses: tuple[Address, ...] = ()

    @property
    def ipv4(self) -> Address | None:
        """Return how it has its IPv4 address."""
        return self.addresses[0] if self.addresses and not self.addresses[0].six else None

    @property
    def ipv6(self) -> Address | None:
        """Return how it has its IPv6 address."""
        return self.addresses[-1] if self.addresses and self.addresses[-1].six else None

    @property
    def static(self) -> tuple[Address, ...]:
        """Return the addresses that are given."""
        return tuple(each for each in self.addresses if not each.dhcp)

    @property
    def sent(self) -> tuple[Address, ...]:
        """Return those with routes of their own; BGP may bring the route of a routed port."""
        return tuple(each for each in self.static if each.metric or not each.routed)

    @property
    def aside(self) -> tuple[Address, ...]:
        """Return those whose routes stand in a table of their own."""
        return tuple(each for each in self.addresses if each.table)

    @property
    def ways_out(self) -> tuple[Address, ...]:
        """Return those by which the default route of a family goes."""
        return tuple(each for each in self.addresses if each.way_out)


@record(kw_only=True)
class Network(Block):
    """The interfaces of one server: NICs of rails, other routed ports, and towards evpn fabrics."""

    server: str
    rails: tuple[NicRows, ...]
    routed: tuple[NicRows, ...]
    ports: tuple[Device, ...] = ()
    bonds: tuple[Device, ...] = ()
    vlans: tuple[Device, ...] = ()

    @property
    def nics(self) -> tuple[RoutedPort, ...]:
        """Return all ports that are routed."""
        return tuple(port for rows in (*self.rails, *self.routed) for port in rows.ports)

    @property
    def devices(self) -> tuple[Device, ...]:
        """Return all that is towards evpn fabrics."""
        return (*self.ports, *self.bonds, *self.vlans)

    @property
    def all_ways(self) -> str:
        """Return the names of routed ports, by all of which the default route goes, in order."""
        routed = (each.name for each in self.ports if any(own.routed for own in each.addresses))
        return ",".join(sorted(routed))


@record(eq=False, kw_only=True)
class Check(SharedBlock):
    """The check of a server: of its routed ports and links to other fabrics, where it has them."""

    nics: Checked | None
    links: Links | None


@record(eq=False, kw_only=True)
class Checked(Block):
    """The part of a check that reads the tables of routed ports. nccl: None without rails."""

    roce: bool
    sets: tuple[NicSet, ...]
    nccl: Nccl | None


@record(eq=False)
class Links(Block):
    """The part of a check that reads the table of links; several: ports may share the way out."""

    several: bool = False


@record(eq=False, kw_only=True)
class Clock(SharedBlock):
    """How a server follows precise time: the domain, and the port that it comes by."""

    domain: int
    port: str


@record(eq=False)
class Protected:
    """The files of a server that only root may read."""

    shared: ClassVar[bool] = True
    protected: tuple[str, ...]
    because: Provenance


@record(eq=False, kw_only=True)
class Common(SharedBlock):
    """What is the same on every server with these ports.

    nics: names of routed ports. spare: of those that another port takes over for. whose: of the
    NICs that nics.sh sets.
    """

    nics: tuple[str, ...]
    spare: tuple[str, ...]
    whose: str


@record(eq=False, kw_only=True)
class Qos(Block):
    """The RoCE contract in the words of the NICs' tools.

    table: each priority but 0 with its DSCPs, as a shell pattern. map: the same as DSCP:priority
    pairs. dscps: those pairs for RoCE data, storage and CNPs alone; others: all other DSCPs, as
    ranges. forced: the byte that every RoCE packet is given, -1 where programs say their own.
    ecn: a class that switches mark is reacted to; reactions: the same by priority.
    tcs: priority to traffic class, where a NIC has three (a strict one for CNPs) and where two.
    kinds, percents: of eight traffic classes, one for each priority; scheduler: both, by priority.
    rates: of DCQCN, each as the option of the NIC's tool, as the tool shows it, and its value.
    idle: the priorities that PFC does not pause. lanes, weights, limits: priority,
    percent and Gb/s of each scheduled class, the rest and CNPs last.
    """

    contract: HostContract
    model: str
    pfc: str
    paused: str
    bitmap: str
    ecn: int
    reactions: tuple[tuple[int, int], ...]
    dcqcn: str
    rates: tuple[tuple[str, str, int], ...]
    forced: int
    length: int
    table: tuple[tuple[int, str], ...]
    map: str
    dscps: str
    others: str
    share: int
    rest: int
    lanes: str
    weights: str
    limits: str
    kinds: str
    percents: str
    scheduler: str
    tcs_three: str
    tcs_two: str
    pauses: str
    idle: tuple[int, ...]


@record(eq=False, kw_only=True)
class FirmwareFile(SharedBlock):
    """The script that reads what NICs keep, set of ports by set. whose: of the first lines."""

    whose: str
    sets: tuple[Firmware, ...]


@record(eq=False, kw_only=True)
class Firmware(Block):
    """What the firmware of a NIC keeps: needed by every NIC and, where it shows them, shown.

    table, word: the file with a row for each port, and the row's first word.

    Both are words NAME=VALUE. parted: the same, of a cage with several ports; where the first of
    them differs, all are written. rates: names of which each port has one, with the value of
    delivery.
    """

    model: str
    table: str
    word: str
    needed: str
    shown: str
    parted: str
    rates: str
    ports: str


@record(eq=False, kw_only=True)
class Nccl(SharedBlock):
    """NCCL's environment; `traffic_class` is None where there is no class for RoCE.

    sprayed: data arrives out of order. railed: rails cannot meet.
    """

    devices: str
    gid_index: int
    queue_pairs: int
    sprayed: bool
    railed: bool
    pool: str
    traffic_class: int | None
