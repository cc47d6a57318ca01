"""A Linux switch that gets another name: at once, back again, and only where that was declared."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from fabricgen.nos.linux.driver.onswitch import apply, services
from fabricgen.nos.linux.driver.onswitch.files import FRR_CONF
from fabricgen.nos.linux.driver.onswitch.switch import SWITCH
from fabricgen.nos.shared.onswitch import disk, frr
from fabricgen.nos.shared.onswitch.commands import Done
from fabricgen.nos.shared.onswitch.refusal import Refusal
from fabricgen.nos.shared.onswitch.store import Tree

NAME = "etc/hostname"
NAMED = Tree({NAME: disk.File(b"leaf9\n")}, [NAME])
FACTS: dict[str, Any] = {
    "failures": [],
    "strays": [],
    "kernel": {},
    "running": None,
    "touched": [NAME],
}


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(disk, "ROOT", tmp_path)
    return tmp_path


@pytest.mark.parametrize(("status", "problems"), [(0, []), (1, ["hostname: not permitted"])])
def test_a_switch_is_renamed_at_once_and_back(
    root: Path, monkeypatch: pytest.MonkeyPatch, status: int, problems: list[str]
) -> None:
    called: list[str] = []

    def run(words: Sequence[str], *_: object) -> Done:
        called.append(" ".join(words))
        return Done(status, "", "not permitted")

    monkeypatch.setattr(services, "run", run)
    assert apply.apply(NAMED, [NAME], FACTS).problems == problems
    assert apply.restore(NAMED, FACTS) == problems
    assert called == [f"hostname -F {root / NAME}"] * 2
    assert services.hostname(["etc/issue.net"]) == ([], [])
    (root / NAME).unlink()
    assert services.hostname([NAME]) == ([], [])


def test_the_name_that_daemons_started_with_is_no_difference(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = "Lines To Delete\n===\nno hostname leaf1\n\nLines To Add\n===\nhostname leaf9\n"
    monkeypatch.setattr(frr, "run", lambda *_, **__: Done(0, shown, ""))
    assert frr.Frr().difference(root) == []
    monkeypatch.setattr(frr, "run", lambda *_, **__: Done(0, f"{shown}router bgp 1\n", ""))
    assert frr.Frr().difference(root) == ["+ router bgp 1"]


def test_a_declared_renaming_is_taken_if_the_files_agree_on_the_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "leaf1")
    monkeypatch.setattr(SWITCH, "renames", True)
    files = {NAME: "leaf2\n", FRR_CONF: "hostname leaf2\n"}
    assert SWITCH.judge(files, ()).managed == sorted(files)
    with pytest.raises(Refusal, match="belongs to leaf2; this switch is leaf1"):
        SWITCH.judge({**files, FRR_CONF: "hostname leaf3\n"}, ())
