"""Leafs of an MLAG pair that do not tell each other of a VRF: the second engine sees it."""

import pytest
from tests.unit.reach.engines import broken
from tests.unit.reach.features import ALONE

from fabricgen.prove.walk.packet import Outcome

ONE, OTHER = "node0001:front0", "node0002:front0"


@pytest.mark.parametrize(
    ("leaf", "old", "new"),
    [
        ("fe-leaf01", r"(name MLAG-3002\n   trunk group) MLAG", r"\1 OTHER"),
        ("fe-leaf01", "bgp7:VRF-PEER@env:BGP", "bgp7:VRF-PEER@env:OLD"),
        ("fe-leaf01", "route-map VRF-TO-PEER permit 20", "route-map VRF-TO-PEER deny 20"),
        (
            "fe-leaf02",
            "neighbor 169.254.0.0 description fe-leaf01:Vlan3002",
            "neighbor 169.254.0.0 remote-as 65000",
        ),
    ],
)
def test_a_server_of_the_other_leaf_is_lost(leaf: str, old: str, new: str) -> None:
    case = next(broken((ALONE, None), f"{leaf}/eos.cfg", old, new, OTHER, ONE))
    assert case.model.outcome is Outcome.REACHES
    assert case.written.outcome is Outcome.STOPS, case.written
