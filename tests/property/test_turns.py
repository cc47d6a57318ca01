"""A window that goes spine by spine, in any order of switches and with any interruption.

A small frontend runs one intent and is led to another by `--one-batch`: other addresses of links,
other ASNs of its spines, or both. No leaf uses a spine whose sessions end, and it ends in the
design.
"""

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any

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
from fabricgen.operate.deploy.batches.plan import BatchRequest, plan_batches
from fabricgen.operate.deploy.batches.sizes import sizes
from fabricgen.operate.deploy.coordination.agreement import Course, Step
from fabricgen.operate.deploy.coordination.ends import terms
from fabricgen.operate.deploy.coordination.spine_sequence import turning
from fabricgen.operate.deploy.coordination.split import apart
from fabricgen.operate.deploy.coordination.terms import (
    ADDRESS,
    ASN,
    DRAIN,
    EVPN,
    LINK,
    PEER,
    SWITCH,
    Changed,
    Item,
    Terms,
    changed,
    terms_of,
)
from fabricgen.operate.deploy.coordination.window import windows
from fabricgen.operate.deploy.plan.document import Keeps, keeps_of
from fabricgen.prove.written import judge_of

LEAFS = ("fe-leaf01", "fe-leaf02", "fe-leaf03")
SPINES = ("fe-spine1", "fe-spine2", "fe-spine3", "fe-spine4")
BEFORE = -1
LINKS = {"addressing": {"links": "10.77.0.0/20"}}
ASNS = {"underlay": {"asn": {"last": 4_201_009_999}}}
CHANGES: tuple[dict[str, dict[str, Any]], ...] = (LINKS, ASNS, LINKS | ASNS)
WITHOUT: tuple[tuple[dict[str, dict[str, Any]], str], ...] = (
    (
        {"underlay": {"asn": {"first": 4_201_000_000}}},
        "no redundant path for the interrupted sessions",
    ),
    ({"underlay": {"password": "env:NEW"}}, "known only as a hash"),
    ({"underlay": {"links": "unnumbered"}}, "has no exact old or new value"),
    ({"underlay": {"asn": {"last": 4_294_967_292}}}, "which is still in use"),
)
"""Changes that nobody is drained for, and why."""
GONE = Item(DRAIN, "", DRAIN)


@lru_cache(maxsize=16)
def _site(number: int, spines: int = len(SPINES)) -> Site:
    """Design the frontend of before (-1), or with a change."""
    every = (*CHANGES, *(change for change, _ in WITHOUT))
    change = {} if number == BEFORE else every[number]
    underlay = {"links": "numbered", **change.get("underlay", {})}
    frontend = {
        "leaf": {"model": "7050CX3-32S", "platform": "linux"},
        "spine": {"model": "7050CX3-32S", "platform": "linux", "count": spines},
        "leaf_groups": {
            "hosts": {
                "leafs": "1-3",
                "servers": {"per_leaf": 1, "speed": "100G", "names": "{leaf}-h{index}"},
            }
        },
        **change,
        "underlay": underlay,
    }
    intent = {
        "site": {"name": "small", "management": {"subnet": "10.255.0.0/24"}},
        "frontend": frontend,
    }
    site, findings = design_site(Intent.model_validate(intent))
    assert not findings
    return site


