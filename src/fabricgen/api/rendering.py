"""Renders a site in one or several processes and proves each file.

A single process shows each slice to the checks before it renders it, and cuts each slice once. With
several processes, the checks run in parallel with the rendering. If the checks find an error, the
files are discarded.
"""

from __future__ import annotations

import gc
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Self

from fabricgen.api.errors import InvalidSite
from fabricgen.compile.compiler import Checking, checked, folder_of
from fabricgen.compile.output.inputs import Digests
from fabricgen.compile.output.server_files import Layout
from fabricgen.core.diagnostics import Severity, has_errors
from fabricgen.core.progress import tracked
from fabricgen.core.record import record
from fabricgen.core.workers import Forked, mapped
from fabricgen.intent.acknowledging import acknowledge
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.topology import Switch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from fabricgen.api.proof import Bench, Judged
    from fabricgen.compile.compiler import Compiled, Cutter, Designed, File, Owner, Piece
    from fabricgen.core.diagnostics import Diagnostic
    from fabricgen.model.fabric.switch import Site
    from fabricgen.prove.servers import Apart


_EACH = 128
"""Owners per process. Fewer do not justify another process."""
_AT_ONCE = 32
"""Owners per message of a process."""


@record()
class Product:
    """The results of `sink` for the files of one owner, and their read-back verdict.

    digest: hash of the slice.
    """

    files: list[Any]
    judged: Judged | Apart | None
    digest: str = ""


class Rendering:
    """The rendering of one design. Its processes end with the `with` block.

    digests: hash of the slice of each owner, by its folder.
    """

    def __init__(
        self,
        design: Designed,
        owners: Sequence[Owner],
        jobs: int,
        compiled: Compiled | None = None,
    ) -> None:
        """Start nothing yet. `compiled`: the result of the checks, if they ran before."""
        assert design.site is not None
        self.digests = dict[str, str]()
        self._design, self._owners, self._jobs = design, owners, jobs
        self._hashes = Digests()
        self._compiled = compiled
        self._checks: Forked[Compiled] | None = None
        self._layout = Layout()

    @property
    def site(self) -> Site:
        """Return the designed site."""
        assert self._design.site is not None
        return self._design.site

    @cached_property
    def bench(self) -> Bench:
        """The bench of the site. Checks in another process may run while it is imported."""
        from fabricgen.api.proof import Bench

        return Bench(self.site)

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Stop the checks if they still run."""
        if self._checks is not None:
            self._checks.stop()

    def omit(self, known: Mapping[str, str]) -> set[str]:
        """Run the checks, and omit the owners with a known slice; return their folders.

        known: hash of the slice of each owner that needs no files, by its folder.
        """
        left = []
        for owner, piece in self._seen():
            folder = folder_of(owner)
            self.digests[folder] = self._hashes.of(piece)
            if not self.digests[folder] or known.get(folder) != self.digests[folder]:
                left.append(owner)
        kept = set(map(folder_of, self._owners)).difference(map(folder_of, left))
        self._owners = left
        return kept

    def _seen(self) -> Iterator[tuple[Owner, Piece]]:
        """Yield the slices of the owners, and pass the slices of all switches to the checks."""
        checking, wanted = Checking(self._design), set(self._owners)
        for owner in self.bench.owners():
            if owner not in wanted and not isinstance(owner, Switch):
                continue
            piece = self.bench.cutter.cut(owner)
            if isinstance(piece, SwitchSlice):
                checking.see(piece)
            if owner in wanted:
                yield owner, piece
        self._compiled = checking.compiled()

    def compiled(self) -> Compiled:
        """Return the result of the checks: wait for their process, or run them now."""
        if self._compiled is None:
            self._compiled = next(self._checks) if self._checks else checked(self._design)
        return self._compiled

    @cached_property
    def findings(self) -> tuple[Diagnostic, ...]:
        """The findings of the checks, with acknowledgments. Waits for the checks."""
        return acknowledge(self.compiled().findings, self._design.intent)

    @property
    def failed(self) -> bool:
        """Return whether the checks found errors, so that no file may be made."""
        return has_errors(self.findings)

    def insist(self) -> None:
        """Check that files may be made.

        Raises:
            InvalidSite: The checks found errors.
        """
        errors = [each for each in self.findings if each.severity is Severity.ERROR]
        if errors:
            raise InvalidSite(errors[0])

    def products(self, sink: Callable[[File], Any], *, prove: bool) -> Iterator[list[Any]]:
        """Yield the results of `sink` for the files of each owner. It runs in their process."""
        products = self._products(partial(self._proven if prove else self._rendered, sink))
        products = tracked("rendering", products, len(self._owners))
        for owner, product in zip(self._owners, products, strict=True):
            self.bench.take(product.judged)
            self.digests[folder_of(owner)] = product.digest
            yield product.files

    def _products(self, make: Callable[[Piece], Product]) -> Iterator[Product]:
        jobs = min(self._jobs, len(self._owners) // _EACH)
        if jobs > 1:
            return self._in_processes(make, jobs)
        if self._compiled is None:
            return (make(piece) for _, piece in self._seen())
        return (make(self.bench.cutter.cut(owner)) for owner in self._owners)

    def _in_processes(self, make: Callable[[Piece], Product], jobs: int) -> Iterator[Product]:
        """Make the products in parallel processes, and run the checks in another one.

        The first product is made here, while the checks run. So modules and templates are loaded
        once for all processes.
        """
        (first, *owners), design = self._owners, self._design
        gc.freeze()  # a collection in a process would copy the pages of all objects
        if self._compiled is None:
            self._checks = Forked(lambda: [_slim(checked(design))])
        cut = self.bench.cutter.cut
        yield make(cut(first))
        parts = [owners[start : start + _AT_ONCE] for start in range(0, len(owners), _AT_ONCE)]
        work = lambda part: [make(cut(owner)) for owner in part]  # noqa: E731 - never pickled
        gc.freeze()
        for group in mapped(work, parts, jobs):
            yield from group

    def _proven(self, sink: Callable[[File], Any], piece: Piece) -> Product:
        """Render one owner, prove its files and pass them to `sink`."""
        files, judged = self.bench.proven(piece)
        owner = piece.switch if isinstance(piece, SwitchSlice) else piece.server
        digest = self.digests.get(folder_of(owner)) or self._hashes.of(piece)  # `omit` has some
        return Product(list(map(sink, self._laid(piece, files))), judged, digest)

    def _rendered(self, sink: Callable[[File], Any], piece: Piece) -> Product:
        files = self.bench.files(piece)
        return Product(list(map(sink, self._laid(piece, files))), None)

    def _laid(self, piece: Piece, files: list[File]) -> Iterable[File]:
        """Return the files of a switch or server as the tree has them."""
        return files if isinstance(piece, SwitchSlice) else self._layout.laid(piece.server, files)


def chosen(
    cutter: Cutter, fabrics: Sequence[str], switches: Sequence[str], servers: Sequence[str]
) -> list[Owner]:
    """Return the owners of the named fabrics, switches or servers, or all without names."""
    return [
        owner
        for owner in cutter.owners()
        if (not fabrics or cutter.fabrics_of(owner).intersection(fabrics))
        and (
            not (switches or servers)
            or owner.name in (switches if isinstance(owner, Switch) else servers)
        )
    ]


def _slim(compiled: Compiled) -> Compiled:
    """Drop the site, which the parent process has."""
    return type(compiled)(None, compiled.findings, compiled.examined)
