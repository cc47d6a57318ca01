"""Every cable of a site, with its ends, length and medium."""

from collections import Counter, defaultdict
from dataclasses import replace
from typing import Any

import pytest
import yaml

from fabricgen.compile.compiler import Compiled, compile_site
from fabricgen.core.diagnostics import Code
from fabricgen.intent.load import load_texts
from fabricgen.model.cabling.cables import Cable, FabricCables, cables
from fabricgen.model.fabric.floor import NO_FLOOR
from fabricgen.model.fabric.topology import Switch

SITE: dict[str, Any] = {
    "site": {"name": "lab", "management": {"subnet": "10.255.0.0/22", "ntp": ["10.255.3.1"]}},
    "servers": {
        "gpu": {
            "count": 16,
            "gpus": 8,
            "height": 8,
            "ports": {"rdma": {"fabric": "backend", "speed": "400G", "nic": "connectx-7"}},
        }
    },
    "backend": {
        "design": "rail-optimized",
        "scalable_unit": {"servers": 16},
        "leaf": {"model": "7060X6-64PE", "platform": "sonic"},
        "spine": {"model": "7060X6-64PE", "platform": "sonic"},
    },
    "racks": {
        "gpu": {"count": 4, "contents": [{"servers": "gpu", "count": 4}]},
        "network": {"position": 5, "contents": [{"switches": "be-*"}]},
    },
}


def compiled(**more: Any) -> Compiled:
    return compile_site(load_texts({"site.yaml": yaml.safe_dump({**SITE, **more})}))


def laid(**more: Any) -> list[Cable]:
    site = compiled(**more).site
    assert site is not None
    return list(cables(site))


def backend(**words: Any) -> dict[str, Any]:
    return {**SITE["backend"], **words}


def moved(row: int) -> dict[str, Any]:
    return {**SITE["racks"], "network": {**SITE["racks"]["network"], "row": row}}


def test_every_link_is_a_cable_and_every_cable_a_link() -> None:
    site = compiled().site
    assert site is not None
    links = [link for fabric in site.fabrics for link in fabric.topology.links]
    every = list(cables(site))
    assert [each.link for each in every] == links
    assert len({each.name for each in every}) == len(every)


def test_a_site_whose_racks_are_refused_has_cables_of_nothing_known() -> None:
    made = compiled()
    assert made.site is not None
    every = list(cables(replace(made.site, floor=NO_FLOOR)))
    assert len(every) == len(laid())
    assert {(each.way, each.length.sold) for each in every} == {(None, None)}


def test_servers_of_rails_are_on_fiber_unless_copper_is_chosen() -> None:
    assert {each.medium for each in laid()} == {"multimode"}
    near = {"media": {"backend": {"servers": ["copper"], "switches": ["copper", "multimode"]}}}
    media = Counter(each.medium for each in laid(cabling=near) if each.rail)
    assert media == {"": 128}  # four racks away: no copper reaches, and nothing else is said


def test_a_card_of_another_cage_has_its_own_optic() -> None:
    ends = {
        (each.near.optic.name, each.far.optic.name)
        for each in laid()
        if each.rail and each.near.optic and each.far.optic
    }
    assert ends == {("OSFP-800G-2SR4", "400G-SR4")}


def test_what_is_farther_than_multimode_reaches_is_single_mode() -> None:
    assert {each.medium for each in laid(racks=moved(9))} == {"multimode"}
    far = [each for each in laid(racks=moved(14)) if each.rail]
    assert {(each.medium, each.length.meters) for each in far} == {("single-mode", 75.0)}


def test_a_rack_that_moves_changes_the_headroom() -> None:
    near, far = compiled(), compiled(racks=moved(12))
    lengths = []
    for each in (near, far):
        assert each.site is not None
        lossless = each.site.fabrics[0].lossless
        assert lossless is not None
        ports = lossless.switches["be-su01-leaf1"].ports
        lengths.append(sorted({kind.length for kind, _ in ports}))
    assert lengths[0] != lengths[1]
    assert max(lengths[1]) > max(lengths[0])


