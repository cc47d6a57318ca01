"""Frontends: numbered leafs, spines with room kept for more, and what the tenants carry."""

from typing import Any

import pytest
from tests.unit.design.sites import (
    Keys,
    counts,
    fabric,
    findings,
    frontend,
    of_role,
    only,
    pairs,
    switches,
    uplinks,
)

from fabricgen.core.diagnostics import Code
from fabricgen.model.fabric.topology import Role, Topology

SPINE = "7050CX3-32S"


def wired(**more: object) -> Topology:
    return fabric(frontend(**more)).topology


def cabling(made: Topology) -> set[tuple[str, str, str, str]]:
    return {
        (link.lower.name, link.lower_port.label, link.upper.name, link.upper_port.label)
        for link in made.links
    }


def test_servers_take_the_first_ports_and_spines_the_last() -> None:
    made = wired()
    leaf = made.links_at["fe-leaf01"]
    assert [link.upper_port.label for link in leaf if link.to_server] == ["1", "2", "3", "4"]
    assert [link.lower_port.label for link in leaf if not link.to_server] == ["29", "30"]


def test_room_is_kept_for_four_spines() -> None:
    two, four = wired(), wired(spine=switches(SPINE, count=4))
    assert cabling(two) < cabling(four)
    assert [switch.name for switch in of_role(four, Role.SPINE)][:2] == [
        switch.name for switch in of_role(two, Role.SPINE)
    ]


def test_growth_keeps_room_for_more_spines() -> None:
    growth = {"growth": {"spines": 8}}
    two = wired(**growth)
    eight = wired(**growth, spine=switches(SPINE, count=8))
    assert cabling(two) < cabling(eight)


def test_a_further_leaf_moves_nothing() -> None:
    servers = {"per_leaf": 4, "speed": "100G"}
    two = wired(leaf_groups={"racks": {"leafs": "1-2", "servers": servers}})
    three = wired(leaf_groups={"racks": {"leafs": "1-3", "servers": servers}})
    assert cabling(two) < cabling(three)


def test_a_leaf_keeps_its_ports_when_others_are_not_there() -> None:
    servers = {"per_leaf": 4, "speed": "100G"}
    whole = wired(leaf_groups={"racks": {"leafs": "1-9", "servers": servers}})
    part = wired(leaf_groups={"racks": {"leafs": "3,9", "servers": servers}})
    assert cabling(part) < cabling(whole)


@pytest.mark.parametrize(
    ("more", "leafs", "spines", "tops", "per_pair"),
    [
        ({}, 2, 2, 0, 1),
        ({"links_per_spine": 2}, 2, 2, 0, 2),
        (
            {
                "design": "superspine",
                "leafs_per_pod": 1,
                "superspine": switches(SPINE, count=3),
            },
            2,
            4,
            3,
            1,
        ),
    ],
)
def test_the_tiers_have_the_asked_counts(
    more: Keys, leafs: int, spines: int, tops: int, per_pair: int
) -> None:
    made = wired(**more)
    assert counts(made) == (leafs, spines, tops)
    assert pairs(made) == {per_pair}


def test_pods_are_cut_by_leaf_number() -> None:
    top = switches(SPINE, count=2)
    servers = {"per_leaf": 4, "speed": "100G"}
    made = wired(
        design="superspine",
        leafs_per_pod=4,
        superspine=top,
        leaf_groups={"racks": {"leafs": "4-5", "servers": servers}},
    )
    assert [leaf.pod for leaf in of_role(made, Role.LEAF)] == [1, 2]


def test_links_take_the_fastest_speed_that_both_ends_have() -> None:
    made = wired(leaf=switches("7060DX5-64S"))
    assert {str(link.speed) for link in uplinks(made)} == {"100G"}


