"""Cages of two models are split so that a cable joins their ports, or that is refused."""

from itertools import product
from typing import Any

import pytest
from tests.unit.design.test_pins import errors, fabric, frontend

from fabricgen.compile.design.wiring.faceplate import met
from fabricgen.model.catalog.switches import model_names, switch_model
from fabricgen.model.fabric.topology import Port

NRZ = {"model": "7050CX3-32S", "platform": "sonic"}
PAM4 = {"model": "SN3700", "platform": "sonic"}


def lanes(site: dict[str, Any]) -> set[tuple[int, int]]:
    return {
        (link.lower_port.lanes, link.upper_port.lanes)
        for link in fabric(site).topology.links
        if isinstance(link.lower_port, Port)
    }


@pytest.mark.parametrize(("leaf", "spine"), [(NRZ, PAM4), (PAM4, NRZ)])
def test_100g_of_qsfp56_towards_qsfp28_has_four_lanes(
    leaf: dict[str, str], spine: dict[str, str]
) -> None:
    assert lanes(frontend({}, leaf=leaf, spine={**spine, "count": 2})) == {(4, 4)}


def test_two_models_alike_keep_the_split_with_the_most_ports() -> None:
    site = frontend({}, leaf=PAM4, spine={**PAM4, "count": 2}, links={"speed": "100G"})
    assert lanes(site) == {(2, 2)}


def test_a_breakout_that_no_cable_joins_is_refused() -> None:
    site = frontend({}, leaf=NRZ, spine={**PAM4, "count": 2, "breakout": "2x100G"})
    (told,) = errors(site)
    assert told.startswith(
        "FG807 no cable connects fe-leaf01 port 29 and fe-spine1 port 1/1: 100G is"
    )


def test_both_ends_find_the_same_split() -> None:
    """The pair that one end counts by is the pair of the other."""
    models = [model for name in model_names() if (model := switch_model(name))]
    for near, far in product(models, models):
        for speed in set(near.speeds()) & set(far.speeds()):
            assert (met(near, far, speed) is None) is (met(far, near, speed) is None)
            if near is far and (own := met(near, near, speed)):
                assert own == max(
                    mode.count for mode in near.usable[0].modes if mode.speed == speed
                )
