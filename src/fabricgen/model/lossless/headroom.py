"""Computes the headroom of one lossless priority group in bytes, with its terms."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import ceil

from fabricgen.core.record import record
from fabricgen.core.units import Bytes, Meters
from fabricgen.model.lossless.chips import CellFit, Chip, SonicDynamic
from fabricgen.model.lossless.port import DEFAULT, WORST_CASE, PauseResponse, Port, Traffic
from fabricgen.model.lossless.sonic import below_pause, sonic_parts, sonic_terms
from fabricgen.model.lossless.terms import NOTHING, Part, Term, exact_sum, whole
from fabricgen.model.lossless.wire import fitted_parts, general_parts, wire_parts


@record(kw_only=True)
class Headroom:
    """Bytes that one priority group reserves for traffic after pause; `terms` add up to `total`.

    `error`: largest distance of the formula from the vendor's rows, as a part of 1; None if the
    formula is the vendor's own or pure physics. `per_meter`: cost of one more meter of cable,
    before rounding. `by_switch`: the switch computes it by this formula. `below`: its additional
    reservation, until pause and for eight lanes.
    """

    total: Bytes
    terms: tuple[Term, ...]
    model: str
    error: Fraction | None = None
    per_meter: Fraction = Fraction(0)
    by_switch: bool = False
    below: Bytes = NOTHING

    @property
    def upper(self) -> Bytes:
        """The total plus the stated error, for ports without a vendor row."""
        return Bytes(ceil(self.total / (1 - (self.error or 0))))


def headroom(
    port: Port, chip: Chip, traffic: Traffic = WORST_CASE, response: PauseResponse | None = None
) -> Headroom:
    """Return the headroom by the chip's model.

    response None: the value of the chip's rows for SONiC's dynamic model, else `response.DEFAULT`.
    """
    model = chip.model
    if isinstance(model, SonicDynamic):
        answer = response or model.response
        total, terms = sonic_terms(port, chip.cell, model, traffic, answer)
        slope = _slope(port, lambda at: sonic_parts(at, chip.cell, model, traffic, answer))
        return Headroom(
            total=total,
            terms=terms,
            model="SONiC dynamic model",
            per_meter=slope,
            by_switch=True,
            below=below_pause(port, model, total),
        )
    if isinstance(model, CellFit) and model.covers(port.speed):
        parts = _made(port, chip.cell, lambda at: fitted_parts(at, chip.cell, model))
        return replace(parts, model="fit to Broadcom rows", error=model.error)
    parts = _made(port, chip.cell, lambda at: general_parts(at, chip.cell, response or DEFAULT))
    return replace(parts, model="802.1Qbb and worst cells")


def wire_minimum(port: Port, response: PauseResponse = PauseResponse.SHIPPED) -> Headroom:
    """Return the bytes on the wire alone, the minimum of any lossless chip."""
    return _made(port, Bytes(1), lambda at: wire_parts(at, response))


def _made(port: Port, unit: Bytes, parts: Callable[[Port], tuple[Part, ...]]) -> Headroom:
    """Return the sum in multiples of `unit`."""
    total, terms = whole(parts(port), unit, f"cells of {unit} bytes")
    return Headroom(
        total=total, terms=terms, model="802.1Qbb, wire only", per_meter=_slope(port, parts)
    )


def _slope(port: Port, parts: Callable[[Port], tuple[Part, ...]]) -> Fraction:
    """Return the cost of one more meter; every model is linear in the length."""
    longer = replace(port, length=Meters(port.length + 1))
    return exact_sum(parts(longer)) - exact_sum(parts(port))
