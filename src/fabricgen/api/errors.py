"""Defines the errors of the library. Each one carries a diagnostic; their root is `Failure`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fabricgen.core.diagnostics import Code, Diagnostic, Failure, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabricgen.core.diagnostics import Examined


class InvalidSite(Failure):
    """The site has errors, so it has no switches and no files. `Site.findings` lists the errors."""


class UnknownName(Failure, KeyError):  # noqa: N818 - as `Failure`, its root
    """No switch, server, file or port of this site has the name."""

    def __str__(self) -> str:
        """Return the message with its hint. `KeyError` would print its representation."""
        return f"{self.diagnostic.message}; {self.diagnostic.hint}".removesuffix("; ")


class Unproven(Failure):
    """The rendered files do not implement the design. `examined` has all findings."""

    def __init__(self, examined: Examined) -> None:
        super().__init__(
            next(each for each in examined.findings if each.severity is Severity.ERROR)
        )
        self.examined = examined

    def __reduce__(self) -> Any:
        """Pickle with the examined objects, as processes pass errors on."""
        return type(self), (self.examined,)


class MissingExtra(Failure):
    """This installation lacks the package that the call needs."""


def unknown_name(kind: str, name: str, known: Iterable[str]) -> UnknownName:
    """Return the error for an unknown name, with the nearest known names."""
    from fabricgen.core.diagnostics import did_you_mean

    message = f"no {kind} {name!r} in this site"
    return UnknownName(Diagnostic(Code.NO_SUCH_OBJECT, message, hint=did_you_mean(name, known)))
