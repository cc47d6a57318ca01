"""Collect the diagnostics of the design; a step that cannot continue raises Stop."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from fabricgen.core.diagnostics import Code, Diagnostic, IntentPath, Severity, Stop, did_you_mean

T = TypeVar("T")


@dataclass(slots=True)
class Findings:
    """List of diagnostics with short methods to add one; each is in it once.

    whole: whether the design is complete and its numbers are valid. Otherwise no check examines it,
    because its findings would only follow from a reported error.
    """

    items: list[Diagnostic] = field(default_factory=list)
    whole: bool = True
    _known: set[Diagnostic] = field(default_factory=set)

    def error(self, code: Code, message: str, path: IntentPath, hint: str = "") -> None:
        """Add an error about a complete design."""
        self._add(Diagnostic(code, message, path=path, hint=hint))

    def spoil(self, code: Code, message: str, path: IntentPath, hint: str = "") -> None:
        """Add an error after which the numbers of the fabric mean nothing to a check."""
        self.whole = False
        self.error(code, message, path, hint)

    def warn(self, code: Code, message: str, path: IntentPath, hint: str = "") -> None:
        """Add a warning."""
        self._add(Diagnostic(code, message, path=path, hint=hint, severity=Severity.WARNING))

    def unknown(self, message: str, path: IntentPath, name: str, known: Iterable[str]) -> None:
        """Add an error about a name that nothing has; the hint is the nearest known one."""
        self.error(Code.UNKNOWN_REFERENCE, message, path, did_you_mean(name, known))

    def stop(self, code: Code, message: str, path: IntentPath, hint: str = "") -> Stop:
        """Add an error and return the exception to raise."""
        self.spoil(code, message, path, hint)
        return Stop(message)

    @contextmanager
    def going_on(self) -> Iterator[None]:
        """Run a step that may stop without stopping the next steps."""
        try:
            yield
        except Stop:
            self.whole = False

    def attempt(self, step: Callable[[], T]) -> T | None:
        """Return the result of a step, or None if it stops; the next steps continue."""
        with self.going_on():
            return step()
        return None  # type: ignore[unreachable] # to mypy no @contextmanager ends an exception

    def add(self, item: Diagnostic) -> None:
        """Add a diagnostic."""
        self._add(item)

    def _add(self, item: Diagnostic) -> None:
        if item not in self._known:
            self._known.add(item)
            self.items.append(item)
