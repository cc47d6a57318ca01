"""Writes the tables of docs/evidence/incast.md: runs of the simulation between two marks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bench.incast.cases import MB, RULE, Story
from bench.incast.dcqcn import MICROSECOND
from bench.incast.demand import (
    BROADCOM,
    MODELS,
    SMALLEST,
    SONIC_MIX,
    SPEEDS,
    WIRE,
    Model,
    blocked,
)
from bench.incast.simulation import Case, simulate
from bench.tables import insert

from fabricgen.core.units import Bytes, Meters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

LENGTHS = (Meters(5), Meters(40), Meters(300))
AMPLE = 10**9  # headroom that cannot fill up
SENDERS = 16
_40_METERS = LENGTHS[1]


def sends(*frames: int) -> Callable[[Case], Case]:
    """Return the change of a case to frames of other sizes."""
    return lambda case: replace(case, frames=frames)


MISMATCHES: tuple[tuple[Model, str, Callable[[Case], Case]], ...] = (
    (WIRE, "the cable is 100 m", lambda case: replace(case, cable=Meters(100))),
    (
        WIRE,
        "the peer takes twice as long to obey",
        lambda case: replace(case, response=Bytes(2 * case.response)),
    ),
    (SONIC_MIX, "all frames have 193 bytes, one more than a cell", sends(193)),
    (SONIC_MIX, "all frames have 64 bytes", sends(SMALLEST)),
    (BROADCOM, "all frames have 255 bytes, one more than a cell", sends(255)),
)


def fill(page: str) -> str:
    """Return the page with its tables measured anew."""
    tables = (headroom_table(), mismatch_table(), rule_table())
    return insert(page, "python -m bench.incast", "\n\n".join(tables))


def needed(case: Case) -> int:
    """Measure the most headroom that any port uses when there is plenty."""
    return simulate(replace(case, memory=replace(case.memory, headroom=AMPLE))).peak_headroom


def headroom_table() -> str:
    """Each model with the frames it was made for."""
    heads = ["", ""]
    for model in MODELS:
        heads += [model.name, "used"]
    rows = []
    for speed in SPEEDS:
        for cable in LENGTHS:
            cells = [str(speed), f"{cable} m"]
            for model in MODELS:
                case = blocked(model, speed, cable, SENDERS)
                room = case.memory.headroom
                cells += [f"{room:,}", f"{needed(case) / room:.1%}"]
            rows.append(cells)
    return _table(heads, rows)


def mismatch_table() -> str:
    """Headroom computed for one thing at 40 m, and what comes is another."""
    rows = []
    for model, what, change in MISMATCHES:
        cells = [model.name, what]
        for speed in SPEEDS:
            case = blocked(model, speed, _40_METERS, SENDERS)
            ratio = needed(change(case)) / case.memory.headroom
            cells.append(f"{ratio:.0%}" if ratio <= 1 else f"**{ratio:.0%}**")
        rows.append(cells)
    return _table(["headroom of", "but", *map(str, SPEEDS)], rows)


def rule_table() -> str:
    """What comes first: marks or pauses; in the first 200 us of an incast at 400G."""
    heads = [
        "case",
        "Kmax / queue at pause",
        "first mark",
        "first pause",
        "marks",
        "pauses",
        "drops",
        "peak queue",
        "egress used",
    ]
    return _table(heads, [_story(story) for story in RULE])


def _story(story: Story) -> list[str]:
    case, seen = story.case, story.seen
    assert case.marking
    could_send = case.speed * case.duration / (8 * 10**12)
    return [
        story.title,
        f"{case.marking.highest / story.queue_at_pause:.2f}",
        first(seen.marks),
        first([time for time, _ in seen.pauses]),
        f"{len(seen.marks):,}",
        f"{len(seen.pauses):,}",
        f"{len(seen.drops):,}",
        f"{seen.peak_queue / MB:.1f} MB",
        f"{seen.delivered / could_send:.1%}",
    ]


def first(times: Sequence[int]) -> str:
    """Say when the first of these events was."""
    return f"{times[0] / MICROSECOND:.1f} µs" if times else "never"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["--"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
