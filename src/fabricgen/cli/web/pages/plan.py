"""Makes the data of racks, their pictures and the bill of materials."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from fabricgen.api import is_installed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fabricgen import Site
    from fabricgen.api.plan import PhysicalPlan, Rack


def chunks(site: Site) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield the tables, then a chunk for each picture, if this installation has plans."""
    if not is_installed("plan"):
        return
    from fabricgen.api.plan import plan_of

    plan = plan_of(site)
    yield "plan", partial(_plan, plan)
    for name in plan.pictures:
        yield f"picture/{name}", partial(plan.picture, name)
    for rack in plan.racks:
        yield f"picture/rack/{rack}", partial(plan.front, rack)


def _plan(plan: PhysicalPlan) -> dict[str, Any]:
    from fabricgen.api.plan import totals

    return {
        "racks": [_rack(each) for each in plan.racks.values()],
        "pictures": list(plan.pictures),
        "bill": [
            {"name": each.name, "columns": each.columns, "rows": each.rows} for each in plan.bill
        ],
        "totals": list(totals(plan.bill)),
    }


def _rack(rack: Rack) -> dict[str, Any]:
    return {
        "name": rack.name,
        "type": rack.type,
        "row": rack.row,
        "position": rack.position,
        "units": rack.units,
        "watts": rack.watts,
        "devices": [
            [each.unit, each.units, each.name, each.kind, each.watts] for each in rack.devices
        ],
    }
