"""Kinds of servers: one object in all fabrics, places of their own, and what is refused."""

from typing import Any

import pytest
import yaml

from fabricgen.compile.compiler import Cutter, compile_site, folder_of
from fabricgen.compile.design.slices import Slicer
from fabricgen.core.diagnostics import Code, Diagnostic, Severity
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import Site, SwitchSlice
from fabricgen.model.fabric.topology import Server
from fabricgen.nos.hosts.routed import RoutedSlicer

Keys = dict[str, Any]
SMALL = {"model": "7050CX3-32S", "platform": "eos"}
RAIL = {"fabric": "backend", "speed": "100G"}
FRONT = {"fabric": "frontend", "speed": "25G", "per_leaf": 4}


def site(servers: Keys, *, groups: Keys | None = None, **more: Any) -> Keys:
    """Return a site of rails and leafs for these kinds."""
    return {
        "site": {"name": "lab", "management": {"subnet": "10.255.0.0/20"}},
        "servers": servers,
        "backend": {
            "design": "rail-optimized",
            "scalable_unit": {"servers": 8},
            "leaf": SMALL,
            "spine": {**SMALL, "count": 4},
            "growth": {"servers": 48},
            "roce": {"enabled": False},
        },
        "frontend": {
            "leaf": SMALL,
            "spine": {**SMALL, "count": 2},
            **({"leaf_groups": groups} if groups else {}),
        },
        **more,
    }


def kind(count: int, **ports: Any) -> Keys:
    return {"count": count, "gpus": 2, "ports": ports}


def errors(keys: Keys) -> list[Diagnostic]:
    made = compile_site(load_texts({"site.yaml": yaml.safe_dump(keys)}))
    return [item for item in made.findings if item.severity is Severity.ERROR]


def built(keys: Keys) -> Site:
    made = compile_site(load_texts({"site.yaml": yaml.safe_dump(keys)}))
    assert made.ok, made.findings
    assert made.site is not None
    return made.site


def cabled(made: Site, server: str) -> list[tuple[str, str, str]]:
    """Return the port of a server, the leaf and its port, of each cable."""
    return [
        (link.lower_port.label, link.upper.name, link.upper_port.label)
        for fabric in made.fabrics
        for link in fabric.topology.links_at.get(server, ())
    ]


def test_a_server_is_one_object_in_both_fabrics_and_has_one_folder() -> None:
    made = built(site({"gpu": kind(8, rail=RAIL, front=FRONT)}))
    one, other = (fabric.topology.servers for fabric in made.fabrics)
    assert len(one) == 8
    assert all(mine is theirs for mine, theirs in zip(one, other, strict=True))
    folders = [folder_of(owner) for owner in Cutter(made).owners() if isinstance(owner, Server)]
    assert sorted(folders) == [f"hosts/gpu{number:04}" for number in range(1, 9)]
    assert [port for port, _, _ in cabled(made, "gpu0003")] == ["front0", "rail0", "rail1"]


def test_leafs_are_counted_from_the_servers() -> None:
    made = built(site({"gpu": kind(9, front=FRONT, rail=RAIL)}))
    leafs = [s.name for s in made.fabrics[0].topology.switches if s.is_leaf]
    assert leafs == ["fe-leaf01", "fe-leaf02", "fe-leaf03"]
    assert cabled(made, "gpu0009")[0][1] == "fe-leaf03"


def test_ports_over_two_leafs_have_the_same_place_on_both() -> None:
    spread = {**FRONT, "ports": 4, "leafs": 2, "bond": "active-backup"}
    made = built(site({"gpu": kind(5, front=spread, rail=RAIL)}))
    assert [end for end in cabled(made, "gpu0002") if "front" in end[0]] == [
        ("front0", "fe-leaf01", "1/3"),
        ("front1", "fe-leaf01", "1/4"),
        ("front2", "fe-leaf02", "1/3"),
        ("front3", "fe-leaf02", "1/4"),
    ]
    assert {leaf for _, leaf, _ in cabled(made, "gpu0005") if "fe" in leaf} == {
        "fe-leaf03",
        "fe-leaf04",
    }
    assert not any(port.lag for switch_slice in pieces(made) for port in switch_slice.interfaces)


