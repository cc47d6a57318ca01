"""Boots the affected part of a network with the old and the new files, and compares both labs."""

import os
import threading
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from fabricgen.core.record import record
from fabricgen.model.fabric.switch import Site
from fabricgen.operate.lab.client import LabClient, LabFailure, LabRefusal
from fabricgen.operate.lab.machine.machine import available_mib, memory_needed
from fabricgen.operate.lab.place import Place
from fabricgen.review.lab_differences import compared, differences_between
from fabricgen.review.lab_part import MOST, LabPart, affected_part
from fabricgen.review.lab_side import (
    PATIENCE,
    LabSide,
    Measured,
    boot_side,
    lay_side,
    measure_side,
)
from fabricgen.review.lab_snapshot import NOTHING

SAME, DIFFERS, INCONCLUSIVE, ERROR = "same", "differs", "inconclusive", "error"
"""Outcomes of a comparison, the better ones first."""
OLD, NEW = "old", "new"
_ENDING = 20
"""Seconds until the processes of a lab have ended."""
LIFTED = (
    "booted as {}: this compares the design (addresses, routing, tenants, rails), not the files of "
    "another OS"
)


@record(kw_only=True)
class LabVerdict:
    """Result of a comparison in two labs.

    Attributes:
        outcome: `same`, `differs`, `inconclusive` or `error`.
        differences: Differences between both labs, in sentences.
        reasons: Why the outcome is inconclusive or an error.
        switches: Names of the booted switches.
        notes: Restrictions of the comparison, such as switches that were not booted.
        measured: Numbers of compared objects, and seconds of each step.
    """

    outcome: str
    differences: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    switches: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    measured: Mapping[str, float] = field(default_factory=dict)


@record(kw_only=True)
class LabResult:
    """Result of one side: its measurement, or the failure of its lab."""

    measured: Measured | None = None
    failure: LabFailure | None = None


def compare_in_lab(
    before: Site,
    after: Site,
    changed: Collection[str],
    *,
    shapes: Mapping[str, str] | None = None,
    lifted: str | None = None,
    machine: str | None = None,
    patience: float = PATIENCE,
    most: int = MOST,
) -> LabVerdict:
    """Boot the affected part of both sides and compare sessions, routes and reachability.

    Args:
        before: Side A, compiled for a platform that boots.
        after: Side B, likewise.
        changed: Names or folders of changed switches and servers.
        shapes: Name of the shape of each changed switch, to choose representatives by.
        lifted: Substitute platform, if the sites were compiled for it.
        machine: `direct` or `uml`. By default the same choice as in `lab up`.
        patience: Seconds until a booted side has to be settled.
        most: Largest number of switches.
    """
    part = affected_part(before, after, changed, shapes, most)
    notes = (*((LIFTED.format(lifted),) if lifted else ()), *part.notes)
    if not part.switches:
        nothing = ("no switch of this change can be booted",) if changed else ()
        reasons = part.uncovered or nothing
        return LabVerdict(outcome=INCONCLUSIVE if reasons else SAME, reasons=reasons, notes=notes)
    begun = time.monotonic()
    try:
        sides = tuple(
            lay_side(word, site, f"review-{word}-{os.getpid()}", part.switches)
            for word, site in ((OLD, before), (NEW, after))
        )
        one, other = _run(sides, machine, patience)
    except LabFailure as failure:
        one = other = LabResult(failure=failure)
    verdict = verdict_of(part, one, other)
    seconds = {"seconds": round(time.monotonic() - begun, 1)}
    return replace(
        verdict, notes=(*notes, *verdict.notes), measured={**verdict.measured, **seconds}
    )


def verdict_of(part: LabPart, one: LabResult, other: LabResult) -> LabVerdict:
    """Return the verdict on the results of both sides."""
    sides = ((OLD, one), (NEW, other))
    errors = [f"{_with(word)}: {why}" for word, side in sides for why in _errors(side)]
    doubts = [f"{_with(word)}: {why}" for word, side in sides for why in _doubts(side)]
    first, second = one.measured, other.measured
    if first is None or second is None:
        return LabVerdict(
            outcome=ERROR if errors else INCONCLUSIVE,
            reasons=_once((*errors, *doubts)),
            switches=part.switches,
        )
    differences = differences_between(first.snapshot, second.snapshot)
    doubts += (f"on both sides: {each} is down" for each in sorted(first.down & second.down))
    doubts += _ignored(first, second)
    reasons = _once((*errors, *doubts, *part.uncovered))
    outcome = ERROR if errors else INCONCLUSIVE if reasons else DIFFERS if differences else SAME
    return LabVerdict(
        outcome=outcome,
        differences=differences,
        reasons=reasons,
        switches=part.switches,
        notes=(*first.notes, *second.notes),
        measured={
            **compared(first.snapshot, second.snapshot),
            **_seconds(OLD, first),
            **_seconds(NEW, second),
        },
    )