def test_racks_leave_a_place_in_the_middle_of_each_row() -> None:
    gpu = {"count": 4, "per_row": 2, "skips": [2], "contents": [{"servers": "gpu", "count": 4}]}
    leafs = {"position": 2, "contents": [{"switches": "be-*"}]}
    site = compiled(racks={"gpu": gpu, "network": leafs}).site
    assert site is not None
    places = [(rack.row, rack.position) for rack in site.floor.racks if rack.type == "gpu"]
    assert places == [(1, 1), (1, 3), (2, 1), (2, 3)]
    assert site.floor.stands["gpu0016"].rack.name == "r02-03"


def test_a_written_length_stays_where_it_is_longer() -> None:
    site = compiled(backend=backend(links={"length": 40})).site
    assert site is not None
    links = site.fabrics[0].topology.links
    assert {each.length for each in links if not each.to_server} == {40}


def test_a_written_length_that_is_too_short_is_an_error() -> None:
    found = compiled(backend=backend(links={"length": 1})).findings
    assert [each.path for each in found if each.code is Code.CABLE_TOO_SHORT] == [
        ("backend", "links", "length")
    ]


@pytest.mark.parametrize("count", [16, 8])
def test_no_cable_has_another_name_or_length_after_growth(count: int) -> None:
    before = laid(servers={"gpu": {**SITE["servers"]["gpu"], "count": count}})
    after = {each.name: each for each in laid()}
    for each in before:
        if each.rail:
            same = after[each.name]
            assert (same.far.name, same.length.meters) == (each.far.name, each.length.meters)


def test_every_cable_of_a_rail_lands_on_a_leaf_of_that_rail() -> None:
    railed = [each for each in laid() if each.rail]
    assert len(railed) == 16 * 8
    for each in railed:
        assert isinstance(each.near.owner, Switch)
        assert each.rail in each.near.owner.rails


def _near_and_far(row: int) -> list[Cable]:
    """Servers of the first rack beside the leafs, of the second in another row: one cage has both.

    Two rails share a leaf of 2x400G, so a cage has the ports of two servers.
    """
    gpu = {"contents": [{"servers": "gpu", "count": 1}]}
    far = {"row": row, "contents": [{"servers": "gpu", "count": 15, "first": 2}], "height": 60}
    racks = {"gpu": gpu, "far": far, "network": SITE["racks"]["network"]}
    kind = {**SITE["servers"]["gpu"], "height": 4}
    return [each for each in laid(racks=racks, servers={"gpu": kind}) if each.rail]


def test_a_cage_holds_one_optic_which_is_that_of_its_longest_leg() -> None:
    every = _near_and_far(14)
    meters = {each.far.name: each.length.meters for each in every}
    assert meters["gpu0001"] < 50 < meters["gpu0002"]
    cages: dict[str, set[str]] = defaultdict(set)
    for each in every:
        assert each.near.optic is not None
        cages[each.assembly].add(each.near.optic.name)
    assert {len(names) for names in cages.values()} == {1}
    (one,) = {each.medium for each in every if each.far.name == "gpu0001"}
    assert one == "single-mode"


LEAFS = [{"switches": f"be-su01-leaf{number}"} for number in range(1, 9)]
APART = {
    "gpu": SITE["racks"]["gpu"],
    "leafs": {"position": 5, "contents": LEAFS[:4]},
    "others": {"row": 20, "position": 30, "contents": LEAFS[4:]},
    "spines": {"position": 6, "contents": [{"switches": "be-spine*"}]},
}
PANELS = {
    "structured": {"backend": {}},
    "media": {"backend": {"servers": ["multimode"], "switches": ["multimode"]}},
}


FIBER = {
    "media": {"backend": {"servers": ["multimode", "single-mode"], "switches": ["single-mode"]}}
}


@pytest.mark.parametrize("cabling", [{}, PANELS, FIBER], ids=["direct", "by panels", "fiber"])
def test_a_cable_is_the_same_whatever_was_laid_before(cabling: dict[str, Any]) -> None:
    site = compiled(racks=APART, **({"cabling": cabling} if cabling else {})).site
    assert site is not None
    (fabric,) = site.fabrics
    links = fabric.topology.links
    known, fresh = (FabricCables(fabric=fabric, floor=site.floor, links=links) for _ in range(2))
    lengths = set()
    for one, other in zip(known.cables(), fresh.cables(), strict=True):
        for kept in (fresh.lengths, fresh.channels, fresh.ways):
            kept.clear()
        pair = [repr((each.length, each.way, each.channel)) for each in (one, other)]
        assert pair[0] == pair[1], one.name
        lengths.add(one.length.way)
    assert len(lengths) > 8
