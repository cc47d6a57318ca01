"""Routed fabrics: counts by the formula, two sides that grow apart, demand against the links.

Sources: the sizing of an AI storage network by sides (leafs = ports / downlinks, uplinks =
downlinks x speed / (ratio x uplink speed)); Juniper's storage fabric for 64 H100 servers has 8
leafs and 4 spines with 4 links per pair, of which half the leafs are taken for either side here.
"""

from collections import Counter
from typing import Any

import pytest
import yaml
from tests.unit.design.sites import R32, R64, Keys, findings, intent, pairs, switches

from fabricgen.compile.compiler import compile_site
from fabricgen.compile.design.site import design_site
from fabricgen.compile.design.slices import Slicer
from fabricgen.compile.reports.ratios import ratio_line
from fabricgen.core.diagnostics import Code, Diagnostic, Severity
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Nic, Role

_FULL_LEAF = (
    "40 server ports and 40 uplinks, the same to each of 2 spines, need 80 cages of a compute "
    "leaf, but Z9664F-ON has 64"
)


_FULL_SPINES = (
    "128 compute leafs x 1 = 128 links to each of 32 spines, but Z9664F-ON has 64 ports of 400G"
)


def side(count: int, ports: int = 1, *, per_leaf: int | None = None, **more: Any) -> Keys:
    """One side at 400G."""
    servers = {"count": count, "ports": ports, "speed": "400G"}
    given = {"per_leaf": per_leaf} if per_leaf else {}
    return {"servers": servers, **given, **more}


def storage(model: str, compute: Keys, kept: Keys | None, **more: Any) -> Keys:
    """A storage fabric of one model."""
    sides = {"compute": compute} if kept is None else {"compute": compute, "storage": kept}
    words = {
        "kind": "routed",
        "leaf": switches(model),
        "spine": switches(model),
        "links": {"speed": "400G"},
        "sides": sides,
        **more,
    }
    return {"fabrics": {"storage": words}}


def designed(keys: Keys) -> Fabric:
    site, said = design_site(intent(keys))
    assert not [item for item in said if item.severity is Severity.ERROR], said
    return site.fabrics[0]


def counted(fabric: Fabric) -> dict[str, int]:
    """Count the leafs of each side, and the spines."""
    return dict(Counter(s.group or s.role.value for s in fabric.topology.switches))


def error(keys: Keys) -> Diagnostic:
    (only,) = (item for item in findings(keys) if item.severity is Severity.ERROR)
    return only


def test_8_leafs_of_32_ports_have_4_spines_and_4_links_per_pair() -> None:
    fabric = designed(storage(R32, side(64), side(64)))
    assert counted(fabric) == {"spine": 4, "compute": 4, "storage": 4}
    assert pairs(fabric.topology) == {4}


def test_a_ratio_is_that_of_its_side_alone() -> None:
    """64 ports: at 3 to 1 48 down and 16 up, at 1 to 1 32 and 32."""
    fabric = designed(storage(R64, side(96, ratio=3.0), side(64), spine=switches(R64, count=2)))
    assert counted(fabric) == {"spine": 2, "compute": 2, "storage": 2}
    up = Counter(link.lower.name for link in fabric.topology.links if not link.to_server)
    assert up == {
        "storage-compute-leaf01": 16,
        "storage-compute-leaf02": 16,
        "storage-storage-leaf01": 32,
        "storage-storage-leaf02": 32,
    }


def test_the_ratio_of_each_side_is_told() -> None:
    keys = storage(R64, side(96, ratio=3.0), side(64), spine=switches(R64, count=2))
    line = "storage bandwidth, below to above: storage leaf 1 : 1, compute leaf 3 : 1"
    assert ratio_line(designed(keys)) == line


def test_leafs_are_ports_by_downlinks_and_uplinks_by_the_ratio() -> None:
    """20 servers on a leaf at 4 to 3: 20 x 400 / (4/3 x 400) = 15 uplinks, 16 over 2 spines."""
    fabric = designed(storage(R64, side(41, per_leaf=20, ratio=4 / 3), None))
    assert counted(fabric) == {"spine": 2, "compute": 3}
    assert pairs(fabric.topology) == {8}