class Network:
    """What each switch runs, as it would be read; changed a switch at a time."""

    def __init__(self, change: int, spines: int = len(SPINES)) -> None:
        self.change, self.spines = change, spines
        self.site = _site(change, spines)
        self.fabric = self.site.fabrics[0]
        self.switches = {switch.name: switch for switch in self.fabric.topology.switches}
        self.runs = {name: _says(BEFORE, spines, name) for name in self.switches}

    def course(self) -> Course:
        """Plan with --one-batch: compare what runs with the design."""
        looks = self._looks({})
        every = terms(self.site, looks, self.switches)
        return turning(self.site, every, self.drained, (), self.pick)

    def pick(self, names: Collection[str]) -> Collection[str]:
        """Return who may be gone at the same time."""
        return plan_batches(self.site, names, BatchRequest(sizes=sizes("100%")))[0].switches

    def _looks(self, kept: Mapping[str, Transition]) -> dict[str, Changed]:
        return {
            name: changed(self.runs[name], self.will(name, kept)) for name in sorted(self.switches)
        }

    def will(self, name: str, kept: Mapping[str, Transition]) -> Terms:
        return _says(self.change, self.spines, name, kept.get(name, AS_DESIGNED))

    def at_once(self, step: Step) -> set[str]:
        """Return who changes in one batch: all of it or nothing."""
        looks = self._looks(step.kept)
        aparts = apart(terms(self.site, looks, self.switches, step.kept), dict.fromkeys(looks, 1))
        return {name for window in windows(aparts) for name in window.switches}

    def push(self, step: Step, name: str) -> None:
        """Bring a switch to where a plan leads it."""
        self.runs[name] = self.will(name, step.kept)

    @property
    def drained(self) -> set[str]:
        return {name for name, says in self.runs.items() if GONE in says}

    @property
    def done(self) -> bool:
        return all(self.runs[name] == self.will(name, {}) for name in self.switches)

    def unused(self) -> set[str]:
        """Return the spines that a leaf has no session with: read from what runs alone."""
        return {
            upper.name
            for link in self.fabric.topology.links
            if isinstance(link.lower, Switch) and isinstance(link.lower_port, Port)
            for lower, upper in [(link.lower, link.upper)]
            if not self._up((lower, link.lower_port), (upper, link.upper_port))
            or not self._up((upper, link.upper_port), (lower, link.lower_port))
        }

    def _up(self, here: tuple[Switch, Port], there: tuple[Switch, Port]) -> bool:
        """Tell whether one end calls the other by the address and the ASN that it has."""
        (one, port), (other, far) = here, there
        near, beyond = self.runs[one.name], self.runs[other.name]
        calls = near[Item(LINK, spell(one, port), PEER)]
        own = beyond[Item(LINK, spell(other, far), ADDRESS)]
        host = self.fabric.addresses.loopback(other).host
        asn = beyond[Item(SWITCH, "", ASN)]
        return (
            str(calls) in str(own)
            and near[Item(LINK, spell(one, port), ASN)] == asn
            and near[Item(EVPN, host, ASN)] == asn
        )


@lru_cache(maxsize=4096)
def _said(change: int, spines: int, name: str, kept: str) -> Terms:
    fabric = _site(change, spines).fabrics[0]
    switch = next(each for each in fabric.topology.switches if each.name == name)
    judge = judge_of(switch.platform)
    assert judge is not None
    transition = Keeps.model_validate_json(kept).transition
    return terms_of(judge.expectation.of(Slicer(fabric).slice(switch, transition)))


def _says(change: int, spines: int, name: str, kept: Transition = AS_DESIGNED) -> Terms:
    """Return what a switch says, by way of the plan's document: what it keeps has to fit there."""
    return dict(_said(change, spines, name, keeps_of(kept).model_dump_json()))


@given(
    change=st.integers(0, len(CHANGES) - 1),
    order=st.permutations((*LEAFS, *SPINES)),
    cuts=st.lists(st.integers(0, len(SPINES)), max_size=8),
)
@settings(max_examples=draws(40), deadline=None)
def test_no_leaf_uses_a_spine_whose_sessions_end(
    change: int, order: list[str], cuts: list[int]
) -> None:
    """cuts: after how many switches each of the first plans is interrupted; a window is whole."""
    network = Network(change)
    plans = 0
    while not network.done:
        step = network.course().step
        assert step is not None
        whole = network.at_once(step)
        part = [name for name in order if name not in whole]
        for name in part[: cuts.pop() if cuts else len(order)]:
            network.push(step, name)
            assert network.unused() <= network.drained
        for name in order:  # a window changes one end before the other, in any order
            if name in whole:
                network.push(step, name)
                assert network.unused() <= network.drained
        assert network.unused() == set()
        assert len(network.drained) <= 1  # of four, by the floor
        plans += 1
        assert plans < 30
    assert network.course() == Course()


@pytest.mark.parametrize("change", range(len(CHANGES)))
def test_each_spine_has_three_steps(change: int) -> None:
    network = Network(change, 2)
    seen: list[tuple[str, int]] = []
    while (step := network.course().step) is not None and len(seen) < 7:
        seen.append((step.said, step.left))
        for name in network.switches:
            network.push(step, name)
    assert network.done
    assert seen == [
        ("fe-spine1 is drained: neighbors use all other paths", 5),
        ("fe-spine1 and its neighbors change while drained", 4),
        ("fe-spine1 restored to service", 3),
        ("fe-spine2 is drained: neighbors use all other paths", 2),
        ("fe-spine2 and its neighbors change while drained", 1),
        ("fe-spine2 restored to service", 0),
    ]


def test_a_spine_alone_is_not_drained() -> None:
    course = Network(0, 1).course()
    assert course.step is None
    (why,) = course.bound
    assert why.endswith("fe-spine1 cannot be drained: no switch is redundant with it")


@pytest.mark.parametrize("number", range(len(WITHOUT)))
def test_what_goes_undrained_says_why(number: int) -> None:
    course = Network(len(CHANGES) + number).course()
    assert course.step is None
    (why,) = course.bound
    assert why.startswith("frontend: no switch is drained before the window: ")
    assert why.endswith(WITHOUT[number][1])
