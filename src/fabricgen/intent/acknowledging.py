"""Marks the findings of a site that its intent acknowledges."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from fabricgen.core.diagnostics import Acknowledged, Code, Diagnostic, Severity, dotted
from fabricgen.core.units import counted
from fabricgen.intent.model.acknowledge import Acknowledgment
from fabricgen.intent.model.intent import Intent

KEY = "acknowledge"


def acknowledge(findings: Iterable[Diagnostic], intent: Intent | None) -> tuple[Diagnostic, ...]:
    """Return the findings; those that the intent acknowledges carry the acknowledgment.

    Args:
        findings: All findings of a run. Equal findings count once.
        intent: The intent with the key `acknowledge`; None if it could not be read.

    An error is never acknowledged. An acknowledgment that does not cover its findings adds a hint
    to each of them. The date is not checked here, so the result depends only on the site.
    """
    entries = _entries(intent)
    marked = list(dict.fromkeys(findings))
    for index, entry in entries:
        places = [at for at, item in enumerate(marked) if _matches(entry, item)]
        accepted = [at for at in places if marked[at].severity is not Severity.ERROR]
        for at in places:
            marked[at] = _marked(marked[at], entry, index, len(accepted))
    return tuple(marked)


def unused(findings: Iterable[Diagnostic], intent: Intent | None) -> list[Diagnostic]:
    """Return a note for each acknowledgment that matches no finding."""
    every = list(findings)
    return [
        Diagnostic(
            Code.ACKNOWLEDGED_NOTHING,
            f"no {entry.code} finding is below {entry.where}"
            + (f" with the text {entry.text!r}" if entry.text else ""),
            path=(KEY, index),
            hint="delete this entry, unless `check --rendered` shows such a finding",
            severity=Severity.NOTE,
        )
        for index, entry in _entries(intent)
        if not any(_matches(entry, item) for item in every)
    ]


def _entries(intent: Intent | None) -> Sequence[tuple[int, Acknowledgment]]:
    """Return the acknowledgments that were read completely, with their index in the list."""
    listed = intent.unless_refused(KEY) if intent is not None else None
    return [(index, entry) for index, entry in enumerate(listed or ()) if entry.whole]


def _matches(entry: Acknowledgment, item: Diagnostic) -> bool:
    where = dotted(item.path)
    below = where == entry.where or where.startswith(f"{entry.where}.")
    return item.code == entry.code and below and (entry.text or "") in item.message


def _marked(item: Diagnostic, entry: Acknowledgment, index: int, matched: int) -> Diagnostic:
    """Return a finding with its acknowledgment, or with the reason why it has none."""
    here = dotted((KEY, index))
    if item.severity is Severity.ERROR:
        return _hinted(item, f"{here} has no effect: errors cannot be acknowledged")
    if matched > entry.count:
        found = f"{counted(matched, 'finding')} match and {entry.count:,} acknowledged"
        return _hinted(item, f"{here} has no effect: {found}; review them and set `count`")
    return replace(item, acknowledged=Acknowledged(entry.why, entry.owner or "", entry.until))


def _hinted(item: Diagnostic, more: str) -> Diagnostic:
    return replace(item, hint="; ".join(filter(None, (item.hint, more))))
