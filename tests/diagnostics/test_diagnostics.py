"""Every diagnostic has a page, a case that fails with it, and a golden text of what is printed.

A case is a folder with a site or several, each checked as a person would (`fabricgen check site` in
that folder), or a fault planted by planted.py. Its expected.txt holds the findings of its own code.
other_codes.txt lists the codes that a case shows beside its own. FABRICGEN_GOLDEN=update rewrites,
=diff fails with the difference.
"""

import contextlib
import difflib
import io
import os
import re
import tempfile
from functools import cache
from pathlib import Path

import pytest
from tests.diagnostics import planted
from tests.diagnostics.case_output import other_codes, own_lines

from fabricgen.cli.main import run
from fabricgen.core.diagnostics import Code

HERE = Path(__file__).parent
OTHER_CODES = HERE / "other_codes.txt"
PAGES = HERE.parents[1] / "docs" / "diagnostics"
MODE = os.environ.get("FABRICGEN_GOLDEN", "")
SECTIONS = ["What it says", "Why it matters", "Example", "How to fix"]
BY_SITE = [code for code in Code if code not in {*planted.MODEL, *planted.OUTPUT}]
STAGES = {
    "load",
    "load, design",
    "load, check, lower",
    "load, lower",
    "design",
    "design, check",
    "check",
    "lower",
    "output",
}

every_code = pytest.mark.parametrize("code", Code, ids=lambda code: code.value)


@cache
def printed(code: Code) -> str:
    """Return what a person reads who runs into this diagnostic."""
    if code in planted.MODEL:
        return planted.MODEL[code]()
    if code in planted.OUTPUT:
        with tempfile.TemporaryDirectory() as folder:
            return planted.OUTPUT[code](Path(folder))
    heard = io.StringIO()
    with contextlib.chdir(HERE / code.value), contextlib.redirect_stdout(heard):
        for site in sites(code):
            run(["check", site.name])
    return heard.getvalue()


def sites(code: Code) -> list[Path]:
    """Return the sites of a case: `site`, and `site-…` for what another stage says."""
    return sorted((HERE / code.value).glob("site*"))


def golden(code: Code) -> Path:
    return HERE / code.value / "expected.txt"


def listed_codes() -> dict[str, list[str]]:
    """Return the codes that each case shows beside its own, as other_codes.txt lists them."""
    rows = map(str.split, OTHER_CODES.read_text(encoding="utf-8").splitlines())
    return {case.rstrip(":"): others for case, *others in rows}


@cache
def page(code: Code) -> str:
    return (PAGES / f"{code.value}.md").read_text(encoding="utf-8")


def blocks(code: Code, language: str) -> list[str]:
    """Return the lines of a page's fenced blocks in one language."""
    found = re.findall(rf"```{language}\n(.*?)```", page(code), flags=re.DOTALL)
    return [line for block in found for line in block.splitlines()]


def source(code: Code) -> str:
    """Return the YAML of a case."""
    if code not in BY_SITE:
        return planted.SITE
    files = [file for site in sites(code) for file in sorted(site.rglob("*.yaml"))]
    return "".join(path.read_text(encoding="utf-8", errors="replace") for path in files)


@every_code
def test_the_words_are_what_they_were(code: Code) -> None:
    now = own_lines(printed(code), code.value)
    if MODE == "update":
        golden(code).parent.mkdir(exist_ok=True)
        golden(code).write_text(now, encoding="utf-8")
    before = golden(code).read_text(encoding="utf-8")
    if now != before:
        lines = difflib.unified_diff(
            before.splitlines(), now.splitlines(), f"golden/{code}", "now", lineterm="", n=2
        )
        pytest.fail("`make golden` accepts:\n" + "\n".join(lines), pytrace=False)


@every_code
def test_a_case_shows_no_other_code_than_is_listed(code: Code) -> None:
    now = other_codes(printed(code), code.value)
    if MODE == "update":
        rows = {**listed_codes(), code.value: now}
        lines = [f"{case}: {' '.join(others)}\n" for case, others in sorted(rows.items()) if others]
        OTHER_CODES.write_text("".join(lines), encoding="utf-8")
    assert now == listed_codes().get(code.value, []), "`make golden` accepts"


@every_code
def test_the_case_shows_its_code(code: Code) -> None:
    assert f"{code.value} " in golden(code).read_text(encoding="utf-8")


def test_a_finding_of_another_code_changes_no_case() -> None:
    before = printed(Code.BAD_VALUE)
    more = "site/site.yaml:1:1 FG999 warning: something new\n    hint: mend it\n"
    now = more + before.replace("1 error\n", f"{more}1 error, 1 warning\n")
    assert own_lines(now, "FG103") == own_lines(before, "FG103")
    assert other_codes(now, "FG103") == [*other_codes(before, "FG103"), "FG999"]


@pytest.mark.parametrize("code", BY_SITE, ids=lambda code: code.value)
def test_each_line_points_into_the_site(code: Code) -> None:
    for line in printed(code).splitlines():
        if " FG" not in line and not line.startswith("FG"):
            continue
        place = re.match(r"(site\S*/\S+\.(?:yaml|csv)):([0-9]+):([0-9]+) FG[0-9]{3} ", line)
        assert place, line
        text = (HERE / code.value / place[1]).read_text(encoding="utf-8", errors="replace")
        lines = [*text.splitlines(), ""]
        assert 1 <= int(place[2]) <= len(lines), line
        assert 1 <= int(place[3]) <= len(lines[int(place[2]) - 1]) + 1, line


@every_code
def test_the_page_has_its_form(code: Code) -> None:
    title, *rest = page(code).splitlines()
    assert re.fullmatch(rf"# {code.value}: \S.*[^.]", title)
    assert [line.removeprefix("## ") for line in rest if line.startswith("## ")] == SECTIONS
    assert len(rest) < 50
    assert max(map(len, rest)) <= 100 or blocks(code, "text")


@every_code
def test_the_page_shows_what_is_really_printed(code: Code) -> None:
    shown = blocks(code, "text")
    assert shown
    missing = set(shown) - set(printed(code).splitlines())
    assert not missing


@every_code
def test_the_page_shows_yaml_of_its_case(code: Code) -> None:
    shown = {line.strip() for line in blocks(code, "yaml")}
    assert shown <= {line.strip() for line in source(code).splitlines()}


def test_there_is_nothing_else() -> None:
    known = {code.value for code in Code}
    folders = {path.name for path in HERE.iterdir() if path.is_dir()} - {"__pycache__"}
    assert folders == known
    assert {path.stem for path in PAGES.glob("*.md")} == known | {"README"}


def test_a_site_stands_only_where_check_reads_it() -> None:
    having = {path.parent.name for path in HERE.glob("*/site*")}
    assert having == {code.value for code in BY_SITE}


def test_the_table_lists_every_page() -> None:
    table = (PAGES / "README.md").read_text(encoding="utf-8").splitlines()
    rows = [line.strip("| ").split(" | ") for line in table if line.startswith("| [")]
    titles = [page(code).splitlines()[0].partition(": ")[2] for code in Code]
    assert [row[:2] for row in rows] == [
        [f"[{code.value}]({code.value}.md)", title]
        for code, title in zip(Code, titles, strict=True)
    ]
    assert {row[2] for row in rows} <= STAGES
