"""The program for the switch stands alone, is old enough for it, and NAPALM finds its driver."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import napalm
import pytest

from fabricgen.nos.linux.driver import onswitch, sending
from fabricgen.nos.linux.driver.driver import LinuxDriver

if TYPE_CHECKING:
    from fabricgen.nos.driver import Transport

FOLDER = Path(onswitch.__file__).parent
PACKAGE = onswitch.__name__


def _imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module == PACKAGE:
            found |= {f"{PACKAGE}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(str(node.module))
    return found


def test_every_file_is_sent() -> None:
    there = {path.stem for path in FOLDER.glob("*.py")} - {"__init__"}
    assert there == set(sending.MODULES)


@pytest.mark.parametrize("name", sending.MODULES)
def test_a_file_needs_the_standard_library_and_those_before_it(name: str) -> None:
    before = sending.MODULES[: sending.MODULES.index(name)]
    for needed in _imports(FOLDER / f"{name}.py"):
        own = needed.removeprefix(f"{PACKAGE}.")
        assert own in before if own != needed else needed.split(".")[0] in sys.stdlib_module_names


@pytest.mark.parametrize("name", sending.MODULES)
def test_a_file_is_python_3_9(name: str) -> None:
    ast.parse((FOLDER / f"{name}.py").read_text(), feature_version=(3, 9))


def test_the_program_answers_without_anything_of_ours() -> None:
    text = sending.program({"do": "facts"})
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-"], input=text, capture_output=True, text=True, check=True
    )
    assert set(json.loads(done.stdout)["ok"]) >= {"hostname", "serial_number", "uptime"}
    assert done.stderr == ""


def test_napalm_finds_the_driver() -> None:
    assert napalm.get_network_driver("fabricgen_linux") is LinuxDriver


def test_the_options_of_others_stay_as_they_are() -> None:
    options = {"port": 2222, "key_file": "k", "unknown": 1}
    driver: Transport = LinuxDriver("host", "user", "", 60, options)
    driver.close()
    assert options == {"port": 2222, "key_file": "k", "unknown": 1}
