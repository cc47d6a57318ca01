"""From the imports of the house: that they point down only, and that the CLI starts light."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from fabricgen.cli.main import VERBS
from fabricgen.cli.verbs import SHELL_VARIABLE

ROOT = Path(__file__).resolve().parents[2]

# What a verb may need, and `fabricgen --help` may not.
HEAVY = {
    *("pydantic", "jinja2", "yaml", "rich", "napalm", "nornir", "netaddr", "sqlalchemy", "hvac"),
    "opentelemetry",
}


def test_imports_point_down_only() -> None:
    lint = Path(sys.executable).with_name("lint-imports")
    run = subprocess.run(
        [lint, "--no-logo", "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("verb", [each.name for each in VERBS])
def test_the_help_of_a_verb_needs_no_heavy_library(verb: str) -> None:
    assert not HEAVY & loaded(f"from fabricgen.cli.main import main; main(['{verb}', '--help'])")


def test_the_command_line_starts_without_the_heavy_libraries() -> None:
    assert not HEAVY & loaded("import fabricgen.cli.main")


@pytest.mark.parametrize("words", ["", f"{VERBS[0].name}\n--", f"{VERBS[-1].name}\n"])
def test_a_verb_or_option_is_completed_without_a_heavy_library(words: str) -> None:
    line = f"fabricgen\n{words}"
    asked = {SHELL_VARIABLE: "bash_complete", "COMP_WORDS": line, "COMP_CWORD": line.count("\n")}
    environ = {key: str(value) for key, value in asked.items()}
    program = f"import os; os.environ.update({environ}); from fabricgen.cli.main import run; run()"
    assert not HEAVY & loaded(program)


def loaded(program: str) -> set[str]:
    """Return the packages that a program imports."""
    show = "lambda: print(json.dumps([*sys.modules]), file=sys.stderr)"
    program = f"import atexit, json, sys; atexit.register({show}); {program}"
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    packages = {module.partition(".")[0] for module in json.loads(run.stderr)}
    assert "fabricgen" in packages
    return packages
