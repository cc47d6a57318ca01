"""A slice on a platform that cannot hash queue pairs in; what that may mean for its flows out."""

from collections.abc import Iterator

from fabricgen.core.diagnostics import Code, Diagnostic, Severity
from fabricgen.model.fabric.balancing import Field
from fabricgen.model.fabric.switch import SwitchSlice


def flows_without_queue_pairs(platform: str, piece: SwitchSlice) -> Iterator[Diagnostic]:
    """Say how few flows there are if NICs give their queue pairs no UDP source ports of their own.

    A note, no warning: it rests with the NIC's driver, nothing in the intent is wrong by it, and
    the drivers of today do give them (docs/load-balancing.md).
    """
    told = piece.balancing
    if told is None or told.flows is None or not piece.switch.is_leaf:
        return
    if Field.QUEUE_PAIR in told.wished:
        yield Diagnostic(
            Code.UNSUPPORTED,
            f"{platform} cannot hash the queue pair; if the NICs' driver gives them no UDP source "
            f"ports of their own, {told.flows.sentence(queue_pairs=False)}",
            path=told.because.main,
            hint="compare the use of uplinks under load (docs/load-balancing.md)",
            severity=Severity.NOTE,
        )
