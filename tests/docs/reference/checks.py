"""Write the page of all checks of running switches, by platform and release."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import fields

from fabricgen.core.tables import markdown_table
from fabricgen.model.settings.watching import WatchLimits
from fabricgen.nos.measures import BY_NAME
from fabricgen.nos.registry import platforms, reader_of
from fabricgen.nos.show import Reader, Source
from fabricgen.prove.catalogue.load import catalogue
from fabricgen.prove.catalogue.model import Check

PAGE = "checks.md"
_NAMES = {"eos": "EOS", "sonic": "SONiC", "linux": "Linux"}
_HEAD = """# Checks of running switches

[`fabricgen verify`](../prove/verify.md) runs {number} checks. A failed check of severity
`error` has exit code 2. A `warning` changes no exit code. A value whose source is a *guess*
fails no switch.
"""
_ABSENT = """## Values that a platform does not report

A check without its values is *not applicable* with this reason, and never passes. A platform
without an entry here and without a field below has no reader for the values.
"""
_GUESSED = """## Guessed sources

No public document or recording shows these fields. A difference is reported as unread, until a
[recording](../operate/acceptance-kit.md) of a real switch exists.
"""


def readers() -> dict[str, Reader]:
    """Return the state readers of this project, by platform."""
    found = ((name, reader_of(name)) for name in platforms() if name in _NAMES)
    return {name: reader for name, reader in found if reader is not None}


def checks_page() -> str:
    """Return the page."""
    groups: dict[str, list[Check]] = defaultdict(list)
    for check in catalogue():
        groups[check.tags[0]].append(check)
    lines = [_HEAD.format(number=len(catalogue())), *_overview(), "", _ABSENT, *_absences(), ""]
    lines += [_GUESSED, *_guesses(), ""]
    for group, checks in sorted(groups.items()):
        lines += [f"## {group.capitalize()}", ""]
        for check in checks:
            lines += _section(check)
    return "\n".join(lines).rstrip() + "\n"


def _overview() -> list[str]:
    """Return one row for each check: its severity, its tags, and the platforms that it reads."""
    names = readers()
    rows = (
        (
            f"[{check.name}](#{check.name.lower()})",
            check.severity.value,
            ", ".join(check.tags),
            *(_mark(check, names[name], name) for name in names),
        )
        for check in catalogue()
    )
    return markdown_table(("check", "severity", "tags", *map(_title, names)), rows)


def _title(name: str) -> str:
    return _NAMES[name]


def _mark(check: Check, reader: Reader, name: str) -> str:
    """Return how a platform is read: yes, guess, partly (by release) or no."""
    if name in check.absent or not is_read(check, reader):
        return "-"
    guessed = [bool(source and source.guess) for _, source in _sources(check, reader)]
    if guessed and all(guessed):
        return "guess"
    return "by release" if any(key.startswith(f"{name} ") for key in check.lacking) else "yes"


def is_read(check: Check, reader: Reader) -> bool:
    """Return whether a reader has the values of a check."""
    if not check.topics and not check.metrics:
        return True
    topics = any(each in reader.about for each in check.topics)
    metrics = [each in reader.measured for each in check.metrics]
    needed = all(metrics) if check.complete else any(metrics)
    return topics or (bool(metrics) and needed)


def _absences() -> list[str]:
    rows = [
        (f"`{check.name}`", _place(place), why)
        for check in catalogue()
        for place, why in (*check.absent.items(), *check.lacking.items())
    ]
    return markdown_table(("check", "platform, release", "reason"), rows)


def _place(place: str) -> str:
    name, _, release = place.partition(" ")
    return f"{_NAMES[name]} {release}".strip()


def _guesses() -> list[str]:
    rows = [
        (_NAMES[name], f"`{' '.join(key)}`", f"`{_cell(source.text)}`", _cell(source.guess))
        for name, reader in readers().items()
        for key, source in reader.sources.items()
        if source.guess
    ]
    return markdown_table(("platform", "value", "source", "reason"), rows)


def _section(check: Check) -> Iterator[str]:
    yield f"### {check.name}"
    yield ""
    yield f"{check.proves} {check.why}"
    yield ""
    rows = [*_rows(check)]
    if rows:
        yield from markdown_table(("platform", "value", "source"), rows)
        yield ""
    for limit in check.limits:
        yield f"- {_limit(limit)}"
    if check.looks > 1:
        yield "- It compares two snapshots."
    yield f"- Example: `{' '.join(check.example.split())}`"
    for source in check.sources:
        yield f"- Source: {' '.join(source.split())}"
    yield ""


def _limit(name: str) -> str:
    """Return a limit, its default and its meaning."""
    field = next(each for each in fields(WatchLimits) if each.name == name)
    default = getattr(WatchLimits(), name)
    about = field.metadata["setting"].text
    return f"Limit [`{name}`](intent/watch.md), {default:g}, a choice of fabricgen. {about}".strip()


def _rows(check: Check) -> Iterator[tuple[str, str, str]]:
    """Yield the platform, the values and the command with the field of each source."""
    for name, reader in readers().items():
        if name in check.absent:
            continue
        places: dict[str, list[str]] = defaultdict(list)
        for value, source in _sources(check, reader):
            text = f"`{_cell(source.text)}`" if source is not None else "several commands"
            guess = " (guess)" if source is not None and source.guess else ""
            places[text + guess].append(value)
        for text, values in places.items():
            yield _NAMES[name], ", ".join(f"`{each}`" for each in values), text


def _sources(check: Check, reader: Reader) -> Iterator[tuple[str, Source | None]]:
    for topic in check.topics:
        if topic in reader.about:
            yield " ".join(topic), reader.sources.get(topic)
    for metric in check.metrics:
        if metric in reader.measured:
            unit = BY_NAME[metric].unit
            yield f"{metric}{f' in {unit}' if unit else ''}", reader.sources.get((metric,))


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
