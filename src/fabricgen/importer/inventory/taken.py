"""Rows of tables in; devices, cables, VLANs and addresses, out; what is wrong is said."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from fabricgen.importer.inventory.cells import Cells, Refused, interface, metres
from fabricgen.importer.inventory.kinds import (
    ADDRESSES,
    ASNS,
    CABLES,
    DEVICES,
    INTERFACES,
    PREFIXES,
    VLANS,
)
from fabricgen.importer.inventory.model import Address, Asn, Cable, Device, End, Prefix, Vlan
from fabricgen.importer.inventory.models import model_of

if TYPE_CHECKING:
    from fabricgen.importer.inventory.rows import Say, Table
    from fabricgen.model.catalog.catalog import Catalog

_INTERFACE = "dcim.interface"
"""What a cable of ours ends in; others are of power, consoles and circuits."""
_LARGEST_ASN = 2**32 - 1
Thing = Device | Cable | Vlan | Address | Prefix | Asn


def things(table: Table, catalog: Catalog, say: Say) -> Iterator[Thing]:
    """Yield what the rows of a table say; a row that is spoilt says nothing."""
    readers: dict[str, Callable[[Cells], Iterator[Thing]]] = {
        DEVICES.noun: lambda cells: _device(cells, catalog),
        CABLES.noun: _cables,
        INTERFACES.noun: _peers,
        ADDRESSES.noun: _address,
        PREFIXES.noun: _prefix,
        VLANS.noun: _vlan,
        ASNS.noun: _asn,
    }
    reader = readers[table.kind.noun]
    for row in table.rows:
        yield from reader(Cells(table.kind, row, say))


def _device(cells: Cells, catalog: Catalog) -> Iterator[Device]:
    name, kind = cells.name("name"), cells.text("kind")
    device = Device(
        name=name or "",
        place=cells.row.place,
        role=cells.text("role"),
        kind=kind,
        model=model_of(catalog, kind, cells.text("slug")),
        platform=cells.text("platform"),
        serial=cells.text("serial"),
        site=cells.text("site"),
        rack=cells.text("rack"),
        unit=cells.number("unit", 1, 100),
        management=cells.host("management"),
        loopback=cells.host("loopback"),
        asn=cells.number("asn", 1, _LARGEST_ASN),
    )
    if cells.whole:
        yield device


def _lower(text: str | None) -> str | None:
    """Return a word as REST and forms have it; tables have `Planned`."""
    return text.lower() if text else None


def _cables(cells: Cells) -> Iterator[Cable]:
    if {cells.raw("near_type")[1], cells.raw("far_type")[1]} - {"", _INTERFACE}:
        return
    unit = cells.text("unit")
    kind, status, label = cells.text("kind"), _lower(cells.text("status")), cells.text("label")
    length = cells.read("length", lambda text: metres(text, unit))
    for near, far in _ends(cells):
        yield Cable(
            near=near,
            far=far,
            place=cells.row.place,
            kind=kind,
            length=length,
            label=label,
            status=status,
        )


def _ends(cells: Cells) -> Iterator[tuple[End, End]]:
    """Yield both ends of a cable, where it has two."""
    near, far = _end(cells, "near"), _end(cells, "far")
    if cells.whole and near is not None and far is not None:
        yield near, far


def _end(cells: Cells, side: str) -> End | None:
    """Return one end: a device and a port. NetBox has cables with several ports at an end."""
    port = cells.text(f"{side}_port")
    if port and "," in port:
        what = f"several ports at one end, {port}: which is joined to which is not said"
        cells.spoil(what, cells.raw(f"{side}_port")[0])
        return None
    device = cells.name(f"{side}_device")
    return End(device, port) if device and port else None


def _peers(cells: Cells) -> Iterator[Cable]:
    """Read the cable of an interface, where it says who is behind it."""
    if cells.raw("far_port")[1]:
        place = cells.row.place
        yield from (Cable(near=near, far=far, place=place) for near, far in _ends(cells))


def _address(cells: Cells) -> Iterator[Address]:
    address = cells.read("address", lambda text: str(interface(text)))
    device, port = cells.text("device"), cells.text("interface")
    if cells.whole:
        yield Address(
            address=address or "",
            place=cells.row.place,
            end=End(device, port) if device and port else None,
            vrf=_vrf(cells),
            role=_lower(cells.text("role")),
            primary=(cells.text("primary") or "").lower() == "true",
        )


def _vrf(cells: Cells) -> str | None:
    """Return a VRF; a table says `Global` where there is none (VRF_LINK in ipam/tables/ip.py)."""
    vrf = cells.text("vrf")
    return None if vrf == "Global" else vrf


def _prefix(cells: Cells) -> Iterator[Prefix]:
    prefix = cells.read("prefix", _network)
    vlan = cells.read("vlan", _vlan_number)
    if cells.whole:
        yield Prefix(
            prefix=prefix or "",
            place=cells.row.place,
            vrf=_vrf(cells),
            vlan=vlan,
            role=cells.text("role"),
            site=cells.text("site"),
        )


def _network(text: str) -> str:
    """Read a subnet; a table has a dot before it for each that it is in."""
    try:
        return str(ipaddress.ip_network(text.lstrip("• ")))
    except ValueError:
        raise Refused(f"{text!r} is no subnet") from None


def _vlan_number(text: str) -> int:
    """Read the number of a VLAN; a table has `Web (100)` (VLAN.__str__ in ipam/models/vlans.py)."""
    match = re.fullmatch(r"(?:.*\()?([0-9]{1,4})\)?", text)
    number = int(match[1]) if match else 0
    if not 1 <= number <= 4094:
        raise Refused(f"{text!r} is no VLAN from 1 to 4094")
    return number


def _vlan(cells: Cells) -> Iterator[Vlan]:
    number, name = cells.read("number", _vlan_number), cells.text("name")
    vlan = Vlan(
        number=number or 0,
        name=name or "",
        place=cells.row.place,
        vrf=_vrf(cells),
        vni=cells.number("vni", 1, 2**24 - 1),
        site=cells.text("site"),
    )
    if cells.whole:
        yield vlan


def _asn(cells: Cells) -> Iterator[Asn]:
    number = cells.number("number", 1, _LARGEST_ASN)
    if cells.whole:
        text = cells.text("description")
        yield Asn(number=number or 0, place=cells.row.place, description=text)
