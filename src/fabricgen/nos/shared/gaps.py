"""Reports what several platforms lack: long VRF names and hashing of queue pairs."""

from collections.abc import Iterator

from fabricgen.core.diagnostics import Code, Diagnostic, Severity
from fabricgen.model.fabric.balancing import Field
from fabricgen.model.fabric.switch import SwitchSlice

LETTERS = 15
"""Of a device's name: IFNAMSIZ with the zero behind it (linux/if.h)."""


def too_long(switch_slice: SwitchSlice, platform: str, before: str = "") -> list[Diagnostic]:
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
        for vrf in switch_slice.vrfs
        if len(vrf.name) > most
    ]


def flows_without_queue_pairs(platform: str, switch_slice: SwitchSlice) -> Iterator[Diagnostic]:
    """Say how few flows there are if NICs give their queue pairs no UDP source ports of their own.

    A note, no warning: it rests with the NIC's driver, nothing in the intent is wrong by it, and
    the drivers of today do give them (docs/design/load-balancing.md).
    """
    told = switch_slice.balancing
    if told is None or told.flows is None or not switch_slice.switch.is_leaf:
        return
    if Field.QUEUE_PAIR in told.wished:
        yield Diagnostic(
            Code.UNSUPPORTED,
            f"{platform} cannot hash the queue pair; if the NICs' driver gives them no UDP source "
            f"ports of their own, {told.flows.sentence(queue_pairs=False)}",
            path=told.because.main,
            hint="compare the use of uplinks under load (docs/design/load-balancing.md)",
            severity=Severity.NOTE,
        )
