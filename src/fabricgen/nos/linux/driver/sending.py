"""A question to a switch in; the text of a program that answers it out, for `python3 -` there."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fabricgen.nos.linux.driver import onswitch

if TYPE_CHECKING:
    from collections.abc import Mapping

MODULES = (
    "refusal",
    "commands",
    "disk",
    "hidden",
    "frr",
    "interfaces",
    "kernel",
    "services",
    "tree",
    "state",
    "checkpoints",
    "apply",
    "commit",
    "program",
)
"""Each imports only those before it, and the standard library."""

COMMAND = "python3 -I -"
_BOOT = """\
import json, sys, types
def boot(sent):
    sent = json.loads(sent)
    package = sent["package"]
    words = package.split(".")
    for end in range(1, len(words) + 1):
        name = ".".join(words[:end])
        sys.modules[name] = types.ModuleType(name)
        sys.modules[name].__path__ = []
    for name, text in sent["modules"]:
        module = types.ModuleType(package + "." + name)
        sys.modules[module.__name__] = module
        setattr(sys.modules[package], name, module)
        exec(compile(text, name + ".py", "exec"), module.__dict__)
    sys.modules[package].program.main(sent["ask"])
"""


def program(ask: Mapping[str, Any]) -> str:
    """Return the program. Everything is in its text: an argument could be read by any process."""
    sent = {"package": onswitch.__name__, "modules": _modules(), "ask": ask}
    return f"{_BOOT}boot({json.dumps(sent)!r})\n"


@cache
def _modules() -> tuple[tuple[str, str], ...]:
    folder = Path(onswitch.__file__).parent
    return tuple((name, (folder / f"{name}.py").read_text(encoding="utf-8")) for name in MODULES)
