"""Reads the clauses of a routing policy in the order in which a route meets them."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from fabricgen.core.record import record
from fabricgen.core.tree.facts import Value
from fabricgen.prove.walk.packet import Interface, interface
from fabricgen.prove.walk.values import text, words

_PREFIXED = re.compile(r"(\S+),(\d+)-(\d+)$")
_KNOWN = frozenset(("action", "prefixes", "community", "set-community", "strip", "prepend"))
_OUTER = frozenset(("origins", "communities", "preference"))
_MORE = _OUTER | {"origin", "targets", "source-vrf"}
_SEGMENTS = {"ead", "es"}
"""Types of EVPN routes that no packet follows: ports show the members of a segment."""
USUAL = 100
"""The default local preference (RFC 4271, and every platform)."""


@record(kw_only=True)
class Clause:
    """One clause of a policy. `prefixes`: None for any; likewise targets, and source, a VRF.

    `outer`: it depends on external statements, such as the origin ASN; a station meets them.
    Communities that it sets have no effect here.
    """

    permit: bool
    prefixes: tuple[tuple[Interface, int, int], ...] | None
    communities: frozenset[str] | None
    adds: frozenset[str]
    strips: bool
    prepends: tuple[int, ...]
    preference: int = USUAL
    outer: bool = False
    targets: frozenset[str] | None = None
    source: str | None = None


Policy = tuple[Clause, ...]


class Unreadable(ValueError):  # noqa: N818 - it says what is not understood
    """A policy has an unknown statement, or an absent reference."""


@lru_cache(maxsize=1024)
def policy(value: Value) -> Policy:
    """Return the clauses of a policy from a grammar; or raise Unreadable."""
    if isinstance(value, str):
        raise Unreadable(f"the route map {value} does not exist")
    return tuple(_clause(own) for own in map(dict, value) if own.get("route-type") not in _SEGMENTS)


def _clause(own: dict[str, Any]) -> Clause:
    odd = set(own) - _KNOWN - _MORE
    if odd:
        raise Unreadable(f"unknown statements of a route map: {', '.join(sorted(odd))}")
    for name in ("prefixes", "community", "targets", "origins"):
        if isinstance(own.get(name), str):
            raise Unreadable(f"the list {own[name]} does not exist")
    entries = [dict(each) for each in own.get("prefixes", ())]
    marks = [dict(each).get("permit", "") for each in own.get("community", ())]
    if any(set(each) != {"permit"} for each in entries):
        raise Unreadable("a prefix list has a deny entry")
    return Clause(
        permit=own.get("action") == "permit",
        prefixes=tuple(_span(each["permit"]) for each in entries) if "prefixes" in own else None,
        communities=frozenset(marks) if "community" in own else None,
        adds=frozenset(words(own.get("set-community"))),
        strips="community" in words(own.get("strip")),
        preference=int(text(own.get("preference")) or USUAL),
        outer=bool(_OUTER & set(own)),
        targets=_targets(own["targets"]) if "targets" in own else None,
        source=own.get("source-vrf"),
        prepends=tuple(map(int, text(own.get("prepend")).split())),
    )


def exactly(networks: Iterable[Interface]) -> Clause:
    """Return a clause that permits the networks of some addresses and nothing else."""
    return Clause(
        permit=True,
        prefixes=tuple((each, *2 * (each.network.prefixlen,)) for each in networks),
        communities=None,
        adds=frozenset(),
        strips=False,
        prepends=(),
    )


def preferred(told: Policy | None) -> int:
    """Return the rank of imported routes: by preference, then by path."""
    first = next((each for each in told or () if each.permit), None)
    return 0 if first is None else 100 * (USUAL - first.preference) + len(first.prepends)


def _targets(entries: tuple[Any, ...]) -> frozenset[str]:
    return frozenset(each for entry in entries for each in words(dict(entry).get("permit")))


def _span(entry: str) -> tuple[Interface, int, int]:
    match = _PREFIXED.match(entry)
    if match is None:
        raise Unreadable(f"unknown entry of a prefix list: {entry}")
    return interface(match[1]), int(match[2]), int(match[3])
