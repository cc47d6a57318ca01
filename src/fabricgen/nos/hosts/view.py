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

    @property
    def common(self) -> bool:
        """Return whether servers of a kind have the same file: they share its view."""
        return getattr(self.view, "shared", False)


@record(eq=False, kw_only=True)
class NicSet(Block):
    """One set of NIC ports in the scripts of all servers.

    Attributes:
        table, word: The file with a row for each of its ports, and the row's first word.
        setting, checking: Templates of the NIC family for nics.sh and check, with `nic`, which is
            None
            without a contract.
        first: Whether it is the first set of its family, which has the settings of the host.
        open: Table of programs without an address, 0 for each port's table.
        rdma: Whether its devices have the names of their interfaces, and the GID of that index is
            the
            address.
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
    """The script that sets the NICs, by set of ports. `whose`: NICs in its first lines.

    `roce`: there is a class for RoCE, so NICs are configured.
    """

    whose: str
    roce: bool
    sets: tuple[NicSet, ...]


@record(eq=False, kw_only=True)
class Hints(SharedBlock):
    """Hints for the batch script of a job. `gpus`: of each of its servers."""

    job: str
    gpus: int


@record(eq=False, kw_only=True)
class NicRows(Block):
    """One set of NIC ports in the table of its server. `word`: the first word of each row."""

    word: str
    ports: tuple[RoutedPort, ...]


@record(eq=False)
class Slot:
    """The PCI address of a NIC port, and the name of its interface."""

    shared: ClassVar[bool] = True
    name: str
    pci: str
    because: Provenance


@record(eq=False, kw_only=True)
class Speaker(Block):
    """BGP of a server.

    Attributes:
        bgp: Whether bgpd runs, in the words of FRR's table of daemons. Also `ospf` and `bfd`.
        policy: BGP settings of the attachment.
        blocks: Prefixes to advertise, in the form of FRR's prefix lists.
        vips: Service addresses of the server, each with its length.
        timers: None without BFD.
    """

    bgp: ClassVar[str] = "yes"
    ospf: ClassVar[str] = "no"
    server: str
    policy: HostBgp
    router_id: str
    leafs: tuple[RoutedLink, ...]
    blocks: tuple[str, ...]
    vips: tuple[str, ...]
    timers: Bfd | None

    @property
    def bfd(self) -> str:
        return "yes" if self.timers is not None else "no"


@record(eq=False, kw_only=True)
class Device(Block):
    """One interface towards an evpn fabric: a port, a bond or a tagged VLAN.

    Attributes:
        bond: Its bond, if it is a member.
        members, mode, primary: Of a bond. `primary` is the preferred port of active-backup.
        link, vlan: Of a tagged VLAN.
        tagged: Interfaces of VLANs on it.
        addresses: At most one of each family, IPv4 first.
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
        return self.addresses[0] if self.addresses and not self.addresses[0].six else None

    @property
    def ipv6(self) -> Address | None:
        return self.addresses[-1] if self.addresses and self.addresses[-1].six else None

    @property
    def static(self) -> tuple[Address, ...]:
        return tuple(each for each in self.addresses if not each.dhcp)

    @property
    def sent(self) -> tuple[Address, ...]:
        """Return the addresses with separate routes; BGP may learn the route of a routed port."""
        return tuple(each for each in self.static if each.metric or not each.routed)

    @property
    def aside(self) -> tuple[Address, ...]:
        """Return the addresses with a separate routing table."""
        return tuple(each for each in self.addresses if each.table)

    @property
    def ways_out(self) -> tuple[Address, ...]:
        """Return the addresses with the default route of a family."""
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
        return tuple(port for rows in (*self.rails, *self.routed) for port in rows.ports)

    @property
    def devices(self) -> tuple[Device, ...]:
        return (*self.ports, *self.bonds, *self.vlans)

    @property
    def all_ways(self) -> str:
        """Return the names of routed ports that share the default route, in order."""
        routed = (each.name for each in self.ports if any(own.routed for own in each.addresses))
        return ",".join(sorted(routed))


@record(eq=False, kw_only=True)
class Check(SharedBlock):
    """The check of a server: of its routed ports and its links to other fabrics, if any."""

    nics: Checked | None
    links: Links | None


@record(eq=False, kw_only=True)
class Checked(Block):
    """The part of a check that reads the tables of routed ports. `nccl`: None without rails."""

    roce: bool
    sets: tuple[NicSet, ...]
    nccl: Nccl | None


@record(eq=False)
class Links(Block):
    """The part of a check for the table of links. `several`: ports may share the default route."""

    several: bool = False


@record(eq=False, kw_only=True)
class Clock(SharedBlock):
    """PTP of a server: the domain, and its port."""

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
    """Settings that all servers with these ports share.

    `nics`: names of routed ports. `spare`: ports with another port as backup. `whose`: NICs of
    nics.sh.
    """

    nics: tuple[str, ...]
    spare: tuple[str, ...]
    whose: str


@record(eq=False, kw_only=True)
class Qos(Block):
    """The RoCE contract in the words of the NICs' tools.

    Attributes:
        table: Each priority except 0 with its DSCPs, as a shell pattern.
        map: The same as DSCP:priority pairs.
        dscps, others: Pairs of RoCE data, storage and CNPs. All other DSCPs, as ranges.
        forced: Byte of every RoCE packet, -1 if programs set it.
        ecn, reactions: Whether NICs react to ECN marking of a class. The same by priority.
        tcs: Priority to traffic class, for NICs with three (a strict one for CNPs) and with two.
        kinds, percents, scheduler: Of eight traffic classes, one for each priority. Both by
            priority.
        rates: Of DCQCN: option of the NIC's tool, name in the tool's output, and value.
        idle: Priorities without PFC.
        lanes, weights, limits: Priority, percent and Gb/s of each scheduled class, the rest and
            CNPs
            last.
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
    """The script that reads NIC firmware settings, by set of ports. `whose`: of the first lines."""

    whose: str
    sets: tuple[Firmware, ...]


@record(eq=False, kw_only=True)
class Firmware(Block):
    """Firmware settings of a NIC: required ones and, if the NIC shows them, optional ones.

    Both are words NAME=VALUE.

    Attributes:
        table, word: The file with a row for each port, and the row's first word.
        parted: Settings of a cage with several ports. If the first differs, all are written.
        rates: Names with one value per port, with the factory value.
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
    """NCCL's environment; `traffic_class` is None without a class for RoCE.

    `sprayed`: data arrives out of order. `railed`: rails cannot communicate.
    """

    devices: str
    gid_index: int
    queue_pairs: int
    sprayed: bool
    railed: bool
    pool: str
    traffic_class: int | None
