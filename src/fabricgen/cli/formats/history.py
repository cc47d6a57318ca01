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
from fabricgen.cli.plain import clean

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
    """Show a line for each push, the newest first, and where a dead one's lock was taken."""
    rows = [
        (
            each.started,
            (_time(each.started), each.id, _what(each), _person(each)),
            _result(each, tally[each.id], paint=paint),
        )
        for each in pushes
    ]
    rows += [
        (
            each.at,
            (_time(each.at), "", f"lock for {each.plan}", f"{each.by}@{each.host}"),
            _of(each),
        )
        for each in takeovers
    ]
    rows.sort(key=lambda row: row[0], reverse=True)
    heads = ("when (UTC)", "push", "what", "who")
    return _table(heads, "result", [(cells, last) for _, cells, last in rows])


def _what(push: Push) -> str:
    """Say what it brought: a plan, or what ran before one, under an id of its own."""
    undone = _undone(push)
    return f"{push.kind} {push.plan}" + (f" of {undone}" if undone else "")


def _undone(push: Push) -> str:
    return push.intent if push.kind == "rollback" else ""


def push_text(push: Push, signed: Iterable[Signed], states: Iterable[Step], *, paint: bool) -> str:
    """Show one push, who signed what of it, and where it stands with each switch."""
    ended = f" to {_time(push.ended, seconds=True)}" if push.ended else ""
    result = _painted(push.result or "not ended", paint=paint)
    head = (
        f"{clean(push.id)}: {push.kind} of plan {clean(_undone(push) or push.plan)} "
        f"to {clean(push.site)}, "
        f"{result}\n"
        f"by {_person(push)}, {_time(push.started, seconds=True)}{ended} UTC, "
        f"fabricgen {clean(push.version)}\n"
    )
    head += "".join(f"{_signed(each)}\n" for each in signed) + "\n"
    rows = [
        (
            (_time(step.at, seconds=True)[11:] if step.at else "", str(step.batch), step.switch),
            _painted(step.phase, paint=paint)
            + (f": {clean(step.message)}" if step.message else ""),
        )
        for step in sorted(states, key=lambda step: (step.batch, step.switch))
    ]
    return head + _table(("at", "batch", "switch"), "state", rows)


def pushes_data(
    pushes: Iterable[Push],
    tally: Mapping[str, Mapping[Phase, int]],
    takeovers: Iterable[Takeover],
    behind: Iterable[PendingSwitch],
) -> dict[str, Any]:
    """Return the same as data."""
    return {
        "pushes": [as_data(each) | {"switches": tally[each.id]} for each in pushes],
        "takeovers": [as_data(each) for each in takeovers],
        "behind": [_behind_data(each) for each in behind],
    }


def _signed(signed: Signed) -> str:
    reason = f": {clean(signed.reason)}" if signed.reason else ""
    return f"{signed.act}: signed by {clean(signed.who)}, {_time(signed.made)} UTC{reason}"


def push_data(push: Push, signed: Iterable[Signed], steps: Iterable[Step]) -> dict[str, Any]:
    """Return one push with every step of every switch as data."""
    return {
        "push": as_data(push),
        "signed": [as_data(each) for each in signed],
        "steps": [as_data(step) for step in steps],
    }


def behind_text(behind: Iterable[PendingSwitch]) -> str:
    """Name every switch that is behind: since which plan, and what happened last."""
    return "".join(f"behind: {behind_line(each)}\n" for each in behind)


def behind_line(behind: PendingSwitch) -> str:
    """Say the same of one switch."""
    step, since, last = behind.step, _change(behind.since), _change(behind.push)
    again = f" in {last}" if last != since else ""
    reason = f": {step.message}" if step.message else ""
    at = f" {_time(step.at)} UTC" if step.at else ""
    return clean(f"{step.switch} since {since} ({step.phase}{at}{again}{reason})")


def _change(push: Push) -> str:
    return f"{'plan' if push.kind == 'push' else push.kind} {push.plan}"