def test_ports_of_a_server_go_to_different_leafs() -> None:
    fabric = designed(storage(R64, side(4, ports=4), None))
    for server in fabric.topology.servers:
        links = fabric.topology.links_at[server.name]
        assert Counter(link.upper.name for link in links) == {
            "storage-compute-leaf01": 2,
            "storage-compute-leaf02": 2,
        }
        assert [link.lower_port.label for link in links] == ["data0", "data1", "data2", "data3"]


def test_every_server_port_is_routed_with_a_31_of_its_own() -> None:
    fabric = designed(storage(R64, side(40, ports=2), side(30, ports=2)))
    ports = [
        i
        for switch_slice in Slicer(fabric).slices()
        for i in switch_slice.interfaces
        if i.use is Use.NIC
    ]
    assert len(ports) == 2 * 70
    assert {str(i.address).split("/")[1] for i in ports} == {"31"}
    assert len({i.address for i in ports}) == len(ports)


def test_a_leaf_may_be_the_gateway_of_a_subnet() -> None:
    keys = storage(R64, side(20), side(20), nic_addressing={"mode": "subnet"})
    assert gateways(designed(keys)) == {
        "storage-compute-leaf01": ["10.216.0.1/23"],
        "storage-storage-leaf01": ["10.220.0.1/23"],
    }


def test_a_side_that_comes_later_moves_no_subnet() -> None:
    mode = {"nic_addressing": {"mode": "subnet"}, "growth": {"spines": 2}}
    more = side(20)
    more["servers"] |= {"speed": "100G"}
    before, after = (designed(storage(R64, side(20), kept, **mode)) for kept in (None, more))
    assert {key: numbers(after).get(key) for key in numbers(before)} == numbers(before)
    assert gateways(before).items() <= gateways(after).items()


def gateways(fabric: Fabric) -> dict[str, list[str]]:
    """Return the subnets of each leaf by their gateways."""
    return {
        switch_slice.switch.name: [str(vlan.gateway(4)) for vlan in switch_slice.vlans]
        for switch_slice in Slicer(fabric).slices()
        if switch_slice.switch.is_leaf
    }


def numbers(fabric: Fabric) -> dict[str, object]:
    """Return who has which number and cable, by what has it."""
    held: dict[str, object] = {
        switch_slice.switch.name: (
            switch_slice.asn,
            str(switch_slice.loopback),
            str(switch_slice.management),
        )
        for switch_slice in Slicer(fabric).slices()
    }
    for switch_slice in Slicer(fabric).slices():
        for i in switch_slice.interfaces:
            if i.peer is not None:
                where = f"{switch_slice.switch.name} {i.port.label}"
                held[where] = (i.peer.name, i.peer_port and i.peer_port.label, str(i.address))
    return held


@pytest.mark.parametrize(("compute", "kept"), [(200, 40), (64, 90), (200, 90)])
def test_growing_one_side_moves_nothing_of_either(compute: int, kept: int) -> None:
    growth = {"compute": 200, "storage": 90}
    before = numbers(designed(storage(R64, side(64, 2), side(40, 2), growth=growth)))
    after = numbers(designed(storage(R64, side(compute, 2), side(kept, 2), growth=growth)))
    assert {key: after.get(key) for key in before} == before


def test_sides_take_the_ports_of_a_spine_from_either_end() -> None:
    fabric = designed(storage(R64, side(64), side(64)))
    (first, *_) = (s for s in fabric.topology.switches if s.role is Role.SPINE)
    cages: dict[str, list[int]] = {"compute": [], "storage": []}
    for link in fabric.topology.links_at[first.name]:
        cages[getattr(link.lower, "group", "")].append(link.upper_port.cage)
    assert min(cages["compute"]) == 1
    assert max(cages["storage"]) == 64
    assert max(cages["compute"]) < min(cages["storage"])


def test_demand_above_the_servers_ports_is_an_error_with_the_arithmetic() -> None:
    told = error(storage(R64, side(64), side(8), demand={"rate": 250, "servers": 32}))
    assert told.code is Code.DEMAND_ABOVE_CAPACITY
    assert told.path == ("fabrics", "storage", "demand", "rate")
    assert told.message == (
        "64 compute servers / 32 x 250 GB/s = 500 GB/s, but 8 storage servers x 1 x 400G = 400 GB/s"
    )
    assert told.hint == "set at most `rate: 200`, or add ports there"


