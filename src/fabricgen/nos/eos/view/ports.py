"""What the templates of interfaces may see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabricgen.fabric.because import Because


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class RoutedPort:
    """A routed port; `address` is the whole address line."""

    because: Because
    name: str
    description: str
    mtu: int
    speed: str
    address: str
    profile: str


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class ExternalPort:
    """A routed port of a VRF, to a router outside."""

    because: Because
    name: str
    description: str
    mtu: int
    speed: str
    vrf: str
    address: str


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class EdgePort:
    """A bridged port to a server; `carried` are the VLAN lines, one text for all ports alike."""

    because: Because
    name: str
    description: str
    speed: str
    carried: str
    profile: str


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class MemberPort:
    """A port that belongs to a bundle."""

    because: Because
    name: str
    description: str
    speed: str
    bundle: int


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Bundle:
    """A port-channel to one server."""

    because: Because
    number: int
    description: str
    carried: str


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class IdlePort:
    """A port without a cable; one that shares a cage is told its speed, to keep the breakout."""

    because: Because
    name: str
    description: str
    speed: str | None


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Loopback:
    """A loopback interface."""

    because: Because
    name: str
    description: str
    address: str


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class ManagementPort:
    """The out-of-band port."""

    because: Because
    description: str
    vrf: str
    address: str


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Ports:
    """All interfaces of the switch, by what they are for."""

    bundles: tuple[Bundle, ...]
    members: tuple[MemberPort, ...]
    edge: tuple[EdgePort, ...]
    routed: tuple[RoutedPort, ...]
    external: tuple[ExternalPort, ...]
    idle: tuple[IdlePort, ...]
    loopbacks: tuple[Loopback, ...]
    management: ManagementPort
