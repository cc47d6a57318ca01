"""Read the bands, scheduling, marking and filters of one port from tc.batch.

Bands count from 0: the class 1:1 of a scheduler is band 0. Handles, limits and bursts are compared
with their computed values. A wrong one makes tc refuse the line, or makes the queue drop packets
before it marks them.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from fabricgen.core.tree.facts import Reading, Topic, add
from fabricgen.core.tree.whole import Judged
from fabricgen.model.fabric.port_qos import DSCPS, Marks, Serving

FIFO_LIMIT = 1000  # DEFAULT_TX_QUEUE_LEN, linux include/net/pkt_sched.h
AVERAGE_PACKET = 1000  # tc-red(8): "a value of 1000 is reasonable"
# tc red keeps `bandwidth` in 32 bits of bytes per second (iproute2 6.1 tc/q_red.c).
FASTEST = 34 * 10**9
# A probability of 1 overflows to none in tc (tc_red.c: max_P = p * pow(2, 32)).
CERTAIN = "0.99999"
FRAME = 9000  # bytes: an HTB quantum below a frame is refused or unfair (tc-htb(8))

_ETS = re.compile(
    r"qdisc replace root handle 1: ets bands (\d+) strict (\d+) quanta ([\d ]+) priomap ([\d ]+)"
)
_HTB = re.compile(r"qdisc replace root handle 1: htb default (\d+)")
_WHOLE = re.compile(r"class replace parent 1: classid 1:100 htb rate (\d+)bit quantum (\d+)")
_CLASS = re.compile(
    r"class replace parent 1:100 classid 1:(\d+) htb rate (\d+)bit ceil (\d+)bit prio (\d) "
    r"quantum (\d+)"
)
_FIFO = re.compile(r"qdisc replace parent 1:(\d+) handle (\d+): pfifo limit (\d+)")
_RED = re.compile(
    r"qdisc replace parent 1:(\d+) handle (\d+): red limit (\d+) min (\d+) max (\d+) avpkt (\d+) "
    r"burst (\d+) bandwidth (\d+)bit probability (0\.\d+) (ecn(?: nodrop)?)"
)
_FILTER = re.compile(
    r"filter add parent 1: protocol (ip|ipv6) prio (\d) handle (\d+) flower "
    r"ip_tos (0x[0-9a-f]{2})/0xfc classid 1:(\d+)"
)
_REST = re.compile(r"filter add parent 1: protocol all prio 9 handle 1 matchall classid 1:(\d+)")
_RESET = "qdisc replace root pfifo"  # HTB cannot be changed in place: a FIFO replaces it first
_FORGET = "filter del parent 1:"


class Batch(Judged):
    """The complete file. Queues are compared by port; here only the maximum rate of each port."""

    about: frozenset[Topic] = frozenset({("interface", "sends")})
    _most = re.compile(r"class replace dev (\S+) parent 1: classid 1:100 htb rate (\d+)bit")

    def read(self, text: str) -> Reading:
        """Return the rates of the top classes, and lines with another beginning."""
        reading = super().read(text)
        for port, rate in self._most.findall(text):
            add(reading.facts, ("interface", port), {"sends": rate})
        return reading

    def trace(self, text: str) -> Reading:
        """Return the same, each with the number of its line."""
        reading = self.read(text)
        for number, line in enumerate(text.splitlines(), 1):
            if match := self._most.match(line):
                reading.lines[("interface", match[1]), "sends"] = [number]
        return reading


@dataclass(slots=True, kw_only=True)
class HtbClass:
    rate: int
    ceiling: int
    priority: int
    quantum: int


@dataclass(slots=True, kw_only=True)
class Program:
    """Settings of tc for one port."""

    rate: int | None = None
    strict: int = 0
    quanta: list[int] = field(default_factory=list)
    priorities: tuple[int, ...] = ()
    rest: int | None = None  # default band of the scheduler
    default: int | None = None  # band of the last filter
    quantum: int | None = None
    classes: dict[int, HtbClass] = field(default_factory=dict)
    leaves: set[int] = field(default_factory=set)
    marks: dict[int, Marks] = field(default_factory=dict)
    found: dict[tuple[str, int], int] = field(default_factory=dict)
    filters: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    seen: list[str] = field(default_factory=list)

    @property
    def filtered(self) -> bool:
        """Return whether filters classify packets by DSCP."""
        return bool(self.found)

    def serving(self) -> dict[int, Serving]:
        if self.priorities:
            whole = sum(self.quanta)
            shares = [Serving(strict=False, share=100 * part / whole) for part in self.quanta]
            return dict(enumerate([Serving(strict=True, share=None)] * self.strict + shares))
        shared = sum(item.rate for item in self.classes.values() if item.priority)
        return {
            band: Serving(strict=False, share=100 * item.rate / shared)
            if item.priority
            else Serving(strict=True, share=None)
            for band, item in self.classes.items()
        }

    def bands(self, faults: list[str]) -> tuple[int | None, ...]:
        """Return the band of each DSCP by the filters, which must be equal for both IP versions."""
        bands = []
        for dscp in DSCPS:
            four, six = (self.found.get((ip, dscp), self.default) for ip in ("ip", "ipv6"))
            if four != six:
                faults.append(f"DSCP {dscp} has band {four} in IPv4 and {six} in IPv6")
            bands.append(four)
        return tuple(bands)

    def line(self, text: str) -> bool:
        """Read one line; return whether it is known."""
        if match := _FILTER.fullmatch(text):
            return self.filter(match)
        if match := _RED.fullmatch(text):
            return self.red(match)
        if match := _FIFO.fullmatch(text):
            band = int(match[1]) - 1
            self.leaves.add(band)
            return match[2] == f"2{band + 1}" and int(match[3]) == FIFO_LIMIT
        if match := _CLASS.fullmatch(text):
            band, rate, ceiling, priority, quantum = map(int, match.groups())
            fresh = band - 1 not in self.classes
            self.classes[band - 1] = HtbClass(
                rate=rate, ceiling=ceiling, priority=priority, quantum=quantum
            )
            return fresh
        return self.root(text)

    def root(self, text: str) -> bool:
        """Read a line about the scheduler itself."""
        if match := _ETS.fullmatch(text):
            bands, self.strict = int(match[1]), int(match[2])
            self.quanta = [int(word) for word in match[3].split()]
            self.priorities = tuple(int(word) for word in match[4].split())
            whole = bands == self.strict + len(self.quanta) and max(self.priorities) < bands
            return whole and len(self.priorities) == 16
        if match := _HTB.fullmatch(text):
            self.rest = int(match[1]) - 1
        elif match := _WHOLE.fullmatch(text):
            self.rate, self.quantum = int(match[1]), int(match[2])
        elif match := _REST.fullmatch(text):
            self.default = int(match[1]) - 1
        else:
            return text in (_RESET, _FORGET)
        return True

    def filter(self, match: re.Match[str]) -> bool:
        """Read a filter. Filters of one IP version have one prio, and handles without a gap."""
        version, tos = match[1], int(match[4], 16)
        mine = self.filters.setdefault(version, [])
        mine.append((int(match[2]), int(match[3])))
        fresh = (version, tos >> 2) not in self.found
        self.found[version, tos >> 2] = int(match[5]) - 1
        return fresh and not tos & 3 and mine[-1] == (mine[0][0], len(mine))

    def red(self, match: re.Match[str]) -> bool:
        """Read a marked band, whose other values must follow from its marking points."""
        minor, handle, limit, low, high, packet, burst, bandwidth = map(int, match.groups()[:8])
        percent = 100.0 if match[9] == CERTAIN else 100 * float(match[9])
        self.leaves.add(minor - 1)
        fresh = minor - 1 not in self.marks
        self.marks[minor - 1] = Marks(low, high, percent, spares="nodrop" in match[10])
        fastest = min(self.rate or bandwidth, FASTEST)
        # limit: a few times the maximum. burst: tc's minimum.
        wanted = (int(f"3{minor}"), 4 * high, AVERAGE_PACKET, 1 + low // AVERAGE_PACKET, fastest)
        return fresh and (handle, limit, packet, burst, bandwidth) == wanted


def read_program(lines: Iterable[str]) -> Program:
    """Read the lines about one port, in order."""
    program = Program()
    for text in lines:
        if not program.line(text):
            program.faults.append(f"unknown, repeated or inconsistent tc line: {text}")
        program.seen.append(text)
    if program.seen:
        program.faults += [*_scheduler(program), *_filters(program)]
    return program


def _scheduler(program: Program) -> Iterable[str]:
    bands = set(program.serving())
    if program.leaves != bands:
        yield f"bands {sorted(bands)} have queues for {sorted(program.leaves)}"
    if program.priorities:
        return
    if program.seen[0] != _RESET or program.rest != program.default:
        yield f"htb does not replace a FIFO, or its default is not band {program.default}"
    rate, quantum = program.rate, program.quantum
    if rate is None or quantum is None:
        yield "the class of the line rate is missing"
        return
    items = program.classes.values()
    if sum(item.rate for item in items) != rate or any(item.ceiling != rate for item in items):
        yield f"not every class can borrow the complete line rate {rate} bit/s"
    if quantum < 2 * FRAME or {item.quantum for item in items} != {quantum}:
        yield f"an htb class has another quantum than {quantum}"
    if {item.priority for item in items} - {0, 1}:
        yield "htb classes are neither strict (prio 0) nor share (prio 1)"


def _filters(program: Program) -> Iterable[str]:
    """Check all filters: old ones are removed first, IPv4 before IPv6, the rest last."""
    places = [number for number, text in enumerate(program.seen) if text.startswith("filter")]
    if not places or program.seen[places[0]] != _FORGET or program.seen.count(_FORGET) != 1:
        yield "old filters are not removed first"
    prios = [
        program.filters[version][0][0] for version in ("ip", "ipv6") if version in program.filters
    ]
    if prios != [1, 2]:
        yield f"filters of IPv4 and IPv6 have the prios {prios}, not 1 and 2"
    if program.default is None:
        yield "the default filter is missing"
