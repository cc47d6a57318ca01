"""Real looks at a leaf of the lab against its model: what is new shuts the gate, not what was."""

from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from tests.unit.proof.state.lab import FRONTEND, LEAF, SPINE, VARIED, edited, text

from fabricgen.compile.compiler import compile_site
from fabricgen.core.tree.facts import Key, Topic
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.transition import Transition
from fabricgen.nos.health import Health
from fabricgen.nos.linux.show.reader import LINUX
from fabricgen.nos.lowering import spell
from fabricgen.nos.traffic import Bridged, Routed, Traffic
from fabricgen.operate.deploy.push.design_mismatch import wrong
from fabricgen.operate.deploy.push.model import DRAINED, BatchComparison, Model
from fabricgen.operate.deploy.texts import Texts
from fabricgen.prove.designed import peer_of

VLANS = {number: Bridged(vni=10000 + number) for number in (110, 111, 120)}
TRAFFIC = Traffic(
    vtep="10.65.0.2",
    vlans=VLANS,
    vrfs={"red": Routed(vni=50001), "blue": Routed(vni=50002)},
    fib={"10.65.0.3/32": 2, "10.99.0.1/32": 2},
)


@cache
def model(pins: str = "") -> Model:
    """Return the model of the lab's site; pins: of switches, or a spine that is planned."""
    away = pins if ":" not in pins else ""
    pins = f"{away}: {{state: planned}}" if away else pins
    words = f"  switches: {{{pins}}}\ntenants:" if pins else "tenants:"
    text = FRONTEND.replace("tenants:", words, 1)
    site = compile_site(load_texts({"site.yaml": text})).site
    assert site is not None
    names = frozenset(each.name for fabric in site.fabrics for each in fabric.topology.switches)
    return Model(site, Texts(site), names - {away})


def leaf(*edits: tuple[str, str], **traffic: Any) -> Health:
    """Return the settled leaf, edited."""
    seen = LINUX.read(edited(text(LEAF), *edits))
    return Health(sessions={"s": True}, observed=seen, traffic=replace(TRAFFIC, **traffic))


def judged(
    before: Health, after: Health, told: frozenset[Key] = frozenset()
) -> tuple[list[str], list[str]]:
    """Return what shuts the gate, and what was so before."""
    against = BatchComparison(model=model(), before={LEAF: before}, changed={LEAF: told})
    return against.new({LEAF: after})[LEAF], against.old[LEAF]


TUNNEL = '"ifname":"vni10110","flags":["BROADCAST","MULTICAST","UP","LOWER_UP"],"mtu":'
MTU = (f"{TUNNEL}9164", f"{TUNNEL}1500")


def test_a_leaf_as_designed_is_well() -> None:
    assert judged(leaf(), leaf()) == ([], [])


def test_what_the_kernel_has_otherwise_than_the_model_is_named() -> None:
    (said,), old = judged(leaf(), leaf(MTU))
    assert said == "vni10110 has MTU 1500, but the model has 9164"
    assert old == []


def test_an_old_defect_is_said_and_does_not_shut() -> None:
    new, old = judged(leaf(MTU), leaf(MTU))
    assert (new, len(old)) == ([], 1)


def test_a_defect_of_what_the_batch_configures_anew_shuts() -> None:
    """It was wrong before because it is new: nobody had told the switch yet."""
    new, old = judged(leaf(MTU), leaf(MTU), frozenset({("interface", "vni10110")}))
    assert (len(new), old) == (1, [])


@pytest.mark.parametrize(
    ("traffic", "says"),
    [
        (
            {"vrfs": {"blue": Routed(vni=50002, subnets=frozenset({"10.110.0.0/24"}))}},
            "VRF blue has a route to 10.110.0.0/24, a subnet of VRF red",
        ),
        ({"fib": {"10.99.0.1/32": 2}}, "no route to 10.65.0.3/32 any more"),
        ({"fib": {"10.65.0.3/32": 1}}, "1 paths to 10.65.0.3/32, previously 2"),
    ],
)
def test_traffic_that_is_not_as_designed_is_named(traffic: dict[str, Any], says: str) -> None:
    new, _ = judged(leaf(), leaf(**traffic))
    assert says in new


@pytest.mark.parametrize(
    ("traffic", "topic", "says"),
    [
        (
            {"vlans": {**VLANS, 110: Bridged(vni=20110)}},
            ("vni", "vlan"),
            "VLAN 110 is in VNI 20110, expected VNI 10110",
        ),
        (
            {"vlans": {number: VLANS[number] for number in (111, 120)}},
            ("vni", "vlan"),
            "VLAN 110 is not in the overlay, expected VNI 10110",
        ),
        (
            {"trunks": {"swp1": frozenset({9})}},
            ("interface", "vlans"),
            "VLAN 110 is not on swp1, expected by the model",
        ),
    ],
)
def test_traffic_is_compared_where_no_check_compares_it(
    traffic: dict[str, Any], topic: Topic, says: str
) -> None:
    """One difference is one sentence: of a check, or of the traffic."""
    seen = replace(TRAFFIC, **traffic)
    assert says in wrong(leaf_slice(), seen, {})
    assert says not in wrong(leaf_slice(), seen, {}, {topic})


def test_fewer_ways_are_no_fault_of_their_own_when_a_session_is_gone() -> None:
    after = replace(leaf(fib={"10.65.0.3/32": 1}), sessions={"s": False})
    assert judged(leaf(), after) == ([], [])


