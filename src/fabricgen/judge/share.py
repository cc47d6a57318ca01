"""The files of a switch in; how many of their lines are understood, and which are not, out."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import field

from fabricgen.judge.switch import Judged
from fabricgen.record import record
from fabricgen.tree.database import NO_DATABASE

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
    (re.compile(r"load-(?:sharing|balance|interval)|hash"), "ECMP hashing: decides no path"),
    (
        re.compile(r"prefix-list|route-map|access-list|community|^\s+(?:match|set) "),
        "policies that nothing names",
    ),
)
_OTHER = "management and other lines that state no fact"
_IDLE = ("!", "#")
_ENDS = frozenset(("end", "exit", "exit-vrf", "exit-address-family", "exit-vni", "{", "}", "},"))


@record(kw_only=True)
class Share:
    """Lines that say something.

    Attributes:
        strange: Place and text of those that no grammar understands.
        ignored: Number of understood lines that no check uses, by the reason.
    """

    lines: int
    strange: tuple[tuple[str, int, str], ...]
    ignored: Mapping[str, int] = field(default_factory=dict)

    @property
    def percent(self) -> float:
        """The share that is understood."""
        return 100 * (1 - len(self.strange) / self.lines) if self.lines else 100.0

    @property
    def used(self) -> float:
        """The share of the lines that a check uses."""
        idle = len(self.strange) + sum(self.ignored.values())
        return 100 * (1 - idle / self.lines) if self.lines else 100.0


def share(switches: list[Judged]) -> Share:
    """Count the lines of all files."""
    lines, strange, ignored = 0, list[tuple[str, int, str]](), Counter[str]()
    for switch in switches:
        for path, text in switch.found.texts.items():
            rows = text.split("\n")
            lines += sum(1 for row in rows if says(row))
            place = switch.found.places[path]
            unclaimed = switch.unclaimed.get(path, ())
            below = {n for number, _ in unclaimed for n in _below(rows, number)}
            if any(line == NO_DATABASE for _, line in unclaimed):
                below = {n for n, row in enumerate(rows, 1) if says(row)}
            strange += [(place, n, rows[n - 1].strip()) for n in sorted(below)]
            ignored += _ignored(switch, path, rows, below)
    return Share(lines=lines, strange=tuple(strange), ignored=dict(ignored.most_common()))


def _ignored(switch: Judged, path: str, rows: list[str], below: set[int]) -> Counter[str]:
    """Count the lines of a file that no check uses, by the reason.

    A line is used if it states a fact, or is the head of a line that is used. The reader of queues
    uses lines of QoS; where it cannot read them they count as ignored.
    """
    facts = switch.stating(path)
    is_read = bool(switch.qos.ports)
    used = {number for number in facts if number not in below}
    count = Counter[str]()
    margin = {number: _margin(row) for number, row in enumerate(rows, 1) if says(row)}
    heads: list[tuple[int, int]] = []  # from the last line upwards: margin of a used line
    for number in sorted(margin, reverse=True):
        deep = margin[number]
        head = any(inner > deep for inner, _ in heads)
        heads = [each for each in heads if each[0] <= deep]
        if number in below:
            continue
        is_qos = is_read and _QUEUES.search(rows[number - 1]) is not None
        if number in used or head or is_qos:
            heads.append((deep, number))
        else:
            count[_reason(rows[number - 1])] += 1
    return count


def _reason(row: str) -> str:
    return next((why for sign, why in _REASONS if sign.search(row)), _OTHER)


def says(row: str) -> bool:
    """Tell whether a row says something: it is no remark, and ends no section."""
    line = row.strip()
    return bool(line) and not line.startswith(_IDLE) and line not in _ENDS


def _below(rows: list[str], number: int) -> Iterator[int]:
    """Yield a line, and those that stand deeper behind it."""
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
