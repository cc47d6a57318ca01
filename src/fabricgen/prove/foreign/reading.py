"""Reads the switches of folders of configurations and reports unreadable text."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from fabricgen.core.diagnostics import Code, Diagnostic, Position, Severity, shortened
from fabricgen.core.progress import tracked
from fabricgen.core.record import record
from fabricgen.core.tree.database import NO_DATABASE
from fabricgen.prove.foreign.database import lossy, unread
from fabricgen.prove.foreign.folder import found
from fabricgen.prove.foreign.switch import Judged, finding

_NO_FAULT = re.compile(r"has no [\w./-]+$|the source has ")
"""Faults that are normal in foreign files: missing files, facts of a model."""


@record(kw_only=True)
class Reading:
    """Switches of configurations, with findings about unreadable text.

    `left`: files that are not configurations. `others`: configurations of an unsupported OS, with
    its name.
    """

    switches: list[Judged]
    findings: tuple[Diagnostic, ...]
    left: tuple[str, ...]
    others: Mapping[str, str]


def read(places: Sequence[Path], platform: str | None, *, wide: bool = True) -> Reading:
    """Read folders or files, with their unreadable parts. `wide`: retain every fact."""
    folders = [found(place, platform) for place in places]
    every = [each for folder in folders for each in folder.switches]
    switches = [Judged(each, wide=wide) for each in tracked("reading switches", every)]
    findings = [each for folder in folders for each in folder.findings]
    findings += unreadable(switches)
    left = tuple(name for folder in folders for name in folder.left)
    return Reading(
        switches=switches,
        findings=shortened(findings, "configurations that cannot be read"),
        left=left,
        others={name: each for folder in folders for name, each in folder.others.items()},
    )


def unreadable(switches: Sequence[Judged]) -> Iterator[Diagnostic]:
    """Yield findings about unreadable names, values and files."""
    for switch in switches:
        yield from _broken(switch)
    yield from _named_alike(switches)
    yield from _odd(switches)
    for switch in switches:
        yield from _queues(switch)


def _broken(switch: Judged) -> Iterator[Diagnostic]:
    """Yield files that should be a database but are not, or of which a part is lost."""
    for path, text in switch.found.texts.items():
        place = switch.found.places[path]
        broken = any(line == NO_DATABASE for _, line in switch.unclaimed.get(path, ()))
        fault = lossy(text) if path.endswith(".json") and not broken else None
        if broken or fault is not None:
            number, why = fault or unread(text)
            yield finding(Code.CONFIG_UNREADABLE, why, Position(place, number, 1))


def _queues(switch: Judged) -> Iterator[Diagnostic]:
    """Yield the queues that cannot be read, without those that need a hardware model."""
    state = switch.qos
    every = [*state.faults, *(fault for port in state.ports.values() for fault in port.faults)]
    faults = [each for each in dict.fromkeys(every) if not _NO_FAULT.search(each)]
    if faults:
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        said = f"{switch.name}: queues cannot be read: {faults[0]}{more}"
        yield finding(Code.QUEUES_UNREAD, said, switch.top, severity=Severity.WARNING)


def _named_alike(switches: Sequence[Judged]) -> Iterator[Diagnostic]:
    """Yield switches that have the name of another."""
    first: dict[str, Judged] = {}
    for each in switches:
        other = first.setdefault(each.name.lower(), each)
        if other is not each:
            said = f"{each.name} is the name of two switches; rename one folder or file"
            places = (switch.place(("switch",), "hostname") for switch in (each, other))
            yield finding(Code.JUDGED_NAME, said, *places)


def _odd(switches: Sequence[Judged]) -> Iterator[Diagnostic]:
    """Yield invalid values."""
    for switch in switches:
        for odd in switch.odd:
            said = f"{switch.name}: {odd.name} cannot be {odd.value[:80]!r}"
            yield finding(Code.JUDGED_VALUE, said, switch.place(odd.key, odd.attribute))
