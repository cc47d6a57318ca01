"""From doubled cables and lists of ports: that a port takes one cable (FG305)."""

from dataclasses import replace

import pytest
from tests.unit.checks.sites import (
    EVERY,
    RAIL_OPTIMIZED,
    cut,
    designed,
    examine,
    first_red,
    reds,
    relinked,
    told,
)

from fabricgen.compile.checks.ports import Ports
from fabricgen.core.diagnostics import Code
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.topology import Port

CODE = Code.PORT_USED_TWICE
SITE = designed(RAIL_OPTIMIZED)
LINKS = SITE.fabrics[0].topology.links


@pytest.mark.parametrize("shape", EVERY)
def test_a_designed_site_passes(shape: str) -> None:
    assert reds(examine(Ports, designed(EVERY[shape])), CODE) == []


def test_both_ends_of_every_link_and_every_switch_are_counted() -> None:
    assert examine(Ports, SITE).objects == 2 * len(LINKS) + 10


def test_a_leaf_port_with_two_cables_is_found() -> None:
    odd = replace(LINKS[4], upper=LINKS[0].upper, upper_port=LINKS[0].upper_port)
    site = relinked(SITE, "backend", (*LINKS[:4], odd, *LINKS[5:]))
    said = reds(examine(Ports, site), CODE)
    assert len(said) == 1
    assert "be-su01-leaf1 port 1 is used twice" in said[0]
    assert "gpu0001" in said[0]
    assert "gpu0002" in said[0]


def test_a_nic_with_two_cables_is_found() -> None:
    odd = replace(LINKS[1], lower_port=LINKS[0].lower_port)
    site = relinked(SITE, "backend", (LINKS[0], odd, *LINKS[2:]))
    assert "gpu0001 port rdma0 is used twice" in first_red(examine(Ports, site), CODE)


def test_a_cable_listed_twice_is_found() -> None:
    site = relinked(SITE, "backend", (*LINKS, replace(LINKS[-1])))
    assert len(reds(examine(Ports, site), CODE)) == 2


def faced(switch_slice: SwitchSlice, *ports: Port) -> SwitchSlice:
    return replace(switch_slice, switch=replace(switch_slice.switch, ports=ports))


def test_a_port_that_stands_twice_in_the_list_is_found() -> None:
    pieces = told(
        cut(SITE),
        "be-spine1",
        lambda switch_slice: faced(
            switch_slice, *switch_slice.switch.ports, switch_slice.switch.ports[0]
        ),
    )
    assert "is listed twice" in first_red(examine(Ports, SITE, pieces), CODE)


def test_a_cage_that_is_whole_and_broken_out_is_found() -> None:
    def split(switch_slice: SwitchSlice) -> SwitchSlice:
        first = switch_slice.switch.ports[0]
        return faced(switch_slice, replace(first, subs=first.subs * 2), *switch_slice.switch.ports)

    said = reds(examine(Ports, SITE, told(cut(SITE), "be-spine1", split)), CODE)
    assert any("be-spine1 cage 1 is split into" in text for text in said)
    assert any("shares a lane with port" in text for text in said)
