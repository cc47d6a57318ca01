"""Derive the health of a SONiC switch from the look of its state reader.

The gate checks the measures of the look, so no counter is copied here.
"""

import re

from fabricgen.nos.health import Health
from fabricgen.nos.questions import Answers
from fabricgen.nos.shared.documents import Look, script
from fabricgen.nos.shared.health import health, links_of
from fabricgen.nos.sonic.driver import traffic
from fabricgen.nos.sonic.show.reader import SONIC

SCRIPT = SONIC.request({}) + script(traffic.COMMANDS.items())
"""The shell script for the switch. It writes nothing."""
_LINK = re.compile(r"(Ethernet|PortChannel)\d")


def health_of(output: str) -> Health:
    """Return the health. Unreadable parts are named and never guessed."""
    return of(SONIC.decode(output))


def of(given: Answers) -> Health:
    """Return the health from the answers of the script."""
    seen, look = SONIC.parse(given), Look[str](given)
    carries = traffic.traffic(seen, look)
    parts = {**{str(part): why for part, why in seen.unread.items()}, **look.unread}
    return health(
        seen,
        links={name: up for name, up in links_of(seen).items() if _LINK.match(name)},
        unread=(*traffic.UNREAD, *(f"{part}: {why}" for part, why in parts.items())),
        traffic=carries,
    )
