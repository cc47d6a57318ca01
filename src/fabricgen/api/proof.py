"""Proves that rendered files of switches and servers implement the design.

Each file is checked in the process that renders it. Properties of all files together are checked in
the process that collects the verdicts.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabricgen.api.errors import Unproven
from fabricgen.compile.compiler import HOSTS, Cutter, File, designed_texts, files_of, folder_of
from fabricgen.compile.sandbox import renderer
from fabricgen.core.diagnostics import Examined, has_errors
from fabricgen.core.progress import tracked
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
    from collections.abc import Collection, Iterable, Iterator

    from fabricgen.compile.compiler import Owner, Piece
    from fabricgen.model.fabric.switch import Site
    from fabricgen.prove.qos.verify import Verdict


@record()
class Judged:
    """The read-back verdict of one switch: on its lines and its part of lossless paths."""

    lines: Proof
    chain: Verdict


class Bench:
    """Renders switches and servers of one site and checks their files."""

    def __init__(self, site: Site) -> None:
        """Prepare the objects that all owners share."""
        self.cutter, self._renderer = Cutter(site), renderer(site.templates)
        self._own = bool(site.templates)
        self._chain, self._proofs = Readback(site, spell), list[Proof]()
        self._servers, self._apart = ServerJudge(), list[Apart]()

    def owners(self) -> list[Owner]:
        """Return all switches and servers with files."""
        return list(self.cutter.owners())

    def files(self, switch_slice: Piece) -> list[File]:
        """Render without checking."""
        return files_of(switch_slice, self._renderer)

    def insisted(self) -> list[tuple[Owner, list[File]]]:
        """Render everything.

        Raises:
            Unproven: The files do not implement the design.
        """
        rendered = list(self.taken(self.owners()))
        self.insist()
        return rendered

    def taken(self, owners: Collection[Owner]) -> Iterator[tuple[Owner, list[File]]]:
        """Yield owners with their files. The verdict of each is collected before."""
        for owner in tracked("rendering", owners):
            files, judged = self.proven(self.cutter.cut(owner))
            self.take(judged)
            yield owner, files

    def proven(self, switch_slice: Piece) -> tuple[list[File], Judged | Apart]:
        """Render and check one owner. The caller passes the verdict to `take`."""
        files = self.files(switch_slice)
        return files, self.judge(switch_slice, files)

    def judge(self, switch_slice: Piece, files: Iterable[File]) -> Judged | Apart:
        """Check the files of a switch or a server."""
        if not isinstance(switch_slice, SwitchSlice):
            return self._servers.judge(switch_slice, _texts(folder_of(switch_slice.server), files))
        folder = folder_of(switch_slice.switch)
        texts, designed = _texts(folder, files), designed_texts(folder, files)
        return Judged(
            prove(switch_slice, designed, own=self._own),
            self._chain.judge(switch_slice.switch, texts),
        )

    def take(self, judged: Judged | Apart | None) -> None:
        """Collect a verdict."""
        if isinstance(judged, Apart):
            self._apart.append(judged)
        elif judged is not None:
            self._proofs.append(judged.lines)
            self._chain.take(judged.chain)

    def results(self) -> tuple[Examined, ...]:
        """Return the results for all lines, rail paths and server routes."""
        return examined(self._proofs), self._chain.result(), servers.examined(self._apart)

    def insist(self) -> None:
        """Raise Unproven if a collected verdict has errors."""
        for result in self.results():
            if has_errors(result.findings):
                raise Unproven(result)


def _texts(folder: str, group: Iterable[File]) -> dict[str, str]:
    return {file.path.removeprefix(f"{folder}/"): file.text for file in group}


def proven_servers(site: Site, names: Collection[str] = ()) -> dict[str, list[File]]:
    """Return the files of the named servers, or of all, by paths that begin with their names.

    Raises:
        Unproven: The files do not implement the design.
    """
    bench = Bench(site)
    servers = [each for each in bench.owners() if not isinstance(each, Switch)]
    wanted = [each for each in servers if not names or each.name in names]
    folders = {
        owner.name: [replace(each, path=each.path.removeprefix(f"{HOSTS}/")) for each in files]
        for owner, files in bench.taken(wanted)
    }
    bench.insist()
    return folders


def read_back(site: Site) -> tuple[Examined, ...]:
    """Render a site in memory and check the files.

    Laws precede the server routes. Laws of one switch are checked with its lines, and laws of
    queues with rail paths.
    """
    bench, read = Bench(site), Rendered()
    for owner, files in bench.taken(bench.owners()):
        if isinstance(owner, Switch):
            read.take(owner, _texts(folder_of(owner), files))
    *lines, ways = bench.results()
    return (*lines, read.examined(BETWEEN), *read.unjudged(), ways)