def pieces(made: Site) -> list[SwitchSlice]:
    return list(Slicer(made.fabrics[0]).slices())


TENANT = {
    "vrfs": {"red": {"id": 1, "vlans": {"web": {"id": 110, "subnet": "10.110.0.0/24"}}}},
}


def test_tenants_attach_by_kind_and_port() -> None:
    bonded = {**FRONT, "ports": 2, "bond": "lacp"}
    cpu = kind(4, front={**FRONT, "first": 9})
    attached = [{"servers": "gpu", "port": "front", "numbers": "2-3", "trunk": ["web"]}]
    tenants = {"red": {**TENANT, "attachments": attached}}
    made = built(site({"gpu": kind(4, front=bonded, rail=RAIL), "cpu": cpu}, tenants=tenants))
    (leaf,) = (switch_slice for switch_slice in pieces(made) if switch_slice.switch.is_leaf)
    carrying = {port.peer.name for port in leaf.interfaces if port.carries and port.peer}
    assert carrying == {"gpu0002", "gpu0003"}
    assert [(lag.number, lag.far) for lag in leaf.lags] == [
        (number, f"gpu{number:04}") for number in range(1, 5)
    ]


def test_growing_one_kind_moves_nothing_of_another() -> None:
    other = kind(6, rail={**RAIL, "unit": 4}, front={**FRONT, "first": 9})
    before = built(site({"gpu": kind(9, rail=RAIL, front=FRONT), "old": other}))
    wider = kind(20, rail=RAIL, front={**FRONT, "per_leaf": 8})
    after = built(site({"gpu": wider, "old": other}))
    for number in range(1, 7):
        assert cabled(before, f"old{number:04}") == cabled(after, f"old{number:04}")


def test_kinds_of_one_rail_fabric_have_units_and_speeds_of_their_own() -> None:
    slow = kind(6, rail={**RAIL, "speed": "50G", "unit": 3})
    made = built(site({"gpu": kind(9, rail=RAIL), "old": slow}, frontend=None) | {})
    assert {leaf for _, leaf, _ in cabled(made, "gpu0009")} == {"be-su02-leaf1", "be-su02-leaf2"}
    assert {leaf for _, leaf, _ in cabled(made, "old0001")} == {"be-su03-leaf1", "be-su03-leaf2"}
    speeds = {str(link.speed) for link in made.fabrics[0].topology.links_at["old0001"]}
    assert speeds == {"50G"}


BESIDE = {**FRONT, "first": 9}
GPU = kind(9, rail=RAIL, front=FRONT)


