"""Routing and external peers in; what may pass between tiers and to the outside out.

The same policy on every platform. What comes from above is marked and never sent back up, so that
traffic goes up, then down, and no leaf or spine becomes a detour (RFC 7938 section 5.2). The same
holds in EVPN, whose routes have no prefix list: there the mark is all.
"""

from collections.abc import Callable
from functools import lru_cache

from fabricgen.fabric.because import Because
from fabricgen.fabric.external import ExternalPeer
from fabricgen.fabric.leaks import taken_by
from fabricgen.fabric.overlay import Vrf
from fabricgen.fabric.routing import FROM_ABOVE, AllowedPrefix, Routing
from fabricgen.nos.shared.frr.view import Policy, PrefixRule, RouteMap, Source, Taking

ALLOWED = "ALLOWED"
ABOVE, BELOW = "ABOVE", "BELOW"
EVPN = "EVPN-"
_RULE = "only this fabric's own prefixes pass; routes from above stay below"


@lru_cache(maxsize=64)
def policy(
    routing: Routing,
    groups: tuple[str, ...],
    peers: tuple[ExternalPeer, ...],
    takers: tuple[Vrf, ...] = (),
    detour: str = "",
    vrf: Callable[[str], str] = str,
) -> Policy:
    """Return the policy of a switch with these peer groups; most switches have the same.

    takers: its VRFs that take routes of others. vrf: how the OS spells one.
    """
    because = Because((routing.path,), _RULE)
    names = {name: peer for peer in peers for name in (peer.inward, peer.outward)}
    return Policy(
        allowed=_allowed(routing, because),
        above=ABOVE in groups,
        below=BELOW in groups,
        overlay=EVPN + ABOVE in groups,
        mark=FROM_ABOVE,
        detour=detour,
        lists=_lists(peers, takers),
        maps=tuple(
            sorted((RouteMap(name, peer.because) for name, peer in names.items()), key=_name)
        ),
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


def _name(item: RouteMap) -> str:
    return item.name


def _allowed(routing: Routing, because: Because) -> tuple[PrefixRule, ...]:
    """Return the prefix list of a fabric."""
    return tuple(
        PrefixRule(
            name=ALLOWED,
            seq=10 * number,
            prefix=allowed.prefix.prefix,
            lengths=lengths(allowed),
            because=because,
        )
        for number, allowed in enumerate(routing.allowed, 1)
    )


def lengths(allowed: AllowedPrefix) -> str:
    """Spell the lengths allowed inside a prefix; FRR wants length < ge <= le, equals unsaid."""
    shortest = f" ge {allowed.shortest}" if allowed.shortest > allowed.prefix.length else ""
    longest = f" le {allowed.longest}" if allowed.longest > allowed.prefix.length else ""
    return shortest + longest


def _lists(peers: tuple[ExternalPeer, ...], takers: tuple[Vrf, ...]) -> tuple[PrefixRule, ...]:
    """Return the lists of external peers, by name as FRR prints them; servers share theirs.

    Those of what VRFs take are among them.
    """
    rules = {
        (name, rule.sequence): PrefixRule(
            name=name,
            seq=rule.sequence,
            prefix=rule.prefix.prefix,
            lengths=lengths(rule.allowed),
            because=peer.because,
        )
        for peer in peers
        for name, accepted in ((peer.inward, peer.accept), (peer.outward, peer.announce))
        for rule in accepted
    }
    rules |= {
        (taken.list_of(taker.name), rule.sequence): PrefixRule(
            name=taken.list_of(taker.name),
            seq=rule.sequence,
            prefix=rule.prefix.prefix,
            lengths=f" le {rule.longest}" if rule.longest > rule.prefix.length else "",
            because=taken.because,
        )
        for taker in takers
        for taken in taker.takes
        for rule in taken.prefixes
    }
    return tuple(rules[key] for key in sorted(rules))