REFUSED: list[tuple[Keys, Code, tuple[str, ...], str]] = [
    (
        {"leaf_groups": {"r": {"leafs": "1-33"}}},
        Code.RADIX_EXCEEDED,
        ("leaf_groups", "r", "leafs"),
        "leaf 33 needs spine ports up to 33, but a spine has 32 of 100G",
    ),
    (
        {"leaf_groups": {"r": {"leafs": "1-1", "servers": {"per_leaf": 29, "speed": "100G"}}}},
        Code.PORTS_EXHAUSTED,
        ("leaf_groups", "r", "servers", "per_leaf"),
        "29 server ports need 29 cages and 4 spines need 4, but 7050CX3-32S has 32",
    ),
    (
        {"leaf_groups": {"r": {"leafs": "1-1", "servers": {"per_leaf": 1, "speed": "400G"}}}},
        Code.SPEED_NOT_ON_MODEL,
        ("leaf_groups", "r", "servers", "speed"),
        "7050CX3-32S has no 400G ports; it has 1x100G, 2x50G, 4x25G, 1x40G, 4x10G",
    ),
    (
        {"growth": {"spines": 1}},
        Code.GROWTH_TOO_SMALL,
        ("growth", "spines"),
        "growth reserves 1 spines, but the intent already has 2",
    ),
    (
        {"leaf_groups": {"a": {"leafs": "1-3"}, "b": {"leafs": "3-4"}}},
        Code.DUPLICATE_ID,
        ("leaf_groups", "b", "leafs"),
        "leaf 3 is also in group 'a'",
    ),
    (
        {"design": "superspine"},
        Code.MISSING_KEY,
        (),
        "a superspine frontend needs `superspine` and `leafs_per_pod`",
    ),
    (
        {"switches": {"fe-leaf3": {"platform": "eos"}}},
        Code.UNKNOWN_REFERENCE,
        ("switches", "fe-leaf3"),
        "no switch 'fe-leaf3' in the frontend",
    ),
    (
        {"addressing": {"vteps": "10.0.0.0/29"}},
        Code.POOL_TOO_SMALL,
        ("addressing", "vteps"),
        "9 addresses are needed, including growth, but the pool has 8",
    ),
    (
        {"addressing": {"links": "2001:db8::/48"}},
        Code.BAD_VALUE,
        ("addressing", "links"),
        "numbered links need an IPv4 pool, but 2001:db8::/48 is not one",
    ),
]


@pytest.mark.parametrize(("more", "code", "path", "said"), REFUSED)
def test_what_does_not_fit_is_refused(
    more: Keys, code: Code, path: tuple[str, ...], said: str
) -> None:
    found = only(frontend(**_four_leafs(more)))
    assert (found.code, found.path, found.message) == (code, ("frontend", *path), said)


def _four_leafs(more: Keys) -> Keys:
    """With four leafs and two spines a pool of eight is too small by one."""
    if "vteps" in more.get("addressing", {}):
        return {**more, "leaf_groups": {"racks": {"leafs": "1-4"}}}
    return more


def red(**tenant: object) -> Keys:
    vlans = {
        "web": {"id": 110, "subnet": "10.110.0.0/24"},
        "db": {"id": 111, "subnet": "10.111.0.0/24"},
    }
    return frontend() | {"tenants": {"red": {"vrfs": {"red": {"id": 1, "vlans": vlans}}, **tenant}}}


def test_vnis_follow_from_ids() -> None:
    overlay = fabric(red()).overlay
    assert overlay is not None
    assert {vlan.id: vlan.vni for vlan in overlay.vlans.values()} == {110: 10_110, 111: 10_111}
    assert [(vrf.vni, vrf.transit_vlan) for vrf in overlay.vrfs.values()] == [(50_001, 3001)]


def test_attachments_share_a_trunk() -> None:
    parts = [
        {"group": "racks", "servers": "1", "access": "web"},
        {"group": "racks", "servers": "1-2", "trunk": ["db"]},
    ]
    overlay = fabric(red(attachments=parts)).overlay
    assert overlay is not None
    ports = overlay.ports["fe-leaf02"]
    assert sorted(ports) == [1, 2]
    assert ports[1].untagged is not None
    assert ports[1].untagged.name == "red-web"
    assert [vlan.name for vlan in ports[1].tagged] == ["red-db"]
    assert ports[2].untagged is None


