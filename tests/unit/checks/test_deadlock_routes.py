"""From a network where luck decides among equal paths: that every outcome is simulated.

The origin O reaches N through A and through B, equally far. What comes from B is marked, and N
sends nothing marked to U; so U is sent a route by N, or not, and then takes the longer way by E.

    O - A - N - U - E - D - C - O
      - B -
"""

from collections import defaultdict

import pytest

from fabricgen.compile.checks.deadlock.network import Network, Way
from fabricgen.compile.checks.deadlock.routes import Destination, hops, reroutes
from fabricgen.compile.checks.deadlock.routing_index import RoutingIndex, Static
from fabricgen.compile.checks.deadlock.states import _inside, _with
from fabricgen.model.fabric.addressing import Ip

CABLES = ("OA", "OB", "AN", "BN", "NU", "UE", "ED", "DC", "CO")
MARKS, HOLDS_BACK = {"NB"}, {"UN"}  # ways on which routes come back: NB is N's way to B


def network() -> Network:
    told = RoutingIndex()
    ways: list[Way] = []
    into, out = defaultdict(list), defaultdict(list)
    for name in (name for cable in CABLES for name in (cable, cable[::-1])):
        here, there = map(told.number, name)
        ports = ((len(ways), len(ways) ^ 1),)
        ways.append(Way(len(ways), here, there, ports, name in MARKS, name in HOLDS_BACK, 0, 0, 0))
        into[there].append(ways[-1])
        out[here].append(ways[-1])
    at = {(way.here, way.ports[0][0]): way.number for way in ways}
    return Network(told=told, ways=tuple(ways), into=dict(into), out=dict(out), at=at)


NET = network()
TO = Destination(NET.told.number("O"))


def number(name: str) -> int:
    """Return the number of the way between two switches."""
    here, there = map(NET.told.number, name)
    return next(way.number for way in NET.ways if (way.here, way.there) == (here, there))


def from_switch(name: str, *gone: str) -> set[str]:
    """Return the switches to which one may send what is for O."""
    found = hops(NET, TO, frozenset(map(number, gone)))
    names = NET.told.names
    return {names[NET.ways[way].there] for way in found.get(NET.told.number(name), ())}


def test_both_outcomes_are_simulated() -> None:
    assert from_switch("N") == {"A", "B"}
    assert from_switch("U") == {"N", "E"}


def test_when_luck_no_longer_decides_there_is_one_outcome() -> None:
    assert from_switch("U", "NA") == {"E"}
    assert from_switch("U", "NB") == {"N"}


def test_losing_one_of_two_unlike_offers_is_simulated_anew() -> None:
    before = hops(NET, TO, frozenset())
    assert reroutes(NET, TO, before, frozenset({number("NA")}), None)
    assert reroutes(NET, TO, before, frozenset({number("NB")}), None)


def test_losing_the_only_way_is_simulated_anew_if_another_was_offered() -> None:
    before = hops(NET, TO, frozenset())
    assert reroutes(NET, TO, before, frozenset({number("CO")}), None)
    assert not reroutes(NET, TO, before, frozenset({number("EU")}), None)


def test_a_switch_that_failed_is_not_looked_at() -> None:
    before = hops(NET, TO, frozenset())
    end = NET.told.number("A")
    gone = frozenset(way.number for way in NET.ways if end in way[1:3])
    assert reroutes(NET, TO, before, gone, end)  # N keeps B alone
    assert not reroutes(NET, TO, before, frozenset({number("AO")}), end)


def test_an_aggregate_that_begins_where_a_subnet_does_is_not_inside_it() -> None:
    first = 10 << 24
    assert _inside(first, 31, 4, (first, 16, 4))
    assert not _inside(first, 16, 4, (first, 31, 4))
    assert not _inside(first, 31, 6, (first, 16, 4))


@pytest.mark.parametrize(
    ("switch", "length", "wins"),
    [
        ("O", 24, False),  # O has the subnet itself: connected routes win over static ones
        ("O", 25, True),
        ("O", 16, False),
        ("N", 24, True),
        ("N", 32, True),
        ("N", 16, False),
    ],
)
def test_a_static_route_wins_over_bgp_unless_it_is_shorter_or_connected(
    switch: str, length: int, *, wins: bool
) -> None:
    here, there = map(NET.told.number, ("O", "A") if switch == "O" else ("N", "A"))
    way = next(way for way in NET.ways if (way.here, way.there) == (here, there))
    static = Static(here, Ip(10 << 24, length, 4), there, *way.ports[0])
    to = _with(NET, NET.told.number("O"), 24, (static,))
    own = {here: (way.number,)}
    assert (to.over, to.under) == ((own, {}) if wins else ({}, own))


def test_of_static_routes_the_longest_decide() -> None:
    here = NET.told.number("N")
    ways = {way.there: way for way in NET.ways if way.here == here}
    statics = tuple(
        Static(here, Ip(10 << 24, length, 4), there, *ways[there].ports[0])
        for length, there in zip((24, 25, 25), ways, strict=True)
    )
    to = _with(NET, None, 24, statics)
    assert to.over == {here: tuple(ways[static.peer].number for static in statics[1:])}
