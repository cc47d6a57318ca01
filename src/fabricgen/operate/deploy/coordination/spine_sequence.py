"""Computes the next step of sessions that change switch by switch.

A change that ends sessions of a spine happens while its neighbors use the others. The spine is
drained, the spine and its neighbors change their common lines, and then the drain ends. The next
spines follow. All other sessions stay, so no leaf loses more than some of its paths.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.topology import Switch
from fabricgen.model.fabric.transition import ANY_ASN, Transition
from fabricgen.operate.deploy.coordination.agreement import STEPS, Course, Step, Term
from fabricgen.operate.deploy.coordination.drain import Pick, drains, said, undrainable
from fabricgen.operate.deploy.coordination.effects import effect_of, is_session
from fabricgen.operate.deploy.coordination.steps import joined
from fabricgen.operate.deploy.coordination.terms import ADDRESS, ASN, LINK, PASSWORD


def turning(
    site: Site,
    terms: Iterable[Term],
    drained: Collection[str],
    silent: Collection[str],
    pick: Pick,
) -> Course:
    """Return the next step of a window, and why one goes undrained, if so.

    drained: switches in their turn now. silent: those that could not be looked at. pick: who of
    some switches may be gone at once.
    """
    every = tuple(terms)
    steps, reasons = [], []
    for fabric in site.fabrics:
        mine = [each for each in every if each.fabric == fabric.name and effect_of(each).breaks]
        found = _turn(fabric, [each for each in mine if _moves(each)], drained, silent, pick)
        if isinstance(found, str):
            reasons.append(f"{fabric.name}: nobody is drained before the window: {found}")
        elif found is not None:
            steps.append(found)
    return Course(joined(steps) if steps else None, tuple(reasons))


def _moves(term: Term) -> bool:
    return any(end.was != end.will for end in term.ends)


def _turn(
    fabric: Fabric,
    terms: Sequence[Term],
    drained: Collection[str],
    silent: Collection[str],
    pick: Pick,
) -> Step | str | None:
    """Return the step of one fabric; why it has none; None where nothing changes."""
    turns: dict[str, list[Term]] = defaultdict(list)
    switches = {switch.name: switch for switch in fabric.topology.switches}
    now = switches.keys() & drained
    for term in terms:
        turns[_whose(switches, term)].append(term)
    if why := _unfit(turns) or _crossing(terms) or _beyond(terms, silent):
        return why
    if done := now - turns.keys():
        ended = f"{' and '.join(sorted(done))} drained no more"
        return _step(turns, done, 3, ended, drains(now - done))
    if not turns:
        return None
    going = now or set(pick(turns))
    if why := undrainable(fabric, going, silent):
        return why
    if now:
        others = {name: turns[name] for name in turns if name not in going}
        changes = f"{' and '.join(sorted(going))} and neighbors change, without traffic on it"
        return _step(others, going, 2, changes)
    return _step(turns, going, 1, said(going))


def _step(
    stays: Mapping[str, Sequence[Term]],
    going: Collection[str],
    number: int,
    sentence: str,
    keeps: Mapping[str, Transition] | None = None,
) -> Step:
    """Return a step of the turn of some switches, while what is between others stays."""
    kept = _kept([term for terms in stays.values() for term in terms])
    drain = drains(going) if keeps is None else keeps
    left = -(-len([name for name in stays if name not in going]) // len(going))
    both = [Step(number=number, said=sentence, kept=each) for each in (kept, drain)]
    step = joined(both)
    return Step(number=number, of=STEPS * (1 + left), said=sentence, kept=step.kept)


def _whose(switches: Mapping[str, Switch], term: Term) -> str:
    """Return in whose turn a term changes; empty where that is nobody's.

    An ASN in that of its owner, the addresses of a cable in that of the spine at one end of it.
    """
    ends = [switches[end.switch] for end in term.ends]
    if term.word == ASN and not ends[0].is_leaf:
        return ends[0].name
    if (term.kind, term.word) == (LINK, ADDRESS):
        return min((each.role.tier, each.name) for each in ends if not each.is_leaf)[1]
    return ""


def _unfit(turns: Mapping[str, Sequence[Term]]) -> str:
    """Say what changes that no drained switch helps."""
    if not turns.get(""):
        return ""
    term = turns[""][0]
    if term.word == PASSWORD:
        return "of a password that runs no more is known than that it is another"
    if not is_session(term):
        return f"{effect_of(term).noun} {term.of} changes on all of its leafs"
    return f"{effect_of(term).noun} of {term.of}: nothing stands in for what that ends"


def _crossing(terms: Sequence[Term]) -> str:
    """Say which value would be in two places, while some have the new ones and some the old."""
    for word in (ASN, ADDRESS):
        owners = [term.ends[0] for term in terms if term.word == word]
        before = {_host(end.was) for end in owners}
        for end in owners:
            if end.was != end.will and _host(end.will) in before:
                return f"{end.switch} gets {word} {_host(end.will)}, which is in use before"
    return ""


def _beyond(terms: Sequence[Term], silent: Collection[str]) -> str:
    """Say what cannot be kept while others have their turn."""
    for term in terms:
        for end in term.ends:
            if end.outside:
                why = "cannot be looked at" if end.switch in silent else "is not in this plan"
                return f"{end.switch} {why}"
            if None in (end.was, end.will) or ANY_ASN in (end.was, end.will):
                return f"{effect_of(term).noun} of {term.of} is not what it was instead"
            if _length(end.was) != _length(end.will):
                return f"the links of {end.switch} get prefixes of another length"
    return ""


def _kept(terms: Iterable[Term]) -> dict[str, Transition]:
    """Return what both ends keep of terms that stay."""
    own: dict[str, int] = {}
    asns: dict[str, dict[str, int]] = defaultdict(dict)
    addresses: dict[str, dict[str, str]] = defaultdict(dict)
    for term in terms:
        owner, peer = term.ends
        if term.word == ASN:
            own[owner.switch] = int(str(owner.was))
            asns[peer.switch][owner.switch] = int(str(peer.was))
        else:
            for end in term.ends:
                addresses[end.switch][_host(end.will)] = _host(end.was)
    return {
        name: Transition(
            asn=own.get(name), asns=asns.get(name, {}), addresses=addresses.get(name, {})
        )
        for name in {*own, *asns, *addresses}
    }


def _host(value: Any) -> str:
    """Return an ASN, or an address of one or more, without its length."""
    first = value[0] if isinstance(value, tuple) and value else value
    return str(first).partition("/")[0]


def _length(value: Any) -> str:
    first = value[0] if isinstance(value, tuple) and value else value
    return str(first).partition("/")[2]
