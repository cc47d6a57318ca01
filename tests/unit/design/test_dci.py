"""Links between sites: both ends agree, on every platform, and what cannot be joined is said."""

import json
from copy import deepcopy
from typing import Any

import pytest
from tests.keys.sites import SITES
from tests.keys.test_every_key import laid

from fabricgen.compile.compiler import Compiled, compile_site, files, files_of, folder_of, slices
from fabricgen.compile.design.transfers import hours_of
from fabricgen.compile.render import Renderer
from fabricgen.core.diagnostics import Code
from fabricgen.intent.load import load_texts
from fabricgen.intent.model.dci import Transfer
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.lowering import spell
from fabricgen.prove.qos.verify import verify

RENDERER = Renderer()


def compiled(platform: str | None = None, **link: Any) -> Compiled:
    """Compile the two halls of tests/keys, with other words of their link."""
    site = laid(SITES["joined"], {"dci": {"wan": link}})
    return compile_site(load_texts({"site.yaml": json.dumps(site)}), platform)


def ends(result: Compiled) -> dict[str, list[ExternalPeer]]:
    """Return the sessions between the sites, by leaf."""
    assert result.site is not None
    found: dict[str, list[ExternalPeer]] = {}
    for fabric in result.site.fabrics:
        assert fabric.overlay is not None
        for leaf, peers in fabric.overlay.external.items():
            found.setdefault(leaf, []).extend(peers)
    return found


def test_each_end_is_what_the_other_expects() -> None:
    result = compiled()
    assert result.ok, result.findings
    east, west = (ends(result)[leaf] for leaf in ("east-leaf01", "west-leaf02"))
    assert len(east) == len(west) == 2
    for mine, theirs in zip(east, west, strict=True):
        assert mine.local == theirs.remote
        assert mine.remote == theirs.local
        assert mine.peer_asn == theirs.border.local_asn
        assert theirs.peer_asn == mine.border.local_asn
        assert mine.interface.tag == theirs.interface.tag == 101
        assert [rule.prefix.network for rule in mine.accept] == [
            rule.prefix.network for rule in theirs.announce
        ]
        assert [rule.prefix.network for rule in theirs.accept] == [
            rule.prefix.network for rule in mine.announce
        ]


@pytest.mark.parametrize("platform", ["eos", "sonic", "linux"])
def test_every_platform_writes_the_session(platform: str) -> None:
    result = compiled(platform)
    assert result.ok, result.findings
    assert result.site is not None
    texts = [
        file.text
        for owner, group in files(result.site)
        if owner.name == "east-leaf01"
        for file in group
    ]
    assert any("neighbor 10.250.0.203 remote-as 64802" in text for text in texts)
    assert any("permit 172.21.0.0/24" in text for text in texts)


@pytest.mark.parametrize(
    ("link", "code", "words"),
    [
        ({"vrfs": {"blue": 7}}, Code.UNKNOWN_REFERENCE, "no tenant of east has a VRF blue"),
        ({"ends": {"west": None, "wets": {}}}, Code.MISSING_KEY, "asn"),
        ({"ends": {"west": {"cages": None}}}, Code.BAD_VALUE, "its `leaf` and `cages`"),
        (
            {"ends": {"west": None, "wets": {"leaf": 1, "cages": "20", "asn": 64_802}}},
            Code.UNKNOWN_REFERENCE,
            "no fabric of kind evpn is named 'wets'",
        ),
        ({"pool": "10.250.0.0/20"}, Code.BAD_VALUE, "needs at least a /19"),
        ({"pool6": "2001:db8:ffff::/116"}, Code.BAD_VALUE, "needs at least a /115"),
        ({"rate": "10G"}, Code.DEMAND_ABOVE_CAPACITY, "backup takes 13.9 hours over wan"),
        ({"rate": None}, Code.MISSING_KEY, "`transfers` need the `rate`"),
        ({"mtu": 1500}, Code.MTU_BROKEN, "but wan carries 1500"),
        ({"ends": {"west": {"cages": "1-2"}}}, Code.PORT_USED_TWICE, "for the servers"),
        (
            {"ends": {"west": {"cages": "22"}}},
            Code.SITES_DIFFER,
            "wan has 2 cages at east and 1 at west",
        ),
        ({"ends": {"west": {"asn": 4_201_000_000}}}, Code.ASN_CLASH, "also used by east-leaf01"),
    ],
)
def test_what_cannot_be_joined_is_said(link: dict[str, Any], code: Code, words: str) -> None:
    found = [item for item in compiled(**link).findings if item.code == code]
    assert any(words in item.message for item in found), found


