"""Prints the pushes of a journal as text, as data, and as audit lines for a log store."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from fabricgen.cli.formats.document import FORMAT
from fabricgen.core.plain_text import clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from fabricgen.operate.deploy.journal.journal import Journal
    from fabricgen.operate.deploy.journal.records import (
        PendingSwitch,
        Phase,
        Push,
        Signed,
        Step,
        Takeover,
    )


_COLORS = {
    **dict.fromkeys(("done", "confirmed"), "green"),
    **dict.fromkeys(("failed", "refused", "unknown", "unreachable"), "red"),
}
_BETWEEN = "  "
_NARROWEST = 30


def pushes_text(
    pushes: Iterable[Push],
    tally: Mapping[str, Mapping[Phase, int]],
    takeovers: Iterable[Takeover],
    *,
    paint: bool,
) -> str:
    """Return a line per push, the newest first, and per lock of an ended push that was taken."""
    rows = [
        (
            push.started,
            (_time(push.started), push.id, _change_of(push), _person(push)),
            _result(push, tally[push.id], paint=paint),
        )
        for push in pushes
    ]
    rows += [
        (
            taken.at,
            (_time(taken.at), "", f"lock for {taken.plan}", f"{taken.by}@{taken.host}"),
            _takeover(taken),
        )
        for taken in takeovers
    ]
    rows.sort(key=lambda row: row[0], reverse=True)
    heads = ("time (UTC)", "push", "change", "user")
    return _table(heads, "result", [(cells, last) for _, cells, last in rows])


def _change_of(push: Push) -> str:
    """Return the kind of a push and its plan. A rollback has its own id and the plan's."""
    undone = _undone(push)
    return f"{push.kind} {push.plan}" + (f" of {undone}" if undone else "")


def _undone(push: Push) -> str:
    return push.intent if push.kind == "rollback" else ""


def push_text(push: Push, signed: Iterable[Signed], states: Iterable[Step], *, paint: bool) -> str:
    """Return one push with its signatures and the state of each switch."""
    ended = f" to {_time(push.ended, seconds=True)}" if push.ended else ""
    result = _painted(push.result or "not ended", paint=paint)
    head = (
        f"{clean(push.id)}: {push.kind} of plan {clean(_undone(push) or push.plan)} "
        f"to {clean(push.site)}, "
        f"{result}\n"
        f"by {_person(push)}, {_time(push.started, seconds=True)}{ended} UTC, "
        f"fabricgen {clean(push.version)}\n"
    )
    head += "".join(f"{_signed(item)}\n" for item in signed) + "\n"
    rows = [
        (
            (_time(step.at, seconds=True)[11:] if step.at else "", str(step.batch), step.switch),
            _painted(step.phase, paint=paint)
            + (f": {clean(step.message)}" if step.message else ""),
        )
        for step in sorted(states, key=lambda step: (step.batch, step.switch))
    ]
    return head + _table(("time", "batch", "switch"), "state", rows)


def pushes_data(
    pushes: Iterable[Push],
    tally: Mapping[str, Mapping[Phase, int]],
    takeovers: Iterable[Takeover],
    behind: Iterable[PendingSwitch],
) -> dict[str, Any]:
    """Return pushes, takeovers and switches that are behind as data."""
    return {
        "pushes": [as_data(push) | {"switches": tally[push.id]} for push in pushes],
        "takeovers": [as_data(taken) for taken in takeovers],
        "behind": [_behind_data(pending) for pending in behind],
    }


def _signed(signed: Signed) -> str:
    reason = f": {clean(signed.reason)}" if signed.reason else ""
    return f"{signed.act}: signed by {clean(signed.who)}, {_time(signed.made)} UTC{reason}"


def push_data(push: Push, signed: Iterable[Signed], steps: Iterable[Step]) -> dict[str, Any]:
    """Return one push with all steps of all switches as data."""
    return {
        "push": as_data(push),
        "signed": [as_data(item) for item in signed],
        "steps": [as_data(step) for step in steps],
    }


def behind_text(behind: Iterable[PendingSwitch]) -> str:
    """Return a line for each switch that misses a plan."""
    return "".join(f"behind: {behind_line(pending)}\n" for pending in behind)


def behind_line(behind: PendingSwitch) -> str:
    """Return the plan that a switch misses, and its last step."""
    step, since, last = behind.step, _change(behind.since), _change(behind.push)
    again = f" in {last}" if last != since else ""
    reason = f": {step.message}" if step.message else ""
    at = f" {_time(step.at)} UTC" if step.at else ""
    return clean(f"{step.switch} since {since} ({step.phase}{at}{again}{reason})")


def _change(push: Push) -> str:
    return f"{'plan' if push.kind == 'push' else push.kind} {push.plan}"


