"""The picture of a change: valid, legible, small, and no text of an intent breaks out of it."""

import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Any

import pytest
from bench.sites import backend
from tests.unit.review.sites import (
    block,
    changed,
    edited,
    example,
    moved_server,
    review,
    with_fabric,
)

from fabricgen.compile.compiler import designed
from fabricgen.core.svg import PAPER, width_of
from fabricgen.core.tree.risk import Risk
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import Site
from fabricgen.review.model import Review
from fabricgen.review.picture import mermaid, svg
from fabricgen.review.picture.boxes import SERVERS, TOUCHED, UNTOUCHED
from fabricgen.review.picture.groups import Picture, picture_of
from fabricgen.review.picture.mermaid import NODES, escaped
from fabricgen.review.picture.names import folded
from fabricgen.review.picture.style import RISKS
from fabricgen.review.picture.touched import Status, Touched

SVG = "{http://www.w3.org/2000/svg}"
ONE_SERVER = ("servers.yaml", "count: 64", "count: 63")
HOSTILE = "</text><script>alert(1)</script>\"'&```\x00\u202e"
LEAFS = block(Risk.HITLESS, *(f"backend/be-su02-leaf{rail}" for rail in range(1, 5)))
RESET = block(Risk.SESSION_RESET, "frontend/fe-leaf01")


@cache
def big(gpus: int) -> Site:
    """Return a backend in three tiers with this number of GPUs."""
    site = designed(load_texts(backend(gpus, "sonic"))).site
    assert site is not None
    return site


def every_switch(site: Site, risk: Risk = Risk.HITLESS) -> Review:
    """Return a review in which all switches change."""
    folders = (f"{it.name}/{each.name}" for it in site.fabrics for each in it.topology.switches)
    return review(block(risk, *folders))


CASES: dict[str, Any] = {
    "one server": lambda: (edited("full", ONE_SERVER), example("full"), review(LEAFS, RESET)),
    "one server less": lambda: (example("full"), edited("full", ONE_SERVER), review(LEAFS)),
    "moved": lambda: (example("pairs"), moved_server(example("pairs")), review(RESET)),
    "everything": lambda: (example("full"), example("full"), every_switch(example("full"))),
    "three tiers": lambda: (
        example("three-tier"),
        example("three-tier"),
        review(block(Risk.REBOOT, "backend/be-pod1-spine1", "backend/be-su01-leaf1")),
    ),
    "another site": lambda: (example("lab"), example("full"), every_switch(example("full"))),
    "no model before": lambda: (None, example("full"), review(LEAFS)),
    "4,192 switches": lambda: (big(99_992), big(100_000), every_switch(big(100_000))),
}


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> tuple[Site | None, Site, Review]:
    """Return both sites and the review of one change."""
    return CASES[request.param]()  # type: ignore[no-any-return]


def pictures(before: Site | None, after: Site, found: Review) -> list[Picture]:
    """Return the groups of each touched fabric."""
    touched = Touched(before=before, after=after, review=found)
    return [each for pair in touched.fabrics() if (each := picture_of(touched, *pair))]


def texts(root: ET.Element) -> list[tuple[str, tuple[float, float, float, float]]]:
    """Return each text with the place that it takes: left, top, right, bottom."""
    return [_placed(each) for each in root.iter(f"{SVG}text")]


def _placed(each: ET.Element) -> tuple[str, tuple[float, float, float, float]]:
    title = each.find(f"{SVG}title")
    words = (each.text or "") + ((title.tail or "") if title is not None else "")
    size, x, y = (float(each.attrib[name]) for name in ("font-size", "x", "y"))
    wide = width_of(words, size)
    left = x - wide / 2 if each.get("text-anchor") == "middle" else x
    return words, (left, y - size * 0.8, left + wide, y + size * 0.2)


def parsed(drawn: str) -> ET.Element:
    return ET.fromstring(drawn)  # noqa: S314 - our own


def titles(drawn: str) -> str:
    """Return all that a pointer shows."""
    return "\n".join(each.text or "" for each in parsed(drawn).iter(f"{SVG}title"))


def test_no_text_covers_another_or_leaves_the_picture(
    case: tuple[Site | None, Site, Review],
) -> None:
    root = parsed(svg(*case))
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    found = texts(root)
    for words, (left, top, right, bottom) in found:
        assert left >= 0, words
        assert top >= 0, words
        assert right <= width, words
        assert bottom <= height, words
    for (one, a), (other, b) in combinations(found, 2):
        apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
        assert apart, (one, other)


