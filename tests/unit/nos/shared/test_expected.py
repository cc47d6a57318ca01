"""What frr.conf must say of timers, paths and tenants, and what FRR does not print."""

from dataclasses import replace

import pytest
from tests.nos.claims import pieces

from fabricgen.core.tree.facts import Attributes, Key
from fabricgen.core.units import Milliseconds
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.routing import Bfd
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.linux.names import frr_names
from fabricgen.nos.shared.frr.expected import frr_facts, timers
from fabricgen.nos.shared.frr.names import FrrNames


def bfd(interval: int = 300, multiplier: int = 3) -> Bfd:
    return Bfd(Milliseconds(interval), multiplier)


@pytest.mark.parametrize(
    ("profile", "said"),
    [
        (bfd(), {}),
        (bfd(multiplier=4), {"multiplier": "4"}),
        (bfd(interval=100), {"receive": "100", "transmit": "100"}),
        (
            bfd(interval=50, multiplier=5),
            {"multiplier": "5", "receive": "50", "transmit": "50"},
        ),
    ],
)
def test_a_profile_says_the_timers_that_are_not_frrs_own(
    profile: Bfd, said: dict[str, str]
) -> None:
    expected = (tuple(sorted({"profile": "true", **said}.items())),)
    assert timers(profile) == expected


LENT = ("prefixes", ((("permit", "10.120.0.0/24,24-32"),),))
ROUTER = {
    "asn": "4200000001",
    "ipv4-by-default": "false",
    "relaxed": "true",
    "maximum-paths": ("ipv4:64",),
}
LEAF = {
    ("switch",): {"frr": "8.4.4", "nexthop-objects": "false"},
    ("bgp", "default"): {"relaxed": "true", "maximum-paths": "64"},
    ("vtep",): {"announced": "true"},
    ("vni", "10110"): {
        "rd": "10.64.0.2:110",
        "import": ("64999:10110",),
        "export": ("64999:10110",),
    },
    ("vrf", "red"): {
        "families": ("ipv4",),
        "announced": ("ipv4",),
        "statics": ("ipv4",),
    },
    ("taking", "red", "ipv4"): {
        "takes": ("blue",),
        "taken": ((("action", "permit"), LENT, ("source-vrf", "blue")),),
        "told": ((("action", "deny"), LENT), (("action", "permit"),)),
    },
    ("vrf", "blue"): {"families": ("ipv4",), "announced": ("ipv4",)},
    ("bgp", "red"): ROUTER,
    ("bgp", "blue"): ROUTER,
}
"""Of the leaf of the tenants with an external peer; red takes of blue, and has a static route."""


def leaf() -> SwitchSlice:
    found = pieces("linux")
    return next(
        switch_slice
        for _, switch_slice, _ in found
        if switch_slice.switch.name == "fe-leaf02" and switch_slice.vrfs
    )


FRR = frr_names("")


def facts(switch_slice: SwitchSlice, names: FrrNames = FRR) -> dict[Key, Attributes]:
    return dict(frr_facts(switch_slice, names))


def test_a_leaf_says_its_tenants_and_how_it_chooses() -> None:
    assert facts(leaf()) == LEAF


def test_without_sessions_there_is_no_routing() -> None:
    assert facts(replace(leaf(), sessions=())) == {("switch",): LEAF["switch",]}


def test_without_an_overlay_there_are_no_tenants() -> None:
    overlaid = tuple(session for session in leaf().sessions if not session.overlay)
    alone = ("bgp", "default")
    bare = facts(replace(leaf(), overlay=None, vtep=None))
    assert bare == {key: LEAF[key] for key in (("switch",), alone)}
    assert ("vtep",) not in facts(replace(leaf(), sessions=overlaid))
    routed = facts(replace(leaf(), vtep=None))
    assert set(routed) == set(LEAF) - {("vtep",), ("vni", "10110")}


def test_a_width_that_is_that_of_the_build_is_not_said() -> None:
    said = facts(leaf(), replace(FRR, multipath=64))
    assert "maximum-paths" not in said["bgp", "default"]
    assert "maximum-paths" not in said["bgp", "red"]


def test_a_vrf_speaks_the_families_of_its_gateways_and_peers() -> None:
    switch_slice = leaf()
    (vlan,) = switch_slice.vlans
    six = replace(vlan, gateways=(Ip(0x20010DB8 << 96 | 1, 64, 6),))
    red, blue = switch_slice.vrfs
    both = replace(switch_slice, vlans=(six,), vrfs=(replace(red, takes=()), blue))
    assert facts(both)["vrf", "red"]["families"] == ("ipv4", "ipv6")
    assert facts(both)["vrf", "blue"]["families"] == ("ipv4",)
    alone = replace(both, external=())
    assert facts(alone)["vrf", "red"]["families"] == ("ipv6",)
    assert facts(alone)["bgp", "red"]["maximum-paths"] == ("ipv6:64",)
    other = replace(switch_slice.external[0], vrf="blue")
    mixed = replace(both, external=(*switch_slice.external, other))
    assert facts(mixed)["vrf", "red"]["families"] == ("ipv4", "ipv6")


def test_a_vlan_that_is_only_local_has_no_vni() -> None:
    switch_slice = leaf()
    local = replace(
        switch_slice, vlans=tuple(replace(vlan, vni=None) for vlan in switch_slice.vlans)
    )
    assert not [key for key in facts(local) if key[0] == "vni"]
