"""Writes some chunks of a report, and opens it in Chromium; a console error fails the test."""

import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from axe_playwright_python.base import AxeResults
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

from fabricgen import Site
from fabricgen.cli.web.chunk import as_script, file_name
from fabricgen.cli.web.chunks import chunks
from fabricgen.cli.web.report import STATIC

LONG_MS = 120_000


def write_chunks(site: Site, target: Path, starts: Collection[str]) -> Path:
    """Write the application and the chunks whose names begin so; the others would take long."""
    shutil.copytree(STATIC, target)
    for name, make in chunks(site):
        if name.split("/")[0] in starts:
            path = target / "data" / file_name(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(as_script(name, make()))
    return target / "index.html"


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start Debian's Chromium without a screen. Without one on this machine, skip the test."""
    found = shutil.which("chromium")
    if found is None:
        pytest.skip("no chromium on this machine")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def opened(index: Path, address: str) -> Iterator[Page]:
    """Open a report, and require that the console has no error."""
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(LONG_MS)
        faults: list[str] = []
        page.on("console", lambda told: faults.append(told.text) if told.type == "error" else None)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(index.as_uri() + address)
        page.wait_for_selector("main[data-shown]")
        yield page
    assert not faults, faults


def go(page: Page, address: str) -> None:
    """Open an address of the page, and wait until it is shown."""
    page.evaluate("(to) => { location.hash = to; }", address)
    page.wait_for_function(
        "() => document.getElementById('main').dataset.shown === location.hash", timeout=LONG_MS
    )


def run_axe(page: Page) -> AxeResults:
    """Run axe-core. It cannot read style sheets of a page from disk, so it does not try."""
    return Axe().run(page, options={"preload": False})


def violations(page: Page) -> str:
    """Return what axe-core finds, as text; empty if it finds nothing."""
    found = run_axe(page)
    return found.generate_report() if found.response["violations"] else ""
