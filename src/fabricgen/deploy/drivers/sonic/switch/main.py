"""One request in, as JSON; what a SONiC switch must do by itself done. This runs on the switch."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

from fabricgen.deploy.drivers.sonic.switch.commit import Commit
from fabricgen.deploy.drivers.sonic.switch.ground import (
    ANSWER,
    CLAIM,
    ENDED,
    STATE,
    boot,
    busy,
    note,
    read,
    take,
    write,
)

LOOK = "look-"
"""How deploy/transport.py names the plans that only compare; nobody waits for them."""


def status() -> dict[str, Any]:
    """Return the last commit, whether it is at work, its seconds left, and who has the switch."""
    alive = busy()  # first: one that ends now has written its last word
    state = read(STATE) or {}
    mine = state.get("boot") == boot()
    left = max(0.0, state.get("deadline", 0.0) - time.monotonic()) if alive and mine else 0.0
    return {**state, "alive": alive, "left": left, "claim": read(CLAIM), "now": time.time()}


def claim(plan: str, seconds: float, who: str) -> dict[str, Any]:
    """Reserve the switch for a plan; what another plan has is left as it is, and said."""
    state = read(STATE) or {}
    if state.get("phase", "failed") not in ENDED and state["plan"] != plan:
        return {"busy": f"plan {state['plan']} is {state['phase']} there"}
    lock = take(wait=5)
    if lock < 0:
        return {"busy": "another commit is at work there"}
    try:
        now, taken = time.time(), read(CLAIM)
        held = taken and taken["plan"] != plan and not taken["plan"].startswith(LOOK)
        if held and now - taken["at"] < seconds:
            age = int(now - taken["at"])
            return {"busy": f"{taken['who']} claimed it for plan {taken['plan']} {age} s ago"}
        write(CLAIM, json.dumps({"plan": plan, "at": now, "who": who}))
        return {}
    finally:
        os.close(lock)


def release(plan: str) -> dict[str, Any]:
    """Give a claim up."""
    if (read(CLAIM) or {}).get("plan") == plan:
        CLAIM.unlink(missing_ok=True)
    return {}


def begin(asked: dict[str, Any]) -> dict[str, Any]:
    """Start a commit, or the way back from one whose process died; it goes on by itself."""
    lock = take(wait=5)
    if lock < 0:
        return {"busy": "another commit is at work there"}
    state, commit = read(STATE) or {}, Commit(asked, lock)
    back = asked["verb"] == "undo"
    if back and state.get("phase") in (*ENDED, "saving"):
        note(phase="failed" if state["phase"] == "saving" else state["phase"])
        os.close(lock)
        return {}
    if not back:
        ANSWER.unlink(missing_ok=True)
        write(STATE, json.dumps({"plan": asked["plan"], "phase": "saving", "said": ""}))
    detach(lambda: commit.revert("its process died") if back else commit.make())
    return {}


def detach(work: Any) -> None:
    """Do the work in a process that no connection, session or parent can take down."""
    sys.stdout.flush()
    if os.fork():
        return
    try:
        os.setsid()
        if os.fork():
            os._exit(0)
        nothing = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1, 2):
            os.dup2(nothing, standard)
        os.chdir("/")
        work()
    finally:
        os._exit(0)


def answer(asked: dict[str, Any]) -> dict[str, Any]:
    """Tell the commit that waits what becomes of it."""
    write(ANSWER, json.dumps({"plan": asked["plan"], "keep": asked["verb"] == "confirm"}))
    return {}


def main(text: str) -> None:
    """Do one request, and print the answer as JSON."""
    asked = json.loads(text)
    verb = asked["verb"]
    if verb == "status":
        said = status()
    elif verb == "claim":
        said = claim(asked["plan"], asked["seconds"], asked["who"])
    elif verb == "release":
        said = release(asked["plan"])
    elif verb in ("commit", "undo"):
        said = begin(asked)
    else:
        said = answer(asked)
    sys.stdout.write(json.dumps(said))
