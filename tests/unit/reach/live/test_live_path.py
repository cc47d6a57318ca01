"""The first hop that differs is named, in the model, the files and written running states."""

from dataclasses import replace
from typing import NamedTuple

import pytest
from tests.unit.reach.live.site import BRIDGED, LOCAL, RAIL, ROUTED, followed, texts, written

from fabricgen.core.tree.facts import Attributes, Key
from fabricgen.nos.show import Observed, Part
from fabricgen.prove.reach.live.steps import LivePath, State

LEAF, SPINE, LAST = "fe-leaf01", "fe-spine1", "fe-leaf02"
BE_LEAF, BE_SPINE, BE_LAST = "be-su01-leaf1", "be-spine1", "be-su01-leaf2"
TARGET = "10.10.20.253"


def named(path: LivePath) -> tuple[str, str]:
    """Return the first switch that differs, and its first different value."""
    assert path.first is not None
    hop, item = path.first
    return hop.step.switch, item.subject


@pytest.mark.parametrize("ends", [BRIDGED, ROUTED, RAIL, LOCAL])
def test_a_right_state_is_the_same_at_every_hop(ends: tuple[str, str]) -> None:
    path = followed(ends)
    wrong = [(h.step.switch, i) for h in path.hops for i in h.items if i.whole is not State.SAME]
    assert wrong == []
    assert path.state is State.SAME


def test_every_equal_cost_branch_is_listed() -> None:
    path = followed(RAIL)
    assert path.count == 8
    ways = {tuple(h.step.switch for h in path.of_branch(b)) for b in path.branches}
    assert ways == {(BE_LEAF, spine, BE_LAST) for spine in ("be-spine1", "be-spine2")}
    ports = {path.of_branch(branch)[0].step.leaves for branch in path.branches}
    assert ports == {"swp29", "swp30", "swp31", "swp32"}


def test_a_pair_at_one_leaf_has_one_hop() -> None:
    path = followed(LOCAL)
    assert [hop.step.switch for hop in path.hops] == [BE_LEAF]


class Planted(NamedTuple):
    """A fact of a running switch that differs. `says`: the first different value."""

    kind: str
    ends: tuple[str, str]
    switch: str
    key: Key
    own: Attributes
    says: str


CASES = (
    Planted(
        "MTU of an uplink", ROUTED, LEAF, ("interface", "swp29"), {"mtu": "1500"}, "MTU of swp29"
    ),
    Planted("MTU of a spine", ROUTED, SPINE, ("interface", "swp2"), {"mtu": "9000"}, "MTU of swp2"),
    Planted(
        "MTU of a gateway", ROUTED, LAST, ("interface", "vlan20"), {"mtu": "1500"}, "MTU of vlan20"
    ),
    Planted("port shut", RAIL, BE_LEAF, ("interface", "swp1"), {"link": "shut"}, "link of swp1"),
    Planted(
        "port down", RAIL, BE_SPINE, ("interface", "swp3"), {"link": "enabled"}, "link of swp3"
    ),
    Planted(
        "missing ECMP leg",
        RAIL,
        BE_LEAF,
        ("path", "default", "172.20.0.3"),
        {"ports": ("swp29", "swp30", "swp31")},
        "next hops of route to 172.20.0.3",
    ),
    Planted(
        "blackhole on a spine",
        ROUTED,
        SPINE,
        ("path", "default", "10.65.0.2"),
        {"ports": (), "effect": "blackhole"},
        "next hops of route to 10.65.0.2",
    ),
    Planted(
        "route in VRF deleted",
        ROUTED,
        LAST,
        ("path", "red", "10.10.20.253"),
        {"ports": (), "via": (), "effect": "no route"},
        "route of 10.10.20.253 in VRF red",
    ),
    Planted(
        "other tunnel",
        ROUTED,
        LEAF,
        ("path", "red", "10.10.20.253"),
        {"via": ("10.65.0.4",)},
        "route of 10.10.20.253 in VRF red",
    ),
    Planted("other VRF", ROUTED, LAST, ("interface", "vlan20"), {"vrf": "blue"}, "VRF of vlan20"),
    Planted(
        "address of a gateway",
        ROUTED,
        LEAF,
        ("interface", "vlan10"),
        {"address": ("10.10.10.2/24",)},
        "address of vlan10",
    ),
    Planted(
        "VLAN removed from a port",
        BRIDGED,
        LEAF,
        ("interface", "swp1"),
        {"vlans": ("20",), "untagged": "20"},
        "VLAN of swp1",
    ),
    Planted(
        "VLAN with a tag", BRIDGED, LAST, ("interface", "swp1"), {"untagged": "1"}, "VLAN of swp1"
    ),
    Planted(
        "VNI in another VLAN", BRIDGED, LEAF, ("vni", "10010"), {"vlan": "20"}, "VLAN of VNI 10010"
    ),
    Planted(
        "other tunnel source",
        ROUTED,
        LEAF,
        ("vni", "50001"),
        {"source": "10.65.0.9"},
        "tunnel source of VNI 50001",
    ),
    Planted(
        "route target missing",
        ROUTED,
        LAST,
        ("vni", "50001"),
        {"import": ()},
        "imported targets of VNI 50001",
    ),
    Planted(
        "flood entry missing",
        BRIDGED,
        LEAF,
        ("flood", "10"),
        {"vteps": ("10.65.0.3",)},
        "flood list of VLAN 10",
    ),
    Planted(
        "filter added",
        ROUTED,
        SPINE,
        ("filter", "swp2", "egress 1"),
        {"does": ("drops ip",)},
        "filters",
    ),
    Planted(
        "forwarding off",
        RAIL,
        BE_SPINE,
        ("setting", "swp1", "net.ipv4.conf.swp1.forwarding"),
        {"value": "0"},
        "other state",
    ),
    Planted(
        "rule added", RAIL, BE_LEAF, ("kernel-rule", "IPv4", "500"), {"does": ("x",)}, "other state"
    ),
    Planted(
        "DSCP in another queue",
        RAIL,
        BE_LEAF,
        ("queues", "swp30"),
        {"dscp 4 26": "1:4"},
        "queue of DSCP 26 of swp30",
    ),
    Planted(
        "ECN thresholds",
        RAIL,
        BE_LAST,
        ("queues", "swp2"),
        {"marking 1:3": ("1", "2", "0.5")},
        "ECN of swp2",
    ),
    Planted(
        "cable swapped",
        RAIL,
        BE_LEAF,
        ("cable", "swp29"),
        {"far": (("be-spine2", "swp1"),)},
        "neighbor of swp29",
    ),
)


