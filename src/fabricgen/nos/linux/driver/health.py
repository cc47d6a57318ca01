"""Build the health of a Linux switch from its state and counters."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from fabricgen.nos.health import Health
from fabricgen.nos.linux.driver import traffic
from fabricgen.nos.linux.show.reader import LINUX, QUESTIONS
from fabricgen.nos.shared.documents import Look, answers, script, shell_request
from fabricgen.nos.shared.health import health
from fabricgen.nos.show import SHUT, UP, Observed, Part

_LINK = re.compile(r"(swp|bond|eth)\d")
_SHOWN = {
    Part.INTERFACES,
    Part.BRIDGE,
    Part.ROUTES,
    Part.LLDP,
    Part.BGP,
    Part.BFD,
    *(Part.WAYS, Part.RULES, Part.SETTINGS, Part.FLAGS, Part.ENTRIES, Part.TC, Part.TABLES),
}
"""The parts of a state snapshot that health needs."""
SCRIPT = shell_request(QUESTIONS) + script(traffic.COMMANDS)
"""The shell script for the switch. It writes nothing."""


def health_of(output: str) -> Health:
    """Return the health from the output of the script."""
    given = answers(output)
    return of(LINUX.parse(given), Look(given))


def of(seen: Observed, look: Look[str]) -> Health:
    """Return the health from a state snapshot and the counters that are no measures."""
    carries = traffic.traffic(seen, look)
    unread = [f"{part}: {why}" for part, why in seen.unread.items() if part in _SHOWN]
    return health(
        seen,
        links={
            name: own["link"] == UP
            for (_, name), own in seen.of("interface").items()
            if own["link"] != SHUT and _LINK.match(name)
        },
        errors=look.json("drops", "queues", [], _drops),
        unread=(*unread, *(f"{part}: {why}" for part, why in look.unread.items())),
        traffic=carries,
    )


def _drops(items: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Return the drops of queues that mark instead of dropping, which are lossless classes.

    They are rendered as `red ... ecn nodrop` (nos/linux/queues.py).
    """
    return {
        f"{item['dev']} {item['parent']} drops": int(item["drops"])
        for item in items
        if item["kind"] == "red" and item.get("options", {}).get("nodrop")
    }
