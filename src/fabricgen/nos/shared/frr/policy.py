"""Routing and external peers in; what may pass between tiers and to the outside out.

The same policy on every platform. What comes from above is marked and never sent back up, so that
traffic goes up, then down, and no leaf or spine becomes a detour (RFC 7938 section 5.2). The same
holds in EVPN, whose routes have no prefix list: there the mark is all.
"""

from collections.abc import Callable
from functools import lru_cache

from fabricgen.fabric.because import Because
from fabricgen.fabric.leaks import taken_by
from fabricgen.fabric.overlay import Vrf
from fabricgen.fabric.routing import FROM_ABOVE, AllowedPrefix, Routing
from fabricgen.nos.shared.border import BorderPolicy, PrefixLine
from fabricgen.nos.shared.frr.view import Policy, Source, Taking

ALLOWED = "ALLOWED"
ABOVE, BELOW = "ABOVE", "BELOW"
EVPN = "EVPN-"
_RULE = "only this fabric's own prefixes pass; routes from above stay below"


@lru_cache(maxsize=64)
def policy(
    routing: Routing,
    groups: tuple[str, ...],
    border: BorderPolicy | None,
    takers: tuple[Vrf, ...] = (),
    detour: str = "",
    vrf: Callable[[str], str] = str,
) -> Policy:
    """Return the policy of a switch with these peer groups; most switches have the same.

    takers: its VRFs that take routes of others. vrf: how the OS spells one.
    """
    because = Because((routing.path,), _RULE)
    return Policy(
        allowed=_allowed(routing, because),
        above=ABOVE in groups,
        below=BELOW in groups,
        overlay=EVPN + ABOVE in groups,
        mark=FROM_ABOVE,
        detour=detour,
        border=border,
        lists=_lists(takers),
        takings=tuple(sorted((_taking(each, vrf) for each in takers), key=_taken)),
        because=because,
    )


def told_of(vrf: str) -> str:
    """Name the route map of what EVPN is told of a VRF that takes routes: all but those."""
    return f"OWN-{vrf}"


def sources_of(taker: Vrf, vrf: Callable[[str], str]) -> tuple[Source, ...]:
    """Return from whom a VRF takes; each has the number of its VRF, so a new one moves none."""
    return tuple(
        Source(
            rank=taken.id,
            list=taken.list_of(taker.name),
            vrf=vrf(taken.source),
            because=taken.because,
        )
        for taken in sorted(taker.takes, key=lambda taken: taken.id)
    )


def _taking(taker: Vrf, vrf: Callable[[str], str]) -> Taking:
    return Taking(
        taken=taken_by(taker.name),
        told=told_of(taker.name),
        sources=sources_of(taker, vrf),
        because=taker.because,
    )


def _taken(item: Taking) -> str:
    return item.taken


def _allowed(routing: Routing, because: Because) -> tuple[PrefixLine, ...]:
    """Return the prefix list of a fabric."""
    return tuple(
        PrefixLine(
            name=ALLOWED,
            seq=10 * number,
            allowed=allowed,
            because=because,
        )
        for number, allowed in enumerate(routing.allowed, 1)
    )


def _lists(takers: tuple[Vrf, ...]) -> tuple[PrefixLine, ...]:
    """Return the lists of what VRFs take of one another, by name as FRR prints them."""
    lines = (
        PrefixLine(
            name=taken.list_of(taker.name),
            seq=rule.sequence,
            allowed=AllowedPrefix(
                prefix=rule.prefix, shortest=rule.prefix.length, longest=rule.longest
            ),
            because=taken.because,
        )
        for taker in takers
        for taken in taker.takes
        for rule in taken.prefixes
    )
    return tuple(sorted(lines, key=lambda line: (line.name, line.seq)))
