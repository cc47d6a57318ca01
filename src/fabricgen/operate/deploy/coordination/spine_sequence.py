"""Compute the next step of sessions that change switch by switch.

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
    """Return the next step of a window, with the reasons for a window without a drain.

    Args:
        site: The site.
        terms: The changing terms.
        drained: Switches that are drained now for their change.
        silent: Switches without a snapshot.
        pick: Selects the switches that may be unavailable at once.
    """
    every = tuple(terms)
    steps, reasons = [], []
    for fabric in site.fabrics:
        mine = [each for each in every if each.fabric == fabric.name and effect_of(each).breaks]
        found = _turn(fabric, [each for each in mine if _moves(each)], drained, silent, pick)
        if isinstance(found, str):
            reasons.append(f"{fabric.name}: no switch is drained before the window: {found}")
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
    """Return the step of one fabric, the reason why it has none, or None without a change."""
    turns: dict[str, list[Term]] = defaultdict(list)
    switches = {switch.name: switch for switch in fabric.topology.switches}
    now = switches.keys() & drained
    for term in terms:
        turns[_whose(switches, term)].append(term)
    if why := _unfit(turns) or _crossing(terms) or _beyond(terms, silent):
        return why
    if done := now - turns.keys():
        ended = f"{' and '.join(sorted(done))} restored to service"
        return _step(turns, done, 3, ended, drains(now - done))
    if not turns:
        return None
    going = now or set(pick(turns))
    if why := undrainable(fabric, going, silent):
        return why
    if now:
        others = {name: turns[name] for name in turns if name not in going}
        changes = f"{' and '.join(sorted(going))} and its neighbors change while drained"
        return _step(others, going, 2, changes)
    return _step(turns, going, 1, said(going))


def _step(
    stays: Mapping[str, Sequence[Term]],
    going: Collection[str],
    number: int,
    sentence: str,
    keeps: Mapping[str, Transition] | None = None,
) -> Step:
    """Return a step for some switches that retains the terms of the others."""
    kept = _kept([term for terms in stays.values() for term in terms])
    drain = drains(going) if keeps is None else keeps
    left = -(-len([name for name in stays if name not in going]) // len(going))
    both = [Step(number=number, said=sentence, kept=each) for each in (kept, drain)]
    step = joined(both)
    return Step(number=number, of=STEPS * (1 + left), said=sentence, kept=step.kept)


def _whose(switches: Mapping[str, Switch], term: Term) -> str:
    """Return the spine with which a term changes; empty when there is none.

    An ASN changes with its owner, the addresses of a cable with the spine at one end.
    """
    ends = [switches[end.switch] for end in term.ends]
    if term.word == ASN and not ends[0].is_leaf:
        return ends[0].name
    if (term.kind, term.word) == (LINK, ADDRESS):
        return min((each.role.tier, each.name) for each in ends if not each.is_leaf)[1]
    return ""


def _unfit(turns: Mapping[str, Sequence[Term]]) -> str:
    """Return a change that a drain does not help."""
    if not turns.get(""):
        return ""
    term = turns[""][0]
    if term.word == PASSWORD:
        return "the current password is known only as a hash"
    if not is_session(term):
        return f"{effect_of(term).noun} {term.of} changes on all its leafs"
    return f"{effect_of(term).noun} of {term.of}: no redundant path for the interrupted sessions"


def _crossing(terms: Sequence[Term]) -> str:
    """Return a value that would be used twice while only some switches have new values."""
    for word in (ASN, ADDRESS):
        owners = [term.ends[0] for term in terms if term.word == word]
        before = {_host(end.was) for end in owners}
        for end in owners:
            if end.was != end.will and _host(end.will) in before:
                return f"{end.switch} gets {word} {_host(end.will)}, which is still in use"
    return ""


def _beyond(terms: Sequence[Term], silent: Collection[str]) -> str:
    """Return a value that cannot be retained while other spines change."""
    for term in terms:
        for end in term.ends:
            if end.outside:
                why = "has no state snapshot" if end.switch in silent else "is not in this plan"
                return f"{end.switch} {why}"
            if None in (end.was, end.will) or ANY_ASN in (end.was, end.will):
                return f"{effect_of(term).noun} of {term.of} has no exact old or new value"
            if _length(end.was) != _length(end.will):
                return f"the links of {end.switch} get another prefix length"
    return ""


def _kept(terms: Iterable[Term]) -> dict[str, Transition]:
    """Return the retained settings of both ends for terms that stay."""
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
    """Return an ASN, or the first address without its length."""
    first = value[0] if isinstance(value, tuple) and value else value
    return str(first).partition("/")[0]


def _length(value: Any) -> str:
    first = value[0] if isinstance(value, tuple) and value else value
    return str(first).partition("/")[2]
