"""Routing in; prefix list, community list and route maps out: what is announced, and no valleys.

The same policy on every platform. What comes from above is marked and never sent back up, so that
traffic goes up, then down, and no leaf or spine becomes a detour (RFC 7938 section 5.2). The same
holds in EVPN, whose routes have no prefix list: there the mark is all.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from fabricgen.fabric.because import Because
from fabricgen.fabric.routing import FROM_ABOVE, AllowedPrefix, Routing
from fabricgen.nos.shared.frr.view import (
    Communities,
    Policy,
    Prefixes,
    PrefixRule,
    RouteMapRule,
    RouteMaps,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

ALLOWED = "ALLOWED"
CONNECTED = "CONNECTED"
ABOVE_LIST = "FROM-ABOVE"
ABOVE, BELOW = "ABOVE", "BELOW"
EVPN = "EVPN-"
POLICIES = {
    ABOVE: Policy(ABOVE, "FROM-ABOVE", "TO-ABOVE"),
    BELOW: Policy(BELOW, "FROM-BELOW", "TO-BELOW"),
}
_MATCH = f"match ip address prefix-list {ALLOWED}"


@lru_cache(maxsize=64)
def why(routing: Routing) -> Because:
    """Return why a fabric has its policy."""
    rule = "only this fabric's own prefixes pass; routes from above stay below"
    return Because((routing.path,), rule)


@lru_cache(maxsize=64)
def prefixes(routing: Routing) -> Prefixes:
    """Return the prefix list of a fabric."""
    rules = tuple(
        PrefixRule(
            name=ALLOWED,
            seq=10 * number,
            prefix=allowed.prefix.prefix,
            lengths=lengths(allowed),
            because=why(routing),
        )
        for number, allowed in enumerate(routing.allowed, 1)
    )
    return Prefixes(rules)


def lengths(allowed: AllowedPrefix) -> str:
    """Spell the lengths allowed inside a prefix; FRR wants length < ge <= le, equals unsaid."""
    shortest = f" ge {allowed.shortest}" if allowed.shortest > allowed.prefix.length else ""
    longest = f" le {allowed.longest}" if allowed.longest > allowed.prefix.length else ""
    return shortest + longest


@lru_cache(maxsize=64)
def communities(routing: Routing) -> Communities:
    """Return the community list of routes from above."""
    return Communities(ABOVE_LIST, FROM_ABOVE, why(routing))


@lru_cache(maxsize=64)
def route_maps(routing: Routing, groups: tuple[str, ...]) -> RouteMaps:
    """Return the route maps of a switch with these groups; FRR prints them by name."""
    reason = why(routing)
    rules = [_rule(reason, CONNECTED, "permit", 10, _MATCH)]
    if ABOVE in groups:
        rules += _above(reason, "", _MATCH)
    if EVPN + ABOVE in groups:
        rules += _above(reason, EVPN)
    if BELOW in groups:
        names = POLICIES[BELOW]
        rules += [
            _rule(reason, name, "permit", 10, _MATCH) for name in (names.inward, names.outward)
        ]
    return in_order(rules)


def in_order(rules: Iterable[RouteMapRule]) -> RouteMaps:
    """Return route maps by name, their rules by number."""
    return RouteMaps(tuple(sorted(rules, key=lambda rule: (rule.name, rule.seq))))


def _rule(reason: Because, name: str, action: str, seq: int, *lines: str) -> RouteMapRule:
    return RouteMapRule(name=name, action=action, seq=seq, lines=lines, because=reason)


def _above(reason: Because, prefix: str, *match: str) -> list[RouteMapRule]:
    """Return the valley filter of the underlay, or with another prefix that of EVPN."""
    names = POLICIES[ABOVE]
    inward, outward = prefix + names.inward, prefix + names.outward
    return [
        _rule(reason, inward, "permit", 10, *match, f"set community {FROM_ABOVE} additive"),
        _rule(reason, outward, "deny", 10, f"match community {ABOVE_LIST}"),
        _rule(reason, outward, "permit", 20, *match),
    ]
