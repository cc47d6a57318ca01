"""What the operator's side asks in, one answer out."""

from __future__ import annotations

import json
import shutil
import sys
from typing import TYPE_CHECKING, Any

from fabricgen.nos.shared.onswitch import checkpoints, commit, state, store
from fabricgen.nos.shared.onswitch.refusal import COMMIT, Refusal, StepError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    from fabricgen.nos.shared.onswitch import disk
    from fabricgen.nos.shared.onswitch.switch import Switch


def main(switch: Switch, ask: Mapping[str, Any]) -> None:
    """Do one thing, and answer it as one JSON document."""
    words = dict(ask)
    switch.limits = words.pop("limits", {})
    try:
        answer = {"ok": getattr(Agent(switch), words.pop("do"))(**words)}
    except Refusal as refusal:
        answer = {"refused": str(refusal), "kind": refusal.kind}
    except (OSError, StepError) as error:
        answer = {"refused": str(error), "kind": "fault"}
    sys.stdout.write(json.dumps(answer))


class Agent:
    """One operation for each public method."""

    def __init__(self, switch: Switch) -> None:
        self._switch = switch

    def claim(self, plan: str, who: str, over: Collection[str] = (), pid: int = 0) -> None:
        """Take the switch for a plan, over the claims of dead ones."""
        state.claim(checkpoints.checked(plan), who, over, pid)
        shutil.rmtree(_candidate(), ignore_errors=True)

    def load(self, plan: str | None, files: Mapping[str, str], executable: list[str]) -> None:
        """Take files as the candidate, when the switch's own programs take them."""
        state.touch(plan)
        self._take(self._switch.judge(files, executable))

    def load_checkpoint(self, plan: str | None, of: str) -> None:
        """Take what ran before a plan as the candidate."""
        state.touch(plan)
        self._take(self._switch.again(*checkpoints.read(checkpoints.checked(of))))

    def _take(self, candidate: store.Tree) -> None:
        store.store(_candidate(), candidate, {})
        commit.compared(None)

    def config(self) -> dict[str, Any]:
        """Return what runs, secrets as tokens.

        A candidate that runs is said as it was written, so that both can be compared.
        """
        return _spoken(self._switch.config(None))

    def candidate(self) -> dict[str, Any]:
        """Return the files as they would be with the candidate, secrets as tokens."""
        loaded = store.stored(_candidate())
        return _spoken({} if loaded is None else self._switch.config(loaded[0]))

    def compare(self) -> str:
        """Return what a commit of the candidate would change; empty when nothing."""
        commit.compared(self._switch.fingerprint())
        return self._switch.compare(_loaded())

    def discard(self, plan: str | None) -> None:
        """Forget the plan's candidate; give its claim up when nothing is pending."""
        with state.locked():
            if state.holder().get("plan") != plan:
                return
            shutil.rmtree(_candidate(), ignore_errors=True)
            if state.unfinished() is None:
                state.release()

    def start(self, plan: str | None, message: str, revert_in: int | None) -> None:
        """Begin a commit of the candidate."""
        holder, loaded = state.touch(plan), _loaded()
        if state.unfinished() is not None:
            raise Refusal(COMMIT, "a commit waits to be confirmed; confirm or roll it back first")
        who = state.holder()["who"]
        commit.start(self._switch, holder, who, message, revert_in, loaded)

    def watch(self, wait: float) -> dict[str, Any]:
        return commit.watch(wait)

    def confirm(self, plan: str | None) -> None:
        commit.confirm(plan)

    def roll_back(self, plan: str | None) -> bool:
        return commit.roll_back(self._switch, plan)

    def held(self) -> dict[str, Any] | None:
        return state.held()

    def unfinished(self) -> dict[str, Any] | None:
        return state.unfinished()

    def facts(self) -> dict[str, Any]:
        return self._switch.facts()


def _candidate() -> Path:
    return state.passing() / "candidate"


def _loaded() -> store.Tree:
    loaded = store.stored(_candidate())
    if loaded is None:
        raise Refusal(COMMIT, "no candidate is loaded")
    return loaded[0]


def _spoken(files: Mapping[str, disk.File]) -> dict[str, Any]:
    return {
        "files": {path: file.text for path, file in files.items()},
        "executable": [path for path, file in files.items() if file.runs],
    }
