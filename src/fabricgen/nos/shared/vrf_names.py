"""The slice of a switch in; VRFs whose names are too long for a device of Linux out."""

from fabricgen.core.diagnostics import Code, Diagnostic
from fabricgen.model.fabric.switch import SwitchSlice

LETTERS = 15
"""Of a device's name: IFNAMSIZ with the zero behind it (linux/if.h)."""


def too_long(piece: SwitchSlice, platform: str, before: str = "") -> list[Diagnostic]:
    """Return the findings; before: what the platform writes before a name."""
    most = LETTERS - len(before)
    told = f" with `{before}` before it" if before else ""
    return [
        Diagnostic(
            Code.UNSUPPORTED,
            f"{platform} cannot name a VRF {vrf.name!r}: it is a device of Linux, whose name has "
            f"{LETTERS} letters{told}",
            path=vrf.because.main,
            hint=f"a name of {most} letters at most",
        )
        for vrf in piece.vrfs
        if len(vrf.name) > most
    ]
