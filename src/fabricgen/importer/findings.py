"""Reports assumptions, gaps and contradictions of an imported intent."""

from collections.abc import Iterator

from fabricgen.compile.design.slices import Slicer
from fabricgen.core.diagnostics import Code, Diagnostic, Position, Severity, shortened
from fabricgen.core.tree.facts import TRUE
from fabricgen.core.units import counted, natural
from fabricgen.importer.beside import Beside, fabrics
from fabricgen.importer.inventory.model import Cable, Device, Inventory
from fabricgen.importer.management import UNNAMED
from fabricgen.importer.models import ports
from fabricgen.importer.structure import UNKNOWN
from fabricgen.importer.tree import Tree, at
from fabricgen.importer.written import Notes
from fabricgen.model.fabric.interface import Use
from fabricgen.nos.lowering import spell
from fabricgen.nos.registry import nos
from fabricgen.prove.foreign.network import Network
from fabricgen.prove.foreign.switch import Judged

NOBODY = "nobody says it"


def notes(tree: Tree) -> Notes:
    """Return comments for what an intent must have, and nobody says."""
    values = {("site", "name"): UNNAMED, ("site", "management", "subnet"): UNKNOWN}
    return {path: NOBODY for path, value in values.items() if at(tree, *path) == value}


def assumed(network: Network, tree: Tree) -> list[Diagnostic]:
    """Say what of an intent stands in no file: its management subnet, and how fast ports are."""
    findings = []
    if at(tree, "site", "management", "subnet") == UNKNOWN:
        what = f"no switch has a management address: {UNKNOWN} stands in site.management.subnet"
        findings.append(_finding(f"{what}, since an intent must have one", network.switches[0]))
    found = [each for beside in fabrics(network, tree) for each in _unsaid(beside)]
    if found:
        switch, name, speed = found[0]
        more = f" and {counted(len(found) - 1, 'other port')}" if found[1:] else ""
        what = f"no file says how fast `{name}` of {switch.name}{more} run"
        findings.append(_finding(f"{what}: of the speeds of their cages {speed} is taken", switch))
    return findings


def _finding(what: str, switch: Judged) -> Diagnostic:
    return Diagnostic(
        Code.ADOPT_ASSUMED,
        what,
        hint="change it in the intent where it is otherwise",
        position=switch.top,
        severity=Severity.WARNING,
    )


def _unsaid(beside: Beside) -> Iterator[tuple[Judged, str, str]]:
    """Yield the ports in use whose cages may be split so at several speeds, with the one taken."""
    for switch_slice, read in beside.pieces():
        known = ports(switch_slice.switch.model.name, switch_slice.switch.platform)
        for item in switch_slice.interfaces:
            name = spell(switch_slice.switch, item.port)
            own = read.own(("interface", name))
            may = {each.speed for each in known.get(name, ()) if each.subs == item.port.subs}
            if item.use is not Use.UNUSED and own and not own.get("speed") and len(may) > 1:
                yield read, name, str(item.port.speed)


_USED = ("address", "link-local", "bundle", "mode", "untagged", "vlans")
_HINT = (
    "say it by texts on ports, by LLDP of servers, or by an inventory with cables; "
    "of a switch that is there, its configuration"
)


def unsaid(network: Network, tree: Tree) -> list[Diagnostic]:
    """Say how many ports do something that no key says, since nobody says what is behind them."""
    found = [port for beside in fabrics(network, tree) for port in _ports(beside)]
    if not found:
        return []
    switch, name = found[0]
    more = f" and {counted(len(found) - 1, 'other port')}" if found[1:] else ""
    what = f"nobody says what is behind `{name}` of {switch.name}{more} in use"
    return [
        Diagnostic(
            Code.ADOPT_UNSAID,
            f"{what}: the intent has nothing there",
            hint=_HINT,
            position=switch.top,
            severity=Severity.WARNING,
        )
    ]


def _ports(beside: Beside) -> Iterator[tuple[Judged, str]]:
    slicer = Slicer(beside.fabric)
    for switch, read in beside.switches:
        interfaces = slicer.slice(switch).interfaces
        known = {spell(switch, port.port) for port in interfaces if port.use is not Use.UNUSED}
        for name in natural(ports(switch.model.name, switch.platform).keys() - known):
            own = read.own(("interface", name))
            if own.get("shut") != TRUE and any(own.get(each) for each in _USED):
                yield read, name


# Configurations are what runs; whoever keeps the inventory wants to know.


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