def test_a_picture_is_small_and_has_few_boxes(case: tuple[Site | None, Site, Review]) -> None:
    assert len(svg(*case).encode()) < 200_000
    for picture in pictures(*case):
        tiers = Counter(each.tier for each in picture.boxes)
        assert len(picture.boxes) <= 60
        assert max(tiers.values()) <= max(TOUCHED + UNTOUCHED, SERVERS + 1)


def test_every_device_is_in_one_box(case: tuple[Site | None, Site, Review]) -> None:
    before, after, found = case
    for picture in pictures(before, after, found):
        names = Counter(name for each in picture.boxes for name in each.names)
        assert set(names.values()) == {1}
        fabric = next((each for each in after.fabrics if each.name == picture.name), None)
        if fabric is not None:
            topology = fabric.topology
            assert names.keys() >= {each.name for each in topology.switches}
            assert names.keys() >= {each.name for each in topology.servers}


def test_every_cable_of_side_b_is_counted(case: tuple[Site | None, Site, Review]) -> None:
    before, after, found = case
    for picture in pictures(before, after, found):
        links = [it.topology.links for it in after.fabrics if it.name == picture.name]
        inside = {each.key for each in picture.boxes if "outside of the site" not in each.notes}
        drawn = (each for each in picture.bundles if each.status is not Status.REMOVED)
        counts = (each.cables for each in drawn if each.low in inside)
        assert sum(counts) == sum(map(len, links))


def test_the_background_does_not_depend_on_the_page() -> None:
    first = parsed(svg(*CASES["one server"]())).find(f"{SVG}rect")
    assert first is not None
    assert first.attrib["fill"] == PAPER


def test_a_switch_has_the_color_of_its_highest_risk() -> None:
    lines = svg(*CASES["one server"]()).splitlines()
    (leaf,) = (line for line in lines if ">fe-leaf01<" in line and "<rect" in line)
    assert f'fill="{RISKS[Risk.SESSION_RESET]}"' in leaf
    assert ">session-reset<" in leaf


def test_new_and_removed_servers_are_dashed_boxes() -> None:
    lines = svg(*CASES["one server"]()).splitlines()
    assert any('class="box new"' in line and ">gpu0064<" in line for line in lines)
    lines = svg(*CASES["one server less"]()).splitlines()
    assert any('class="box gone"' in line and ">gpu0064<" in line for line in lines)


def test_an_arrow_leads_from_the_old_to_the_new_leaf() -> None:
    (picture,) = pictures(*CASES["moved"]())
    names = {each.key: each.title for each in picture.boxes}
    arrows = {(names[each.old], names[each.new]): each.names for each in picture.shifts}
    assert arrows[("fe-leaf01", "fe-leaf03")] == ("web0001",)
    assert svg(*CASES["moved"]()).count('class="way shift"') == 2


def test_unchanged_switches_are_one_box_with_all_names() -> None:
    drawn = svg(*CASES["one server"]())
    assert ">4 more leafs<" in drawn
    assert "be-su01-leaf[1-4]" in titles(drawn)


def test_many_touched_switches_are_folded_in_each_tier() -> None:
    site = example("full")
    (picture,) = (it for it in pictures(site, site, every_switch(site)) if it.name == "backend")
    titles = [each.title for each in picture.boxes if each.tier > 0]
    assert sorted(titles) == ["4 leafs", "4 leafs", "8 spines"]


def test_power_units_and_management_ports_are_no_servers() -> None:
    found = pictures(example("pairs"), example("full"), review())
    (oob,) = (each.title for each in found if each.name == "oob")
    assert "92 new servers" in oob


def test_fabrics_without_a_change_are_named_only() -> None:
    drawn = svg(example("full"), example("full"), review(RESET))
    assert "Not touched: backend, storage, oob" in drawn
    assert "be-spine" not in drawn


def test_a_switch_that_gets_another_name_is_no_new_switch() -> None:
    names = "  names: {leaf: 'fe-leafx{index:02}', previous_name: {leaf: 'fe-leaf{index:02}'}}\n"
    after = edited("full", ("frontend.yaml", "frontend:\n", f"frontend:\n{names}"))
    found = pictures(example("full"), after, review())
    assert {each.status for it in found for each in it.boxes} == {Status.SAME, Status.CHANGED}


def test_an_empty_change_is_an_empty_picture() -> None:
    drawn = svg(example("lab"), example("lab"), review())
    assert "no changed files on 100 devices" in drawn
    assert 'class="box' not in drawn


