"""Checks the QoS chain of one port, read from its file, against the design.

The chain of a class has two parts: DSCP -> traffic class -> queue that a pause stops, and DSCP ->
traffic class -> priority group that sends the pause. Queues may have other numbers on another
platform, but the priority on the wire may not. Each fault states the value of the file and the
expected value.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from fabricgen.model.fabric.port_qos import (
    DSCPS,
    PRIORITIES,
    Cut,
    Lack,
    Marks,
    PortQos,
    Serving,
    Watch,
)
from fabricgen.model.fabric.qos import Kind, TrafficClass
from fabricgen.prove.qos.expected import Wanted

_NEAR = 1e-3  # percent: tc keeps probabilities in 32 bits, and 1 is spelled 0.99999
_WHOLE = 100


def broken(port: PortQos, wanted: Wanted, lacks: frozenset[Lack]) -> tuple[str, ...]:
    """Return the faults of a port in use."""
    return (*port.faults, *_Judge(port, wanted, lacks).faults())


def paused_for_nothing(port: PortQos) -> tuple[str, ...]:
    """Return the faults of a port without a rail path: none of its traffic may be lossless."""
    faults = list(port.faults)
    if port.paused or port.watched or port.watch:
        faults.append(f"has PFC for priority {_list(port.paused | port.watched)} but is on no path")
    if port.headroom or port.cable or port.keeps:
        faults.append("keeps memory for a lossless class but is on no path")
    return tuple(faults)


@dataclass(slots=True)
class _Judge:
    port: PortQos
    wanted: Wanted
    lacks: frozenset[Lack]
    lossless: tuple[TrafficClass, ...] = field(init=False)
    numbers: dict[TrafficClass, int] = field(init=False)

    def __post_init__(self) -> None:
        """Set the numbers of the classes on this switch."""
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
        yield from self.trimming()
        yield from self.watchdog()

    def port_itself(self) -> Iterator[str]:
        """Check that the port is up, with the fabric's MTU and speed, and classifies by DSCP."""
        port, wanted = self.port, self.wanted
        if port.up is wanted.shut:
            yield (
                ("is not shut, but must wait")
                if wanted.shut
                else "is shut, but a path runs over it"
            )
        if port.mtu not in (None, wanted.mtu):  # None: bridged, without a gateway that limits it
            yield f"has MTU {port.mtu}; it must be {wanted.mtu}"
        if port.rate not in (None, int(wanted.speed)):
            yield f"is scheduled as {port.rate} bit/s; its cable has {wanted.speed}"
        if port.sends not in (None, int(wanted.sends)):
            yield f"sends {port.sends} bit/s; it must send {wanted.sends}"
        if port.trust != "dscp":
            yield f"trusts {port.trust or 'no marking that the file names'}; it must trust dscp"
        rest = next((c for c in wanted.qos.classes if c.kind is Kind.BEST_EFFORT), None)
        if port.default is not None and rest is not None and port.default != rest.number:
            yield f"puts packets without DSCP into class {port.default}; it must be {rest.number}"

    def classes(self) -> Iterator[str]:
        """Check that each of the 64 code points has its designed class, and classes differ."""
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
            yield f"does not map DSCP {_list(self.port.implied)} in its file; each must be mapped"
        numbers = list(self.numbers.values())
        if len(set(numbers)) != len(numbers):
            yield f"gives its classes the numbers {_list(numbers)}; each needs its own"

    def queues(self) -> Iterator[str]:
        """Check that each class has its own queue without other traffic."""
        owners: dict[int, TrafficClass] = {}
        for item, number in self.numbers.items():
            queue = self.port.queue(number)
            if queue is None:
                yield f"gives class {number} ({item.kind}) no queue in the file"
            elif queue in owners:
                yield (
                    f"puts class {number} ({item.kind}) into queue {queue}, which belongs to the "
                    f"{owners[queue].kind} class; it must have its own"
                )
            else:
                owners[queue] = item
        for number in set(PRIORITIES) - set(self.numbers.values()):
            queue = self.port.queue(number)
            owner = owners.get(queue) if queue is not None else None
            if owner is not None and owner.kind is not Kind.BEST_EFFORT:
                yield f"lets the undefined class {number} into the queue of {owner.kind}"

    def pauses(self) -> Iterator[str]:
        """Check that PFC is on only for the designed priorities, and a pause stops its class."""
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
        """Check that each lossless class has its own group with headroom that sends its pause."""
        port, kept = self.port, set(self.port.headroom)
        groups = {item: port.group(item.number) for item in self.lossless}
        if not groups:
            if kept:
                yield f"keeps headroom for group {_list(kept)}, but no class is paused"
            return
        for item, group in groups.items():
            if group in kept:
                yield from self.group(item, group)
            elif Lack.HEADROOM not in self.lacks and (self.wanted.buffer or not port.sized):
                yield f"keeps no headroom for group {group} of the {item.kind} class"
        if kept - set(groups.values()):
            owned = _list(groups.values())
            yield f"keeps headroom for group {_list(kept)}; it must be only {owned}"
        if kept & set(groups.values()):
            yield from self.others(kept)
            yield from self.cable()

    def others(self, kept: set[int]) -> Iterator[str]:
        """Check that no other class enters a lossless group, and lossy classes share group 0."""
        port = self.port
        for number in set(PRIORITIES) - {item.number for item in self.lossless}:
            if port.groups[number] in kept:
                yield f"lets class {number} into the lossless group {port.groups[number]}"
            elif port.groups[number] != 0:
                yield f"puts class {number} into group {port.groups[number]}, which no class uses"

    def group(self, item: TrafficClass, group: int | None) -> Iterator[str]:
        """Check the group of one lossless class: it has no other class, and the right priority."""
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
        """Check that headroom is at least the designed value, and starts at its threshold."""
        port, wanted = self.port, self.wanted
        size, alpha = port.headroom[group], port.alpha.get(group)
        least = wanted.buffer if port.sized else wanted.least
        if size is not None and least is not None and size < least:
            yield f"keeps {size:,} bytes for a pause; it must be at least {least:,}"
        if size is not None and least is None and port.sized:
            yield f"keeps {size:,} bytes for a pause; no source has a value for this cable"
        if alpha is not None and wanted.alpha is not None and alpha != wanted.alpha:
            yield (
                f"pauses at the threshold 2^{alpha} of free memory; the design has 2^{wanted.alpha}"
            )

    def cable(self) -> Iterator[str]:
        """Check that headroom is for this cable, and lossless queues are not dropped at egress."""
        port, wanted = self.port, self.wanted
        if port.cable is not None and port.cable < wanted.length:
            yield f"keeps headroom for {port.cable} m of cable; the cable has {wanted.length} m"
        if None in port.headroom.values() and port.cable not in (None, int(wanted.length)):
            yield f"computes headroom for {port.cable} m; the cable has {wanted.length} m"
        queues = {port.queue(item.number) for item in self.lossless}
        if port.keeps is not None and port.keeps != queues:
            yield f"never drops from queue {_list(port.keeps)}; it must be only {_list(queues)}"

    def queue_of(self, item: TrafficClass) -> int | None:
        return self.port.queue(self.numbers.get(item))

    def marking(self) -> Iterator[str]:
        """Check that ECN marks only in each lossless queue, with its own points."""
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
                yield (f"queue {queue} has {_marks(read)}; it must have {_marks(meant.get(queue))}")

    def serving(self) -> Iterator[str]:
        """Check that strict classes are strict, and the shares of the others add up to 100."""
        shares = 0.0
        for item in self.wanted.qos.classes:
            queue = self.queue_of(item)
            read = self.port.serving.get(queue) if queue is not None else None
            shares += (read.share or 0) if read else 0
            meant = Serving(item.strict, item.share)
            if read is None or read.strict != meant.strict or _off(read.share, meant.share):
                yield (
                    f"serves queue {queue} of {item.kind} {_served(read)}; it must be served "
                    f"{_served(meant)}"
                )
        if abs(shares - _WHOLE) > _NEAR:
            yield f"distributes {shares:g} % of the line; it must be 100"

    def trimming(self) -> Iterator[str]:
        """Check that exactly the designed queues trim, to the designed size, DSCP and queue."""
        into = self.wanted.qos.trimmed
        meant = {
            self.queue_of(item): Cut(item.cut, into.dscps[0], self.queue_of(into))
            for item in self.wanted.qos.classes
            if item.cut is not None and into is not None
        }
        if Lack.TRIMMING in self.lacks and not self.port.cuts:
            return
        for queue in sorted({*meant, *self.port.cuts}, key=str):
            read = self.port.cuts.get(queue) if queue is not None else None
            if read != meant.get(queue):
                yield f"queue {queue} {_cut(read)}; it must be that it {_cut(meant.get(queue))}"

    def watchdog(self) -> Iterator[str]:
        """Check that a stuck queue is released after the designed times, if the platform can."""
        design = self.wanted.qos.watchdog
        if design is None or not self.lossless:
            if self.port.watch is not None or self.port.watched:
                yield "has a PFC watchdog, but the design has none"
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
        return "no marking"
    kept = {True: ", others kept", False: ", others dropped", None: ""}[marks.spares]
    return (
        f"marking of {marks.minimum:,} to {marks.maximum:,} bytes with up to {marks.percent:g} "
        f"%{kept}"
    )


def _cut(cut: Cut | None) -> str:
    if cut is None:
        return "drops packets"
    return f"trims packets to {cut.size} bytes with DSCP {cut.dscp} in queue {cut.queue}"


def _served(serving: Serving | None) -> str:
    if serving is None:
        return "without a schedule in the file"
    return "strictly" if serving.strict else f"with {serving.share or 0:g} %"


def _watch(watch: Watch | None) -> str:
    if watch is None:
        return "no PFC watchdog"
    times = "/".join("unknown" if time is None else f"{time:g}" for time in watch[:3])
    return f"a watchdog of {times} ms (poll/detection/restoration) with action {watch.action}"


def _list(numbers: Iterable[int | None]) -> str:
    known = sorted({number for number in numbers if number is not None})
    if len(known) == len(DSCPS):
        return "0-63"
    return ", ".join(map(str, known)) or "nothing"