def test_demand_is_held_against_uplinks_too_and_against_what_grows() -> None:
    """One leaf with 60 servers at 15 to 1 has 4 uplinks of 50 GB/s."""
    narrow = side(60, ratio=15.0, per_leaf=60)
    told = error(storage(R64, side(30), narrow, demand={"rate": 8}))
    assert told.message == (
        "30 compute servers x 8 GB/s = 240 GB/s, but 1 storage leafs x 4 uplinks x 400G = 200 GB/s"
    )
    fits = storage(R64, side(25), narrow, demand={"rate": 8})
    assert counted(designed(fits))["compute"] == 1
    fits["fabrics"]["storage"]["growth"] = {"compute": 26}
    assert error(fits).message.startswith(
        "26 compute servers x 8 GB/s = 208 GB/s, with growth, but 1 storage leafs x 4 uplinks"
    )


def test_demand_needs_both_sides() -> None:
    told = error(storage(R64, side(8), None, demand={"rate": 1}))
    assert (told.code, told.path) == (Code.MISSING_KEY, ("fabrics", "storage", "demand"))


@pytest.mark.parametrize(
    ("sides", "code", "message"),
    [
        ({}, Code.MISSING_KEY, "a routed fabric has servers on one side at least"),
        (
            {"compute": {"servers": {"count": 4, "ports": 3, "leafs": 2, "speed": "400G"}}},
            Code.BAD_VALUE,
            "3 ports of a server cannot be divided over 2 leafs",
        ),
        (
            {"compute": side(40, per_leaf=40)},
            Code.PORTS_EXHAUSTED,
            _FULL_LEAF,
        ),
        (
            {"compute": side(4096)},
            Code.RADIX_EXCEEDED,
            _FULL_SPINES,
        ),
    ],
)
def test_what_does_not_fit_is_said(sides: Keys, code: Code, message: str) -> None:
    keys = storage(R64, side(1), None)
    keys["fabrics"]["storage"]["sides"] = sides
    told = error(keys)
    assert (told.code, told.message) == (code, message)


def test_a_pool_is_cut_into_blocks_and_no_rails() -> None:
    told = error(storage(R64, side(8), None, addressing={"nics": "10.216.0.0/30"}))
    assert told.code is Code.POOL_TOO_SMALL
    assert told.message.startswith("a block needs ")
    assert "one for each leaf that a server reaches, gives" in told.message
    assert "rail" not in told.message


def test_what_fits_is_named() -> None:
    assert error(storage(R64, side(40, per_leaf=40), None)).hint == "this fits: `per_leaf: 32`"
    assert counted(designed(storage(R64, side(40, per_leaf=32), None)))["compute"] == 2


def test_without_a_roce_class_no_port_pauses() -> None:
    plain = designed(storage(R64, side(8), side(8)))
    assert plain.lossless is None
    assert plain.qos is not None
    assert plain.qos.lossless == ()


def test_a_roce_class_has_headroom_on_every_switch() -> None:
    """Sides have cables of their own, so leafs have ports of their own kind."""
    near, far = side(8), side(8)
    far["servers"]["cable_length"] = 40
    fabric = designed(storage("7060X6-64PE", near, far, roce={"storage": None}))
    assert fabric.lossless is not None
    assert fabric.lossless.switches.keys() == {s.name for s in fabric.topology.switches}
    lengths = {
        name: {int(port.length) for port, _ in buffers.ports}
        for name, buffers in fabric.lossless.switches.items()
    }
    assert lengths["storage-compute-leaf01"] == {5, 30}
    assert lengths["storage-storage-leaf01"] == {40, 30}
    assert lengths["storage-spine1"] == {30}


def test_nics_of_the_sides_have_rails_of_their_own() -> None:
    fabric = designed(storage(R64, side(4, 2), side(4, 2)))
    rails = {
        (link.upper.group, link.lower_port.rail)
        for server in fabric.topology.servers
        for link in fabric.topology.links_at[server.name]
        if isinstance(link.lower_port, Nic)
    }
    assert rails == {("compute", 1), ("compute", 2), ("storage", 5), ("storage", 6)}


