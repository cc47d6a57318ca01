"""The share of lines that a walk uses: every ignored fact has a reason and lowers it."""

import ast
from pathlib import Path

import pytest
from tests.unit.invariants.small import texts

from fabricgen.prove import walk as written
from fabricgen.prove.filed import filed
from fabricgen.prove.reach.share import ignored
from fabricgen.prove.share import Share, share
from fabricgen.prove.walk.understood import UNDERSTOOD, UNUSED


def _share(line: str = "") -> Share:
    text = texts("edge", "eos")["fe-leaf01"]["eos.cfg"]
    switch = filed("fe-leaf01", "eos", {"eos.cfg": f"{line}{text}"}, "fe-leaf01")
    assert switch is not None
    return share([switch], ignored)


def test_an_ignored_kind_lowers_the_share(monkeypatch: pytest.MonkeyPatch) -> None:
    before = _share()
    monkeypatch.setitem(UNUSED, ("rule", "action"), "lists are not walked")
    for word in ("protocol", "source", "target"):
        monkeypatch.setitem(UNUSED, ("rule", word), "lists are not walked")
    after = _share()
    assert after.ignored["lists are not walked"] == 8
    assert before.used - after.used == pytest.approx(after.part(8 + 3))  # and the heads of lists
    assert after.percent == before.percent == 100


def test_a_line_that_nobody_reads_is_neither_used_nor_ignored() -> None:
    before, after = _share(), _share("frobnicate 7\n")
    assert len(after.strange) == 1
    assert after.ignored == before.ignored
    assert after.used < before.used


def test_the_walk_reads_every_used_fact_and_no_ignored_one() -> None:
    modules = Path(written.__file__).parent.glob("*.py")
    constants = (node for file in modules for node in ast.walk(ast.parse(file.read_text())))
    read = {node.value for node in constants if isinstance(node, ast.Constant)}
    used = {(kind, word) for kind, words in UNDERSTOOD.items() for word in words} - UNUSED.keys()
    assert [each for each in used if each[1] not in read] == []
    assert [each for each in UNUSED if each[1] and each[1] in read] == []
