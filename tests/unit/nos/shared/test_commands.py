"""A command of the switch: its words, its end, and what it may not inherit."""

import os
import sys

import pytest

from fabricgen.nos.shared.onswitch import commands
from fabricgen.nos.shared.onswitch.commands import MISSING, TOO_LONG, Done, run

SHELL = ("sh", "-c")


def test_what_it_says_and_how_it_ends() -> None:
    assert run((*SHELL, "echo out; echo err >&2; exit 3")) == Done(3, "out\n", "err\n")


def test_a_command_that_is_not_there_is_told_from_one_that_fails() -> None:
    assert run(("/no/such/program",)) == Done(
        MISSING, "", "/no/such/program: No such file or directory"
    )
    assert MISSING == 127


def test_one_that_takes_too_long_ends_with_all_that_it_started() -> None:
    done = run((*SHELL, "sleep 1000 & echo $!; wait"), timeout=0.2)
    assert done == Done(TOO_LONG, "", "sh did not end within 0.2 s")
    assert TOO_LONG == 124


@pytest.mark.parametrize(
    ("done", "reason"),
    [
        (Done(1, "said", " one \n  two\n"), "one; two"),
        (Done(1, "said\n", " \n"), "said"),
        (Done(7, "", ""), "exit status 7"),
        (Done(1, "", "".join(f"{n}\n" for n in range(9))), "3; 4; 5; 6; 7; 8"),
    ],
)
def test_the_reason_is_the_end_of_its_complaint(done: Done, reason: str) -> None:
    assert done.reason == reason


def test_it_speaks_english_and_finds_the_programs_of_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/opt/own")
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    monkeypatch.setenv("OTHER", "stays")
    script = 'echo "$PATH|$LANG|$LC_ALL|$HOME|$TERM|$OTHER"'
    path, *words = run(("/bin/sh", "-c", script)).out.strip().split("|")
    assert words == ["C.UTF-8", "C.UTF-8", "/root", "dumb", "stays"]
    assert path.split(":")[0] == "/opt/own"
    assert {"/usr/sbin", "/sbin", "/usr/bin", "/bin"} <= set(path.split(":"))
    monkeypatch.delenv("PATH")
    assert run(("/bin/sh", "-c", 'echo "$PATH"')).out.startswith("/usr/local/sbin:")


def test_it_reads_nothing_and_has_a_session_of_its_own() -> None:
    script = "import os, sys; print(sys.stdin.read() == '', os.getsid(0) == os.getpid())"
    assert run((sys.executable, "-c", script)).out == "True True\n"


def test_what_it_writes_is_as_private_as_asked() -> None:
    assert run((*SHELL, "umask"), umask=commands.PRIVATE).out.strip() == "0077"
    mine = os.umask(0o027)
    try:
        assert run((*SHELL, "umask")).out.strip() == "0027"
    finally:
        os.umask(mine)


def test_output_that_is_no_text_is_no_fault() -> None:
    assert run((*SHELL, r"printf 'a\377b'")).out == "a\N{REPLACEMENT CHARACTER}b"


@pytest.mark.parametrize("holds", [True, False])
def test_only_a_part_of_the_commit_holds_its_lock(
    monkeypatch: pytest.MonkeyPatch, *, holds: bool
) -> None:
    reading, writing = os.pipe()
    monkeypatch.setattr(commands, "HELD", [writing])
    done = run((sys.executable, "-c", f"import os; os.write({writing}, b'here')"), holds=holds)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        assert (done.status == 0, pipe.read()) == (holds, "here" if holds else "")