@pytest.mark.parametrize(
    ("attachment", "code", "key", "said"),
    [
        ({"group": "rack"}, Code.UNKNOWN_REFERENCE, "group", "no leaf group 'rack'"),
        ({"access": "wbe"}, Code.UNKNOWN_REFERENCE, "access", "tenant 'red' has no VLAN 'wbe'"),
        ({"servers": "4-5"}, Code.UNKNOWN_REFERENCE, "servers", "group 'racks' has no server 5"),
        ({"leafs": "2-3"}, Code.UNKNOWN_REFERENCE, "leafs", "group 'racks' has no leaf 3"),
    ],
)
def test_an_attachment_that_refers_to_nothing_is_refused(
    attachment: dict[str, Any], code: Code, key: str, said: str
) -> None:
    item = {"group": "racks", "access": "web", **attachment}
    found = only(red(attachments=[item]))
    assert found.code is code
    assert found.path == ("tenants", "red", "attachments", 0, key)
    assert said in found.message


def test_two_untagged_vlans_on_one_port_are_refused() -> None:
    parts = [{"group": "racks", "servers": "1", "access": name} for name in ("web", "db")]
    assert {item.code for item in findings(red(attachments=parts))} == {Code.PORT_USED_TWICE}


@pytest.mark.parametrize(
    ("vlan", "code", "said"),
    [
        ({"id": 110}, Code.DUPLICATE_ID, "the VLAN id 110 is also used by red/red-web"),
        ({"id": 3001}, Code.VNI_CLASH, "VLAN ids above 3000 are reserved"),
        ({"id": 9, "subnet": "10.9.0.0/24"}, Code.BAD_VALUE, "is bridged only"),
    ],
)
def test_a_vlan_that_clashes_is_refused(vlan: dict[str, Any], code: Code, said: str) -> None:
    found = only(red(vlans={"more": vlan}))
    assert found.code is code
    assert said in found.message


@pytest.mark.parametrize("gateway", ["10.110.0.0", "10.110.0.255", "10.111.0.1", "::1"])
def test_a_gateway_is_a_host_of_its_subnet(gateway: str) -> None:
    keys = red()
    web = keys["tenants"]["red"]["vrfs"]["red"]["vlans"]["web"]
    web["gateway"] = gateway
    found = only(keys)
    assert found.code is Code.BAD_VALUE
    assert found.message == "the gateway is not a host of 10.110.0.0/24"


def loaded(servers: int, **more: object) -> Keys:
    """Two leafs at 3 to 1 whose spines nobody counted."""
    racks = {"leafs": "1-2", "servers": {"per_leaf": servers, "speed": "100G"}}
    return frontend(leaf_groups={"racks": racks}, spine=switches(SPINE), **more)


@pytest.mark.parametrize(("servers", "spines"), [(1, 2), (6, 2), (7, 3), (9, 3), (10, 4), (12, 4)])
def test_spines_that_nobody_counted_are_as_many_as_the_ratio_needs(
    servers: int, spines: int
) -> None:
    assert counts(fabric(loaded(servers)).topology)[1] == spines


def test_more_servers_bring_a_spine_and_move_nothing() -> None:
    for few, many in ((6, 7), (7, 12)):
        assert cabling(fabric(loaded(few)).topology) < cabling(fabric(loaded(many)).topology)


def test_more_spines_than_there_is_room_for_are_refused() -> None:
    found = only(loaded(13))
    assert (found.code, found.path) == (Code.GROWTH_TOO_SMALL, ("frontend", "growth", "spines"))
    assert found.message == "5 spines are needed for 3 to 1, but there is room for 4"
    assert counts(fabric(loaded(13, growth={"spines": 5})).topology)[1] == 5


def test_superspines_are_counted_where_their_ratio_is_said() -> None:
    top = {**switches(SPINE), "ratio": 1.0}
    keys = loaded(4, design="superspine", leafs_per_pod=3, superspine=top)
    assert counts(fabric(keys).topology) == (2, 2, 3)


@pytest.mark.parametrize(("count", "spines"), [(1, 2), (24, 2), (28, 3)])
def test_a_kind_brings_the_spines_that_its_servers_need_and_not_those_of_a_full_leaf(
    count: int, spines: int
) -> None:
    ports = {"front": {"fabric": "frontend", "ports": 1, "speed": "25G"}}
    words = {"leaf": switches(SPINE), "spine": switches(SPINE)}
    keys: Keys = {"servers": {"cpu": {"count": count, "ports": ports}}, "frontend": words}
    assert counts(fabric(keys).topology)[1] == spines
