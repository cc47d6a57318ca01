"""Defines one side of a comparison: its files, its intent, and what is not known about it."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path, PurePosixPath

from fabricgen.compile.output.manifest import folder_of_file
from fabricgen.core.diagnostics import Code, Diagnostic, Position
from fabricgen.core.record import record
from fabricgen.intent.load import Loaded
from fabricgen.intent.source import SourceMap
from fabricgen.model.fabric.switch import Site
from fabricgen.review.model import Reason


@record(kw_only=True)
class Side:
    """One side of a comparison, or the findings that prevented its reading.

    Attributes:
        name: Words of the command line, or a description.
        files: Texts by path. Texts of a rendered tree are read from disk when needed.
        findings: Errors and warnings.
        source: Places of the keys of the intent.
        unchanged: Folders with equal files on both sides. `files` does not have them.
        loaded: Intent of a side that is a site.
        site: Design of a side that is a site without errors.
        compiler: Hash of the compiler that rendered a tree, if the tree has it.
        notes: Sentences about parts that are not compared.
        unknown: Why the change of a device is not known, by folder. `files` does not have it.
        reasons: Risks that the source of this side has computed itself, by folder.
    """

    name: str
    files: Mapping[str, str]
    findings: tuple[Diagnostic, ...]
    source: SourceMap
    unchanged: frozenset[str] = frozenset()
    loaded: Loaded | None = None
    site: Site | None = None
    notes: tuple[str, ...] = ()
    compiler: str = ""
    unknown: Mapping[str, str] = field(default_factory=dict)
    reasons: Mapping[str, tuple[Reason, ...]] = field(default_factory=dict)

    @property
    def tree(self) -> Mapping[str, Mapping[str, str]]:
        """Return the files by folder, and in it by their paths below the folder."""
        return self.files.tree if isinstance(self.files, Grouped) else folders_of(self.files)

    def cause(self, line: Position) -> Position:
        """Return the place to look at for a line of one of its files: its fabric in the intent.

        Of a rendered tree, which has no intent, the line itself. Both are paths in the repository.
        """
        fabric = (line.file.partition("/")[0],)
        intent = self.source.locate(fabric) or self.source.locate(("site",))
        if intent is not None:
            return intent._replace(file=in_repository(intent.file))
        return line._replace(file=(PurePosixPath(in_repository(self.name)) / line.file).as_posix())


class Grouped(Mapping[str, str]):
    """Files that are stored by folder."""

    @property
    @abstractmethod
    def tree(self) -> Mapping[str, Mapping[str, str]]:
        """Return the files by folder, and in it by their paths below the folder."""


def folders_of(files: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return the files of a tree by the folder of each device."""
    folders: dict[str, dict[str, str]] = {}
    for path, text in files.items():
        folder = folder_of_file(path)
        folders.setdefault(folder, {})[path[len(folder) + 1 :]] = text
    return folders


def failed(name: str, message: str, hint: str = "", code: Code = Code.UNREADABLE) -> Side:
    """Return a side that cannot be read."""
    return Side(
        name=name, files={}, findings=(Diagnostic(code, message, hint=hint),), source=SourceMap()
    )


def in_repository(name: str) -> str:
    """Return a name without its revision: `main:site/a.yaml` is `site/a.yaml`."""
    return name if Path(name).exists() else name.partition(":")[2] or name
