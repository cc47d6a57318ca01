"""From the sources and templates of the house: that every piece still fits on a screen.

Run as a script it prints the sizes instead: `python tests/architecture/test_size_budgets.py`.
"""

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SRC = ROOT / "src" / "fabricgen"
TESTS = ROOT / "tests"
TEMPLATES = ROOT / "templates"

FILE_LINES, FILE_LINES_P90 = 500, 300
FUNCTION_LINES, FUNCTION_LINES_P90 = 50, 25
TEMPLATE_LINES, TEMPLATE_CONTROL = 120, 0.30
SHORT_TEMPLATE = 14
"""A shorter template is weighed as one of so many: two loops over a line each are no logic."""
FORBIDDEN_NAMES = {"utils", "helpers", "common", "base"}


@dataclass(frozen=True, slots=True, order=True)
class Size:
    lines: int
    where: str

    def __str__(self) -> str:
        return f"{self.lines:4} lines  {self.where}"


def python_files(tree: Path) -> list[Path]:
    return sorted(tree.rglob("*.py"))


@cache
def syntax_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def line_count(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def place(path: Path, line: int | None = None) -> str:
    name = str(path.relative_to(ROOT))
    return name if line is None else f"{name}:{line}"


def file_sizes(tree: Path) -> list[Size]:
    return [Size(line_count(path), place(path)) for path in python_files(tree)]


def function_sizes(tree: Path) -> list[Size]:
    return [size for path in python_files(tree) for size in functions_in(path)]


def functions_in(path: Path) -> Iterator[Size]:
    for node in ast.walk(syntax_of(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            yield Size(lines, f"{place(path, node.lineno)} {node.name}")


def percentile(sizes: Sequence[Size], percent: int) -> int:
    """Return the size that `percent` of all sizes do not exceed (nearest rank)."""
    ordered = sorted(size.lines for size in sizes)
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)] if ordered else 0


def summary(sizes: Sequence[Size]) -> str:
    middle, tail, top = (percentile(sizes, percent) for percent in (50, 90, 100))
    return f"{len(sizes)} measured, median {middle}, p90 {tail}, longest {top}"


def listed(offenders: Sequence[object]) -> str:
    return "\n" + "\n".join(str(offender) for offender in offenders)


def too_long(sizes: Sequence[Size], limit: int) -> list[Size]:
    return sorted((size for size in sizes if size.lines > limit), reverse=True)


def control_share(path: Path) -> float:
    """Weigh a template. Comments are nothing; a loop, choice or part is counted where it opens."""
    text = re.sub(r"{#.*?#}\n?", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    lines = text.splitlines()
    control = sum(bool(re.search(r"{%-? (?!end|else\b)", line)) for line in lines)
    return control / max(SHORT_TEMPLATE, len(lines))


def templates() -> list[Path]:
    return sorted(TEMPLATES.rglob("*.j2"))


def test_there_is_something_to_measure() -> None:
    assert python_files(SRC)
    assert templates()


@pytest.mark.parametrize("tree", [SRC, TESTS], ids=["src", "tests"])
def test_no_file_is_too_long(tree: Path) -> None:
    offenders = too_long(file_sizes(tree), FILE_LINES)
    assert not offenders, listed(offenders)


@pytest.mark.parametrize("tree", [SRC, TESTS], ids=["src", "tests"])
def test_no_function_is_too_long(tree: Path) -> None:
    offenders = too_long(function_sizes(tree), FUNCTION_LINES)
    assert not offenders, listed(offenders)


def test_long_files_stay_rare() -> None:
    sizes = file_sizes(SRC)
    assert percentile(sizes, 90) <= FILE_LINES_P90, summary(sizes)


def test_long_functions_stay_rare() -> None:
    sizes = function_sizes(SRC)
    assert percentile(sizes, 90) <= FUNCTION_LINES_P90, summary(sizes)


def test_every_module_opens_with_a_sentence() -> None:
    offenders = [
        place(path) for path in python_files(SRC) if not ast.get_docstring(syntax_of(path))
    ]
    assert not offenders, listed(offenders)


def test_no_module_is_named_for_nothing() -> None:
    paths = [path.relative_to(ROOT) for tree in (SRC, TESTS) for path in python_files(tree)]
    offenders = [path for path in paths if FORBIDDEN_NAMES & set(path.with_suffix("").parts)]
    assert not offenders, listed(offenders)


def test_only_the_command_line_prints() -> None:
    offenders = [
        place(path, node.lineno)
        for path in python_files(SRC)
        if SRC / "cli" not in path.parents
        for node in ast.walk(syntax_of(path))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "print"
    ]
    assert not offenders, listed(offenders)


def test_the_command_line_prints_in_one_place() -> None:
    """Nothing reaches a terminal that `cli/plain.py` did not clean."""
    printers = re.compile(r"click\.(?:echo|secho)\(|\bConsole\(|sys\.std(?:out|err)\.write")
    offenders = [
        path.name
        for path in python_files(SRC / "cli")
        if path.name != "plain.py" and printers.search(path.read_text())
    ]
    assert not offenders, listed(offenders)


def test_no_template_is_too_long() -> None:
    sizes = [Size(line_count(path), place(path)) for path in templates()]
    offenders = too_long(sizes, TEMPLATE_LINES)
    assert not offenders, listed(offenders)


def test_templates_show_shape_rather_than_logic() -> None:
    """Hold every section to its share of control lines; an index is nothing but includes."""
    shares = {path: control_share(path) for path in templates() if path.name != "index.j2"}
    offenders = [
        f"{share:4.0%} control lines  {place(path)}"
        for path, share in shares.items()
        if share > TEMPLATE_CONTROL
    ]
    assert not offenders, listed(offenders)


def report() -> Iterator[str]:
    for tree in (SRC, TESTS):
        yield f"{place(tree)} files:     {summary(file_sizes(tree))}"
        yield f"{place(tree)} functions: {summary(function_sizes(tree))}"
    sizes = [Size(line_count(path), place(path)) for path in templates()]
    yield f"templates: {summary(sizes)}"


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in report())


POSITIONAL = {"Rule", "Diagnostic", "File", "Verb"}
"""A row of a table of risks or verbs is written as a row; of others what they are stands first."""


def records(path: Path) -> Iterator[tuple[ast.ClassDef, bool]]:
    """Yield each record of four fields or more, and whether it takes keywords only."""
    for node in ast.walk(syntax_of(path)):
        if not isinstance(node, ast.ClassDef):
            continue
        fields = sum(
            isinstance(item, ast.AnnAssign)
            and "ClassVar" not in ast.unparse(item.annotation)
            and "init=False" not in ast.unparse(item)
            for item in node.body
        )
        for mark in map(ast.unparse, node.decorator_list):
            if mark.startswith(("dataclass", "record")) and fields > 3:
                yield node, "kw_only=True" in mark


@pytest.mark.parametrize("path", python_files(SRC), ids=lambda path: path.stem)
def test_a_record_of_four_fields_takes_keywords(path: Path) -> None:
    onswitch = "onswitch" in path.parts  # Python 3.9 has no kw_only
    assert [n.name for n, kw in records(path) if not (kw or onswitch or n.name in POSITIONAL)] == []