def test_a_cable_has_one_speed() -> None:
    models = {"model": "7280SR3-48YC8", "platform": "eos"}
    words = {"fabrics": {"west": {"leaf": models}}, "dci": {"wan": {"ends": {"west": {}}}}}
    result = compile_site(load_texts({"site.yaml": json.dumps(laid(SITES["joined"], words))}))
    (found,) = (each for each in result.findings if each.code is Code.SITES_DIFFER)
    assert found.message == ("wan starts in a port of 100G at east, but ends in one of 25G at west")


CLASSES = {
    "inference": {"queue": 4, "dscps": [34], "share": 60},
    "bulk": {"queue": 1, "dscps": [8], "share": 20},
}


def classed(platform: str, **words: Any) -> Compiled:
    """Compile the joined halls with classes, and other words of both."""
    halls = {hall: {"classes": CLASSES, **words} for hall in ("east", "west")}
    bulk = {"wan": {"transfers": {"backup": {"qos": "bulk", "hours": 7}}}}
    site = laid(SITES["joined"], {"fabrics": halls, "dci": bulk})
    site["site"] = {
        **site["site"],
        "accept_unsupported": ["tunneled-class"],
        "management": {"subnet": "10.255.0.0/20"},
    }
    return compile_site(load_texts({"site.yaml": json.dumps(site)}), platform)


@pytest.mark.parametrize(
    ("platform", "path", "old", "new"),
    [
        ("eos", "eos.cfg", "   no switchport\n   service-profile EAST\n", "   no switchport\n"),
        ("linux", "etc/fabricgen/tc.batch", "dev swp20 parent 1:100 classid 1:2", "dev swp20 x"),
        ("sonic", "config_db.json", '"Ethernet76|1"', '"Ethernet76|9"'),
    ],
)
def test_classes_share_the_ports_between_sites(
    platform: str, path: str, old: str, new: str
) -> None:
    """As every port of the fabric, which is read back: here the leaf's first one between sites."""
    result = classed(platform)
    assert result.ok, result.findings
    assert result.site is not None
    rendered = {switch_slice.switch: texts(switch_slice) for _, switch_slice in slices(result.site)}
    assert verify(result.site, rendered.items(), spell).findings == ()
    leaf = next(switch for switch in rendered if switch.name == "east-leaf01")
    assert old in rendered[leaf][path]
    rendered[leaf] = {**rendered[leaf], path: rendered[leaf][path].replace(old, new, 1)}
    assert verify(result.site, rendered.items(), spell).findings


def test_a_lossless_class_does_not_leave_the_site() -> None:
    result = classed("eos", classes=None, roce={"profile": None})
    assert result.site is not None
    leaf = next(
        switch_slice
        for _, switch_slice in slices(result.site)
        if switch_slice.switch.name == "east-leaf01"
    )
    assert "service-profile" in texts(leaf)["eos.cfg"]
    assert "   no switchport\n   no qos trust\n" in texts(leaf)["eos.cfg"]


