"""Counts the lines of files that a grammar understands, and unused lines by reason."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field

from fabricgen.core.record import record
from fabricgen.core.tree.database import NO_DATABASE
from fabricgen.core.tree.facts import Key
from fabricgen.prove.filed import Filed

_QUEUES = re.compile(
    r"qos|queue|priority|traffic|pfc|ecn|random-detect|bandwidth|\btc\b|dcb|shape|profile|wred"
    r"|scheduler|dscp|buffer|pool|xoff|xon|_th\b|threshold|\bsize\b"
    r"|port swp|^qdisc|^class|^filter"
    r"|^\s*\"[\d-]+\":|meter|cir|pir|weight|detection_time|restoration_time|action",
    re.IGNORECASE,
)
"""Lines that the reader of queues reads."""
_REASONS = (
    (_QUEUES, "QoS: the reader of queues cannot read it"),
    (re.compile(r"load-(?:sharing|balance|interval)|hash"), "ECMP hashing: it affects no path"),
    (
        re.compile(r"prefix-list|route-map|access-list|community|^\s+(?:match|set) "),
        "policies without a reference",
    ),
)
_OTHER = "management and other lines that state no fact"
_IDLE = ("!", "#")
_ENDS = frozenset(("end", "exit", "exit-vrf", "exit-address-family", "exit-vni", "{", "}", "},"))


@record(kw_only=True)
class Share:
    """Lines with content.

    Attributes:
        strange: Place and text of lines that no grammar understands.
        ignored: Number of understood lines that no check uses, by the reason.
    """

    lines: int
    strange: tuple[tuple[str, int, str], ...]
    ignored: Mapping[str, int] = field(default_factory=dict)

    @property
    def percent(self) -> float:
        """The share of understood lines."""
        return 100 - self.part(len(self.strange))

    @property
    def used(self) -> float:
        """The share of lines that a check uses."""
        return 100 - self.part(len(self.strange) + self.idle)

    @property
    def idle(self) -> int:
        """Number of understood lines that no check uses."""
        return sum(self.ignored.values())

    def part(self, count: int) -> float:
        """Return the share of this many lines."""
        return 100 * count / self.lines if self.lines else 0.0


Fact = tuple[Key, str]
Reason = Callable[[Filed, str, list[Fact]], str]
"""Returns why a line with some facts is unused; empty for a used line."""


def unused(switch: Filed, row: str, facts: list[Fact]) -> str:
    """Return why no check uses a line.

    A line is used if it states a fact. The reader of queues uses lines of QoS; if it cannot read
    them they count as ignored.
    """
    is_used = facts or (switch.qos.ports and is_about_queues(row))
    return "" if is_used else factless(row)


def factless(row: str) -> str:
    """Return the topic of a line without facts."""
    return next((why for sign, why in _REASONS if sign.search(row)), _OTHER)


def is_about_queues(row: str) -> bool:
    """Return whether a line is about queues, buffers or marking."""
    return _QUEUES.search(row) is not None


def share(switches: Iterable[Filed], reason: Reason = unused) -> Share:
    """Count the lines of all files. `reason`: returns why a line is not used."""
    lines, strange, ignored = 0, list[tuple[str, int, str]](), Counter[str]()
    for switch in switches:
        for path, text in switch.texts.items():
            rows = text.split("\n")
            lines += sum(1 for row in rows if says(row))
            place = switch.places[path]
            traced = switch.traced(path)
            below = {n for number, _ in traced.unclaimed for n in _below(rows, number)}
            if any(line == NO_DATABASE for _, line in traced.unclaimed):
                below = {n for n, row in enumerate(rows, 1) if says(row)}
            strange += [(place, n, rows[n - 1].strip()) for n in sorted(below)]
            facts: dict[int, list[Fact]] = {}
            for fact, numbers in traced.lines.items():
                for number in numbers:
                    facts.setdefault(number, []).append(fact)
            said = {n: row for n, row in enumerate(rows, 1) if says(row) and n not in below}
            ignored.update(
                _ignored(
                    {n: reason(switch, row, facts.get(n, [])) for n, row in said.items()}, rows
                )
            )
    return Share(lines=lines, strange=tuple(strange), ignored=dict(ignored.most_common()))


def _ignored(reasons: Mapping[int, str], rows: list[str]) -> Iterator[str]:
    """Yield the reason of each unused line that is not the head of a used one."""
    heads: list[int] = []  # from the last line upwards: margins of used lines
    for number in sorted(reasons, reverse=True):
        deep = _margin(rows[number - 1])
        is_head = any(inner > deep for inner in heads)
        heads = [each for each in heads if each <= deep]
        if is_head or not reasons[number]:
            heads.append(deep)
        else:
            yield reasons[number]


def says(row: str) -> bool:
    """Return whether a row has content: it is no remark, and ends no section."""
    line = row.strip()
    return bool(line) and not line.startswith(_IDLE) and line not in _ENDS


def _below(rows: list[str], number: int) -> Iterator[int]:
    """Yield a line, and the deeper lines after it."""
    if not 0 < number <= len(rows):
        return
    yield number
    margin = _margin(rows[number - 1])
    for at in range(number, len(rows)):
        if rows[at].strip() and _margin(rows[at]) <= margin:
            return
        if says(rows[at]):
            yield at + 1


def _margin(row: str) -> int:
    return len(row) - len(row.lstrip())
