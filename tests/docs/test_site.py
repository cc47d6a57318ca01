"""The documentation is a site: navigation, sizes and links, built by its own program."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.cli.calling import ROOT

DOCS = ROOT / "docs"
# Pages that a program writes at least in part, and pages that have an index of their own.
GENERATED = (
    "reference/commands.md",
    "reference/checks.md",
    "reference/gate.md",
    "reference/intent/",
    "reference/platforms.md",
    "reference/risk/",
    "diagnostics/",
    "decisions/",
)
MOST_WORDS, MOST_WORDS_IN_ALL = 2_500, 77_800
# Blocks, and tables that a program writes: between two marks, or below the name of a table.
UNWRITTEN = re.compile(
    r"^```.*?^```|<!-- (?:generated|measured): .*?<!-- end -->|^<!-- \w+ -->\n(?:\|[^\n]*\n)+",
    re.DOTALL | re.MULTILINE,
)


class Loader(yaml.SafeLoader):
    """Reads mkdocs.yml without running the Python objects that it names."""


Loader.add_multi_constructor("tag:yaml.org,2002:python/name:", lambda _, suffix, __: suffix)


def navigation(entries: list[Any]) -> Iterator[str]:
    """Yield the pages of a part of the navigation."""
    for entry in entries:
        for value in entry.values():
            if isinstance(value, list):
                yield from navigation(value)
            else:
                yield value


NAVIGATION = list(
    navigation(yaml.load((ROOT / "mkdocs.yml").read_text(), Loader=Loader)["nav"])  # noqa: S506
)
WRITTEN = [
    page
    for page in sorted(DOCS.rglob("*.md"))
    if not str(page.relative_to(DOCS)).startswith(GENERATED)
]
# Pages with an entry of their own in the navigation, also where a program writes them.
IN_NAVIGATION = [
    *WRITTEN,
    *(DOCS / f"reference/{name}.md" for name in ("commands", "platforms", "checks", "gate")),
]


def words_of(page: Path) -> int:
    """Count the words of a page outside code blocks and generated tables."""
    return len(UNWRITTEN.sub("", page.read_text()).split())


def test_every_page_stands_in_the_navigation_and_every_entry_is_a_page() -> None:
    pages = {str(page.relative_to(DOCS)) for page in IN_NAVIGATION}
    assert pages - set(NAVIGATION) == set()
    assert [entry for entry in NAVIGATION if not (DOCS / entry).is_file()] == []
    assert len(NAVIGATION) == len(set(NAVIGATION))


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: str(page.relative_to(DOCS)))
def test_a_page_is_short(page: Path) -> None:
    assert words_of(page) <= MOST_WORDS


def test_all_pages_together_are_short() -> None:
    assert sum(map(words_of, WRITTEN)) <= MOST_WORDS_IN_ALL


def test_llms_txt_names_pages() -> None:
    for page in re.findall(r"\]\(([^)]+)\)", (DOCS / "llms.txt").read_text()):
        assert (DOCS / page).is_file(), page


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    shutil.copytree(DOCS, tmp_path / "docs")
    (tmp_path / "mkdocs.yml").write_text((ROOT / "mkdocs.yml").read_text())
    program = Path(sys.executable).parent / "zensical"
    done = subprocess.run(
        [program, "build", "--strict"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "build" / "site" / "index.html").is_file()
