"""Pictures of the physical plan: well-formed, complete, and no words of an intent break out."""

import xml.etree.ElementTree as ET
from collections import Counter
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.cli.calling import ROOT, call
from tests.unit.plant.test_cables import SITE, compiled

from fabricgen.compile.compiler import compile_site
from fabricgen.core.svg import cut, sheet, text
from fabricgen.intent.load import load_texts
from fabricgen.model.cabling.cables import Cable, cables
from fabricgen.model.fabric.switch import Site
from fabricgen.plan.cabling import Plan
from fabricgen.plan.documents.pictures import pictures
from fabricgen.plan.documents.pictures.graph import TIER, WHOLE, graph_of
from fabricgen.plan.documents.pictures.runs import BUNDLES, NODES, parts_of

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</text><script>alert(1)</script>\"'&\x00\u202e"


def plan(**more: Any) -> tuple[Site, list[Cable]]:
    site = compiled(**more).site
    assert site is not None
    return site, list(cables(site))


def many_racks(count: int, per_row: int) -> dict[str, Any]:
    """Return one server in each rack of rows, and the switches two rows further."""
    gpu = {"count": count, "per_row": per_row, "contents": [{"servers": "gpu", "count": 1}]}
    return {"gpu": gpu, "network": {"row": 9, "contents": [{"switches": "be-*"}]}}


def words(drawn: str) -> Counter[str]:
    """Return every text of a picture as a reader has it, cut ones in full."""
    found: Counter[str] = Counter()
    for each in ET.fromstring(drawn).iter(f"{SVG}text"):  # noqa: S314 - our own
        whole = each.find(f"{SVG}title")
        found[(whole.text if whole is not None else each.text) or ""] += 1
    return found


def test_every_device_is_once_in_the_picture_of_its_row() -> None:
    site, laid = plan()
    drawn = {file.path: words(file.text) for file in pictures(Plan.of(site, laid))}
    assert set(drawn) == {"topology/backend.svg", "racks/row-01.svg", "floor.svg"}
    names = [*site.floor.stands, *(rack.name for rack in site.floor.racks)]
    assert {drawn["racks/row-01.svg"][name] for name in names} == {1}


def test_panels_and_managers_are_drawn_in_their_units() -> None:
    racks = {name: {**words, "panels": 6} for name, words in SITE["racks"].items()}
    site, laid = plan(racks=racks, cabling={"structured": {"backend": {"trunk": 8}}, "manager": 48})
    whole = Plan.of(site, laid)
    drawn = {file.path: words(file.text) for file in pictures(whole)}["racks/row-01.svg"]
    names = [each.name for there in whole.mounted.values() for each in there]
    assert "r01-05-pp3" in names
    assert {drawn[name] for name in names} == {1}
    assert drawn["r01-01-panels"] == 1  # four of six units are still kept


def test_a_long_row_goes_on_in_another_picture() -> None:
    racks = {"gpu": {"count": 17, "contents": [{"servers": "gpu", "count": 1}]}}
    servers = {"gpu": {**SITE["servers"]["gpu"], "count": 17}}
    one = {**SITE["backend"], "scalable_unit": {"servers": 17}}
    site, laid = plan(racks=racks, servers=servers, backend=one)
    drawn = {file.path: words(file.text) for file in pictures(Plan.of(site, laid))}
    assert drawn["racks/row-01.svg"]["gpu0016"] == 1
    assert drawn["racks/row-01-2.svg"]["gpu0017"] == 1
    assert drawn["racks/row-01-2.svg"]["gpu0016"] == 0


def test_a_site_without_racks_has_its_topology_alone() -> None:
    site, laid = plan(racks={})
    assert [file.path for file in pictures(Plan.of(site, laid))] == ["topology/backend.svg"]


def test_up_to_16_switches_are_a_box_each_and_counts_add_up() -> None:
    site, laid = plan()
    switches = site.fabrics[0].topology.switches
    graph = graph_of(switches, laid)
    assert graph.whole
    assert len(switches) <= WHOLE
    assert {each.title for each in graph.boxes} >= {each.name for each in switches}
    assert sum(each.cables for each in graph.bundles) == len(laid)


@pytest.mark.parametrize("name", ["three-tier", "full", "pairs"])
def test_a_grouped_picture_fits_a_page_and_its_counts_are_the_cables(name: str) -> None:
    site = _example(name)
    laid = list(cables(site))
    for fabric in site.fabrics:
        own = [each for each in laid if each.fabric == fabric.name]
        graph = graph_of(fabric.topology.switches, own)
        tiers = Counter(each.tier for each in graph.boxes)
        assert max(tiers.values()) <= (WHOLE if graph.whole else TIER)
        assert sum(each.cables for each in graph.bundles) == len(own)


