"""The what-if of the lossless page: sliders, numbers equal to the library, address and access."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page
from tests.cli.web.opened import go, opened, violations, write_chunks

from fabricgen import Site
from fabricgen.api.whatif import Change, WhatIf
from fabricgen.core.diagnostics import Code

SITE = Path("intent/full")
PLACES = ("be-spine1", "be-su01-leaf1", "storage-compute-leaf01", "storage-storage-leaf01")


@pytest.fixture(scope="module")
def site() -> Site:
    return Site.load(SITE)


@pytest.fixture(scope="module")
def index(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("whatif") / "report"
    return write_chunks(site, target, {"site", "lossless", "whatif"})


@pytest.fixture(scope="module")
def page(index: Path) -> Iterator[Page]:
    with opened(index, "#/lossless") as made:
        yield made


ANSWER = """async ([fabricName, switchName, group, meters, mtu, speed, ports]) => {
  const fabric = (await fabricgen.load("whatif"))[fabricName];
  const kind = fabric.kinds.findIndex((each) => each.switches.includes(switchName));
  const chosen = fabricgen.whatIf.designed(fabric, kind, group);
  if (meters !== null) chosen.length = fabric.lengths.indexOf(meters);
  if (mtu !== null) chosen.mtu = fabric.mtus.indexOf(mtu);
  if (speed !== null) chosen.speed = fabric.speeds.indexOf(speed);
  if (ports !== null) chosen.ports = ports;
  const found = fabricgen.whatIf.answer(fabric, chosen);
  return { port: found.port.headroom, headroom: found.memory.headroom, shared: found.memory.shared,
    pause: found.memory.pause, trip: found.trip, terms: found.port.terms.map((each) => each.value),
    memory: found.memory.terms.filter((each) => each.value).map((each) => each.value),
    marking: Object.fromEntries(found.marking.map((each) =>
      [`${each.class} ${fabric.speeds[each.speed]}`,
      [each.minimum, each.maximum, each.probability, each.limits.feeding]])),
    refused: [...new Set(found.refused.map(([code]) => code))].sort() };
}"""


def spoken(found: WhatIf) -> dict[str, Any]:
    """Return an answer of the library in the form of the page."""
    return {
        "port": found.port.headroom,
        "headroom": found.headroom,
        "shared": found.shared,
        "pause": found.pause_at,
        "trip": found.round_trip.total,
        "terms": [term.value for term in found.port.computed.terms],
        "memory": [term.value for term in found.terms if term.value],
        "marking": {
            f"{kind} {speed}": [each.minimum, each.maximum, each.probability, each.feeding]
            for kind, plans in found.marking.items()
            for speed, each in plans.items()
        },
        "refused": sorted({str(each.code) for each in found.refused}),
    }


CHANGES = (
    Change(),
    Change(meters=1),
    Change(meters=75),
    Change(meters=300),
    Change(meters=2000),
    Change(mtu=1500),
    Change(mtu=4200, meters=150),
    Change(ports=1),
    Change(ports=17, meters=30),
    Change(ports=256, meters=500),
    Change(speed="100G", ports=33),
    Change(speed="800G", meters=50),
    Change(speed="400G", ports=5, mtu=9000),
)


@pytest.mark.parametrize("switch", PLACES)
def test_the_page_computes_what_the_library_computes(page: Page, site: Site, switch: str) -> None:
    report = site.lossless()
    fabric = site.switches[switch].fabric
    speeds = report.what_if_grids()[fabric]["speeds"]
    compared = 0
    for group in range(len(report.groups(switch))):
        for change in CHANGES:
            if change.speed is not None and change.speed not in speeds:
                continue
            asked = [fabric, switch, group, change.meters, change.mtu, change.speed, change.ports]
            told = page.evaluate(ANSWER, asked)
            chosen = Change(
                group=group,
                meters=change.meters,
                mtu=change.mtu,
                speed=change.speed,
                ports=change.ports,
            )
            assert told == spoken(report.what_if(switch, chosen)), asked
            compared += 1
    assert compared >= len(CHANGES) - 1


def test_the_page_begins_with_the_numbers_of_the_design(page: Page, site: Site) -> None:
    go(page, "#/lossless/backend/be-su01-leaf1")
    buffers = next(kind.buffers for kind in site.lossless().kinds if "be-su01-leaf1" in kind.names)
    shown = page.locator("section.whatif table").first.inner_text()
    assert f"{buffers.shared:,} bytes\t{buffers.shared:,} bytes" in shown
    assert f"{buffers.pause_at:,} bytes" in shown
    assert page.locator(".verdict").inner_text() == "Nothing breaks."


def test_a_slider_changes_the_numbers_and_the_address(page: Page) -> None:
    go(page, "#/lossless/backend/be-spine1")
    slider = page.locator("#whatif-Cable")
    slider.focus()
    page.keyboard.press("End")
    assert "fabricgen check refuses this" in page.locator(".verdict").inner_text()
    assert slider.get_attribute("aria-valuetext") == "2000 m"
    address = page.evaluate("location.hash")
    assert address.startswith("#/lossless/backend/be-spine1/0/2000/")
    codes = page.locator(".faults .mark").all_inner_texts()
    assert {Code.BUFFER_EXCEEDED, Code.MARKING_RULE} <= set(codes)
    before = page.locator("section.whatif").inner_text()
    page.reload()
    page.wait_for_selector("#whatif-Cable")
    assert page.locator("section.whatif").inner_text() == before


def test_the_curve_shows_the_points(page: Page, site: Site) -> None:
    go(page, "#/lossless/backend/be-su01-leaf1/0")
    points = site.lossless().what_if("be-su01-leaf1", Change()).marking["lossless"]["400G"]
    told = page.locator("svg.curve").first.get_attribute("aria-label") or ""
    assert f"0 up to {points.minimum:,} bytes" in told
    assert f"{points.probability} % at {points.maximum:,} bytes" in told
    marks = [
        float(page.locator(f"svg.curve .mark-{name}").first.get_attribute("x1") or 0)
        for name in ("Kmin", "Kmax", "pause")
    ]
    assert marks == sorted(marks)
    assert len(set(marks)) == 3


def test_a_wrong_address_is_the_design(page: Page) -> None:
    go(page, "#/lossless/nofabric/%3Cb%3Ex/7/abc/1/zz/99999999")
    assert page.locator("#whatif-Cable").count() == 1
    assert page.locator("main b").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_it_is_accessible(page: Page, scheme: Any, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme)
    go(page, f"#/lossless/backend/be-spine1/0/300/9214/400G/{100 + width % 7}")
    assert not violations(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_data_is_small(index: Path) -> None:
    assert (index.parent / "data" / "whatif.js").stat().st_size < 200_000
