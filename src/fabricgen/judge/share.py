"""The files of a switch in; how many of their lines are understood, and which are not, out."""

from collections.abc import Iterator

from fabricgen.judge.switch import Judged
from fabricgen.record import record
from fabricgen.tree.database import NO_DATABASE

_IDLE = ("!", "#")
_ENDS = frozenset(("end", "exit", "exit-vrf", "exit-address-family", "exit-vni", "{", "}", "},"))


@record(kw_only=True)
class Share:
    """Lines that say something. strange: place and text of those that nobody understands."""

    lines: int
    strange: tuple[tuple[str, int, str], ...]

    @property
    def percent(self) -> float:
        """The share that is understood."""
        return 100 * (1 - len(self.strange) / self.lines) if self.lines else 100.0


def share(switches: list[Judged]) -> Share:
    """Count the lines of all files."""
    lines, strange = 0, list[tuple[str, int, str]]()
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
    return Share(lines=lines, strange=tuple(strange))


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
