"""Whatever comes from outside is printed as what it says: no control of a terminal, no command."""

from pathlib import Path

import pytest
from rich.table import Table
from tests.cli.calling import call

from fabricgen.cli.plain import console, lines, say
from fabricgen.core.plain_text import clean

EVIL = "a\x1b]0;owned\x07\x9b2Jb\u202ec\ud800\r\x08"
SHOWN = "a\\u001b]0;owned\\u0007\\u009b2Jb\\u202ec\\ud800\\u000d\\u0008"


def test_a_line_stays_one_line() -> None:
    assert clean(f"{EVIL}\nnext\tend") == f"{SHOWN}\\u000anext\\u0009end"


def test_lines_stay_lines() -> None:
    assert lines(f"{EVIL}\nnext\tend") == f"{SHOWN}\nnext\tend"


@pytest.mark.parametrize("err", [False, True])
def test_what_is_said_is_clean(capsys: pytest.CaptureFixture[str], err: bool) -> None:  # noqa: FBT001 - a parameter of pytest
    say(EVIL, err=err)
    assert capsys.readouterr()[err] == f"{SHOWN}\n"


def test_what_is_colored_is_left_alone(capsys: pytest.CaptureFixture[str]) -> None:
    say("\x1b[31mred\x1b[0m", finished=True)
    assert capsys.readouterr().out == "\x1b[31mred\x1b[0m\n"


def test_tables_and_lines_of_a_console_are_clean(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    table = Table("name", box=None)
    table.add_row(EVIL)
    out = console()
    out.print(table)
    out.print(EVIL, markup=False)
    printed = capsys.readouterr().out
    assert printed.count("\\u001b]0;owned") == 2
    assert not {"\x07", "\x9b", "\u202e", "\x08"} & set(printed)


def test_a_console_keeps_its_own_colors(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    console().print("[red]red[/]")
    assert "\x1b[31mred\x1b[0m" in capsys.readouterr().out


COMMANDS = "::error::x\n  ::add-mask::a\n see ##[stop-commands]x\n a ::/0 stays"


def test_no_line_is_a_command_of_a_runner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    starts = [line.lstrip()[:2] for line in lines(COMMANDS).splitlines()]
    assert starts == [":\u200b", ":\u200b", "se", "a "]
    assert "##[" not in lines(COMMANDS)
    monkeypatch.delenv("GITHUB_ACTIONS")
    assert lines(COMMANDS) == COMMANDS


def test_commands_of_our_own_reach_the_runner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    said = call("check", str(tmp_path / "nowhere"), "--format", "github")
    assert said.out.startswith("::error title=FG001::")


def test_a_usage_error_is_clean(tmp_path: Path) -> None:
    said = call("check", str(tmp_path), "--format", EVIL)
    assert said.code == 64
    assert not {"\x1b", "\x07", "\x9b"} & set(said.err)
