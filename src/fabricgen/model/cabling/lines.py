"""Chooses the optics of a line between two sites, by its kilometers, loss and amplifiers.

Without amplifiers, fiber loss and dispersion must be within the tolerance of coherent optics, and
the length within the reach of all others. The OSNR of an amplified line depends on its amplifiers,
so the published reach over amplified lines counts there.
"""

from collections.abc import Iterable

from fabricgen.core.record import record
from fabricgen.model.catalog.optics import MediaOption, Optic, Socket, ways

FIBER_LOSS = 0.25
"""dB/km without a measured loss: Juniper TechPost 'Navigating the Shadows of Dark Fiber
Connectivity' (2024-11-21).
"""
DISPERSION = 17
"""ps/nm for each kilometer of G.652 fiber at 1550 nm (ITU-T G.652, appendix I)."""


@record(kw_only=True)
class Line:
    """A line between two sites. `loss`: the measured dB, or None."""

    kilometers: float
    amplified: bool
    loss: float | None = None

    @property
    def text(self) -> str:
        """Return what the line is."""
        kind = "with amplifiers" if self.amplified else "without amplifiers"
        return f"{self.kilometers:g} km {kind}"


@record()
class Chosen:
    """Optics for both ends; `way` is None if none fits.

    faults: why each other optic does not, the longest reach first.
    """

    way: MediaOption | None
    faults: tuple[str, ...]


def chosen_for(line: Line, near: Socket, far: Socket, optics: Iterable[Optic]) -> Chosen:
    """Return the optics of the shortest sufficient reach, or the reason of each that fits."""
    able: list[MediaOption] = []
    faults: dict[tuple[int, int, str], str] = {}
    for way in ways(near, far, optics):
        if way.near.is_cable or way.near.media != "single-mode":
            continue
        ends = [(optic, fault_of(optic, line)) for optic in (way.near, way.far)]
        faults |= {
            (-(optic.amplified or 0), -optic.reach, optic.name): f"{optic.name} {fault}"
            for optic, fault in ends
            if fault
        }
        if not any(fault for _, fault in ends):
            able.append(way)
    best = min(able, key=lambda way: _rank(way, line), default=None)
    return Chosen(best, tuple(faults[each] for each in sorted(faults)))


def fault_of(optic: Optic, line: Line) -> str:
    """Return why an optic does not carry a line, with the arithmetic; empty if it does."""
    fault = _amplified(optic, line) if line.amplified else _bare(optic, line)
    spread = line.kilometers * DISPERSION
    if fault or optic.dispersion is None or spread <= optic.dispersion:
        return fault
    sum_ = f"{line.kilometers:g} km x {DISPERSION} = {spread:,g} ps/nm"
    return f"tolerates {optic.dispersion:,} ps/nm, but the fiber has {sum_}"


def _amplified(optic: Optic, line: Line) -> str:
    if optic.amplified is None:
        return "has no published reach over amplified lines"
    able = line.kilometers * 1000 <= optic.amplified
    return "" if able else f"reaches {optic.amplified / 1000:g} km over them"


def _bare(optic: Optic, line: Line) -> str:
    """Return why an optic does not carry a line without amplifiers: by loss, or by length."""
    if not optic.reach:
        return "is only specified for amplified lines"
    by_loss = optic.coherent or line.loss is not None
    if optic.loss is not None and by_loss:
        loss, sum_ = _loss(line)
        if loss > optic.loss:
            return f"tolerates {optic.loss:g} dB, but the fiber loses {sum_}"
    by_length = optic.loss is None or not optic.coherent
    if by_length and line.kilometers * 1000 > optic.reach:
        return f"reaches {optic.reach / 1000:g} km"
    return ""


def _loss(line: Line) -> tuple[float, str]:
    if line.loss is not None:
        return line.loss, f"{line.loss:g} dB"
    loss = line.kilometers * FIBER_LOSS
    return loss, f"{line.kilometers:g} km x {FIBER_LOSS:g} dB = {loss:g} dB"


def _rank(way: MediaOption, line: Line) -> tuple[object, ...]:
    ends = way.near, way.far
    reach = min((each.amplified or 0) if line.amplified else each.reach for each in ends)
    return way.near.name != way.far.name, reach, *(each.name for each in ends)
