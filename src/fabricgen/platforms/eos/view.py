"""What the EOS templates may see: one class per block, every string, order and default decided.

A class marked `shared` is the same for many switches; it is made once and rendered once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabricgen.fabric.because import Because


@dataclass(frozen=True, slots=True)
class Hostname:
    """The name of the switch."""

    because: Because
    name: str


@dataclass(frozen=True, slots=True)
class Foundation:
    """What every EOS switch is told first; the VLANs from first to last are for routed ports."""

    shared: ClassVar[bool] = True
    because: Because
    first: int
    last: int
    spanning_tree: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a list that EOS numbers."""

    sequence: int
    says: str


def entries(says: Iterable[str]) -> tuple[Entry, ...]:
    """Number the entries of a list by tens, as EOS does."""
    return tuple(Entry(10 * place, text) for place, text in enumerate(says, 1))


@dataclass(frozen=True, slots=True)
class AccountLine:
    """One line about a local account."""

    user: str
    says: str


@dataclass(frozen=True, slots=True)
class Accounts:
    """The local accounts."""

    shared: ClassVar[bool] = True
    because: Because
    lines: tuple[AccountLine, ...]


@dataclass(frozen=True, slots=True)
class Network:
    """The management VRF, its default gateway; LLDP, SSH and eAPI live there."""

    shared: ClassVar[bool] = True
    because: Because
    vrf: str
    gateway: str


