"""Define the views of the templates of ports and of the switch's own interfaces."""

from typing import ClassVar

from fabricgen.core.provenance import Block, SharedBlock
from fabricgen.core.record import record
from fabricgen.model.settings.ports import NO_SETTINGS, PortProfile, PortSet
from fabricgen.model.settings.setting import Resolved
from fabricgen.nos.eos.view.system import Vlan, Vrf


@record(eq=False)
class Guard:
    """The access list for incoming packets. `family`: ip or ipv6."""

    family: str
    name: str


@record(eq=False)
class Timed:
    """A port with PTP. `role`: None if the better clock decides."""

    role: str | None


@record(eq=False, kw_only=True)
class Edge:
    """A bridged port: one access VLAN, or a trunk. `guards`: lists of an isolated VLAN."""

    shared: ClassVar[bool] = True
    access: int | None
    native: int | None
    trunk: str
    timed: Timed | None = None
    guards: tuple[Guard, ...] = ()


@record()
class Area(Block):
    """The OSPF area of a port. `cost` and `bfd`: of a link to another switch of the fabric."""

    area: str
    cost: str | None = None
    bfd: bool = False


@record(kw_only=True)
class Routed:
    """A routed port with its addresses, each with `ip` or `ipv6`; with `local` link-local only.

    `vrf`: VRF of its tenant. `outside`: it leads out of the site. `tag`: VLAN tag of a share of a
    port. `area`: OSPF area, empty without OSPF.
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
class Exchange:
    """Announcements of a port to a server by LLDP: the mode of DCBX."""

    shared: ClassVar[bool] = True
    mode: str


@record(eq=False)
class Counted:
    """Queues of a port with marking counters, each as its sub-mode: uc-tx-queue 3."""

    shared: ClassVar[bool] = True
    queues: tuple[str, ...]


@record(eq=False)
class Classed:
    """The QoS profile of a port, and the policy that marks its packets, if any."""

    shared: ClassVar[bool] = True
    profile: str
    policy: str | None


@record(kw_only=True)
class Segment:
    """Settings of a port-channel on both leafs of its server, and its rank in the election."""

    identifier: str
    preference: int
    target: str
    system: str


@record(eq=False, kw_only=True)
class Port(Block):
    """A port-channel or a port: bridged (`edge`), a member (`bundle`), routed, or shut.

    Attributes:
        speed: None for a port-channel, and for a complete cage without a cable.
        tracked: Side of the leaf's tracking group, upstream or downstream.
        segment: For a port-channel whose server is also on another leaf.
        mlag: Its number on the other leaf of an MLAG pair.
        peer: Whether it connects the two leafs.
        settings, member: Of a port-channel; of one of its ports.
        exchange: Announcements to a server.
        guarded: Protection of a bridged port.
        classed: QoS of a port whose marking is trusted or written.
        kbps: Maximum rate, if below its speed.
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
    exchange: Exchange | None = None
    mlag: int | None = None
    peer: bool = False
    classed: Classed | None = None
    kbps: int | None = None
    tracked: str | None = None
    shut: bool = False


@record(eq=False)
class Ports:
    """Port-channels, then the ports in faceplate order, which is EOS's order."""

    ports: tuple[Port, ...]


@record(eq=False)
class Loopback(Block):
    """A loopback with its address, and its OSPF area if OSPF advertises it."""

    address: str
    area: str | None = None


@record(eq=False, kw_only=True)
class ManagementPort(Block):
    hostname: str
    vrf: str
    address: str


@record(eq=False, kw_only=True)
class PeerVlan(Block):
    """An interface between the leafs of an MLAG pair. One of them is in no VRF.

    It stays up even if only the peer link has its VLAN. Those in VRFs depend on that link.
    `addresses`: each with `ip` or `ipv6`.
    """

    vlan: int
    description: str
    mtu: int
    vrf: str | None
    addresses: tuple[tuple[str, str], ...]


@record(eq=False)
class Helpers(Block):
    """The DHCP servers of a gateway's relay, and its source interface."""

    source: str
    servers: tuple[str, ...]


@record(eq=False, kw_only=True)
class Helpers6(Block):
    """IPv6 helpers. `link`: the gateway address, by which a server finds the subnet."""

    source: str
    link: str
    servers: tuple[str, ...]


@record(eq=False, kw_only=True)
class Announced(Block):
    """Router advertisement of a gateway. `managed`: servers use DHCPv6 instead of the prefix."""

    prefix: str
    managed: bool


@record(eq=False, kw_only=True)
class RelaySource(Block):
    """The loopback in a VRF that is this leaf's DHCP relay source; its address of each family."""

    name: str
    vrf: str
    addresses: tuple[tuple[str, str], ...]


@record(eq=False, kw_only=True)
class DiagnosticSource(Block):
    """The loopback in a VRF that is this leaf's source of probes. `host`: the address alone."""

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

    `mlag`: the tunnel endpoint belongs to an MLAG pair.
    """

    gateways: tuple[Gateway, ...]
    vlans: tuple[Vlan, ...]
    vrfs: tuple[Vrf, ...]
    mlag: bool


@record(eq=False)
class Marks(SharedBlock):
    """Copies the DSCP of a packet to its tunnel, and with `ecn` its ECN, too."""

    ecn: bool


@record(eq=False, kw_only=True)
class Interfaces:
    router_id: Loopback
    vtep: Loopback | None
    relays: tuple[RelaySource, ...]
    probing: tuple[DiagnosticSource, ...]
    management: ManagementPort
    rails: tuple[Gateway, ...]
    tunnels: Tunnels | None
    marks: Marks | None
    peers: tuple[PeerVlan, ...]
