"""Draws the physical plan as SVG: rack fronts, fabrics and the floor from above."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fabricgen.compile.compiler import File
from fabricgen.plan.documents.pictures.elevations import elevations
from fabricgen.plan.documents.pictures.floor import floor_map
from fabricgen.plan.documents.pictures.topology import topology

if TYPE_CHECKING:
    from fabricgen.model.cabling.cables import Cable
    from fabricgen.plan.cabling import Plan


def pictures(plan: Plan) -> Iterator[File]:
    """Yield every picture; for a site without racks only its fabrics."""
    site, laid = plan.site, plan.laid
    by_fabric: dict[str, list[Cable]] = defaultdict(list)
    for cable in laid:
        by_fabric[cable.fabric].append(cable)
    for fabric in site.fabrics:
        drawn = topology(fabric, by_fabric[fabric.name])
        yield File(f"topology/{fabric.name}.svg", drawn, executable=False)
    for name, drawn in elevations(plan):
        yield File(f"racks/{name}.svg", drawn, executable=False)
    if site.floor.racks:
        yield File("floor.svg", floor_map(site, laid), executable=False)
