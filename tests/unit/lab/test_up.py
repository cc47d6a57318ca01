"""How a lab is booted, with a keeper that only answers; and what is left when that fails."""

import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.unit.lab.bench import ROOT, bench_of
from tests.unit.lab.stand_in import StandIn

from fabricgen.compile.compiler import File
from fabricgen.operate.lab import up as module
from fabricgen.operate.lab.client import LabClient, LabFailure, LabGone
from fabricgen.operate.lab.machine.machine import Choice
from fabricgen.operate.lab.place import Place
from fabricgen.operate.lab.tools import Tools
from fabricgen.operate.lab.up import LabRequest, boot

VERSION = {"status": 0, "stdout": "zebra version 8.4.4\nCopyright\n", "stderr": ""}
UML = Choice("uml", "asked for")
PLAN = bench_of("lab", "fe-leaf0[12]").plan
WISH = LabRequest(plan=PLAN, intent=ROOT / "intent" / "lab", limit=("fe-leaf0[12]",), way="uml")
FILES = [
    File("frontend/fe-leaf01/etc/frr/frr.conf", "one\n", executable=False),
    File("frontend/fe-leaf02/etc/fabricgen/dcb.sh", "two\n", executable=True),
    File("frontend/fe-leaf03/etc/frr/frr.conf", "not in the part\n", executable=False),
    File("hosts/gpu0001/etc/nccl.conf", "no switch's\n", executable=False),
]
KEYS = {"fe-leaf02": "ssh-ed25519 BBBB root@b", "fe-leaf01": "ssh-ed25519 AAAA root@a"}


class Keeper:
    """In the place of the process that keeps a lab; it writes to the log and does not answer."""

    def __init__(self, words: list[str], **options: Any) -> None:
        self.words, self.options = words, options
        self.stdin, self.ended = Pipe(), False
        self.returncode: int | None = None
        options["stdout"].write(Keeper.log)
        options["stdout"].flush()
        keepers.append(self)

    log = "one\n\n two \nthree\nfour\nfive\n"
    status: int | None = None

    def poll(self) -> int | None:
        return self.status

    def communicate(self) -> None:
        self.ended = True


class Pipe(io.BytesIO):
    """Keeps what was written to it."""

    def close(self) -> None:
        self.kept = self.getvalue()
        super().close()


keepers: list[Keeper] = []


@pytest.fixture
def oslo(lab: Callable[[str], StandIn], monkeypatch: pytest.MonkeyPatch) -> StandIn:
    """Have everything but a machine: a keeper that answers as soon as it is started."""
    keepers.clear()
    stand_in = lab(PLAN.name)
    run = subprocess.run

    def start(words: list[str], **options: Any) -> Keeper:
        stand_in.listen()
        return Keeper(words, **options)

    def keygen(words: list[str], **options: Any) -> Any:
        if "ssh-keygen" not in words[0]:
            return run(words, **options)
        generated.append((words, options))
        stand_in.place.key.with_suffix(".pub").write_text("ssh-ed25519 CCCC lab\n")
        return None

    generated.clear()
    monkeypatch.setattr(module, "choose", lambda way: UML if way == "uml" else None)
    monkeypatch.setattr(
        module, "require", lambda *words, fresh: sum(map(int, words[2:])) + 1000 + fresh
    )
    monkeypatch.setattr(subprocess, "Popen", start)
    monkeypatch.setattr(subprocess, "run", keygen)
    monkeypatch.setattr(Tools, "find", lambda _, path: Path("/unpacked") / path)
    stand_in.answers = {"boot": {"took": {"fe-leaf01": 1}}, "keys": KEYS, "exec": VERSION}
    return stand_in


generated: list[tuple[list[str], dict[str, Any]]] = []


def booted(**more: Any) -> list[Choice]:
    introduced: list[Choice] = []
    boot(WISH, more.get("files", FILES), introduced.append, lambda _: None)
    return introduced


def test_the_keeper_is_told_where_how_and_how_large(oslo: StandIn) -> None:
    assert booted() == [UML]
    (keeper,) = keepers
    *python, folder, way, memory, lock = keeper.words
    assert python == [sys.executable, "-m", "fabricgen.operate.lab.supervisor"]
    assert (folder, way) == (str(oslo.place.folder), "uml")
    assert int(memory) == 1000 + len(PLAN.switches) + len(PLAN.hosts)
    assert keeper.options["pass_fds"] == [int(lock)]
    assert keeper.options["start_new_session"] is True
    assert keeper.options["stdin"] == subprocess.PIPE


def test_a_keeper_of_a_lab_that_booted_may_stay(oslo: StandIn) -> None:
    booted()
    (keeper,) = keepers
    assert (keeper.stdin.kept, keeper.returncode, keeper.ended) == (b".", 0, False)
    again = oslo.place.take()
    assert again is not None, "we hold its folder no longer; the keeper does"
    os.close(again)


def test_the_lab_is_asked_to_boot_the_plan_and_then_for_host_keys(oslo: StandIn) -> None:
    booted()
    boots, keys, version = oslo.asked
    assert (boots["op"], boots["workers"]) == ("boot", 3)
    assert [switch["name"] for switch in boots["plan"]["switches"]] == ["fe-leaf01", "fe-leaf02"]
    assert keys == {"op": "keys", "key": "ssh-ed25519 CCCC lab\n"}
    assert version["command"] == ["/usr/lib/frr/zebra", "--version"]
    assert oslo.place.known_hosts.read_text() == (
        "fe-leaf01 ssh-ed25519 AAAA\nfe-leaf02 ssh-ed25519 BBBB\n"
    )


