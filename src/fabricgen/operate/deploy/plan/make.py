"""Make the plan of a push for a compiled site."""

import getpass
import socket
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from fabricgen.core import VERSION
from fabricgen.core.record import record
from fabricgen.model.fabric.switch import Site
from fabricgen.nos.registry import nos
from fabricgen.operate.deploy.batches.plan import Batch, BatchRequest, plan_batches
from fabricgen.operate.deploy.batches.sizes import Refused, Size, Sizes, sizes
from fabricgen.operate.deploy.coordination.agreement import Course, Step, Term
from fabricgen.operate.deploy.coordination.direction import cut_off, direction_of
from fabricgen.operate.deploy.coordination.drain import drained_by, draining
from fabricgen.operate.deploy.coordination.ends import terms
from fabricgen.operate.deploy.coordination.messages import in_words
from fabricgen.operate.deploy.coordination.spine_sequence import turning
from fabricgen.operate.deploy.coordination.split import apart
from fabricgen.operate.deploy.coordination.steps import next_step
from fabricgen.operate.deploy.coordination.window import windows
from fabricgen.operate.deploy.fleet import Fleet, Outcome
from fabricgen.operate.deploy.plan.document import (
    ID_LENGTH,
    RELOAD,
    Entry,
    Plan,
    PlannedBatch,
    Split,
    Stage,
    Together,
    identified,
    interruptions,
    keeps_of,
)
from fabricgen.operate.deploy.plan.switch_preview import SecretFilter, SwitchPreview

Told = Callable[[Entry], None]
STRAIGHT = Course()
TURNS = (
    "this window changes and drains one spine at a time: omit --drain until all spines are "
    "done, or omit --one-batch while a spine must stay drained"
)


def look_at_all(
    fleet: Fleet, lens: SecretFilter, told: Told | None = None
) -> tuple[SwitchPreview, ...]:
    """Preview every switch; the entry of an unreachable switch contains the reason."""

    def heard(name: str, outcome: Outcome[SwitchPreview]) -> None:
        if told is not None:
            told(_look(lens, name, outcome).entry)

    looks = fleet.look(lens.targets, lens.look, heard)
    fleet.close(lens.targets)
    return tuple(_look(lens, name, outcome) for name, outcome in looks.items())


def _look(lens: SecretFilter, name: str, outcome: Outcome[SwitchPreview]) -> SwitchPreview:
    if outcome.value is not None:
        return outcome.value
    target, fault = lens.targets[name], outcome.fault
    unknown = Entry(
        switch=name,
        fabric=target.fabric,
        platform=target.platform,
        state=str(fault.value if fault else ""),
        said=outcome.said,
        rendered=lens.texts.of(name).sha256,
    )
    return SwitchPreview(unknown)


def known(looks: Iterable[SwitchPreview]) -> list[str]:
    """Return the switches with a known state."""
    entries = (look.entry for look in looks)
    return [entry.switch for entry in entries if entry.state in ("same", "changes")]


def stepping(
    site: Site, looks: tuple[SwitchPreview, ...], every: tuple[Term, ...] | None = None
) -> Course:
    """Return the steps from the running configuration to the design. every: the known terms."""
    platforms = {look.entry.switch: look.entry.platform for look in looks}
    every = terms_between(site, looks) if every is None else every
    return next_step(every, lambda name: nos(platforms[name]).any_asn)


def drained_now(looks: Iterable[SwitchPreview]) -> set[str]:
    """Return the drained switches, except for those whose drain was requested to stay."""
    return drained_by({look.entry.switch: look.terms for look in looks})


def at_once(site: Site, names: Collection[str], floor: int) -> Collection[str]:
    """Return the first switches that may be unavailable at the same time, by --min-available."""
    whole = BatchRequest(sizes=Sizes((Size(100, percent=True),)), floor=floor, together=True)
    return plan_batches(site, names, whole)[0].switches


def course_of(
    site: Site,
    looks: tuple[SwitchPreview, ...],
    wish: BatchRequest,
    every: tuple[Term, ...] | None = None,
) -> Course:
    """Return the requested steps to the design; raise Refused if a switch cannot be drained.

    every: the terms of the looks, if they are known.
    """
    whole = BatchRequest(sizes=sizes("100%"), floor=wish.floor, together=True)

    def pick(names: Collection[str]) -> Collection[str]:
        return plan_batches(site, names, whole)[0].switches

    def together(names: Collection[str]) -> Collection[str]:
        return at_once(site, names, wish.floor)

    there = dict.fromkeys((look.entry.switch for look in looks), False)
    there.update(dict.fromkeys(known(looks), True))
    if wish.window:
        silent = [name for name, answers in there.items() if not answers]
        turns = drained_now(looks).difference(wish.drain)
        moving = terms_between(site, looks) if every is None else every
        course = turning(site, moving, turns, silent, pick)
        if wish.drain and course.step is not None:
            raise Refused(TURNS)
    else:
        course = stepping(site, looks, every)
    return draining(site, course, wish.drain, there, together) if wish.drain else course


