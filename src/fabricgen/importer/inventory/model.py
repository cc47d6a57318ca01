"""Defines the records of an inventory: devices, cables, VLANs and addresses. `None` is unknown."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property

from fabricgen.core.diagnostics import Position
from fabricgen.core.record import record


@record(kw_only=True)
class Device:
    """A switch, a server or another device in a rack.

    Attributes:
        kind: Device type as written.
        model: Name in the catalog, or None.
        unit: Lowest rack unit.
        management: Management address without a length.
        loopback: Loopback address without a length.
        place: Place in the inventory.
        observed: Whether the device itself reported these facts.
    """

    name: str
    place: Position
    role: str | None = None
    kind: str | None = None
    model: str | None = None
    platform: str | None = None
    serial: str | None = None
    site: str | None = None
    rack: str | None = None
    unit: int | None = None
    management: str | None = None
    loopback: str | None = None
    asn: int | None = None
    observed: bool = False


@record()
class End:
    """A port of a device, as written in the inventory."""

    device: str
    port: str

    @property
    def key(self) -> tuple[str, str]:
        """The key of the port in lower case."""
        return self.device.lower(), self.port.lower()

    def __str__(self) -> str:
        """Return the port as device:port."""
        return f"{self.device}:{self.port}"


@record(kw_only=True)
class Cable:
    """A cable with its type as written, such as `smf-os2`, and its length in meters.

    The flag `heard` marks a cable that LLDP reported.
    """

    near: End
    far: End
    place: Position
    kind: str | None = None
    length: Decimal | None = None
    label: str | None = None
    status: str | None = None
    heard: bool = False


@record(kw_only=True)
class Vlan:
    """A VLAN. number: 1 to 4094."""

    number: int
    name: str
    place: Position
    vrf: str | None = None
    vni: int | None = None
    site: str | None = None


@record(kw_only=True)
class Address:
    """An address with its length.

    Attributes:
        end: Its port, or None.
        role: Role such as `loopback`.
        primary: Whether it is the management address of its device.
    """

    address: str
    place: Position
    end: End | None = None
    vrf: str | None = None
    role: str | None = None
    primary: bool = False


@record(kw_only=True)
class Prefix:
    """A subnet. vlan: its number."""

    prefix: str
    place: Position
    vrf: str | None = None
    vlan: int | None = None
    role: str | None = None
    site: str | None = None


@record(kw_only=True)
class Asn:
    """A reserved autonomous system number."""

    number: int
    place: Position
    description: str | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Inventory:
    """All facts of an inventory. Names are as written. Keys of tables are in lower case."""

    devices: tuple[Device, ...] = ()
    cables: tuple[Cable, ...] = ()
    vlans: tuple[Vlan, ...] = ()
    addresses: tuple[Address, ...] = ()
    prefixes: tuple[Prefix, ...] = ()
    asns: tuple[Asn, ...] = ()
    speeds: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Speeds that running switches report, by device and port."""

    @cached_property
    def named(self) -> Mapping[str, Device]:
        """Return the first device of each name in lower case."""
        return {each.name.lower(): each for each in reversed(self.devices)}

    @cached_property
    def plugged(self) -> Mapping[tuple[str, str], End]:
        """Return the far end by device and port in lower case."""
        return {
            near.key: far
            for each in reversed(self.cables)
            for near, far in ((each.near, each.far), (each.far, each.near))
        }


EMPTY = Inventory()
"""The inventory without facts."""