def _hostile(site: Site) -> Site:
    def rename(thing: Any) -> Any:
        return changed(thing, name=f"{HOSTILE}{thing.name}")

    def poison(fabric: Any) -> Any:
        topology = fabric.topology
        owners = {each: rename(each) for each in (*topology.switches, *topology.servers)}
        links = tuple(
            changed(link, lower=owners[link.lower], upper=owners[link.upper])
            for link in topology.links
        )
        own = replace(
            topology,
            links=links,
            switches=tuple(owners[each] for each in topology.switches),
            servers=tuple(owners[each] for each in topology.servers),
        )
        return changed(fabric, topology=own)

    return rename(with_fabric(site, "frontend", poison))  # type: ignore[no-any-return]


def test_no_name_of_an_intent_breaks_out() -> None:
    found = review(block(Risk.REBOOT, f"frontend/{HOSTILE}fe-leaf01"))
    root = parsed(svg(_hostile(moved_server(example("pairs"))), _hostile(example("pairs")), found))
    tags = {each.tag.removeprefix(SVG) for each in root.iter()}
    assert tags == {
        "svg",
        "style",
        "rect",
        "g",
        "title",
        "text",
        "polyline",
        "defs",
        "marker",
        "path",
    }
    assert "script" in "".join(root.itertext())


def test_a_flowchart_has_touched_switches_and_changed_cables_only() -> None:
    before, after, found = CASES["one server"]()
    chart = mermaid(after, found, before=before)
    assert chart.startswith("flowchart TB\n")
    assert '["be-su02-leaf1<br/>hitless"]:::hitless' in chart
    assert '|"2 new"|' in chart
    assert "spine" not in chart


@pytest.mark.parametrize("limit", [1, 5, NODES])
def test_a_flowchart_has_few_nodes_and_counts_the_rest(limit: int) -> None:
    before, after, found = CASES["one server"]()
    whole = _nodes(mermaid(after, found, 1_000, before=before))
    chart = mermaid(after, found, limit, before=before)
    rest = "more touched device" in chart
    assert len(_nodes(chart)) + rest == min(limit, len(whole))


def test_the_highest_risk_stays_in_a_short_flowchart() -> None:
    before, after, found = CASES["one server"]()
    assert "fe-leaf01" in mermaid(after, found, 2, before=before)


def _nodes(chart: str) -> list[str]:
    return re.findall(r"^    (n\d+)\[", chart, re.MULTILINE)


def test_an_edge_has_its_color_by_its_place() -> None:
    before, after, found = CASES["moved"]()
    chart = mermaid(after, found, before=before)
    edges = re.findall(r"^    n\d+ (?:---|-\.-)\|", chart, re.MULTILINE)
    styles = re.findall(r"^  linkStyle (\d+) ", chart, re.MULTILINE)
    assert list(map(int, styles)) == list(range(len(edges)))


def test_no_name_breaks_out_of_a_flowchart() -> None:
    found = review(block(Risk.REBOOT, f"frontend/{HOSTILE}fe-leaf01"))
    chart = mermaid(_hostile(example("pairs")), found)
    assert "```" not in chart
    assert "<script" not in chart
    for line in chart.splitlines():
        assert line.count('"') % 2 == 0
    assert escaped('a"b#c`d') == "a#34;b#35;c#96;d"


def test_a_flowchart_of_no_change_is_empty() -> None:
    assert mermaid(example("lab"), review(), before=example("lab")) == ""


def _spelled(parts: str) -> Iterator[str]:
    """Return the names that a short text means."""
    for before, numbers, behind in re.findall(r"([^,\[ ]+)(?:\[([^\]]*)\])?([^,\[ ]*)", parts):
        if not numbers:
            yield before + behind
        for span in filter(None, numbers.split(",")):
            first, _, last = span.partition("-")
            for number in range(int(first), int(last or first) + 1):
                yield f"{before}{number:0{len(first)}d}{behind}"


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["leaf1", "leaf2", "leaf3", "leaf7"], "leaf[1-3,7]"),
        (["gpu0999", "gpu1000"], "gpu[0999-1000]"),
        (["gpu9", "gpu10", "gpu11"], "gpu[9-11]"),
        (["a-h1", "b-h1", "core"], "a-h1, b-h1, core"),
        (["x01-mgmt", "x02-mgmt"], "x[01-02]-mgmt"),
        (["x01", "x001"], "x01, x001"),
    ],
)
def test_many_names_are_short_and_complete(names: list[str], short: str) -> None:
    assert folded(names) == short
    assert sorted(_spelled(short)) == sorted(names)


def test_names_that_do_not_fit_are_counted() -> None:
    names = [f"{letter}{letter}" for letter in "abcdefghij"]
    assert folded(names, 10) == "aa, bb, cc and 7 more"
