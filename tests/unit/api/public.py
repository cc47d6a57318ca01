"""Lists the public names with their attributes and signatures.

`python -m tests.unit.api.public` writes the list.
"""

import ast
import dataclasses
import inspect
import textwrap
from collections.abc import Iterator
from pathlib import Path

import fabricgen

GOLDEN = Path(__file__).with_name("public_names.txt")


def listing() -> str:
    """Return one line for each public name, and one for each of its attributes."""
    return "\n".join(line for name in fabricgen.__all__ for line in _lines(name)) + "\n"


def _lines(name: str) -> Iterator[str]:
    found = getattr(fabricgen, name)
    if not inspect.isclass(found):
        yield f"{name}: {type(found).__name__}"
        return
    bases = ", ".join(base.__name__ for base in found.__bases__)
    yield f"class {name}({bases})"
    attributes = dict(_attributes(found))
    yield from (f"    {each}{attributes[each]}" for each in sorted(attributes))


def _attributes(found: type) -> Iterator[tuple[str, str]]:
    """Yield the attributes of a class and of its own bases, with their form."""
    if dataclasses.is_dataclass(found):
        yield from ((each.name, ": field") for each in dataclasses.fields(found))
    for part in (each for each in found.__mro__ if each.__module__.startswith("fabricgen.")):
        yield from ((name, ": attribute") for name in _assigned(part))
        for name, value in vars(part).items():
            if not name.startswith("_"):
                yield name, _form(value)


def _form(value: object) -> str:
    if isinstance(value, classmethod):
        return f"{inspect.signature(value.__func__)} (class method)"
    if inspect.isfunction(value):
        return str(inspect.signature(value))
    return ": property" if hasattr(value, "__get__") and not isinstance(value, type) else ": value"


def _assigned(part: type) -> Iterator[str]:
    """Yield the public attributes that `__init__` sets."""
    own = vars(part).get("__init__")
    if own is None or dataclasses.is_dataclass(part):
        return
    for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(own)))):
        if isinstance(node, ast.Attribute) and _is_public(node):
            yield node.attr


def _is_public(node: ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Store) and not node.attr.startswith("_")


if __name__ == "__main__":
    GOLDEN.write_text(listing())
