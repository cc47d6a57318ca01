"""EVPN gateways: both sites agree, files of gateways alone change, and what cannot be is said."""

import json
from dataclasses import replace
from typing import Any

import pytest
from tests.keys.sites import SITES
from tests.keys.test_every_key import laid

from fabricgen.compile.checks.gateway_ends import GatewayEnds
from fabricgen.compile.checks.sessions import Sessions
from fabricgen.compile.compiler import Compiled, compile_site, files, slices
from fabricgen.core.diagnostics import Code, Severity
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.switch import SwitchSlice

PAIR, LONE = ("dc1-leaf03", "dc1-leaf04"), "dc2-leaf02"


def compiled(over: dict[str, Any] | None = None, platform: str | None = None) -> Compiled:
    """Compile the two data centers of tests/nos, with other words."""
    site = laid(SITES["gated"], over or {})
    return compile_site(load_texts({"site.yaml": json.dumps(site)}), platform)


def pieces(result: Compiled) -> dict[str, SwitchSlice]:
    """Return the slices of all switches by name."""
    assert result.site is not None
    return {switch_slice.switch.name: switch_slice for _, switch_slice in slices(result.site)}


def texts(result: Compiled) -> dict[str, str]:
    """Return the configuration of every switch."""
    assert result.site is not None
    return {
        owner.name: file.text
        for owner, group in files(result.site)
        for file in group
        if file.path.endswith("eos.cfg")
    }


def test_both_ends_follow_from_one_place() -> None:
    every = pieces(compiled())
    gateways = {
        name: switch_slice.gateway
        for name, switch_slice in every.items()
        if switch_slice.gateway is not None
    }
    assert set(gateways) == {*PAIR, LONE}
    lone = gateways[LONE]
    assert [link.peer.name for link in lone.links] == list(PAIR)
    for name, back in zip(PAIR, lone.links, strict=True):
        (link,) = gateways[name].links
        assert (link.interface.address, back.interface.address) == (back.remote, link.remote)
        assert (link.loopback, back.loopback) == (every[LONE].loopback, every[name].loopback)
        assert (link.peer_asn, back.peer_asn) == (every[LONE].asn, every[name].asn)
        assert gateways[name].own == lone.far
        assert gateways[name].far == lone.own
    assert {number: lone.vlans[number] for number in (200, 121)} == {200: "7:10100", 121: "7:10120"}
    assert lone.targets == gateways[PAIR[0]].targets == ("64999:5001", "7:10100", "7:10120")


def test_no_other_switch_is_told_of_the_other_site() -> None:
    """Spines and leafs have the files that they have without gateways."""
    apart = {
        "tenants": {"two": {"vrfs": {"red": {"vlans": {"pages": {"subnet": "172.29.0.0/24"}}}}}}
    }
    joined, alone = texts(compiled()), texts(compiled({**apart, "gateways": None}))
    changed = {name for name, text in joined.items() if text != alone[name]}
    assert {name for name in changed if name.startswith("dc1")} == set(PAIR)
    assert {name for name in changed if "spine" in name} == set()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"peer_asn": 64_512}, "expects the ASN 64512"),
        ({"loopback": Ip(1, 32)}, "expects the ASN"),
        ({"remote": Ip(1, 31)}, "the other end has no session to it"),
    ],
)
def test_ends_that_differ_are_found(change: dict[str, Any], told: str) -> None:
    result = compiled()
    assert result.site is not None
    check = Sessions(result.site)
    for fabric, switch_slice in slices(result.site):
        gateway = switch_slice.gateway
        if gateway is not None and switch_slice.switch.name == PAIR[0]:
            links = tuple(replace(link, **change) for link in gateway.links)
            check.see(fabric, replace(switch_slice, gateway=replace(gateway, links=links)))
        else:
            check.see(fabric, switch_slice)
    assert any(told in each.message for each in check.result().findings)


