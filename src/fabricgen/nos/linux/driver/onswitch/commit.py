"""A commit: a process of its own on the switch, which ends it or undoes it whoever is connected."""

from __future__ import annotations

import os
import time
import traceback
from typing import TYPE_CHECKING, Any

from fabricgen.nos.linux.driver.onswitch import checkpoints, state, tree
from fabricgen.nos.linux.driver.onswitch.apply import apply, restore
from fabricgen.nos.linux.driver.onswitch.refusal import BUSY, COMMIT, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable

_STEP = 0.1
_LOST = "the process of the commit has ended before its time, as after a reboot: roll back"


def start(plan: str, who: str, message: str, revert_in: int | None, candidate: tree.Tree) -> None:
    """Begin to make the candidate run."""
    facts = {"plan": plan, "who": who, "message": message, "revert_in": revert_in}
    _detach(lambda: _commit(candidate, {**facts, "since": time.time()}))


def _detach(work: Callable[[], None]) -> None:
    """Let a process do the work that has nothing more to do with this one; Refusal when one does.

    The answer comes when it holds the lock by which others see it live.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.setsid()
        if os.fork():
            os._exit(0)
        _alone(writing, work)
    os.close(writing)
    os.waitpid(child, 0)
    answer = os.read(reading, 1)
    os.close(reading)
    if answer != b"y":
        raise Refusal(BUSY, "another commit is being made on the switch")


def _alone(writing: int, work: Callable[[], None]) -> None:
    """Hold the lock, tell so, and work; never return."""
    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(nothing, number)
        os.chdir("/")
        lock = state.Alive()
        taken = lock.take()
        os.write(writing, b"y" if taken else b"n")
        os.close(writing)
        if taken:
            work()
    finally:
        os._exit(0)


def _note(**facts: Any) -> None:
    with state.locked():
        state.note(**facts)


def _commit(candidate: tree.Tree, facts: dict[str, Any]) -> None:
    """Save, apply, wait. Whatever goes wrong after the first write is undone."""
    with state.locked():
        state.begin(**facts, phase=state.SAVING)
    try:
        touched = tree.changed(tree.running(), candidate)
        name = checkpoints.save(facts["plan"], candidate, touched)
    except Exception as error:  # noqa: BLE001 - the boundary: nothing is changed, and it is said
        _note(phase=state.FAILED, problems=[f"no checkpoint: {_sentence(error)}"])
        return
    _note(phase=state.APPLYING, checkpoint=name, touched=touched)
    try:
        kept = tree.stored(checkpoints.folder(name))
        assert kept is not None
        problems, said = apply(candidate, touched, kept[1])
    except Exception as error:  # noqa: BLE001 - the boundary: it is undone, and said
        problems, said = [_sentence(error)], []
    _note(said=said)
    if problems:
        _undo(state.FAILED, problems)
    elif facts["revert_in"] is None:
        keep()
    else:
        _wait(facts["revert_in"])


def keep() -> None:
    """Note that the commit stays."""
    with state.locked():
        checkpoints.confirm(state.note(phase=state.CONFIRMED)["checkpoint"])


def _wait(seconds: int) -> None:
    """Wait until somebody confirms or takes back, or the time is over."""
    _note(phase=state.WAITING, deadline=state.now() + seconds)
    while True:
        with state.locked():
            said = state.commit()
            if said["phase"] == state.WAITING and state.now() >= said["deadline"]:
                said = state.note(phase=state.REVERTING, late=True)
        if said["phase"] == state.CONFIRMED:
            return
        if said["phase"] == state.REVERTING:
            _undo(state.REVERTED, [])
            return
        time.sleep(_STEP)


def _undo(end: str, problems: list[str]) -> None:
    """Put the checkpoint back; where it does not run entirely either, that is said."""
    _note(phase=state.REVERTING, problems=problems)
    try:
        found = tree.stored(checkpoints.folder(state.commit()["checkpoint"]))
        assert found is not None
        left = restore(*found)
    except Exception as error:  # noqa: BLE001 - the boundary: it is said
        left = [_sentence(error)]
    _note(phase=state.STUCK if left else end, left=left)


def _sentence(error: Exception) -> str:
    """Say a fault with its place, and no value: those may be secrets."""
    if isinstance(error, (OSError, Refusal)):
        return str(error)
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {last.name}, line {last.lineno}"


def confirm(plan: str | None) -> None:
    """Keep the commit that waits; to say it twice is to say it once."""
    with state.locked():
        said = state.commit()
        _owned(plan, said)
        if said["phase"] == state.CONFIRMED:
            return
        if said["phase"] != state.WAITING or state.now() >= said["deadline"]:
            raise Refusal(COMMIT, f"there is nothing to confirm: the commit is {said['phase']}")
        if not state.alive():
            raise Refusal(COMMIT, _LOST)
        checkpoints.confirm(said["checkpoint"])
        state.note(phase=state.CONFIRMED)
        state.release()


def _owned(plan: str | None, said: dict[str, Any]) -> None:
    if not said:
        raise Refusal(COMMIT, "nothing was ever committed on the switch")
    if plan is not None and said["plan"] != plan:
        raise Refusal(COMMIT, f"the last commit was of plan {said['plan']}, not of {plan}")


def roll_back(plan: str | None) -> bool:
    """Let the commit be undone, by its process or by a new one; False while it is still moving."""
    with state.locked():
        said = state.commit()
        _owned(plan, said)
        living = state.alive()
        if living and said["phase"] == state.WAITING:
            state.note(phase=state.REVERTING)
            return True
    if living:
        return bool(said["phase"] == state.REVERTING)
    if said["phase"] in (state.REVERTED, state.FAILED):
        return True
    if said["phase"] not in state.OPEN:
        raise Refusal(COMMIT, f"there is nothing to roll back: the commit is {said['phase']}")
    _detach(lambda: _undo(state.REVERTED, []))
    return True


def watch(seconds: float) -> dict[str, Any]:
    """Return how far the commit is as soon as it no longer moves, or after some seconds."""
    end = time.monotonic() + seconds
    while True:
        living, said = state.alive(), state.commit()
        if not living or said.get("phase") not in state.MOVING or time.monotonic() > end:
            return {**said, "alive": living}
        time.sleep(_STEP)
