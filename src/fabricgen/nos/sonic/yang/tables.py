"""Read the CONFIG_DB tables that a folder of YANG modules describes.

`yanglint` prints each module as a tree (RFC 8340) with every `uses` resolved. This module reads the
names, kinds and keys.
"""

import re
import subprocess
from collections.abc import Iterator
from dataclasses import field
from functools import cache
from pathlib import Path

from fabricgen.core.record import record
from fabricgen.nos.models import NotRun

PROGRAM = "yanglint"
_NODE = re.compile(r"(?P<lead>[ |]*)[+xo]--(?:rw |ro )?(?P<what>\S+)(?P<rest>.*)")
_NAMESPACE = re.compile(r'namespace\s+"([^"]+)"')


@record(kw_only=True)
class Node:
    """A container, list, leaf or leaf-list; `keys` of a list, and whether it is a `leaf`."""

    name: str
    many: bool
    leaf: bool
    keys: tuple[str, ...] = ()
    below: list["Node"] = field(default_factory=list)

    def child(self, name: str) -> "Node | None":
        return next((each for each in self.below if each.name == name), None)


@record()
class Table:
    """A table of CONFIG_DB: the module that has it, its XML namespace, and its container."""

    module: str
    namespace: str
    node: Node


@cache
def tables(folder: Path) -> dict[str, Table]:
    """Return the tables that the modules of a folder describe, by name. NotRun without any."""
    files = modules(folder)
    if not files:
        raise NotRun(f"{folder} has no sonic-*.yang")
    printed = lint("-f", "tree", *map(str, files))
    if printed.returncode:
        raise NotRun(f"{PROGRAM} cannot read {folder}: {printed.stderr.strip().splitlines()[-1]}")
    spaces = {path.stem: _namespace(path) for path in files}
    return {
        table.name: Table(module, spaces[module], table)
        for module, text in _by_module(printed.stdout)
        for top in _nodes(text)
        if top.name == module and module in spaces
        for table in top.below
        if not table.leaf and not table.many
    }


def modules(folder: Path) -> list[Path]:
    return sorted(folder.glob("sonic-*.yang"))


def lint(*words: str) -> subprocess.CompletedProcess[str]:
    """Run yanglint without its warnings. NotRun if it is not installed."""
    try:
        return subprocess.run(  # noqa: S603 - a fixed program, and files of ours
            [PROGRAM, "-Q", *words], capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        raise NotRun(f"no {PROGRAM} on this machine (Debian: libyang-tools)") from None


def _namespace(path: Path) -> str:
    match = _NAMESPACE.search(path.read_text(encoding="utf-8"))
    return match[1] if match else ""


def _by_module(text: str) -> Iterator[tuple[str, str]]:
    for part in text.split("module: ")[1:]:
        name, _, tree = part.partition("\n")
        yield name.strip(), tree


def _nodes(tree: str) -> list["Node"]:
    """Return the nodes at the top of a printed tree, each with the nodes below it.

    A choice and its cases are absent in a document: their contents belong above.
    """
    top = Node(name="", many=False, leaf=False)
    above: list[tuple[int, Node]] = [(-1, top)]
    for line in tree.splitlines():
        match = _NODE.match(line)
        if match is None:
            continue
        depth = len(match["lead"])
        while above[-1][0] >= depth:
            above.pop()
        parent = above[-1][1]
        if match["what"].startswith(("(", ":(")):
            above.append((depth, parent))
            continue
        node = _node(match["what"], match["rest"].strip())
        parent.below.append(node)
        above.append((depth, node))
    return top.below


def _node(what: str, rest: str) -> Node:
    many = what.endswith("*")
    keys = tuple(rest[1:-1].split()) if many and rest.startswith("[") else ()
    leaf = bool(rest) and not keys
    return Node(name=what.rstrip("*?!"), many=many, leaf=leaf, keys=keys)
