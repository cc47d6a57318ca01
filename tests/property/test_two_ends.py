"""What the choreography says of two ends, beside a simulation of every prefix of the batches."""

from collections.abc import Iterator, Mapping
from itertools import combinations

from hypothesis import HealthCheck, given, settings
from tests.longer import draws
from tests.property.two_ends import Broken, Case, broken, changes, pieces

from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.operate.deploy.coordination.agreement import agree
from fabricgen.operate.deploy.coordination.ends import terms
from fabricgen.operate.deploy.coordination.split import Apart, apart, said
from fabricgen.operate.deploy.coordination.terms import Terms, changed, terms_of
from fabricgen.operate.deploy.coordination.window import windows
from fabricgen.prove.written import judge_of

BREAKS = {"asn", "password", "address", "vni"}
UNSEEN = {("link", "timers"), ("evpn", "timers"), ("evpn", "bfd")}
"""What files say and no slice does: it is each platform's."""


def stated(switch_slice: SwitchSlice) -> Terms:
    judge = judge_of(switch_slice.switch.platform)
    assert judge is not None
    return terms_of(judge.expectation.of(switch_slice))


def told(each: Apart, when: Mapping[str, int], moment: int) -> Iterator[Broken]:
    """Yield the pairs of ends of a term that differ after a batch."""
    term = each.term
    if not each.begins <= moment or (each.ends is not None and moment >= each.ends):
        return
    for one, other in combinations(term.ends, 2):
        now = said(one, when, moment), said(other, when, moment)
        if term.kind in ("vlan", "vrf", "tunnel") or not (one.outside or other.outside):
            works = agree(term.word, *now)
        else:  # who is outside works with what the other end said before
            works = now == (one.was, other.was)
        if not works:
            yield term.kind, term.word, term.of, *sorted((one.switch, other.switch))


@settings(
    max_examples=draws(100),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(changes())
def test_what_is_said_to_differ_is_what_does_not_work(case: Case) -> None:
    """After each batch; with some switches outside the plan, which run what they ran."""
    before, after = pieces(case.before), pieces(case.after)
    drawn = dict(zip(before, case.when, strict=True))
    outside = {name for name, batch in drawn.items() if not batch}
    known = sorted({*before} - outside)
    looks = {name: changed(stated(before[name]), stated(after[name])) for name in known}
    when = {name: drawn[name] for name in known if looks[name]}
    every = list(terms(case.after, looks, known))
    apartness = list(apart(every, when))
    for moment in range(5):
        runs = {
            name: after[name] if when.get(name, 9) <= moment else before[name] for name in before
        }
        wanted = {each for each in broken(runs) if not {*each[3:]} <= outside}
        found = {
            each
            for apart_ in apartness
            if (apart_.term.kind, apart_.term.word) not in UNSEEN
            for each in told(apart_, when, moment)
            if not {*each[3:]} <= outside
        }
        found, wanted = _first(found), _first(wanted)
        assert found == wanted, (moment, found - wanted, wanted - found)
    _windowed(before, after, apartness)


def _first(differing: set[Broken]) -> set[Broken]:
    """Leave out what else differs between two loopbacks that do not find each other."""
    lost = {each[3:] for each in differing if each[:2] == ("evpn", "address")}
    return {each for each in differing if each[0] != "evpn" or each[3:] not in lost} | {
        each for each in differing if each[:2] == ("evpn", "address")
    }


def _windowed(
    before: Mapping[str, SwitchSlice], after: Mapping[str, SwitchSlice], apartness: list[Apart]
) -> None:
    """What windows hold is what the simulation cannot take apart, and no switch more."""
    inside = {name for window in windows(apartness) for name in window.switches}
    for each in apartness:
        changing = [end.switch for end in each.term.ends if end.was != end.will]
        if each.stops and len(changing) > 1:
            assert inside.issuperset(changing)
    for name in inside:
        alone = {**before, name: after[name]}
        assert any(each[1] in BREAKS and name in each for each in broken(alone))
