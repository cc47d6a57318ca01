"""Compare the demand of a fabric with its server ports, its tiers and its external links."""

from math import inf

from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code
from fabricgen.intent.model.backend import Backend
from fabricgen.intent.model.demand import PURPOSES, FabricDemand
from fabricgen.intent.model.frontend import Frontend
from fabricgen.intent.model.intent import AnyFabric
from fabricgen.model.fabric.capacity import narrow_places
from fabricgen.model.fabric.demand import Demand
from fabricgen.model.fabric.switch import Fabric


def demand_of(words: AnyFabric) -> Demand | None:
    """Return the demand of a fabric; None if it has none."""
    said = words.unless_refused("demand") if isinstance(words, Frontend | Backend) else None
    if not isinstance(said, FabricDemand) or not said.whole:
        return None
    rates = {name: rate for name in PURPOSES if (rate := getattr(said, name)) is not None}
    return Demand(rates=rates, growth=said.growth, years=said.years, path=words.at("demand"))


def judge_demand(fabric: Fabric, findings: Findings) -> None:
    """Report the narrowest place below the demand now, else the one that growth outruns."""
    demand = fabric.demand
    if demand is None:
        return
    found = [(place.room(demand), place) for place in narrow_places(fabric)]
    room, place = min(found, key=lambda each: each[0], default=(inf, None))
    if place is None:
        return
    asked = demand.text(place.purposes)
    hint = "add or upgrade these links, or lower `demand`"
    if room < 1:
        text = f"the {fabric.name} needs {asked}, but {place}"
        findings.error(Code.DEMAND_ABOVE_CAPACITY, text, demand.path, hint)
    elif room < demand.growth:
        years = demand.reached(room)
        when = f", after {years:.2g} of {demand.years:g} years" if years is not None else ""
        findings.warn(
            Code.GROWTH_ABOVE_CAPACITY,
            f"growth by {demand.growth:g} outruns the {fabric.name}: it needs {asked} now, "
            f"and {place}, which is reached at {room:.3g} times{when}",
            (*demand.path, "growth"),
            hint,
        )
