"""The topology page in a real Chromium: folds, choices, addresses and the way back."""

from collections.abc import Callable
from pathlib import Path
from shutil import copytree
from typing import Any
from urllib.parse import unquote

import pytest
from playwright.sync_api import Page
from tests.cli.calling import ROOT
from tests.cli.web.conftest import Report, axe_violations, open_page

from fabricgen import Site
from fabricgen.cli.web.chunk import as_script, file_name
from fabricgen.cli.web.chunks import chunks
from fabricgen.cli.web.pages import topology
from fabricgen.cli.web.report import STATIC

LAB, FULL, LARGE = "intent/lab", "intent/full", "intent/three-tier"
LEAF = "be-su01-leaf1"


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of 128 switches without most pages of switches, which take long to make."""
    folder = tmp_path_factory.mktemp("large")
    copytree(STATIC, folder, dirs_exist_ok=True)
    for name, make in chunks(Site.load(ROOT / LARGE)):
        if name.startswith(("site", "topology/", "lossless")) or name == f"switch/{LEAF}":
            place = folder / "data" / file_name(name)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(as_script(name, make()))
    return folder


def item(page: Page, key: str) -> Any:
    return page.locator(f"svg a.item[data-key='{key}']")


def panel(page: Page) -> Any:
    return page.get_by_label("Details")


@pytest.mark.parametrize(
    "address",
    [
        "#/topology",
        f"#/topology/backend/{LEAF}",
        f"#/topology/backend/{LEAF}:1",
        "#/topology/backend//0/platform",
    ],
)
@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1440, "light")])
def test_the_page_is_accessible_and_fits_its_window(
    page: Page, report_of: Report, address: str, width: int, scheme: Any
) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 800})
    open_page(page, report_of(LAB), address)
    assert axe_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_small_fabric_shows_each_switch_and_a_switch_its_facts(
    page: Page, report_of: Report
) -> None:
    open_page(page, report_of(FULL), "#/topology/backend")
    assert page.locator("svg a.item.switch").count() == 16
    item(page, LEAF).click()
    panel(page).get_by_role("heading", name=LEAF).wait_for()
    assert "4200000000" in panel(page).inner_text()
    assert page.url.rpartition("#")[2].startswith(f"/topology/backend/{LEAF}/")
    panel(page).get_by_role("link", name=f"Page of {LEAF}").click()
    page.get_by_role("heading", name=LEAF, level=1).wait_for()


def test_a_large_fabric_starts_folded_with_summed_cables(page: Page, large: Path) -> None:
    open_page(page, large, "#/topology/backend")
    assert page.locator("svg a.item.switch").count() == 0
    assert "8 spines" in item(page, "pod 1").get_attribute("aria-label")
    labels = page.locator("svg .count").all_text_contents()
    assert labels == ["512"] * 4, labels


def test_cables_in_the_picture_are_all_cables_outside_of_folded_groups(
    page: Page, large: Path
) -> None:
    open_page(page, large, "#/topology/backend")
    page.get_by_role("link", name="Unfold all").click()
    page.wait_for_selector("svg a.item.switch")
    titles = page.locator("svg a.bundle title").all_text_contents()
    shown = sum(int(title.rpartition(": ")[2].partition(" x ")[0]) for title in titles)
    assert shown == 6144


def test_the_back_button_folds_what_a_click_unfolded(page: Page, large: Path) -> None:
    open_page(page, large, "#/topology/backend")
    item(page, "pod 1").click()
    item(page, "pod 1 / unit 1").click()
    item(page, LEAF).wait_for()
    page.get_by_role("link", name="Fold pod 1 / unit 1", exact=True).first.click()
    item(page, LEAF).wait_for(state="detached")
    page.go_back()
    item(page, LEAF).wait_for()
    page.go_back()
    item(page, LEAF).wait_for(state="detached")
    item(page, "pod 1 / unit 1").wait_for()
    page.go_back()
    item(page, "pod 1").wait_for()
    page.go_forward()
    item(page, "pod 1 / unit 1").wait_for()


def test_the_address_of_a_switch_in_a_folded_group_unfolds_it(page: Page, large: Path) -> None:
    open_page(page, large, f"#/topology/backend/{LEAF}")
    assert item(page, LEAF).get_attribute("aria-current") == "true"
    assert item(page, "pod 2").count() == 1


def test_a_group_unfolds_by_keyboard_and_keeps_the_focus_near(page: Page, large: Path) -> None:
    open_page(page, large, "#/topology/backend")
    item(page, "pod 1").focus()
    page.keyboard.press("Enter")
    item(page, "pod 1 / unit 1").wait_for()
    assert page.evaluate("document.activeElement.dataset.group") == "pod 1"


def test_a_cable_shows_both_ports_their_sessions_and_the_headroom(
    page: Page, report_of: Report
) -> None:
    open_page(page, report_of(FULL), "#/topology/backend")
    key = f"{LEAF} - be-spine1"
    page.locator(f"svg a.bundle[data-key='{key}']").dispatch_event("click")
    panel(page).get_by_role("heading", name=key).wait_for()
    row = panel(page).locator("tbody tr").first
    port = row.locator("a").inner_text()
    far = row.locator("td").nth(1).inner_text()
    row.locator("a").click()
    panel(page).get_by_role("heading", name=f"Cable {port} - {far}").wait_for()
    text = panel(page).inner_text()
    assert "BGP underlay session with be-spine1, AS" in text
    assert f"BGP underlay session with {LEAF}, AS" in text
    assert text.count("headroom") == 2, text
    assert unquote(page.url).partition("/backend/")[2].startswith(port)


def test_the_address_of_the_upper_end_of_a_cable_shows_the_same_cable(
    page: Page, report_of: Report
) -> None:
    open_page(page, report_of(LAB), "#/topology/backend/be-spine1:1")
    title = panel(page).get_by_role("heading", level=2)
    title.wait_for()
    assert title.inner_text().startswith("Cable be-su01-leaf1:")
    assert title.inner_text().endswith("be-spine1:1")


def test_cables_to_servers_link_to_the_server(page: Page, report_of: Report) -> None:
    open_page(page, report_of(LAB), f"#/topology/backend/{LEAF}:1")
    panel(page).get_by_role("link", name="gpu0001").click()
    page.get_by_role("heading", name="gpu0001", level=1).wait_for()


def test_an_unknown_choice_is_said_and_not_shown_as_markup(page: Page, report_of: Report) -> None:
    open_page(page, report_of(LAB), "#/topology/backend/%3Cimg%20src%3Dx%3E%3A9")
    assert "shows no <img src=x>:9" in panel(page).inner_text()
    assert panel(page).locator("img").count() == 0


def test_the_colors_are_in_the_address(page: Page, report_of: Report) -> None:
    open_page(page, report_of(FULL), "#/topology/frontend")
    page.get_by_label("Color by").select_option("platform")
    assert page.url.endswith("/platform")
    assert page.get_by_label("Colors").locator("li").all_text_contents() == ["eos", "several"]
    page.go_back()
    page.wait_for_selector("select:has(option[value='tier'][selected])")


@pytest.fixture(scope="module")
def shapes() -> Callable[[str], dict[str, Any]]:
    """Return the data of a fabric of the lab."""
    made = dict(topology.chunks(Site.load(ROOT / LAB)))
    return lambda name: made[name]()


def test_sums_and_parts_have_every_cable(shapes: Callable[[str], dict[str, Any]]) -> None:
    site = Site.load(ROOT / LAB)
    for name, fabric in site.fabrics.items():
        shape = shapes(f"topology/{name}")
        wanted = {(each.lower, each.lower_port, each.upper_port) for each in fabric.cables()}
        assert sum(row[-1] for row in shape["bundles"]) == len(wanted)
        found = set()
        for part in {row[-1] for row in shape["switches"]}:
            data = shapes(f"topology/{name}/{part}")
            word = data["words"]
            found |= {(word[row[0]], word[row[1]], word[row[3]]) for row in data["cables"]}
        assert found == wanted
