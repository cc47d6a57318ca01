"""Routing in; prefix list, community list and route maps out: what is announced, and no valleys.

The same policy on every platform. What comes from above is marked and never sent back up, so that
traffic goes up, then down, and no leaf or spine becomes a detour (RFC 7938 section 5.2).
"""

from __future__ import annotations

from functools import lru_cache

from fabricgen.fabric.because import Because
from fabricgen.fabric.routing import FROM_ABOVE, AllowedPrefix, Routing
from fabricgen.platforms.frrouting.view import (
    Communities,
    Policy,
    Prefixes,
    PrefixRule,
    RouteMapRule,
    RouteMaps,
)

ALLOWED = "ALLOWED"
CONNECTED = "CONNECTED"
ABOVE_LIST = "FROM-ABOVE"
ABOVE, BELOW = "ABOVE", "BELOW"
POLICIES = {
    ABOVE: Policy(ABOVE, "FROM-ABOVE", "TO-ABOVE"),
    BELOW: Policy(BELOW, "FROM-BELOW", "TO-BELOW"),
}
_MATCH = f"match ip address prefix-list {ALLOWED}"
_WHY = Because(("underlay",), "only this fabric's own prefixes pass; routes from above stay below")


@lru_cache(maxsize=64)
def prefixes(routing: Routing) -> Prefixes:
    """Return the prefix list of a fabric."""
    rules = tuple(
        PrefixRule(10 * number, allowed.prefix.prefix, lengths(allowed))
        for number, allowed in enumerate(routing.allowed, 1)
    )
    return Prefixes(ALLOWED, rules, _WHY)


def lengths(allowed: AllowedPrefix) -> str:
    """Spell the lengths allowed inside a prefix; FRR wants length < ge <= le, equals unsaid."""
    shortest = f" ge {allowed.shortest}" if allowed.shortest > allowed.prefix.length else ""
    longest = f" le {allowed.longest}" if allowed.longest > allowed.prefix.length else ""
    return shortest + longest


@lru_cache(maxsize=1)
def communities() -> Communities:
    """Return the community list of routes from above."""
    return Communities(ABOVE_LIST, FROM_ABOVE, _WHY)


@lru_cache(maxsize=8)
def route_maps(groups: tuple[str, ...]) -> RouteMaps:
    """Return the route maps of a switch with these underlay groups."""
    rules = [RouteMapRule(CONNECTED, "permit", 10, (_MATCH,))]
    if ABOVE in groups:
        rules += _above()
    if BELOW in groups:
        rules += [
            RouteMapRule(POLICIES[BELOW].inward, "permit", 10, (_MATCH,)),
            RouteMapRule(POLICIES[BELOW].outward, "permit", 10, (_MATCH,)),
        ]
    return RouteMaps(tuple(rules), _WHY)


def _above() -> list[RouteMapRule]:
    names = POLICIES[ABOVE]
    mark = f"set community {FROM_ABOVE} additive"
    return [
        RouteMapRule(names.inward, "permit", 10, (_MATCH, mark)),
        RouteMapRule(names.outward, "deny", 10, (f"match community {ABOVE_LIST}",)),
        RouteMapRule(names.outward, "permit", 20, (_MATCH,)),
    ]
