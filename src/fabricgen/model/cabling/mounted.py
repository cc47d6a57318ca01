"""Places the panels and cable managers of each rack in rack units."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from fabricgen.core.record import record
from fabricgen.model.cabling.cables import Cable
from fabricgen.model.cabling.parts import MANAGER, PANEL
from fabricgen.model.cabling.patched import Joint, Patching, Side
from fabricgen.model.fabric.floor import KEPT, Floor, Rack, Stand


@record(kw_only=True)
class Mounted:
    """A panel or a cable manager. `unit`: its lowest unit. `units`: its height.

    `fabric`: the fabric of its first port or cable.
    """

    name: str
    kind: str
    unit: int
    units: int
    fabric: str


def held_by(floor: Floor, there: Mapping[str, Sequence[Mounted]]) -> Mapping[str, Sequence[Stand]]:
    """Return the contents of each rack, with its panels in the reserved units."""
    held: dict[str, list[Stand]] = {rack.name: [] for rack in floor.racks}
    for stand in floor.stands.values():
        if stand.kind != KEPT or not there[stand.rack.name]:
            held[stand.rack.name].append(stand)
            continue
        rack, rest = stand.rack, stand.units
        for each in there[rack.name]:
            rest -= each.units
            held[rack.name].append(
                Stand(
                    name=each.name,
                    kind=each.kind,
                    rack=rack,
                    unit=each.unit,
                    units=each.units,
                    path=stand.path,
                    watts=0,
                )
            )
        if rest > 0:
            held[rack.name].append(replace(stand, units=rest))
    return held


def places(side: Side, floor: Floor) -> list[tuple[str, int, int]]:
    """Return the panel, its lowest unit and the port of each plug of a cable at one end."""
    return [panel_of(port, floor, side.rack) for port in side.ports]


def behind(patching: Patching, floor: Floor) -> Mapping[tuple[str, str], str]:
    """Return the panels at each trunk end by trunk and rack; a dark trunk has none yet."""
    found: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for each in patching.patched:
        for side in (each.near, each.far):
            panels = [panel for panel, _, _ in places(side, floor)]
            for piece in each.pieces:
                found[piece.trunk, side.rack.name].update(dict.fromkeys(panels))
    for trunk in patching.trunks:
        for rack in trunk.racks:
            found[trunk.name, rack].update(found.get((trunk.run, rack), {}))
    for joint in patching.joints:
        panels = [panel for panel, _, _ in joint_places(joint, floor)]
        for name, panel in zip(joint.trunks, (panels[0], panels[-1]), strict=True):
            found[name, joint.rack.name][panel] = None
    return {key: " ".join(panels) for key, panels in found.items() if panels}


def joint_places(joint: Joint, floor: Floor) -> list[tuple[str, int, int]]:
    """Return the panel, its lowest unit and the port of each port where trunks meet."""
    return [panel_of(port, floor, joint.rack) for port in joint.ports]


def panel_of(port: int, floor: Floor, rack: Rack) -> tuple[str, int, int]:
    """Return the panel of a port in a rack, its lowest unit, and the port number there."""
    number, place = divmod(port - 1, floor.panels.ports)
    unit = rack.units - (number + 1) * floor.panels.units + 1
    return f"{rack.name}-pp{number + 1}", unit, place + 1


def mounted(patching: Patching, laid: Iterable[Cable], floor: Floor) -> dict[str, list[Mounted]]:
    """Return the panels of each rack from the top, then its cable managers."""
    panels, managers = _panels(patching, floor), _managers(laid, floor)
    found: dict[str, list[Mounted]] = {}
    for rack in floor.racks:
        found[rack.name], below = [], rack.units + 1
        wanted = [(PANEL, "pp", floor.panels.units, fabric) for fabric in panels[rack.name]]
        wanted += [(MANAGER, "cm", 1, fabric) for fabric in managers[rack.name]]
        for number, (kind, short, units, fabric) in enumerate(wanted):
            below -= units
            first = number if kind == PANEL else number - len(panels[rack.name])
            name = f"{rack.name}-{short}{first + 1}"
            each = Mounted(name=name, kind=kind, unit=below, units=units, fabric=fabric)
            found[rack.name].append(each)
    return found


def units_of(there: Iterable[Mounted]) -> tuple[int, int]:
    """Return the rack units of the panels of a rack, and of its cable managers."""
    units = {PANEL: 0, MANAGER: 0}
    for each in there:
        units[each.kind] += each.units
    return units[PANEL], units[MANAGER]


def _panels(patching: Patching, floor: Floor) -> Mapping[str, list[str]]:
    """Return by rack the fabric of the first port of each panel."""
    first: dict[str, dict[int, str]] = defaultdict(dict)
    for each in patching.patched:
        for side in (each.near, each.far):
            for port in side.ports:
                if (port - 1) % floor.panels.ports == 0:
                    first[side.rack.name][port] = each.cable.fabric
    for joint in patching.joints:
        for port in joint.ports:
            if (port - 1) % floor.panels.ports == 0:
                first[joint.rack.name][port] = joint.fabric
    panels: dict[str, list[str]] = defaultdict(list)
    for rack, ports in first.items():
        panels[rack] = [ports[port] for port in sorted(ports)]
    return panels


def _managers(laid: Iterable[Cable], floor: Floor) -> Mapping[str, list[str]]:
    """Return by rack the fabric of the first cable of each manager."""
    ends: dict[str, list[str]] = defaultdict(list)
    for cable in laid:
        for end in (cable.near, cable.far):
            if end.stand is not None:
                ends[end.stand.rack.name].append(cable.fabric)
    each = floor.panels.cables
    managers: dict[str, list[str]] = defaultdict(list)
    for rack, fabrics in ends.items():
        managers[rack] = fabrics[::each] if each else []
    return managers
