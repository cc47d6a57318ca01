"""Every command block of the documentation does what its page shows."""

from pathlib import Path

import pytest
from tests.cli.calling import ROOT
from tests.docs.blocks import BlockError, blocks_of, run_page

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*/**/*.md"))]
WITH_BLOCKS = [page for page in PAGES if any(blocks_of(page.read_text()))]
# The largest share of sessions that a page may show without a test.
NOT_RUN = 0.1
BETWEEN_NOTES = """<!-- replace: intent/lab/site.yaml: lab -> lab2 -->

```
$ fabricgen check nowhere
```

<!-- file: a -->
```
b
```
"""


@pytest.mark.parametrize("page", WITH_BLOCKS, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_shows_what_its_commands_print(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    run_page(page.read_text(), tmp_path)


def test_few_sessions_are_not_run() -> None:
    sessions = [block for page in PAGES for block in blocks_of(page.read_text()) if block.commands]
    skipped = [block for block in sessions if "not run" in block.notes]
    assert len(skipped) <= NOT_RUN * len(sessions), f"{len(skipped)} of {len(sessions)}"


@pytest.mark.parametrize(
    ("page", "problem"),
    [
        ("```\n$ fabricgen check intent/lab\nother\n```", "prints"),
        ("```\n$ fabricgen check nowhere\n```", "ends with"),
        ("```\n$ rm -r intent\n```", "fabricgen, cat and cd alone"),
        ("```\n$ fabricgen lab up intent/lab\n```", "needs the note"),
        ("<!-- replace: intent/lab/site.yaml: not there -> x -->\n", "does not contain"),
        (BETWEEN_NOTES, "ends with"),
    ],
)
def test_a_wrong_page_is_noticed(
    page: str, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BlockError, match=problem):
        run_page(page, tmp_path)


def test_notes_write_and_change_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_page(
        "<!-- file: a/b.txt -->\n```\none\n```\n\n<!-- append: a/b.txt -->\n```\ntwo\n```\n\n"
        "<!-- replace: a/b.txt: one -> three -->\n\n```\n$ cat a/b.txt\nthree\n…\n```\n",
        tmp_path,
    )
