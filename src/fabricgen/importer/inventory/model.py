"""Defines the records of an inventory: devices, cables, VLANs and addresses; `None` is unknown."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from fabricgen.core.diagnostics import Position
from fabricgen.core.record import record


@record(kw_only=True)
class Device:
    """A switch, a server, or whatever else stands in a rack.

    kind: the device type as it is written; model: as the catalog calls it, None when it has none.
    unit: the lowest rack unit. management, loopback: addresses without a length. place: where it is
    written.
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


@record()
class End:
    """A port of a device, as the inventory spells both."""

    device: str
    port: str

    @property
    def key(self) -> tuple[str, str]:
        """What it is found by: case does not count."""
        return self.device.lower(), self.port.lower()

    def __str__(self) -> str:
        """Return it as people say it."""
        return f"{self.device}:{self.port}"


@record(kw_only=True)
class Cable:
    """A cable. kind: its type as it is written, such as `smf-os2`; length: meters.

    heard: a neighbor told it (LLDP); otherwise somebody wrote it.
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
    """An address with its length. end: None where it is on no port. role: such as `loopback`.

    primary: it is the one by which its device is managed.
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
    """An autonomous system number that somebody has reserved."""

    number: int
    place: Position
    description: str | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Inventory:
    """All that is said. Names are as they are written; the tables by name have lower case."""

    devices: tuple[Device, ...] = ()
    cables: tuple[Cable, ...] = ()
    vlans: tuple[Vlan, ...] = ()
    addresses: tuple[Address, ...] = ()
    prefixes: tuple[Prefix, ...] = ()
    asns: tuple[Asn, ...] = ()

    @cached_property
    def named(self) -> Mapping[str, Device]:
        """The devices by name, in lower case; of two with one name the first."""
        return {each.name.lower(): each for each in reversed(self.devices)}

    @cached_property
    def plugged(self) -> Mapping[tuple[str, str], End]:
        """The far end by device and port, both in lower case."""
        return {
            near.key: far
            for each in reversed(self.cables)
            for near, far in ((each.near, each.far), (each.far, each.near))
        }


EMPTY = Inventory()
"""That of who has none."""
