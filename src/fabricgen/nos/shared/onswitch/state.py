"""Keep the owner of a switch and the progress of its commit in files that need a lock."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import IO, Any

from fabricgen.nos.shared.onswitch import disk
from fabricgen.nos.shared.onswitch.refusal import BUSY, Refusal

SAVING, APPLYING, WAITING, KEEPING = "saving", "applying", "waiting", "keeping"
CONFIRMED, REVERTING, REVERTED = "confirmed", "reverting", "reverted"
FAILED, STUCK = "failed", "stuck"
"""Phases of a commit. keeping: confirmed, and being saved for the next boot. failed: not fully
active, the previous configuration is restored. stuck: that one is not fully active either."""
MOVING = (SAVING, APPLYING, KEEPING, REVERTING)
OPEN = (APPLYING, WAITING, KEEPING, REVERTING, STUCK)
STALE = 600.0
"""Seconds after which a claim without any action expires."""
LOOK = "look-"
"""Prefix of plans that only compare (nos/driver.py). They block no other plan."""


def kept() -> Path:
    """Return the folder that persists over a boot."""
    return disk.own_folder("var/lib/fabricgen")


def passing() -> Path:
    """Return the folder that is lost at a boot."""
    return disk.own_folder("run/fabricgen")


def now() -> float:
    """Return seconds since the boot, sleep included, because the wall clock may jump."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def _opened(name: str) -> IO[bytes]:
    return open(passing() / name, "ab", opener=lambda path, flags: os.open(path, flags, 0o600))


@contextlib.contextmanager
def locked() -> Iterator[None]:
    """Hold the lock of all short changes of state."""
    with _opened("lock") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


class Alive:
    """The lock that a commit's process holds while it lives. The kernel releases it."""

    def __init__(self) -> None:
        self.file = _opened("process")

    def take(self) -> bool:
        """Take the lock if no living process has it."""
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def close(self) -> None:
        self.file.close()


def alive() -> bool:
    """Return whether the process of a commit lives."""
    lock = Alive()
    try:
        return not lock.take()
    finally:
        lock.close()


def commit() -> dict[str, Any]:
    return disk.load(kept() / "commit.json") or {}


def note(**facts: Any) -> dict[str, Any]:
    """Note the progress of the commit; call it under the lock."""
    noted = {**commit(), **facts}
    disk.dump(kept() / "commit.json", noted)
    return noted


def begin(**facts: Any) -> None:
    disk.dump(kept() / "commit.json", facts)


def unfinished() -> dict[str, Any] | None:
    """Return plan and seconds of the unconfirmed commit; None without any."""
    living = alive()  # first: a process that ends now has noted its last phase
    last = commit()
    phase = last.get("phase")
    if phase not in OPEN and not (phase == SAVING and living):
        return None
    seconds = 0.0
    if living and phase == WAITING:
        seconds = max(0.0, last["deadline"] - now())
    elif living and phase in (SAVING, APPLYING):
        seconds = float(last["revert_in"] or 0)
    return {"plan": last["plan"], "seconds": seconds}


def claim(plan: str, who: str, over: Collection[str] = (), pid: int = 0) -> None:
    """Claim the switch for a plan; a Refusal if a plan that is not in `over` holds it.

    `pid`: the process of the claim on the machine of `who`.
    """
    with locked():
        pending = unfinished()
        if pending is not None and pending["plan"] != plan:
            left = f"{pending['seconds']:.0f} s are left" if pending["seconds"] else "no time left"
            raise Refusal(
                BUSY,
                f"a commit of plan {pending['plan']} by {commit().get('who')} of "
                f"{_when(commit().get('since', 0))} is not confirmed yet: {left}",
            )
        other = held()
        if other and pending is None and other["plan"] not in {plan, *over}:
            raise Refusal(BUSY, f"{other['said']}; if that push is dead, run `fabricgen unlock`")
        _hold(plan, who, pid)


def held() -> dict[str, Any] | None:
    """Return the claim that blocks others. Comparisons and stale claims block nothing."""
    kept = holder()
    left = STALE - (now() - kept["at"]) if kept else 0.0
    if left <= 0 or kept["plan"].startswith(LOOK):
        return None
    until, since = (
        time.strftime("%H:%M UTC", time.gmtime(at)) for at in (time.time() + left, kept["since"])
    )
    sentence = f"held until {until} by plan {kept['plan']}, started by {kept['who']} at {since}"
    return {"plan": kept["plan"], "who": kept["who"], "pid": kept["pid"], "said": sentence}


def touch(plan: str | None) -> str:
    """Renew a claim; a Refusal if the plan no longer holds it.

    The plan of the last commit may continue after its confirmation released the claim.
    """
    with locked():
        if not holder() and plan is not None and commit().get("plan") == plan:
            _hold(plan, commit()["who"], 0)
        held = disk.load(passing() / "claim.json")
        if held is None or (plan is not None and held["plan"] != plan):
            who = f"plan {held['plan']} of {held['who']} has it" if held else "no plan has it"
            raise Refusal(BUSY, f"the switch is not claimed for plan {plan}: {who}")
        disk.dump(passing() / "claim.json", {**held, "at": now()})
        return str(held["plan"])


def holder() -> dict[str, Any]:
    """Return the holder of the switch; empty without any."""
    return disk.load(passing() / "claim.json") or {}


def _hold(plan: str, who: str, pid: int) -> None:
    taken = {"plan": plan, "who": who, "since": time.time(), "at": now(), "pid": pid}
    disk.dump(passing() / "claim.json", taken)


def release() -> None:
    (passing() / "claim.json").unlink(missing_ok=True)


def _when(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(seconds))
