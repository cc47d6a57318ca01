"""The blast radius of a render: what replaces a tree is judged against it, file by file."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tests.property.growing import backend, designed

from fabricgen.compiler import File, Job
from fabricgen.output.manifest import sha256
from fabricgen.output.radius import LIMIT, Radius, weighed
from fabricgen.output.tree import write_tree

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from fabricgen.fabric.topology import Switch

SWITCHES = designed(backend()).fabrics[0].topology.switches[:3]
OLD = "hostname x\nrouter bgp 1\n   router-id 1.1.1.1\n"


def files(switch: Switch, text: str) -> list[File]:
    return [File(f"backend/{switch.name}/eos.cfg", text, executable=False)]


def rendered(target: Path, texts: Sequence[str], *, whole: bool = True) -> str:
    """Write a tree of eos.cfg files; return what is said of it."""
    radius = Radius()
    jobs = [
        Job(owner=switch, fingerprint=partial(sha256, text), render=partial(files, switch, text))
        for switch, text in zip(SWITCHES, texts, strict=False)
    ]
    write_tree(target, "t", weighed(target, jobs, radius, whole=whole), keep_rest=not whole)
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


def test_what_was_not_judged_is_said() -> None:
    radius = Radius()
    for number in range(LIMIT + 3):
        radius.see(f"f/{number}", {"eos.cfg": "hostname a\n"}, {"eos.cfg": "hostname b\n"})
    assert str(radius) == f"{LIMIT} hitless, 3 more not judged"