def kind(count: int, group: str | None, **more: Any) -> Keys:
    """A kind of server with a set of ports on the storage fabric."""
    named = {"group": group} if group else {}
    ports = {"fabric": "storage", "ports": 2, "speed": "400G", **named, **more}
    return {"count": count, "ports": {"nvme": ports}}


@pytest.mark.parametrize("wrong", [{"group": "storag"}, {"fabric": "storge"}, {"leafs": 3}])
def test_of_a_side_whose_kind_has_an_error_nothing_follows(wrong: Keys) -> None:
    keys = storage(R64, {"ratio": 2}, {"ratio": 1}, demand={"rate": 40})
    keys["servers"] = {"gpu": kind(40, "compute"), "nas": kind(8, "storage")}
    keys["servers"]["nas"]["ports"]["nvme"] |= wrong
    own = {"name": "lab", "management": {"subnet": "10.0.0.0/8"}}
    texts = {"site.yaml": yaml.safe_dump({"site": own, **keys})}
    said = compile_site(load_texts(texts)).findings
    errors = [each.path[:4] for each in said if each.severity is Severity.ERROR]
    assert errors == [("servers", "nas", "ports", "nvme")]


def test_a_kind_of_servers_has_ports_on_the_side_that_it_names() -> None:
    servers = {"gpu": kind(40, "compute"), "nas": kind(8, "storage", leafs=1)}
    words = {
        **storage(R64, side(1), None)["fabrics"]["storage"],
        "sides": {"compute": {"ratio": 2}},
    }
    fabric = designed({"servers": servers, "fabrics": {"storage": words}})
    assert counted(fabric) == {"spine": 2, "compute": 2, "storage": 1}
    assert {server.name for server in fabric.topology.servers} >= {"gpu0040", "nas0008"}
    links = fabric.topology.links_at["nas0008"]
    assert [link.lower_port.label for link in links] == ["nvme0", "nvme1"]
    assert {link.upper.name for link in links} == {"storage-storage-leaf01"}


def test_kinds_give_the_same_fabric_as_the_sides_own_keys() -> None:
    own = designed(storage(R64, side(40, 2), side(8, 2)))
    keys = storage(R64, side(1), None)
    keys["fabrics"]["storage"]["sides"] = {}
    keys["servers"] = {"gpu": kind(40, "compute"), "nas": kind(8, "storage")}
    assert [s.name for s in designed(keys).topology.switches] == [
        s.name for s in own.topology.switches
    ]
    ports = [
        {(link.upper.name, link.upper_port.label, link.slot) for link in fabric.topology.links}
        for fabric in (own, designed(keys))
    ]
    assert ports[0] == ports[1]


@pytest.mark.parametrize(
    ("servers", "sides", "code", "path"),
    [
        ({"gpu": kind(4, None)}, {}, Code.MISSING_KEY, ("servers", "gpu", "ports", "nvme")),
        (
            {"gpu": kind(4, "gpus")},
            {},
            Code.UNKNOWN_REFERENCE,
            ("servers", "gpu", "ports", "nvme", "group"),
        ),
        (
            {"gpu": kind(4, "compute")},
            {"compute": side(4)},
            Code.DUPLICATE_ID,
            ("fabrics", "storage", "sides", "compute", "servers"),
        ),
        (
            {"cpu": kind(4, "compute"), "gpu": kind(4, "compute")},
            {},
            Code.UNSUPPORTED,
            ("servers", "gpu", "ports", "nvme", "fabric"),
        ),
        (
            {"gpu": kind(4, "compute")},
            {"storage": {"ratio": 2.0}},
            Code.MISSING_KEY,
            ("fabrics", "storage", "sides", "storage"),
        ),
        (
            {"gpu": kind(4, "compute", bond="active-backup")},
            {},
            Code.BAD_VALUE,
            ("servers", "gpu", "ports", "nvme", "bond"),
        ),
    ],
)
def test_a_kind_that_has_no_place_is_said(
    servers: Keys, sides: Keys, code: Code, path: tuple[str, ...]
) -> None:
    keys = storage(R64, side(1), None)
    keys["fabrics"]["storage"]["sides"] = sides
    told = error({**keys, "servers": servers})
    assert (told.code, told.path) == (code, path)
