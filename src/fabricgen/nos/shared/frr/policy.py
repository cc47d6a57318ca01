"""Routing and external peers in; what may pass between tiers and to the outside out.

The same policy on every platform. What comes from above is marked and never sent back up, so that
traffic goes up, then down, and no leaf or spine becomes a detour (RFC 7938 section 5.2). The same
holds in EVPN, whose routes have no prefix list: there the mark is all.
"""

from functools import lru_cache

from fabricgen.fabric.because import Because
from fabricgen.fabric.external import ExternalPeer
from fabricgen.fabric.routing import FROM_ABOVE, AllowedPrefix, Routing
from fabricgen.nos.shared.frr.view import Policy, PrefixRule, RouteMap

ALLOWED = "ALLOWED"
ABOVE, BELOW = "ABOVE", "BELOW"
EVPN = "EVPN-"
_RULE = "only this fabric's own prefixes pass; routes from above stay below"


@lru_cache(maxsize=64)
def policy(
    routing: Routing, groups: tuple[str, ...], peers: tuple[ExternalPeer, ...], detour: str = ""
) -> Policy:
    """Return the policy of a switch with these peer groups; most switches have the same."""
    because = Because((routing.path,), _RULE)
    names = {name: peer for peer in peers for name in (peer.inward, peer.outward)}
    return Policy(
        allowed=_allowed(routing, because),
        above=ABOVE in groups,
        below=BELOW in groups,
        overlay=EVPN + ABOVE in groups,
        mark=FROM_ABOVE,
        detour=detour,
        lists=_lists(peers),
        maps=tuple(
            sorted((RouteMap(name, peer.because) for name, peer in names.items()), key=_name)
        ),
        because=because,
    )


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


def _lists(peers: tuple[ExternalPeer, ...]) -> tuple[PrefixRule, ...]:
    """Return the lists of external peers, by name as FRR prints them; servers share theirs."""
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
    return tuple(rules[key] for key in sorted(rules))