@pytest.mark.parametrize(
    ("servers", "code", "path", "words"),
    [
        (
            {"gpu": kind(4, rail=RAIL, front={**FRONT, "fabric": "frontnd"})},
            Code.UNKNOWN_REFERENCE,
            "servers.gpu.ports.front.fabric",
            "no fabric 'frontnd' in the site",
        ),
        (
            {"gpu": kind(4, rail={**RAIL, "first": 2}, front=FRONT)},
            Code.BAD_VALUE,
            "servers.gpu.ports.rail.first",
            "of kind rails, where `first` has no effect",
        ),
        (
            {"gpu": kind(4, rail=RAIL, front={**FRONT, "unit": 2})},
            Code.BAD_VALUE,
            "servers.gpu.ports.front.unit",
            "of kind evpn, where `unit` has no effect",
        ),
        (
            {"gpu": kind(40, rail=RAIL, front={**FRONT, "ports": 16, "per_leaf": 8})},
            Code.PORTS_EXHAUSTED,
            "servers.gpu.ports.front.per_leaf",
            "128 server ports need 32 cages and 4 spines need 4",
        ),
        (
            {"gpu": GPU, "old": kind(4, rail={**RAIL, "unit": 2})},
            Code.PORT_USED_TWICE,
            "servers.old.ports.rail.unit",
            "9 servers of gpu, 8 in a unit, are units 1 to 2, but old begins at 2",
        ),
        (
            {"gpu": GPU, "old": kind(4, front={**FRONT, "first": 4})},
            Code.PORT_USED_TWICE,
            "servers.old.ports.front.first",
            "places 1 to 4 of these leafs are used by gpu, but old begins at 4",
        ),
        (
            {"gpu": GPU, "old": kind(4, front={"fabric": "frontend", "speed": "25G"})},
            Code.MISSING_KEY,
            "servers.old.ports.front",
            "has no number of servers per leaf",
        ),
        (
            {
                "gpu": GPU,
                "old": {**kind(4, front={**FRONT, "first": 9}), "names": "gpu{number:04}"},
            },
            Code.NAME_NOT_UNIQUE,
            "servers.old.names",
            "two servers are named 'gpu0001': of servers.gpu and of servers.old",
        ),
        (
            {"gpu": GPU, "old": kind(4, rail={**RAIL, "unit": 4, "nics": 1})},
            Code.BAD_VALUE,
            "servers.old.ports.rail.nics",
            "old has 1 NICs, but gpu 2: NIC k is rail k",
        ),
        (
            {"gpu": kind(4, rail=RAIL, front={**FRONT, "leafs": 2})},
            Code.BAD_VALUE,
            "servers.gpu.ports.front",
            "1 ports cannot be divided evenly over 2 leafs",
        ),
        (
            {"gpu": kind(4, rail=RAIL, front={**FRONT, "bond": "lacp"})},
            Code.BAD_VALUE,
            "servers.gpu.ports.front",
            "a bond needs two ports or more",
        ),
    ],
)
def test_what_does_not_fit_is_said_with_its_place(
    servers: Keys, code: Code, path: str, words: str
) -> None:
    found = errors(site(servers))
    assert [(item.code, ".".join(map(str, item.path))) for item in found] == [(code, path)]
    assert words in found[0].message


def test_a_group_with_too_few_leafs_says_how_many_it_takes() -> None:
    (found,) = errors(site({"gpu": GPU}, groups={"racks": {"leafs": "1-2"}}))
    assert found.code is Code.PORTS_EXHAUSTED
    assert found.message == (
        "9 servers, 4 on a leaf, need 3 leafs, but the group has 2 with room for 8"
    )
    assert found.path == ("servers", "gpu", "count")


@pytest.mark.parametrize(
    ("more", "told", "follows"),
    [
        (
            {"front": {**FRONT, "first": 400}},
            "`first: 109`",
            {"front": {**FRONT, "first": 109}},
        ),
        (
            {"front": {**FRONT, "first": 400, "per_leaf": 200}},
            "use a leaf with more cages",
            None,
        ),
        ({"rail": {**RAIL, "unit": 8}}, "`growth: {servers: 64}`", {"growth": {"servers": 64}}),
    ],
)
def test_a_hint_for_places_and_units_fits_when_it_is_followed(
    more: Keys, told: str, follows: Keys | None
) -> None:
    ports = {"rail": RAIL, "front": FRONT, **more}
    (found,) = errors(site({"gpu": kind(4, **ports)}))
    assert told in found.hint
    if follows is not None:
        ports |= follows
        growth = ports.pop("growth", {"servers": 48})
        keys = site({"gpu": kind(4, **ports)})
        keys["backend"]["growth"] = growth
        assert errors(keys) == []


def test_a_rail_fabric_without_servers_says_both_ways_to_have_some() -> None:
    (found,) = errors(site({"gpu": kind(4, front=FRONT)}))
    assert (found.code, found.path) == (Code.MISSING_KEY, ("backend",))
    assert "the site's `servers`" in found.hint


