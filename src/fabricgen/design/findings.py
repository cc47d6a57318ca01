"""Collects what the design has to say; a step that cannot go on raises Stop after saying why."""

from __future__ import annotations

from dataclasses import dataclass, field

from fabricgen.diagnostics import Code, Diagnostic, IntentPath, Severity


class Stop(Exception):  # noqa: N818 - not an error: the findings say what is wrong
    """Ends the design of one fabric; the other fabrics go on, so all errors show at once."""


@dataclass(slots=True)
class Findings:
    """A list of diagnostics with short ways to add to it."""

    items: list[Diagnostic] = field(default_factory=list)

    def error(self, code: Code, message: str, path: IntentPath, hint: str = "") -> None:
        """Add an error."""
        self.items.append(Diagnostic(code, message, path=path, hint=hint))

    def warn(self, code: Code, message: str, path: IntentPath, hint: str = "") -> None:
        """Add a warning."""
        self.items.append(
            Diagnostic(code, message, path=path, hint=hint, severity=Severity.WARNING)
        )

    def stop(self, code: Code, message: str, path: IntentPath, hint: str = "") -> Stop:
        """Add an error and return the exception to raise."""
        self.error(code, message, path, hint)
        return Stop(message)
