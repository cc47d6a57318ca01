"""Wait until no other configuration session is open on a switch.

CloudVision and users configure by sessions, too. A commit overwrites changes made since its session
began (Arista's manual, "Configure Session"). So nothing is committed while another session is open.
Only sessions of fabricgen are ever aborted.
"""

import time
from collections.abc import Callable, Iterable

from fabricgen.nos.driver import LOOK, Busy
from fabricgen.nos.eos.driver.sessions import Session, Sessions, plan_of

WAIT = 10.0
"""Default seconds to wait for a session, as in NAPALM (napalm/eos/eos.py, `_lock`)."""
_PAUSE = 1.0  # seconds between two queries


def waited(look: Callable[[], Sessions], seconds: float) -> Sessions:
    """Query until only fabricgen has sessions, a commit waits, or the time is over.

    Sessions of fabricgen are not waited for: a push takes minutes, and `unlock` ends a dead one.
    """
    end = time.monotonic() + seconds
    while True:
        listing = look()
        if not _strangers(listing) or time.monotonic() >= end:
            return listing
        time.sleep(_PAUSE)


def _strangers(listing: Sessions) -> bool:
    """Return whether other users have sessions. While a commit waits, no other can be made."""
    if listing.timed:
        return plan_of(listing.timed) is None
    return any(one.plan is None for one in listing.open)


def refuse(others: Iterable[Session], waited: float) -> None:
    """Raise Busy for open sessions with their names and users. Comparisons are ignored."""
    shown = sorted((one for one in others if not looks(one.plan)), key=lambda one: one.name)
    if not shown:
        return
    names = "; ".join(f"{one.name} ({', '.join(one.people) or 'no user'})" for one in shown)
    hints = []
    if any(one.plan is None for one in shown) and waited:
        hints.append(f"waited {waited:.0f} s")
    if any(one.plan for one in shown):
        hints.append("if that push is dead, run `fabricgen unlock`")
    raise Busy("; ".join([f"configuration sessions are open: {names}", *hints]))


def looks(plan: str | None) -> bool:
    """Return whether a session belongs to a comparison, which never commits and may be reused."""
    return plan is not None and plan.startswith(LOOK)
