"""What a check is: it sees every switch's slice once, then says what it examined and found."""

from typing import Protocol

from fabricgen.core.diagnostics import Code, Diagnostic, Examined
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice


class Check(Protocol):
    """One check. Constructed with the site, fed every slice, then asked for its result."""

    name: str

    def __init__(self, site: Site) -> None:
        """Prepare for one site."""

    def see(self, fabric: Fabric, piece: SwitchSlice) -> None:
        """Look at one switch."""

    def result(self) -> Examined:
        """Return what was examined and found."""


def judged(result: Examined) -> Examined:
    """A check that examined nothing has proved nothing: say so as an error."""
    if result.objects:
        return result
    empty = Diagnostic(
        Code.NOTHING_EXAMINED,
        f"the check {result.check!r} examined no {result.noun}, so it proves nothing",
    )
    return Examined(
        check=result.check, objects=0, noun=result.noun, findings=(*result.findings, empty)
    )
