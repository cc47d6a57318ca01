"""Steps of a change with two ends, in any order of batches and with any interruption.

A small frontend runs one intent and is led to another: its ASNs, its route targets, or both. At no
moment does something stop that works in both, and it ends in the design.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.longer import draws

from fabricgen.compile.design.site import design_site
from fabricgen.compile.design.slices import Slicer
from fabricgen.intent.model.intent import Intent
from fabricgen.model.fabric.switch import Site
from fabricgen.model.fabric.topology import Port, Switch
from fabricgen.model.fabric.transition import AS_DESIGNED, Transition
from fabricgen.nos.lowering import spell
from fabricgen.nos.registry import nos
from fabricgen.operate.deploy.coordination.agreement import Step
from fabricgen.operate.deploy.coordination.ends import terms
from fabricgen.operate.deploy.coordination.steps import next_step
from fabricgen.operate.deploy.coordination.terms import (
    ASN,
    EVPN,
    EXPORT,
    IMPORT,
    LINK,
    SWITCH,
    VLAN,
    VRF,
    Item,
    Terms,
    changed,
    terms_of,
)
from fabricgen.operate.deploy.plan.document import Keeps, keeps_of
from fabricgen.prove.written import judge_of

LEAFS, SPINES = ("fe-leaf01", "fe-leaf02", "fe-leaf03"), ("fe-spine1", "fe-spine2")
EVERYBODY = (*LEAFS, *SPINES)
BEFORE = -1
LEAF_ASNS = {"underlay": {"asn": {"first": 4_201_000_000}}}
ALL_ASNS = {"underlay": {"asn": {"first": 4_201_000_000, "last": 4_201_009_999}}}
TARGETS = {"overlay": {"route_target_asn": 64_001}}
CHANGES = (LEAF_ASNS, ALL_ASNS, TARGETS, LEAF_ASNS | TARGETS, ALL_ASNS | TARGETS)
MOST = 3
"""Plans that an uninterrupted change takes."""


@lru_cache(maxsize=16)
def _site(number: int) -> Site:
    """Design the frontend of before (-1), or with a change."""
    frontend = {
        "leaf": {"model": "7050CX3-32S", "platform": "linux"},
        "spine": {"model": "7050CX3-32S", "platform": "linux", "count": 2},
        "leaf_groups": {
            "hosts": {
                "leafs": "1-3",
                "servers": {"per_leaf": 1, "speed": "100G", "names": "{leaf}-h{index}"},
            }
        },
        **({} if number == BEFORE else CHANGES[number]),
    }
    vlans = {"web": {"id": 10, "subnet": "10.10.10.0/24"}}
    red = {
        "vrfs": {"red": {"id": 1, "vlans": vlans}},
        "attachments": [{"group": "hosts", "servers": "1-1", "access": "web"}],
    }
    intent = {
        "site": {"name": "small", "management": {"subnet": "10.255.0.0/24"}},
        "frontend": frontend,
        "tenants": {"red": red},
    }
    site, findings = design_site(Intent.model_validate(intent))
    assert not findings
    return site


class Network:
    """What each switch runs, as it would be read; changed a switch at a time."""

    def __init__(self, change: int) -> None:
        self.change, self.site = change, _site(change)
        self.fabric = self.site.fabrics[0]
        self.switches = {switch.name: switch for switch in self.fabric.topology.switches}
        self.runs = {name: _says(BEFORE, name) for name in self.switches}

    def step(self, known: frozenset[str]) -> Step | None:
        """Plan: compare what runs with the design."""
        looks = {name: changed(self.runs[name], _says(self.change, name)) for name in sorted(known)}
        course = next_step(
            terms(self.site, looks, known), lambda name: nos(self.switches[name].platform).any_asn
        )
        assert course.bound == ()
        return course.step

    def push(self, step: Step | None, name: str) -> None:
        """Bring a switch to where a plan leads it."""
        kept: Mapping[str, Transition] = {} if step is None else step.kept
        self.runs[name] = _says(self.change, name, kept.get(name, AS_DESIGNED))

    @property
    def done(self) -> bool:
        return all(self.runs[name] == _says(self.change, name) for name in self.switches)

    def broken(self) -> list[str]:
        """Return what does not work: read from what runs, by none of the code that plans."""
        return [*self._sessions(), *self._targets()]

    def _sessions(self) -> Iterator[str]:
        for link in self.fabric.topology.links:
            if not isinstance(link.lower, Switch):
                continue
            assert isinstance(link.lower_port, Port)
            ends = ((link.lower, link.lower_port), (link.upper, link.upper_port))
            for (one, port), (other, _) in (ends, ends[::-1]):
                host = self.fabric.addresses.loopback(other).host
                own = self.runs[other.name][Item(SWITCH, "", ASN)]
                if own == self.runs[one.name][Item(SWITCH, "", ASN)]:
                    yield f"{one.name} and {other.name} have one ASN"
                for item in (Item(LINK, spell(one, port), ASN), Item(EVPN, host, ASN)):
                    if self.runs[one.name][item] not in (own, "external"):
                        yield f"{one.name} refuses {other.name} at {item}"

    def _targets(self) -> Iterator[str]:
        for sender, taker in permutations(LEAFS, 2):
            for kind, name in ((VLAN, "10"), (VRF, "red")):
                sent = self.runs[sender][Item(kind, name, EXPORT)]
                if {*sent}.isdisjoint(self.runs[taker][Item(kind, name, IMPORT)]):
                    yield f"{taker} imports none of {sent} of {sender} for {kind} {name}"


@lru_cache(maxsize=1024)
def _said(change: int, name: str, kept: str) -> Terms:
    fabric = _site(change).fabrics[0]
    switch = next(each for each in fabric.topology.switches if each.name == name)
    judge = judge_of(switch.platform)
    assert judge is not None
    transition = Keeps.model_validate_json(kept).transition
    return terms_of(judge.expectation.of(Slicer(fabric).slice(switch, transition)))


def _says(change: int, name: str, kept: Transition = AS_DESIGNED) -> Terms:
    """Return what a switch says, by way of the plan's document: what it keeps has to fit there."""
    return dict(_said(change, name, keeps_of(kept).model_dump_json()))