WAN = {"dc1": {"leaf": 3, "cage": 20}, "dc2": {"leaf": 2, "cage": 20}}
ZONED = {"zones": {"all": {"vrfs": ["one/red", "two/red"], "outside": ["two/red/isp1"]}}}
REFUSED: dict[str, tuple[dict[str, Any], Code, str]] = {
    "a leaf of the pair without a link": (
        {"gateways": {"wan": {"links": [WAN]}}},
        Code.NO_GATEWAY,
        "dc1-leaf04 of dc1 has no link of wan",
    ),
    "two leafs that are no pair": (
        {
            "gateways": {
                "wan": {
                    "links": [
                        WAN,
                        {"dc1": {"leaf": 4, "cage": 20}, "dc2": {"leaf": 1, "cage": 21}},
                    ]
                }
            }
        },
        Code.NO_GATEWAY,
        "dc2-leaf01 and dc2-leaf02 of dc2 would each flood",
    ),
    "a second pair of gateways": (
        {
            "gateways": {
                "more": {"number": 8, "links": [WAN], "vrfs": {"red": []}, "pool": "10.9.0.0/31"}
            }
        },
        Code.PORT_USED_TWICE,
        "cage 20",
    ),
    "a VLAN of an instance of several": (
        {"fabrics": {"dc2": {"overlay": {"service": "vlan-aware"}}}},
        Code.UNSUPPORTED,
        "no document describes a separate route target between sites",
    ),
    "zones": (ZONED, Code.NO_GATEWAY, "has zones"),
    "another anycast MAC": (
        {"fabrics": {"dc2": {"overlay": {"anycast_mac": "00:1c:73:00:00:01"}}}},
        Code.SITES_DIFFER,
        "`overlay.anycast_mac`",
    ),
    "no BFD at one": (
        {"fabrics": {"dc2": {"underlay": {"bfd": {"enabled": False}}}}},
        Code.SITES_DIFFER,
        "`underlay.bfd` is on in dc1 and off in dc2",
    ),
    "cables with two speeds": (
        {
            "gateways": {
                "wan": {
                    "links": [
                        {"dc1": {"leaf": 3, "cage": 50}, "dc2": {"leaf": 2, "cage": 20}},
                        {"dc1": {"leaf": 4, "cage": 20}, "dc2": {"leaf": 2, "cage": 21}},
                    ]
                }
            }
        },
        Code.SITES_DIFFER,
        "the speed of link 1 is 100G in dc1 and 25G in dc2",
    ),
    "a second other site": (
        {
            "fabrics": {"dc3": {**SITES["gated"]["fabrics"]["dc2"], "number": 3, "site": "dc3"}},
            "gateways": {
                "far": {
                    **SITES["gated"]["gateways"]["wan"],
                    "number": 8,
                    "pool": "172.100.101.0/28",
                    "links": [
                        {"dc1": {"leaf": 3, "cage": 22}, "dc3": {"leaf": 2, "cage": 20}},
                        {"dc1": {"leaf": 4, "cage": 22}, "dc3": {"leaf": 2, "cage": 21}},
                    ],
                }
            },
            "tenants": {"three": {**SITES["gated"]["tenants"]["two"], "fabric": "dc3"}},
        },
        Code.NO_GATEWAY,
        "dc1 already has gateways for wan: no vendor documents that a gateway",
    ),
    "a VLAN that one lacks": (
        {"gateways": {"wan": {"vrfs": {"red": ["pages", "own"]}}}},
        Code.UNKNOWN_REFERENCE,
        "the VRF red of dc2 has no VLAN own",
    ),
    "a pool that is too small": (
        {"gateways": {"wan": {"pool": "10.9.0.0/31"}}},
        Code.POOL_TOO_SMALL,
        "2 links need 4",
    ),
    "a way with less than a tunnel needs": (
        {"gateways": {"wan": {"mtu": 9180}}},
        Code.MTU_BROKEN,
        "which are 9214 with 50 bytes of tunnel headers, but wan carries 9180",
    ),
    "one address on two servers": (
        {
            "tenants": {
                name: {"attachments": [{"group": "cpu", "access": "pages", "addresses": "static"}]}
                for name in ("one", "two")
            }
        },
        Code.ADDRESS_OVERLAP,
        "172.20.0.10 of",
    ),
}


@pytest.mark.parametrize(("over", "code", "told"), REFUSED.values(), ids=list(REFUSED))
def test_what_cannot_be_joined_is_said(over: dict[str, Any], code: Code, told: str) -> None:
    errors = [each for each in compiled(over).findings if each.severity is Severity.ERROR]
    assert any(each.code is code and told in each.message for each in errors), errors
    assert {each.code for each in errors} == {code}


@pytest.mark.parametrize("platform", ["linux", "sonic"])
def test_other_platforms_say_that_they_cannot(platform: str) -> None:
    site = SITES["gated, on what runs everything"]
    found = compile_site(load_texts({"site.yaml": json.dumps(site)}), platform).findings
    why = [each for each in found if each.path == ("gateways", "wan")]
    assert {each.code for each in why} == {Code.UNSUPPORTED}
    assert any("no second EVPN domain" in each.message for each in why)


def test_a_link_to_a_gateway_of_the_same_site_is_refused() -> None:
    """Each gateway of a pair has a link to the other one, and both ends agree in all else."""
    every = pieces(compiled())
    one, other = (every[name] for name in PAIR)
    assert one.gateway is not None
    assert other.gateway is not None
    ends = []
    for near, far in ((one, other), (other, one)):
        assert near.gateway is not None
        assert far.gateway is not None
        (link,), (back,) = near.gateway.links, far.gateway.links
        interface = replace(link.interface, address=back.remote)
        inside = replace(
            link,
            peer=far.switch,
            peer_asn=far.asn,
            loopback=far.loopback,
            interface=interface,
        )
        gateway = replace(near.gateway, links=(inside,), far=far.gateway.own)
        ends.append(replace(near, gateway=gateway))
    judge = GatewayEnds()
    for end in ends:
        judge.see(end)
    said = [text for text, _ in judge.wrongs()]
    assert said == [
        f"the gateway link {name} to {far} goes to a switch that is not a gateway of another site"
        for name, far in (PAIR, PAIR[::-1])
    ]