def test_a_transfer_has_the_share_of_its_class() -> None:
    result = classed("eos")
    assert result.ok  # 50 TB x 8000 / (200 Gb/s x 20 % x 0.8 x 3600) = 3.5 hours
    late = {"transfers": {"backup": {"qos": "bulk", "hours": 3}}}
    halls = {hall: {"classes": CLASSES} for hall in ("east", "west")}
    site = laid(SITES["joined"], {"dci": {"wan": late}, "fabrics": halls})
    found = compile_site(load_texts({"site.yaml": json.dumps(site)})).findings
    assert any("(200 Gb/s x 20 % x 0.8 x 3600)" in item.message for item in found)
    site = laid(SITES["joined"], {"dci": {"wan": late}})
    found = compile_site(load_texts({"site.yaml": json.dumps(site)})).findings
    assert any("the east has no class 'bulk'" in item.message for item in found)


def texts(switch_slice: SwitchSlice) -> dict[str, str]:
    return {
        file.path.removeprefix(f"{folder_of(switch_slice.switch)}/"): file.text
        for file in files_of(switch_slice, RENDERER)
    }


def tunneled(**link: Any) -> Compiled:
    """Compile the halls that tunnels join, with other words of their link."""
    site = laid(SITES["tunneled"], {"dci": {"wan": link}})
    return compile_site(load_texts({"site.yaml": json.dumps(site)}))


def test_both_ends_of_a_tunnel_are_one() -> None:
    """Addresses of the ways out, one key, and the MTU of the way without GRE's 28 bytes."""
    result = tunneled()
    assert result.ok, result.findings
    east, west = (ends(result)[leaf] for leaf in ("east-leaf01", "west-leaf02"))
    pairs = [
        (mine.interface, theirs.interface)
        for mine, theirs in zip(east, west, strict=True)
        if mine.interface.tunnel
    ]
    assert len(pairs) == 2  # a session of each family in one tunnel
    for near, far in pairs:
        assert near.tunnel is not None
        assert far.tunnel is not None
        assert (near.tunnel.local.host, near.tag) == (far.tunnel.remote.host, far.tag)
        assert (far.tunnel.local.host, near.vrf) == (near.tunnel.remote.host, "red")
        assert near.mtu == far.mtu == 9000 - 28


@pytest.mark.parametrize(
    ("link", "code", "words"),
    [
        ({"gre": {"vrf": "blue"}}, Code.UNKNOWN_REFERENCE, "no tenant of east has a VRF blue"),
        ({"ends": {"east": {"peer": "isp9"}}}, Code.UNKNOWN_REFERENCE, "no external peer isp9"),
        ({"ends": {"east": {"leaf": 1}}}, Code.BAD_VALUE, "or its `peer` and the link `gre`"),
        ({"mtu": 9001}, Code.MTU_BROKEN, "which exceed the MTU 9000 of the port below with 28"),
    ],
)
def test_what_no_tunnel_can_be_is_said(link: dict[str, Any], code: Code, words: str) -> None:
    found = [item for item in tunneled(**link).findings if item.code == code]
    assert any(words in item.message for item in found), found


@pytest.mark.parametrize("platform", ["eos", "sonic"])
def test_tunnels_are_refused_where_no_source_has_them(platform: str) -> None:
    site = deepcopy(SITES["tunneled"])
    for hall in site["fabrics"].values():
        hall |= {tier: {**hall[tier], "platform": platform} for tier in ("leaf", "spine")}
    result = compile_site(load_texts({"site.yaml": json.dumps(site)}))
    assert not result.ok
    assert any("does not support tunnels-between-sites" in item.message for item in result.findings)


def test_a_name_is_that_of_one_way_out() -> None:
    peer = {"leaf": 1, "cage": 19, "address": "192.0.2.0/31", "peer": "192.0.2.1", "asn": 64_500}
    own = {"red-east": {"vrfs": {"red": {"external": {"wan": peer}}}}}
    site = laid(SITES["joined"], {"tenants": own})
    found = compile_site(load_texts({"site.yaml": json.dumps(site)})).findings
    assert "the VRF red of red-east already has an external peer wan" in {
        item.message for item in found
    }


def test_hours_follow_from_the_rate() -> None:
    words = {"terabytes": 100.0, "hours": 6.0, "efficiency": 0.5}
    assert hours_of(Transfer.model_validate(words), 100) == pytest.approx(4.444, abs=0.001)