def resumable_text(behind: Iterable[PendingSwitch], ends: Mapping[str, str]) -> str:
    """List the pushes that left switches behind, and those. ends: why one cannot go on."""
    lines = []
    for push, steps in _by_push(behind):
        result = push.result or "not ended"
        lines.append(
            f"{push.id}: {push.kind} {push.plan} by {_person(push)}, "
            f"{_time(push.started)} UTC, {result}"
            f"{f'; {ends[push.id]}' if ends[push.id] else ''}"
        )
        lines += [f"  {behind_line(each)}" for each in steps]
    return "".join(f"{clean(line)}\n" for line in lines) or "no push left a switch behind\n"


def resumable_data(behind: Iterable[PendingSwitch], ends: Mapping[str, str]) -> dict[str, Any]:
    """Return the same as data."""
    pushes = [
        as_data(push) | {"ends": ends[push.id], "behind": [_behind_data(each) for each in steps]}
        for push, steps in _by_push(behind)
    ]
    return {"pushes": pushes}


def _by_push(behind: Iterable[PendingSwitch]) -> list[tuple[Push, list[PendingSwitch]]]:
    """Put those together that the same push left behind, the newest push first."""
    of: dict[str, list[PendingSwitch]] = {}
    for each in behind:
        of.setdefault(each.push.id, []).append(each)
    pushes = [(steps[0].push, steps) for steps in of.values()]
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
    """Return a record as data; times in ISO 8601."""
    return {
        key: value.isoformat() if isinstance(value, datetime) else value
        for key, value in asdict(record).items()
    }


def _result(push: Push, counted: Mapping[Phase, int], *, paint: bool) -> str:
    parts = ", ".join(f"{count} {phase}" for phase, count in sorted(counted.items()))
    word = _painted(push.result or "not ended", paint=paint)
    return f"{word}: {parts}" if parts else word


def _of(taken: Takeover) -> str:
    return clean(f"taken from {taken.of_who}@{taken.of_host}, plan {taken.of_plan}: {taken.why}")


def _person(push: Push) -> str:
    return clean(f"{push.who}@{push.host}")


def _time(moment: datetime, *, seconds: bool = False) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S}" if seconds else f"{moment:%Y-%m-%d %H:%M}"


def _painted(word: str, *, paint: bool) -> str:
    return click.style(word, fg=_COLORS.get(word, "yellow")) if paint else str(word)


def _table(heads: Sequence[str], last: str, rows: Sequence[tuple[Sequence[str], str]]) -> str:
    """Line columns up; the last one is broken at the width of a terminal, and never in a pipe."""
    lines = [(heads, last), *((tuple(map(clean, cells)), last_cell) for cells, last_cell in rows)]
    widths = [max(len(cells[place]) for cells, _ in lines) for place in range(len(heads))]
    return "".join(f"{line}\n" for line in _lines(lines, widths))


def _lines(rows: Iterable[tuple[Sequence[str], str]], widths: Sequence[int]) -> Iterator[str]:
    indent, width = sum(widths) + len(_BETWEEN) * len(widths), shutil.get_terminal_size().columns
    narrow = width - indent < _NARROWEST
    for cells, last in rows:
        start = "".join(
            cell.ljust(each) + _BETWEEN for cell, each in zip(cells, widths, strict=True)
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
    """Yield each push, given newest first, with what was signed of it and its steps."""
    for push in reversed([*pushes]):
        yield _line("push", push)
        yield from (_line("signed", each, push.id) for each in journal.signed(push.id))
        yield from (_line("step", each, push.id) for each in journal.steps(push.id))
    yield from (_line("takeover", each) for each in takeovers)


def _line(kind: str, what: Push | Signed | Step | Takeover, push: str = "") -> str:
    of = {"push": push} if push else {}
    return json.dumps({"format_version": FORMAT, "record": kind, **of, **as_data(what)}) + "\n"
