"""Finds the YAML files of hardware facts: the shipped ones, then those of other packages.

A package has the same folders and files as catalog/data. It adds facts and never replaces one.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from fabricgen.core.diagnostics import Failure
from fabricgen.core.extensions import CATALOG, Extension, extensions, spoken
from fabricgen.core.record import record

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@record()
class FactFile:
    """One file of facts. `brought`: the package that has it; None for shipped files."""

    path: Path
    brought: Extension | None

    def read(self) -> dict[str, Any]:
        """Return its content. Raises Failure if a package's file is not a YAML mapping."""
        with self.reading():
            facts = yaml.load(self.path.read_text(), Loader=_LOADER)  # noqa: S506 - SafeLoader
            if not isinstance(facts, dict):
                raise TypeError("a file of hardware facts must be a mapping")
        return facts

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Name the package in errors while its facts are read."""
        try:
            yield
        except Failure:
            raise
        except Exception as error:
            if self.brought is None:
                raise
            raise self.refused(spoken(error)) from error

    def refused(self, why: str) -> Failure:
        """Return the exception for a file that contradicts other files."""
        assert self.brought is not None
        return self.brought.failure(f"{self.path.name}: {why}")


def fact_files(pattern: str) -> list[FactFile]:
    """Return the files of that pattern in every facts folder: shipped ones, then by package."""
    return [
        FactFile(path, brought)
        for folder, brought in _folders()
        for path in sorted(folder.glob(pattern))
    ]


@cache
def _folders() -> tuple[tuple[Path, Extension | None], ...]:
    ours = (Path(__file__).parent / "data", None)
    return (ours, *((_folder(each), each) for each in extensions(CATALOG)))


def _folder(extension: Extension) -> Path:
    places = getattr(extension.load(), "__path__", None)
    if not places:
        raise extension.failure(
            f"{extension.entry.value} is not a package, so it has no folder of facts"
        )
    return Path(next(iter(places)))
