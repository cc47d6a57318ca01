"""Define the views of the templates of ports and of the switch's own interfaces."""

from typing import ClassVar

from fabricgen.core.provenance import Block, SharedBlock
from fabricgen.core.record import record
from fabricgen.model.settings.ports import NO_SETTINGS, PortProfile, PortSet
from fabricgen.model.settings.setting import Resolved
from fabricgen.nos.eos.view.system import Vlan, Vrf


@record(eq=False)
class Guard:
    """The access list that judges what comes in. family: ip or ipv6."""

    family: str
    name: str


@record(eq=False)
class Timed:
    """A port through which precise time goes. role: None where the best clock decides."""

    role: str | None


@record(eq=False, kw_only=True)
class Edge:
    """What a bridged port does for its server: one access VLAN, or a trunk."""

    shared: ClassVar[bool] = True
    access: int | None
    native: int | None
    trunk: str
    timed: Timed | None = None


@record()
class Area(Block):
    """The area of a port to a router outside that speaks OSPF."""

    area: str


@record(kw_only=True)
class Routed:
    """What a routed port does: addresses, each with `ip` or `ipv6`; with `local` link-local only.

    vrf: of the tenant that it belongs to. outside: it leads out of the site. tag: it is a share of
    a port, for frames with this VLAN. area: of OSPF, empty without.
    """

    mtu: int
    vrf: str | None
    outside: bool
    addresses: tuple[tuple[str, str], ...]
    local: bool
    tag: int | None = None
    timed: Timed | None = None
    guards: tuple[Guard, ...] = ()
    area: Area | None = None


@record(eq=False)
class Counted:
    """Queues of a port whose marks are counted, each as its sub-mode: uc-tx-queue 3."""

    shared: ClassVar[bool] = True
    queues: tuple[str, ...]


@record(eq=False)
class Classed:
    """The QoS profile of a port; policy: what it writes into packets, where it marks."""

    shared: ClassVar[bool] = True
    profile: str
    policy: str | None


@record(kw_only=True)
class Segment:
    """What a port-channel has alike on both leafs of its server, and its rank in the election."""

    identifier: str
    preference: int
    target: str
    system: str


@record(eq=False, kw_only=True)
class Port(Block):
    """A port-channel or a port: bridged (`edge`), a member (`bundle`), routed, or shut.

    speed: None for a port-channel, and for a whole cage without a cable. tracked: which side of
    the leaf's tracking group it is, upstream or downstream. segment: of a port-channel whose server
    is on another leaf too. mlag: its number on the other leaf of an MLAG pair. peer: it is the
    port-channel between the two. settings: of a port-channel. member: of one of its ports.
    guarded: with a bridged one, how it is treated. classed: of one whose marks are taken, or made.
    kbps: what it sends at most, where that is less than its speed.
    """

    name: str
    description: str
    speed: str | None
    bundle: int | None = None
    edge: Edge | None = None
    guarded: Resolved[PortProfile] | None = None
    routed: Routed | None = None
    counted: Counted | None = None
    segment: Segment | None = None
    settings: PortSet = NO_SETTINGS
    member: PortSet = NO_SETTINGS
    mlag: int | None = None
    peer: bool = False
    classed: Classed | None = None
    kbps: int | None = None
    tracked: str | None = None
    shut: bool = False


@record(eq=False)
class Ports:
    """Port-channels, then the ports of the faceplate in its order, which is that of EOS."""

    ports: tuple[Port, ...]


@record(eq=False)
class Loopback(Block):
    """The address of a loopback interface."""

    address: str


@record(eq=False, kw_only=True)
class ManagementPort(Block):
    """The out-of-band port."""

    hostname: str
    vrf: str
    address: str


@record(eq=False, kw_only=True)
class PeerVlan(Block):
    """An interface by which the leafs of an MLAG pair speak to each other, one of them in no VRF.

    It stays up also where no port but the peer link has its VLAN; those of VRFs live by that link.
    addresses: each with `ip` or `ipv6`.
    """

    vlan: int
    description: str
    mtu: int
    vrf: str | None
    addresses: tuple[tuple[str, str], ...]


@record(eq=False)
class Helpers(Block):
    """The DHCP servers that a gateway relays to, and the interface that it asks from."""

    source: str
    servers: tuple[str, ...]


@record(eq=False, kw_only=True)
class Helpers6(Block):
    """The same by IPv6. link: the gateway, by which a server knows the subnet that asks."""

    source: str
    link: str
    servers: tuple[str, ...]


@record(eq=False, kw_only=True)
class Announced(Block):
    """What a gateway announces. managed: servers ask by DHCPv6, and make no addresses of it."""

    prefix: str
    managed: bool


@record(eq=False, kw_only=True)
class RelaySource(Block):
    """The loopback in a VRF that this leaf asks DHCP servers from; its address of each family."""

    name: str
    vrf: str
    addresses: tuple[tuple[str, str], ...]


@record(eq=False, kw_only=True)
class DiagnosticSource(Block):
    """The loopback in a VRF from which this leaf probes servers; host: its address alone."""

    name: str
    vrf: str
    address: str
    host: str


@record(eq=False, kw_only=True)
class Gateway(Block):
    """The interface of a VLAN; one without `vrf` is the gateway of a rail."""

    vlan: int
    description: str
    mtu: int
    vrf: str | None
    ipv4: str | None
    ipv6: str | None
    guards: tuple[Guard, ...] = ()
    relay: Helpers | None = None
    relay6: Helpers6 | None = None
    announced: Announced | None = None


@record(eq=False, kw_only=True)
class Tunnels(SharedBlock):
    """Anycast gateways and the VXLAN interface, with the VNIs of VLANs and VRFs.

    mlag: the tunnel endpoint is that of an MLAG pair.
    """

    gateways: tuple[Gateway, ...]
    vlans: tuple[Vlan, ...]
    vrfs: tuple[Vrf, ...]
    mlag: bool


@record(eq=False)
class Marks(SharedBlock):
    """That a packet's DSCP is its tunnel's, too; ecn: and its ECN, where a class is marked."""

    ecn: bool


@record(eq=False, kw_only=True)
class Interfaces:
    """The interfaces that are no ports."""

    router_id: Loopback
    vtep: Loopback | None
    relays: tuple[RelaySource, ...]
    probing: tuple[DiagnosticSource, ...]
    management: ManagementPort
    rails: tuple[Gateway, ...]
    tunnels: Tunnels | None
    marks: Marks | None
    peers: tuple[PeerVlan, ...]
