"""What of traffic a change cuts: by VLAN and VRF, whatever VNI they have, seen at both ends."""

from dataclasses import replace
from typing import Any

import pytest

from fabricgen.nos.health import Health
from fabricgen.nos.traffic import Bridged, End, Kind, Routed, Station, Traffic
from fabricgen.operate.deploy.push.traffic_loss import MANY, cut

VTEPS = {"a": "10.65.0.1", "b": "10.65.0.2", "c": "10.65.0.3"}


def leaf(name: str, *, vni: int = 10010, reaches: str = "abc", **more: Any) -> Health:
    """Return a leaf with VLAN 10 and VRF red, and others that it reaches."""
    others = frozenset(VTEPS[each] for each in reaches if each != name)
    vlan = Bridged(vni=vni, far=others, macs=MANY, routes={2: MANY, 3: len(others) + 1})
    macs = {hop: f"02:fb:{hop[-1]}" for hop in others}
    vrf = Routed(vni=50001, up=True, hops=macs, prefixes=dict.fromkeys(VTEPS.values(), 2))
    own = Traffic(vtep=VTEPS[name], vlans={10: vlan}, vrfs={"red": vrf})
    return Health(traffic=replace(own, **more))


def site(**looks: Health) -> dict[str, Health]:
    return {name: leaf(name) for name in VTEPS} | looks


def test_a_vlan_that_moved_to_another_vni_alone_reaches_nobody() -> None:
    """The case that passed: l2vni_base was changed leaf by leaf, and every session was up."""
    after = {"a": leaf("a", vni=20010, reaches="")}
    assert cut({"a": leaf("a")}, after) == {
        "a": [
            "VLAN 10 no longer reaches 10.65.0.2: the VNI is now 20010, previously 10010",
            "VLAN 10 no longer reaches 10.65.0.3: the VNI is now 20010, previously 10010",
        ]
    }


def test_neighbors_say_it_too_and_call_the_switch_by_its_name() -> None:
    after = site(a=leaf("a", vni=20010, reaches=""), b=leaf("b", reaches="c"))
    assert cut(site(), after)["b"] == ["VLAN 10 no longer reaches a (10.65.0.1)"]


def test_a_router_mac_that_is_not_known_any_more_cuts_a_vrf() -> None:
    then, now = leaf("a"), leaf("a")
    vrf = then.traffic.vrfs["red"]
    blind = replace(vrf, hops={**vrf.hops, VTEPS["b"]: ""})
    now = replace(now, traffic=replace(now.traffic, vrfs={"red": blind}))
    assert cut(site(), site(a=now))["a"] == [
        "VRF red routes to b (10.65.0.2) without a MAC address for it"
    ]
    assert cut(site(a=now), site(a=now)) == {}


def test_all_ends_at_once_lose_nothing() -> None:
    assert cut(site(), {name: leaf(name, vni=20010) for name in VTEPS}) == {}


def test_an_end_of_a_window_that_moved_elsewhere_is_missed_by_both() -> None:
    after = {
        "a": leaf("a", vni=20010, reaches="b"),
        "b": leaf("b", vni=20010, reaches="a"),
        "c": leaf("c", vni=20011, reaches=""),
    }
    found = cut(site(), after)
    assert found["a"][0].startswith("VLAN 10 no longer reaches c (10.65.0.3)")
    assert found["c"] == [
        "VLAN 10 no longer reaches a (10.65.0.1): the VNI is now 20011, previously 10010",
        "VLAN 10 no longer reaches b (10.65.0.2): the VNI is now 20011, previously 10010",
    ]


def test_a_vlan_that_the_other_end_gave_up_is_no_loss() -> None:
    after = site(a=leaf("a", reaches="c"), b=leaf("b", vlans={}), c=leaf("c", reaches="a"))
    assert cut(site(), after) == {}


def test_a_vlan_that_is_new_must_be_flooded_to_every_end() -> None:
    before = site(a=leaf("a", vlans={}), b=leaf("b", reaches="c"), c=leaf("c", reaches="b"))
    found = cut(before, site(b=leaf("b", reaches="c")))
    assert found == {
        "b": ["VLAN 10 does not reach a (10.65.0.1): the VNI is 10010 here and 10010 there"]
    }


