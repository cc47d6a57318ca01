"""A lossless class beside tenants: every hop read back, planted faults found, the rest refused."""

from functools import cache

import pytest
from tests.unit.proof.qos.rendered import FRONTEND, Rendered, render

from fabricgen.compile.checks.deadlock.proof import NOUN
from fabricgen.compile.compiler import compile_site
from fabricgen.compile.design.slices import Slicer
from fabricgen.core.diagnostics import Severity
from fabricgen.intent.load import load_texts
from fabricgen.prove.written import prove

PEER = "external: {isp: {leaf: 2, cage: 20, address: 192.0.2.1/31, peer: 192.0.2.0, asn: 65500}}"
LEAF, TRUNKS, SPINE = "fe-leaf01", "fe-leaf03", "fe-spine1"
EOS, CONFIG_DB, DCB = "eos.cfg", "config_db.json", "etc/fabricgen/dcb.sh"
MODELS = {"eos": "7050CX3-32S", "sonic": "7050CX3-32S", "linux": "SN4700"}
DESIGNS = {
    "plain": ("", ""),
    "storage": ("storage: {dscp: 34, share: 20}, over_subscription: 8", ""),
    "no pause": ("pfc: false", ""),
    "no marking": ("ecn: {enabled: false}", ""),
    "spines mark otherwise": ("profile: arista-ai", ""),
    "unnumbered": ("", "  underlay: {{links: unnumbered}}"),
    "IPv6": ("", '  underlay: {{links: numbered-v6}}\n  addressing: {{links: "fd00::/96"}}'),
    "pods": ("", "  design: superspine\n  leafs_per_pod: 2\n  {top}"),
}
"""What `roce` says, and what else its fabric."""
TUNNEL = (
    "   vxlan qos ecn propagation\n",
    "   vxlan qos dscp propagation encapsulation\n",
    "   vxlan qos map dscp to traffic-class decapsulation\n",
)


def text(platform: str = "eos", roce: str = "", model: str = "", *, outside: bool = False) -> str:
    """The site of one platform; outside: with a router behind a leaf."""
    words = {"platform": platform, "model": model or MODELS[platform], "speed": "100G"}
    whole = FRONTEND.format(more=f"  roce: {{{roce}}}", **words)
    return (
        whole.replace("    attachments", f"        {PEER}\n    attachments") if outside else whole
    )


@cache
def made(platform: str = "eos", roce: str = "", *, outside: bool = False) -> Rendered:
    return render(text(platform, roce, outside=outside))


def errors(whole: str) -> list[str]:
    found = compile_site(load_texts({"site.yaml": whole})).findings
    return [item.message for item in found if item.severity is Severity.ERROR]


@pytest.mark.parametrize("platform", ["eos", "sonic", "linux"])
@pytest.mark.parametrize("design", DESIGNS)
def test_every_port_and_line_of_every_switch_is_read_back(platform: str, design: str) -> None:
    roce, more = DESIGNS[design]
    top = f"superspine: {{model: {MODELS[platform]}, platform: {platform}, count: 2}}"
    whole = text(platform, roce).replace("tenants:", f"{more.format(top=top)}\ntenants:")
    site = render(whole)
    proof = site.verified()
    assert [item.message for item in proof.findings] == []
    (fabric,) = site.site.fabrics
    assert proof.objects == sum(1 if link.to_server else 2 for link in fabric.topology.links)
    for switch_slice in Slicer(fabric).slices():
        assert prove(switch_slice, site.files[switch_slice.switch]).findings == ()


@pytest.mark.parametrize(
    ("switch", "file", "old", "new", "said"),
    [
        (LEAF, EOS, "   service-profile FRONTEND-100G\n   !\n", "   !\n", "has PFC for nothing"),
        (TRUNKS, EOS, "   qos trust dscp\n", "", "trusts no mark"),
        (LEAF, EOS, "   mtu 9164\n", "   mtu 9100\n", "has MTU 9100; it must be 9164"),
        (TRUNKS, EOS, "   mtu 9164\n", "", "has MTU 1500; it must be 9164"),
        (
            SPINE,
            EOS,
            "qos map dscp 26 to traffic-class 3",
            "qos map dscp 26 to traffic-class 0",
            "26",
        ),
    ],
)
def test_a_hop_that_is_not_lossless_is_found(
    switch: str, file: str, old: str, new: str, said: str
) -> None:
    site = made()
    found = site.said(site.switch(switch), file, old, new)
    assert found
    assert any(said in message for message in found), found


