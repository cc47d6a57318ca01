"""The blast radius of a render: what replaces a tree is judged against it, file by file."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from fabricgen.compile.compiler import File
from fabricgen.compile.output.manifest import Manifest
from fabricgen.compile.output.risks import LIMIT, radius_of, remarks
from fabricgen.compile.output.tree import building
from fabricgen.core.tree.risk import Change, Kind, Risk, Rule

OLD = "hostname x\nrouter bgp 1\n   router-id 1.1.1.1\n"


def rendered(target: Path, texts: Sequence[str], *, whole: bool = True) -> str:
    """Write a tree of eos.cfg files; return what is said of it."""
    with building(target) as build:
        for number, text in enumerate(texts):
            path = f"backend/leaf{number}/eos.cfg"
            build.take([build.place(File(path, text, executable=False))])
        if not whole:
            build.keep_rest()
        radius = radius_of(build)
        build.finish(Manifest())
    return str(radius)


def test_a_first_tree_and_the_same_again_hurt_nobody(tmp_path: Path) -> None:
    assert rendered(tmp_path / "out", [OLD] * 3) == ""
    assert rendered(tmp_path / "out", [OLD] * 3) == ""


def test_each_switch_counts_by_its_worst_change(tmp_path: Path) -> None:
    rendered(tmp_path / "out", [OLD] * 3)
    changed = [
        OLD,
        OLD.replace("1.1.1.1", "2.2.2.2").replace("hostname x", "hostname y"),
        OLD.replace("hostname x", "hostname y"),
    ]
    assert rendered(tmp_path / "out", changed) == "1 session-reset, 1 hitless"


def test_a_switch_that_is_gone_is_down_and_one_that_is_not_asked_for_stays(tmp_path: Path) -> None:
    rendered(tmp_path / "out", [OLD] * 2)
    assert rendered(tmp_path / "out", [OLD], whole=False) == ""
    assert rendered(tmp_path / "out", [OLD]) == "1 reboot"
    assert rendered(tmp_path / "out", [OLD] * 2) == "1 hitless"


def test_what_was_not_judged_is_said(tmp_path: Path) -> None:
    rendered(tmp_path / "out", ["hostname a\n"] * (LIMIT + 3))
    said = rendered(tmp_path / "out", ["hostname b\n"] * (LIMIT + 3))
    assert said == f"{LIMIT} hitless, 3 more not classified"


def test_places_of_one_remark_are_of_one_file_kind_and_rule() -> None:
    rule = Rule("interface", Risk.HITLESS, "why", "source")
    first = Change(file="a", where=("x",), kind=Kind.ADDED, rule=rule, known=True)
    others = (
        replace(first, file="b"),
        replace(first, kind=Kind.REMOVED),
        replace(first, rule=replace(rule, why="another")),
        replace(first, known=False),
    )
    alike = replace(first, where=("y",))
    found = remarks([first, *others, alike])
    assert [each.places for each in found] == [("x", "y"), *[("x",)] * 4]
