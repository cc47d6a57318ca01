"""Reads switches, servers and models from the rows of an inventory."""

import ipaddress
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from fabricgen.core.diagnostics import Code, Diagnostic, Severity, did_you_mean_model
from fabricgen.core.units import counted
from fabricgen.importer.inventory.cells import Cells, Refused, interface, meters
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
from fabricgen.importer.inventory.rows import Say, Table
from fabricgen.model.catalog.catalog import Catalog

# Most NetBox types are those of netbox-community/devicetype-library: `DCS-7060X6-64PE-F` with the
# slug `arista-dcs-7060x6-64pe-f` is the catalog's 7060X6-64PE.

_BESIDE = frozenset(("dcs", "f", "r", "ac", "dc", "o"))
"""Parts of part numbers besides the model: family of Arista, airflow, power, OSFP cages."""


@lru_cache(maxsize=1024)
def model_of(catalog: Catalog, *words: str | None) -> str | None:
    """Return the catalog's name of a device type or slug, or None."""
    for word in filter(None, words):
        said = _parts(word)
        for name in catalog.switch_names():
            model = catalog.switch(name)
            maker = set(_parts(model.vendor)) if model is not None else set()
            if _is(said, _parts(name), maker | {"mellanox"}):
                return name
    return None


def _parts(word: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", word.lower())


def _is(said: list[str], name: list[str], maker: set[str]) -> bool:
    """Check whether a type is a model: its parts in order, and only irrelevant other parts."""
    for first in range(len(said) - len(name) + 1):
        last = first + len(name)
        if said[first:last] == name:
            return set(said[:first] + said[last:]) <= _BESIDE | maker
    return False


def unknown_models(devices: Iterable[Device], catalog: Catalog) -> Iterator[Diagnostic]:
    """Report each device type that no catalog model matches, once."""
    sorts: dict[str, list[Device]] = {}
    for device in devices:
        if device.kind is not None and device.model is None:
            sorts.setdefault(device.kind, []).append(device)
    for kind, found in sorts.items():
        hint = did_you_mean_model(kind.upper().removeprefix("DCS-"), catalog.switch_names())
        yield Diagnostic(
            Code.INVENTORY_MODEL,
            f"device type {kind!r} is not in the catalog "
            f"({counted(len(found), 'device')}, first {found[0].name})",
            severity=Severity.WARNING,
            position=found[0].place,
            hint=f"{hint} `fabricgen catalog` lists all models; a site can add models in catalog/",
        )


_INTERFACE = "dcim.interface"
"""Ends of network cables. Other cables are for power, consoles and circuits."""
_LARGEST_ASN = 2**32 - 1
Thing = Device | Cable | Vlan | Address | Prefix | Asn


def things(table: Table, catalog: Catalog, say: Say) -> Iterator[Thing]:
    """Yield the objects of a table. An invalid row yields nothing."""
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
    """Return a word as in REST and forms. Tables have `Planned`."""
    return text.lower() if text else None


def _cables(cells: Cells) -> Iterator[Cable]:
    if {cells.raw("near_type")[1], cells.raw("far_type")[1]} - {"", _INTERFACE}:
        return
    unit = cells.text("unit")
    kind, status, label = cells.text("kind"), _lower(cells.text("status")), cells.text("label")
    length = cells.read("length", lambda text: meters(text, unit))
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
    """Yield both ends of a complete cable."""
    near, far = _end(cells, "near"), _end(cells, "far")
    if cells.whole and near is not None and far is not None:
        yield near, far


def _end(cells: Cells, side: str) -> End | None:
    """Return one end: a device and a port. NetBox has cables with several ports at an end."""
    port = cells.text(f"{side}_port")
    if port and "," in port:
        what = f"a cable end with several ports ({port}) is not supported"
        cells.spoil(what, cells.raw(f"{side}_port")[0])
        return None
    device = cells.name(f"{side}_device")
    return End(device, port) if device and port else None


def _peers(cells: Cells) -> Iterator[Cable]:
    """Read the cable of an interface with a neighbor."""
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
    """Return a VRF. A table has `Global` for none (VRF_LINK in ipam/tables/ip.py)."""
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
    """Parse a subnet. A table has a dot per parent before it."""
    try:
        return str(ipaddress.ip_network(text.lstrip("• ")))
    except ValueError:
        raise Refused(f"{text!r} is not a subnet") from None


def _vlan_number(text: str) -> int:
    """Parse a VLAN number. A table has `Web (100)` (VLAN.__str__ in ipam/models/vlans.py)."""
    match = re.fullmatch(r"(?:.*\()?([0-9]{1,4})\)?", text)
    number = int(match[1]) if match else 0
    if not 1 <= number <= 4094:
        raise Refused(f"{text!r} is not a VLAN from 1 to 4094")
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
