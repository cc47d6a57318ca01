"""Load OpenConfig data into the public models' bindings, and print what differs afterwards.

It runs in a Python that has ocbindings, pyangbind's classes of openconfig/public (0.1.0 was used).
The classes refuse unknown nodes and values. They print identities of the module itself without its
name, and references to numbers as text, so both are compared without.
"""

import importlib
import json
import sys
from collections.abc import Iterator
from typing import Any

Path = tuple[str, ...]


def told(value: Any) -> Any:
    """Return a leaf as both sides print it."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    module, _, name = text.partition(":")
    return name if module.startswith(("openconfig-", "iana-")) and name else text


def shape(tree: Any) -> Any:
    """Return a tree with told leafs; the order of entries has no meaning."""
    if isinstance(tree, dict):
        return {key: shape(value) for key, value in tree.items()}
    if isinstance(tree, list):
        return sorted(map(shape, tree), key=lambda each: json.dumps(each, sort_keys=True))
    return told(tree)


def differences(ours: Any, theirs: Any, path: Path = ()) -> Iterator[str]:
    """Yield each place where two trees differ."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in sorted({*ours, *theirs}):
            yield from differences(ours.get(key), theirs.get(key), (*path, key))
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for one, other in zip(ours, theirs, strict=True):
            yield from differences(one, other, path)
    elif ours != theirs:
        yield f"{'/'.join(path)}: {ours!r}, but bound {theirs!r}"


def bound(name: str, tree: Any) -> Any:
    """Return the data of one model after the bindings have read it."""
    serialise = importlib.import_module("pyangbind.lib.serialise")
    module, _, top = name.partition(":")
    spelled = top.replace("-", "_")
    model = getattr(importlib.import_module(f"ocbindings.{spelled}"), spelled)()
    serialise.pybindJSONDecoder.load_ietf_json(tree, None, None, obj=model)
    encoder = serialise.pybindIETFJSONEncoder
    text = json.dumps(encoder.generate_element(model, flt=True), cls=encoder)
    return {key.removeprefix(f"{module}:"): each for key, each in json.loads(text).items()}


def main() -> None:
    for name, tree in json.load(sys.stdin).items():
        try:
            found = list(differences(shape(tree), shape(bound(name, tree))))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            found = [f"{type(error).__name__}: {error}"]
        for each in found:
            print(f"{name}: {each}")  # noqa: T201 - the test reads it


if __name__ == "__main__":
    main()
