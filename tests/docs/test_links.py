"""README and docs against the repository: links and paths lead somewhere."""

import re
from pathlib import Path

import pytest
from tests.cli.calling import ROOT

PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
MAIN_PAGES = [page for page in PAGES if page.parent.name != "diagnostics"]
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")
PATH = re.compile(r"`((?:src|tests|docs|bench|intent|templates)/[\w./-]+)`")


def named(page: Path) -> str:
    return str(page.relative_to(ROOT))


def slugs(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    heads = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_link_leads_to_a_page_and_a_heading(page: Path) -> None:
    for target, anchor in LINK.findall(page.read_text()):
        found = page.parent / target if target else page
        assert found.exists(), target
        if anchor:
            assert anchor in slugs(found), f"{target}#{anchor}"


@pytest.mark.parametrize("page", MAIN_PAGES, ids=named)
def test_every_path_that_is_named_is_there(page: Path) -> None:
    roots = (ROOT, ROOT / "src" / "fabricgen")
    for path in PATH.findall(page.read_text()):
        assert any((root / path).exists() for root in roots), path
