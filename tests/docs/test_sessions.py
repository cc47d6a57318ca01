"""Every Python session of the documentation prints what its page shows."""

import doctest
import re
import shutil
from pathlib import Path

import pytest
from tests.cli.calling import ROOT

SESSION = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = [
    page for page in sorted((ROOT / "docs").glob("*/**/*.md")) if SESSION.search(page.read_text())
]


def differences(page: str, name: str) -> str:
    """Run the sessions of a page in the working folder, and return what differs."""
    lines = [""] * (page.count("\n") + 1)
    for found in SESSION.finditer(page):
        first = page.count("\n", 0, found.start(1))
        for number, line in enumerate(found[1].splitlines(), first):
            lines[number] = line
    test = doctest.DocTestParser().get_doctest("\n".join(lines), {}, name, name, 0)
    said: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=said.append)
    return "".join(said)


def test_a_page_has_sessions() -> None:
    assert ROOT / "docs" / "extend" / "library.md" in PAGES


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_session_prints_what_its_page_shows(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "intent", tmp_path / "intent")
    monkeypatch.chdir(tmp_path)
    assert differences(page.read_text(), page.name) == ""


def test_a_wrong_session_is_noticed() -> None:
    page = "text\n\n```pycon\n>>> 1 + 1\n3\n```\n"
    assert "Expected:\n    3\nGot:\n    2" in differences(page, "page")
    assert differences(page.replace("3", "2"), "page") == ""