@record()
class Schedule:
    """Batches of a push, and the settings that differ between them."""

    batches: tuple[PlannedBatch, ...]
    splits: tuple[Split, ...]

    @property
    def breaking(self) -> tuple[Split, ...]:
        """Return the interruptions outside of windows, or that no batch ends."""
        return interruptions(self.splits, self.batches)


def scheduled(
    site: Site,
    looks: tuple[SwitchPreview, ...],
    wish: BatchRequest,
    course: Course = STRAIGHT,
    pace: Sequence[float] = (),
    every: tuple[Term, ...] | None = None,
) -> Schedule:
    """Order the changes into batches; raise Refused if they cannot be combined.

    `course` has the steps, if the plan does not reach the design at once. `pace` has the durations
    of earlier batches of this site, in seconds. every: the terms of the looks, if they are known.
    """
    entries = [look.entry for look in looks]
    changing = [entry.switch for entry in entries if entry.state == "changes"]
    alone = frozenset(entry.switch for entry in entries if entry.path == RELOAD)
    every = terms_between(site, looks, course) if every is None else every
    direction = direction_of(look.terms for look in looks)
    wish = replace(wish, alone=alone, upwards=direction.upwards, order=direction.why)
    batches = plan_batches(site, changing, wish)
    aparts = tuple(apart(every, _when(batches)))
    if wish.window and (found := windows(aparts)):
        batches = plan_batches(site, changing, wish, found)
        aparts = tuple(apart(every, _when(batches)))
    if why := cut_off(site, {look.entry.switch: look.terms for look in looks}, _when(batches)):
        raise Refused(why)
    splits = in_words(site, aparts, _when(batches), pace, course.idle)
    return Schedule(tuple(map(_batch, batches)), splits)


def planned(
    site: Site,
    looks: tuple[SwitchPreview, ...],
    wish: BatchRequest,
    policy: str | None = None,
    course: Course = STRAIGHT,
    pace: Sequence[float] = (),
) -> Plan:
    """Return the plan of a schedule; raise Refused if the changes cannot be combined.

    The team's rules have the SHA-256 `policy`.
    """
    schedule = scheduled(site, looks, wish, course, pace)
    return identified(
        Plan(
            id="0" * ID_LENGTH,
            site=site.name,
            made=datetime.now(UTC).isoformat(timespec="milliseconds"),
            by=f"{operator()}@{socket.gethostname()}",
            tool=VERSION,
            policy=policy,
            sizes=str(wish.sizes),
            floor=wish.floor,
            together=wish.together,
            window=wish.window,
            drain=wish.drain,
            switches=tuple(look.entry for look in looks),
            batches=schedule.batches,
            splits=schedule.splits,
            step=_stage(course.step) if course.step is not None else None,
            bound=course.bound,
        )
    )


def stops(site: Site, plan: Plan, looks: Sequence[SwitchPreview]) -> bool:
    """Check whether a batch interrupts something that works. looks: previews of its changes."""
    return any(each.stops for each in apart(terms_between(site, looks), _when(plan.batches)))


def terms_between(
    site: Site, looks: Sequence[SwitchPreview], course: Course = STRAIGHT
) -> tuple[Term, ...]:
    """Return the changing settings that several switches must match, with their ends."""
    kept = course.step.kept if course.step is not None else {}
    changed = {look.entry.switch: look.terms for look in looks}
    return tuple(terms(site, changed, known(looks), kept))


def _stage(step: Step) -> Stage:
    kept = {name: keeps_of(own) for name, own in step.kept.items()}
    return Stage(number=step.number, of=step.of, said=step.said, waits=step.waits, kept=kept)


def _when(batches: Iterable[Batch | PlannedBatch]) -> dict[str, int]:
    """Return the batch number of each switch, from 1."""
    return {name: number for number, it in enumerate(batches, 1) for name in it.switches}


def _batch(batch: Batch) -> PlannedBatch:
    window = batch.window
    return PlannedBatch(
        fabric=batch.fabric,
        switches=batch.switches,
        why=batch.why,
        stays=batch.stays,
        warnings=batch.warnings,
        window=None
        if window is None
        else Together(vlans=window.vlans, vrfs=window.vrfs, cables=window.cables),
    )


def operator() -> str:
    """Return the account of the user."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container may have no name for its user
        return "unknown"
