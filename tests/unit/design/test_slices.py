"""From a design to the slice of one switch: what each of its ports is told."""

import pytest
from tests.unit.design.sites import R128, backend, intent
from tests.unit.reach.engines import site
from tests.unit.reach.features import BY_HAND, FENCED, JOINED, TUNNELED, ZONES

from fabricgen.compile.design.site import design_site
from fabricgen.compile.design.slices import Slicer
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.transition import Transition


def test_a_port_has_the_length_of_its_cable_and_without_one_none() -> None:
    made = design_site(intent(backend("rail-optimized", R128, 4, links={"length": 7})))[0]
    assert made is not None
    (fabric,) = made.fabrics
    lengths: dict[Use, set[int]] = {}
    for switch in fabric.topology.switches:
        for interface in Slicer(fabric).slice(switch).interfaces:
            lengths.setdefault(interface.use, set()).add(int(interface.length))
    assert lengths[Use.UNUSED] == {0}
    assert lengths[Use.FABRIC] == {7}
    assert 0 not in lengths[Use.NIC]


@pytest.mark.parametrize("name", [JOINED, FENCED, ZONES, TUNNELED, BY_HAND, "tenants", "edge"])
def test_a_slice_is_the_same_whatever_was_cut_before(name: str) -> None:
    for fabric in site(name).fabrics:
        slicer = Slicer(fabric)
        for switch in fabric.topology.switches:
            assert repr(slicer.slice(switch)) == repr(Slicer(fabric).slice(switch)), switch.name


def test_each_step_of_a_change_has_its_own_route_targets() -> None:
    fabric = site(JOINED).fabrics[0]
    steps = [Transition(imports=i, exports=e) for i in ((), (1,)) for e in ((), (2,))]
    slicer = Slicer(fabric)
    found = [slicer.rules(step) for step in steps]
    assert [(each.imports, each.exports) for each in found if each is not None] == [
        (step.imports, step.exports) for step in steps
    ]