def _example(name: str) -> Site:
    folder = ROOT / "intent" / name
    texts = {str(each.relative_to(folder)): each.read_text() for each in folder.rglob("*.yaml")}
    site = compile_site(load_texts(texts)).site
    assert site is not None
    return site


@pytest.mark.parametrize(("count", "per_row"), [(4, 4), (16, 2), (16, 8)])
def test_the_map_has_every_cable_between_racks_on_one_page(count: int, per_row: int) -> None:
    _judge_map(*plan(racks=many_racks(count, per_row)))


def test_the_map_puts_racks_together_where_they_are_many() -> None:
    site = _example("full")
    boxes = _judge_map(site, list(cables(site)))
    assert boxes < len(site.floor.racks)


def _judge_map(site: Site, laid: list[Cable]) -> int:
    """Compare the map with the cables; return how many boxes it has."""
    racks = sorted(site.floor.racks, key=lambda rack: (rack.row, rack.position))
    parts = parts_of(racks, laid)
    assert [rack for some in parts.racks for rack in some] == racks
    assert len(parts.racks) <= NODES
    assert sum(one != other for one, other in parts.joined) <= BUNDLES
    assert sum(run.cables for run in parts.joined.values()) + parts.loose == len(laid)
    lengths = [each.length.meters for each in laid if each.near.stand and each.far.stand]
    assert min(run.shortest for run in parts.joined.values()) == min(lengths)
    assert max(run.longest for run in parts.joined.values()) == max(lengths)
    return len(parts.racks)


def test_no_words_break_out_of_a_picture() -> None:
    drawn = sheet(HOSTILE, 100, 100, [text(0, 0, HOSTILE), text(0, 0, HOSTILE, most=40)])
    root = ET.fromstring(drawn)  # noqa: S314 - our own
    kinds = Counter(each.tag.removeprefix(SVG) for each in root.iter())
    assert kinds == {"svg": 1, "style": 1, "rect": 1, "text": 2, "title": 1}
    shown = HOSTILE.replace("\x00", "\ufffd").replace("\u202e", "\ufffd")
    assert words(drawn) == {shown: 2}
    assert root.get("aria-label") == shown


def test_hostile_names_are_text_in_every_picture() -> None:
    site, laid = plan(racks=many_racks(16, 8))
    tame = [ET.fromstring(file.text) for file in pictures(Plan.of(site, laid))]  # noqa: S314
    own, cabled = deepcopy((site, laid))
    for thing in _named(own, cabled):
        _rename(thing)
    hostile = replace(own, name=HOSTILE)
    drawn = [ET.fromstring(file.text) for file in pictures(Plan.of(hostile, cabled))]  # noqa: S314
    assert [_tags(each) for each in drawn] == [_tags(each) for each in tame]
    assert all("script" in "".join(each.itertext()) for each in drawn)


def _tags(root: ET.Element) -> set[str]:
    """Return what a picture is made of, but for titles, of words that are cut."""
    return {each.tag for each in root.iter()} - {f"{SVG}title"}


def _named(site: Site, laid: list[Cable]) -> list[Any]:
    """Return all that has a name which may come from an intent, each once."""
    things: list[Any] = [*site.floor.racks, *site.floor.stands.values()]
    for fabric in site.fabrics:
        things += [*fabric.topology.switches, *fabric.topology.servers]
    things += [end for cable in laid for end in (cable.near, cable.far)]
    return list({id(each): each for each in things}.values())


def _rename(thing: Any) -> None:
    """Give a hostile name, its own at the end; what has a type or kind that is shown, too."""
    thing.name = HOSTILE + thing.name
    if hasattr(thing, "type"):
        thing.type = HOSTILE


def test_names_that_are_too_long_lose_their_middle() -> None:
    assert cut("be-su01-leaf1", 200, 12) == "be-su01-leaf1"
    assert cut("storage-compute-leaf01", 80, 12) == "stora…eaf01"


def test_the_picture_of_the_docs_is_what_the_verb_writes(tmp_path: Path) -> None:
    assert call("cabling", str(ROOT / "intent" / "full"), "-o", str(tmp_path / "plan")).code == 0
    drawn = (tmp_path / "plan" / "racks" / "row-03.svg").read_text()
    assert drawn == (ROOT / "docs" / "pictures" / "racks.svg").read_text()
