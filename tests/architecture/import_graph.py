"""The imports of `src/fabricgen`, with those inside functions and those for types."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SRC = ROOT / "src"


@dataclass(frozen=True, slots=True, kw_only=True)
class Import:
    """One module that another imports.

    Attributes:
        typing: It is imported under `TYPE_CHECKING`.
        guards: Wings that the function around it asks for with `is_installed` or `require`.
    """

    importer: str
    imported: str
    line: int
    typing: bool
    guards: frozenset[str]

    def __str__(self) -> str:
        return f"{self.importer}:{self.line} imports {self.imported}"


@cache
def module_files() -> dict[str, Path]:
    """Return the file of each module by its dotted name."""
    found = {}
    for path in sorted((SRC / "fabricgen").rglob("*.py")):
        parts = path.relative_to(SRC).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def all_imports() -> tuple[Import, ...]:
    """Return every import of a module of fabricgen by another."""
    files = module_files()
    return tuple(
        found
        for name, path in files.items()
        for found in _imports_in(ast.parse(path.read_text()), name, files)
        if found.imported != name
    )


def _imports_in(
    node: ast.AST,
    name: str,
    files: Mapping[str, Path],
    guards: frozenset[str] = frozenset(),
    *,
    typing: bool = False,
) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            for imported in _named_modules(child, files):
                yield Import(
                    importer=name,
                    imported=imported,
                    line=child.lineno,
                    typing=typing,
                    guards=guards,
                )
        inside = isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)
        asked = _asked_wings(child) if isinstance(child, ast.FunctionDef) else frozenset()
        yield from _imports_in(child, name, files, guards | asked, typing=typing or inside)


def _named_modules(node: ast.Import | ast.ImportFrom, files: Mapping[str, Path]) -> Iterator[str]:
    if isinstance(node, ast.ImportFrom):
        assert not node.level, "fabricgen has no relative imports"
        names = (f"{node.module}.{each.name}" for each in node.names)
        found = dict.fromkeys(name if name in files else str(node.module) for name in names)
        yield from (name for name in found if name in files)
    else:
        yield from (each.name for each in node.names if each.name in files)


def _asked_wings(function: ast.FunctionDef) -> frozenset[str]:
    calls = (node for node in ast.walk(function) if isinstance(node, ast.Call))
    return frozenset(
        str(call.args[0].value)
        for call in calls
        if ast.unparse(call.func) in ("is_installed", "require")
        and isinstance(call.args[0], ast.Constant)
    )


def reachable_modules(starts: Iterable[str], imports: Iterable[Import]) -> set[str]:
    """Return modules that are imported, at once or later, where the first ones are used."""
    imported = defaultdict(set)
    for each in imports:
        imported[each.importer].add(each.imported)
    found: set[str] = set()
    open_ = list(starts)
    while open_:
        name = open_.pop()
        if name not in found:
            found.add(name)
            open_ += [*imported[name], *([name.rpartition(".")[0]] if "." in name else ())]
    return found


def find_circles(imports: Iterable[Import]) -> list[tuple[str, ...]]:
    """Return sets of modules that reach one another: strongly connected components."""
    onward: dict[str, set[str]] = defaultdict(set)
    back: dict[str, set[str]] = defaultdict(set)
    for each in imports:
        onward[each.importer].add(each.imported)
        back[each.imported].add(each.importer)
    circles, placed = [], set[str]()
    for name in reversed(_in_order_of_completion(onward)):
        if name in placed:
            continue
        circle, open_ = {name}, [name]
        while open_:
            more = back[open_.pop()] - placed - circle
            circle |= more
            open_ += more
        placed |= circle
        if len(circle) > 1:
            circles.append(tuple(sorted(circle)))
    return sorted(circles)


def _in_order_of_completion(onward: Mapping[str, set[str]]) -> list[str]:
    """Return modules so that a module follows the ones that it imports, circles aside."""
    seen: set[str] = set()
    order: list[str] = []
    for start in list(onward):
        stack = [(start, iter(sorted(onward[start])))] if start not in seen else []
        seen.add(start)
        while stack:
            name, rest = stack[-1]
            step = next((each for each in rest if each not in seen), None)
            if step is None:
                order.append(name)
                stack.pop()
            else:
                seen.add(step)
                stack.append((step, iter(sorted(onward.get(step, ())))))
    return order
