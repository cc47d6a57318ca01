"""Five faults of a running lab: each is one incident with the planted root, and loses no finding.

`python -m bench.incidents` plants forty single faults and a dozen pairs.
"""

from collections.abc import Iterator

import pytest
from bench.incidents import Field
from bench.planted import Fault, drawn, hides, of_daemons
from tests.lab.machinery import need_a_lab, new_ground
from tests.longer import longer

pytestmark = longer
SITE, NAME = "intent/lab", "incidents"


@pytest.fixture(scope="module")
def field() -> Iterator[Field]:
    need_a_lab()
    for ground in new_ground():
        up = ground.call("lab", "up", SITE, "--name", NAME, "--health-timeout", "300")
        assert up.returncode == 0, up.stdout + up.stderr
        yield Field.of(ground.labs / NAME / "socket", None)
        assert ground.call("lab", "down").returncode == 0


def faults(field: Field) -> list[Fault]:
    """Return a fault of each sort in the frontend, and bgpd on a spine."""
    fabric = field.site.fabrics[0]
    (bgpd,) = (it for it in of_daemons(fabric) if it.what == "fe-spine2 bgpd killed")
    return [*drawn(fabric, 4, seed=7), bgpd]


@pytest.mark.parametrize("number", range(5))
def test_a_planted_fault_is_one_incident_with_its_root(field: Field, number: int) -> None:
    fault = faults(field)[number]
    looks = field.looks("", [fault])
    found, right = field.judged(looks, [fault], looks)
    assert right, (fault.what, [(each.cause.kind, each.cause.root) for each in found])


def test_a_fault_hides_another_one_at_its_switch_alone(field: Field) -> None:
    bgpd = faults(field)[-1]
    others = drawn(field.site.fabrics[0], 4, seed=7)
    assert [hides(bgpd, each) for each in others] == [
        any(place.partition(":")[0] == "fe-spine2" for place in each.places) for each in others
    ]
