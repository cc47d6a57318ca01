"""Loads what other packages add by entry points, when it is first needed.

A fault of such a package is a diagnostic that names the package, never a traceback.
"""

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

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
    """One thing that another package brings to a seam."""

    entry: EntryPoint

    @property
    def name(self) -> str:
        """Return the name it is known by."""
        return self.entry.name

    @property
    def package(self) -> str:
        """Return the installed package it comes from; its module where none is recorded."""
        return self.entry.dist.name if self.entry.dist else self.entry.module

    def load(self) -> object:
        """Import it. Failure when that raises, whatever it raises."""
        try:
            return self.entry.load()
        except Exception as error:
            raise self.failure(f"{self.entry.value} cannot be imported: {spoken(error)}") from error

    def failure(self, message: str) -> Failure:
        """Return what to raise when it does not do what its seam asks for."""
        return Failure(self.fault(message))

    def fault(self, message: str, hint: str = "") -> Diagnostic:
        """Say in words of a diagnostic what it does wrong."""
        seam = self.entry.group.removeprefix("fabricgen.")
        return Diagnostic(
            Code.EXTENSION_FAILED,
            f"the package {self.package} ({seam}, {self.name}): {message}",
            hint=hint or "mend or uninstall that package",
        )


@cache
def extensions(seam: str) -> tuple[Extension, ...]:
    """Return what is installed for a seam, in the order of names."""
    known = map(Extension, entry_points(group=seam))
    return tuple(sorted(known, key=lambda each: (each.name, each.package)))


@cache
def extension_folders() -> tuple[Path, ...]:
    """Return the folders of all packages that bring something: what the output depends on, too."""
    folders = {_folder(each) for seam in (PLATFORMS, CHECKS, CATALOG) for each in extensions(seam)}
    return tuple(sorted(path for path in folders if path is not None))


def _folder(extension: Extension) -> Path | None:
    """Find the folder of the outermost package, or the file of a lone module."""
    from importlib.util import find_spec  # noqa: PLC0415 - rarely needed

    spec = find_spec(extension.entry.module.partition(".")[0])
    if spec is None:
        return None
    if spec.submodule_search_locations:
        return Path(next(iter(spec.submodule_search_locations)))
    return Path(spec.origin) if spec.origin else None


def spoken(error: BaseException) -> str:
    """Return an exception in one line: its kind and its first line."""
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
