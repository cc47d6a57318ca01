"""A design in, its rendered and proven files out, beside its checks, by as many processes as asked.

With one process the checks come first. With more they run beside the rendering, whose files are
of no use to anyone should an error be found; only then are both cores busy from the start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from fabricgen.cli.proof import Bench, Judged
from fabricgen.cli.saying import print_findings, progress
from fabricgen.compiler import checked
from fabricgen.diagnostics import Severity, has_errors
from fabricgen.fabric.topology import Switch
from fabricgen.record import record
from fabricgen.workers import Forked, mapped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from fabricgen.compiler import Compiled, Designed, File, Owner
    from fabricgen.intent.source import SourceMap

_EACH = 128  # owners that are worth a process of their own
_AT_ONCE = 32  # owners of which a process sends the outcome in one message


@record()
class Product:
    """One owner's files as `sink` left them, and what read-back says of them."""

    files: list[Any]
    judged: Judged | None


class Rendering:
    """The rendering of one design; no process of it outlives the `with` block."""

    def __init__(self, design: Designed, owners: Sequence[Owner], jobs: int) -> None:
        """Check the design, or start to, where more than one process is worth while."""
        assert design.site is not None
        self.bench = Bench(design.site)
        self._owners = owners
        self._jobs = min(jobs, len(owners) // _EACH)
        self._compiled: Compiled | None = None
        self._checks: Forked[Compiled] | None = None
        self._printed = False
        if self._jobs < 2:
            self._compiled = checked(design)
        else:
            self._checks = Forked(lambda: [_slim(checked(design))])

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the checks if they still run."""
        if self._checks is not None:
            self._checks.stop()

    @property
    def refuted(self) -> bool:
        """Tell whether the checks are through and found an error."""
        return self._compiled is not None and has_errors(self._compiled.findings)

    def compiled(self) -> Compiled:
        """Return what the checks found; waits for them."""
        if self._compiled is None:
            assert self._checks is not None
            self._compiled = next(self._checks)
        return self._compiled

    def report(self, source: SourceMap) -> bool:
        """Print what the checks found, once; tell whether files may be made."""
        compiled = self.compiled()
        if compiled.findings and not self._printed:
            self._printed = True
            print_findings(compiled.findings, source, err=True)
        return not has_errors(compiled.findings)

    def warnings(self) -> int:
        """Return how many warnings there were."""
        return sum(item.severity is Severity.WARNING for item in self.compiled().findings)

    def products(self, sink: Callable[[File], Any], *, prove: bool) -> Iterator[list[Any]]:
        """Yield what `sink` returned for each file of each owner; it runs where files are made."""
        owners = self._owners
        parts = [owners[first : first + _AT_ONCE] for first in range(0, len(owners), _AT_ONCE)]
        make = self._proven if prove else self._rendered
        groups = mapped(lambda part: [make(sink, owner) for owner in part], parts, self._jobs)
        for product in progress((p for group in groups for p in group), len(owners), "rendering"):
            self.bench.take(product.judged)
            yield product.files

    def _proven(self, sink: Callable[[File], Any], owner: Owner) -> Product:
        """Render one owner, prove it if it is a switch, and hand its files on."""
        files, judged = self.bench.proven(owner)
        return Product([sink(file) for file in files], judged)

    def _rendered(self, sink: Callable[[File], Any], owner: Owner) -> Product:
        return Product([sink(file) for file in self.bench.files(owner)], None)


def chosen(owners: Sequence[Owner], fabrics: Sequence[str], names: Sequence[str]) -> list[Owner]:
    """Return the owners of some fabrics, or some switches; all where neither is named."""
    return [
        owner
        for owner in owners
        if (not fabrics or owner.fabric in fabrics)
        and (not names or (isinstance(owner, Switch) and owner.name in names))
    ]


def _slim(compiled: Compiled) -> Compiled:
    """Leave the site out: who asked has it."""
    return type(compiled)(None, compiled.findings, compiled.examined)
