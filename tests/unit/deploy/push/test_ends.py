"""Whom a switch sends packets to: every other end of what it carries, within limits, by lot."""

from dataclasses import replace

from fabricgen.nos.health import Health
from fabricgen.nos.traffic import Bridged, End, Kind, Routed, Station, Traffic
from fabricgen.operate.deploy.push.traffic_loss import FAR, MOST, PINGED, answered, ends

GATEWAY = "10.10.10.1 00:1c:73:00:00:99"
VLAN = Bridged(vni=10010, far=frozenset({"10.65.0.2"}), gateway=GATEWAY)


def far(count: int) -> frozenset[str]:
    return frozenset(f"10.65.{number // 200}.{number % 200 + 1}" for number in range(count))


def test_each_vlan_and_vrf_is_tried_to_each_other_end_and_so_are_known_servers() -> None:
    vlan = replace(VLAN, servers={"10.10.10.10": "02:00:00:00:00:0a"})
    hops = {"10.65.0.2": "02:fb:2", "10.65.0.3": ""}
    seen = Traffic(vtep="10.65.0.1", vlans={10: vlan}, vrfs={"red": Routed(vni=1, hops=hops)})
    assert set(ends(seen)) == {
        End(Kind.VLAN, "10", "10.65.0.2"),
        End(Kind.VRF, "red", "10.65.0.2"),
        End(Kind.SERVER, "10", "10.10.10.10"),
    }


def test_a_vlan_in_which_nobody_would_answer_has_its_vteps_pinged_once() -> None:
    bare = replace(VLAN, gateway="")
    seen = Traffic(vtep="10.65.0.1", vlans={10: bare, 20: bare})
    assert ends(seen) == (End(Kind.VTEP, "", "10.65.0.2"),)
    many = Traffic(vtep="10.65.0.1", vlans={10: replace(bare, far=far(100))})
    assert len(ends(many)) == PINGED


def test_of_many_ends_a_few_are_drawn_the_same_at_each_look_and_others_by_others() -> None:
    wide = replace(VLAN, far=far(100))
    drawn = {own: ends(Traffic(vtep=own, vlans={10: wide})) for own in ("10.65.9.1", "10.65.9.2")}
    assert {len(each) for each in drawn.values()} == {FAR}
    assert len({frozenset(each) for each in drawn.values()}) == 2
    again = Traffic(vtep="10.65.9.1", vlans={10: replace(wide, far=frozenset(sorted(wide.far)))})
    assert ends(again) == drawn["10.65.9.1"]


def test_a_switch_with_a_hundred_vlans_asks_no_more_than_fits_into_seconds() -> None:
    seen = Traffic(vlans=dict.fromkeys(range(100, 200), replace(VLAN, far=far(100))))
    assert len(ends(seen)) == MOST


def test_who_was_silent_before_is_not_asked_again() -> None:
    heard, silent = End(Kind.VLAN, "10", "10.65.0.2"), End(Kind.VLAN, "10", "10.65.0.3")
    before = Health(traffic=Traffic(reached={heard: True, silent: False}))
    assert answered(before) == (heard,)


def test_a_server_that_must_stay_silent_is_asked_again() -> None:
    server = Station("h1", "10.10.10.11", 10, "red", "b", "swp1")
    apart = End(Kind.APART, "blue", server.address, server, "10.250.2.1")
    pinged = End(Kind.ROUTED, "red", server.address, server, "10.250.1.1")
    seen = {apart: False, pinged: False, End(Kind.VTEP, "", "10.65.0.2"): True}
    look = Health(traffic=Traffic(reached=seen))
    assert answered(look) == (apart, End(Kind.VTEP, "", "10.65.0.2"))
