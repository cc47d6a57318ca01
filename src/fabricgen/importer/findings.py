"""Reports assumptions, gaps and contradictions of an imported intent."""

from collections.abc import Iterator

from fabricgen.compile.design.slices import Slicer
from fabricgen.core.diagnostics import Code, Diagnostic, Position, Severity, shortened
from fabricgen.core.tree.facts import TRUE
from fabricgen.core.units import counted, natural
from fabricgen.importer.beside import Beside, fabrics
from fabricgen.importer.inventory.model import EMPTY, Cable, Device, End, Inventory
from fabricgen.importer.management import UNNAMED
from fabricgen.importer.models import ports
from fabricgen.importer.plugs import described
from fabricgen.importer.structure import UNKNOWN
from fabricgen.importer.tree import Tree, at
from fabricgen.importer.written import Notes
from fabricgen.model.fabric.interface import Use
from fabricgen.nos.lowering import spell
from fabricgen.nos.registry import nos
from fabricgen.prove.foreign.network import Network
from fabricgen.prove.foreign.switch import Judged

UNSTATED = "not in the given files"


def notes(tree: Tree) -> Notes:
    """Return comments for required keys whose values were unknown."""
    values = {("site", "name"): UNNAMED, ("site", "management", "subnet"): UNKNOWN}
    return {path: UNSTATED for path, value in values.items() if at(tree, *path) == value}


def assumed(network: Network, tree: Tree, stock: Inventory = EMPTY) -> list[Diagnostic]:
    """Yield findings for values that no file has: the management subnet and port speeds.

    `stock` has the speeds that running switches report.
    """
    findings = []
    if at(tree, "site", "management", "subnet") == UNKNOWN:
        message = f"no switch has a management address: site.management.subnet is set to {UNKNOWN}"
        findings.append(_finding(message, network.switches[0]))
    found = [port for fabric in fabrics(network, tree) for port in _unsaid(fabric, stock)]
    if found:
        switch, name, speed = found[0]
        more = f" and {counted(len(found) - 1, 'other port')}" if found[1:] else ""
        message = f"speed of `{name}` of {switch.name}{more} unknown: using {speed}"
        findings.append(_finding(message, switch))
    return findings


def _finding(what: str, switch: Judged) -> Diagnostic:
    return Diagnostic(
        Code.ADOPT_ASSUMED,
        what,
        hint="correct the value in the intent if it is wrong",
        position=switch.top,
        severity=Severity.WARNING,
    )


def _unsaid(fabric: Beside, stock: Inventory) -> Iterator[tuple[Judged, str, str]]:
    """Yield used ports whose cages support several speeds, with the chosen speed."""
    for switch_slice, read in fabric.pieces():
        known = ports(switch_slice.switch.model.name, switch_slice.switch.platform)
        for item in switch_slice.interfaces:
            name = spell(switch_slice.switch, item.port)
            own = read.own(("interface", name))
            seen = (read.name.lower(), name.lower()) in stock.speeds
            may = {mode.speed for mode in known.get(name, ()) if mode.subs == item.port.subs}
            said = own.get("speed") or seen
            if item.use is not Use.UNUSED and own and not said and len(may) > 1:
                yield read, name, str(item.port.speed)


_USED = ("address", "link-local", "bundle", "mode", "untagged", "vlans")
_HINT = (
    "add interface descriptions, LLDP of servers or an inventory with cables; for a switch, add "
    "its configuration"
)


def unsaid(network: Network, tree: Tree) -> list[Diagnostic]:
    """Yield findings for used ports without keys, because their neighbors are unknown."""
    found = [port for fabric in fabrics(network, tree) for port in _ports(fabric)]
    if not found:
        return []
    switch, name = found[0]
    more = f" and {counted(len(found) - 1, 'other port')}" if found[1:] else ""
    return [
        Diagnostic(
            Code.ADOPT_UNSAID,
            f"unknown neighbor of used port `{name}` of {switch.name}{more}: the intent omits it",
            hint=_HINT,
            position=switch.top,
            severity=Severity.WARNING,
        )
    ]


def _ports(fabric: Beside) -> Iterator[tuple[Judged, str]]:
    slicer = Slicer(fabric.fabric)
    for switch, read in fabric.switches:
        interfaces = slicer.slice(switch).interfaces
        known = {spell(switch, port.port) for port in interfaces if port.use is not Use.UNUSED}
        for name in natural(ports(switch.model.name, switch.platform).keys() - known):
            own = read.own(("interface", name))
            if own.get("shut") != TRUE and any(own.get(word) for word in _USED):
                yield read, name


def contradicted(network: Network, stock: Inventory) -> list[Diagnostic]:
    """Compare cables, ASNs and addresses of switches with configurations."""
    numbers = [
        _said(f"{device.name}: {what}", device.place)
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
        yield f"ASN {device.asn} differs from ASN {switch.asn} of its configuration"
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
        yield f"its configuration does not have the {what} {address}"


def _elsewhere(network: Network, cable: Cable) -> str:
    """Return the place of a cable in the configurations. Empty if it agrees or is unknown."""
    for end, far in ((cable.near, cable.far), (cable.far, cable.near)):
        switch = network.named.get(end.device.lower())
        names = switch.tables.ports if switch is not None else ()
        port = next((name for name in names if name.lower() == end.port.lower()), None)
        if switch is None or port is None:
            continue
        there = network.links.get((switch, port))
        if there is not None and (there[0].name.lower(), there[1].lower()) != far.key:
            return f"in the configurations, {end} leads to {there[0].name}:{there[1]}"
        told = described(switch, port) if cable.heard else None
        if told is not None and not _is_same(told, far):
            return f"the description of {end} names {told[0]}:{told[1]}"
    return ""


def _is_same(told: tuple[str, str], far: End) -> bool:
    """Compare a description with LLDP. A server may send another name of its port, or its MAC."""
    name, seen = told[0].lower(), far.device.lower()
    return name in (seen, seen.partition(".")[0])
