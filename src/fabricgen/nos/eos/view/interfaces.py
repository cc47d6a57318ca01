"""What the templates of ports and of the switch's own interfaces may see."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from fabricgen.record import record

if TYPE_CHECKING:
    from fabricgen.fabric.because import Because
    from fabricgen.nos.eos.view.system import Vlan, Vrf


@record(eq=False, kw_only=True)
class Edge:
    """What a bridged port does for its server: one access VLAN, or a trunk; and a QoS profile."""

    shared: ClassVar[bool] = True
    access: int | None
    native: int | None
    trunk: str
    profile: str | None


@record(eq=False, kw_only=True)
class BridgedPort:
    """A port-channel (without a speed), a member of one (`bundle`), or a port of its own."""

    because: Because
    name: str
    description: str
    speed: str | None
    bundle: int | None
    edge: Edge | None


@record(eq=False, kw_only=True)
class RoutedPort:
    """A routed port. Without `address` it is link-local only; with `vrf` it leads outside."""

    because: Because
    name: str
    description: str
    mtu: int
    speed: str
    vrf: str | None
    family: str
    address: str | None
    profile: str | None


@record(eq=False, kw_only=True)
class IdlePort:
    """A port without a cable; one that shares a cage is told its speed, to keep the breakout."""

    because: Because
    name: str
    description: str
    speed: str | None


@record(eq=False)
class Ports:
    """The ports of the switch, by what they are for."""

    bridged: tuple[BridgedPort, ...]
    routed: tuple[RoutedPort, ...]
    idle: tuple[IdlePort, ...]


@record(eq=False)
class Loopback:
    """The address of a loopback interface."""

    because: Because
    address: str


@record(eq=False, kw_only=True)
class ManagementPort:
    """The out-of-band port."""

    because: Because
    hostname: str
    vrf: str
    address: str


@record(eq=False, kw_only=True)
class Gateway:
    """The interface of a VLAN; one without `vrf` is the gateway of a rail."""

    because: Because
    vlan: int
    description: str
    mtu: int
    vrf: str | None
    ipv6: bool
    address: str


@record(eq=False, kw_only=True)
class Tunnels:
    """Anycast gateways and the VXLAN interface, with the VNIs of VLANs and VRFs."""

    shared: ClassVar[bool] = True
    because: Because
    gateways: tuple[Gateway, ...]
    vlans: tuple[Vlan, ...]
    vrfs: tuple[Vrf, ...]


@record(eq=False, kw_only=True)
class Interfaces:
    """The interfaces that are no ports."""

    router_id: Loopback
    vtep: Loopback | None
    management: ManagementPort
    rails: tuple[Gateway, ...]
    tunnels: Tunnels | None
