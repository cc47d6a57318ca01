"""Work orders: all of a rack is mounted, every end is on one page, every fiber is cleaned."""

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from tests.unit.plant.test_cables import SITE, compiled

from fabricgen.core.diagnostics import Code
from fabricgen.model.cabling.cables import cables
from fabricgen.plan.cabling import Plan
from fabricgen.plan.documents.orders import orders

BOX = '<td class="t"><i></i></td>'


def pages(**more: Any) -> dict[str, str]:
    site = compiled(**more).site
    assert site is not None
    return {file.path: file.text for file in orders(Plan.of(site))}


def test_every_rack_has_a_page_and_each_end_is_on_the_page_of_its_rack() -> None:
    site = compiled().site
    assert site is not None
    text = pages()
    assert set(text) == {f"work-orders/{rack.name}.html" for rack in site.floor.racks}
    for cable in cables(site):
        for end in (cable.near, cable.far):
            assert end.stand is not None
            assert end.port is not None
            here = f"<tr><td><code>{end.name}:{end.port.label}</code></td>"
            found = [path for path, page in text.items() for _ in range(page.count(here))]
            assert found == [f"work-orders/{end.stand.rack.name}.html"]


def test_each_cable_is_laid_from_one_rack() -> None:
    site = compiled().site
    assert site is not None
    laid = sum(
        int(re.findall(r"Cables laid from here: (\d+)", page)[0]) for page in pages().values()
    )
    assert laid == len(list(cables(site)))


def test_a_fiber_end_is_inspected_cleaned_and_inspected_and_copper_is_not() -> None:
    fiber = re.findall(r"<tr><td><code>gpu.*?</tr>", pages()["work-orders/r01-01.html"], re.DOTALL)
    assert fiber
    assert {row.count(BOX) for row in fiber} == {5}
    near = {"media": {"backend": {"servers": ["copper"], "copper": 3}}}
    one = {
        "all": {"contents": [{"servers": "gpu", "count": 1}, {"switches": "be-*"}], "height": 60}
    }
    gpu = {"gpu": {**SITE["servers"]["gpu"], "count": 1, "height": 1}}
    text = pages(cabling=near, racks=one, servers=gpu)["work-orders/r01-01.html"]
    copper = re.findall(r"<tr><td><code>gpu.*?</tr>", text, re.DOTALL)
    assert copper
    assert {row.count(BOX) for row in copper} == {2}


def test_things_are_mounted_from_below() -> None:
    text = pages()["work-orders/r01-01.html"]
    units = [int(unit) for unit in re.findall(r"<td>U(\d+) to U\d+</td><td><code>gpu", text)]
    assert units == sorted(units)
    assert len(units) == 4


@pytest.mark.parametrize(
    ("ports", "airflow", "fits"),
    [
        ("hot-aisle", "port-side-exhaust", True),
        ("cold-aisle", "port-side-intake", True),
        ("cold-aisle", "port-side-exhaust", False),
        ("hot-aisle", "port-side-intake", False),
    ],
)
def test_switches_look_at_the_aisle_that_fits_their_fans(
    ports: str, airflow: str, *, fits: bool
) -> None:
    network = SITE["racks"]["network"]
    held = [{**each, "airflow": airflow} for each in network["contents"]]
    racks = {**SITE["racks"], "network": {**network, "ports": ports, "contents": held}}
    made = compiled(racks=racks)
    wrong = [each for each in made.findings if each.code is Code.WRONG_AISLE]
    assert len(wrong) == (0 if fits else len(held))
    if fits:
        words = f", {airflow}, ports to the {ports}".replace("-", " ")
        assert words in "".join(pages(racks=racks).values())


def test_what_people_write_is_text_and_no_markup() -> None:
    text = pages(cabling={"media": {"backend": {"color": "<b>aqua</b>"}}})
    page = text["work-orders/r01-01.html"]
    assert "&lt;b&gt;aqua" in page
    assert "<b>aqua" not in page


STRUCTURED = {
    "racks": {name: {**words, "panels": 6} for name, words in SITE["racks"].items()},
    "cabling": {"structured": {"backend": {"trunk": 8}}, "manager": 48},
}


def test_by_panels_a_rack_has_its_cords_its_trunks_and_its_panels() -> None:
    page = pages(**STRUCTURED)["work-orders/r01-01.html"]
    assert "<td>U42</td><td><code>r01-01-pp1</code></td><td>panel</td>" in page
    assert "<td>U41</td><td><code>r01-01-cm1</code></td><td>cable manager</td>" in page
    assert "r01-01-panels" not in page  # units that are kept are nothing to mount
    # 4 servers with 8 NICs: a cord each, and a trunk each that is laid from here
    assert "Cables laid from here: 64. Ends plugged in here: 96, of fiber 96." in page
    row = re.findall(r"<tr><td><code>gpu0001:[^<]*</code>.*?</tr>", page, re.DOTALL)[0]
    place = re.findall(r"&gt; (r01-01-pp1:\d+)</code></td><td>U42</td>", row)
    assert len(place) == 1
    row = rf"<tr><td><code>[^<]* panel</code></td><td>U42</td><td><code>{place[0]}<"
    end = re.findall(row, page)
    assert len(end) == 1
    assert "To r01-05: 32" in page
    trunks = re.findall(r"MPO-12APC:(\d+)</code></td><td></td><td><code>r01-01-pp1<", page)
    assert [int(number) for number in trunks] == list(range(1, 33))
    assert "From r01-01: 32" in pages(**STRUCTURED)["work-orders/r01-05.html"]


@pytest.mark.parametrize("page", [*pages().values(), *pages(**STRUCTURED).values()])
def test_a_page_is_whole(page: str) -> None:
    class Tags(HTMLParser):
        open: list[str]

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            del attrs
            if tag not in {"meta", "col"}:
                self.open.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert self.open.pop() == tag

    tags = Tags()
    tags.open = []
    tags.feed(page)
    assert tags.open == []
