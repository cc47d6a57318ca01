"""README and docs against the code: links and paths lead somewhere, examples are real."""

import re
import shutil
from pathlib import Path

import pytest
from tests.cli.calling import ROOT, call

from fabricgen.cli.main import VERBS

PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
MAIN_PAGES = [page for page in PAGES if page.parent.name != "diagnostics"]
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")
PATH = re.compile(r"`((?:src|tests|docs|bench|intent|templates)/[\w./-]+)`")
BLOCK = re.compile(r"^```(?:text)?\n(\$ .*?)^```", re.DOTALL | re.MULTILINE)


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


def test_the_verbs_that_are_told_are_those_there_are() -> None:
    line = re.search(r"## Verbs\n\n(.*?):", (ROOT / "README.md").read_text(), re.DOTALL)
    assert line
    assert set(re.findall(r"`(\w+)`", line[1])) == {verb.name for verb in VERBS}


def examples() -> list[tuple[str, str]]:
    """Return the commands of README and docs that can be run here, with what follows them."""
    found = []
    for page in MAIN_PAGES:
        for block in BLOCK.findall(page.read_text()):
            command, _, shown = block.partition("\n")
            if command.startswith(("$ fabricgen lossless intent/", "$ fabricgen explain intent/")):
                found.append((command.removeprefix("$ fabricgen "), shown))
    return found


@pytest.mark.parametrize(("command", "shown"), examples())
def test_an_example_shows_what_the_command_prints(
    command: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    printed = iter(call(*command.replace("'", "").split(" ", 3)).out.splitlines())
    for line in shown.splitlines():
        if line.strip() != "…":
            assert any(line == said for said in printed), line


@pytest.mark.parametrize(
    ("page", "start", "file", "old", "new"),
    [
        ("README.md", "session-reset: 8 switches", "tenants/training.yaml", "id: 101", "id: 102"),
        ("docs/risk.md", "reboot: 8", "backend.yaml", "400G}", "400G, length: 60}"),
    ],
)
def test_an_example_of_a_change_is_what_diff_says(
    page: str, start: str, file: str, old: str, new: str, tmp_path: Path
) -> None:
    shutil.copytree(ROOT / "intent" / "full", tmp_path / "site")
    changed = tmp_path / "site" / file
    changed.write_text(changed.read_text().replace(old, new))
    said = call("diff", str(ROOT / "intent" / "full"), str(tmp_path / "site")).out.splitlines()
    shown = (ROOT / page).read_text().split(f"\n{start}", 1)[1].split("\n```", 1)[0]
    printed = iter(said)
    for line in f"{start}{shown}".splitlines():
        if line.strip() != "…":
            assert any(line == told for told in printed), line


def test_the_site_of_the_readme_has_no_warning(tmp_path: Path) -> None:
    page = (ROOT / "README.md").read_text()
    site = re.findall(r"^```yaml\n(.*?)^```", page, re.DOTALL | re.MULTILINE)[0]
    (tmp_path / "site.yaml").write_text(site)
    said = call("check", str(tmp_path))
    assert said.code == 0
    assert "warning" not in said.out


def test_there_are_examples() -> None:
    assert len(examples()) >= 2


def test_the_demo_shows_what_it_prints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    shown = (ROOT / "README.md").read_text().split("$ make demo\n", 1)[1].split("```", 1)[0]
    out = str(tmp_path / "demo")
    said = call("render", "intent/full", "-o", out).out.replace(out, "build/demo")
    assert [line.split() for line in said.strip().splitlines()] == [
        line.split() for line in shown.strip().splitlines()
    ]
