"""A plan in; trunks, panels, cassettes, adapters and cable managers, each for its fabric, out.

A trunk of 12 fibres and plugs of 8 take a cassette with two trunks at its back and three plugs at
its front: both have as many fibres. What a rack shares is of the fabric that is first in it.
"""

from collections.abc import Iterator
from math import lcm

from fabricgen.model.cabling.media import plug_of
from fabricgen.model.cabling.panels import Bundle
from fabricgen.model.cabling.parts import (
    ADAPTER,
    CASSETTE,
    MANAGER,
    PANEL,
    TRUNK,
    Part,
    adapter_name,
    cassette_name,
    panel_name,
    trunk_name,
    trunk_plug,
)
from fabricgen.model.catalog.optics import connectors
from fabricgen.model.fabric.floor import Floor, Rack
from fabricgen.plan.cabling import Plan


def structured(plan: Plan) -> Iterator[tuple[Part, str, int]]:
    """Yield each part, the fabric that it is of, and how many."""
    floor = plan.site.floor
    for bundle in plan.patching.bundles:
        for trunk in bundle.trunks:
            name = trunk_name(trunk.grade, trunk.fibres, trunk.polish)
            yield Part(kind=TRUNK, name=name, metres=trunk.metres), bundle.fabric, 1
        for rack in bundle.racks:
            for part, count in _met(bundle, rack):
                yield part, bundle.fabric, count
    for every in plan.mounted.values():
        for each in every:
            yield _mounted(each.kind, floor), each.fabric, 1


def _mounted(kind: str, floor: Floor) -> Part:
    panels = floor.panels
    name = panel_name(panels.ports, panels.units) if kind == PANEL else MANAGER
    return Part(kind=kind, name=name)


def _met(bundle: Bundle, rack: Rack) -> Iterator[tuple[Part, int]]:
    """Yield what joins cords and trunks of one bundle at one rack; dark trunks wait for theirs."""
    sides = list(bundle.at(rack))
    plug, front = plug_of(sides[0][1].optic), connectors(sides[0][1].optic)[1]
    trunk = bundle.trunks[0]
    assert plug is not None
    straight = {port for _, side in sides if side.straight for port in side.ports}
    if straight:
        yield Part(kind=ADAPTER, name=adapter_name(front)), len(straight)
    ports = {port for _, side in sides if not side.straight for port in side.ports}
    if not ports:
        return
    trunks = {p.trunk for each, side in sides if not side.straight for p in each.pieces}
    whole = lcm(trunk.fibres, plug.fibres)
    counts = whole // trunk.fibres, whole // plug.fibres
    back = trunk_plug(trunk.fibres, trunk.polish)
    name = cassette_name(trunk.grade, back, front, counts)
    count = max(-(-len(trunks) // counts[0]), -(-len(ports) // counts[1]))
    yield Part(kind=CASSETTE, name=name), count
