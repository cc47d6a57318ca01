"""Pages of a report in a real Chromium, opened from disk."""

import json
import re
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from playwright.sync_api import Dialog, Page
from tests.cli.web.conftest import Report, axe_violations, open_page

from fabricgen import Site
from fabricgen.cli.web.report import report_files

LAB = "intent/lab"
ADDRESSES = [
    *("#/", "#/devices", "#/switch/fe-leaf01", "#/switch/be-su01-leaf1/config_db.json/3"),
    *("#/server/gpu0001", "#/lossless", "#/tenants", "#/failures"),
]
CHUNK = re.compile(r'(fabricgen\.receive\("[^"]*"),(.*)\);\n', re.DOTALL)
HOSTILE = "<img src=x onerror=alert(1)>\u202e\u2028</script>"


def without(folder: Path) -> list[str]:
    """Return the addresses whose data the lab has."""
    return [
        each
        for each in ADDRESSES
        if each != "#/lossless" or (folder / "data/lossless.js").is_file()
    ]


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1440, "light")])
def test_a_page_is_accessible_and_fits_its_window(
    page: Page, report_of: Report, address: str, width: int, scheme: Any
) -> None:
    folder = report_of(LAB)
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 800})
    open_page(page, folder, address)
    assert axe_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_overview_has_the_findings_and_links_to_every_page(
    page: Page, report_of: Report
) -> None:
    open_page(page, report_of(LAB), "#/")
    names = page.locator("nav a").all_text_contents()
    assert len(names) > 3
    for name in names:
        page.get_by_role("link", name=name, exact=True).first.click()
        page.wait_for_selector(f"nav a[aria-current]:text-is({json.dumps(name)})")
    page.go_back()
    page.wait_for_selector(f"nav a[aria-current]:text-is({json.dumps(names[-2])})")


def test_a_line_shows_its_rule_and_place(page: Page, report_of: Report) -> None:
    open_page(page, report_of(LAB), "#/switch/fe-leaf01/etc%2Ffrr%2Ffrr.conf")
    row = page.locator(".lines li", has_text="bgp router-id").first
    row.locator("a").click()
    page.wait_for_selector(".lines .target")
    why = page.locator(".why")
    assert "router-id" in why.inner_text()
    assert re.search(r"intent/lab/\S+\.yaml:\d+:\d+", why.inner_text())


def test_search_by_keyboard_opens_a_switch(page: Page, report_of: Report) -> None:
    open_page(page, report_of(LAB), "#/")
    page.keyboard.press("/")
    page.keyboard.type("fe-leaf0")
    page.wait_for_selector("#found [data-name]")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_selector("h1:has-text('fe-leaf02')")
    assert page.evaluate("location.hash") == "#/switch/fe-leaf02"
    assert page.evaluate("document.activeElement.id") == "main"


def test_an_unknown_address_says_so(page: Page, report_of: Report) -> None:
    open_page(page, report_of(LAB), "#/nothing")
    assert "no page nothing" in page.locator("main").inner_text()


def test_names_from_outside_are_text_in_every_field(
    browser: Any, report_of: Report, tmp_path: Path
) -> None:
    folder = copytree(report_of(LAB), tmp_path / "report")
    for path in (folder / "data").rglob("*.js"):
        found = CHUNK.fullmatch(path.read_text())
        assert found is not None
        spoiled = json.dumps(spoil(json.loads(found[2])))
        path.write_text(f"{found[1]},{spoiled});\n")
    tab = browser.new_page()
    asked: list[str] = []

    def dismiss(dialog: Dialog) -> None:
        asked.append(dialog.message)
        dialog.dismiss()

    tab.on("dialog", dismiss)
    for address in without(folder):
        open_page(tab, folder, address)
        assert tab.locator("img:not(.picture), script:not([src])").count() == 0
        assert "<img src=x" in tab.locator("main").inner_text()
    tab.close()
    assert asked == []


def spoil(data: Any) -> Any:
    """Append hostile text to every string that is no key and no outcome."""
    if isinstance(data, dict):
        return {key: spoil(value) for key, value in data.items()}
    if isinstance(data, list):
        return [spoil(each) for each in data]
    return data + HOSTILE if isinstance(data, str) else data


def test_a_broken_intent_shows_its_findings(page: Page, tmp_path: Path) -> None:
    site, folder = tmp_path / "site", tmp_path / "report"
    site.mkdir()
    (site / "site.yaml").write_text('site:\n  name: lab\n  nme: "<img src=x onerror=alert(1)>"\n')
    for path, text in report_files(Site.load(site)):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    open_page(page, folder, "#/")
    text = page.locator("main").inner_text()
    assert "The site has errors" in text
    assert "FG101" in text
    assert page.locator("nav a").all_text_contents() == ["Overview"]


def test_a_printed_page_has_no_menu_and_all_its_text(page: Page, report_of: Report) -> None:
    open_page(page, report_of(LAB), "#/failures")
    page.emulate_media(media="print")
    assert not page.locator("nav").is_visible()
    assert page.locator("h1").is_visible()
