"""Computes the order of a push without switches, with the functions of a plan.

Side A's files are the running configuration of each switch, and side B's are the candidate.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from fabricgen.core.record import record
from fabricgen.core.units import counted, shortened
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.operate.deploy.batches.plan import BatchRequest
from fabricgen.operate.deploy.batches.sizes import Refused
from fabricgen.operate.deploy.coordination.agreement import Course, Term
from fabricgen.operate.deploy.plan.make import Schedule, course_of, scheduled, terms_between
from fabricgen.operate.deploy.plan.sentences import sentence_of
from fabricgen.operate.deploy.plan.switch_preview import SwitchPreview
from fabricgen.review.model import Batch, Order
from fabricgen.review.precedence import (
    arrivals,
    departures,
    moved_links,
    moved_servers,
    new_links,
    reloads,
    server_files,
    several,
    steps,
)
from fabricgen.review.previews import Previews, Tree

LIMIT = 512
"""Number of changed switches whose settings are compared with the settings of others."""
_LINES = 4
_REQUEST = BatchRequest()
"""The request of a `plan` without options."""


@record(kw_only=True)
class _Part:
    """The order of one fabric, which has a separate plan."""

    looks: tuple[SwitchPreview, ...]
    batches: tuple[Batch, ...] = ()
    steps: tuple[str, ...] = ()
    together: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


def order(before: Site, after: Site, trees: tuple[Tree, Tree]) -> Order:
    """Return the order of a push from side A to side B.

    Numbers of batches and steps count within a fabric.

    Args:
        before: Side A.
        after: Side B.
        trees: The files of both sides by the folder of a changed switch. Of servers, only the
            folders are used.
    """
    previews = Previews(before, after, trees)
    parts = tuple(_parts(after, previews))
    looks = [look for part in parts for look in part.looks]
    batches = tuple(batch for part in parts for batch in part.batches)
    return Order(
        batches=batches,
        first=(
            *arrivals(after, previews.running),
            *new_links(before, after, previews.running),
            *moved_servers(before, after, previews.running),
            *several(dict.fromkeys(batch.fabric for batch in batches)),
            *reloads(looks),
            *(sentence for part in parts for sentence in part.steps),
            *moved_links(looks),
            *server_files(after, trees, looks),
            *departures(before, after, previews.running),
        ),
        together=tuple(sentence for part in parts for sentence in part.together),
        unknown="; ".join(sentence for part in parts for sentence in part.unknown),
    )


def _parts(site: Site, previews: Previews) -> Iterator[_Part]:
    """Yield the order of each fabric with changes; large ones without a comparison of settings."""
    left = LIMIT
    for fabric in site.fabrics:
        changing = len(previews.changing(fabric))
        if 0 < changing <= left:
            left -= changing
            yield _part(site, fabric, previews, previews.of(fabric))
        elif changing:
            missing = (
                f"{fabric.name}: steps, reloads, shared settings and the direction of the tiers "
                f"are not computed for {counted(changing, 'switch')} (the limit is {LIMIT}), use "
                "`plan`"
            )
            part = _part(site, fabric, previews, previews.of(fabric, terms=False))
            yield replace(part, unknown=(missing, *part.unknown))


def _part(
    site: Site, fabric: Fabric, previews: Previews, looks: tuple[SwitchPreview, ...]
) -> _Part:
    unknown, every = tuple(_unread(fabric, looks)), terms_between(site, looks)
    try:
        course = course_of(site, looks, _REQUEST, every)
        if course.step is None:
            schedule = scheduled(site, looks, _REQUEST, course, every=every)
        else:
            now = previews.again(looks, course.step.kept)
            schedule = scheduled(site, now, _REQUEST, course)
    except Refused as why:
        return _Part(looks=looks, unknown=(f"{fabric.name}: no order: {why}", *unknown))
    return _Part(
        looks=looks,
        batches=tuple(_batches(schedule)),
        steps=tuple(steps(fabric.name, course)),
        together=tuple(_together(fabric, schedule, course, partial(_option, site, looks, every))),
        unknown=unknown,
    )


def _batches(schedule: Schedule) -> Iterator[Batch]:
    """Yield the batches. Differences that begin there and interrupt nothing new are warnings."""
    for number, batch in enumerate(schedule.batches, 1):
        differs = [
            sentence_of(split)
            for split in schedule.splits
            if not split.breaks and max(1, split.begins) == number
        ]
        yield Batch(
            fabric=batch.fabric,
            switches=batch.switches,
            why=batch.why,
            warnings=(*batch.warnings, *differs),
        )


def _together(
    fabric: Fabric, schedule: Schedule, course: Course, option: Callable[[], str]
) -> Iterator[str]:
    """Yield each interruption between batches. option: returns the option that helps."""
    helps = option() if schedule.breaking else ""
    for split in schedule.breaking:
        yield f"{fabric.name}: {sentence_of(split)}; {helps}"
    for why in course.bound:
        yield f"{fabric.name} cannot change by steps: {why}"


def _option(site: Site, looks: tuple[SwitchPreview, ...], every: tuple[Term, ...]) -> str:
    """Return the option of `plan` that helps, as a plan with it would do."""
    request = replace(_REQUEST, window=True)
    try:
        course = course_of(site, looks, request, every)
        if course.step is not None:
            return (
                "`plan --one-batch` drains the spines in turn and changes each without traffic, in "
                f"{counted(course.step.of, 'plan')}"
            )
        schedule = scheduled(site, looks, request, course, every=every)
    except Refused as why:
        return f"`plan --one-batch` does not help: {why}"
    if schedule.breaking:
        return "no option of `plan` prevents it"
    return "`plan --one-batch` changes all ends in one batch, and interrupts them meanwhile"


def _unread(fabric: Fabric, looks: Sequence[SwitchPreview]) -> Iterator[str]:
    """Yield the lines without a grammar, whose settings are not compared."""
    lines = [f"{look.entry.switch} {line}" for look in looks for line in look.entry.unread]
    if lines:
        yield f"{fabric.name} has lines that no grammar reads: {shortened(lines, _LINES)}"
