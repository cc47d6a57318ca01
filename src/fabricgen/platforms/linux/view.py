"""What the Linux templates may see: one class per section, every name and order decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from fabricgen.fabric.because import Because


@dataclass(frozen=True, slots=True)
class Single:
    """A file of one section: the template's name and its view."""

    template: str
    section: object


@dataclass(frozen=True, slots=True)
class Loopback:
    """The loopback; `tunnel` is where every VXLAN device of this switch starts.

    devices: name and VNI of each of them, made before ifupdown2 configures them.
    """

    addresses: tuple[str, ...]
    tunnel: str | None
    devices: tuple[tuple[str, int], ...]
    because: Because


@dataclass(frozen=True, slots=True)
class Management:
    """The management VRF and the port in it. `rules`: hosts that are looked up in its table."""

    vrf: str
    table: int
    port: str
    address: str
    gateway: str
    rules: tuple[tuple[int, str], ...]
    because: Because


@dataclass(frozen=True, slots=True)
class RoutedPort:
    """A port outside the bridge; without `address` it has its link-local one only."""

    name: str
    alias: str
    mtu: int
    address: str | None
    because: Because


@dataclass(frozen=True, slots=True)
class BridgePort:
    """A port of the bridge. `vlans`: ifupdown2's words for what it carries."""

    name: str
    alias: str
    mtu: int
    vlans: tuple[str, ...]
    because: Because


@dataclass(frozen=True, slots=True)
class Bond:
    """An LACP bundle in the bridge."""

    name: str
    alias: str
    mtu: int
    members: tuple[str, ...]
    vlans: tuple[str, ...]
    because: Because


@dataclass(frozen=True, slots=True, eq=False)
class UnusedPorts:
    """The ports without a cable; the same on all leafs that leave the same ports free."""

    shared: ClassVar[bool] = True
    names: tuple[str, ...]
    mtu: int
    because: Because


@dataclass(frozen=True, slots=True)
class VrfDevice:
    """A VRF and its routing table."""

    name: str
    table: int
    because: Because


@dataclass(frozen=True, slots=True, eq=False)
class VrfDevices:
    """The tenants' VRFs."""

    shared: ClassVar[bool] = True
    vrfs: tuple[VrfDevice, ...]


@dataclass(frozen=True, slots=True)
class Bridge:
    """The one VLAN-aware bridge of a switch."""

    name: str
    mac: str
    mtu: int
    ports: tuple[str, ...]
    vlans: tuple[int, ...]
    because: Because


@dataclass(frozen=True, slots=True)
class Tunnel:
    """The VXLAN device of one VNI. Only an L2VNI answers ARP itself."""

    name: str
    vni: int
    vlan: int
    suppress: str
    because: Because


@dataclass(frozen=True, slots=True, eq=False)
class Tunnels:
    """The VXLAN devices; their local address stands once, on the loopback."""

    shared: ClassVar[bool] = True
    mtu: int
    tunnels: tuple[Tunnel, ...]


@dataclass(frozen=True, slots=True)
class Gateway:
    """The routed interface of a VLAN; a rail's gateway stands in no VRF."""

    name: str
    vlan: int
    vrf: str | None
    address: str
    because: Because


@dataclass(frozen=True, slots=True, eq=False)
class Gateways:
    """The gateways of this leaf on `bridge`; `mac` is the one of every leaf, if they share it."""

    shared: ClassVar[bool] = True
    bridge: str
    mtu: int
    mac: str | None
    gateways: tuple[Gateway, ...]


@dataclass(frozen=True, slots=True)
class Transit:
    """The interface that an L3VNI comes in on."""

    name: str
    vlan: int
    vrf: str
    because: Because


@dataclass(frozen=True, slots=True, eq=False)
class Transits:
    """The transit interfaces of the VRFs, on `bridge`."""

    shared: ClassVar[bool] = True
    bridge: str
    mtu: int
    transits: tuple[Transit, ...]


@dataclass(frozen=True, slots=True)
class Interfaces:
    """The sections of /etc/network/interfaces."""

    loopback: Loopback
    management: Management
    routed: tuple[RoutedPort, ...]
    bridged: tuple[BridgePort, ...]
    members: tuple[RoutedPort, ...]
    bonds: tuple[Bond, ...]
    unused: UnusedPorts | None
    vrfs: VrfDevices | None
    bridge: Bridge | None
    tunnels: Tunnels | None
    gateways: Gateways | None
    rail_gateways: Gateways | None
    transits: Transits | None