orders = st.permutations(EVERYBODY)
cuts = st.lists(st.integers(min_value=0, max_value=len(EVERYBODY)), max_size=6)


@given(change=st.integers(0, len(CHANGES) - 1), order=orders, cuts=cuts)
@settings(max_examples=draws(60), deadline=None)
def test_nothing_breaks_at_any_moment_and_it_ends_in_the_design(
    change: int, order: list[str], cuts: list[int]
) -> None:
    """cuts: after how many switches each of the first plans is interrupted."""
    network = Network(change)
    everybody = frozenset(network.switches)
    for cut in [*cuts, *[len(EVERYBODY)] * MOST]:
        step = network.step(everybody)
        for name in order[:cut]:
            network.push(step, name)
            assert network.broken() == []
    assert network.done
    assert network.step(everybody) is None


@given(
    change=st.integers(0, len(CHANGES) - 1),
    parts=st.lists(st.sets(st.sampled_from(EVERYBODY), min_size=1), max_size=6),
)
@settings(max_examples=draws(60), deadline=None)
def test_plans_of_parts_break_nothing_and_wait_for_the_others(
    change: int, parts: list[set[str]]
) -> None:
    """--limit, or switches that cannot be reached: nothing is known of the others."""
    network = Network(change)
    for part in [*parts, *[set(EVERYBODY)] * MOST]:
        step = network.step(frozenset(part))
        for name in sorted(part):
            network.push(step, name)
            assert network.broken() == []
    assert network.done


@pytest.mark.parametrize("change", range(len(CHANGES)))
def test_a_step_is_numbered_and_takes_three_plans(change: int) -> None:
    network = Network(change)
    everybody = frozenset(network.switches)
    seen = []
    while (step := network.step(everybody)) is not None:
        seen.append((step.number, step.left))
        for name in EVERYBODY:
            network.push(step, name)
    assert seen == [(1, 2), (2, 1), (3, 0)]
    assert network.done


def test_without_steps_something_breaks() -> None:
    """The change is of a kind that steps are for; so the test can see it."""
    network = Network(len(CHANGES) - 1)
    network.push(None, LEAFS[0])
    assert len(network.broken()) > 4
