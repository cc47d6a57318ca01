"""Defines the views of the templates of /etc/network/interfaces, with every name decided."""

from typing import ClassVar

from fabricgen.core.because import Block, SharedBlock
from fabricgen.core.record import record


@record(kw_only=True)
class Loopback(Block):
    """The loopback; `tunnel` is where every VXLAN device of this switch starts.

    devices: name and VNI of each of them, made before ifupdown2 configures them.
    """

    addresses: tuple[str, ...]
    tunnel: str | None
    devices: tuple[tuple[str, int], ...]


@record(kw_only=True)
class Management(Block):
    """The management VRF and the port in it. `rules`: hosts that are looked up in its table."""

    vrf: str
    table: int
    port: str
    address: str
    gateway: str
    rules: tuple[tuple[int, str], ...]


@record(kw_only=True)
class RoutedPort(Block):
    """A port outside the bridge; without `address` it has its link-local one only."""

    name: str
    alias: str
    mtu: int
    address: str | None
    shut: bool


@record(kw_only=True)
class BridgePort(Block):
    """A port of the bridge: one VLAN (`access`), or `tagged` ones with a native one or without."""

    name: str
    alias: str
    mtu: int
    access: int | None
    native: int | None
    tagged: tuple[int, ...]


@record(kw_only=True)
class Bond(Block):
    """An LACP bundle in the bridge; its VLANs as those of a port.

    system: the LACP system that it names instead of its own MAC, so that two leafs are one.
    """

    name: str
    alias: str
    mtu: int
    members: tuple[str, ...]
    access: int | None
    native: int | None
    tagged: tuple[int, ...]
    system: str | None = None


@record(eq=False, kw_only=True)
class UnusedPorts(SharedBlock):
    """The ports without a cable; the same on all leafs that leave the same ports free."""

    names: tuple[str, ...]
    mtu: int
    alias: str = "unused"


@record(kw_only=True)
class VrfDevice(Block):
    """A VRF and its routing table."""

    name: str
    table: int
    alias: str | None = None
    address: str | None = None


@record(eq=False)
class VrfDevices:
    """The tenants' VRFs."""

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
    """The VXLAN devices; their local address stands once, on the loopback."""

    shared: ClassVar[bool] = True
    mtu: int
    tunnels: tuple[Tunnel, ...]


@record(kw_only=True)
class Gateway(Block):
    """The routed interface of a VLAN; a rail's gateway stands in no VRF."""

    name: str
    vlan: int
    vrf: str | None
    addresses: tuple[str, ...]
    addrgen: str
    alias: str | None = None


@record(eq=False, kw_only=True)
class Gateways:
    """The gateways of this leaf on `bridge`; `mac` is the one of every leaf, if they share it."""

    shared: ClassVar[bool] = True
    bridge: str
    mtu: int
    mac: str | None
    gateways: tuple[Gateway, ...]


@record(kw_only=True)
class Transit(Block):
    """The interface that an L3VNI comes in on."""

    name: str
    vlan: int
    vrf: str


@record(eq=False)
class Transits:
    """The transit interfaces of the VRFs, on `bridge`."""

    shared: ClassVar[bool] = True
    bridge: str
    mtu: int
    transits: tuple[Transit, ...]


@record(kw_only=True)
class TenantPort(Block):
    """A port in a tenant's VRF: to a NIC on rails, or to a router outside.

    tag, device: it is a share of that port or bond, for frames with this VLAN.
    """

    name: str
    alias: str
    mtu: int
    addresses: tuple[str, ...]
    vrf: str
    tag: int | None = None
    device: str = ""


@record(kw_only=True)
class Gre(Block):
    """A tunnel: what it is as a port, its key, both ends, and the device below it."""

    port: TenantPort
    key: int
    local: str
    remote: str
    below: str


@record(kw_only=True)
class Ports:
    """Every port of the faceplate, by what it is for, and the bundles."""

    routed: tuple[RoutedPort, ...]
    tenants: tuple[TenantPort, ...]
    bridged: tuple[BridgePort, ...]
    members: tuple[RoutedPort, ...]
    bonds: tuple[Bond, ...]
    shares: tuple[TenantPort, ...]
    tunnels: tuple[Gre, ...]
    unused: tuple[UnusedPorts, ...]


@record(eq=False, kw_only=True)
class Snooping(SharedBlock):
    """Groups of IPv4 by VLAN. asked: VLANs and their tunnels; flooded: the others, in ranges."""

    bridge: str
    asked: tuple[tuple[int, str | None], ...]
    flooded: tuple[str, ...]


@record(kw_only=True)
class Vlans(Block):
    """The one VLAN-aware bridge of a switch, and the devices of its VNIs and VLANs.

    anycast: gateways that every leaf has; rails: those that this leaf has alone.
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
    """All of /etc/network/interfaces; a switch without VLANs has no bridge."""

    loopback: Loopback
    management: Management
    ports: Ports
    vrfs: VrfDevices | None
    vlans: Vlans | None
