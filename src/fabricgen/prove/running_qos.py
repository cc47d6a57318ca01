"""List the QoS and packet memory that a running switch must have, from the model alone.

Queues and groups have the numbers of classes. A platform with other numbers has no such topic.
"""

from collections.abc import Iterator
from functools import lru_cache

from fabricgen.core.tree.facts import Attributes
from fabricgen.core.units import BitsPerSecond
from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.port_qos import DSCPS
from fabricgen.model.fabric.qos import Qos, TrafficClass, reason
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.lowering import spell
from fabricgen.prove.designed import MORE, Designed

LOSSY_GROUP = "0"
"""The priority group of all classes that PFC does not pause."""


def running_qos(switch_slice: SwitchSlice) -> Iterator[Designed]:
    """Yield classification, PFC, watchdog, marking, scheduling and headroom of each port in use.

    A port whose DSCPs are not trusted may have the settings of other ports. It has no demand.
    """
    qos = switch_slice.qos
    if qos is None:
        return
    trusted = set(map(id, switch_slice.marked))
    classified, timers = _classified(qos), _watchdog(switch_slice, qos)
    for item in switch_slice.interfaces:
        if item.use is Use.UNUSED:
            continue
        port, demands = spell(switch_slice.switch, item.port), id(item) in trusted
        for key, own, why in (
            (("qos", port), classified, qos.because),
            *((("watchdog", port), each, qos.because) for each in timers),
        ):
            yield Designed(MORE, key, own if demands else {}, why)
        for each in (*_queues(qos, port, item), *_headroom(switch_slice, qos, port, item)):
            yield each if demands else each._replace(attributes={})


def lossless_of(
    switch_slice: SwitchSlice,
) -> tuple[dict[str, tuple[str, ...]], frozenset[tuple[str, str]]]:
    """Return the paused priorities by port, and the ports and classes whose packets are marked.

    They hold on every platform, also where no reader shows the settings themselves.
    """
    qos = switch_slice.qos
    if qos is None:
        return {}, frozenset()
    paused = tuple(map(str, sorted(qos.paused)))
    used = [item for item in switch_slice.marked if item.use is not Use.UNUSED]
    ports = {spell(switch_slice.switch, item.port): item for item in used}
    marked = (
        (port, str(each.number))
        for port, item in ports.items()
        for each in qos.classes
        if _points(each, item.port.speed)
    )
    return dict.fromkeys(ports, paused) if paused else {}, frozenset(marked)


def _classified(qos: Qos) -> Attributes:
    own: Attributes = {"trust": "dscp"}
    for code in DSCPS:
        each = qos.class_of(code)
        own[f"dscp {code}"] = str(each.number)
        own[f"group {code}"] = str(each.paused) if each.paused is not None else LOSSY_GROUP
    if qos.paused:
        paused = tuple(map(str, sorted(qos.paused)))
        own |= {"pause": paused, **({"watched": paused} if qos.watchdog is not None else {})}
    return own


def _watchdog(switch_slice: SwitchSlice, qos: Qos) -> list[Attributes]:
    """Return the timers of the watchdog in milliseconds, if there is one."""
    if qos.watchdog is None or not qos.lossless:
        return []
    watch = qos.watchdog.polling(switch_slice.switch.laid_out)
    return [
        {
            "detection": str(int(watch.detection)),
            "restoration": str(int(watch.restoration)),
            "action": watch.action,
        }
    ]


def _queues(qos: Qos, port: str, item: Interface) -> Iterator[Designed]:
    """Yield how each queue is served, and where its marking begins and ends."""
    for each in qos.classes:
        why, number = reason(qos, each), str(each.number)
        yield Designed(MORE, ("scheduler", port, number), _served(each), why)
        if points := _points(each, item.port.speed):
            yield Designed(MORE, ("marking", port, number), points, why)


def _served(each: TrafficClass) -> Attributes:
    strict = each.strict or each.share is None
    return {"service": "strict" if strict else f"shared with weight {each.share}"}


@lru_cache(maxsize=1024)
def _points(each: TrafficClass, speed: BitsPerSecond) -> Attributes:
    points = (each.marking or {}).get(speed)
    if points is None:
        return {}
    return {
        "minimum": str(int(points.minimum)),
        "maximum": str(int(points.maximum)),
        "percent": str(points.probability),
    }


def _headroom(
    switch_slice: SwitchSlice, qos: Qos, port: str, item: Interface
) -> Iterator[Designed]:
    """Yield the headroom of each lossless group, if the memory of the model is known."""
    buffers = switch_slice.buffers
    known = buffers is not None and buffers.lacks is None
    planned = buffers.port(item.port.speed, item.length) if buffers is not None and known else None
    own: Attributes = {"bytes": str(int(planned.headroom))} if planned is not None else {}
    for number in qos.paused:
        yield Designed(MORE, ("headroom", port, str(number)), own, qos.because)