@pytest.mark.parametrize(
    ("attachment", "words"),
    [
        ({"servers": "cpu"}, "no kind 'cpu' with ports on the frontend"),
        ({"servers": "gpu", "port": "back"}, "gpu has no ports 'back' on the frontend"),
        ({"servers": "gpu", "numbers": "8-12"}, "there are 9 servers of gpu, but no number 10"),
        ({"group": "leafs"}, "the servers at the leafs of 'leafs' belong to kinds of `servers`"),
    ],
)
def test_an_attachment_names_what_is_there(attachment: Keys, words: str) -> None:
    tenants = {"red": {**TENANT, "attachments": [{**attachment, "access": "web"}]}}
    (found,) = errors(site({"gpu": GPU}, tenants=tenants))
    assert words in found.message


def test_one_name_for_servers_of_two_kinds_is_refused_across_fabrics() -> None:
    named = {"names": "node{number}"}
    apart = {"cpu": {**kind(4, front=FRONT), **named}, "gpu": {**kind(4, rail=RAIL), **named}}
    (found,) = errors(site(apart))
    assert found.code is Code.NAME_NOT_UNIQUE
    assert found.path == ("servers", "gpu", "names")


def test_a_kind_without_gpus_says_its_nics() -> None:
    servers = {"cpu": {"count": 4, "ports": {"rail": RAIL, "front": FRONT}}}
    (found,) = errors(site(servers))
    assert (found.code, found.path) == (Code.MISSING_KEY, ("servers", "cpu", "ports", "rail"))


def test_a_refused_kind_brings_no_errors_that_only_follow() -> None:
    attached = [{"servers": "gpu", "port": "front", "access": "web"}]
    tenants = {"red": {**TENANT, "attachments": attached}}
    found = errors(site({"gpu": {**GPU, "ports": 5}}, tenants=tenants))
    assert [item.path for item in found] == [("servers", "gpu", "ports")]


def test_a_server_with_nics_on_two_fabrics_of_rails_has_tables_for_each() -> None:
    keys = site({"gpu": kind(4, rail=RAIL, more={**RAIL, "fabric": "second"}, front=FRONT)})
    second = {**keys["backend"], "kind": "rails"}
    pools = {"loopbacks": "10.1.0.0/16", "links": "10.4.0.0/14", "nics": "10.8.0.0/13"}
    parts = {"management": "10.255.12.0/24", "addressing": pools}
    (found,) = errors({**keys, "fabrics": {"second": {**second, **parts}}})
    assert (found.code, found.path) == (
        Code.BAD_VALUE,
        ("servers", "gpu", "ports", "rail", "fabric"),
    )
    assert "its servers would have the same routing tables for both" in found.message
    assert not errors({**keys, "fabrics": {"second": {**second, "number": 1}}})


@pytest.mark.parametrize("ports", [{"nic_ports": 2}, {"nic_ports": 2, "speed": "50G"}])
@pytest.mark.parametrize("mode", ["p2p", "subnet"])
def test_kinds_of_one_rail_fabric_may_differ_in_their_nics(mode: str, ports: Keys) -> None:
    """Cages, addresses and places of both are their own; the other order of kinds, too."""
    for first, second in (({}, ports), (ports, {})):
        kinds = {
            "gpu": kind(9, rail={**RAIL, **first}, front={**FRONT, "first": 1}),
            "old": kind(5, rail={**RAIL, "cable_length": 30, "unit": 4, **second}),
        }
        keys = site(kinds)
        keys["backend"] |= {"nic_addressing": {"mode": mode}, "oversubscription": 4}
        made = built(keys)
        rails = made.fabrics[1]
        ends = [(link.upper.name, link.upper_port) for link in rails.topology.links]
        assert len(ends) == len(set(ends))
        slicer = RoutedSlicer(rails)
        told = [
            port
            for server in rails.topology.servers
            for side in slicer.sides(server)
            for port in side.ports
        ]
        assert (
            len({port.address.host for port in told})
            == len(told)
            == sum(link.to_server for link in rails.topology.links)
        )
        lengths = {plan.servers[1]: plan.length for plan in rails.hosts.values()}
        assert lengths == {"gpu": 5, "old": 30}
