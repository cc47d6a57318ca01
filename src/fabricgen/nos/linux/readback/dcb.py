"""Read the DSCP table, pauses and buffers of each port from dcb.sh."""

import re
from dataclasses import dataclass, field

from fabricgen.model.fabric.port_qos import DSCPS, PRIORITIES

_CALL = re.compile(r'    (\[ "\$2" -eq 0 \] \|\| )?(dcb .*?) \|\| refused "\$1" "[\w ]+"')
_PORT = re.compile(r"port (\S+) (\d+)")
_DEFAULT = re.compile(r'dcb app replace dev "\$1" default-prio (\d)')
_TABLE = re.compile(r'dcb app replace dev "\$1" dscp-prio ((?:\d+:\d ?)+)')
_PFC = re.compile(r'dcb pfc set dev "\$1" prio-pfc ((?:\w+:(?:on|off) ?)+)')
_BUFFER = re.compile(
    r'dcb buffer set dev "\$1" prio-buffer ((?:\w+:\d ?)+) buffer-size ((?:\w+:(?:\d+|"\$2") ?)+)'
)
_SHELL = re.compile(
    r"|#.*|failed=0|refused\(\) \{|    echo .*>&2|    failed=1|\}|port\(\) \{.*|exit \$failed"
)
_ARGUMENT = '"$2"'
_FRAME = (
    *("failed=0", "refused() {", "    echo", "    failed=1", "}"),
    *("port() {", "}", "exit $failed"),
)
"""Beginnings of the script's other lines, in order."""


@dataclass(slots=True, kw_only=True)
class Dcb:
    """Settings of dcb.sh. `sizes`: bytes by buffer, None for the second argument of `port`."""

    default: int | None = None
    classes: tuple[int | None, ...] = (None,) * len(DSCPS)
    paused: frozenset[int] = frozenset()
    groups: tuple[int | None, ...] = (0,) * len(PRIORITIES)
    sizes: dict[int, int | None] = field(default_factory=dict)
    ports: dict[str, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def call(self, text: str, *, guarded: bool) -> bool:
        """Read one call of dcb; return whether it is known."""
        if guarded != text.startswith("dcb buffer"):
            return False
        if match := _DEFAULT.fullmatch(text):
            self.default = int(match[1])
        elif match := _TABLE.fullmatch(text):
            pairs = [pair.split(":") for pair in match[1].split()]
            told = {int(dscp): int(priority) for dscp, priority in pairs}
            real = {dscp: number for dscp, number in told.items() if number in PRIORITIES}
            self.classes = tuple(real.get(dscp) for dscp in DSCPS)
            fits = set(told) <= set(DSCPS) and set(told.values()) <= set(PRIORITIES)
            return fits and len(pairs) == len(told)
        elif match := _PFC.fullmatch(text):
            flags = _spread(match[1])
            self.paused = frozenset(p for p, flag in enumerate(flags) if flag == "on")
            return None not in flags
        elif match := _BUFFER.fullmatch(text):
            return self.buffers(_spread(match[1]), _spread(match[2]))
        else:
            return False
        return True

    def buffers(self, groups: list[str | None], sizes: list[str | None]) -> bool:
        if None in groups or None in sizes:
            return False
        self.groups = tuple(int(group) for group in groups if group is not None)
        told = {buffer: size for buffer, size in enumerate(sizes) if size != "0"}
        self.sizes = {b: None if n == _ARGUMENT else int(n or 0) for b, n in told.items()}
        return True


def read_dcb(text: str) -> Dcb:
    """Read the script: a function of a port, and its calls."""
    state = Dcb()
    frame = list[str]()
    for line in text.splitlines():
        if match := _CALL.fullmatch(line):
            understood = state.call(match[2], guarded=match[1] is not None)
        elif match := _PORT.fullmatch(line):
            understood = match[1] not in state.ports
            state.ports[match[1]] = int(match[2])
        else:
            understood = _SHELL.fullmatch(line) is not None
            frame += [line] if line and line[0] != "#" else []
        if not understood:
            state.faults.append(f"dcb.sh line of unknown meaning: {line.strip()}")
    begun = len(frame) == len(_FRAME) and all(map(str.startswith, frame, _FRAME))
    if not begun:
        state.faults.append("dcb.sh lacks a line of its shell functions")
    if state.default is None:
        state.faults.append("dcb.sh has no priority for packets without DSCP")
    kept = {number for number in state.sizes if number}
    if set(state.paused) != kept or any(state.sizes[number] is not None for number in kept):
        state.faults.append(f"dcb.sh pauses {sorted(state.paused)} and sizes {sorted(kept)}")
    if any(group != (p if p in kept else 0) for p, group in enumerate(state.groups)):
        state.faults.append(f"dcb.sh has priorities in the buffers {state.groups}")
    return state


def _spread(words: str) -> list[str | None]:
    """Return a value per priority or buffer: `all` first, then each by its number."""
    values: list[str | None] = [None] * len(PRIORITIES)
    for word in words.split():
        key, _, value = word.partition(":")
        if key == "all":
            values = [value] * len(PRIORITIES)
        elif key.isdecimal() and int(key) in PRIORITIES:
            values[int(key)] = value
        else:
            return [None] * len(PRIORITIES)
    return values
