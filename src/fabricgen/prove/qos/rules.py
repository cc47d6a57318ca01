"""Checks the QoS chain of one port, read from its file, against the design.

The chain of a class has two parts: DSCP -> traffic class -> queue that a pause stops, and DSCP ->
traffic class -> priority group that sends the pause. Queues may have other numbers on another
platform, but the priority on the wire may not. Each fault states the value of the file and the
expected value.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from fabricgen.model.fabric.port_qos import DSCPS, PRIORITIES, Lack, Marks, PortQos, Serving, Watch
from fabricgen.model.fabric.qos import Kind, TrafficClass
from fabricgen.prove.qos.expected import Wanted

_NEAR = 1e-3  # percent: tc keeps probabilities in 32 bits, and 1 is spelled 0.99999
_WHOLE = 100


def broken(port: PortQos, wanted: Wanted, lacks: frozenset[Lack]) -> tuple[str, ...]:
    """Return the faults of a port in use."""
    return (*port.faults, *_Judge(port, wanted, lacks).faults())


def paused_for_nothing(port: PortQos) -> tuple[str, ...]:
    """Return the faults of a port that is on no rail path: nothing there may be lossless."""
    faults = list(port.faults)
    if port.paused or port.watched or port.watch:
        faults.append(f"has PFC for priority {_list(port.paused | port.watched)} and is on no path")
    if port.headroom or port.cable or port.keeps:
        faults.append("keeps memory for a lossless class and is on no path")
    return tuple(faults)


@dataclass(slots=True)
class _Judge:
    port: PortQos
    wanted: Wanted
    lacks: frozenset[Lack]
    lossless: tuple[TrafficClass, ...] = field(init=False)
    numbers: dict[TrafficClass, int] = field(init=False)

    def __post_init__(self) -> None:
        """Number the classes as this switch does."""
        self.lossless = self.wanted.qos.lossless
        self.numbers = {}
        for item in self.wanted.qos.classes:
            number = self.port.classes[item.dscps[0]] if item.dscps else None
            if self.port.numbered:
                self.numbers[item] = item.number
            elif number is not None:
                self.numbers[item] = number

    def faults(self) -> Iterator[str]:
        yield from self.port_itself()
        yield from self.classes()
        yield from self.queues()
        yield from self.pauses()
        if Lack.HEADROOM not in self.lacks or self.port.headroom:
            yield from self.groups()
        yield from self.marking()
        yield from self.serving()
        yield from self.watchdog()

    def port_itself(self) -> Iterator[str]:
        """Up, of the fabric's MTU and the cable's speed, classifying by DSCP."""
        port, wanted = self.port, self.wanted
        if port.up is wanted.shut:
            yield "is not shut, and waits" if wanted.shut else "is shut; a path runs over it"
        if port.mtu not in (None, wanted.mtu):  # None: bridged, with no gateway that bounds it
            yield f"has MTU {port.mtu}; it must be {wanted.mtu}"
        if port.rate not in (None, int(wanted.speed)):
            yield f"is served as {port.rate} bit/s; its cable has {wanted.speed}"
        if port.sends not in (None, int(wanted.sends)):
            yield f"sends {port.sends} bit/s; it must send {wanted.sends}"
        if port.trust != "dscp":
            yield f"trusts {port.trust or 'no mark that the file names'}; it must trust dscp"
        rest = next((c for c in wanted.qos.classes if c.kind is Kind.BEST_EFFORT), None)
        if port.default is not None and rest is not None and port.default != rest.number:
            yield f"puts what has no DSCP into class {port.default}; it must be {rest.number}"

    def classes(self) -> Iterator[str]:
        """Each of the 64 code points has the class it is designed for, and no two share one."""
        astray: dict[tuple[int | None, str], list[int]] = {}
        for item in self.wanted.qos.classes:
            for dscp in item.dscps:
                number = self.port.classes[dscp]
                if number is None or number != self.numbers.get(item):
                    name = f"{self.numbers.get(item, item.number)} ({item.kind})"
                    astray.setdefault((number, name), []).append(dscp)
        for (number, name), dscps in astray.items():
            where = "no class" if number is None else f"class {number}"
            yield f"puts DSCP {_list(dscps)} into {where}; it must be class {name}"
        if self.port.implied:
            yield f"does not map DSCP {_list(self.port.implied)} itself; each must be mapped"
        numbers = list(self.numbers.values())
        if len(set(numbers)) != len(numbers):
            yield f"gives its classes the numbers {_list(numbers)}; each needs its own"

    def queues(self) -> Iterator[str]:
        """Each class has a queue of its own; what no code point reaches stays out of them."""
        owners: dict[int, TrafficClass] = {}
        for item, number in self.numbers.items():
            queue = self.port.queue(number)
            if queue is None:
                yield f"gives class {number} ({item.kind}) no queue that the file names"
            elif queue in owners:
                yield (
                    f"puts class {number} ({item.kind}) into queue {queue}, which is that of the "
                    f"{owners[queue].kind} class; it must have its own"
                )
            else:
                owners[queue] = item
        for number in set(PRIORITIES) - set(self.numbers.values()):
            queue = self.port.queue(number)
            owner = owners.get(queue) if queue is not None else None
            if owner is not None and owner.kind is not Kind.BEST_EFFORT:
                yield f"lets class {number}, which is none, into the queue of {owner.kind}"

    def pauses(self) -> Iterator[str]:
        """PFC is on for the designed priorities alone; a pause stops the queue of its class."""
        paused = frozenset(self.wanted.qos.paused)
        if self.port.paused != paused:
            yield f"has PFC for {_list(self.port.paused)}; it must be {_list(paused)}"
        if not self.port.paused:
            return
        for priority in PRIORITIES:
            stops, queue = self.port.stops[priority], self.port.queues[priority]
            if stops != queue or (priority in self.port.paused and stops is None):
                yield (
                    f"lets a pause of priority {priority} stop queue {stops}; class {priority} "
                    f"is in queue {queue}"
                )

    def groups(self) -> Iterator[str]:
        """Each lossless class has a group of its own, with headroom, that sends its pause."""
        port, kept = self.port, set(self.port.headroom)
        groups = {item: port.group(item.number) for item in self.lossless}
        if not groups:
            if kept:
                yield f"keeps headroom for group {_list(kept)}; nothing is paused"
            return
        for item, group in groups.items():
            if group in kept:
                yield from self.group(item, group)
            elif Lack.HEADROOM not in self.lacks and (self.wanted.buffer or not port.sized):
                yield f"keeps no headroom for group {group} of the {item.kind} class"
        if kept - set(groups.values()):
            owned = _list(groups.values())
            yield f"keeps headroom for group {_list(kept)}; it must be {owned} alone"
        if kept & set(groups.values()):
            yield from self.others(kept)
            yield from self.cable()

    def others(self, kept: set[int]) -> Iterator[str]:
        """Nothing else enters a lossless group; what may be lost shares group 0."""
        port = self.port
        for number in set(PRIORITIES) - {item.number for item in self.lossless}:
            if port.groups[number] in kept:
                yield f"lets class {number} into the lossless group {port.groups[number]}"
            elif port.groups[number] != 0:
                yield f"puts class {number} into group {port.groups[number]}, which is nobody's"

    def group(self, item: TrafficClass, group: int | None) -> Iterator[str]:
        """Judge the group of one lossless class: no other is in it, its pause has its priority."""
        port = self.port
        if item.paused is not None and port.fills[item.paused] != group:
            yield (
                f"sends a pause of priority {item.paused} for group "
                f"{port.fills[item.paused]}; the {item.kind} class is in group {group}"
            )
        for other in self.lossless:
            if other is not item and port.group(other.number) == group:
                yield f"has {item.kind} in group {group} of {other.kind}; it must have its own"
        yield from self.headroom(group or 0)

    def headroom(self, group: int) -> Iterator[str]:
        """Headroom is not less than the design counts with, and begins at its threshold."""
        port, wanted = self.port, self.wanted
        size, alpha = port.headroom[group], port.alpha.get(group)
        least = wanted.buffer if port.sized else wanted.least
        if size is not None and least is not None and size < least:
            yield f"keeps {size:,} bytes for a pause; it must be at least {least:,}"
        if size is not None and least is None and port.sized:
            yield f"keeps {size:,} bytes for a pause; no source has a figure for this cable"
        if alpha is not None and wanted.alpha is not None and alpha != wanted.alpha:
            yield f"pauses at the threshold 2^{alpha} of free memory; designed is 2^{wanted.alpha}"

    def cable(self) -> Iterator[str]:
        """Headroom is for this cable, and what it keeps from loss is not dropped at egress."""
        port, wanted = self.port, self.wanted
        if port.cable is not None and port.cable < wanted.length:
            yield f"keeps headroom for {port.cable} m of cable; the cable has {wanted.length} m"
        if None in port.headroom.values() and port.cable not in (None, int(wanted.length)):
            yield f"computes headroom for {port.cable} m; the cable has {wanted.length} m"
        queues = {port.queue(item.number) for item in self.lossless}
        if port.keeps is not None and port.keeps != queues:
            yield f"never drops from queue {_list(port.keeps)}; it must be {_list(queues)} alone"

    def queue_of(self, item: TrafficClass) -> int | None:
        return self.port.queue(self.numbers.get(item))

    def marking(self) -> Iterator[str]:
        """ECN marks in each lossless queue at its own points, and nowhere else."""
        meant: dict[int | None, Marks] = {}
        for item in self.wanted.qos.classes:
            points = (item.marking or {}).get(self.wanted.speed)
            if points is not None:
                spares = item.paused is not None
                meant[self.queue_of(item)] = Marks(
                    points.minimum, points.maximum, points.probability, spares
                )
        for queue in sorted({*meant, *self.port.marks}, key=str):
            read = self.port.marks.get(queue) if queue is not None else None
            if not _alike(read, meant.get(queue)):
                yield f"in queue {queue} {_marks(read)}; it must be: {_marks(meant.get(queue))}"

    def serving(self) -> Iterator[str]:
        """Strict classes are strict, the others share, and the shares are the whole."""
        shares = 0.0
        for item in self.wanted.qos.classes:
            queue = self.queue_of(item)
            read = self.port.serving.get(queue) if queue is not None else None
            shares += (read.share or 0) if read else 0
            meant = Serving(item.strict, item.share)
            if read is None or read.strict != meant.strict or _off(read.share, meant.share):
                yield f"serves queue {queue} of {item.kind} {_served(read)}; {_served(meant)} it is"
        if abs(shares - _WHOLE) > _NEAR:
            yield f"shares out {shares:g} % of the line; it must be 100"

    def watchdog(self) -> Iterator[str]:
        """A stuck queue is let go where the platform can, after the designed times."""
        design = self.wanted.qos.watchdog
        if design is None or not self.lossless:
            if self.port.watch is not None or self.port.watched:
                yield "has a PFC watchdog; none is designed"
            return
        if Lack.WATCHDOG in self.lacks:
            return
        software = self.port.watch is not None and self.port.watch.by_software
        timed = design.polling(self.wanted.ports) if software else design
        meant = Watch(timed.poll, timed.detection, timed.restoration, timed.action, software)
        if self.port.watch != meant:
            yield f"has {_watch(self.port.watch)}; it must be {_watch(meant)}"
        if self.port.watched != self.port.paused:
            watched, wanted = _list(self.port.watched), _list(self.port.paused)
            yield f"watches priority {watched}; PFC is on for {wanted}"


def _alike(one: Marks | None, other: Marks | None) -> bool:
    if one is None or other is None:
        return one is other
    spared = None in (one.spares, other.spares) or one.spares == other.spares
    return spared and one[:2] == other[:2] and not _off(one.percent, other.percent)


def _off(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is not other
    return abs(one - other) > _NEAR


def _marks(marks: Marks | None) -> str:
    if marks is None:
        return "nothing is marked"
    kept = {True: ", others kept", False: ", others dropped", None: ""}[marks.spares]
    return f"{marks.minimum:,} to {marks.maximum:,} bytes mark up to {marks.percent:g} %{kept}"


def _served(serving: Serving | None) -> str:
    if serving is None:
        return "in no way that the file names"
    return "strictly" if serving.strict else f"with {serving.share or 0:g} %"


def _watch(watch: Watch | None) -> str:
    if watch is None:
        return "no PFC watchdog"
    times = "/".join("unknown" if time is None else f"{time:g}" for time in watch[:3])
    return f"a watchdog of {times} ms (poll/detection/restoration) that does {watch.action}"


def _list(numbers: Iterable[int | None]) -> str:
    known = sorted({number for number in numbers if number is not None})
    if len(known) == len(DSCPS):
        return "0-63"
    return ", ".join(map(str, known)) or "nothing"