def test_an_old_defect_does_not_shut() -> None:
    """Nobody knows why b never reached c; whoever changes a need not mend it."""
    defect = site(b=leaf("b", reaches="a"))
    assert cut(defect, defect) == {}


@pytest.mark.parametrize(("count", "found"), [(MANY, 2), (MANY - 1, 0)])
def test_many_macs_do_not_fall_silent_at_once(count: int, found: int) -> None:
    far = frozenset({VTEPS["b"]})
    then = Bridged(vni=10010, far=far, macs=count, routes={2: count, 3: 2})
    now = Bridged(vni=10010, far=far, macs=0, routes={3: 2})
    before, after = {"a": leaf("a", vlans={10: then})}, {"a": leaf("a", vlans={10: now})}
    assert len(cut(before, after).get("a", ())) == found


def vrf(**changes: Any) -> dict[str, Health]:
    own = leaf("a").traffic.vrfs["red"]
    return {"a": leaf("a", vrfs={"red": replace(own, **changes)})}


@pytest.mark.parametrize(
    ("now", "says"),
    [
        ({"up": False}, "VRF red no longer routes with VNI 50001"),
        (
            {"hops": {"10.65.0.2": "", "10.65.0.3": "02:fb:3"}},
            "VRF red routes to 10.65.0.2 without a MAC address for it",
        ),
        (
            {"prefixes": {"10.65.0.1": 2, "10.65.0.3": 2}},
            "VRF red lost the subnets of 10.65.0.2",
        ),
    ],
)
def test_a_vrf_loses_its_vni_a_router_mac_or_the_subnets_of_another(
    now: dict[str, Any], says: str
) -> None:
    assert cut({"a": leaf("a")}, vrf(**now)) == {"a": [says]}


def test_hosts_that_went_silent_take_their_next_hop_along_and_that_is_no_loss() -> None:
    assert cut({"a": leaf("a")}, vrf(hops={})) == {}


def test_a_member_of_a_bundle_that_lacp_left_out_is_named() -> None:
    before = {"a": leaf("a", bundles={"bond1 swp1": True, "bond1 swp2": True, "bond2 swp3": False})}
    after = {"a": leaf("a", bundles={"bond1 swp1": True, "bond1 swp2": False, "bond2 swp3": False})}
    assert cut(before, after) == {"a": ["LACP no longer uses swp2 in bond1"]}


TO_B, VRF_TO_B = End(Kind.VLAN, "10", VTEPS["b"]), End(Kind.VRF, "red", VTEPS["b"])
SERVER, PING_B = End(Kind.SERVER, "10", "10.10.10.10"), End(Kind.VTEP, "", VTEPS["b"])
HEARD = dict.fromkeys((TO_B, VRF_TO_B, SERVER, PING_B), True)
TRUNKS = {"bond1": frozenset({10})}


def heard(*, reached: dict[End, bool] | None = None, **more: Any) -> Health:
    own = replace(leaf("a", **more).traffic, reached=reached or {})
    return Health(traffic=own if "trunks" in more else replace(own, trunks=TRUNKS))


def of_a(before: Health, after: Health, **looks: Health) -> list[str]:
    """Return what is said of a, when the others stay as they are."""
    return cut(site(a=before), site(a=after, **looks)).get("a", [])


def test_who_answered_before_and_is_silent_though_the_tables_lead_there_is_named() -> None:
    assert of_a(heard(reached=HEARD), heard(reached=dict.fromkeys(HEARD, False))) == [
        "VLAN 10: no answer from b (10.65.0.2)",
        "VRF red: no answer from b (10.65.0.2)",
        "VLAN 10: server 10.10.10.10 no longer answers",
        "b (10.65.0.2) no longer answers a ping",
    ]


def test_who_can_no_longer_be_asked_is_as_silent_and_who_was_silent_is_no_loss() -> None:
    assert len(of_a(heard(reached=HEARD), heard())) == len(HEARD)
    unread = replace(heard(), unread=("pings: no answer within 90 s",))
    assert of_a(heard(reached=HEARD), unread) == []  # the reason is said, and not of each end
    silent = dict.fromkeys(HEARD, False)
    assert of_a(heard(reached=silent), heard(reached=silent)) == []
    assert of_a(heard(reached=HEARD), heard(reached=HEARD)) == []


