"""The agent for a switch stands alone, is old enough for it, and NAPALM finds the drivers."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import napalm
import pytest

from fabricgen.core import tree
from fabricgen.nos.linux.driver.driver import LinuxDriver
from fabricgen.nos.shared import onswitch
from fabricgen.nos.shared.agent_script import MODULES, TREE, Agent
from fabricgen.nos.sonic.driver.driver import SonicDriver

if TYPE_CHECKING:
    from types import ModuleType

    from fabricgen.nos.driver import Transport

AGENTS = {"linux": LinuxDriver.AGENT, "sonic": SonicDriver.AGENT}


def modules(agent: Agent) -> list[str]:
    """Return what is sent, in order."""
    packages = ((tree, TREE), (onswitch, MODULES), (agent.package, agent.modules))
    return [f"{package.__name__}.{name}" for package, names in packages for name in names]


def folder(package: ModuleType) -> Path:
    return Path(str(package.__file__)).parent


def source(module: str) -> str:
    return Path(str(import_module(module).__file__)).read_text()


def imported(module: str, packages: set[str]) -> set[str]:
    """Return the modules that one imports; of our packages, the modules in them."""
    names = set()
    for node in ast.walk(ast.parse(source(module))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module in packages:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(str(node.module))
    return names


SENT = [(name, module) for name, agent in AGENTS.items() for module in modules(agent)]


@pytest.mark.parametrize("name", AGENTS)
def test_every_file_is_sent(name: str) -> None:
    agent = AGENTS[name]
    for package, names in ((onswitch, MODULES), (agent.package, agent.modules)):
        assert {path.stem for path in folder(package).glob("*.py")} - {"__init__"} == set(names)


@pytest.mark.parametrize(("name", "module"), SENT)
def test_a_file_needs_the_standard_library_and_those_before_it(name: str, module: str) -> None:
    agent = AGENTS[name]
    before = modules(agent)[: modules(agent).index(module)]
    for needed in imported(module, {tree.__name__, onswitch.__name__, agent.package.__name__}):
        assert needed in before or needed.split(".")[0] in sys.stdlib_module_names


@pytest.mark.parametrize("module", sorted({module for _, module in SENT}))
def test_a_file_is_python_3_9(module: str) -> None:
    ast.parse(source(module), feature_version=(3, 9))


@pytest.mark.parametrize("name", AGENTS)
def test_the_agent_answers_without_anything_of_ours(name: str) -> None:
    text = AGENTS[name].program({"do": "claim", "plan": "../x", "who": "me"})
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-"], input=text, capture_output=True, text=True, check=True
    )
    refused = {"refused": "'../x' is no plan name", "kind": "candidate"}
    assert (json.loads(done.stdout), done.stderr) == (refused, "")


@pytest.mark.parametrize(("name", "driver"), [("linux", LinuxDriver), ("sonic", SonicDriver)])
def test_napalm_finds_the_driver(name: str, driver: type) -> None:
    assert napalm.get_network_driver(f"fabricgen_{name}") is driver


def test_the_options_of_others_stay_as_they_are() -> None:
    options = {"port": 2222, "key_file": "k", "unknown": 1}
    driver: Transport = LinuxDriver("host", "user", "", 60, options)
    driver.close()
    assert options == {"port": 2222, "key_file": "k", "unknown": 1}
