"""From designed sites: what their switches must show, as a network engineer would write it down."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.unit.proof.state.lab import (
    BORDER,
    FRONTEND,
    LEAF,
    RAIL,
    SPINE,
    UNNUMBERED,
    models,
    models_of,
)

from fabricgen.compile.compiler import compile_site, slices
from fabricgen.intent.load import load_site, load_texts
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.linux.names import port_name
from fabricgen.nos.linux.show.reader import LINUX
from fabricgen.nos.show import ENABLED, ESTABLISHED, SHUT, UP
from fabricgen.prove.runs import expected
from fabricgen.prove.underlay import underlay

SITES = sorted(Path(__file__).resolve().parents[4].joinpath("intent").iterdir())


@pytest.mark.parametrize("site", SITES, ids=lambda site: site.name)
def test_every_switch_of_every_example_site_has_expectations(site: Path) -> None:
    compiled = compile_site(load_site(site), "linux")
    assert compiled.ok, compiled.findings
    assert compiled.site is not None
    pieces = list(slices(compiled.site))
    ways = {
        name: underlay(switch_slice for fabric, switch_slice in pieces if fabric.name == name)
        for name in {fabric.name for fabric, _ in pieces}
    }
    for fabric, switch_slice in pieces:
        model = expected(switch_slice, ways[fabric.name], LINUX)
        assert len(model.of("session")) == len(switch_slice.sessions) + len(switch_slice.external)
        assert {key[1] for key in model.of("interface")} > {
            port_name(each.port) for each in switch_slice.interfaces
        }


def test_the_sessions_of_a_border_leaf_are_all_there() -> None:
    model = models()[BORDER]
    shown = [
        (*key[1:], own["asn"], own["families"], model.role(key), model.ports.get(key))
        for key, own in model.of("session").items()
    ]
    assert shown == [
        ("default", "10.72.0.0", "4294967294", ("ipv4",), "fe-spine1", "swp29"),
        ("default", "10.72.0.2", "4294967292", ("ipv4",), "fe-spine2", "swp30"),
        ("default", "10.64.255.254", "4294967294", ("evpn",), "fe-spine1", None),
        ("default", "10.64.255.252", "4294967292", ("evpn",), "fe-spine2", None),
        ("red", "192.0.2.0", "65500", ("ipv4",), "isp1", None),
    ]
    assert {own["state"] for own in model.of("session").values()} == {ESTABLISHED}


def test_a_session_that_may_have_any_asn_shows_one_that_the_model_does_not_know() -> None:
    """Between two steps of a renumbering; its file says `remote-as external`."""
    compiled = compile_site(load_texts({"site.yaml": FRONTEND}), "linux")
    assert compiled.site is not None
    every = {switch_slice.switch.name: switch_slice for _, switch_slice in slices(compiled.site)}
    leaf, ways = every[LEAF], underlay(every.values())
    strange = replace(leaf, sessions=tuple(replace(each, stranger=True) for each in leaf.sessions))
    asns = [
        {own.get("asn") for own in expected(switch_slice, ways, LINUX).of("session").values()}
        for switch_slice in (leaf, strange)
    ]
    assert asns == [{"4294967294", "4294967292"}, {None}]


def test_bfd_watches_what_is_not_of_the_overlay() -> None:
    watched = models()[BORDER].of("bfd")
    assert [key[1:] for key in watched] == [
        ("default", "10.72.0.0"),
        ("default", "10.72.0.2"),
        ("red", "192.0.2.0"),
    ]
    assert next(iter(watched.values())) == {"timers": "300 ms times 3", "state": UP}


def test_an_unnumbered_session_has_the_name_of_its_port() -> None:
    assert [key[2] for key in models()[UNNUMBERED].of("session")] == ["swp31", "swp32"]


def test_a_vni_and_its_vrf() -> None:
    model = models()[BORDER]
    assert not [own for own in model.of("vrf").values() if "table" in own]  # a law of its own
    assert model.of("vni") == {
        ("vni", "50001"): {
            "device": "vni50001",
            "vlan": "3001",
            "source": "10.65.0.1",
            "layer": "3",
            "vrf": "red",
            "rd": "10.64.0.1:3001",
            "import": ("64999:50001",),
            "export": ("64999:50001",),
        }
    }


def test_a_spine_has_no_overlay_of_its_own() -> None:
    assert models()[SPINE].of("vni") == {}
    assert [key[1] for key in models()[SPINE].of("vrf")] == ["mgmt"]


def test_packets_to_another_leaf_have_every_spine_and_to_a_spine_one_port() -> None:
    ways = {key[2]: own["ports"] for key, own in models()[LEAF].of("route").items()}
    assert ways == {
        "10.64.0.1/32": ("swp29", "swp30"),
        "10.65.0.1/32": ("swp29", "swp30"),
        "10.64.0.3/32": ("swp29", "swp30"),
        "10.65.0.3/32": ("swp29", "swp30"),
        "10.64.255.254/32": ("swp29",),
        "10.64.255.252/32": ("swp30",),
    }


def test_a_spine_has_no_way_to_its_sister() -> None:
    model = models()[SPINE]
    assert {model.role(key) for key in model.of("route")} == {BORDER, LEAF, "fe-leaf03"}


def test_the_rails_of_a_rail_only_backend_know_no_other_switch() -> None:
    assert models()[RAIL].of("route") == {}
    assert models()[RAIL].of("session") == {}


def test_nic_prefixes_are_routed_with_their_leaf() -> None:
    model = models()[UNNUMBERED]
    far = {k: own for k, own in model.of("route").items() if model.role(k) == "be-su01-leaf2"}
    assert [key[2] for key in far] == ["10.192.0.2/32", "172.24.0.0/31", "172.24.0.2/31"]
    assert {own["ports"] for own in far.values()} == {("swp31", "swp32")}


def test_ports_by_use() -> None:
    facts = models()[LEAF].facts
    uplink, server, unused = (facts["interface", name] for name in ("swp29", "swp1", "swp7"))
    assert uplink == {"link": UP, "mtu": "9214", "address": ("10.72.0.129/31",)}
    assert server == {"link": ENABLED, "mtu": "9164", "vlans": ("110",), "untagged": "110"}
    assert unused == {"link": SHUT, "mtu": "9214"}
    assert facts["interface", "swp4"] == {"link": ENABLED, "mtu": "9164"}
    assert facts["interface", "vlan110"]["mac"] == "00:1c:73:00:00:99"
    addresses = ("10.64.0.2/32", "10.65.0.2/32", "127.0.0.1/8", "::1/128")
    assert facts["interface", "lo"] == {"link": UP, "address": addresses}


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
    plan = models_of(text)["be-leaf1"].facts["queues", "swp1s0"]
    assert plan["scheduler"] == "ets"
    assert [own for name, own in plan.items() if name.startswith("service")] == [
        "strict",
        "strict",
        "shared with weight 5000",
        "shared with weight 5000",
    ]
    assert len(str(plan["bands"]).split()) == 16


def test_a_vni_is_in_a_vrf_where_its_vlan_has_an_interface_in_it() -> None:
    """A VLAN that is bridged only, or whose VRF is not on the switch, is in the global table."""
    compiled = compile_site(load_site(SITES[0].parent / "tenants"), "linux")
    assert compiled.site is not None
    pieces = [switch_slice for _, switch_slice in slices(compiled.site)]
    ways = underlay(pieces)
    switch_slice = next(
        switch_slice for switch_slice in pieces if switch_slice.switch.name == "fe-leaf05"
    )

    def tables(switch_slice: SwitchSlice) -> dict[str, object]:
        facts = expected(switch_slice, ways, LINUX).of("vni")
        return {key[1]: own["vrf"] for key, own in facts.items() if own["layer"] == "2"}

    routed = {str(vlan.vni): vlan.vrf for vlan in switch_slice.vlans if vlan.gateways}
    assert routed
    assert set(routed.values()) <= {vrf.name for vrf in switch_slice.vrfs}
    bridged = tuple(replace(vlan, gateways=()) for vlan in switch_slice.vlans)
    everywhere = dict.fromkeys(tables(switch_slice), "default")
    assert tables(switch_slice) == everywhere | routed
    assert tables(replace(switch_slice, vlans=bridged)) == everywhere
    assert tables(replace(switch_slice, vrfs=())) == everywhere
