"""A request in; the text out that makes a switch's python3 fulfil it, whatever it holds.

Everything goes in by standard input: arguments of a command are seen by everybody on the switch.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

_PACKAGE = "fabricgen.nos.sonic.driver.switch"
_MODULES = ("ground", "commit", "main")

# A module that is in sys.modules is imported from there: the switch has no package of ours.
_START = """\
import sys, types
for name, text in {sources!r}:
    module = sys.modules[name] = types.ModuleType(name)
    exec(compile(text, name, "exec"), module.__dict__)
"""


@cache
def _program() -> str:
    folder = files(_PACKAGE)
    sources = [
        (f"{_PACKAGE}.{name}", folder.joinpath(f"{name}.py").read_text("utf-8"))
        for name in _MODULES
    ]
    return _START.format(sources=sources)


def request(asked: Mapping[str, Any]) -> str:
    """Return the input of `python3 -` for a request."""
    return f"{_program()}module.main({json.dumps(asked)!r})\n"