@pytest.mark.parametrize("planted", CASES, ids=lambda planted: planted.kind)
def test_the_first_hop_that_differs_is_named(planted: Planted) -> None:
    path = followed(planted.ends, {(planted.switch, planted.key): planted.own})
    assert path.state is State.DIFFERS
    assert named(path) == (planted.switch, planted.says)


def test_an_earlier_hop_is_named_before_a_later_one() -> None:
    path = followed(
        ROUTED,
        {
            (LAST, ("interface", "vlan20")): {"mtu": "1500"},
            (SPINE, ("interface", "swp2")): {"mtu": "1500"},
        },
    )
    assert named(path) == (SPINE, "MTU of swp2")


def test_a_missing_dscp_filter_shows_the_queue_of_the_rest() -> None:
    states = written(RAIL)
    facts = {key: dict(own) for key, own in states[BE_LEAF].facts.items()}
    del facts["queues", "swp29"]["dscp 4 26"]
    path = followed(RAIL, seen=states | {BE_LEAF: replace(states[BE_LEAF], facts=facts)})
    assert named(path) == (BE_LEAF, "queue of DSCP 26 of swp29")
    assert path.first is not None
    assert path.first[1].running == "1:4"


def test_another_port_and_another_vlan_do_not_matter() -> None:
    path = followed(
        BRIDGED,
        {
            (LEAF, ("interface", "swp3")): {"mtu": "1500", "vlans": ()},
            (LEAF, ("vni", "10020")): {"vlan": "10"},
            (LEAF, ("filter", "swp4", "egress 1")): {"does": ("drops ip",)},
        },
    )
    assert path.state is State.SAME


def test_a_leaf_may_route_to_its_own_gateway_and_bridge() -> None:
    own: Attributes = {"ports": ("vlan20",), "via": ()}
    assert followed(ROUTED, {(LEAF, ("path", "red", TARGET)): own}).state is State.SAME


class TestUnknown:
    def test_a_switch_without_an_answer_is_not_right(self) -> None:
        states = {name: own for name, own in written(RAIL).items() if name != BE_SPINE}
        path = followed(RAIL, seen=states, unread={BE_SPINE: "no answer"})
        assert path.state is State.UNKNOWN
        assert {hop.step.switch for hop, _ in path.unknown()} == {BE_SPINE}
        assert "no answer" in path.unknown()[0][1].why

    @pytest.mark.parametrize("part", [Part.PATHS, Part.INTERFACES, Part.QUEUES, Part.LLDP])
    def test_an_unread_part_is_not_right(self, part: Part) -> None:
        states = written(RAIL)
        states[BE_LEAF] = replace(states[BE_LEAF], unread={part: "it failed"})
        path = followed(RAIL, seen=states)
        assert path.state is State.UNKNOWN
        assert {hop.step.switch for hop, _ in path.unknown()} == {BE_LEAF}

    def test_a_reason_of_the_reader_is_shown(self) -> None:
        states = written(RAIL)
        states[BE_LEAF] = replace(states[BE_LEAF], unknown={("interface", "mtu"): "no such field"})
        path = followed(RAIL, seen=states)
        assert path.state is State.UNKNOWN
        assert path.unknown()[0][1].why == "running: no such field"

    def test_a_difference_counts_more(self) -> None:
        states = written(RAIL)
        states[BE_LEAF] = replace(states[BE_LEAF], unread={Part.LLDP: "it failed"})
        path = followed(RAIL, {(BE_LAST, ("interface", "swp2")): {"mtu": "1500"}}, seen=states)
        assert path.state is State.DIFFERS
        assert named(path) == (BE_LAST, "MTU of swp2")

    def test_an_empty_snapshot_is_never_right(self) -> None:
        path = followed(RAIL, seen=dict.fromkeys(written(RAIL), Observed()))
        assert path.state is State.DIFFERS


def test_a_changed_file_differs_although_the_switch_is_right() -> None:
    changed = [
        (owner, {path: text.replace("mtu 9214", "mtu 1500") for path, text in own.items()})
        if owner.name == BE_SPINE
        else (owner, own)
        for owner, own in texts()
    ]
    path = followed(RAIL, files=changed)
    assert path.first is not None
    hop, item = path.first
    assert (hop.step.switch, item.name, item.written) == (BE_SPINE, "MTU", State.DIFFERS)
    assert item.state is State.SAME
