"""Every number of the example sites is what it was: who grows a site must not be renumbered.

A golden file may change with any line of a template; this one may not change by the way. A wanted
change has a commit of its own and a line in CHANGELOG.md with the ledger's new fingerprint.
"""

import difflib
import hashlib
import os
from pathlib import Path

import pytest
from tests.ledger.entries import ledger

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_site

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SITES = sorted(path.name for path in (ROOT / "intent").iterdir() if path.is_dir())
UPDATE = os.environ.get("FABRICGEN_LEDGER") == "update"
MOST_LINES = 3000
WHAT_TO_DO = """numbers of the example site {name} changed.
Networks that were built with the numbers before would be renumbered. If that is not wanted, the
change is wrong. If it is: `make ledger`, and commit that alone, with a line in CHANGELOG.md that
says why and holds the fingerprint that the test of the ledger asks for.
"""


def fingerprint() -> str:
    """Return the short hash of all ledgers."""
    texts = b"".join((HERE / f"{name}.txt").read_bytes() for name in SITES)
    return hashlib.sha256(texts).hexdigest()[:12]


@pytest.mark.parametrize("name", SITES)
def test_no_object_has_another_number(name: str) -> None:
    site = compile_site(load_site(ROOT / "intent" / name)).site
    assert site is not None
    path, now = HERE / f"{name}.txt", ledger(site)
    if UPDATE:
        path.write_text(now, encoding="utf-8")
    before = path.read_text(encoding="utf-8")
    if now != before:
        lines = difflib.unified_diff(
            before.splitlines(), now.splitlines(), f"ledger/{name}", "now", lineterm="", n=0
        )
        pytest.fail(WHAT_TO_DO.format(name=name) + "\n".join(list(lines)[:60]), pytrace=False)


@pytest.mark.skipif(UPDATE, reason="the ledger is being rewritten")
def test_the_changelog_says_why_the_numbers_are_these() -> None:
    wanted = f"address ledger `{fingerprint()}`"
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert wanted in changelog, f"CHANGELOG.md has no line with {wanted}"


def test_a_ledger_can_be_read() -> None:
    files = {path.stem: path.read_text(encoding="utf-8") for path in HERE.glob("*.txt")}
    assert sorted(files) == SITES
    for name, text in files.items():
        assert 0 < text.count("\n") <= MOST_LINES, name
