"""Hold the server ports of a leaf shut until EVPN is up.

After a replacement of the leaf, or at its first push, bonds to servers come up before FRR has a
session. The servers have another leaf, but would lose the traffic that they send to this one. So
their ports stay shut at first, and open like those of a drained leaf.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from fabricgen.nos.linux.driver.onswitch import bundles, interfaces
from fabricgen.nos.linux.driver.onswitch.files import FRR, FRR_CONF

if TYPE_CHECKING:
    from fabricgen.nos.shared.onswitch import disk
    from fabricgen.nos.shared.onswitch.store import Tree

LONGEST = 30.0
"""Seconds after which ports open without a session, as there may be no other switch yet."""
CALM = 3.0
"""Seconds without a new route in any session, after which all routes are complete."""
_PACE = 0.5


def held(after: Tree, touched: list[str]) -> dict[str, disk.File]:
    """Return the initial files of a leaf without sessions; empty if no port comes up early."""
    network, routing = after.files.get(interfaces.CONF), after.files.get(FRR_CONF)
    if interfaces.CONF not in touched or network is None or routing is None:
        return {}
    ports = bundles.coming(network.text)
    if not ports or _sessions():
        return {}
    # bgpd of FRR 8.4 advertises LAGs without an active port after a start, so it is prevented
    return {
        interfaces.CONF: network._replace(data=interfaces.shut(network.text, ports).encode()),
        FRR_CONF: routing._replace(data=bundles.withheld(routing.text).encode()),
    }


def settled() -> list[str]:
    """Wait for a session and for the last route; return a remark if that takes too long."""
    now = time.monotonic()
    end, seen, since = now + LONGEST, _sessions(), now
    while not seen or time.monotonic() - since < CALM:
        if time.monotonic() > end:
            return [f"ports to servers opened after {LONGEST:g} s without stable sessions of EVPN"]
        time.sleep(_PACE)
        if (found := _sessions()) != seen:
            seen, since = found, time.monotonic()
    return []


def _sessions() -> dict[str, int]:
    """Return the number of received routes of each established EVPN neighbor."""
    told = FRR.sharing().items()
    return {name: it["pfxRcd"] for name, it in told if it["state"] == "Established"}
