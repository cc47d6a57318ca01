"""The page of racks and bill: pictures on demand, an address for each rack, and totals."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page
from tests.cli.web.opened import go, opened, violations, write_chunks

import fabricgen.cli.web.pages.plan as plan_page
from fabricgen import Site, UnknownName
from fabricgen.api.plan import PhysicalPlan, plan_of, totals


@pytest.fixture(scope="module")
def site() -> Site:
    return Site.load(Path("intent/lab"))


@pytest.fixture(scope="module")
def plan(site: Site) -> PhysicalPlan:
    return plan_of(site)


@pytest.fixture(scope="module")
def page(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    target = tmp_path_factory.mktemp("plan") / "report"
    index = write_chunks(site, target, {"site", "devices", "plan", "picture"})
    with opened(index, "#/plan") as made:
        yield made


def _are_drawn(page: Page) -> bool:
    every = "[...document.querySelectorAll('main img')].filter((each) => each.checkVisibility())"
    page.wait_for_function(f"{every}.every((each) => each.complete)")
    sizes = page.evaluate(f"{every}.map((each) => [each.naturalWidth, each.width])")
    return bool(sizes) and all(drawn > 0 and shown > 100 for drawn, shown in sizes)


def test_the_page_shows_racks_pictures_and_bill(page: Page, plan: PhysicalPlan) -> None:
    go(page, "#/plan")
    shown = page.locator("main").inner_text()
    for name in plan.racks:
        assert name in shown
    parts = plan.bill[0]
    assert page.locator(f"[aria-label='Bill: {parts.name}'] tbody tr").count() == len(parts.rows)
    assert _are_drawn(page)


def test_a_picture_loads_when_it_is_opened(page: Page, plan: PhysicalPlan) -> None:
    go(page, "#/")
    go(page, "#/plan")
    with page.expect_request("**/picture/racks/**"):
        page.locator("summary", has_text="Racks of row").first.click()
    page.wait_for_selector("details[open] img")
    assert _are_drawn(page)


def test_each_rack_has_an_address(page: Page, plan: PhysicalPlan) -> None:
    for name, rack in plan.racks.items():
        go(page, f"#/plan/{name}")
        assert page.locator("h1").inner_text() == f"Rack {name}"
        rows = page.locator(f"[aria-label='Devices of rack {name}'] tbody tr")
        assert rows.count() == len(rack.devices)
        assert _are_drawn(page)
    go(page, "#/plan/%3Cimg%20src=x%3E")
    assert page.locator("h1").inner_text() == "Not found"
    assert page.locator("main img").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_it_is_accessible(page: Page, plan: PhysicalPlan, scheme: Any, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme)
    for address in ("#/plan", f"#/plan/{next(iter(plan.racks))}"):
        go(page, address)
        assert not violations(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_totals_are_those_of_the_bill(plan: PhysicalPlan) -> None:
    parts = plan.bill[0]
    bought = parts.columns.index("bought")
    counted = sum(int(row[bought]) for row in parts.rows if row[0] != "total")
    assert sum(number for _, number in totals(plan.bill)) == counted > 0


def test_an_unknown_rack_or_picture_is_refused(plan: PhysicalPlan) -> None:
    with pytest.raises(UnknownName):
        plan.front("norack")
    with pytest.raises(UnknownName):
        plan.picture("nopicture")


def test_without_the_package_there_is_no_chunk(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan_page, "is_installed", lambda _: False)
    assert not list(plan_page.chunks(site))
