"""Proves that rendered files of switches and servers implement the design.

Each file is checked in the process that renders it. Properties of all files together are checked in
the process that collects the verdicts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.cli.output import ended
from fabricgen.compile.compiler import Cutter, File, designed_texts, files_of, folder_of
from fabricgen.compile.sandbox import renderer
from fabricgen.core.diagnostics import Examined, has_errors
from fabricgen.core.record import record
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.topology import Switch
from fabricgen.nos.lowering import spell
from fabricgen.prove import servers
from fabricgen.prove.invariants.laws import BETWEEN
from fabricgen.prove.lawful import Rendered
from fabricgen.prove.qos.verify import Readback
from fabricgen.prove.servers import Apart, ServerJudge
from fabricgen.prove.written import Proof, examined, prove

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabricgen.compile.compiler import Owner, Piece
    from fabricgen.intent.source import SourceMap
    from fabricgen.model.fabric.switch import Site
    from fabricgen.prove.qos.verify import Verdict


class Unproven(Exception):  # noqa: N818 - it carries findings, as Refused does
    """What is rendered does not do what is designed."""

    def __init__(self, examined: Examined) -> None:
        super().__init__(examined.check)
        self.examined = examined


@record()
class Judged:
    """What read-back says of one switch: of its lines, and of its part in lossless paths."""

    lines: Proof
    chain: Verdict


class Bench:
    """Renders owners of one site and judges them."""

    def __init__(self, site: Site) -> None:
        """Prepare what all of them share."""
        self.cutter, self._renderer = Cutter(site), renderer(site.templates)
        self._own = bool(site.templates)
        self._chain, self._proofs = Readback(site, spell), list[Proof]()
        self._servers, self._apart = ServerJudge(), list[Apart]()

    def owners(self) -> list[Owner]:
        """Return whoever has files."""
        return list(self.cutter.owners())

    def files(self, switch_slice: Piece) -> list[File]:
        """Render without judging."""
        return files_of(switch_slice, self._renderer)

    def insisted(self) -> list[tuple[Owner, list[File]]]:
        """Render everything, and raise Unproven when the switches do not do what is designed."""
        rendered = []
        for owner in self.owners():
            files, judged = self.proven(self.cutter.cut(owner))
            self.take(judged)
            rendered.append((owner, files))
        self.insist()
        return rendered

    def proven(self, switch_slice: Piece) -> tuple[list[File], Judged | Apart]:
        """Render and judge one owner; `take` the judgment, wherever it was made."""
        files = self.files(switch_slice)
        return files, self.judge(switch_slice, files)

    def judge(self, switch_slice: Piece, files: Iterable[File]) -> Judged | Apart:
        """Judge the files of a switch, or of a server."""
        if not isinstance(switch_slice, SwitchSlice):
            return self._servers.judge(switch_slice, _texts(folder_of(switch_slice.server), files))
        folder = folder_of(switch_slice.switch)
        texts, designed = _texts(folder, files), designed_texts(folder, files)
        return Judged(
            prove(switch_slice, designed, own=self._own),
            self._chain.judge(switch_slice.switch, texts),
        )

    def take(self, judged: Judged | Apart | None) -> None:
        """Keep a judgment."""
        if isinstance(judged, Apart):
            self._apart.append(judged)
        elif judged is not None:
            self._proofs.append(judged.lines)
            self._chain.take(judged.chain)

    def results(self) -> tuple[Examined, ...]:
        """Return what came out: for every line, for rail paths, and for the ways of servers."""
        return examined(self._proofs), self._chain.result(), servers.examined(self._apart)

    def insist(self) -> None:
        """Raise Unproven when something that was taken is not as designed."""
        for result in self.results():
            if has_errors(result.findings):
                raise Unproven(result)


def _texts(folder: str, group: Iterable[File]) -> dict[str, str]:
    return {file.path.removeprefix(f"{folder}/"): file.text for file in group}


def proven(site: Site, source: SourceMap) -> list[tuple[Owner, list[File]]]:
    """Render everything; print what does not do what is designed, and end the verb."""
    try:
        return Bench(site).insisted()
    except Unproven as unproven:
        ended(unproven.examined.findings, source)


def read_back(site: Site) -> tuple[Examined, ...]:
    """Render the switches and servers of a site, keep nothing, and judge what is read back.

    Laws come before the ways of servers. Those of one switch are part of its lines, and those of
    queues are proven with rail paths.
    """
    bench, read = Bench(site), Rendered()
    for owner in bench.owners():
        files, judged = bench.proven(bench.cutter.cut(owner))
        bench.take(judged)
        if isinstance(owner, Switch):
            read.take(owner, _texts(folder_of(owner), files))
    *lines, ways = bench.results()
    return (*lines, read.examined(BETWEEN), *read.unjudged(), ways)
