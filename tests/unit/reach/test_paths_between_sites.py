"""Of two links between sites a packet takes the one with the shorter AS path."""

import pytest
from tests.unit.reach.engines import every_case
from tests.unit.reach.features import JOINED

from fabricgen.prove.walk.packet import Outcome

REACHES, STOPS = Outcome.REACHES, Outcome.STOPS


@pytest.mark.parametrize(
    ("longer", "outcome"),
    [
        ((), REACHES),
        (("wan",), STOPS),
        (("wan", "more"), REACHES),
    ],
    ids=["equal paths", "the own path is longer", "both paths are longer"],
)
def test_the_shorter_path_of_two_links_between_sites_is_taken(
    longer: tuple[str, ...], outcome: Outcome
) -> None:
    """The tunnel to the leaf of the second link is broken, so who takes that link stops."""

    def changed(path: str, text: str) -> str:
        if path == "west-leaf01/eos.cfg":
            return text.replace("vxlan udp-port 4789", "vxlan udp-port 4790")
        for link in longer:
            clause = f"route-map OUT-red_{link} permit 10\n"
            text = text.replace(clause, f"{clause}   set as-path prepend {'64801 ' * 4}\n")
        return text

    ends = ("west-leaf02-s01:eth0", "east-leaf01-s01:eth0")
    every = every_case(JOINED, changed=changed, chosen=lambda each: each.station.name in ends)
    verdicts = {
        each.written.outcome
        for each in every
        if each.one.station.name == ends[0] and "172.21" in each.name
    }
    assert verdicts == {outcome}


def test_a_session_that_denies_ipv6_stops_ipv6_alone() -> None:
    """The stations are the same, so a verdict must not be that of the other address family."""

    def changed(path: str, text: str) -> str:
        if path == "west-leaf02/eos.cfg":
            assert "route-map IN-red_wan_6 permit 10" in text
        return text.replace("route-map IN-red_wan_6 permit 10", "route-map IN-red_wan_6 deny 10")

    ends = ("west-leaf02-s01:eth0", "east-leaf01-s01:eth0")
    every = every_case(JOINED, changed=changed, chosen=lambda each: each.station.name in ends)
    outcomes = {
        "IPv4" if "172.21" in each.name else "IPv6": each.written.outcome
        for each in every
        if each.one.station.name == ends[0]
    }
    assert outcomes == {"IPv4": REACHES, "IPv6": STOPS}
