"""The command line as a whole: exit codes, help, which module has a verb, what a failure prints."""

import gc
import runpy
import sys
import tomllib
from collections.abc import Callable

import click
import pytest
from tests.cli.calling import ROOT, call

from fabricgen import __version__
from fabricgen.cli.lab import command as lab
from fabricgen.cli.main import VERBS, main, run
from fabricgen.cli.plain import colored
from fabricgen.core.diagnostics import Diagnostic, Failure


def raising(error: BaseException | int) -> Callable[..., int]:
    def act(**_: object) -> int:
        if isinstance(error, int):
            return error
        raise error

    return act


@pytest.mark.parametrize(
    ("error", "code", "printed"),
    [
        (2, 2, ""),
        (click.UsageError("wrong use"), 64, "wrong use"),
        (click.ClickException("no such thing"), 1, "Error: no such thing\n"),
        (click.Abort(), 130, "interrupted\n"),
        (KeyboardInterrupt(), 130, "interrupted\n"),
        (Failure(Diagnostic("FG101", "a sentence", hint="a way out")), 1, "FG101 a sentence\n"),
    ],
)
def test_each_end_has_its_exit_code(
    error: BaseException | int, code: int, printed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(main, "main", raising(error))
    ran = call("check")
    assert ran.code == code
    assert printed in ran.err
    assert ran.out == ""


def test_what_is_no_result_is_0(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(main, "main", lambda **_: None)
    assert run([]) == 0


def test_a_fault_of_ours_is_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(main, "main", raising(ZeroDivisionError("of ours")))
    with pytest.raises(ZeroDivisionError):
        run([])


def test_a_pipe_that_closes_is_no_error(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(main, "main", raising(BrokenPipeError()))
    monkeypatch.setattr(sys, "stdout", sys.__stdout__)
    duplicated: list[int] = []
    monkeypatch.setattr("os.dup2", lambda _, to: duplicated.append(to))
    assert run([]) == 0
    assert duplicated == [1]
    assert capfd.readouterr().err == ""


def test_the_arguments_are_those_given(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, object]] = []
    monkeypatch.setattr(main, "main", lambda **words: asked.append(words))
    run(["check", "x"])
    assert asked == [{"args": ["check", "x"], "prog_name": "fabricgen", "standalone_mode": False}]


def test_the_collector_of_garbage_runs_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)  # as Python starts
    monkeypatch.setattr(main, "main", lambda **_: None)
    run([])
    assert gc.get_threshold() == (500_000, 50, 100)
    gc.set_threshold(*before)


def test_the_version_is_printed() -> None:
    assert call("--version").out == f"fabricgen, version {__version__}\n"


@pytest.mark.parametrize("word", ["-h", "--help"])
def test_help_lists_the_verbs_in_their_order(word: str) -> None:
    ran = call(word)
    assert ran.code == 0
    first = [line.split()[0] for line in ran.out.splitlines() if line.startswith("  ")]
    names = [verb.name for verb in VERBS]
    assert [name for name in first if name in names] == names
    assert "\nVerbs:\n" in ran.out
    for verb in VERBS:
        assert f"  {verb.name} " in ran.out
        assert verb.line.split()[0] in ran.out


@pytest.mark.parametrize("group", [main, lab], ids=["fabricgen", "lab"])
def test_each_verb_is_found_in_its_module(group: click.Group) -> None:
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        assert found is not None
        assert found.name == name
        assert found.callback is not None
    assert group.get_command(context, "nonsense") is None


@pytest.mark.parametrize(
    ("words", "hint"),
    [(("rendr",), "no verb 'rendr'; did you mean 'render'?"), (("lab", "restor"), "'restore'")],
)
def test_a_misspelled_verb_is_wrong_use_with_the_nearest(words: tuple[str, ...], hint: str) -> None:
    ran = call(*words)
    assert ran.code == 64
    assert hint in ran.err


@pytest.mark.parametrize("words", [(), ("lab",)])
def test_no_verb_at_all_shows_help(words: tuple[str, ...]) -> None:
    ran = call(*words)
    assert "Verbs:" in ran.out + ran.err
    assert "no verb" not in ran.err


@pytest.mark.parametrize(
    ("environment", "terminal", "color"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
        ({"TERM": "dumb"}, True, False),
        ({"TERM": "dumb", "FORCE_COLOR": "1"}, True, False),
        ({"TERM": "xterm"}, True, True),
    ],
)
def test_color_is_for_a_terminal_that_wants_it(
    environment: dict[str, str], *, terminal: bool, color: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    class Stream:
        def isatty(self) -> bool:
            return terminal

    assert colored(Stream()) is color
    assert colored(object()) is ("FORCE_COLOR" in environment and color)


def test_the_version_is_that_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == __version__


def test_the_package_runs_as_the_command_does(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for words, code in ((["--version"], 0), (["no-such-verb"], 64)):
        monkeypatch.setattr(sys, "argv", ["fabricgen", *words])
        with pytest.raises(SystemExit) as ended:
            runpy.run_module("fabricgen", run_name="__main__")
        assert ended.value.code == code
    assert capsys.readouterr().out == call("--version").out
