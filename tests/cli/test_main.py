"""`python -m fabricgen` is the command, and both say the version of the package."""

from __future__ import annotations

import runpy
import sys
import tomllib

import pytest
from tests.cli.calling import ROOT

from fabricgen import __version__


def test_the_package_has_the_version_that_it_is_built_with() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert __version__ == project["version"]


def test_the_module_is_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["fabricgen", "--version"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("fabricgen", run_name="__main__")
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"fabricgen, version {__version__}\n"


def test_the_module_ends_with_the_code_of_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["fabricgen", "no-such-verb"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("fabricgen", run_name="__main__")
    assert ended.value.code not in (0, None)
