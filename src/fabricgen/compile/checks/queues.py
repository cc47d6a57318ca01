"""Check that every DSCP has one queue, shares add up, and only RoCE and storage are paused.

A code point without a class goes to the default queue without an error, and RoCE there is lossy. To
fix it, change `roce` (dscp, priority, cnp, scheduler, ecn, watchdog). The check examines each set
of classes of a switch, with the speeds of the ports in use: all 64 code points, and every class.
"""

from collections import Counter

from fabricgen.compile.checks.tally import Tallied, listing
from fabricgen.core.diagnostics import Code, Examined
from fabricgen.core.units import BitsPerSecond
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.qos import Kind, Marking, Qos, TrafficClass, Watchdog
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice

CODE_POINTS = range(64)
CLASSES = range(8)
_MAY_BE_PAUSED = (Kind.LOSSLESS, Kind.STORAGE)


class Queues(Tallied):
    """Sets of traffic classes, usually one per fabric, and the speeds that each serves."""

    name, code, noun = "queues", Code.QUEUES_INCOMPLETE, "code points and classes"

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.told: dict[int, tuple[Qos, set[BitsPerSecond]]] = {}

    def see(self, fabric: Fabric, switch_slice: SwitchSlice) -> None:
        """Record the speeds in use, and report a switch with other classes than its fabric."""
        if switch_slice.qos is not fabric.qos_of(switch_slice.switch.role):
            text = (
                f"{switch_slice.switch.name} has other traffic classes than the rest of the "
                f"{fabric.name}"
            )
            self.tally.add("switches with other classes", text, switch_slice.switch.because)
        if switch_slice.qos is not None:
            self.marks(switch_slice, switch_slice.qos)
            _, speeds = self.told.setdefault(id(switch_slice.qos), (switch_slice.qos, set()))
            speeds.update(i.port.speed for i in switch_slice.interfaces if i.use is not Use.UNUSED)

    def marks(self, switch_slice: SwitchSlice, qos: Qos) -> None:
        """Require that the DSCP that a port writes belongs to the same class."""
        for marks in switch_slice.marks:
            self.tally.objects += 1
            for mark in marks:
                number = qos.class_of(mark.dscp).number
                if number != mark.number:
                    text = (
                        f"{switch_slice.switch.name} writes DSCP {mark.dscp} for class "
                        f"{mark.number}"
                    )
                    self.say(
                        "DSCP values of ports", qos, f"{text}, but this DSCP is in class {number}"
                    )

    def result(self) -> Examined:
        """Examine each set of classes once."""
        for qos, speeds in self.told.values():
            self.tally.objects += len(CODE_POINTS) + len(qos.classes)
            self.code_points(qos)
            self.numbers(qos)
            self.pause(qos)
            for item in qos.classes:
                self.marking(qos, item, sorted(speeds))
            if qos.watchdog is not None:
                self.watchdog(qos, qos.watchdog)
        return self.tally.result()

    def code_points(self, qos: Qos) -> None:
        """Require that each of the 64 code points has exactly one class."""
        times = Counter(dscp for item in qos.classes for dscp in item.dscps)
        wrong = [dscp for dscp in CODE_POINTS if times[dscp] != 1]
        for dscp in wrong:
            self.say("code points", qos, f"DSCP {dscp} is in {times[dscp]} classes, not in one")
        beyond = sorted(times.keys() - set(CODE_POINTS))
        if beyond:
            self.say("code points", qos, f"DSCP {listing(beyond)} does not exist")

    def numbers(self, qos: Qos) -> None:
        """Require different class numbers and shares that add up to 100 %."""
        numbers = Counter(item.number for item in qos.classes)
        for number, times in numbers.items():
            if times > 1 or number not in CLASSES:
                self.say("class numbers", qos, f"{times} class(es) have the number {number}")
        total = sum(item.share or 0 for item in qos.classes if not item.strict)
        if total != 100:
            self.say("shares", qos, f"the shares of the classes add up to {total} %, not 100")
        for item in qos.classes:
            if item.strict == bool(item.share):
                strict = "strict" if item.strict else "not strict"
                self.say("shares", qos, f"{_name(item)} is {strict} and has the share {item.share}")

    def pause(self, qos: Qos) -> None:
        """Require that only RoCE data and storage are paused, each with its own priority.

        A pause has the number of the class it stops: a switch without another map (EOS)
        would stop another class than the class that fills its memory.
        """
        for item in qos.lossless:
            if item.strict:
                self.say("paused classes", qos, f"{_name(item)} is paused and strict at once")
            if item.paused != item.number:
                wrong = (
                    f"{_name(item)} is paused by priority {item.paused}, which is not its number"
                )
                self.say("paused classes", qos, wrong)
            if item.kind not in _MAY_BE_PAUSED:
                self.say("paused classes", qos, f"{_name(item)} is paused and may be dropped")
        for kind in _MAY_BE_PAUSED:
            same = [_name(item) for item in qos.classes if item.kind is kind]
            if len(same) > 1:
                text = f"{len(same)} classes are {kind}: {listing(same)}"
                self.say("paused classes", qos, text)
        for item in qos.classes:
            if item.kind is Kind.CNP and (
                not item.strict or item.paused is not None or item.marking is not None
            ):
                self.say("CNP classes", qos, f"{_name(item)} must be strict, unpaused and unmarked")

    def marking(self, qos: Qos, item: TrafficClass, speeds: list[BitsPerSecond]) -> None:
        """Require valid marking points of a marked class for every speed in use."""
        if item.marking is None:
            return
        for speed in speeds:
            if speed not in item.marking:
                self.say(
                    "marking points",
                    qos,
                    f"{_name(item)} has no ECN thresholds for {speed} ports, which are in use",
                )
        for speed, points in item.marking.items():
            if not _sound(points):
                self.say(
                    "marking points",
                    qos,
                    f"{_name(item)} on {speed} ports marks from "
                    f"{points.minimum:,} to {points.maximum:,} bytes with {points.probability} %",
                )

    def watchdog(self, qos: Qos, watch: Watchdog) -> None:
        """Require a watchdog that polls before it acts or ends, as SONiC's pfcwd does."""
        if min(watch.detection, watch.restoration) < watch.poll:
            self.say(
                "watchdog timers",
                qos,
                f"the watchdog detection of {watch.detection} ms and restoration of "
                f"{watch.restoration} ms must be at least the poll interval of {watch.poll} ms",
            )

    def say(self, kind: str, qos: Qos, message: str) -> None:
        """Add a finding about a set of classes."""
        self.tally.add(f"faults in {kind}", f"profile {qos.profile}: {message}", qos.because)


def _sound(points: Marking) -> bool:
    return 0 < points.minimum < points.maximum and 1 <= points.probability <= 100


def _name(item: TrafficClass) -> str:
    return f"class {item.number} ({item.kind})"
