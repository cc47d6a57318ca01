"""Run a commit as its own process on the switch, which completes or undoes it unattended."""

from __future__ import annotations

import os
import time
import traceback
from typing import TYPE_CHECKING, Any

from fabricgen.nos.shared.onswitch import checkpoints, commands, disk, state
from fabricgen.nos.shared.onswitch.refusal import BUSY, COMMIT, Refusal, StepError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fabricgen.nos.shared.onswitch.store import Tree
    from fabricgen.nos.shared.onswitch.switch import Switch

_STEP = 0.1
_LOST = "the process of the commit ended early, for example by a reboot: roll back"
_COMPARED = "compared.json"


def compared(fingerprint: str | None) -> None:
    """Save the fingerprint of the configuration that was compared; None for a new candidate."""
    disk.dump(state.passing() / _COMPARED, fingerprint)


def start(switch: Switch, candidate: Tree, facts: Mapping[str, Any]) -> None:
    """Begin to activate the candidate. `facts`: plan, who, message, revert_in, reload."""
    _detach(lambda: _commit(switch, candidate, {**facts, "since": time.time()}))


def _detach(work: Callable[[], None]) -> None:
    """Do the work in a detached process; Refusal if another commit is running.

    The call returns when the process holds the lock that shows that it is alive.
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
        raise Refusal(BUSY, "another commit is running on the switch")


def _alone(writing: int, work: Callable[[], None]) -> None:
    """Hold the lock, report it, and work; never return."""
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
            commands.HELD.append(lock.file.fileno())
            work()
    finally:
        os._exit(0)


def _note(**facts: Any) -> None:
    with state.locked():
        state.note(**facts)


def _commit(switch: Switch, candidate: Tree, facts: dict[str, Any]) -> None:
    """Save, apply, wait. Any failure after the first write is undone."""
    with state.locked():
        state.begin(**facts, phase=state.SAVING)
    try:
        before = disk.load(state.passing() / _COMPARED)
        if before is not None and before != switch.fingerprint():
            raise StepError("the running configuration changed since it was compared")  # noqa: TRY301
        touched = switch.touched(candidate)
        kept, needed = switch.checkpoint(candidate, touched)
        needed |= {"touched": touched, "reload": facts.get("reload", False)}
        name = checkpoints.save(facts["plan"], kept, needed)
    except Exception as error:  # noqa: BLE001 - the boundary: nothing changed, the error is noted
        _note(phase=state.FAILED, problems=[f"nothing was changed: {_sentence(error)}"])
        return
    _note(phase=state.APPLYING, checkpoint=name, touched=touched)
    try:
        problems, remarks = switch.apply(candidate, touched, needed)
    except Exception as error:  # noqa: BLE001 - the boundary: undone, the error is noted
        problems, remarks = [_sentence(error)], []
    _note(remarks=remarks)
    if problems:
        _undo(switch, state.FAILED, problems)
    elif facts["revert_in"] is None:
        _note(phase=state.KEEPING)
        _keep(switch)
    else:
        _wait(switch, facts["revert_in"])


def _keep(switch: Switch) -> None:
    """Keep the commit. A failure to save it for the next boot is noted, not undone."""
    try:
        problems = switch.keep()
    except Exception as error:  # noqa: BLE001 - the boundary: the error is noted
        problems = [_sentence(error)]
    with state.locked():
        problems = [f"the commit is active, but not saved: {why}" for why in problems]
        checkpoints.confirm(state.note(phase=state.CONFIRMED, problems=problems)["checkpoint"])
        state.release()


def _wait(switch: Switch, seconds: int) -> None:
    """Wait until the commit is confirmed or undone, or the timer ends."""
    _note(phase=state.WAITING, deadline=state.now() + seconds)
    while True:
        with state.locked():
            last = state.commit()
            if last["phase"] == state.WAITING and state.now() >= last["deadline"]:
                last = state.note(phase=state.REVERTING, late=True)
        if last["phase"] == state.KEEPING:
            _keep(switch)
            return
        if last["phase"] == state.REVERTING:
            _undo(switch, state.REVERTED, [])
            return
        time.sleep(_STEP)


def _undo(switch: Switch, end: str, problems: list[str]) -> None:
    """Restore the checkpoint, and note the parts that fail."""
    _note(phase=state.REVERTING, problems=problems)
    try:
        left = switch.restore(*checkpoints.read(state.commit()["checkpoint"]))
    except Exception as error:  # noqa: BLE001 - the boundary: the error is noted
        left = [_sentence(error)]
    _note(phase=state.STUCK if left else end, left=left)


def _sentence(error: Exception) -> str:
    """Return the type and place of an error, without values, which may be secrets."""
    if isinstance(error, (OSError, Refusal, StepError)):
        return str(error)
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {last.name}, line {last.lineno}"


def confirm(plan: str | None) -> None:
    """Let the process of the pending commit keep it. A second call has no effect."""
    with state.locked():
        last = state.commit()
        _owned(plan, last)
        if last["phase"] == state.CONFIRMED:
            return
        if not state.alive() and last["phase"] in state.OPEN:
            raise Refusal(COMMIT, _LOST)
        if last["phase"] == state.KEEPING:
            return
        if last["phase"] != state.WAITING or state.now() >= last["deadline"]:
            raise Refusal(COMMIT, f"nothing to confirm: the commit is {last['phase']}")
        state.note(phase=state.KEEPING)


def _owned(plan: str | None, last: dict[str, Any]) -> None:
    if not last:
        raise Refusal(COMMIT, "the switch has no commit yet")
    if plan is not None and last["plan"] != plan:
        raise Refusal(COMMIT, f"the last commit was of plan {last['plan']}, not of {plan}")


def roll_back(switch: Switch, plan: str | None) -> bool:
    """Undo the commit, by its process or a new one; False while it still progresses."""
    with state.locked():
        last = state.commit()
        _owned(plan, last)
        living, phase = state.alive(), last["phase"]
        if living and phase == state.WAITING:
            state.note(phase=state.REVERTING)
            return True
        if not living and phase == state.SAVING:  # it died before its first write
            phase = state.note(phase=state.FAILED)["phase"]
    if living:
        return bool(phase == state.REVERTING)
    if phase in (state.REVERTED, state.FAILED):
        return True
    if phase not in state.OPEN:
        raise Refusal(COMMIT, f"nothing to roll back: the commit is {phase}")
    _detach(lambda: _undo(switch, state.REVERTED, []))
    return True


def watch(seconds: float) -> dict[str, Any]:
    """Return the progress of the commit when it stops, or after some seconds."""
    end = time.monotonic() + seconds
    while True:
        living, last = state.alive(), state.commit()
        if not living or last.get("phase") not in state.MOVING or time.monotonic() > end:
            return {**last, "alive": living}
        time.sleep(_STEP)
