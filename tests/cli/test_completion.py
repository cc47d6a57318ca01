"""Completion in the shells: real bash, zsh and fish where they are installed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.calling import ROOT, call
from tests.cli.completing import SHELLS, complete

from fabricgen.cli.main import VERBS
from fabricgen.cli.plain import is_inert
from fabricgen.nos.sonic.images import IMAGES

NAMES = [verb.name for verb in VERBS]
DRIVERS = {
    "bash": """
        compopt() { printf 'compopt %s\\n' "$*"; }
        eval "$(fabricgen completion bash)"
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _fabricgen_completion "$1"
        [ ${#COMPREPLY[@]} = 0 ] || printf '%s\\n' "${COMPREPLY[@]}"
    """,
    "zsh": """
        compdef() { : }
        compadd() { [ $#completions = 0 ] || printf '%s\\n' $completions }
        _describe() { printf '%s\\n' ${completions_with_descriptions%%:*} }
        _path_files() { printf '_path_files %s\\n' $1 }
        eval "$(fabricgen completion zsh)"
        words=("$@") CURRENT=$#
        _fabricgen_completion
    """,
    "fish": """
        fabricgen completion fish | source
        complete -C (string join ' ' $argv) | string replace -r '\\t.*' ''
    """,
}
"""How a shell calls its script. bash and zsh get stubs for commands that need a line editor."""
START = {"bash": ["--norc", "-c"], "zsh": ["-f", "-c"], "fish": ["--no-config", "-c"]}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the program `fabricgen` of these sources."""
    folder = tmp_path_factory.mktemp("bin")
    program = folder / "fabricgen"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m fabricgen "$@"\n')
    program.chmod(0o755)
    return folder


def environment(programs: Path, home: Path) -> dict[str, str]:
    path = filter(None, (str(ROOT / "src"), os.environ.get("PYTHONPATH")))
    places = {"PATH": f"{programs}:{os.environ['PATH']}", "PYTHONPATH": os.pathsep.join(path)}
    return {**os.environ, **places, "HOME": str(home)}


def ask_shell(shell: str, programs: Path, *words: str, cwd: Path = ROOT) -> list[str]:
    """Complete the last word in a real shell; return its candidates."""
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    argv = [shell, *START[shell], DRIVERS[shell], *([] if shell == "fish" else ["-"]), *words]
    ran = subprocess.run(
        argv, cwd=cwd, env=environment(programs, cwd), capture_output=True, text=True, check=False
    )
    assert ran.stderr == ""
    return ran.stdout.splitlines()


@pytest.mark.parametrize("shell", DRIVERS)
def test_a_shell_completes_verbs(shell: str, programs: Path) -> None:
    assert sorted(ask_shell(shell, programs, "fabricgen", "")) == sorted(NAMES)


@pytest.mark.parametrize("shell", DRIVERS)
def test_a_shell_prints_nothing_after_an_unknown_verb(shell: str, programs: Path) -> None:
    assert ask_shell(shell, programs, "fabricgen", "no-such-verb", "x") == []


@pytest.mark.parametrize("shell", DRIVERS)
def test_nothing_that_is_typed_is_executed(shell: str, programs: Path, tmp_path: Path) -> None:
    for word in ("$(touch hit)", "`touch hit`", "'$(touch hit)", "x;touch hit"):
        typed = f"'{word}" if shell == "fish" else word
        assert "hit" not in "".join(ask_shell(shell, programs, "fabricgen", typed, cwd=tmp_path))
    assert not (tmp_path / "hit").exists()


@pytest.mark.parametrize(
    ("words", "candidates"),
    [
        (("--as", "=", "so"), ["sonic"]),
        (("--as", "sonic", ":", "20241"), ["202411", *(f"202411+{word}" for word in IMAGES)]),
        (("--as", "linux", ":"), ["debian12", "debian13"]),
        (("--as", "=", "sonic", ":", "m"), ["master", *(f"master+{word}" for word in IMAGES)]),
        (("--format", "j"), ["json", "junit"]),
        (("--rend",), ["--rendered"]),
    ],
)
def test_bash_completes_words_that_it_splits(words: tuple[str, ...], candidates: list[str]) -> None:
    """`:` and `=` are in COMP_WORDBREAKS, and bash keeps what is left of them."""
    assert complete("check", "x", *words) == candidates


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_a_shell_that_replaces_the_word_gets_the_option_again(shell: str) -> None:
    assert complete("check", "x", "--as=so", shell=shell) == ["--as=sonic"]


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_printed(shell: str) -> None:
    said = call("completion", shell)
    assert (said.code, said.err) == (0, "")
    assert f"_FABRICGEN_COMPLETE={shell}_complete" in said.out


def test_an_unknown_shell_is_wrong_usage() -> None:
    assert call("completion", "tcsh").code == 64


@pytest.mark.parametrize("shell", SHELLS)
def test_verbs_have_their_help_line(shell: str) -> None:
    """Only bash shows no help."""
    lines = complete("", shell=shell, whole=True)
    assert any(VERBS[0].line in line for line in lines) == (shell != "bash")


def test_an_environment_without_words_completes_nothing(programs: Path) -> None:
    asked = {**environment(programs, ROOT), "_FABRICGEN_COMPLETE": "bash_complete"}
    ran = subprocess.run(
        [programs / "fabricgen"], env=asked, capture_output=True, text=True, check=True
    )
    assert (ran.stdout, ran.stderr) == ("\n", "")


@pytest.mark.parametrize("word", ["fe-leaf01", "--format", "~/a/b", "./x", "/x", "sonic:202505"])
def test_a_word_is_inert(word: str) -> None:
    assert is_inert(word)


@pytest.mark.parametrize(
    "word", ["", "$(x)", "`x`", "a b", "a\nb", "*", "a;b", "~root", "a~", "{a,b}", "=ls", "x'", "é"]
)
def test_a_word_is_not_inert(word: str) -> None:
    assert not is_inert(word)
