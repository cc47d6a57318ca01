"""What a SONiC switch says of itself in; NAPALM's facts and its health out."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from fabricgen.fabric.observed import ESTABLISHED
from fabricgen.nos.health import Health
from fabricgen.nos.shared import lldp
from fabricgen.nos.shared.documents import Answer, UnreadableError
from fabricgen.nos.shared.frr import show as routing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from napalm.base.models import FactsDict

    from fabricgen.nos.sonic.driver.ssh import Said


class Question(NamedTuple):
    """A command that changes nothing, and what its answer is about."""

    about: str
    line: str


# All of sonic-net/sonic-utilities, where nothing else is said.
VERSION = "show version"  # doc/Command-Reference.md, Show Versions
SESSIONS = Question("BGP sessions", "docker exec bgp vtysh -c 'show bgp vrf all neighbors json'")
BFD = Question("BFD sessions", "docker exec bgp vtysh -c 'show bfd peers json'")
# scripts/lldpshow asks lldpctl in that container; json0 is lldpd's own form (lldpcli.8).
CABLES = Question("LLDP neighbours", "docker exec lldp lldpctl -f json0")
PORTS = Question("links and interface errors", "portstat -e -j")  # scripts/portstat
STORMS = Question("PFC watchdog", "pfcwd show stats")  # pfcwd/main.py show_stats
DROPS = Question("drops of lossless classes", "pg-drop -c show")  # scripts/pg-drop
QUESTIONS = (SESSIONS, BFD, CABLES, PORTS, STORMS, DROPS)

_VERSION = re.compile(r"(?m)^([A-Z][\w ]+): *(.+?) *$")
_GROUP = re.compile(r"PG(\d+)")
_STILL = ("RX_ERR", "RX_OVR", "TX_ERR", "TX_OVR")
"""Of portstat's columns. RX_DRP and TX_DRP also count what a healthy port drops by design."""


def facts(version: str, tables: Mapping[str, Any], uptime: str) -> FactsDict:
    """Return NAPALM's facts."""
    said = dict(_VERSION.findall(version))
    local = tables.get("DEVICE_METADATA", {}).get("localhost", {})
    name = local.get("hostname", "")
    return {
        "vendor": "SONiC",
        "model": said.get("HwSKU", local.get("hwsku", "")),
        "os_version": said.get("SONiC Software Version", ""),
        "serial_number": said.get("Serial Number", ""),
        "hostname": name,
        "fqdn": name,
        "uptime": float(uptime.split(maxsplit=1)[0]),
        "interface_list": sorted(tables.get("PORT", {})),
    }


def health(said: Mapping[Question, Said], tables: Mapping[str, Any]) -> Health:
    """Return what works; what could not be read is named, and never guessed."""
    look = _Look(said)
    sessions = look.read(SESSIONS, lambda answer: routing.sessions(answer.document({})), {})
    ports: dict[str, Any] = look.read(PORTS, _ports, {})
    storms = look.read(STORMS, _storms, {})
    drops = look.read(DROPS, lambda answer: _drops(answer, tables), {})
    up = {key: one for key, one in sessions.items() if one.state == ESTABLISHED}
    return Health(
        sessions={" ".join(key): key in up for key in sessions},
        bfd=look.read(BFD, _bfd, {}),
        cables=look.read(CABLES, _cables, frozenset()),
        links={port: row["STATE"] == "U" for port, row in ports.items() if row["STATE"] in "UD"},
        routes={
            f"{' '.join(key)} {family.replace(' ', '-')}": count
            for key, one in up.items()
            for family, count, _ in one.pulse.prefixes
        },
        errors={**_errors(ports), **storms, **drops},
        unread=tuple(look.unread),
    )


class _Look:
    def __init__(self, said: Mapping[Question, Said]) -> None:
        self._said = said
        self.unread: list[str] = []

    def read(self, question: Question, understand: Callable[[Answer], Any], nothing: Any) -> Any:
        """Return what `understand` makes of an answer."""
        said = self._said[question]
        if said.status:
            self.unread.append(f"{question.about}: {said.reason}")
            return nothing
        try:
            return understand(Answer(said.output, said.status))
        except UnreadableError as error:
            self.unread.append(f"{question.about}: {error}")
        except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
            self.unread.append(f"{question.about}: another shape than expected: {error!r}")
        return nothing


def _bfd(answer: Answer) -> dict[str, bool]:
    found = routing.bfd(answer.document([]))
    return {" ".join(filter(None, (one.vrf, one.peer, one.interface))): one.up for one in found}


def _cables(answer: Answer) -> frozenset[str]:
    """Name each neighbour by its port's first name, which is the port's id."""
    return frozenset(
        f"{found.port} {found.name} {found.ports[0] if found.ports else ''}".rstrip()
        for found in lldp.neighbours(answer.document({}))
    )


def _ports(answer: Answer) -> dict[str, dict[str, str]]:
    """Read portstat's JSON; when counters were cleared once, a sentence about it comes first.

    Its STATE is U for up, D for down and X for a port that is shut.
    """
    _, brace, text = answer.text.partition("{")
    found = json.loads(brace + text)
    if not isinstance(found, dict) or not found:
        raise UnreadableError("no ports")
    return {str(port): dict(row) for port, row in found.items()}


def _errors(ports: Mapping[str, Mapping[str, str]]) -> dict[str, int]:
    return {
        f"{port} {name}": int(row[name].replace(",", ""))
        for port, row in ports.items()
        for name in _STILL
        if row.get(name, "N/A") != "N/A"
    }


def _rows(text: str, head: str) -> Iterator[list[str]]:
    """Return the rows of a table below its head and the line under it, split at blanks."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.split()[:1] == [head]), None)
    if start is None:
        raise UnreadableError((text.strip().splitlines() or ["nothing was said"])[0])
    yield lines[start].split()
    yield from (line.split() for line in lines[start + 2 :] if line.strip())


def _storms(answer: Answer) -> dict[str, int]:
    """Count the storms of each queue; queues without any are not shown."""
    _, *rows = _rows(answer.text, "QUEUE")
    return {f"{row[0].replace(':', ' queue ')} storms": int(row[2].split("/")[0]) for row in rows}


def _drops(answer: Answer, tables: Mapping[str, Any]) -> dict[str, int]:
    """Count the drops of the priority groups that have headroom."""
    head, *rows = _rows(answer.text, "Port")
    groups = [int(hit[1]) if (hit := _GROUP.fullmatch(word)) else -1 for word in head]
    return {
        f"{row[0]} priority group {group} drops": int(count)
        for row in rows
        for group, count in zip(groups, row, strict=True)
        if group in _lossless(row[0], tables) and count != "N/A"
    }


def _lossless(port: str, tables: Mapping[str, Any]) -> frozenset[int]:
    """Return the priority groups of a port that PFC protects: those without a lossy profile."""
    found: set[int] = set()
    for key, fields in tables.get("BUFFER_PG", {}).items():
        name, _, span = key.partition("|")
        if name == port and "lossy" not in fields.get("profile", ""):
            first, _, last = span.partition("-")
            found |= set(range(int(first), int(last or first) + 1))
    return frozenset(found)