def resumable_text(behind: Iterable[PendingSwitch], ends: Mapping[str, str]) -> str:
    """Return incomplete pushes with their switches. ends: why a push cannot be resumed."""
    lines = []
    for push, steps in _by_push(behind):
        result = push.result or "not ended"
        lines.append(
            f"{push.id}: {push.kind} {push.plan} by {_person(push)}, "
            f"{_time(push.started)} UTC, {result}"
            f"{f'; {ends[push.id]}' if ends[push.id] else ''}"
        )
        lines += [f"  {behind_line(pending)}" for pending in steps]
    return "".join(f"{clean(line)}\n" for line in lines) or "no push is incomplete\n"


def resumable_data(behind: Iterable[PendingSwitch], ends: Mapping[str, str]) -> dict[str, Any]:
    """Return incomplete pushes with their switches as data."""
    pushes = [
        as_data(push) | {"ends": ends[push.id], "behind": [_behind_data(step) for step in steps]}
        for push, steps in _by_push(behind)
    ]
    return {"pushes": pushes}


def _by_push(behind: Iterable[PendingSwitch]) -> list[tuple[Push, list[PendingSwitch]]]:
    """Group switches by their incomplete push, the newest push first."""
    groups: dict[str, list[PendingSwitch]] = {}
    for pending in behind:
        groups.setdefault(pending.push.id, []).append(pending)
    pushes = [(steps[0].push, steps) for steps in groups.values()]
    return sorted(pushes, key=lambda pair: pair[0].started, reverse=True)


def _behind_data(behind: PendingSwitch) -> dict[str, Any]:
    return {
        "switch": behind.step.switch,
        "since": behind.since.plan,
        "site": behind.push.site,
        "push": behind.push.id,
        "plan": behind.push.plan,
        "phase": behind.step.phase,
        "said": behind.step.message,
        "at": behind.step.at.isoformat() if behind.step.at else None,
    }


def as_data(record: Push | Signed | Step | Takeover) -> dict[str, Any]:
    """Return a record as data with times in ISO 8601."""
    return {
        key: value.isoformat() if isinstance(value, datetime) else value
        for key, value in asdict(record).items()
    }


def _result(push: Push, counted: Mapping[Phase, int], *, paint: bool) -> str:
    parts = ", ".join(f"{count} {phase}" for phase, count in sorted(counted.items()))
    word = _painted(push.result or "not ended", paint=paint)
    return f"{word}: {parts}" if parts else word


def _takeover(taken: Takeover) -> str:
    return clean(f"taken from {taken.of_who}@{taken.of_host}, plan {taken.of_plan}: {taken.why}")


def _person(push: Push) -> str:
    return clean(f"{push.who}@{push.host}")


def _time(moment: datetime, *, seconds: bool = False) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S}" if seconds else f"{moment:%Y-%m-%d %H:%M}"


def _painted(word: str, *, paint: bool) -> str:
    return click.style(word, fg=_COLORS.get(word, "yellow")) if paint else str(word)


def _table(heads: Sequence[str], last: str, rows: Sequence[tuple[Sequence[str], str]]) -> str:
    """Return aligned columns. On a terminal, the last column is wrapped."""
    lines = [(heads, last), *((tuple(map(clean, cells)), last_cell) for cells, last_cell in rows)]
    widths = [max(len(cells[place]) for cells, _ in lines) for place in range(len(heads))]
    return "".join(f"{line}\n" for line in _lines(lines, widths))


def _lines(rows: Iterable[tuple[Sequence[str], str]], widths: Sequence[int]) -> Iterator[str]:
    indent, width = sum(widths) + len(_BETWEEN) * len(widths), shutil.get_terminal_size().columns
    narrow = width - indent < _NARROWEST
    for cells, last in rows:
        start = "".join(
            cell.ljust(size) + _BETWEEN for cell, size in zip(cells, widths, strict=True)
        )
        if not sys.stdout.isatty() or len(start + click.unstyle(last)) <= width:
            yield (start + last).rstrip()
        elif narrow:
            yield f"{start.rstrip()}\n{textwrap.indent(textwrap.fill(last, width - 4), '    ')}"
        else:
            yield start + f"\n{' ' * indent}".join(textwrap.wrap(last, width - indent))


def audit_lines(
    journal: Journal, pushes: Iterable[Push], takeovers: Iterable[Takeover]
) -> Iterator[str]:
    """Yield lines for each push, its signatures and its steps, from the oldest push."""
    for push in reversed([*pushes]):
        yield _line("push", push)
        yield from (_line("signed", item, push.id) for item in journal.signed(push.id))
        yield from (_line("step", step, push.id) for step in journal.steps(push.id))
    yield from (_line("takeover", taken) for taken in takeovers)


def _line(kind: str, row: Push | Signed | Step | Takeover, push: str = "") -> str:
    parent = {"push": push} if push else {}
    return json.dumps({"format_version": FORMAT, "record": kind, **parent, **as_data(row)}) + "\n"
