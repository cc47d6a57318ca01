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
"""Seconds; as long as NAPALM waits for a session (napalm/eos/eos.py, `_lock`)."""
_PAUSE = 1.0  # seconds between two looks


def waited(look: Callable[[], Sessions], seconds: float) -> Sessions:
    """Look until only fabricgen has sessions, or a commit that waits; for so long at most.

    One of fabricgen is not waited for: a push takes minutes, and a dead one ends by `unlock`.
    """
    end = time.monotonic() + seconds
    while True:
        listing = look()
        if not _strangers(listing) or time.monotonic() >= end:
            return listing
        time.sleep(_PAUSE)


def _strangers(listing: Sessions) -> bool:
    """Return whether others are at work. While a commit waits, no other can be made."""
    if listing.timed:
        return plan_of(listing.timed) is None
    return any(one.plan is None for one in listing.open)


def refuse(others: Iterable[Session], waited: float) -> None:
    """Busy when there are any but looks, with the name of each, who sits in it and where."""
    shown = sorted((one for one in others if not looks(one.plan)), key=lambda one: one.name)
    if not shown:
        return
    names = "; ".join(f"{one.name} ({', '.join(one.people) or 'nobody is in it'})" for one in shown)
    hints = []
    if any(one.plan is None for one in shown) and waited:
        hints.append(f"waited {waited:.0f} s")
    if any(one.plan for one in shown):
        hints.append("`fabricgen unlock` after you made sure")
    raise Busy("; ".join([f"configuration sessions are open: {names}", *hints]))


def looks(plan: str | None) -> bool:
    """Say whether a session is of a look, which never commits and may be taken again."""
    return plan is not None and plan.startswith(LOOK)
