"""Build the agent program that `python3 -` runs on a switch to answer a question."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from fabricgen.core import tree
from fabricgen.nos.shared import onswitch

TREE = ("outline", "keep")
"""Modules of core.text that are sent with the agent."""
MODULES = (
    "refusal",
    "commands",
    "disk",
    "hidden",
    "frr",
    "bound",
    "state",
    "store",
    "checkpoints",
    "pings",
    "switch",
    "commit",
    "program",
)
"""Modules of the agent. Each imports only earlier modules and the standard library."""

COMMAND = "python3 -I -"
_BOOT = """\
import json, sys, types
def boot(sent):
    sent = json.loads(sent)
    for name, text in sent["modules"]:
        words = name.split(".")
        for end in range(1, len(words)):
            package = ".".join(words[:end])
            if package not in sys.modules:
                sys.modules[package] = types.ModuleType(package)
                sys.modules[package].__path__ = []
        module = sys.modules[name] = types.ModuleType(name)
        setattr(sys.modules[package], words[-1], module)
        exec(compile(text, words[-1] + ".py", "exec"), module.__dict__)
    sys.modules[sent["program"]].main(module.SWITCH, sent["ask"])
"""


class Agent(NamedTuple):
    """Agent parts of a network OS: modules of a package, in order. The last one has SWITCH."""

    package: ModuleType
    modules: tuple[str, ...]

    def program(self, ask: Mapping[str, Any]) -> str:
        """Return the program with all data in its text: other processes can read arguments."""
        ours = _texts(tree, TREE) + _texts(onswitch, MODULES)
        modules = ours + _texts(self.package, self.modules)
        sent = {"program": f"{onswitch.__name__}.program", "modules": modules, "ask": ask}
        return f"{_BOOT}boot({json.dumps(sent)!r})\n"


@cache
def _texts(package: ModuleType, names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    folder = Path(str(package.__file__)).parent
    return tuple(
        (f"{package.__name__}.{name}", (folder / f"{name}.py").read_text(encoding="utf-8"))
        for name in names
    )
