"""One request in, as JSON; what a SONiC switch must do by itself done. This runs on the switch."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

from fabricgen.nos.sonic.driver.switch.commit import Commit
from fabricgen.nos.sonic.driver.switch.ground import (
    ANSWER,
    ENDED,
    STATE,
    boot,
    busy,
    note,
    read,
    take,
    write,
)


def status() -> dict[str, Any]:
    """Return the last commit, whether it is at work, and its seconds left."""
    alive = busy()  # first: one that ends now has written its last word
    state = read(STATE) or {}
    mine = state.get("boot") == boot()
    left = max(0.0, state.get("deadline", 0.0) - time.monotonic()) if alive and mine else 0.0
    return {**state, "alive": alive, "left": left}


def begin(asked: dict[str, Any]) -> dict[str, Any]:
    """Start a commit, or the way back from one whose process died; it goes on by itself."""
    state, back = read(STATE) or {}, asked["verb"] == "undo"
    ended = state.get("phase", "failed") in ENDED
    if not back and not ended:
        return {"busy": f"plan {state['plan']} is {state['phase']} there"}
    lock = take(wait=5)
    if lock < 0:
        return {"busy": "another commit is at work there"}
    commit = Commit(asked, lock)
    if back and (ended or state["phase"] == "saving"):
        note(phase=state["phase"] if ended else "failed")
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
    elif verb in ("commit", "undo"):
        said = begin(asked)
    else:
        said = answer(asked)
    sys.stdout.write(json.dumps(said))
