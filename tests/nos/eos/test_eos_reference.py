"""EOS: every line is one that PyAVD renders, and sections and lines stand in its order."""

from collections.abc import Iterable
from itertools import combinations

import pytest
from tests.nos.eos.reference import PYTHON, Line, reference, sections, shapes
from tests.nos.eos.sites import BEHIND, BESIDE, EDGE, SITES, site, switches
from tests.nos.tenants import ONE_SIDED, flooded

pytestmark = pytest.mark.skipif(
    not PYTHON, reason="no Python with pyavd: FABRICGEN_PYAVD names one"
)

every_text = pytest.mark.parametrize(
    "text",
    [*SITES.values(), EDGE, BEHIND, ONE_SIDED, flooded("eos")],
    ids=[*SITES, "edge", "firewalls", "mlag-vrfs", "ospf"],
)
NOT_PYAVDS = {
    ("lldp run",),  # the positive form of its `no lldp run`
    ("management api http-commands", "no protocol http"),  # it leaves the default unsaid
    ("management api http-commands", "protocol https"),  # here the profile's line is in its place
    ("ip routing ipv# interfaces",),  # in the place of `ip routing`
    ("spanning-tree mode none",),  # in the place of mstp
    ("username reader ssh-key *",),
    ("ip route vrf red # Port-Channel#",),  # its `capitalize` prints Port-channel
    ("ipv# route vrf red # Port-Channel#",),
    ("aaa authorization exec default local",),  # in the place of that with groups
    *(  # its schema has neither server; the words are those of aristanetworks/openmgmt
        (f"management api {api}", *rest)
        for api, way, more in (
            ("netconf", "transport ssh mgmt", ()),
            ("restconf", "transport https mgmt", ("ssl profile MANAGEMENT",)),
        )
        for rest in (
            (),
            (way,),
            *((way, line) for line in ("ip access-group MANAGEMENT", "port #", "vrf mgmt", *more)),
        )
    ),
}
"""Lines that the sample has no words for, each with why."""


def ordered(text: str) -> set[tuple[Line, Line]]:
    """Return which lines stand before which, below one line of the file; lists have numbers."""
    plain = ([row for row in rows if not row[-1].startswith("# ")] for rows in sections(text))
    return {pair for rows in plain for pair in combinations(rows, 2)}


@every_text
def test_every_line_is_one_that_pyavd_renders(text: str) -> None:
    known = {*shapes(reference()), *shapes(reference(joined=True)), *NOT_PYAVDS}
    for made in switches(text):
        assert _without(known, shapes(made.text)) == []


@every_text
def test_lines_stand_in_the_order_of_pyavd(text: str) -> None:
    theirs = ordered(reference()) | ordered(reference(joined=True))
    for made in switches(text):
        wrong = [
            (one, other)
            for one, other in ordered(made.text) - theirs
            if one != other and (other, one) in theirs
        ]
        assert wrong == []


def test_what_a_tunnel_copies_is_said_as_pyavd_says_it() -> None:
    tunnel = "interface Vxlan#"
    theirs = [line for line in shapes(reference()) if line[0] == tunnel]
    ours = [line for line in shapes(site(BESIDE)["fe-leaf01"].text) if line[0] == tunnel]
    assert sum("vxlan qos" in line[-1] for line in ours) == 3
    assert _without(set(theirs), ours) == []
    order = list(dict.fromkeys(theirs))
    places = [order.index(line) for line in dict.fromkeys(ours)]
    assert places == sorted(places)


def _without(known: set[Line], lines: Iterable[Line]) -> list[Line]:
    return [line for line in lines if line not in known]
