"""Prints the differences of running and rendered configurations, by meaning and as text."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import field

from fabricgen.api.comment_parts import cell, fenced, rule_lines
from fabricgen.api.verify_data import facts
from fabricgen.cli.formats.document import document
from fabricgen.cli.formats.plan import kept_lines, release_lines
from fabricgen.cli.formats.verify_text import sentences
from fabricgen.core.plain_text import clean
from fabricgen.core.record import record
from fabricgen.core.units import counted
from fabricgen.intent.source import SourceMap
from fabricgen.operate.deploy.plan.document import Entry
from fabricgen.operate.state.verified import Verified
from fabricgen.review.drifted import Drift

_MOST = 40
"""Number of differences of a switch in a text; JSON has all."""
_RISK = 22
"""Width of the column of risk classes in a text."""


@record(kw_only=True)
class Drifts:
    """Result of a comparison of all switches.

    Attributes:
        entries: The switches.
        meanings: Differences by meaning, by switch.
        source: Places of the keys of the intent.
        between: Known reason of the differences, or empty.
        state: Results of the checks of the running state. None without --state.
    """

    entries: tuple[Entry, ...]
    meanings: Mapping[str, tuple[Drift, ...]] = field(default_factory=dict)
    source: SourceMap = field(default_factory=SourceMap)
    between: str = ""
    state: Verified | None = None


def show(drifts: Drifts, form: str) -> str:
    """Return the differences of all switches in a format."""
    if form == "json":
        return document(_data(drifts))
    lines: list[str] = []
    for entry in drifts.entries:
        if entry.state == "changes":
            lines += _drifted(drifts, entry, form)
        elif entry.state != "same":
            lines.append(f"{entry.state}: {entry.switch}: {clean(entry.said)}")
    lines += (*kept_lines(drifts.entries), *release_lines(drifts.entries))
    lines.append(clean(drifts.between))
    lines += _state_lines(drifts, form)
    counts = Counter(map(_state, drifts.entries))
    states = ", ".join(f"{count} {word}" for word, count in counts.items())
    last = f"{counted(len(drifts.entries), 'switch')}: {states}"
    return "\n".join([*(line for line in lines if line), last]) + "\n"


def _drifted(drifts: Drifts, entry: Entry, form: str) -> Iterator[str]:
    """Yield a switch: its differences by meaning, then the lines."""
    body = [clean(line) for line in entry.diff.splitlines()]
    rows = _joined(drifts, entry.switch)
    more = f"{counted(len(rows) - _MOST, 'more difference')}" if len(rows) > _MOST else ""
    yield f"drifted: {entry.switch}"
    for each, sentence in rows[:_MOST]:
        if form == "text":
            yield from map(clean, rule_lines(each.risk.word, sentence, each.effect))
        else:
            yield f"- {each.risk.word}: {cell(sentence)}. {cell(each.effect)}"
    yield f"{'- ' if form != 'text' else ' ' * _RISK}{more}" if more else ""
    yield from ("", *fenced(body), "") if form != "text" else body


def _joined(drifts: Drifts, name: str) -> list[tuple[Drift, str]]:
    """Return each difference with its sentence; equal ones of several objects are one."""
    alike: dict[tuple[object, ...], list[Drift]] = {}
    for each in drifts.meanings.get(name, ()):
        key = (each.key[:1], each.attribute, each.rest, each.risk, each.effect)
        alike.setdefault(key, []).append(each)
    rows = []
    for first, *others in alike.values():
        more = f" and {len(others)} more" if others else ""
        at = _place(drifts, first)
        rows.append((first, f"{first.subject}{more}{first.rest}{f' ({at})' if at else ''}"))
    return rows


def _place(drifts: Drifts, each: Drift) -> str:
    """Return file and line of a difference in the intent. Empty without one."""
    at = drifts.source.locate(each.intent) if each.intent else None
    return f"{at.file}:{at.line}" if at is not None else ""


def _state_lines(drifts: Drifts, form: str) -> Iterator[str]:
    """Yield the findings of the running state, as `verify` prints them."""
    if drifts.state is None:
        return
    for line in sentences(drifts.state, drifts.source):
        yield f"- {cell(line)}" if form == "markdown" else clean(line)


def _data(drifts: Drifts) -> dict[str, object]:
    rows = [
        {
            "switch": row.switch,
            "fabric": row.fabric,
            "state": _state(row),
            "said": row.said,
            "risk": row.risk,
            "meaning": [*_meaning(drifts, row.switch)],
            "diff": row.diff,
            "kept": list(row.kept),
            "release": row.release,
        }
        for row in drifts.entries
    ]
    state = facts(drifts.state, drifts.source) if drifts.state is not None else None
    return {"switches": rows, "between": drifts.between, "state": state}


def _meaning(drifts: Drifts, name: str) -> Iterator[dict[str, object]]:
    for each in drifts.meanings.get(name, ()):
        yield {
            "said": each.sentence,
            "risk": each.risk.word,
            "effect": each.effect,
            "intent": _place(drifts, each),
            "object": list(each.key),
            "attribute": each.attribute,
            "running": each.running,
            "rendered": each.rendered,
        }


def _state(entry: Entry) -> str:
    return {"same": "as rendered", "changes": "drifted"}.get(entry.state, entry.state)
