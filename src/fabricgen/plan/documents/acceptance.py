"""Writes the acceptance sheet: the limits of each end of a cable, and empty columns to fill in."""

from collections.abc import Iterator

from fabricgen.core.tables import csv_text
from fabricgen.model.cabling.cables import Cable, End
from fabricgen.model.cabling.loss import loss_of
from fabricgen.model.cabling.parts import UNKNOWN
from fabricgen.model.catalog.fec import FEC_LIMITS
from fabricgen.model.catalog.optics import Optic
from fabricgen.plan.cabling import Plan
from fabricgen.plan.documents.cabling import interface_of, printed

LIMITS = (
    *("cable", "fabric", "rack", "unit", "device", "port", "interface", "optic", "fec"),
    *("receive_dbm_least", "receive_dbm_most", "pre_fec_ber_most", "fec_symbols_most"),
    *("loss_db", "loss_db_most"),
)
"""`receive_dbm`: average power of each lane. `fec_symbols_most`: the highest bin of the FEC
histogram whose codewords are corrected. `loss_db`: the computed loss of the path.
"""
MEASURED = (
    *("measured_dbm", "measured_ber", "highest_fec_bin", "uncorrected_codewords"),
    *("measured_loss_db", "passed", "by", "date"),
)
"""Columns that stay empty."""


def acceptance(plan: Plan) -> str:
    """Return both ends of each cable as CSV; copper pairs and external cables have no limits."""
    return csv_text((*LIMITS, *MEASURED), _rows(plan))


def _rows(plan: Plan) -> Iterator[tuple[object, ...]]:
    by = {each.cable.name: each for each in plan.patching.patched}
    for cable in plan.laid:
        if cable.way is None or cable.medium == "twisted-pair":
            continue
        loss = loss_of(cable, plan.site.floor.losses, by.get(cable.name))
        light: tuple[object, ...] = ("", "")
        if loss is not None:
            budget = UNKNOWN if loss.budget is None else loss.budget
            light = (round(loss.total, 3), budget)
        for end in (cable.near, cable.far):
            yield (*_end(cable, end), *light, *("" for _ in MEASURED))


def _end(cable: Cable, end: End) -> Iterator[object]:
    stand, optic = end.stand, cable.fixed or end.optic
    yield from (cable.name, cable.fabric)
    yield stand.rack.name if stand is not None else ""
    yield stand.unit or "" if stand is not None else ""
    yield from (end.name, printed(end), interface_of(end))
    yield optic.name if optic is not None else UNKNOWN
    fec = optic.fec if optic is not None else None
    yield fec or UNKNOWN
    yield from _received(optic)
    limit = FEC_LIMITS.get(fec or "")
    yield f"{limit.ber:.1e}" if limit is not None else UNKNOWN
    yield limit.symbols if limit is not None else UNKNOWN


def _received(optic: Optic | None) -> tuple[object, object]:
    """Return the limits of the received power; empty for a cable with fixed ends."""
    if optic is not None and optic.is_cable:
        return "", ""
    receive = optic.receive if optic is not None else None
    return (receive[0], receive[1]) if receive is not None else (UNKNOWN, UNKNOWN)
