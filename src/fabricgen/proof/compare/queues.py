"""Queues: which DSCP goes to which, how each is served, and where its packets are marked."""

from __future__ import annotations

from collections import defaultdict
from math import isclose
from typing import TYPE_CHECKING, NamedTuple

from fabricgen.fabric.observed import Part
from fabricgen.proof.compare.difference import Differences, Sides, few

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabricgen.fabric.facts import Marks, PortQueues, Queue

_ROUNDED = 1e-3  # tc prints a rate with three digits after its unit
_CHANCE = 1e-4  # the probability is stored in 32 bits


class _Deviation(NamedTuple):
    """A deviation that several ports may share."""

    what: str
    expected: str
    observed: str


def queues(sides: Sides) -> Differences:
    """Yield every difference of queues; what several ports have alike is said once."""
    if not sides.read(Part.QUEUES):
        return
    shared: dict[_Deviation, list[str]] = defaultdict(list)
    for port, wanted in sides.expected.queues.items():
        there = sides.observed.queues.get(port)
        if there is None:
            none = _Deviation("the scheduler", wanted.scheduler, "none of the model's")
            shared[none].append(port)
        else:
            filters = sides.read(Part.FILTERS)
            for deviation in _compared(wanted, there, filters=filters):
                shared[deviation].append(port)
    for deviation, ports in shared.items():
        where = f"on {few(ports)} {deviation.what}"
        yield sides.wrong(
            f"queues of {few(ports)}", f"{where} is", deviation.expected, deviation.observed
        )


def _compared(wanted: PortQueues, there: PortQueues, *, filters: bool) -> Iterator[_Deviation]:
    if there.scheduler != wanted.scheduler:
        yield _Deviation("the scheduler", wanted.scheduler, there.scheduler)
        return
    if filters:
        yield from _classified(wanted, there)
    elif wanted.scheduler == "htb":
        return  # its queues are classes, which were not read
    if wanted.bands != there.bands:
        yield _Deviation("the band of each priority", _joined(wanted.bands), _joined(there.bands))
    found = {queue.handle: queue for queue in there.queues}
    for queue in wanted.queues:
        if queue.handle not in found:
            yield _Deviation(f"queue {queue.handle}", _served(queue), "missing")
        else:
            yield from _queue(queue, found.pop(queue.handle))
    for handle, queue in found.items():
        yield _Deviation(f"queue {handle}", "nothing", _served(queue))


def _joined(bands: tuple[int, ...]) -> str:
    return " ".join(map(str, bands)) or "nothing"


def _queue(wanted: Queue, there: Queue) -> Iterator[_Deviation]:
    same = wanted.strict == there.strict and isclose(
        wanted.weight or 0, there.weight or 0, rel_tol=_ROUNDED
    )
    if not same:
        what = f"the service of queue {wanted.handle}"
        yield _Deviation(what, _served(wanted), _served(there))
    if not _alike(wanted.marks, there.marks):
        what = f"the ECN marking of queue {wanted.handle}"
        yield _Deviation(what, _marking(wanted.marks), _marking(there.marks))


def _served(queue: Queue) -> str:
    return "strict" if queue.strict else f"shared with weight {queue.weight}"


def _alike(wanted: Marks | None, there: Marks | None) -> bool:
    if wanted is None or there is None:
        return wanted is there
    near = isclose(wanted.probability, there.probability, abs_tol=_CHANCE)
    return near and _bounds(wanted) == _bounds(there)


def _bounds(marks: Marks) -> tuple[int, int, bool]:
    return marks.minimum, marks.maximum, marks.nodrop


def _marking(marks: Marks | None) -> str:
    if marks is None:
        return "none"
    spared = ", nodrop" if marks.nodrop else ""
    return f"{marks.minimum} to {marks.maximum} bytes with {marks.probability:g}{spared}"


def _classified(wanted: PortQueues, there: PortQueues) -> Iterator[_Deviation]:
    """Yield each DSCP in another queue; one without a filter has the default."""
    asked = {(version, dscp): handle for version, dscp, handle in wanted.dscps}
    found = {(version, dscp): handle for version, dscp, handle in there.dscps}
    for version, dscp in sorted(asked.keys() | found.keys()):
        should = asked.get((version, dscp), wanted.default)
        does = found.get((version, dscp), there.default)
        if should != does:
            yield _Deviation(f"the queue of DSCP {dscp} in IPv{version}", f"{should}", f"{does}")
    if wanted.default != there.default:
        yield _Deviation("the queue of all other packets", f"{wanted.default}", f"{there.default}")
