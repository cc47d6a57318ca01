"""Joins the inventory files to one inventory and reports contradictions."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import TypeVar

from fabricgen.core.diagnostics import Code, Diagnostic, Position, Severity, did_you_mean, shortened
from fabricgen.importer.inventory.model import (
    Address,
    Asn,
    Cable,
    Device,
    End,
    Inventory,
    Prefix,
    Vlan,
)

_LOOPBACK = re.compile(r"lo(?:opback)?0?", re.IGNORECASE)
T = TypeVar("T")


Aliases = Mapping[tuple[str, str], str]
"""Names of ports in configurations, by switch and alias in lower case."""


def joined(
    said: Sequence[object], aliases: Aliases | None = None
) -> tuple[Inventory, tuple[Diagnostic, ...]]:
    """Merge the inventory files. Of contradictions, one entry is used and all are reported."""
    devices, twice = _once(_of(Device, said))
    names = _names(devices, said)
    known = (_known(each, names) for each in _of(Cable, said))
    cables, clashes = _cabled([_unaliased(each, aliases or {}) for each in known])
    addresses, prefixes = _of(Address, said), _of(Prefix, said)
    inventory = Inventory(
        devices=tuple(_addressed(devices, addresses)),
        cables=tuple(cables),
        vlans=tuple(_with_vrfs(_of(Vlan, said), prefixes)),
        addresses=tuple(addresses),
        prefixes=tuple(prefixes),
        asns=tuple(_of(Asn, said)),
    )
    lost = _strangers(inventory)
    return inventory, (
        *shortened(twice, "duplicate devices"),
        *shortened(clashes, "contradicting cables"),
        *shortened(lost, "unlisted devices"),
    )


def _of(kind: type[T], said: Sequence[object]) -> list[T]:
    return [each for each in said if isinstance(each, kind)]


def _disagree(
    what: str, place: Position, severity: Severity = Severity.ERROR, hint: str = ""
) -> Diagnostic:
    code = Code.INVENTORY_DISAGREES
    return Diagnostic(code, what, severity=severity, position=place, hint=hint)


def _once(devices: Sequence[Device]) -> tuple[list[Device], list[Diagnostic]]:
    """Return the first of two devices with one name. A device itself has precedence."""
    first: dict[str, Device] = {}
    findings: list[Diagnostic] = []
    for each in sorted(devices, key=lambda device: device.observed):
        known = first.setdefault(each.name.lower(), each)
        if known is not each and each.observed:
            first[each.name.lower()] = _reported(known, each)
            findings += _contradictions(known, each)
        elif known is not each:
            message = f"{each.name} is already listed at {known.place}: this row is ignored"
            findings.append(_disagree(message, each.place))
    return list(first.values()), findings


_REPORTED = ("model", "serial")
"""Facts that a running switch reports about itself."""


def _reported(known: Device, seen: Device) -> Device:
    """Return a device of a list with the facts that the device itself reports."""
    own = {name: getattr(seen, name) for name in (*_REPORTED, "kind") if getattr(seen, name)}
    return _copy(known, **own)


def _contradictions(known: Device, seen: Device) -> Iterator[Diagnostic]:
    for name in _REPORTED:
        one, other = getattr(known, name), getattr(seen, name)
        if one and other and one != other:
            message = f"{seen.name} has {name} {one} here, but the switch reports {other}"
            yield _disagree(message, known.place, Severity.WARNING)


def _names(devices: Iterable[Device], said: Sequence[object]) -> frozenset[str]:
    """Return all names of devices in lower case."""
    heard = (each.near.device for each in _of(Cable, said) if each.heard)
    return frozenset(name.lower() for name in (*(each.name for each in devices), *heard))


def _known(cable: Cable, names: frozenset[str]) -> Cable:
    """Return an LLDP cable with the far end's name in other files.

    EOS adds its DNS domain to its name.
    """
    name = cable.far.device
    short = name.partition(".")[0]
    if not cable.heard or name.lower() in names or short.lower() not in names:
        return cable
    return _copy(cable, far=End(short, cable.far.port))


def _unaliased(cable: Cable, aliases: Aliases) -> Cable:
    """Return a cable with names of ports instead of the aliases of SONiC's LLDP."""
    ends = (End(end.device, aliases.get(end.key, end.port)) for end in (cable.near, cable.far))
    near, far = ends
    return cable if (near, far) == (cable.near, cable.far) else _copy(cable, near=near, far=far)


