"""OSPF between switches in the walk over files: adjacencies, and the path of least cost."""

import pytest
from tests.unit.reach.engines import broken, every_case
from tests.unit.reach.features import FLAT

from fabricgen.prove.walk.packet import Outcome

ENDS = ("single0001:front0", "single0003:front0")
STOPS, REACHES = Outcome.STOPS, Outcome.REACHES
EOS, LINUX = (FLAT, None), (FLAT, "linux")
FRR = "fe-leaf01/etc/frr/frr.conf"
BROKEN = {
    "no area on a leaf's uplinks, EOS": (
        *(EOS, "fe-leaf01/eos.cfg"),
        "(network point-to-point\n).*area .*\n",
        r"\1",
        STOPS,
    ),
    "no area on a leaf's uplinks": (
        *(LINUX, FRR, "(interface swp.*\n) ip ospf area .*\n"),
        r"\1",
        STOPS,
    ),
    "no area on the loopback": (
        *(LINUX, FRR, "(interface lo\n) ip ospf area .*\n"),
        r"\1",
        STOPS,
    ),
    "another area": (
        *(LINUX, FRR, "(interface swp.*\n) ip ospf area .*\n"),
        r"\1 ip ospf area 0.0.0.1\n",
        STOPS,
    ),
    "a network with a designated router at one end": (
        *(LINUX, FRR, " ip ospf network point-to-point\n", ""),
        STOPS,
    ),
    "OSPF does not run": (LINUX, "fe-leaf01/etc/frr/daemons", "ospfd=yes", "ospfd=no", STOPS),
    "no instance": (LINUX, FRR, "router ospf\n(?: .*\n)+exit\n", "", STOPS),
    "an MTU that the other end does not have": (
        *(EOS, "fe-leaf01/eos.cfg", "mtu 9214", "mtu 9000"),
        STOPS,
    ),
    "a cost that no path avoids": (LINUX, FRR, "cost 10", "cost 65535", REACHES),
    "all spines ask to be passed by": (
        *(LINUX, "fe-spine*/etc/frr/frr.conf", "(router ospf\n)"),
        r"\1 max-metric router-lsa administrative\n",
        REACHES,
    ),
}


@pytest.mark.parametrize(
    ("site", "place", "old", "new", "outcome"), BROKEN.values(), ids=list(BROKEN)
)
def test_a_broken_file_is_walked_as_it_is(
    site: tuple[str, str | None], place: str, old: str, new: str, outcome: Outcome
) -> None:
    case = next(broken(site, place, old, new, *ENDS))
    assert case.written.outcome is outcome, case.written
    assert case.model.outcome is REACHES


@pytest.mark.parametrize(
    ("where", "other"), [("fe-spine1", "fe-spine2"), ("fe-spine2", "fe-spine1")]
)
def test_packets_pass_a_switch_by_that_asks_for_it(where: str, other: str) -> None:
    def avoided(path: str, text: str) -> str:
        asked = "router ospf\n max-metric router-lsa administrative\n"
        return text.replace("router ospf\n", asked) if path.startswith(where) else text

    cases = every_case(*LINUX, changed=avoided, chosen=lambda each: each.station.name in ENDS)
    hops = str(next(cases).written.hops)
    assert where not in hops
    assert other in hops
