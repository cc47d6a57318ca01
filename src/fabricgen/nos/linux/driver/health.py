"""What a switch said of its state and its counters in, its health out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fabricgen.fabric.facts import Link
from fabricgen.fabric.observed import ESTABLISHED, Part
from fabricgen.nos.health import Health
from fabricgen.nos.linux.show.reader import LINUX
from fabricgen.nos.shared.documents import UnreadableError, answer, answers

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from fabricgen.fabric.observed import Observed
    from fabricgen.nos.shared.documents import Answer

_LINK = re.compile(r"(swp|bond|eth)\d")
_PORT = "swp"
_SHOWN = {
    Part.INTERFACES,
    Part.LLDP,
    Part.BGP,
    Part.BFD,
}
"""The parts of a look that health is made of."""

_COMMANDS = (
    ("counters", "ip -s -j link show"),
    ("drops", "tc -s -j -d qdisc show"),
)
SCRIPT = LINUX.script + "".join(
    f"({line}) 2>&1; printf '\\n\\036{key} %d\\n' $?\n" for key, line in _COMMANDS
)
"""What a shell on the switch is given. It writes nothing."""


def health(output: str) -> Health:
    """Return what works, by what the script said."""
    return of(LINUX.parse(output), answers(output))


def of(seen: Observed, said: dict[str, Answer]) -> Health:
    """Return what works, by a look at the state and the counters beside it."""
    errors, unread = _errors(said)
    running = [item for item in seen.sessions.values() if item.state == ESTABLISHED]
    return Health(
        sessions={
            f"{item.session.vrf} {item.session.peer}": item.state == ESTABLISHED
            for item in seen.sessions.values()
        },
        bfd={f"{item.vrf} {item.peer}": item.up for item in seen.bfd},
        links={
            name: item.link is Link.UP
            for name, item in seen.interfaces.items()
            if item.link is not Link.SHUT and _LINK.match(name)
        },
        cables=frozenset(
            f"{item.port} {item.name} {item.ports[0]}" for item in seen.neighbours if item.ports
        ),
        routes={
            f"{item.session.vrf} {item.session.peer} {family}": received
            for item in running
            for family, received, _ in item.pulse.prefixes
        },
        errors=errors,
        unread=(
            *(f"{part}: {why}" for part, why in seen.unread.items() if part in _SHOWN),
            *unread,
        ),
    )


def _errors(said: dict[str, Answer]) -> tuple[dict[str, int], list[str]]:
    """Return the counters that should stand still, and what could not be read of them."""
    found: dict[str, int] = {}
    unread = []
    for key, read in (("counters", _interfaces), ("drops", _drops)):
        try:
            found.update(read(answer(said, key)))
        except UnreadableError as error:
            unread.append(f"{key}: {error}")
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            unread.append(f"{key}: the output has another shape than expected: {error!r}")
    return found, unread


def _interfaces(said: Answer) -> Iterator[tuple[str, int]]:
    for item in said.document([]):
        if item["ifname"].startswith(_PORT):
            for way in ("rx", "tx"):
                yield f"{item['ifname']} {way} errors", item["stats64"][way]["errors"]


def _drops(said: Answer) -> Iterator[tuple[str, int]]:
    """Yield the drops of queues that mark instead of dropping: they are those of lossless classes.

    They are rendered as `red ... ecn nodrop` (platforms/linux/queues.py).
    """
    documents: Sequence[Mapping[str, Any]] = said.document([])
    for item in documents:
        if item["kind"] == "red" and item.get("options", {}).get("nodrop"):
            yield f"{item['dev']} {item['parent']} drops", item["drops"]
