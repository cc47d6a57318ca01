"""Routers outside in a lab: each is the other side of what the intent says of its peers."""

import json
from functools import cache

import pytest
from tests.keys.sites import SITES
from tests.unit.lab.bench import ROOT, site_of

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_texts
from fabricgen.operate.lab.client import LabFailure
from fabricgen.operate.lab.layout import lay_out
from fabricgen.operate.lab.plan import LabPlan, LabRouter
from fabricgen.prove.verifier import expectations

EDGE = (ROOT / "intent/edge/site.yaml").read_text(encoding="utf-8")


@cache
def plan_of(text: str = EDGE, *limit: str) -> LabPlan:
    made = compile_site(load_texts({"site.yaml": text}), "linux")
    assert made.site is not None, made.findings
    return lay_out(made.site, name="edge", lifted=None, files=(), limit=limit)


def router(name: str, plan: LabPlan | None = None) -> LabRouter:
    return next(each for each in (plan or plan_of()).routers if each.name == name)


def block(text: str, head: str) -> list[str]:
    """Return the lines below a line of frr.conf, up to its end."""
    lines = text.splitlines()
    start = lines.index(head) + 1
    return [line.strip() for line in lines[start : lines.index("exit", start)]]


def test_each_provider_is_one_router_with_a_table_and_a_host_for_each_peer() -> None:
    plan = plan_of()
    assert [each.name for each in plan.routers] == ["out-isp1", "out-isp2"]
    behind = {cable.a for cable in plan.cables if cable.b.startswith("out-")}
    assert behind >= {"out-isp1-red", "out-isp1-blue", "out-isp2-red", "out-isp2-blue"}
    assert {(c.a, c.a_port, c.b_port) for c in plan.cables if c.b == "out-isp1"} >= {
        ("fe-leaf01", "swp19", "p1"),
        ("fe-leaf01", "swp20", "p2"),
    }
    assert plan.names.isdisjoint({"out-isp1", "out-isp2"})


def test_a_unit_of_a_firewall_is_a_router_whatever_cages_its_links_have() -> None:
    plan = plan_of(json.dumps(SITES["fenced"]))
    assert [each.name for each in plan.routers] == ["out-fw-1", "out-fw-2"]
    ends = {(cable.b, cable.a) for cable in plan.cables if cable.a.startswith("fe-leaf")}
    # cage 23 of either leaf
    assert ends >= {("out-fw-1", "fe-leaf02"), ("out-fw-2", "fe-leaf01")}
    assert ends.isdisjoint({("out-fw-1", "fe-leaf01"), ("out-fw-2", "fe-leaf02")})


def test_a_router_expects_what_the_leaf_says_and_sends_what_passes() -> None:
    text = router("out-isp1").files["etc/frr/frr.conf"]
    red = block(text, "router bgp 64496 vrf red")
    for line in (
        "neighbor 192.0.2.1 remote-as 64500",
        "neighbor 192.0.2.1 password <<secret:env:ISP1_BGP>>",
        "neighbor 192.0.2.1 bfd",
        "neighbor 2001:db8:ff::1 remote-as 64500",
        "network 0.0.0.0/0",
        "network 198.51.100.0/25",
        "network ::/0",
    ):
        assert line in red
    assert block(text, "route-map TO-red_isp1 permit 10") == ["set community 64496:100"]
    assert "neighbor 192.0.2.1 remote-as 4200000000" in block(text, "router bgp 64496 vrf blue")


def test_an_origin_that_the_peer_is_not_stands_at_the_end_of_the_path() -> None:
    plan = plan_of(EDGE.replace("origins: [64496, 64499]", "origins: [64499, 64498]"))
    text = router("out-isp1", plan).files["etc/frr/frr.conf"]
    assert "set as-path prepend 64499" in block(text, "route-map TO-red_isp1 permit 10")


def test_a_bundle_speaks_lacp_and_a_tag_is_a_link_in_its_table() -> None:
    commands = router("out-isp1").commands
    assert [line for line in commands if " bond1 type bond mode 802.3ad " in line]
    joined = commands.index("link set bond1.101 master red")
    assert commands.index("link add link bond1 name bond1.101 type vlan id 101") < joined
    assert joined < commands.index("address add 2001:db8:ff::/127 dev bond1.101")
    assert not [line for line in router("out-isp2").commands if "bond" in line]


@pytest.mark.parametrize(
    ("accepted", "host"),
    [
        ("0.0.0.0/0", "198.18.0.1"),
        ("203.0.113.0/24", "203.0.113.1"),
        ("192.0.2.0/24", "192.0.2.4"),  # .0 to .3 are both links
        ("192.0.2.9/32", "192.0.2.9"),
        ("{prefix: 203.0.112.0/20, ge: 24}", "203.0.112.1"),
        ("192.0.2.0/30", None),
        ("203.0.113.0/24, 203.0.113.0/25", "203.0.113.1"),  # of both
    ],
)
def test_behind_a_prefix_is_an_address_that_nobody_has(accepted: str, host: str | None) -> None:
    text = EDGE.replace("accept: [0.0.0.0/0, ", f"accept: [{accepted}, ")
    behind = [
        each.address
        for each in plan_of(text).beyond
        if each.name == "out-isp1-red" and ":" not in each.address
    ]
    assert behind == ([host] if host else []) + ["198.51.100.1"]


