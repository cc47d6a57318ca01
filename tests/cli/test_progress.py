"""Long work shows a line of progress on a terminal, and nowhere else."""

import io
import os
import pty
import subprocess
import sys
import termios
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.calling import ROOT

from fabricgen.cli import progress
from fabricgen.cli.plain import say
from fabricgen.cli.progress import Bar, shown_progress
from fabricgen.core.progress import Stage, stage, tracked, watched_by
from fabricgen.core.workers import Forked

ERASE = "\r\x1b[2K"
LAB = str(ROOT / "intent" / "lab")
NEVER, AT_ONCE = "float('inf')", "0"


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    def __init__(self, encoding: str = "utf-8") -> None:
        super().__init__()
        self.spelled = encoding

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self.spelled

    def isatty(self) -> bool:
        return True


class Clock:
    """A clock that only a test moves."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def bar_on(terminal: Terminal) -> tuple[Bar, Clock]:
    clock = Clock()
    return Bar(terminal, clock, after=2.0), clock


def screen(written: str) -> str:
    """Return the lines that are left on a screen, where a line may be erased."""
    return "\n".join(line.rpartition(ERASE)[2].rstrip("\r") for line in written.split("\n"))


def test_short_work_shows_nothing() -> None:
    terminal = Terminal()
    bar, clock = bar_on(terminal)
    with watched_by(bar):
        for _ in tracked("checking", range(3)):
            bar.tick()
        clock.now += 1.9
        with stage("rendering", 3):
            bar.tick()
    assert terminal.getvalue() == ""


def test_long_work_shows_its_stage_and_what_is_done() -> None:
    terminal = Terminal()
    bar, clock = bar_on(terminal)
    with watched_by(bar), stage("rendering", 1200) as rendering:
        clock.now += 2
        rendering.advance(400)
        bar.tick()
        assert terminal.getvalue() == f"{ERASE}rendering  {'━' * 10}{'─' * 20}  400 of 1,200  2 s"
    assert screen(terminal.getvalue()) == ""


def test_a_stage_is_shown_at_once_when_the_work_is_long_already() -> None:
    terminal = Terminal()
    bar, clock = bar_on(terminal)
    clock.now += 7
    with watched_by(bar), stage("loading"):
        assert terminal.getvalue() == f"{ERASE}loading  7 s"


def test_a_stage_with_a_total_precedes_those_around_and_inside() -> None:
    terminal = Terminal()
    bar, clock = bar_on(terminal)
    clock.now += 2
    with watched_by(bar), stage("importing"):
        items = tracked("reading", range(4))
        next(items)
        next(items)
        with stage("designing"):
            bar.tick()
            assert "1 of 4" in screen(terminal.getvalue())
        items.close()  # type: ignore[attr-defined]
        bar.tick()
        assert screen(terminal.getvalue()) == "importing  2 s"


def test_a_line_never_wraps_and_shows_no_control_character() -> None:
    terminal = Terminal()
    bar, clock = bar_on(terminal)
    clock.now += 2
    bar.begin(Stage("\x1b]0;x" + "y" * 500))
    shown = terminal.getvalue().removeprefix(ERASE)
    assert len(shown) == 79
    assert shown.startswith("\\u001b]0;xyyy")
    ascii_only = Terminal("ascii")
    bar, clock = bar_on(ascii_only)
    clock.now += 2
    bar.begin(Stage("✓" * 70))
    assert len(ascii_only.getvalue().removeprefix(ERASE)) == 79


def test_a_terminal_without_unicode_has_a_plain_bar() -> None:
    terminal = Terminal("ascii")
    bar, clock = bar_on(terminal)
    clock.now += 2
    bar.begin(Stage("rendering ✓", 2, 1))
    assert terminal.getvalue().startswith(f"{ERASE}rendering \\u2713  {'#' * 15}{'-' * 15}  1 of 2")


def test_other_output_gets_the_whole_line(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    bar, clock = bar_on(terminal)
    clock.now += 2
    with watched_by(bar), stage("rendering"):
        say("a warning", err=True)
        assert screen(terminal.getvalue()) == "a warning\n"
        bar.tick()
        assert screen(terminal.getvalue()) == "a warning\n"  # the next line may follow at once
        clock.now += 1
        bar.tick()
        assert screen(terminal.getvalue()) == "a warning\nrendering  3 s"


def test_a_forked_process_is_silent_and_its_parent_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress, "AFTER", 0)
    for name in ("TERM", "CI"):
        monkeypatch.delenv(name, raising=False)

    def inside() -> list[str]:
        with stage("inside", 3):
            return [terminal.getvalue()]

    with shown_progress():
        with stage("before"):
            (said,) = Forked(inside)
        with stage("after"):
            pass
    assert "before" in said
    assert "inside" not in said
    assert "after" in terminal.getvalue()
    assert screen(terminal.getvalue()) == ""


@pytest.mark.parametrize(("name", "value"), [("CI", "true"), ("TERM", "dumb")])
def test_a_job_has_no_line(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress, "AFTER", 0)
    monkeypatch.setenv(name, value)
    with shown_progress(), stage("rendering"):
        pass
    assert terminal.getvalue() == ""


def test_a_verb_runs_without_stderr(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    with shown_progress(), stage("rendering"):
        pass


def script(after: str, *words: str, before: str = "") -> list[str]:
    """Return a command that runs a verb, and then reports whether rich was imported."""
    program = (
        "import sys\nfrom fabricgen.cli import progress\nfrom fabricgen.cli.main import run\n"
        f"progress.AFTER = {after}\n{before}\ncode = run({list(words)!r})\n"
        "assert 'rich' not in sys.modules\nsys.exit(code)"
    )
    return [sys.executable, "-c", program]


def on_a_terminal(
    command: list[str], out: int, answer: Callable[[bytes, int], None] = lambda *_: None
) -> tuple[int, str]:
    """Run a command whose stderr is a terminal. Return its exit code and what the terminal got."""
    try:
        ours, theirs = pty.openpty()
    except OSError as error:
        pytest.skip(f"no terminal can be made here: {error}")
    termios.tcsetwinsize(theirs, (50, 100))
    environment = {name: value for name, value in os.environ.items() if name != "CI"}
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=out,
        stderr=theirs,
        env=environment | {"TERM": "xterm", "PYTHONUTF8": "1", "NO_COLOR": "1"},
        start_new_session=True,
    )
    os.close(theirs)
    said = b""
    while True:
        try:
            said += os.read(ours, 65536)
        except OSError:  # EIO: the other end is closed
            break
        answer(said, ours)
    os.close(ours)
    return process.wait(), said.decode()


def test_a_verb_shows_its_stages_on_a_terminal_and_leaves_it_clean(tmp_path: Path) -> None:
    with Path(tmp_path, "out").open("wb") as out:
        code, said = on_a_terminal(script(AT_ONCE, "check", LAB, "--rendered"), out.fileno())
    assert code == 0
    for name in ("loading", "designing", "checking switches", "rendering"):
        assert f"{ERASE}{name}  " in said
    assert screen(said) == ""
    assert "\x1b" not in Path(tmp_path, "out").read_text(encoding="utf-8")


def test_a_short_verb_writes_nothing_to_the_terminal() -> None:
    assert on_a_terminal(script(NEVER, "check", LAB), subprocess.DEVNULL) == (0, "")


@pytest.mark.parametrize("words", [("check", LAB), ("failures", LAB)])
def test_a_pipe_gets_no_progress(words: tuple[str, ...]) -> None:
    ran = subprocess.run(script(AT_ONCE, *words), capture_output=True, check=True)
    assert ran.stderr == b""
    assert b"\x1b" not in ran.stdout


HANG = """
import fcntl, termios, threading
fcntl.ioctl(2, termios.TIOCSCTTY, 0)
from fabricgen.api.proof import Bench
proven, seen = Bench.proven, []
def hang(*arguments):
    seen.append(1)
    if len(seen) == 3:
        threading.Event().wait()
    return proven(*arguments)
Bench.proven = hang
"""


def test_an_interrupt_leaves_a_clean_terminal_and_no_file(tmp_path: Path) -> None:
    pressed: list[int] = []

    def press(said: bytes, terminal: int) -> None:
        if b"2 of " in said and not pressed:
            pressed.append(os.write(terminal, b"\x03"))

    target = tmp_path / "out" / "tree"
    target.parent.mkdir()
    command = script(AT_ONCE, "render", LAB, "-o", str(target), before=HANG)
    code, said = on_a_terminal(command, subprocess.DEVNULL, press)
    assert (code, pressed) == (130, [1])
    assert screen(said).strip("\n") == "interrupted"
    assert list(target.parent.iterdir()) == []
