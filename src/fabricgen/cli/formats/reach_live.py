"""Prints the compared path of `fabricgen reach --live` as a table, as data or as Markdown."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from fabricgen.core.units import counted
from fabricgen.prove.reach.live.steps import State, worst

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fabricgen.prove.reach.live.steps import Hop, Item, LivePath

WIDTH = 100
_NAME, _PLACE = 18, 18
_VALUE = (WIDTH - 2 - _NAME - _PLACE - 4) // 3
_MARKS = {State.SAME: " ", State.DIFFERS: "!", State.UNKNOWN: "?"}
_SHOWN = 8
"""Listed branches of a text; the others are counted."""


def live_text(path: LivePath) -> str:
    """Return the verdict, the branches, and one table for each switch."""
    lines = [*_verdict(path), "", *_branches(path)]
    for switch, hops in _by_switch(path).items():
        lines += ["", *_table(switch, hops)]
    return "\n".join(lines) + "\n"


def _verdict(path: LivePath) -> Iterator[str]:
    yield from _wrapped(_summary(path))
    yield path.case.name
    if path.label:
        yield f"traffic class: {path.label}, DSCP {path.dscp}"
    if path.first is not None:
        hop, item = path.first
        yield from _wrapped(f"first difference: {hop.step.switch}: {_sentence(item)}")
    for switch, why in path.unread.items():
        yield from _wrapped(f"not read: {switch}: {why}")


def _summary(path: LivePath) -> str:
    if path.first is not None:
        return f"differs at {path.first[0].step.switch}"
    unknown = [*dict.fromkeys(hop.step.switch for hop, _ in path.unknown())]
    if unknown:
        return f"no difference, but not everything is known at {', '.join(unknown)}"
    return "model, files and running switches agree"


def _sentence(item: Item) -> str:
    """Return what differs, with the three values."""
    parts = [f"{item.subject}: model {item.model}"]
    parts += [f"files {item.files}"] if item.written is State.DIFFERS else []
    parts += [f"running {item.running}"] if item.state is State.DIFFERS else []
    place = f" ({item.source})" if item.source and item.state is State.DIFFERS else ""
    return ", ".join(parts) + place


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent="  ", break_on_hyphens=False)


def _branches(path: LivePath) -> Iterator[str]:
    yield f"{counted(path.count, 'equal-cost branch')}:"
    for number, branch in enumerate(path.branches[:_SHOWN], 1):
        hops = path.of_branch(branch)
        way = " - ".join(f"{hop.step.enters} {hop.step.switch} {hop.step.leaves}" for hop in hops)
        state = worst(hop.state for hop in hops)
        yield from _wrapped(f"{_MARKS[state]} {number}  {way}: {state}")
    if path.count > _SHOWN:
        yield f"  and {path.count - _SHOWN:,} more"


def _by_switch(path: LivePath) -> dict[str, list[Hop]]:
    found: dict[str, list[Hop]] = {}
    for hop in path.hops:
        found.setdefault(hop.step.switch, []).append(hop)
    return found


def _table(switch: str, hops: Iterable[Hop]) -> Iterator[str]:
    rows = _rows(item for hop in hops for item in hop.items)
    yield f"  {switch:<{_NAME + _PLACE + 1}} {'model':<{_VALUE}} {'files':<{_VALUE}} running"
    for item, places in rows:
        values = (item.model, _known(item.files), _known(item.running))
        yield from _line(_MARKS[item.whole], item.name, ", ".join(places), values)
    whys = dict.fromkeys(item.why for item, _ in rows if item.whole is State.UNKNOWN)
    for why in whys:
        yield from _wrapped(f"  ? {why}")


def _known(value: str) -> str:
    return value or "not known"


def _rows(items: Iterable[Item]) -> list[tuple[Item, list[str]]]:
    """Join equal values of several ports to one row, and rows of one name to a block."""
    alike: dict[tuple[object, ...], tuple[Item, list[str]]] = {}
    for item in dict.fromkeys(items):
        key = (item.name, item.model, item.files, item.running, item.written, item.state, item.why)
        alike.setdefault(key, (item, []))[1].append(item.place)
    names = list(dict.fromkeys(item.name for item, _ in alike.values()))
    return sorted(alike.values(), key=lambda row: names.index(row[0].name))


def _line(mark: str, name: str, place: str, values: tuple[str, str, str]) -> Iterator[str]:
    """Yield the lines of one row; long cells continue below."""
    widths = (_NAME, _PLACE, _VALUE, _VALUE, _VALUE)
    cells = [
        textwrap.wrap(text, width, break_on_hyphens=False) or [""]
        for text, width in zip((name, place, *values), widths, strict=True)
    ]
    for number in range(max(map(len, cells))):
        parts = (
            (cell[number] if number < len(cell) else "").ljust(width)
            for cell, width in zip(cells, widths, strict=True)
        )
        yield f"{mark if not number else ' '} {' '.join(parts)}".rstrip()


def live_data(path: LivePath) -> dict[str, Any]:
    """Return the compared path as data."""
    first = path.first
    return {
        "from": path.case.one.station.name,
        "to": path.case.other.station.name,
        "source": str(path.case.packet.source),
        "target": str(path.case.packet.target),
        "class": path.label,
        "dscp": path.dscp,
        "state": str(path.state),
        "first_difference": _place(*first) if first is not None else None,
        "unknown": [_place(*each) for each in path.unknown()],
        "unread": path.unread,
        "branches": {"count": path.count, "listed": [list(each) for each in path.branches]},
        "hops": [_hop(hop) for hop in path.hops],
    }


def _place(hop: Hop, item: Item) -> dict[str, str]:
    return {"switch": hop.step.switch, **_item(item)}


def _hop(hop: Hop) -> dict[str, Any]:
    return {
        "switch": hop.step.switch,
        "enters": hop.step.enters,
        "leaves": hop.step.leaves,
        "depth": hop.step.depth,
        "state": str(hop.state),
        "values": [_item(item) for item in hop.items],
    }


def _item(item: Item) -> dict[str, str]:
    return {
        "name": item.name,
        "place": item.place,
        "model": item.model,
        "files": item.files,
        "running": item.running,
        "files_state": str(item.written),
        "running_state": str(item.state),
        "why": item.why,
        "source": item.source,
    }


def live_markdown(path: LivePath) -> str:
    """Return the compared path as Markdown."""
    lines = [f"## {_cell(path.case.name)}", "", *(f"{line}  " for line in _verdict(path)), ""]
    for switch, hops in _by_switch(path).items():
        lines += [f"### {switch}", "", "| | value | place | model | files | running |"]
        lines += ["|--|--|--|--|--|--|"]
        for item, places in _rows(item for hop in hops for item in hop.items):
            values = (item.model, _known(item.files), _known(item.running))
            cells = (_MARKS[item.whole].strip(), item.name, ", ".join(places), *values)
            lines.append(f"| {' | '.join(map(_cell, cells))} |")
        lines.append("")
    return "\n".join(lines)


def _cell(text: str) -> str:
    """Return a text that does not end a cell and has no markup."""
    return "".join(f"\\{letter}" if letter in "|*_`<[\\" else letter for letter in text)