def _copy(thing: T, **changes: object) -> T:
    values = {each.name: getattr(thing, each.name) for each in fields(thing)}  # type: ignore[arg-type]
    return type(thing)(**values | changes)


def _cabled(cables: Sequence[Cable]) -> tuple[list[Cable], list[Diagnostic]]:
    """Return each cable once, and one cable per port. LLDP has precedence."""
    ports: dict[tuple[str, str], Cable] = {}
    taken: dict[frozenset[tuple[str, str]], Cable] = {}
    findings = []
    for each in sorted(cables, key=lambda cable: not cable.heard):
        ends = frozenset((each.near.key, each.far.key))
        if ends in taken:
            taken[ends] = _fuller(taken[ends], each)
            continue
        clash = _clash(each, ports)
        if clash is not None:
            findings.append(clash)
            continue
        taken[ends] = each
        ports |= dict.fromkeys(ends, each)
    return list(taken.values()), findings


def _fuller(one: Cable, other: Cable) -> Cable:
    """Return a cable with the additional facts of another report."""
    more = {
        name: getattr(other, name)
        for name in ("kind", "length", "label", "status")
        if getattr(one, name) is None
    }
    return _copy(one, **more) if any(value is not None for value in more.values()) else one


def _clash(cable: Cable, ports: dict[tuple[str, str], Cable]) -> Diagnostic | None:
    """Return why a cable contradicts the accepted ones."""
    if cable.near.key == cable.far.key:
        return _disagree(f"a cable has both ends in {cable.near}", cable.place)
    for end in (cable.near, cable.far):
        other = ports.get(end.key)
        if other is not None and other.heard and not cable.heard:
            lldp = f"LLDP reports {other.near} to {other.far}"
            message = f"cable {cable.near} to {cable.far} is ignored: {lldp}"
            return _disagree(message, cable.place, Severity.WARNING)
        if other is not None:
            message = f"{end} already has a cable to {_across(other, end)} at {other.place}"
            return _disagree(message, cable.place)
    return None


def _across(cable: Cable, end: End) -> End:
    return cable.far if cable.near.key == end.key else cable.near


def _strangers(inventory: Inventory) -> list[Diagnostic]:
    """Yield findings for devices with cables that no device list has."""
    names = {each.name: each for each in inventory.devices if not each.observed}
    if not names:
        return []
    strange: dict[str, Cable] = {}
    for each in inventory.cables:
        for end in (each.near, each.far):
            if end.device.lower() not in inventory.named:
                strange.setdefault(end.device.lower(), each)
    return [
        _disagree(
            f"{name} has a cable but is not listed as a device",
            cable.place,
            Severity.WARNING,
            did_you_mean(name, names, most=0),
        )
        for name, cable in strange.items()
    ]


def _addressed(devices: Iterable[Device], addresses: Iterable[Address]) -> Iterator[Device]:
    """Yield devices with their loopback and management addresses.

    NetBox's primary address of a device is often its loopback, and the only address.
    """
    loopbacks: dict[str, list[str]] = defaultdict(list)
    primary: dict[str, list[str]] = defaultdict(list)
    for each in addresses:
        if each.end is not None:
            name, host = each.end.device.lower(), each.address.partition("/")[0]
            if each.vrf is None and _LOOPBACK.fullmatch(each.end.port):
                loopbacks[name].append(host)
            elif each.primary:
                primary[name].append(host)
    for device in devices:
        own = loopbacks.get(device.name.lower(), [])
        said = (device.management, *primary.get(device.name.lower(), ()))
        management = next((host for host in said if host and host not in own), None)
        loopback = device.loopback or next(iter(own), None)
        if (management, loopback) == (device.management, device.loopback):
            yield device
        else:
            yield _copy(device, loopback=loopback, management=management)


def _with_vrfs(vlans: Iterable[Vlan], prefixes: Iterable[Prefix]) -> Iterator[Vlan]:
    """Yield VLANs with the VRF of their subnets, as in NetBox, if all subnets agree."""
    vrfs: dict[int, set[str | None]] = defaultdict(set)
    for each in prefixes:
        if each.vlan is not None:
            vrfs[each.vlan].add(each.vrf)
    for vlan in vlans:
        there = vrfs.get(vlan.number, set())
        vrf = vlan.vrf or (next(iter(there)) if len(there) == 1 else None)
        yield vlan if vrf == vlan.vrf else _copy(vlan, vrf=vrf)
