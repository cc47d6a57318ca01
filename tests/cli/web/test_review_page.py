"""The review page: the review of `diff` with causes, effects, hits and blocks of equal changes."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page
from tests.cli.calling import LAB, call
from tests.cli.web.opened import go, opened, violations

from fabricgen import InvalidSite, Site

HOSTILE = "<img src=x onerror=alert(1)>"


def _edited(target: Path, file: str, old: str, new: str) -> Path:
    shutil.copytree(LAB, target)
    text = (target / file).read_text()
    assert old in text
    (target / file).write_text(text.replace(old, new))
    return target


@pytest.fixture(scope="module")
def sides(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return a folder with the old site and one with the new site: another MTU of a backend."""
    root = tmp_path_factory.mktemp(f"review {HOSTILE.replace('/', '')}")
    old = Path(shutil.copytree(LAB, root / "old"))
    mtu = "{speed: 100G}\n  underlay: {mtu: 9000}"
    return old, _edited(root / "new", "backend.yaml", "{speed: 100G}", mtu)


@pytest.fixture(scope="module")
def folder(sides: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("report") / "report"
    said = call("report", str(sides[1]), "--against", str(sides[0]), "-o", str(target))
    assert said.code == 0, said.err
    return target


@pytest.fixture(scope="module")
def page(folder: Path) -> Iterator[Page]:
    with opened(folder / "index.html", "#/review") as made:
        yield made


@pytest.fixture(scope="module")
def told(sides: tuple[Path, Path]) -> dict[str, Any]:
    said = call("diff", str(sides[0]), str(sides[1]), "--format", "json")
    assert said.code == 2, said.err
    found: dict[str, Any] = json.loads(said.out)
    return found


def test_the_page_has_the_review_of_diff(page: Page, told: dict[str, Any]) -> None:
    go(page, "#/review")
    data = page.evaluate("fabricgen.load('review')")
    for key in ("causes", "effects", "hits", "blocks", "blast_radius", "changed", "notes"):
        assert data[key] == told[key], key
    shown = page.locator("main").inner_text()
    assert told["causes"]
    assert told["blocks"]
    for cause in told["causes"]:
        assert cause["path"] in shown
        assert f"{cause['new']['file']}:{cause['new']['line']}" in shown
    for effect in told["effects"]:
        assert effect["text"] in shown
    assert page.locator("main details").count() == len(told["blocks"])


def test_a_block_has_an_address(page: Page, told: dict[str, Any]) -> None:
    go(page, "#/review/1")
    assert page.locator("details[open]").count() == 1
    block = told["blocks"][0]
    shown = page.locator("details[open]").inner_text()
    assert f"+{block['added']} -{block['removed']}" in shown
    for shape in block["shapes"]:
        for line in shape["added"]:
            assert f"+ {line}" in shown


def test_names_are_text(page: Page) -> None:
    go(page, "#/review")
    assert "<img src=x" in page.locator("main").inner_text()
    assert page.locator("main img").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_it_is_accessible(page: Page, scheme: Any, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme)
    for address in ("#/review", "#/review/1"):
        go(page, address)
        assert not violations(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_print_shows_every_block(page: Page) -> None:
    go(page, "#/review")
    page.emulate_media(media="print")
    every = "[...document.querySelectorAll('main {}')].map((each) => {})"
    heights = page.evaluate(every.format(".scroll", "getComputedStyle(each).maxHeight"))
    visible = page.evaluate(every.format("details .lines", "each.checkVisibility()"))
    page.emulate_media(media="screen")
    assert set(heights) == {"none"}
    assert visible
    assert all(visible)


def test_a_report_without_a_side_has_no_review(folder: Path, tmp_path: Path) -> None:
    assert (folder / "data" / "review.js").exists()
    assert call("report", LAB, "-o", str(tmp_path / "plain")).code == 0
    assert not (tmp_path / "plain" / "data" / "review.js").exists()
    assert "reviewed" not in (tmp_path / "plain" / "data" / "site.js").read_text()


def test_wrong_sides_are_refused(tmp_path: Path) -> None:
    both = call("report", LAB, "--against", LAB, "--as", "eos", "-o", str(tmp_path / "a"))
    assert both.code == 64
    assert "--against cannot be combined with --as" in both.err
    none = call("report", LAB, "--against", str(tmp_path / "nothing"), "-o", str(tmp_path / "b"))
    assert none.code == 1
    assert "nothing" in none.err
    assert not (tmp_path / "b").exists()
    broken = _edited(tmp_path / "broken", "backend.yaml", "count: 2", "count: -2")
    with pytest.raises(InvalidSite, match="count"):
        Site.load(LAB).diff(str(broken))
