"""Compare the traffic class of a packet at a hop: queue, ECN, PFC priority and headroom."""

from collections.abc import Iterator, Mapping

from fabricgen.core.record import record
from fabricgen.core.tree.facts import Key, Value
from fabricgen.model.fabric.port_qos import DSCPS, PortQos
from fabricgen.model.fabric.qos import Kind, Qos, TrafficClass
from fabricgen.prove.qos.expected import Wanted
from fabricgen.prove.reach.live.sides import Seen, Side, Unknown, Unstated, compared
from fabricgen.prove.reach.live.steps import Item

_NOT_BACK = "the platform's queues are not read back"
_PERCENT = 100


@record(eq=False, kw_only=True)
class Marked:
    """The class of a packet. `version`: its IP version, because Linux has a filter for each."""

    dscp: int
    version: int
    item: TrafficClass


def class_of(qos: Qos | None, dscp: int | None) -> tuple[int, TrafficClass | None]:
    """Return the DSCP of a packet and its class. None: RoCE where the fabric has it, else 0."""
    if qos is None:
        return dscp or 0, None
    if dscp is None:
        roce = next((each for each in qos.classes if each.kind is Kind.LOSSLESS), None)
        dscp = roce.dscps[0] if roce is not None else 0
    chosen = next((each for each in qos.classes if dscp in each.dscps), qos.best_effort)
    return dscp, chosen


def egress_items(side: Side, port: str, marked: Marked, wanted: Wanted | None) -> Iterator[Item]:
    """Yield the queue of a class at a port, and its ECN thresholds."""
    queue = _queue(side, port, marked)
    if queue is not None:
        yield _served(side, port, marked, *queue)
    marks = marked.item.marking
    if wanted is not None and marks and wanted.speed in marks:
        handle = str(side.model(*queue) or "") if queue is not None else ""
        yield _ecn(side, port, marked, wanted, handle)


def _queue(side: Side, port: str, marked: Marked) -> tuple[Key, str] | None:
    """Return the fact with the queue of a DSCP. None if the model expects none."""
    linux, other = ("queues", port), ("qos", port)
    own: Mapping[str, Value] = side.expected.facts.get(linux, {})
    exact = f"dscp {marked.version} {marked.dscp}"
    if own:
        return linux, exact if exact in own else "default"
    word = f"dscp {marked.dscp}"
    return (other, word) if side.model(other, word) is not None else None


def _served(side: Side, port: str, marked: Marked, key: Key, attribute: str) -> Item:
    model, written = side.model(key, attribute), _port(side, port)
    files: Seen = Unknown(_NOT_BACK)
    if written is not None:
        files = model if _is_alike(written, marked) else "another class"
    running = side.running(key, attribute)
    if running is None and attribute.startswith("dscp 4"):
        running = side.running(key, "default")
    return compared(
        f"queue of DSCP {marked.dscp}",
        port,
        (model, files, running),
        source=side.source(key, attribute),
    )


def _is_alike(written: PortQos, marked: Marked) -> bool:
    """Return whether files put a DSCP into its class.

    The numbers of classes are from the model, or only show which DSCPs are in one class.
    """
    number = written.classes[marked.dscp]
    if number is None or written.numbered:
        return number == marked.item.number
    return {dscp for dscp in DSCPS if written.classes[dscp] == number} >= {*marked.item.dscps}


def _port(side: Side, port: str) -> PortQos | None:
    return side.qos.ports.get(port) if side.qos is not None else None


def _ecn(side: Side, port: str, marked: Marked, wanted: Wanted, handle: str) -> Item:
    """Compare the bytes at which marking begins and ends, and its percentage there."""
    assert marked.item.marking is not None
    marks = marked.item.marking[wanted.speed]
    model = _points(marks.minimum, marks.maximum, marks.probability)
    written = _port(side, port)
    files: Seen = Unknown(_NOT_BACK)
    if written is not None:
        own = written.marks.get(written.queue(written.classes[marked.dscp]) or 0)
        files = _points(own.minimum, own.maximum, own.percent) if own is not None else None
    key, running = _running_marks(side, port, handle)
    return compared("ECN", port, (model, files, running), source=side.source(key, "marking"))


def _running_marks(side: Side, port: str, handle: str) -> tuple[Key, Seen]:
    linux = ("queues", port)
    if side.expected.facts.get(linux):
        own = side.running(linux, f"marking {handle}")
        if not isinstance(own, tuple) or isinstance(own, Unknown):
            return linux, own
        return linux, _points(own[0], own[1], float(own[2]) * _PERCENT)
    key = ("marking", port, handle)
    every = [side.running(key, name) for name in ("minimum", "maximum", "percent")]
    odd = next((each for each in every if each is None or isinstance(each, Unknown)), "")
    return key, odd if odd != "" else _points(*map(str, every))


def _points(minimum: object, maximum: object, percent: object) -> str:
    low, high = int(str(minimum)), int(str(maximum))
    unit, size = ("kB", 1000) if not (low % 1000 or high % 1000) else ("B", 1)
    return f"{low // size}-{high // size} {unit} {float(str(percent)):.4g}%"


def ingress_items(side: Side, port: str, marked: Marked, wanted: Wanted | None) -> Iterator[Item]:
    """Yield the PFC priority of a class at a port, and its headroom. A lossy class has none."""
    paused = marked.item.paused
    if paused is None:
        return
    written = _port(side, port)
    sent: Seen = Unknown(_NOT_BACK)
    if written is not None:
        number = written.sent_for(marked.dscp)
        sent = str(number) if number is not None else None
    pauses = side.running(("qos", port), "pause")
    if not isinstance(pauses, Unknown):
        pauses = str(paused) if str(paused) in (pauses or ()) else None
    source = side.source(("qos", port), "pause")
    yield compared("PFC priority", port, (str(paused), sent, pauses), source=source)
    if wanted is not None and wanted.least is not None:
        yield _headroom(side, port, marked, wanted.least)


def _headroom(side: Side, port: str, marked: Marked, least: int) -> Item:
    """Compare the bytes of headroom. More than designed is right; the margin is shown."""
    written, paused = _port(side, port), marked.item.paused
    files: Seen = Unknown(_NOT_BACK)
    if written is not None:
        group = written.group(written.classes[marked.dscp])
        own = written.headroom.get(group) if group is not None else None
        lost = group not in written.headroom
        files = None if lost else Unstated("computed later") if own is None else str(own)
    group_word = side.model(("qos", port), f"group {marked.dscp}") or str(paused)
    key = ("headroom", port, str(group_word))
    model = str(side.model(key, "bytes") or least)
    return compared(
        "headroom",
        port,
        (_margin(model, least), _margin(files, least), _margin(side.running(key, "bytes"), least)),
        fits=_is_enough,
        source=side.source(key, "bytes"),
    )


def _margin(value: Seen, least: int) -> Seen:
    if not isinstance(value, str) or not value.isdecimal():
        return value
    return f"{int(value)} B, margin {int(value) - least}"


def _is_enough(model: Value | None, seen: Value | None) -> bool:
    del model
    return isinstance(seen, str) and not seen.partition("margin ")[2].startswith("-")