def _with(word: str) -> str:
    return f"with the {word} files"


def _once(reasons: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(reasons))


def _errors(side: LabResult) -> Iterator[str]:
    """Yield the refused lines of one side."""
    if isinstance(side.failure, LabRefusal):
        yield str(side.failure)
    if side.measured is not None:
        yield from side.measured.snapshot.refused


def _doubts(side: LabResult) -> Iterator[str]:
    """Yield the reasons for which one side is not a fact."""
    if side.failure is not None and not isinstance(side.failure, LabRefusal):
        yield str(side.failure)
    if side.measured is not None:
        yield from side.measured.unsettled
        yield from side.measured.snapshot.unread


def _ignored(one: Measured, other: Measured) -> Iterator[str]:
    """Yield the lines that FRR does not show, if only one side has them."""
    for word, own, others in ((OLD, one, other), (NEW, other, one)):
        for switch, line in sorted(own.snapshot.ignored - others.snapshot.ignored):
            yield (
                f"{_with(word)}: FRR on {switch} does not show the line {line!r} after the boot: "
                "it ignores the line or spells it in another way"
            )


def _seconds(word: str, side: Measured) -> dict[str, float]:
    steps = zip(("boot", "settle", "snapshot"), side.seconds, strict=True)
    return {f"{word} {step}": round(seconds, 1) for step, seconds in steps}


def _run(
    sides: Sequence[LabSide], machine: str | None, patience: float
) -> tuple[LabResult, LabResult]:
    """Run both sides at the same time if this machine has the memory and the CPUs."""
    needed = [
        memory_needed(len(side.plan.switches) + len(side.plan.routers), len(side.plan.hosts))
        for side in sides
        if side.plan is not None
    ]
    together = len(os.sched_getaffinity(0)) > 1 and sum(needed) < available_mib()
    one_start = threading.Lock()  # a machine chooses the CPU with the fewest started machines
    with TemporaryDirectory() as folder, _ended(sides):
        run = [
            lambda side=side: _side(side, Path(folder), machine, patience, one_start)
            for side in sides
        ]
        if not together:
            return run[0](), run[1]()
        with ThreadPoolExecutor(len(sides)) as pool:
            futures = [pool.submit(each) for each in run]
            try:
                return futures[0].result(), futures[1].result()
            except BaseException:
                _end(sides)  # else the other thread would go on until its lab is measured
                raise


def _side(
    side: LabSide, folder: Path, machine: str | None, patience: float, one_start: threading.Lock
) -> LabResult:
    """Boot, measure and end one side."""
    if side.plan is None:
        return LabResult(measured=Measured(snapshot=NOTHING))
    begun = time.monotonic()
    try:
        with ExitStack() as turn:
            turn.enter_context(one_start)
            client = boot_side(side, folder, machine, lambda _: turn.close())
        booted = time.monotonic() - begun
        measured = measure_side(side, client, patience)
    except LabFailure as failure:
        return LabResult(failure=failure)
    finally:
        _end([side])
    return LabResult(measured=replace(measured, seconds=(booted, *measured.seconds[1:])))


@contextmanager
def _ended(sides: Sequence[LabSide]) -> Iterator[None]:
    """End the labs with the block, also after an interrupt."""
    try:
        yield
    finally:
        _end(sides)


def _end(sides: Sequence[LabSide]) -> None:
    for side in sides:
        if side.plan is None:
            continue
        place = Place.of(side.plan.name)
        with suppress(LabFailure):  # it has ended meanwhile
            if place.alive:
                LabClient(place.socket).call("down")
        last = time.monotonic() + _ENDING
        while place.held and time.monotonic() < last:
            time.sleep(0.05)
        place.clear()
