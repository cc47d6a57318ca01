"""Reads the traffic classes and queues of a fabric from its ports, as intent keys."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from fabricgen.core.record import record
from fabricgen.importer.beside import Beside
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.port_qos import DSCPS, Lack, PortQos, QosState
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.lowering import spell
from fabricgen.nos.registry import nos
from fabricgen.prove.foreign.switch import Judged

Words = dict[tuple[str, ...], Any]
"""Values by path below `roce`. Values below `also` are compared and never written."""
ALSO = "also"
_DATA, _STORAGE = (3, 26), (4, 4)
"""Usual priority and DSCP of RoCE data and of storage (intent/model/qos.py)."""
_DEFAULT, _ROUTING = 0, 56
"""DSCPs of best effort and routing protocols. Platforms number their classes differently."""


@record(eq=False, kw_only=True)
class Looked:
    """One port of each kind. sort: tier, use and speed."""

    sort: tuple[str, ...]
    port: PortQos
    lacks: frozenset[Lack]


def looked(
    beside: Beside, files: Callable[[SwitchSlice, Judged], Judged] | None = None
) -> list[Looked]:
    """Return a port of each kind. files: read these instead of the given files."""
    seen: dict[tuple[str, ...], Looked] = {}
    for switch_slice, there in beside.pieces():
        new = {sort: name for sort, name in _sorts(switch_slice) if sort not in seen}
        state = state_of(switch_slice, files(switch_slice, there) if files and new else there)
        for sort, name in new.items():
            port = state.ports.get(name)
            if port is not None and port.up:
                seen.setdefault(sort, Looked(sort=sort, port=port, lacks=state.lacks))
    return sorted(seen.values(), key=lambda each: each.sort[1] != Use.FABRIC)


def state_of(switch_slice: SwitchSlice, there: Judged) -> QosState:
    """Read the queues of a switch with a known model."""
    late = nos(there.platform).qos
    assert late is not None
    return late.load()(switch_slice.switch.model, there.found.texts)


def _sorts(switch_slice: SwitchSlice) -> Iterator[tuple[tuple[str, ...], str]]:
    known = set()
    for each in switch_slice.interfaces:
        sort = (
            str(switch_slice.switch.role),
            str(each.use),
            str(each.port.speed),
            switch_slice.switch.platform,
        )
        if each.use in (Use.FABRIC, Use.NIC) and sort not in known:
            known.add(sort)
            yield sort, spell(switch_slice.switch, each.port)


def strict(port: PortQos, number: int) -> bool:
    """Check whether a class has strict priority."""
    served = port.serving.get(port.queue(number) or 0)
    return served is not None and served.strict


def dscps(port: PortQos, number: int) -> list[int]:
    """Return the DSCPs of a class."""
    return [each for each in DSCPS if port.classes[each] == number]


def numbers(port: PortQos) -> list[int]:
    """Return the classes of servers and NICs, without best effort and routing."""
    every = {each for each in port.classes if each is not None}
    return sorted(every - {port.classes[_DEFAULT], port.classes[_ROUTING]})


def lossless(port: PortQos) -> list[int]:
    """Return the classes of RoCE data and storage: paused ones, else ECN-marked ones."""
    found = [
        each
        for each in numbers(port)
        if not strict(port, each)
        and (each in port.paused or port.queue(each) in {*port.marks, *port.cuts})
    ]

    def order(number: int) -> tuple[bool, bool, int]:
        return not _is(port, number, _DATA), _is(port, number, _STORAGE), number

    return sorted(found, key=order)


def has_roce(port: PortQos) -> bool:
    """Check whether a port pauses a class, or has a strict one for CNPs: else TCP is marked."""
    return bool(port.paused) or any(strict(port, each) for each in numbers(port))


def _is(port: PortQos, number: int, usual: tuple[int, int]) -> bool:
    """Check whether a class has a usual number, or else the usual DSCP."""
    return number == usual[0] if port.numbered else usual[1] in dscps(port, number)


def share(port: PortQos, number: int) -> int | None:
    """Return the share of a class in percent."""
    queue = port.queue(number)
    served = port.serving.get(queue) if queue is not None else None
    return round(served.share) if served is not None and served.share is not None else None


def said_of(every: Iterable[Looked]) -> Words:
    """Return the settings of the lossless classes at ports. Empty without such classes."""
    seen = list(every)
    first = next((each.port for each in seen if lossless(each.port)), None)
    if first is None:
        return {}
    words = _classes(first)
    for each in seen:
        words |= {(ALSO, *each.sort, *key): value for key, value in _also(each).items()}
    watched = [each for each in seen if Lack.WATCHDOG not in each.lacks]
    for each in watched[:1]:
        words |= _watchdog(each.port)
    return words


def _classes(port: PortQos) -> Words:
    data, *more = lossless(port)
    best = port.classes[_DEFAULT]
    words: Words = {
        ("dscp",): dscps(port, data)[0],
        **_priority(port, data),
        ("pfc",): bool(port.paused),
        ("alpha",): port.alpha.get(port.group(data) or 0),
        **{("ecn", *key): value for key, value in _marking(port, data).items()},
    }
    shares = {"lossless": share(port, data), "best_effort": share(port, best or 0)}
    if None not in shares.values():
        words[("scheduler",)] = shares
    for number in more[:1]:
        words |= {("storage", *key): value for key, value in _storage(port, number).items()}
    cut = next(iter(port.cuts.values()), None)
    if cut is not None:
        kept = {"size": cut.size, "dscp": cut.dscp, "priority": cut.queue}
        words |= {("trimming", key): value for key, value in kept.items()}
    others = (each for each in numbers(port) if cut is None or port.queue(each) != cut.queue)
    cnp = next((each for each in others if strict(port, each)), None)
    if cnp is not None:
        said = {("dscp",): dscps(port, cnp)[0], **_priority(port, cnp)}
        words |= {("cnp", *key): value for key, value in said.items()}
    return words


def _priority(port: PortQos, number: int) -> Words:
    return {("priority",): number} if port.numbered else {}


def _storage(port: PortQos, number: int) -> Words:
    return {
        ("dscp",): dscps(port, number)[0],
        **_priority(port, number),
        ("share",): share(port, number),
        **{("ecn", *key): value for key, value in _marking(port, number).items()},
    }


def _marking(port: PortQos, number: int) -> Words:
    marks = port.marks.get(port.queue(number) or 0)
    if marks is None:
        return {("enabled",): False}
    return {
        ("enabled",): True,
        ("minimum",): marks.minimum,
        ("maximum",): marks.maximum,
        ("probability",): round(marks.percent),
    }


def _watchdog(port: PortQos) -> Words:
    watch = port.watch
    if watch is None or not port.watched:
        return {("watchdog", "enabled"): False}
    times = {"poll": watch.poll, "detection": watch.detection, "restoration": watch.restoration}
    known: Words = {
        ("watchdog", key): round(value) for key, value in times.items() if value is not None
    }
    action: Words = {("watchdog", "action"): watch.action} if watch.action else {}
    return {("watchdog", "enabled"): True, **known, **action}


def _also(seen: Looked) -> Words:
    """Return values that depend on several keys and are only compared."""
    port = seen.port
    return {
        ("headroom",): dict(port.headroom),
        ("marks",): dict(port.marks),
        ("classes",): port.classes,
        ("shares",): {queue: served.share for queue, served in port.serving.items()},
        ("alpha",): dict(port.alpha),
        ("cuts",): dict(port.cuts),
    }