@dataclass(frozen=True, slots=True)
class Hosts:
    """Servers of one kind, reached through the management VRF."""

    shared: ClassVar[bool] = True
    because: Because
    vrf: str
    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text: the DNS domain, the login banner."""

    shared: ClassVar[bool] = True
    because: Because
    text: str


@dataclass(frozen=True, slots=True)
class Snmp:
    """SNMP v2c read access; `about` are the contact and location lines, if any."""

    shared: ClassVar[bool] = True
    because: Because
    vrf: str
    community: str
    about: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Gnmi:
    """The gNMI server and, when they are known, the collectors that may connect."""

    shared: ClassVar[bool] = True
    because: Because
    vrf: str
    port: int
    collectors: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Management:
    """The services of a site; what it does not use is None."""

    network: Network
    accounts: Accounts | None
    syslog: Hosts | None
    dns: Hosts | None
    domain: Text | None
    snmp: Snmp | None
    banner: Text | None
    gnmi: Gnmi | None
    acl: Gnmi | None
    ntp: Hosts | None


@dataclass(frozen=True, slots=True)
class Queue:
    """One transmit queue of a profile: its sub-mode and the lines in it, joined."""

    name: str
    says: str


@dataclass(frozen=True, slots=True)
class Profile:
    """A QoS profile: the lines for the port, joined, and its queues."""

    name: str
    says: str
    queues: tuple[Queue, ...]


@dataclass(frozen=True, slots=True)
class Profiles:
    """The QoS profiles of the port speeds in use."""

    shared: ClassVar[bool] = True
    because: Because
    profiles: tuple[Profile, ...]


@dataclass(frozen=True, slots=True)
class Maps:
    """The lines from DSCP to traffic class to queue."""

    shared: ClassVar[bool] = True
    because: Because
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Watchdog:
    """The PFC watchdog; times in seconds."""

    shared: ClassVar[bool] = True
    because: Because
    timeout: str
    recovery: str
    polling: str
    action: str


@dataclass(frozen=True, slots=True)
class Quality:
    """Everything about traffic classes."""

    profiles: Profiles | None
    maps: Maps | None
    watchdog: Watchdog | None


@dataclass(frozen=True, slots=True, eq=False)
class RoutedPort:
    """A routed port; `address` is the whole address line."""

    because: Because
    name: str
    description: str
    mtu: int
    speed: str
    address: str
    profile: str


@dataclass(frozen=True, slots=True, eq=False)
class EdgePort:
    """A bridged port to a server; `carried` are the VLAN lines, one text for all ports alike."""

    because: Because
    name: str
    description: str
    speed: str
    carried: str
    profile: str


@dataclass(frozen=True, slots=True, eq=False)
class MemberPort:
    """A port that belongs to a bundle."""

    because: Because
    name: str
    description: str
    speed: str
    bundle: int


@dataclass(frozen=True, slots=True, eq=False)
class Bundle:
    """A port-channel to one server."""

    because: Because
    number: int
    description: str
    carried: str


@dataclass(frozen=True, slots=True, eq=False)
class IdlePort:
    """A port without a cable; one that shares a cage is told its speed, to keep the breakout."""

    because: Because
    name: str
    description: str
    speed: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Loopback:
    """A loopback interface."""

    because: Because
    name: str
    description: str
    address: str


@dataclass(frozen=True, slots=True, eq=False)
class ManagementPort:
    """The out-of-band port."""

    because: Because
    description: str
    vrf: str
    address: str


@dataclass(frozen=True, slots=True, eq=False)
class Ports:
    """All interfaces of the switch, by what they are for."""

    bundles: tuple[Bundle, ...]
    members: tuple[MemberPort, ...]
    edge: tuple[EdgePort, ...]
    routed: tuple[RoutedPort, ...]
    idle: tuple[IdlePort, ...]
    loopbacks: tuple[Loopback, ...]
    management: ManagementPort


@dataclass(frozen=True, slots=True)
class VlanName:
    """A VLAN and its name."""

    because: Because
    id: int
    name: str


@dataclass(frozen=True, slots=True)
class Vlans:
    """The VLANs of the switch."""

    shared: ClassVar[bool] = True
    vlans: tuple[VlanName, ...]


@dataclass(frozen=True, slots=True)
class Vrfs:
    """The VRF names, the management VRF among them; `routed` are those of tenants."""

    shared: ClassVar[bool] = True
    because: Because
    names: tuple[str, ...]
    management: str
    routing: str
    routed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class IPv6:
    """The `ipv6 unicast-routing` lines: the whole switch, or one VRF each."""

    shared: ClassVar[bool] = True
    because: Because
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Gateway:
    """The interface of a VLAN; `address` is the whole address line."""

    because: Because
    vlan: int
    description: str
    mtu: int
    vrf: str
    address: str


@dataclass(frozen=True, slots=True)
class Gateways:
    """The anycast gateways: the same addresses and MAC on every leaf with these VLANs."""

    shared: ClassVar[bool] = True
    gateways: tuple[Gateway, ...]


@dataclass(frozen=True, slots=True)
class AnycastMac:
    """The MAC address of all anycast gateways."""

    shared: ClassVar[bool] = True
    because: Because
    mac: str


@dataclass(frozen=True, slots=True)
class Vxlan:
    """The VXLAN tunnel interface; the lines map VLANs and VRFs to VNIs."""

    shared: ClassVar[bool] = True
    because: Because
    source: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class MacVrf:
    """A VLAN in BGP."""

    because: Because
    vlan: int
    distinguisher: str
    target: str


@dataclass(frozen=True, slots=True, eq=False)
class IpVrf:
    """A VRF in BGP."""

    because: Because
    name: str
    distinguisher: str
    target: str
    router_id: str


@dataclass(frozen=True, slots=True, eq=False)
class Overlay:
    """VLANs, VRFs, gateways and what BGP says about them."""

    vlans: Vlans | None
    vrfs: Vrfs
    ipv6: IPv6 | None
    rail_gateways: tuple[Gateway, ...]
    gateways: Gateways | None
    mac: AnycastMac | None
    vxlan: Vxlan | None
    mac_vrfs: tuple[MacVrf, ...]
    ip_vrfs: tuple[IpVrf, ...]


@dataclass(frozen=True, slots=True)
class Policy:
    """What may be announced: the community for routes from above, the prefix list."""

    shared: ClassVar[bool] = True
    because: Because
    community: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Detection:
    """BFD timers in milliseconds."""

    shared: ClassVar[bool] = True
    because: Because
    interval: int
    multiplier: int


@dataclass(frozen=True, slots=True)
class PeerGroup:
    """A BGP peer group; its route maps end in the same word. transit: it carries EVPN further."""

    shared: ClassVar[bool] = True
    because: Because
    side: str
    bfd: bool
    transit: bool


@dataclass(frozen=True, slots=True)
class Family:
    """One address family of BGP and what it says about the peer groups."""

    shared: ClassVar[bool] = True
    because: Because
    name: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sides:
    """What switches with the same kinds of neighbours share; None where there are no such."""

    policy: Policy | None
    tagged: Policy | None
    above: Policy | None
    below: Policy | None
    evpn_above: Policy | None
    bfd: Detection | None
    group_above: PeerGroup | None
    group_below: PeerGroup | None
    evpn_group_above: PeerGroup | None
    evpn_group_below: PeerGroup | None
    evpn_family: Family | None
    ipv4_family: Family | None


@dataclass(frozen=True, slots=True, eq=False)
class Speaker:
    """The head of `router bgp`."""

    because: Because
    asn: int
    router_id: str
    paths: int


@dataclass(frozen=True, slots=True, eq=False)
class Neighbor:
    """A BGP neighbour with an address."""

    because: Because
    address: str
    group: str
    asn: int
    description: str


@dataclass(frozen=True, slots=True, eq=False)
class LinkNeighbor:
    """A BGP neighbour found on an interface."""

    because: Because
    interface: str
    group: str
    asn: int


@dataclass(frozen=True, slots=True, eq=False)
class Routing:
    """BGP of the switch; no speaker, no BGP."""

    sides: Sides
    speaker: Speaker | None
    neighbors: tuple[Neighbor, ...]
    links: tuple[LinkNeighbor, ...]


@dataclass(frozen=True, slots=True, eq=False)
class EosView:
    """One switch, as the sections of its configuration."""

    hostname: Hostname
    foundation: Foundation
    management: Management
    quality: Quality
    ports: Ports
    overlay: Overlay
    routing: Routing
