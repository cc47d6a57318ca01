"""From designed sites: what their switches must show, as a network engineer would write it down."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.unit.proof.state.lab import BORDER, LEAF, RAIL, SPINE, UNNUMBERED, models, models_of

from fabricgen.compiler import compile_site, slices
from fabricgen.fabric.facts import Announced, Device, Link, Routed, Session, Timers, Vni, Vrf
from fabricgen.intent.load import load_site
from fabricgen.nos.linux.show.reader import LINUX
from fabricgen.proof.expected import expected
from fabricgen.proof.underlay import underlay

SITES = sorted(Path(__file__).resolve().parents[4].joinpath("intent").iterdir())
LARGEST = 150_000  # bytes of JSON of a switch with 128 ports and 2,143 routes


@pytest.mark.parametrize("site", SITES, ids=lambda site: site.name)
def test_every_example_site_has_small_expectations(site: Path) -> None:
    compiled = compile_site(load_site(site), "linux")
    assert compiled.ok, compiled.findings
    assert compiled.site is not None
    pieces = list(slices(compiled.site))
    ways = {
        name: underlay(piece for fabric, piece in pieces if fabric.name == name)
        for name in {fabric.name for fabric, _ in pieces}
    }
    for fabric, piece in pieces:
        found = expected(piece, ways[fabric.name], LINUX.spelling)
        assert len(json.dumps(found.as_data())) < LARGEST


def test_the_sessions_of_a_border_leaf_are_all_there() -> None:
    timers = Timers(300, 3)
    assert models()[BORDER].sessions == (
        Session(
            vrf="default",
            peer="10.72.0.0",
            asn=4294967294,
            families=("ipv4 unicast",),
            bfd=timers,
            interface="swp29",
            label="fe-spine1",
        ),
        Session(
            vrf="default",
            peer="10.72.0.2",
            asn=4294967292,
            families=("ipv4 unicast",),
            bfd=timers,
            interface="swp30",
            label="fe-spine2",
        ),
        Session(
            vrf="default",
            peer="10.64.255.254",
            asn=4294967294,
            families=("l2vpn evpn",),
            bfd=None,
            interface=None,
            label="fe-spine1",
        ),
        Session(
            vrf="default",
            peer="10.64.255.252",
            asn=4294967292,
            families=("l2vpn evpn",),
            bfd=None,
            interface=None,
            label="fe-spine2",
        ),
        Session(
            vrf="red",
            peer="192.0.2.0",
            asn=65500,
            families=("ipv4 unicast",),
            bfd=timers,
            interface="swp20",
            label="isp1",
        ),
    )


def test_an_unnumbered_session_has_the_name_of_its_port() -> None:
    assert [session.peer for session in models()[UNNUMBERED].sessions] == ["swp31", "swp32"]


def test_a_vni_and_its_vrf() -> None:
    found = models()[BORDER]
    assert found.vrfs == (Vrf("mgmt", 2000), Vrf("red", 1001))
    target = ("64999:50001",)
    assert found.vnis == (
        Vni(
            vni=50001,
            device=Device("vni50001", 3001, "10.65.0.1"),
            routed=Routed(3, "red"),
            announced=Announced("10.64.0.1:3001", target, target),
        ),
    )


def test_a_spine_has_no_overlay_of_its_own() -> None:
    assert models()[SPINE].vnis == ()
    assert [vrf.name for vrf in models()[SPINE].vrfs] == ["mgmt"]


def test_packets_to_another_leaf_have_every_spine_and_to_a_spine_one_port() -> None:
    ways = {route.prefix: route.interfaces for route in models()[LEAF].routes}
    assert ways == {
        "10.64.0.1/32": ("swp29", "swp30"),
        "10.65.0.1/32": ("swp29", "swp30"),
        "10.64.0.3/32": ("swp29", "swp30"),
        "10.65.0.3/32": ("swp29", "swp30"),
        "10.64.255.254/32": ("swp29",),
        "10.64.255.252/32": ("swp30",),
    }


def test_a_spine_has_no_way_to_its_sister() -> None:
    assert {route.origin for route in models()[SPINE].routes} == {BORDER, LEAF, "fe-leaf03"}


def test_the_rails_of_a_rail_only_backend_know_no_other_switch() -> None:
    found = models()[RAIL]
    assert found.routes == ()
    assert found.sessions == ()


def test_nic_prefixes_are_routed_with_their_leaf() -> None:
    far = [route for route in models()[UNNUMBERED].routes if route.origin == "be-su01-leaf2"]
    assert [route.prefix for route in far] == ["10.192.0.2/32", "172.24.0.0/31", "172.24.0.2/31"]
    assert {route.interfaces for route in far} == {("swp31", "swp32")}


def test_ports_by_use() -> None:
    found = {item.name: item for item in models()[LEAF].interfaces}
    assert (found["swp29"].link, found["swp29"].mtu) == (Link.UP, 9214)
    assert (found["swp1"].link, found["swp1"].mtu, found["swp1"].untagged) == (
        Link.ENABLED,
        9164,
        110,
    )
    assert found["swp7"].link is Link.SHUT
    assert found["swp4"].member_of is None
    assert found["vlan110"].mac == "00:1c:73:00:00:99"
    assert found["lo"].addresses == ("10.64.0.2/32", "10.65.0.2/32", "127.0.0.1/8", "::1/128")


def test_an_asic_shares_by_quanta_and_maps_priorities_to_bands() -> None:
    text = """
site:
  name: lab
  accept_unsupported: [pfc-watchdog]
  management: {subnet: 10.255.0.0/22}
backend:
  design: rail-only
  servers: {count: 2, gpus: 2, nic_speed: 400G}
  leaf: {model: SN5600, platform: linux}
"""
    plan = models_of(text)["be-leaf1"].queues["swp1s0"]
    assert plan.scheduler == "ets"
    assert [queue.strict for queue in plan.queues] == [True, True, False, False]
    assert [queue.weight for queue in plan.queues] == [None, None, 5000, 5000]
    assert len(plan.bands) == 16
