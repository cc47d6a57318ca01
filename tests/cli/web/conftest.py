"""A real Chromium, and reports of example sites that it opens from disk."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from tests.cli.calling import ROOT
from tests.cli.web.opened import LONG_MS, chromium, run_axe

from fabricgen import Site
from fabricgen.cli.web.report import report_files

Report = Callable[[str | Path], Path]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium without a screen.

    Its driver holds an event loop while it is open, so it ends before tests of another file.
    """
    with chromium() as found:
        yield found


@pytest.fixture(scope="session")
def report_of(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Return the folder of a site's report, written once for all tests."""
    made: dict[str, Path] = {}

    def report(site: str | Path) -> Path:
        key = str(site)
        if key not in made:
            folder = tmp_path_factory.mktemp("report")
            for path, text in report_files(Site.load(ROOT / site)):
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_text(text)
            made[key] = folder
        return made[key]

    return report


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A tab that collects errors of its console. A test with an error there fails."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(LONG_MS)
    tab, errors = context.new_page(), list[str]()
    tab.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    tab.on("pageerror", lambda error: errors.append(str(error)))
    yield tab
    context.close()
    assert errors == []


def open_page(page: Page, folder: Path, address: str) -> None:
    """Open an address of a report, and wait until its page is shown."""
    page.goto(f"{(folder / 'index.html').as_uri()}{address}")
    page.wait_for_selector(f"main[data-shown='{address or '#/'}']")


def axe_violations(page: Page) -> list[Any]:
    """Return what axe-core finds against the page, each with its first element."""
    found = run_axe(page).response["violations"]
    return [(each["id"], each["nodes"][0]["html"][:200]) for each in found]
