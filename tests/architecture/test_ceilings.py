"""The sources only shrink: each size is below its ceiling, and the ceiling follows it down."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.architecture.import_graph import Import, all_imports
from tests.architecture.test_size_budgets import SRC, line_count, python_files

CEILINGS = Path(__file__).with_name("ceilings.txt")
SLACK = 0.02
"""Share of a ceiling by which a size may be below it."""
_COMPILER = ("core", "model", "intent", "compile", "nos")
_PACKAGES = [path for path in SRC.parent.iterdir() if path.name.startswith("napalm_")]


def _lines(*folders: Path) -> int:
    return sum(line_count(path) for folder in folders for path in python_files(folder))


def _behind_the_library() -> list[Import]:
    """Return run-time imports of `cli` from packages that the library should offer instead."""
    return [
        each
        for each in all_imports()
        if each.importer.startswith("fabricgen.cli.")
        and not each.typing
        and f"{each.imported}..".split(".")[1] not in ("", "cli", "api", "core")
    ]


MEASURED: dict[str, Callable[[], int]] = {
    "lines of src": lambda: _lines(SRC, *_PACKAGES),
    "files of src": lambda: sum(len(python_files(each)) for each in (SRC, *_PACKAGES)),
    "lines of core, model, intent, compile and nos": lambda: _lines(*(SRC / n for n in _COMPILER)),
    "imports of verbs from packages behind the library": lambda: len(_behind_the_library()),
    "folders of src/fabricgen": lambda: len({path.parent for path in SRC.glob("*/__init__.py")}),
}


def _ceilings() -> dict[str, int]:
    rows = (line.split(maxsplit=1) for line in CEILINGS.read_text().splitlines())
    return {name: int(number) for number, name in rows if number != "#"}


def test_every_size_has_a_ceiling() -> None:
    assert _ceilings().keys() == MEASURED.keys()


@pytest.mark.parametrize("name", MEASURED)
def test_a_size_is_below_its_ceiling(name: str) -> None:
    assert MEASURED[name]() <= _ceilings()[name], "make the code smaller, or write a decision"


@pytest.mark.parametrize("name", MEASURED)
def test_a_ceiling_follows_the_size(name: str) -> None:
    size, ceiling = MEASURED[name](), _ceilings()[name]
    assert size >= ceiling * (1 - SLACK), f"{name}: {size} now; lower the ceiling {ceiling}"