def test_the_lab_gets_a_key_of_its_own(oslo: StandIn) -> None:
    booted()
    ((words, options),) = generated
    assert words == [
        *("/unpacked/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "lab lab"),
        *("-f", str(oslo.place.key)),
    ]
    assert options["check"] is True


def test_what_is_up_is_noted_with_how(oslo: StandIn) -> None:
    before = int(time.time())
    booted()
    facts = oslo.place.facts()
    assert before <= facts.pop("since") <= time.time()
    assert facts == {
        "site": str(ROOT / "intent" / "lab"),
        "switches": ["fe-leaf01", "fe-leaf02"],
        "frr": "8.4.4",
        "way": "uml",
        "why": "asked for",
        "limit": ["fe-leaf0[12]"],
        "lifted": None,
        "took": {"fe-leaf01": 1},
    }


def test_the_intent_and_the_files_of_its_switches_are_copied(oslo: StandIn) -> None:
    booted()
    place, intent = oslo.place, ROOT / "intent" / "lab"
    sources = sorted(path.relative_to(intent) for path in intent.rglob("*.yaml"))
    copies = sorted(path.relative_to(place.intent) for path in place.intent.rglob("*.yaml"))
    assert sources == copies
    written = {
        path.relative_to(place.files).as_posix(): path.stat().st_mode & 0o777
        for path in place.files.rglob("*")
        if path.is_file()
    }
    assert written == {
        "frontend/fe-leaf01/etc/frr/frr.conf": 0o644,
        "frontend/fe-leaf02/etc/fabricgen/dcb.sh": 0o755,
    }
    assert (place.files / FILES[0].path).read_text() == "one\n"


def test_what_a_killed_boot_of_another_lab_left_is_removed(oslo: StandIn) -> None:
    """Nobody holds the folder: its keeper, which would have cleared it, never ran."""
    dead = Place.of("bergen")
    (dead.folder / "files").mkdir(parents=True)
    booted()
    assert (dead.folder.exists(), oslo.place.folder.exists()) == (False, True)


def test_a_lab_that_is_up_already_is_left_alone(oslo: StandIn) -> None:
    lock = oslo.place.take()
    assert lock is not None
    with pytest.raises(
        LabFailure, match=r"^the lab lab is already running; stop it with `fabricgen lab down`$"
    ):
        booted()
    os.close(lock)
    assert oslo.place.folder.exists()
    assert keepers == []


def refuse(request: dict[str, Any]) -> None:
    raise ValueError(f"no {request['op']} today")


@pytest.mark.parametrize("op", ["boot", "keys"])
def test_a_lab_that_fails_leaves_nothing(oslo: StandIn, op: str) -> None:
    oslo.answers[op] = refuse
    with pytest.raises(LabFailure, match=f"^no {op} today$"):
        booted()
    (keeper,) = keepers
    assert keeper.ended, "it was waited for"
    assert not oslo.place.folder.exists()


def test_a_keeper_that_dies_while_it_boots_has_its_last_words_told(
    oslo: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object, **__: object) -> None:
        raise LabGone("the lab ended before it answered")

    monkeypatch.setattr(LabClient, "call", gone)
    with pytest.raises(
        LabFailure, match=r"^the lab ended before it answered: two / three / four / five$"
    ):
        booted()
    assert not oslo.place.folder.exists()


@pytest.mark.parametrize(
    ("log", "words"),
    [("one\n\n two \nthree\nfour\nfive\n", "two / three / four / five"), ("", "its log is empty")],
)
def test_a_keeper_that_does_not_start_has_its_last_words_told(
    oslo: StandIn, monkeypatch: pytest.MonkeyPatch, log: str, words: str
) -> None:
    monkeypatch.setattr(oslo, "listen", lambda: None)
    monkeypatch.setattr(Keeper, "status", 1)
    monkeypatch.setattr(Keeper, "log", log)
    with pytest.raises(LabFailure, match=f"^the machine of the lab did not start: {words}$"):
        booted()


def test_nobody_waits_forever_for_a_machine(oslo: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(oslo, "listen", lambda: None)
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(time, "sleep", lambda seconds: now.__setitem__(0, now[0] + 20 * seconds))
    with pytest.raises(LabFailure, match=r"^the machine of the lab did not start: "):
        booted()
    assert now[0] > 1


def test_a_disk_that_takes_no_more_is_said_with_the_folder(
    oslo: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "_write", full)
    with pytest.raises(LabFailure, match=f"^{oslo.place.folder}: No space left on device$"):
        booted()
    assert not oslo.place.folder.exists()


def test_without_a_way_asked_for_one_is_chosen(
    oslo: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "choose", lambda way: Choice("direct", "root") if not way else UML)
    wish = LabRequest(plan=PLAN, intent=WISH.intent)
    boot(wish, FILES, lambda _: None, lambda _: None)
    assert (oslo.asked[0]["workers"], oslo.place.facts()["limit"]) == (8, [])
    assert json.loads((oslo.place.folder / "up").read_text())["way"] == "direct"
