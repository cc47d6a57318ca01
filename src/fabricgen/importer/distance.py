"""Measures how far the rendered files of a tree are from the files that were read."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from fabricgen.compile.compiler import Cutter, checked, designed, files_of, folder_of
from fabricgen.compile.sandbox import renderer as renderer_of
from fabricgen.core.diagnostics import Failure, has_errors
from fabricgen.core.record import record
from fabricgen.importer.beside import drawn
from fabricgen.importer.lines import Text, count
from fabricgen.importer.tree import loaded
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.topology import Switch

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fabricgen.compile.compiler import File
    from fabricgen.compile.render import Renderer
    from fabricgen.core.diagnostics import Diagnostic
    from fabricgen.importer.lines import Line
    from fabricgen.importer.tree import Tree
    from fabricgen.intent.load import Loaded
    from fabricgen.model.fabric.switch import Fabric, Site
    from fabricgen.prove.foreign.switch import Judged


KEPT = 4
"""Answers that are kept of one switch: of the tree and of the last trials."""


@record(kw_only=True)
class Difference:
    """Differences of rendered and given files of a switch, by path.

    Attributes:
        theirs: Lines of the files that are not rendered.
        ours: Rendered lines that the files lack.
        absent: Rendered files without a given file.
    """

    theirs: Mapping[str, list[Line]]
    ours: Mapping[str, list[Line]]
    absent: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """Return the number of lines that differ."""
        return sum(len(lines) for side in (self.theirs, self.ours) for lines in side.values())

    @property
    def theirs_size(self) -> int:
        """Return the number of given lines that are not rendered."""
        return sum(len(line.numbers) for lines in self.theirs.values() for line in lines)


class Written:
    """The given files of a switch."""

    def __init__(self, switch: Judged) -> None:
        """Store the files. A file that renders exactly is never parsed."""
        self.switch = switch
        self.given = switch.found.texts
        self._read: dict[str, Text] = {}
        self._compared: dict[frozenset[tuple[str, str]], Difference] = {}

    def text(self, path: str) -> Text:
        """Return one file, line by line."""
        if path not in self._read:
            self._read[path] = Text(self.switch.platform, path, self.given[path])
        return self._read[path]

    @cached_property
    def size(self) -> int:
        """Return the number of lines, entries and fields."""
        return sum(count(self.switch.platform, *each) for each in self.given.items())

    def difference(self, rendered: Mapping[str, str]) -> Difference:
        """Compare the files with rendered ones. The last answers are kept."""
        key = frozenset(rendered.items())
        known = self._compared.pop(key, None) or self._compare(rendered)
        if len(self._compared) >= KEPT:
            del self._compared[next(iter(self._compared))]
        self._compared[key] = known
        return known

    def _compare(self, rendered: Mapping[str, str]) -> Difference:
        theirs: dict[str, list[Line]] = {}
        ours: dict[str, list[Line]] = {}
        for path, text in self.given.items():
            if rendered.get(path) == text:
                continue
            there = self.text(path)
            here = Text(self.switch.platform, path, rendered.get(path, ""), numbered=False)
            theirs[path], ours[path] = there.less(here), here.less(there)
            theirs[path] += there.lost(here, theirs[path], ours[path])
        absent = tuple(path for path in rendered if path not in self.given)
        return Difference(theirs=theirs, ours=ours, absent=absent)


class Drawn:
    """The design of one tree: its site and its switches."""

    def __init__(self, tree: Tree, renderer: Renderer | None = None) -> None:
        """Design the tree without checks. The renderer of an earlier tree has its templates."""
        self.tree = tree
        self._files: dict[str, list[File]] = {}
        self._pieces: dict[str, SwitchSlice] = {}
        self.loaded: Loaded = loaded(tree)
        self._design = designed(self.loaded)
        self.site: Site | None = self._design.site
        self._cutter = Cutter(self.site) if self.site else None
        self.renderer = renderer or renderer_of(self.loaded.templates)
        self.switches: dict[str, Switch] = {}
        for owner in self._cutter.owners() if self._cutter else ():
            if isinstance(owner, Switch):
                self.switches.setdefault(owner.name, owner)

    @property
    def design_errors(self) -> int:
        """Return the number of design errors before any check."""
        return sum(has_errors([each]) for each in self._design.findings)

    @cached_property
    def findings(self) -> tuple[Diagnostic, ...]:
        """Return all findings of the tree."""
        return checked(self._design).findings

    def slice(self, name: str) -> SwitchSlice:
        """Return the slice of a switch."""
        assert self._cutter is not None
        if name not in self._pieces:
            switch_slice = self._cutter.cut(self.switches[name])
            assert isinstance(switch_slice, SwitchSlice)
            self._pieces[name] = switch_slice
        return self._pieces[name]

    def fabric_of(self, switch: Switch) -> Fabric:
        """Return the fabric of a switch."""
        assert self.site is not None
        return next(each for each in self.site.fabrics if each.name == switch.fabric)

    def texts(self, name: str, *, designed: bool = False) -> dict[str, str]:
        """Return the files of a switch by path. Empty if it cannot have any.

        The argument `designed` excludes custom config.
        """
        if name not in self.switches:
            return {}
        try:
            files = self._rendered(name)
        except Failure:
            return {}
        folder = f"{folder_of(self.switches[name])}/"
        return {
            file.path.removeprefix(folder): file.designed if designed else file.text
            for file in files
        }

    def _rendered(self, name: str) -> list[File]:
        """Return the files of a switch, rendered once.

        Raises:
            Failure: The switch cannot have files.
        """
        if name not in self._files:
            self._files[name] = files_of(self.slice(name), self.renderer)
        return self._files[name]

    def judged(self, name: str) -> Judged:
        """Return a switch as it is read from its rendered files."""
        return drawn(self.slice(name), self._rendered(name))


class Measure:
    """Measures the distance of a tree from a network, by a sample of switches or by all."""

    def __init__(self, tree: Tree, switches: Iterable[Judged], *, whole: bool = False) -> None:
        """Choose the sample by the slices of a first tree."""
        first = Drawn(tree)
        sorts: dict[object, Judged] = {}
        for each in switches:
            sorts.setdefault(each.name if whole else _sort(first, each), each)
        self.chosen = {each.name: Written(each) for each in sorts.values()}

    def of(self, tree: Tree) -> int:
        """Return the number of lines that differ. Every line of an undesigned switch differs."""
        there = Drawn(tree)
        return sum(_distance(each, there.texts(name)) for name, each in self.chosen.items())


def _sort(first: Drawn, switch: Judged) -> object:
    known = first.switches.get(switch.name)
    if known is None:
        return switch.platform
    return known.fabric, known.role, known.group, str(known.model), known.platform


def _distance(written: Written, rendered: Mapping[str, str]) -> int:
    """Return the number of lines that differ on one switch."""
    if not rendered or written.given.keys().isdisjoint(rendered):
        return written.size
    return written.difference(rendered).size


def distance(tree: Tree, switches: Iterable[Judged]) -> int:
    """Return the number of lines that a tree does not render, over one switch of each kind."""
    return Measure(tree, switches).of(tree)
