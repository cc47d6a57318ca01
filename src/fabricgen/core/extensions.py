"""Loads extensions of other packages by entry points, when they are first needed.

A fault of such a package is a diagnostic that names the package, never a traceback.
"""

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from fabricgen.core.diagnostics import Code, Diagnostic, Failure
from fabricgen.core.record import record

PLATFORMS = "fabricgen.platforms"
"""A name and its `Nos`."""
CHECKS = "fabricgen.checks"
"""A name and its `Check` class."""
CATALOG = "fabricgen.catalog"
"""A name and a package whose folder holds hardware facts in the files of catalog/data."""


@record()
class Extension:
    """One extension of another package."""

    entry: EntryPoint

    @property
    def name(self) -> str:
        """Return the name of its entry point."""
        return self.entry.name

    @property
    def package(self) -> str:
        """Return the installed package of the extension; its module if no package is recorded."""
        return self.entry.dist.name if self.entry.dist else self.entry.module

    def load(self) -> object:
        """Import it. Raises Failure on every import error."""
        try:
            return self.entry.load()
        except Exception as error:
            raise self.failure(f"{self.entry.value} cannot be imported: {spoken(error)}") from error

    def failure(self, message: str) -> Failure:
        """Return the exception for an extension that violates its interface."""
        return Failure(self.fault(message))

    def fault(self, message: str, hint: str = "") -> Diagnostic:
        """Return the diagnostic for an extension that violates its interface."""
        seam = self.entry.group.removeprefix("fabricgen.")
        return Diagnostic(
            Code.EXTENSION_FAILED,
            f"the package {self.package} ({seam}, {self.name}): {message}",
            hint=hint or "repair or uninstall this package",
        )


@cache
def _installed() -> Any:
    """Return all entry points; before Python 3.12 their type has another name."""
    return entry_points()


@cache
def extensions(seam: str) -> tuple[Extension, ...]:
    """Return the installed extensions of an interface, sorted by name."""
    known = map(Extension, _installed().select(group=seam))
    return tuple(sorted(known, key=lambda each: (each.name, each.package)))


@cache
def extension_folders() -> tuple[Path, ...]:
    """Return the folders of all packages with extensions, on which the output also depends."""
    folders = {_folder(each) for seam in (PLATFORMS, CHECKS, CATALOG) for each in extensions(seam)}
    return tuple(sorted(path for path in folders if path is not None))


def _folder(extension: Extension) -> Path | None:
    """Return the folder of the outermost package, or the file of a lone module."""
    from importlib.util import find_spec  # noqa: PLC0415 - rarely needed

    spec = find_spec(extension.entry.module.partition(".")[0])
    if spec is None:
        return None
    if spec.submodule_search_locations:
        return Path(next(iter(spec.submodule_search_locations)))
    return Path(spec.origin) if spec.origin else None


def spoken(error: BaseException) -> str:
    """Return an exception as one line: its type and its first line."""
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
