"""`fabricgen lab exec`, `fail`, `restore` and `ssh`: requests to a running lab, and output."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.cli.calling import call

from fabricgen.cli.lab import running as module
from fabricgen.operate.lab.client import LabClient
from fabricgen.operate.lab.tools import Tools

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.unit.lab.stand_in import StandIn


@pytest.fixture
def oslo(lab: Callable[[str], StandIn]) -> StandIn:
    stand_in = lab("oslo")
    stand_in.up()
    stand_in.answers = {
        "exec": {"status": 3, "stdout": "out\n", "stderr": "err\n"},
        "fail": lambda asked: {"cables": [f"{asked['name']} to leaf1:swp1", "b"]},
        "restore": {"restored": ["leaf1:swp1", "leaf2"]},
    }
    return stand_in


def test_a_command_runs_on_a_switch_and_its_exit_code_is_ours(oslo: StandIn) -> None:
    ran = call("lab", "exec", "leaf1", "ip", "-br", "link")
    assert (ran.code, ran.out, ran.err) == (3, "out\n", "err\n")
    assert oslo.asked[-1] == {
        "op": "exec",
        "name": "leaf1",
        "command": ["ip", "-br", "link"],
        "text": None,
        "seconds": 600,
    }


@pytest.mark.parametrize(
    "words", [["exec", "leaf1", "true"], ["fail", "leaf1"], ["restore"], ["ssh", "leaf1"]]
)
def test_without_a_lab_a_verb_says_so_in_a_line(
    lab: Callable[[str], StandIn], words: list[str]
) -> None:
    ran = call("lab", *words)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == "error: no lab is running; start one with `fabricgen lab up SITE`\n"


def test_the_lab_is_named_by_option_or_environment(
    oslo: StandIn, lab: Callable[[str], StandIn], monkeypatch: pytest.MonkeyPatch
) -> None:
    bern = lab("bern")
    bern.up()
    bern.answers["restore"] = {"restored": []}
    assert call("lab", "restore").code == 1
    assert call("lab", "restore", "--lab", "bern").out == "nothing to restore\n"
    monkeypatch.setenv("FABRICGEN_LAB", "oslo")
    assert call("lab", "restore").out == "restored leaf1:swp1\nrestored leaf2\n"


def test_a_cable_is_cut_or_loses_everything_in_silence(oslo: StandIn) -> None:
    ran = call("lab", "fail", "spine1:swp1")
    assert ran.out == (
        "down: spine1:swp1 to leaf1:swp1\ndown: b\nto restore: fabricgen lab restore spine1:swp1\n"
    )
    assert oslo.asked[-1] == {"op": "fail", "name": "spine1:swp1", "silent": False}
    assert call("lab", "fail", "--silent", "spine1").out.startswith("silent: spine1 to ")
    assert oslo.asked[-1] == {"op": "fail", "name": "spine1", "silent": True}


@pytest.mark.parametrize("words", [[], ["leaf1"]])
def test_one_thing_or_everything_is_mended(oslo: StandIn, words: list[str]) -> None:
    assert call("lab", "restore", *words).code == 0
    assert oslo.asked[-1] == {"op": "restore", "name": words[0] if words else None}


def refuse(_: object) -> None:
    raise ValueError("no switch 'leaf9'")


@pytest.mark.parametrize("verb", ["exec", "fail", "restore", "ssh"])
def test_what_the_lab_refuses_is_a_line_too(oslo: StandIn, verb: str) -> None:
    oslo.answers = dict.fromkeys(("exec", "fail", "restore"), refuse)
    ran = call("lab", verb, "leaf9", *(["true"] if verb == "exec" else []))
    assert (ran.code, ran.err) == (1, "error: no switch 'leaf9'\n")


def becoming(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, list[str]]]:
    became: list[tuple[str, list[str]]] = []

    def become(program: str | Path, words: list[str]) -> int:
        became.append((str(program), words))
        return 0

    monkeypatch.setattr(module, "_become", become)
    return became


def test_ssh_checks_the_host_key_and_goes_through_the_lab(
    oslo: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    became = becoming(monkeypatch)
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    call("lab", "ssh", "--user", "admin", "leaf1", "show", "--brief")
    folder = oslo.place.folder
    ((program, words),) = became
    assert program == "/usr/bin/ssh"
    assert words == [
        "ssh",
        f"-oProxyCommand={sys.executable} -m fabricgen lab ssh --lab oslo --pipe leaf1",
        f"-oUserKnownHostsFile={folder}/known_hosts",
        "-oHostKeyAlias=leaf1",
        f"-oIdentityFile={folder}/key",
        "-oIdentitiesOnly=yes",
        "-oStrictHostKeyChecking=yes",
        "-oLogLevel=ERROR",
        "admin@leaf1",
        *("show", "--brief"),
    ]
    assert oslo.asked == [
        {"op": "exec", "name": "leaf1", "command": ["true"], "text": None, "seconds": 600}
    ]


def test_ssh_may_be_an_unpacked_one_and_is_missed_where_there_is_none(
    oslo: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    became = becoming(monkeypatch)
    monkeypatch.setattr("shutil.which", lambda _: None)
    monkeypatch.setattr(Tools, "find", lambda _, path: Path("/unpacked") / path)
    call("lab", "ssh", "leaf1")
    assert (became[0][0], became[0][1][-1]) == ("/unpacked/usr/bin/ssh", "root@leaf1")
    monkeypatch.setattr(Tools, "find", lambda *_: None)
    ran = call("lab", "ssh", "leaf1")
    assert (ran.code, ran.err) == (
        1,
        "error: ssh is not installed: run apt-get install openssh-client\n",
    )


def test_a_pipe_leads_to_the_ssh_port_of_the_switch(
    oslo: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    del oslo
    asked: list[object] = []

    def connect(_: LabClient, switch: str, port: int) -> str:
        asked.append((switch, port))
        return "a line"

    def carry(line: str) -> int:
        asked.append(line)
        return 0

    monkeypatch.setattr(LabClient, "connect", connect)
    monkeypatch.setattr(module, "_forward", carry)
    assert call("lab", "ssh", "--pipe", "leaf1").code == 0
    assert asked == [("leaf1", 22), "a line"]


CARRY = """\
import socket, sys
from fabricgen.cli.lab.running import _forward
sys.exit(_forward(socket.socket(fileno=int(sys.argv[1]))))
"""


@pytest.fixture
def carrying() -> Iterator[tuple[subprocess.Popen[bytes], socket.socket]]:
    """Have a process that carries bytes, and the switch at the other end."""
    ours, switch = socket.socketpair()
    process = subprocess.Popen(
        [sys.executable, "-c", CARRY, str(ours.fileno())],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        pass_fds=[ours.fileno()],
        bufsize=0,
    )
    ours.close()
    with process, switch:
        switch.settimeout(60)
        yield process, switch
        process.kill()


def test_a_pipe_carries_bytes_both_ways_until_the_switch_ends(carrying: Any) -> None:
    process, switch = carrying
    process.stdin.write(b"hello")
    assert switch.recv(5) == b"hello"
    whole = bytes(range(256)) * 400  # more than is read at once
    sending = threading.Thread(target=lambda: (switch.sendall(whole), switch.close()))
    sending.start()
    assert process.stdout.read(len(whole)) + process.stdout.read() == whole
    sending.join()
    assert process.wait() == 0


def test_a_pipe_ends_with_its_input(carrying: Any) -> None:
    process, switch = carrying
    process.stdin.close()
    assert process.wait(60) == 0
    assert switch.recv(1) == b""