def drained_spine(after: Health) -> list[str]:
    """Return what shuts the gate at a leaf while the spine beside it is drained."""
    kept = {SPINE: Transition(drained=True)}
    texts = model().texts
    told = replace(model(), texts=texts.keeping(kept)).changes(SPINE, texts.of(SPINE).text)
    assert DRAINED in told
    spine = Health(sessions={}, observed=None)
    before = {LEAF: leaf(), SPINE: spine}
    against = BatchComparison(model=model(), before=before, changed={SPINE: told})
    return against.new({LEAF: after, SPINE: spine})[LEAF]


def test_a_leaf_has_fewer_ways_when_a_spine_is_drained() -> None:
    assert drained_spine(leaf(fib={"10.65.0.3/32": 1, "10.99.0.1/32": 2})) == []
    assert drained_spine(leaf(fib={"10.99.0.1/32": 2})) == ["no route to 10.65.0.3/32 any more"]


def test_a_drained_spine_that_is_still_used_shuts() -> None:
    assert drained_spine(leaf()) == [
        f"still 2 paths to 10.65.0.3/32, also through the drained {SPINE}"
    ]


def test_what_the_design_gave_up_is_not_missed_at_a_neighbor() -> None:
    peers = (each.remote for each in model().texts.slice(SPINE).sessions)
    peer = next(each.host for each in peers if each is not None)
    before = Health(
        sessions={f"default {peer}": True, "default 10.72.9.9": True},
        links={"swp1": True, "swp20": True},
        cables=frozenset({"swp1 fe-leaf01 swp29", "swp20 fe-leaf09 swp29"}),
    )
    seen = model().beside(SPINE, before)
    assert set(seen.sessions) == {f"default {peer}"}
    assert seen.links == {"swp1": True}
    assert seen.cables == {"swp1 fe-leaf01 swp29"}


def test_sessions_to_a_planned_spine_are_not_missed() -> None:
    peers = {
        it.peer.name: peer_of(switch_slice, it)
        for switch_slice in (leaf_slice(),)
        for it in switch_slice.sessions
    }
    up = {f"default {peer}": True for peer in peers.values()}
    before = Health(sessions=up, bfd=up, links={"swp1": True})
    for look in (model(SPINE).open, model(SPINE).beside):
        seen = look(LEAF, before)
        assert f"default {peers[SPINE]}" not in {*seen.sessions, *seen.bfd}
        assert len(seen.sessions) == len(seen.bfd) == len(up) - 1
    assert model().open(LEAF, before) == before


@pytest.mark.parametrize(("name", "far"), [(LEAF, SPINE), (SPINE, LEAF)])
def test_sessions_over_a_link_that_becomes_planned_are_not_missed(name: str, far: str) -> None:
    """Those of EVPN neither: no other way leads to the loopback of who is at its far end."""
    planned = model(f"{LEAF}: {{links: {{{SPINE}: {{state: planned}}}}}}")
    switch_slice = planned.texts.slice(name)
    peers = [f"default {peer_of(switch_slice, each)}" for each in switch_slice.sessions]
    gone = {
        f"default {peer_of(switch_slice, it)}"
        for it in switch_slice.sessions
        if it.peer.name == far
    }
    before = Health(sessions=dict.fromkeys(peers, True), bfd=dict.fromkeys(peers, True))
    for look in (planned.open, planned.beside):
        seen = look(name, before)
        assert set(peers) - set(seen.sessions) == set(peers) - set(seen.bfd) == gone
    assert len(gone) == 2  # the link's own, and that of EVPN


def test_a_cable_to_another_port_of_its_neighbor_is_not_missed() -> None:
    """A box of another model came: LLDP still has the old one's port, for two minutes."""
    mine = frozenset({f"swp29 {SPINE} swp2", f"swp29 {SPINE}.example swp2", "swp9 who swp1"})
    before = Health(cables=mine | {f"swp29 {SPINE} swp7"}, links={"swp29": True})
    assert model().open(LEAF, before).cables == mine
    assert model().beside(LEAF, before).cables == mine


def leaf_slice() -> SwitchSlice:
    """Return the slice of the leaf, all of whose spines run."""
    return model().texts.slice(LEAF)


def test_objects_whose_lines_change_are_told_anew() -> None:
    texts = model().texts.of(LEAF).text
    told = model().changes(LEAF, texts.replace("vxlan-id 10110", "vxlan-id 20110"))
    assert ("interface", "vni10110") in told
    assert ("interface", "vni10120") not in told
    assert model().changes(LEAF, texts) == frozenset()


def test_pfc_that_is_off_on_one_port_is_named() -> None:
    """The kernel of the lab has no DCB; what `dcb` says is read in tests/unit/nos/linux."""
    site = compile_site(load_texts({"site.yaml": VARIED})).site
    assert site is not None
    switch_slice = Texts(site).slice("be-su01-leaf1")
    seen = Traffic(paused={"swp1": frozenset({3}), "swp2": frozenset(), "swp20": frozenset()})
    assert list(wrong(switch_slice, seen, {})) == ["PFC is off on swp2 for priority 3, expected on"]


def test_a_bundle_whose_every_port_the_design_shuts_is_not_missed() -> None:
    shut = next(it for it in model().texts.slice(LEAF).interfaces if it.closed)
    port = spell(model().texts.slice(LEAF).switch, shut.port)
    bundles = {f"bond1 {port}": True, "bond2 swp1": True}
    links = {"bond1": True, "bond2": True, port: True}
    before = Health(sessions={}, links=links, traffic=Traffic(bundles=bundles), observed=None)
    seen = model().open(LEAF, before)
    assert seen.traffic.bundles == {"bond2 swp1": True}
    assert seen.links == {"bond2": True, port: True}
