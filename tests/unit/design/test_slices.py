"""From a design to the slice of one switch: what each of its ports is told."""

from tests.unit.design.sites import R128, backend, intent

from fabricgen.compile.design.site import design_site
from fabricgen.compile.design.slices import Slicer
from fabricgen.model.fabric.switch import Use


def test_a_port_has_the_length_of_its_cable_and_without_one_none() -> None:
    site = design_site(intent(backend("rail-optimised", R128, 4, links={"length": 7})))[0]
    assert site is not None
    (fabric,) = site.fabrics
    lengths: dict[Use, set[int]] = {}
    for switch in fabric.topology.switches:
        for interface in Slicer(fabric).slice(switch).interfaces:
            lengths.setdefault(interface.use, set()).add(int(interface.length))
    assert lengths[Use.UNUSED] == {0}
    assert lengths[Use.FABRIC] == {7}
    assert 0 not in lengths[Use.NIC]