@dataclass(frozen=True, slots=True, eq=False)
class Ets:
    """The scheduler of an ASIC: strict bands first, then bands that share by their quanta."""

    shared: ClassVar[bool] = True
    ports: tuple[str, ...]
    bands: int
    strict: int
    quanta: tuple[int, ...]
    priomap: tuple[int, ...]
    because: Because


@dataclass(frozen=True, slots=True)
class HtbClass:
    """One class of one port: `priority` 0 is served first, `rate` in bit/s is its guarantee."""

    port: str
    minor: int
    rate: int
    ceiling: int
    priority: int


@dataclass(frozen=True, slots=True, eq=False)
class Htb:
    """The scheduler of a kernel that forwards itself: it also gives each port its line rate."""

    shared: ClassVar[bool] = True
    ports: tuple[tuple[str, int], ...]
    default: int
    classes: tuple[HtbClass, ...]
    because: Because


@dataclass(frozen=True, slots=True)
class Red:
    """ECN marking of one band of one port, in bytes; `mode` is `ecn` or `ecn nodrop`."""

    port: str
    minor: int
    limit: int
    minimum: int
    maximum: int
    burst: int
    bandwidth: int
    probability: str
    mode: str


@dataclass(frozen=True, slots=True, eq=False)
class Leaves:
    """What queues in each band: RED where there is marking, a plain FIFO elsewhere."""

    shared: ClassVar[bool] = True
    fifos: tuple[tuple[str, int], ...]
    marked: tuple[Red, ...]
    because: Because


@dataclass(frozen=True, slots=True)
class Filter:
    """One DSCP, as the TOS byte it is in, and the band it goes to."""

    protocol: str
    priority: int
    handle: int
    tos: str
    minor: int


@dataclass(frozen=True, slots=True, eq=False)
class Filters:
    """What the kernel sends itself, or forwards itself, by DSCP; the rest to `default`."""

    shared: ClassVar[bool] = True
    ports: tuple[str, ...]
    rules: tuple[Filter, ...]
    default: int
    because: Because


@dataclass(frozen=True, slots=True)
class Queues:
    """The sections of tc.batch; exactly one of the two schedulers is there."""

    ets: Ets | None
    htb: Htb | None
    leaves: Leaves
    filters: Filters


@dataclass(frozen=True, slots=True, eq=False)
class Dcb:
    """What an ASIC's ports are told through DCB. `ports`: name and bytes of lossless buffer."""

    shared: ClassVar[bool] = True
    dscp_priorities: str
    default_priority: int
    pauses: str
    lossy: int
    lossless: int | None
    ports: tuple[tuple[str, int], ...]
    because: Because


@dataclass(frozen=True, slots=True)
class Daemons:
    """Which of FRR's daemons run."""

    bgp: str
    bfd: str
    because: Because


@dataclass(frozen=True, slots=True, eq=False)
class Host:
    """What every Linux switch is told, whatever its place."""

    shared: ClassVar[bool] = True
    because: Because


@dataclass(frozen=True, slots=True)
class Lldp:
    """The switch's own name, for itself and for LLDP neighbours."""

    hostname: str
    management_port: str
    because: Because


@dataclass(frozen=True, slots=True)
class Breakout:
    """Cages to split before the interfaces come up: the cage's name and into how many."""

    cages: tuple[tuple[str, int], ...]
    because: Because


@dataclass(frozen=True, slots=True)
class Unit:
    """The systemd unit that applies what no service of its own reads."""

    commands: tuple[str, ...]
    because: Because


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """The services of the site; one view for all their files."""

    shared: ClassVar[bool] = True
    vrf: str
    domain: str | None
    banner: str | None
    ntp: tuple[str, ...]
    syslog: tuple[str, ...]
    dns: tuple[str, ...]
    snmp_community: str | None
    snmp_location: str | None
    snmp_contact: str | None
    because: Because


@dataclass(frozen=True, slots=True)
class Account:
    """A local account; `password` is the placeholder of its hash."""

    name: str
    group: str
    password: str | None
    key: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Accounts:
    """Every local account."""

    shared: ClassVar[bool] = True
    accounts: tuple[Account, ...]
    because: Because


@dataclass(frozen=True, slots=True, eq=False)
class Protected:
    """Home directories to make, and files with secrets that only root may read."""

    shared: ClassVar[bool] = True
    homes: tuple[str, ...]
    secrets: tuple[str, ...]
    because: Because
