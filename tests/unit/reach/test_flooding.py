"""Routers outside that speak OSPF: the files of a leaf broken by hand, and what engine two says."""

import pytest
from tests.unit.reach.engines import broken
from tests.unit.reach.features import FLOODED

from fabricgen.prove.walk.packet import Outcome

STOPS, UNKNOWN = Outcome.STOPS, Outcome.UNKNOWN
P1 = "pair0001:front"
FLOOD = (P1, "outside:far")
BROKEN = {
    "no area on the port to a router outside, EOS": (
        (FLOODED, None),
        "fe-leaf02/eos.cfg",
        "   ip ospf area 0.0.0.0\n",
        "",
        *FLOOD,
        STOPS,
    ),
    "OSPF does not run": (
        (FLOODED, "linux"),
        "fe-leaf02/etc/frr/daemons",
        "ospfd=yes",
        "ospfd=no",
        *FLOOD,
        STOPS,
    ),
    "what OSPF may put into the table": (
        (FLOODED, "linux"),
        "fe-leaf02/etc/frr/frr.conf",
        "IN-blue_far seq 10 permit 0.0.0.0/0",
        "IN-blue_far seq 10 permit 203.0.114.0/24",
        *FLOOD,
        STOPS,
    ),
    "OSPF that the table takes unfiltered": (
        (FLOODED, "linux"),
        "fe-leaf02/etc/frr/frr.conf",
        " ip protocol ospf route-map IN-blue_far\n",
        "",
        *FLOOD,
        UNKNOWN,
    ),
    "OSPF that no other leaf is told of, EOS": (
        (FLOODED, None),
        "fe-leaf02/eos.cfg",
        "      redistribute ospf match external route-map IN-blue_far\n",
        "",
        *FLOOD,
        UNKNOWN,
    ),
    "OSPF behind BGP of another leaf": (
        (FLOODED, "linux"),
        "fe-leaf02/etc/frr/frr.conf",
        " distance 15\n",
        "",
        *FLOOD,
        UNKNOWN,
    ),
    "a subnet that OSPF is not told": (
        (FLOODED, "linux"),
        "fe-leaf02/etc/frr/frr.conf",
        "OUT-blue_far seq 20 permit 10.2.0.0/24",
        "OUT-blue_far seq 20 permit 10.4.0.0/24",
        "outside:far",
        P1,
        STOPS,
    ),
}


@pytest.mark.parametrize(
    ("site", "place", "old", "new", "one", "other", "outcome"), BROKEN.values(), ids=list(BROKEN)
)
def test_a_broken_file_is_walked_as_it_is(
    site: tuple[str, str | None],
    place: str,
    old: str,
    new: str,
    one: str,
    other: str,
    outcome: Outcome,
) -> None:
    case = next(broken(site, place, old, new, one, other))
    assert case.written.outcome is outcome, case.written
    assert case.model.outcome is Outcome.REACHES
