"""Build the FRR route policy between tiers and towards external peers.

Every platform has the same policy. Routes from the tier above have a community and are never sent
back up. So traffic goes up, then down, and no leaf or spine becomes a detour (RFC 7938 section
5.2). EVPN routes have no prefix list, so the community alone decides.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache

from fabricgen.core.provenance import Provenance
from fabricgen.model.fabric.leaks import family_of, joinable, taken_by, taking
from fabricgen.model.fabric.overlay import Vrf
from fabricgen.model.fabric.routing import FROM_ABOVE, Routing
from fabricgen.nos.shared.border import BorderPolicy, Outward, PrefixLine, taken_lines
from fabricgen.nos.shared.frr.view import Policy, Source, Taking, Withheld

ALLOWED = "ALLOWED"
ABOVE, BELOW = "ABOVE", "BELOW"
EVPN = "EVPN-"
PEER = "PEER"
"""The group of the other leaf of an MLAG pair."""
_RULE = "only this fabric's own prefixes pass; routes from above stay below"


@lru_cache(maxsize=64)
def policy(
    routing: Routing,
    groups: tuple[str, ...],
    border: BorderPolicy | None,
    takers: tuple[Vrf, ...] = (),
    maps: tuple[tuple[Outward, ...], tuple[Outward, ...]] = ((), ()),
    vrf: Callable[[str], str] = str,
    withheld: Provenance | None = None,
) -> Policy:
    """Return the policy of a switch with these peer groups; most switches have the same.

    `takers`: its VRFs that import routes of others. `maps`: export maps towards the tiers above and
    below. `vrf`: spells a VRF. `withheld`: why Ethernet segments are not advertised, if so.
    """
    because = Provenance((routing.path,), _RULE)
    return Policy(
        allowed=() if routing.ospf else _allowed(routing, because),
        above=ABOVE in groups,
        below=BELOW in groups,
        overlay=EVPN + ABOVE in groups,
        partner=PEER in groups,
        mark=FROM_ABOVE,
        withheld=_withheld(withheld) if withheld is not None else (),
        upward=maps[0],
        downward=maps[1],
        border=border,
        lists=taken_lines(takers, 4),
        lists6=taken_lines(takers, 6),
        takings=tuple(sorted(_takings(takers, vrf), key=_taken)),
        because=because,
    )


def _withheld(because: Provenance) -> tuple[Withheld, ...]:
    """Return types 1 and 4 (RFC 7432, section 7), which attract traffic for a segment."""
    return tuple(
        Withheld(seq=seq, kind=kind, because=because) for seq, kind in enumerate(("ead", "es"), 1)
    )


def told_of(vrf: str, version: int) -> str:
    """Name the route map that keeps the imported routes of a VRF out of EVPN."""
    return family_of(f"OWN-{joinable(vrf)}", version)


def sources_of(taker: Vrf, vrf: Callable[[str], str], version: int) -> tuple[Source, ...]:
    """Return the sources of a VRF. Each has the number of its VRF, which a new one keeps."""
    return tuple(
        Source(
            rank=taken.id,
            list=taken.list_of(taker.name, version),
            vrf=vrf(taken.source),
            because=taken.because,
        )
        for taken in taking(taker.takes, version)
    )


def _takings(takers: tuple[Vrf, ...], vrf: Callable[[str], str]) -> Iterator[Taking]:
    for taker in takers:
        for version, family in ((4, "ip"), (6, "ipv6")):
            if taking(taker.takes, version):
                yield Taking(
                    taken=family_of(taken_by(taker.name), version),
                    told=told_of(taker.name, version),
                    family=family,
                    sources=sources_of(taker, vrf, version),
                    because=taker.because,
                )


def _taken(item: Taking) -> str:
    return item.taken


def _allowed(routing: Routing, because: Provenance) -> tuple[PrefixLine, ...]:
    """Return the prefix list of a fabric."""
    return tuple(
        PrefixLine(
            name=ALLOWED, seq=allowed.sequence, allowed=allowed, because=allowed.why or because
        )
        for allowed in routing.allowed
    )
