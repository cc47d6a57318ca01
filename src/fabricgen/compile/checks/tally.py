"""Count what a check examined and keep the first few of equal findings.

An object counts as examined when the check could have failed on it. A check may have nothing to
compare (sessions of a rail-only fabric, NICs of a frontend). It then counts the switches on which
it made sure of that. So zero always means that no switch was seen, never that all is well.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from fabricgen.core.diagnostics import Code, Diagnostic, Examined, IntentPath, Severity
from fabricgen.core.provenance import Provenance
from fabricgen.model.fabric.switch import Site

SHOWN = 5  # of findings that differ in names only; the rest is one line with their number


@dataclass(slots=True, kw_only=True)
class Tally:
    """Findings of one check; `kind` groups similar findings and names the rest in one line."""

    check: str
    code: Code
    noun: str
    objects: int = 0
    _found: dict[str, list[Diagnostic]] = field(default_factory=dict)
    _more: dict[str, int] = field(default_factory=dict)

    def add(
        self,
        kind: str,
        message: str,
        where: Provenance | IntentPath,
        hint: str = "",
        severity: Severity = Severity.ERROR,
    ) -> None:
        """Add one finding, or count it when enough findings of its kind are reported already."""
        shown = self._found.setdefault(kind, [])
        if any(message == told.message for told in shown):
            return
        if len(shown) == SHOWN:
            self._more[kind] = self._more.get(kind, 0) + 1
            return
        path = where.main if isinstance(where, Provenance) else where
        shown.append(Diagnostic(self.code, message, path=path, hint=hint, severity=severity))

    def enough(self, kind: str) -> bool:
        """Count a finding with a costly text if enough of its kind are reported already."""
        if len(self._found.get(kind, ())) < SHOWN:
            return False
        self._more[kind] = self._more.get(kind, 0) + 1
        return True

    def result(self) -> Examined:
        """Return the result of the check."""
        findings: list[Diagnostic] = []
        for kind, shown in self._found.items():
            findings.extend(shown)
            if kind in self._more:
                text = f"{self._more[kind]:,} more {kind}"
                findings.append(
                    Diagnostic(self.code, text, path=shown[0].path, severity=shown[0].severity)
                )
        return Examined(
            check=self.check, objects=self.objects, noun=self.noun, findings=tuple(findings)
        )


class Tallied:
    """Check that reports all findings with one code."""

    name: str
    code: Code
    noun: str

    def __init__(self, site: Site) -> None:
        self.site = site
        self.tally = Tally(check=self.name, code=self.code, noun=self.noun)

    def result(self) -> Examined:
        return self.tally.result()


def listing(names: Sequence[object], most: int = SHOWN) -> str:
    """Return a list for a message: the first few items, and the number of the others."""
    text = ", ".join(str(name) for name in names[:most])
    return text if len(names) <= most else f"{text} and {len(names) - most:,} more"
