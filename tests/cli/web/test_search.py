"""The search of the pages in a real Chromium, and its data."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page
from tests.cli.calling import ROOT
from tests.cli.web.conftest import Report, axe_violations, open_page

from fabricgen import Site
from fabricgen.cli.web.pages import search

LAB, FULL = "intent/lab", "intent/full"


@pytest.fixture
def field(page: Page, report_of: Report) -> Any:
    """The field of the search, on the overview of a site with four fabrics."""
    open_page(page, report_of(FULL), "#/")
    return page.get_by_role("combobox")


def results(page: Page, field: Any, word: str) -> list[str]:
    """Return the results of a word, once they are there."""
    field.fill(word)
    page.wait_for_selector(f"#found[data-asked={json.dumps(word.lower())}] li")
    return [" | ".join(each.split("\n")) for each in page.locator("#found li").all_inner_texts()]


def of_site(site: str) -> Site:
    return Site.load(ROOT / site)


@pytest.mark.parametrize(
    ("word", "text", "heading"),
    [
        ("be-su01-leaf1", "be-su01-leaf1", "be-su01-leaf1"),
        ("vlan 100", "VLAN 100 training-jobs", "VLAN 100 training-jobs"),
        ("10100", "VLAN 100 training-jobs", "VLAN 100 training-jobs"),
        ("vni 10100", "VLAN 100 training-jobs", "VLAN 100 training-jobs"),
        ("training-jobs", "VLAN 100 training-jobs", "VLAN 100 training-jobs"),
        ("10.100.0.1", "VLAN 100 training-jobs", "VLAN 100 training-jobs"),
        ("vrf training", "VRF training", "VRF training"),
    ],
)
def test_a_name_or_number_leads_to_its_page(
    page: Page, field: Any, word: str, text: str, heading: str
) -> None:
    assert results(page, field, word)[0].startswith(text)
    field.press("Enter")
    page.get_by_role("heading", name=heading, level=1).wait_for()


def test_every_kind_of_address_leads_to_its_owner(page: Page, field: Any) -> None:
    switch = of_site(FULL).switches["fe-leaf01"].facts
    port = next(each for each in switch["ports"] if "address" in each)
    for word, use in (
        (switch["loopback"], "loopback"),
        (switch["management"].partition("/")[0], "management"),
        (port["address"], f"port {port['port']}"),
    ):
        first = results(page, field, word)[0]
        assert first.startswith(word.partition("/")[0])
        assert first.endswith(f"fe-leaf01, {use}")
    field.press("Enter")
    page.get_by_role("heading", name="fe-leaf01", level=1).wait_for()


def test_an_as_number_leads_to_its_switch(page: Page, field: Any) -> None:
    asn = of_site(FULL).switches["fe-leaf01"].facts["asn"]
    for word in (str(asn), f"AS {asn}", f"asn {asn}"):
        assert any("fe-leaf01" in each for each in results(page, field, word))


def test_the_keyboard_moves_through_the_results(page: Page, field: Any) -> None:
    page.keyboard.press("/")
    found = results(page, field, "be-su01")
    assert len(found) > 2
    assert field.get_attribute("aria-expanded") == "true"
    field.press("ArrowDown")
    field.press("ArrowDown")
    assert field.get_attribute("aria-activedescendant") == "found-1"
    assert page.locator("#found-1").get_attribute("aria-selected") == "true"
    assert axe_violations(page) == []
    field.press("ArrowUp")
    field.press("ArrowUp")
    assert field.get_attribute("aria-activedescendant") == f"found-{len(found) - 1}"
    field.press("Escape")
    assert field.get_attribute("aria-expanded") == "false"
    assert page.locator("#found").is_hidden()


def test_nothing_is_found_in_words(page: Page, field: Any) -> None:
    assert results(page, field, "<img src=x>") == ["nothing found"]
    assert results(page, field, "203.0.113.250") == ["nothing found"]


def test_the_page_of_a_network_lists_its_switches(page: Page, report_of: Report) -> None:
    open_page(page, report_of(FULL), "#/network/frontend/vlan/100/training-jobs")
    assert axe_violations(page) == []
    names = page.locator("tbody td:first-child").all_text_contents()
    every = of_site(FULL).switches.values()
    assert names == [
        each.name for each in every if 100 in each.facts["vlans"] and each.fabric == "frontend"
    ]
    page.get_by_role("link", name=names[0]).click()
    page.get_by_role("heading", name=names[0], level=1).wait_for()


@pytest.mark.parametrize("site", [LAB, FULL])
def test_the_pages_have_every_address_once_in_the_order_of_the_index(site: str) -> None:
    loaded = of_site(site)
    made = dict(search.chunks(loaded))
    firsts = made["search/index"]()["pages"]
    pages = [made[f"search/addresses/{number}"]()["rows"] for number in range(len(firsts))]
    assert [page[0][0] for page in pages] == firsts
    found = [row[0] for page in pages for row in page]
    assert found == sorted(found)
    assert len(found) == len(loaded.search_index().addresses)


def test_a_search_reads_over_the_end_of_a_page(page: Page, report_of: Report) -> None:
    """The lab has one page of addresses; the full site has several."""
    data = Path(report_of(FULL)) / "data/search/addresses"
    assert len(list(data.iterdir())) > 1
    open_page(page, report_of(FULL), "#/")
    index = dict(search.chunks(of_site(FULL)))["search/index"]()
    for second in index["pages"][1:]:
        assert results(page, page.get_by_role("combobox"), second)[0].startswith(second)


def test_the_library_lists_addresses_of_servers_and_neighbors() -> None:
    index = of_site(FULL).search_index()
    uses = {each.use for each in index.addresses if each.owner == "gpu0001"}
    assert any(use.startswith("port rdma") for use in uses), uses
    assert any(each.use.startswith("neighbor ") for each in index.addresses)
