"""Report what several platforms lack: long VRF names, Ethernet segments, hashing of queue pairs."""

from collections.abc import Iterator

from fabricgen.core.diagnostics import Code, Diagnostic, Severity
from fabricgen.model.fabric.balancing import Field
from fabricgen.model.fabric.switch import SwitchSlice

LETTERS = 15
"""Maximum length of a device name: IFNAMSIZ without its final zero (linux/if.h)."""


def too_long(switch_slice: SwitchSlice, platform: str, before: str = "") -> list[Diagnostic]:
    """Return a finding for each long name. `before`: the platform's prefix of names."""
    most = LETTERS - len(before)
    told = f" with `{before}` before it" if before else ""
    return [
        Diagnostic(
            Code.UNSUPPORTED,
            f"{platform} cannot use the VRF name {vrf.name!r}: a Linux device name has at most "
            f"{LETTERS} letters{told}",
            path=vrf.because.main,
            hint=f"use a name of at most {most} letters",
        )
        for vrf in switch_slice.vrfs
        if len(vrf.name) > most
    ]


def flows_without_queue_pairs(platform: str, switch_slice: SwitchSlice) -> Iterator[Diagnostic]:
    """Report the few flows that remain if NICs give their queue pairs no separate UDP source ports.

    A note, no warning: the NIC's driver decides, no value of the intent is wrong, and current
    drivers do give them (docs/design/load-balancing.md).
    """
    told = switch_slice.balancing
    if told is None or told.flows is None or not switch_slice.switch.is_leaf:
        return
    if Field.QUEUE_PAIR in told.wished:
        yield Diagnostic(
            Code.UNSUPPORTED,
            f"{platform} cannot hash the queue pair; if the NIC driver assigns it no UDP source "
            f"port, {told.flows.sentence(queue_pairs=False)}",
            path=told.because.main,
            hint="compare the use of uplinks under load (docs/design/load-balancing.md)",
            severity=Severity.NOTE,
        )


def weak_segments(switch_slice: SwitchSlice, lacks: str, hint: str) -> list[Diagnostic]:
    """Warn of each place that asks for Ethernet segments, which work only in part."""
    paths = [lag.segment.because.main for lag in switch_slice.lags if lag.segment is not None]
    return [
        Diagnostic(
            Code.UNSUPPORTED,
            lacks,
            path=(*path, "leafs"),
            hint=hint,
            severity=Severity.WARNING,
        )
        for path in dict.fromkeys(paths)
    ]
