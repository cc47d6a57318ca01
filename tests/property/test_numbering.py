"""A plan that says what the design computes changes nothing, and growth moves nothing of a plan."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.longer import draws
from tests.property.growing import ADDITIONS, designed, facts, grown, lost, said
from tests.property.test_pins import GROWING, UNSHRUNK

from fabricgen.model.fabric.addressing import host_text
from fabricgen.model.fabric.numbering import Formula
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Role

Words = dict[str, Any]


def text(formula: Formula, *, asn: bool = False) -> str:
    """Spell a formula as people write it."""
    steps = [f" {'-' if step < 0 else '+'} {abs(step)} per {word}" for word, step in formula.steps]
    return (str(formula.base) if asn else host_text(formula.base, 4)) + "".join(steps)


def by_design(fabric: Fabric) -> Words:
    """Return what the design computes, as a plan."""
    roles = {switch.role for switch in fabric.topology.switches}
    addresses, plan = fabric.addresses, dict[str, Any]()
    for kind in ("loopbacks", "management"):
        plan[kind] = {role.value: text(addresses.formula(kind, role)) for role in roles}
    plan["asn"] = {role.value: text(fabric.routing.asns.formula(role), asn=True) for role in roles}
    if addresses.vteps is not None:
        plan["vteps"] = text(addresses.tunnel(addresses.vteps))
    if addresses.nics is not None:
        formula = addresses.nics.formula
        keep = [word for word in ("rail", "plane", "number") if word != "plane" or _planes(fabric)]
        steps = tuple(step for step in formula.steps if step[0] in keep)
        plan["nics"] = text(type(formula)(formula.base, steps))
    return plan


def _planes(fabric: Fabric) -> bool:
    return any(switch.plane > 1 for switch in fabric.topology.switches)


@settings(max_examples=len(GROWING), deadline=None, phases=UNSHRUNK)
@given(st.sampled_from(GROWING))
def test_the_design_said_as_a_plan_is_the_design(name: str) -> None:
    site = ADDITIONS[name][0]
    before = designed(site)
    after = designed(said(site, "numbering", by_design(before.fabrics[0])))
    assert facts(after) == facts(before)


def drawn(data: st.DataObject, fabric: Fabric) -> Words:
    """Draw a plan with room between its numbers."""
    roles = [role for role in Role if any(each.role is role for each in fabric.topology.switches)]
    step = data.draw(st.integers(1, 7), label="step")
    loopbacks = fabric.addresses.loopbacks.first
    plan: Words = {"loopbacks": {}, "asn": {}}
    for place, role in enumerate(roles):
        plan["loopbacks"][role.value] = (
            f"{host_text(loopbacks + 2000 * place + 1, 4)} + {step} per number"
        )
        plan["asn"][role.value] = f"{4_230_000_000 + 10_000 * place} + {step} per number"
    if fabric.addresses.nics is not None:
        first, apart = fabric.addresses.nics.pool.first, 2 * data.draw(st.integers(1, 4))
        plan["nics"] = f"{host_text(first, 4)} + 0.1.0.0 per rail + {apart} per number"
    return plan


@settings(max_examples=draws(30), deadline=None, phases=UNSHRUNK)
@given(st.sampled_from(GROWING), st.data())
def test_growth_moves_nothing_of_a_plan(name: str, data: st.DataObject) -> None:
    site, path, value = ADDITIONS[name]
    plan = drawn(data, designed(site).fabrics[0])
    before = designed(said(site, "numbering", plan))
    after = designed(said(grown(site, *path, to=value), "numbering", plan))
    assert lost(facts(before), facts(after)) == []
