"""What the templates of VLANs, VRFs, gateways and VXLAN may see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from fabricgen.fabric.because import Because
    from fabricgen.nos.eos.view.external import ExternalNeighbor


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class VlanName:
    """A VLAN and its name."""

    because: Because
    id: int
    name: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Vlans:
    """The VLANs of the switch."""

    shared: ClassVar[bool] = True
    vlans: tuple[VlanName, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Vrfs:
    """The VRF names, the management VRF among them; `routed` are those of tenants."""

    shared: ClassVar[bool] = True
    because: Because
    names: tuple[str, ...]
    management: str
    routing: str
    routed: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class IPv6:
    """The `ipv6 unicast-routing` lines: the whole switch, or one VRF each."""

    shared: ClassVar[bool] = True
    because: Because
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Gateway:
    """The interface of a VLAN; `address` is the whole address line."""

    because: Because
    vlan: int
    description: str
    mtu: int
    vrf: str
    address: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Gateways:
    """The anycast gateways: the same addresses and MAC on every leaf with these VLANs."""

    shared: ClassVar[bool] = True
    gateways: tuple[Gateway, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AnycastMac:
    """The MAC address of all anycast gateways."""

    shared: ClassVar[bool] = True
    because: Because
    mac: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Vxlan:
    """The VXLAN tunnel interface; the lines map VLANs and VRFs to VNIs."""

    shared: ClassVar[bool] = True
    because: Because
    source: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class MacVrf:
    """A VLAN in BGP."""

    because: Because
    vlan: int
    distinguisher: str
    target: str


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class IpVrf:
    """A VRF in BGP, with its neighbours outside."""

    because: Because
    name: str
    distinguisher: str
    target: str
    router_id: str
    external: tuple[ExternalNeighbor, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
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
