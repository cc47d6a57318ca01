"""Define the views of the templates of /etc/network/interfaces, with every name decided."""

from typing import ClassVar

from fabricgen.core.provenance import Block, SharedBlock
from fabricgen.core.record import record
from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.overlay import Vrf
from fabricgen.model.fabric.vlans import Vlan
from fabricgen.model.settings.ports import NO_SETTINGS, PortSet


@record(kw_only=True)
class Loopback(Block):
    """The loopback; `tunnel` is the source of every VXLAN device of this switch.

    `devices`: name and VNI of each VXLAN device, created before ifupdown2 configures them.
    """

    addresses: tuple[str, ...]
    tunnel: str | None
    devices: tuple[tuple[str, int], ...]


@record(kw_only=True)
class Management(Block):
    """The management VRF and its port. `rules`: hosts that are looked up in its table."""

    vrf: str
    table: int
    port: str
    address: str
    gateway: str
    rules: tuple[tuple[int, str], ...]


@record(eq=False, kw_only=True)
class FrontPort(Block):
    """A port outside the bridge, a tagged share of a port, or a tunnel.

    `device`: the port or bond of a share, and the device below a tunnel.
    """

    name: str
    alias: str
    interface: Interface
    device: str = ""


@record(kw_only=True)
class BridgePort(Block):
    """A port of the bridge: one VLAN (`access`), or `tagged` ones with or without a native one."""

    name: str
    alias: str
    mtu: int
    access: int | None
    native: int | None
    tagged: tuple[int, ...]


@record(kw_only=True)
class Bond(BridgePort):
    """An LACP LAG in the bridge.

    `system`: its LACP system instead of its MAC, so that two leafs act as one. `settings`: those of
    its server's ports.
    """

    members: tuple[str, ...]
    system: str | None = None
    settings: PortSet = NO_SETTINGS


@record(eq=False, kw_only=True)
class UnusedPorts(SharedBlock):
    """The ports without a cable; the same on all leafs with the same free ports."""

    names: tuple[str, ...]
    mtu: int
    alias: str = "unused"


@record(kw_only=True)
class VrfDevice(Block):
    name: str
    table: int
    alias: str | None = None
    address: str | None = None


@record(eq=False)
class VrfDevices:
    shared: ClassVar[bool] = True
    vrfs: tuple[VrfDevice, ...]


@record(kw_only=True)
class Tunnel(Block):
    """The VXLAN device of one VNI. Only an L2VNI answers ARP itself."""

    name: str
    vni: int
    vlan: int
    suppress: str
    alias: str | None = None


@record(eq=False)
class Tunnels:
    """The VXLAN devices; their local address is only on the loopback."""

    shared: ClassVar[bool] = True
    mtu: int
    tunnels: tuple[Tunnel, ...]


@record(eq=False, kw_only=True)
class Gateways:
    """VLANs with a gateway on this leaf; `mac` is the MAC of every leaf, if shared."""

    shared: ClassVar[bool] = True
    mtu: int
    mac: str | None
    vlans: tuple[Vlan, ...]


@record(eq=False)
class Transits:
    shared: ClassVar[bool] = True
    mtu: int
    vrfs: tuple[Vrf, ...]


@record(kw_only=True)
class Ports:
    """Every port of the faceplate by purpose, and the LAGs."""

    routed: tuple[FrontPort, ...]
    tenants: tuple[FrontPort, ...]
    bridged: tuple[BridgePort, ...]
    members: tuple[FrontPort, ...]
    bonds: tuple[Bond, ...]
    shares: tuple[FrontPort, ...]
    tunnels: tuple[FrontPort, ...]
    unused: tuple[UnusedPorts, ...]


@record(eq=False, kw_only=True)
class Snooping(SharedBlock):
    """IPv4 snooping by VLAN. `asked`: VLANs and their tunnels. `flooded`: the others, in ranges."""

    bridge: str
    asked: tuple[tuple[int, str | None], ...]
    flooded: tuple[str, ...]


@record(kw_only=True)
class Vlans(Block):
    """The one VLAN-aware bridge of a switch, and the devices of its VNIs and VLANs.

    `anycast`: gateways that every leaf has. `rails`: those that this leaf has alone.
    """

    bridge: str
    mac: str
    mtu: int
    ports: tuple[str, ...]
    vlans: tuple[int, ...]
    snooping: Snooping | None
    tunnels: Tunnels | None
    anycast: Gateways | None
    rails: Gateways | None
    transits: Transits | None


@record(kw_only=True)
class Interfaces(Block):
    """The complete /etc/network/interfaces; a switch without VLANs has no bridge."""

    loopback: Loopback
    management: Management
    ports: Ports
    vrfs: VrfDevices | None
    vlans: Vlans | None