@pytest.mark.parametrize("line", TUNNEL)
def test_a_mark_that_would_end_at_a_tunnel_is_found(line: str) -> None:
    site = made()
    fabric = site.site.fabrics[0]
    (switch_slice,) = (one for one in Slicer(fabric).slices() if one.switch.name == LEAF)
    files = site.files[switch_slice.switch]
    assert prove(switch_slice, files).findings == ()
    assert prove(switch_slice, {EOS: files[EOS].replace(line, "")}).findings
    assert line not in site.files[site.switch(SPINE)][EOS]


def test_a_class_without_pause_goes_over_tunnels_too() -> None:
    files = made("eos", "pfc: false").files
    (leaf,) = (texts[EOS] for switch, texts in files.items() if switch.name == LEAF)
    assert all(line in leaf for line in TUNNEL)
    assert "priority-flow-control" not in leaf
    assert "bandwidth percent 50" in leaf
    assert "service-profile FRONTEND-100G\n   !\n   uc-tx-queue 3" in leaf


def test_no_class_for_servers_leaves_their_marks_alone() -> None:
    for words in ("enabled: false", ""):
        whole = text(roce=words) if words else text().replace("  roce: {}\n", "")
        (leaf,) = (t[EOS] for switch, t in render(whole).files.items() if switch.name == LEAF)
        assert "vxlan qos" not in leaf
        assert "qos map cos 0 1 2 3 4 5 6 7 to traffic-class 0" in leaf


@pytest.mark.parametrize("platform", ["eos", "linux"])
def test_a_router_outside_pauses_nothing(platform: str) -> None:
    site = made(platform, outside=True)
    assert not site.verified().findings
    (leaf,) = (texts for switch, texts in site.files.items() if switch.name == "fe-leaf02")
    if platform == "eos":
        port = leaf[EOS].split("interface Ethernet20/1\n")[1].split("\n!\n")[0]
        assert "   no qos trust" in port
        assert "service-profile" not in port
    else:
        assert "\nport swp29 " in leaf[DCB]
        assert "\niface swp20" in leaf["etc/network/interfaces"]
        assert "\nport swp20" not in leaf[DCB]


def test_sonic_pauses_every_port_so_a_router_outside_is_refused() -> None:
    (said,) = errors(text("sonic", outside=True))
    assert "the port to isp would have PFC like every port in use" in said


def test_without_a_document_a_class_does_not_go_into_tunnels() -> None:
    sonic = text("sonic").replace(", tunneled-class", "")
    (said,) = errors(sonic)
    assert said.startswith(
        "sonic 202605 does not support tunneled-class: VXLAN_TUNNEL in CONFIG_DB"
    )
    (said,) = errors(text("eos", model="7060X6-64PE"))
    assert said.startswith("eos on 7060X6-64PE: no document confirms that it copies DSCP")
    said = errors(text("eos").replace("100G, cable", "100G, links: 2, lag: true, cable", 1))[0]
    assert "belong to a port channel or its members" in said


def test_spines_of_another_platform_see_the_outer_mark() -> None:
    spine = "spine: {model: 7050CX3-32S, platform: "
    mixed = text("eos").replace(f"{spine}eos", f"{spine}sonic")
    site = render(mixed)
    assert not site.verified().findings
    found = site.said(site.switch(SPINE), CONFIG_DB, '"26": "3"', '"26": "0"')
    assert any("puts DSCP 26 into class 0" in message for message in found)


def test_deadlocks_are_ruled_out_with_ways_out_of_the_site() -> None:
    proven = compile_site(load_texts({"site.yaml": text(outside=True)}))
    (examined,) = (one for one in proven.examined if one.check == "deadlock")
    assert examined.findings == ()
    assert examined.noun == NOUN
