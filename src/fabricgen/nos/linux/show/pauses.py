"""Read PFC of all ports from dcb: protected priorities, and counted frames."""

import json
from collections.abc import Mapping
from typing import Any

from fabricgen.core.tree.facts import Facts
from fabricgen.nos.linux.show.measures import Measures, of_pauses
from fabricgen.nos.questions import Answer, UnreadableError

# One dcb call covers all ports. It prints an object for each and ends at the first port without
# PFC. Counters: `requests` were sent, `indications` received (man dcb-pfc; keys: dcb/dcb_pfc.c).
ASK = (
    'cd /sys/class/net && set -- $(ls -d swp* 2>/dev/null); echo "$@"; '
    'for port; do echo "pfc show dev $port"; done | dcb -s -j -b -'
)
_ABSENT = ("Operation not supported", "not found", "No such device")
"""Endings of answers for a driver without PFC, and for an image without dcb."""


class AbsentError(UnreadableError):
    """The switch has no PFC: its driver or dcb is missing."""


def by_port(answer: Answer) -> dict[str, Mapping[str, Any]]:
    """Return the answer of each port.

    Raises:
        UnreadableError: A port has no answer.
        AbsentError: Its driver has no PFC.
    """
    ports, _, said = answer.text.partition("\n")
    found = {}
    for port in ports.split():
        said = said.lstrip(" \n,")
        if not said.startswith("{"):
            why = said.partition("\n")[0].strip() or "no output"
            kind = AbsentError if why.endswith(_ABSENT) else UnreadableError
            raise kind(f"{port} and later ports: {why}")
        shown, end = json.JSONDecoder().raw_decode(said)
        said = said[end:]
        found[port] = shown
    return found


def protected(shown: Mapping[str, Any]) -> frozenset[int]:
    """Return the priorities with PFC."""
    return frozenset(number for number, on in enumerate(shown["prio_pfc"]) if on in {"on", True})


def read(answer: Answer) -> tuple[Facts, Measures, dict[tuple[str, ...], str]]:
    """Return the protected priorities, the frames, and why both are unknown."""
    try:
        ports = by_port(answer)
    except AbsentError as error:
        names = (("qos", "pause"), ("pause-sent",), ("pause-received",))
        return {}, {}, dict.fromkeys(names, str(error))
    facts: Facts = {
        ("qos", port): {"pause": tuple(map(str, sorted(protected(shown))))}
        for port, shown in ports.items()
    }
    return facts, dict(of_pauses(ports.items())), {}
