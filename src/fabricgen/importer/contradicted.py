"""A network and its inventory in; what the inventory says otherwise than configurations, out.

Configurations are what runs; whoever keeps the inventory wants to know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.core.diagnostics import Code, Diagnostic, Position, Severity, shortened
from fabricgen.nos.registry import nos

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabricgen.importer.inventory.model import Cable, Device, Inventory
    from fabricgen.prove.foreign.network import Network
    from fabricgen.prove.foreign.switch import Judged


def contradicted(network: Network, stock: Inventory) -> list[Diagnostic]:
    """Compare cables, ASNs and addresses of switches whose files are there."""
    numbers = [
        _said(f"{device.name} has {what}", device.place)
        for device in stock.devices
        if (switch := network.named.get(device.name.lower())) is not None
        for what in _numbers(device, switch)
    ]
    cables = [
        _said(f"{cable.near} to {cable.far}: {what}", cable.place)
        for cable in stock.cables
        if (what := _elsewhere(network, cable))
    ]
    return [*shortened(numbers, "numbers of this kind"), *shortened(cables, "cables of this kind")]


def _said(what: str, place: Position) -> Diagnostic:
    code = Code.INVENTORY_DISAGREES
    return Diagnostic(code, what, severity=Severity.WARNING, position=place)


def _numbers(device: Device, switch: Judged) -> Iterator[str]:
    if device.asn is not None and switch.asn not in (None, device.asn):
        yield f"the ASN {device.asn} here, and {switch.asn} in its configuration"
    ports = switch.tables.ports
    held = {str(own.ip) for port in ports.values() for own in port.addresses}
    names = nos(switch.platform).names
    managed = ports.get(names.management) if names is not None else None
    if device.management and managed is not None and managed.addresses:
        yield from _absent("management address", device.management, held)
    if device.loopback and held:
        yield from _absent("loopback", device.loopback, held)


def _absent(what: str, address: str, held: set[str]) -> Iterator[str]:
    if address not in held:
        yield f"the {what} {address} here, which its configuration has not"


def _elsewhere(network: Network, cable: Cable) -> str:
    """Say where a cable is by the configurations; nothing where it is so, or they do not say."""
    for end, far in ((cable.near, cable.far), (cable.far, cable.near)):
        switch = network.named.get(end.device.lower())
        names = switch.tables.ports if switch is not None else ()
        port = next((name for name in names if name.lower() == end.port.lower()), None)
        if switch is None or port is None:
            continue
        there = network.links.get((switch, port))
        if there is not None and (there[0].name.lower(), there[1].lower()) != far.key:
            return f"configurations say {end} to {there[0].name}:{there[1]}"
    return ""
