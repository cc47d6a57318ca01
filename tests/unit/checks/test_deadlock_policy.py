"""From rendered switches: that each platform prints the policy which the deadlock proof assumes.

The check reads `Session.valley_free` and believes it. This test reads the configuration instead.
"""

import re
from functools import cache

import pytest
from tests.switches import files_of_switches
from tests.unit.checks.sites import MANAGEMENT

from fabricgen.compile.compiler import compile_site, slices
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.registry import OURS

SITE = """
backend:
  design: three-tier
  servers: {count: 12, gpus: 2, nic_speed: 400G}
  growth: {pods: 3}
  scalable_unit: {servers: 2}
  roce: {enabled: false}
  leaf: {model: 7060X6-64PE, platform: eos}
  spine: {model: 7060X6-64PE, platform: eos, count: 2}
  superspine: {model: 7060X6-64PE, platform: eos, count: 2}
"""
MARK = "64512:100"
# What would let a route back up, lengthen a path, or send packets past BGP.
FORBIDDEN = ("allowas-in", "as-path prepend", "local-preference", "default-originate", "aggregate")

each = pytest.mark.parametrize("platform", OURS)


@cache
def routing(platform: str) -> dict[str, str]:
    """Return the text of each switch that speaks of BGP, by switch."""
    loaded = load_texts({"site.yaml": MANAGEMENT + SITE})
    made = compile_site(loaded, platform)
    assert made.site is not None
    told = {
        owner.name: "\n".join(file.text for file in group if "router bgp" in file.text)
        for owner, group in files_of_switches(made.site)
    }
    switches = made.site.fabrics[0].topology.switches
    assert all(told[switch.name] for switch in switches)
    return {switch.name: told[switch.name] for switch in switches}


@cache
def pieces() -> list[SwitchSlice]:
    """Return the slices whose sessions the check believes."""
    made = compile_site(load_texts({"site.yaml": MANAGEMENT + SITE})).site
    assert made is not None
    return [switch_slice for _, switch_slice in slices(made)]


def rules(text: str, name: str) -> list[tuple[str, str]]:
    """Return (permit or deny, body) of a route map, in order."""
    found = re.findall(
        rf"^route-map {name} (permit|deny) \d+\n((?:[ ]+.*\n|exit\n)*)", text, flags=re.MULTILINE
    )
    return [(action, " ".join(body.split())) for action, body in found]


@each
def test_what_comes_from_above_is_marked_and_not_sent_up(platform: str) -> None:
    for name, text in routing(platform).items():
        if "superspine" in name:
            assert "ABOVE in" not in text
            continue
        ((action, body),) = rules(text, "FROM-ABOVE")
        assert action == "permit"
        assert f"set community {MARK} additive" in body
        first, second = rules(text, "TO-ABOVE")
        assert first[0] == "deny"
        assert first[1].startswith("match community FROM-ABOVE")
        assert second[0] == "permit"
        assert re.search(rf"community-list .*FROM-ABOVE .*permit {MARK}$", text, re.MULTILINE)


@each
def test_no_map_takes_the_mark_away(platform: str) -> None:
    for text in routing(platform).values():
        sets = re.findall(r"^ +set .*$", text, flags=re.MULTILINE)
        assert {line.strip() for line in sets} <= {f"set community {MARK} additive"}


@each
def test_every_neighbor_has_the_maps_of_its_side(platform: str) -> None:
    for switch_slice in pieces():
        text = routing(platform)[switch_slice.switch.name]
        for session in switch_slice.sessions:
            assert session.remote is not None
            side = "ABOVE" if session.up else "BELOW"
            found = re.search(rf"neighbor {session.remote.host} peer.group (\S*{side})\n", text)
            assert found
            assert f"neighbor {found[1]} route-map FROM-{side} in" in text
            assert f"neighbor {found[1]} route-map TO-{side} out" in text


@each
def test_nothing_prints_what_the_proof_excludes(platform: str) -> None:
    for text in routing(platform).values():
        assert not [word for word in FORBIDDEN if word in text]
        routes = re.findall(r"^ *ip route (.*)$", text, flags=re.MULTILINE)
        assert all(route.startswith("vrf ") for route in routes), routes
