"""A check that another package brings in; the same check, unable to end the run, out.

What it raises becomes a finding that names its package, and so does a finding under a code of ours.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import cast

from fabricgen.compile.checks.check import Check, judged
from fabricgen.core.diagnostics import Code, Diagnostic, Examined, Failure
from fabricgen.core.extensions import Extension, spoken
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice

OURS = "FG"
"""How every code of this project begins, today's and those to come."""


class Outside:
    """One check of another package. It is asked no more once it has failed."""

    def __init__(self, extension: Extension, site: Site) -> None:
        """Load it and prepare it for one site."""
        self._extension = extension
        self._failed: Diagnostic | None = None
        with self._guarded():
            self._check: Check = cast("type[Check]", extension.load())(site)

    def see(self, fabric: Fabric, piece: SwitchSlice) -> None:
        """Show it one switch."""
        if self._failed is None:
            with self._guarded():
                self._check.see(fabric, piece)

    def result(self) -> Examined:
        """Return what it says, or why it says nothing."""
        examined = Examined(check=self._extension.name, objects=0, noun="objects", findings=())
        if self._failed is None:
            with self._guarded():
                result = judged(self._check.result())
                examined = replace(result, findings=tuple(map(self._own, result.findings)))
        return replace(examined, findings=(self._failed,)) if self._failed else examined

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except Failure as failure:
            self._failed = failure.diagnostic
        except Exception as error:  # noqa: BLE001 - whatever it raises is said, and is no end of us
            self._failed = self._extension.fault(f"the check raised {spoken(error)}")

    def _own(self, finding: Diagnostic) -> Diagnostic:
        """Let a finding pass under a code of its own only; none of them is lost."""
        if not finding.code.startswith(OURS) or finding.code == Code.NOTHING_EXAMINED:
            return finding
        fault = self._extension.fault(
            f"the check uses the code {finding.code}, which is fabricgen's, for: {finding.message}"
        )
        return replace(fault, path=finding.path)