def gateway(name: str, address: str, **more: Any) -> Health:
    vlan = replace(leaf(name).traffic.vlans[10], gateway=f"{address} 00:1c:73:00:00:99")
    return leaf(name, vlans={10: vlan}, **more)


@pytest.mark.parametrize("end", [TO_B, VRF_TO_B], ids=["VLAN", "VRF"])
def test_a_gateway_that_a_change_moves_at_one_end_first_is_not_awaited(end: End) -> None:
    before = site(a=gateway("a", "10.10.10.1", reached={end: True}), b=gateway("b", "10.10.10.1"))
    here = gateway("a", "10.10.10.2")
    assert cut(before, before | {"a": here}) == {}
    there = {"a": gateway("a", "10.10.10.1"), "b": gateway("b", "10.10.10.2")}
    assert cut(before, before | there) == {}
    unseen = {"a": gateway("a", "10.10.10.1")}
    assert len(cut(before, unseen)["a"]) == 1


def test_what_a_change_takes_away_is_not_awaited() -> None:
    before = heard(reached=HEARD)
    gone = of_a(before, heard(vlans={}, vrfs={}))
    assert gone == []
    moved = of_a(heard(reached={SERVER: True}), heard(trunks={"bond1": frozenset({20})}))
    assert moved == [], "its port has another VLAN now"


def test_an_end_that_the_tables_have_lost_is_said_once() -> None:
    then, now = heard(reached={TO_B: True, PING_B: True}), leaf("a", reaches="c")
    assert of_a(then, now) == ["VLAN 10 no longer reaches b (10.65.0.2)"]
    given_up = site(a=leaf("a"), b=leaf("b", vlans={}))
    assert cut(site(a=heard(reached={TO_B: True})), given_up).get("a", []) == []


HOST = Station("h1", "10.10.10.11", 10, "red", "b", "swp1")
PING = End(Kind.ROUTED, "red", HOST.address, HOST, "10.250.1.1")
FORBIDDEN = End(Kind.APART, "blue", HOST.address, HOST, "10.250.2.1")


def asking(end: End, *, answers: bool) -> Health:
    """Return leaf a, which pings a server of leaf b."""
    return leaf("a", reached={end: answers})


def holding(**more: Any) -> Health:
    """Return leaf b, with the server at its port."""
    return replace(leaf("b", trunks={"swp1": frozenset({10})}), links={"swp1": True}, **more)


def test_a_server_that_no_longer_answers_is_named_with_who_asks() -> None:
    before = {"a": asking(PING, answers=True), "b": holding()}
    assert cut(before, {**before, "a": asking(PING, answers=False)}) == {
        "a": [
            f"{HOST.text} no longer answers: a pinged from 10.250.1.1 in VRF red",
        ]
    }
    assert cut(before, before) == {}
    silent = {"a": asking(PING, answers=False), "b": holding()}
    assert cut(silent, silent) == {}  # it was silent before, which proves nothing


@pytest.mark.parametrize(
    "after",
    [
        replace(holding(), links={}),
        leaf("b", trunks={"swp1": frozenset[int]()}),
        leaf("b", vlans={}, trunks={"swp1": frozenset({10})}),
        leaf("b", vlans={10: Bridged(vni=10010, gateway="10.10.10.254 00:00:00:00:00:01")}),
    ],
    ids=["its port is shut", "the VLAN left its port", "the VLAN is gone", "another gateway"],
)
def test_a_server_that_the_change_itself_takes_away_is_not_missed(after: Health) -> None:
    before = {"a": asking(PING, answers=True), "b": holding()}
    assert "a" not in cut(before, {"a": asking(PING, answers=False), "b": after})


def test_a_server_that_answers_a_vrf_that_must_not_reach_it_shuts_the_gate() -> None:
    before = {"a": asking(FORBIDDEN, answers=False), "b": holding()}
    assert cut(before, {**before, "a": asking(FORBIDDEN, answers=True)}) == {
        "a": [
            f"{HOST.text} answers VRF blue against the design; a pinged from 10.250.2.1",
        ]
    }
    assert cut(before, before) == {}
    open_before = {"a": asking(FORBIDDEN, answers=True), "b": holding()}
    assert cut(open_before, open_before) == {}
