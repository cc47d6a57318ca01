"""Compute the next step of a fabric towards new ASNs.

First the neighbors of a switch with a new ASN accept any ASN. Then the ASNs change batch by batch.
Last, all neighbors get exact numbers again. Without the first step a session is rejected with Bad
Peer AS (RFC 4271 section 6.2) from the batch of one end to that of the other.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable

from fabricgen.core.units import shortened
from fabricgen.model.fabric.transition import ANY_ASN, Transition
from fabricgen.nos.features import Unsupported
from fabricgen.operate.deploy.coordination.agreement import STEPS, Step, Term, agree
from fabricgen.operate.deploy.coordination.terms import ASN

Asns = dict[str, tuple[int, int]]
"""Current and new ASN of the switches that change it."""


def renumbering(
    terms: Iterable[Term], any_asn: Callable[[str], Unsupported | None]
) -> Step | str | None:
    """Return the step, a sentence why steps are impossible, or None without an ASN change."""
    mine = sorted((term for term in terms if term.word == ASN), key=_whose)
    moving = _moving(mine)
    strange = [term for term in mine if _is_strange(term, moving)]
    if not strange and not any(map(_any, mine)):
        return None
    if why := _taken(mine, moving) or _unable(strange, any_asn):
        return why
    ready = all(_any(term) or _new(term) for term in strange)
    owners = sorted({term.ends[0].switch for term in strange})
    stays = {} if ready else {name: moving[name] for name in owners if name in moving}
    return Step(
        number=STEPS if not strange else 2 if ready else 1,
        said=_said(owners, ready=ready),
        kept=_kept(strange, stays),
        waits=tuple(sorted({end.switch for term in strange for end in term.ends if end.outside})),
    )


def _whose(term: Term) -> tuple[str, ...]:
    return tuple(end.switch for end in term.ends)


def _is_strange(term: Term, moving: Asns) -> bool:
    """Check whether the peer must accept any ASN in this step.

    The expectations of a switch without a snapshot are left open as well. A session that is down
    now has nothing to lose: it comes up as soon as both ends match the design.
    """
    owner, peer = term.ends
    if None not in (owner.was, peer.was) and not agree(ASN, owner.was, peer.was):
        return False
    if owner.switch in moving:
        return True
    return (owner.outside and peer.was != peer.will) or (_any(term) and bool(moving))


def _kept(strange: Iterable[Term], stays: Asns) -> dict[str, Transition]:
    """Return the retained settings. stays: switches that retain their ASN for now."""
    strangers: dict[str, set[str]] = defaultdict(set)
    for owner, peer in (term.ends for term in strange):
        if not peer.outside:
            strangers[peer.switch].add(owner.switch)
    return {
        name: Transition(
            asn=stays[name][0] if name in stays else None,
            strangers=tuple(sorted(strangers.get(name, ()))),
        )
        for name in {*stays, *strangers}
    }


def _any(term: Term) -> bool:
    """Check whether the peer already accepts any ASN."""
    return term.ends[1].was == ANY_ASN


def _new(term: Term) -> bool:
    """Check whether the session is new, so that nothing is interrupted."""
    return term.ends[1].was is None and not term.ends[1].outside


def _moving(terms: Iterable[Term]) -> Asns:
    owners = {term.ends[0].switch: term.ends[0] for term in terms}
    return {
        name: (int(str(end.was)), int(str(end.will)))
        for name, end in owners.items()
        if not end.outside and None not in (end.was, end.will) and end.was != end.will
    }


def _taken(terms: Iterable[Term], moving: Asns) -> str:
    """Return a sentence if two switches would share an ASN for a while; empty otherwise.

    A switch drops every route with its own ASN in the path (RFC 4271 section 9.1.2).
    """
    owners = {term.ends[0].switch: term.ends[0] for term in terms}
    runs = {name: str(end.was) for name, end in owners.items() if not end.outside}
    for name, (_, new) in moving.items():
        for other, number in runs.items():
            stays = other not in moving or moving[other][1] == new
            if other != name and number == str(new) and not stays:
                return (
                    f"{name} gets ASN {new}, which {other} still uses: in the meantime both "
                    "would drop each other's routes"
                )
    return ""


def _unable(terms: Iterable[Term], any_asn: Callable[[str], Unsupported | None]) -> str:
    for term in terms:
        peer = term.ends[1]
        if not peer.outside and (no := any_asn(peer.switch)) is not None:
            return f"{peer.switch} cannot accept any ASN of {term.of}: {no.why}"
    return ""


def _said(owners: list[str], *, ready: bool) -> str:
    if not owners:
        return "neighbors expect exact ASNs again"
    if ready:
        return f"new ASN for {shortened(owners)}, batch by batch"
    return f"the neighbors of {shortened(owners)} accept any ASN"