def test_sessions_come_up_where_somebody_answers() -> None:
    site = site_of("edge")
    for limit, up in ((("*",), 3), (("fe-leaf01",), 3), (("fe-spine*",), 0)):
        plan = lay_out(site, name="edge", lifted=None, files=(), limit=limit)
        wanted = expectations(site, plan.names, plan.answered).get("fe-leaf01")
        sessions = wanted.of("session") if wanted is not None else {}
        outside = [own for key, own in sessions.items() if key[1] in ("red", "blue")]
        assert sum("state" in own for own in outside) == up
    alone = expectations(site, ["fe-leaf01"])["fe-leaf01"]
    assert not [own for own in alone.of("session").values() if "state" in own]


def test_a_switch_that_is_called_like_a_router_outside_is_refused() -> None:
    text = EDGE.replace("frontend:", "frontend:\n  names: {spine: 'out-isp{index}'}", 1)
    with pytest.raises(LabFailure, match="out-isp1 is the name of an external router"):
        plan_of(text)


def test_a_tunnel_between_sites_is_carried_from_the_table_of_one_end_to_that_of_the_other() -> None:
    made = compile_site(load_texts({"site.yaml": json.dumps(SITES["tunneled"])}), "linux")
    assert made.site is not None
    plan = lay_out(made.site, name="two", lifted="linux", files=())
    tunnels = {
        (leaf, peer.label)
        for fabric in made.site.fabrics
        if fabric.overlay is not None
        for leaf, peers in fabric.overlay.external.items()
        for peer in peers
        if peer.interface.tunnel is not None
    }
    assert len(tunnels) == 4
    assert tunnels <= plan.answered
    one = router("out-isp", plan)
    assert {"link set c1a master transport", "link set c1b master transport-3"} <= {*one.commands}
    routes = [line for line in one.files["etc/frr/frr.conf"].splitlines() if "169.254.1." in line]
    assert routes == [
        " ip route 198.51.102.30/31 169.254.1.2",
        " ip route 198.51.101.30/31 169.254.1.1",
    ]
    assert [(c.a_port, c.b_port) for c in plan.cables if c.a == c.b == "out-isp"] == [
        ("c1a", "c1b")
    ]
    half = lay_out(made.site, name="two", lifted="linux", files=(), limit=("east*",))
    assert not tunnels & half.answered


def test_a_link_between_sites_is_a_cable_and_its_sessions_come_up() -> None:
    made = compile_site(load_texts({"site.yaml": json.dumps(SITES["joined"])}), "linux")
    assert made.site is not None
    plan = lay_out(made.site, name="two", lifted="linux", files=())
    ends = {tuple(sorted((each.a, each.b))) for each in plan.cables}
    assert ("east-leaf01", "west-leaf02") in ends
    assert {leaf for leaf, _ in plan.answered} == {"east-leaf01", "west-leaf02"}
    assert not plan.routers
    half = lay_out(made.site, name="two", lifted="linux", files=(), limit=("east*",))
    assert not half.answered


def test_a_router_that_speaks_ospf_tells_what_it_offers() -> None:
    text = EDGE.replace(
        ", peer: 192.0.2.2, asn: 64497}",
        ", peer: 192.0.2.2, protocol: ospf, area: 0.0.0.5,\n"
        "                 accept: [203.0.113.0/24]}",
    )
    made = router("out-isp2", plan_of(text))
    conf = made.files["etc/frr/frr.conf"]
    blue = conf.split("router ospf vrf blue\n")[1].split("exit")[0]
    assert blue.splitlines()[1:] == [" redistribute static"]
    assert "interface p1.102\n ip ospf area 0.0.0.5\n ip ospf network point-to-point\n" in conf
    assert " ip route 10.120.0.0/24" not in conf
    assert "OSPF to blue on fe-leaf02, announces 203.0.113.0/24" in made.plays
    assert "ospfd=yes" in made.files["etc/frr/daemons"]


def test_a_router_without_a_session_has_routes_back_and_no_bgp() -> None:
    text = EDGE.replace(
        ", peer: 192.0.2.2, asn: 64497}",
        ", peer: 192.0.2.2, protocol: static,\n                 accept: [203.0.113.0/24]}",
    )
    made = router("out-isp2", plan_of(text))
    conf = made.files["etc/frr/frr.conf"]
    blue = conf.split("vrf blue\n")[1].split("exit-vrf")[0]
    assert " ip route 10.120.0.0/24 192.0.2.3\n" in blue
    assert " ip route 203.0.113.0/24 169.254.255.2\n" in blue
    assert "router bgp 0" not in conf
    assert "vrf blue\n bgp" not in conf
    assert "static routes to blue on fe-leaf02, reaches 203.0.113.0/24" in made.plays
