"""Run one operation of the agent on the switch and print its answer as JSON."""

from __future__ import annotations

import json
import shutil
import sys
from typing import TYPE_CHECKING, Any

from fabricgen.nos.shared.onswitch import checkpoints, commit, state, store
from fabricgen.nos.shared.onswitch.refusal import COMMIT, RELOAD, Refusal, StepError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    from fabricgen.nos.shared.onswitch import disk
    from fabricgen.nos.shared.onswitch.switch import Switch


def main(switch: Switch, ask: Mapping[str, Any]) -> None:
    """Run one operation, and print its answer as one JSON document."""
    words = dict(ask)
    switch.limits, switch.renames = words.pop("limits", {}), words.pop("renames", False)
    switch.others = words.pop("keep", {})
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
        state.claim(checkpoints.checked(plan), who, over, pid)
        shutil.rmtree(_candidate(), ignore_errors=True)

    def load(self, plan: str | None, files: Mapping[str, str], executable: list[str]) -> None:
        """Load files as the candidate, if the switch's programs accept them."""
        state.touch(plan)
        self._take(self._switch.judge(files, executable))

    def load_reload(self, plan: str | None, files: Mapping[str, str]) -> None:
        """Load files as the candidate of a commit that restarts every service."""
        state.touch(plan)
        self._take(self._switch.judge_reload(files), reload=True)

    def load_checkpoint(self, plan: str | None, of: str, *, reload: bool = False) -> None:
        """Load a checkpoint as the candidate. The undo of a reload is a reload."""
        state.touch(plan)
        kept, facts = checkpoints.read(checkpoints.checked(of))
        if facts.get("reload") and not reload:
            raise Refusal(RELOAD, f"plan {of} reloaded the switch, and so does its undo")
        self._take(self._switch.again(kept, facts), reload=bool(facts.get("reload")))

    def _take(self, candidate: store.Tree, *, reload: bool = False) -> None:
        store.store(_candidate(), candidate, {"reload": reload})
        commit.compared(None)

    def config(self) -> dict[str, Any]:
        """Return the running configuration, secrets as tokens.

        An active candidate is returned as it was written, so that both can be compared.
        """
        return _spoken(self._switch.config(None))

    def candidate(self) -> dict[str, Any]:
        """Return the files that the candidate would produce, secrets as tokens."""
        loaded = store.stored(_candidate())
        return _spoken({} if loaded is None else self._switch.config(loaded[0]))

    def compare(self) -> str:
        commit.compared(self._switch.fingerprint())
        return self._switch.compare(_loaded()[0])

    def discard(self, plan: str | None) -> None:
        with state.locked():
            if state.holder().get("plan") != plan:
                return
            shutil.rmtree(_candidate(), ignore_errors=True)
            if state.unfinished() is None:
                state.release()

    def start(self, plan: str | None, message: str, revert_in: int | None) -> None:
        holder, (loaded, facts) = state.touch(plan), _loaded()
        if state.unfinished() is not None:
            raise Refusal(COMMIT, "a commit waits for confirmation; confirm or roll it back first")
        about = {"plan": holder, "who": state.holder()["who"], "message": message}
        about |= {"revert_in": revert_in, "reload": facts["reload"]}
        commit.start(self._switch, loaded, about)

    def watch(self, wait: float) -> dict[str, Any]:
        return commit.watch(wait)

    def confirm(self, plan: str | None) -> None:
        commit.confirm(plan)

    def roll_back(self, plan: str | None) -> bool:
        return commit.roll_back(self._switch, plan)

    def keeps(self) -> dict[str, float]:
        return checkpoints.plans()

    def held(self) -> dict[str, Any] | None:
        return state.held()

    def unfinished(self) -> dict[str, Any] | None:
        return state.unfinished()

    def kept_sections(self) -> dict[str, str]:
        return self._switch.kept_sections()

    def probe(self, asked: list[dict[str, Any]]) -> list[bool]:
        return self._switch.probe(asked)

    def facts(self) -> dict[str, Any]:
        return self._switch.facts()


def _candidate() -> Path:
    return state.passing() / "candidate"


def _loaded() -> tuple[store.Tree, dict[str, Any]]:
    loaded = store.stored(_candidate())
    if loaded is None:
        raise Refusal(COMMIT, "no candidate is loaded")
    return loaded


def _spoken(files: Mapping[str, disk.File]) -> dict[str, Any]:
    return {
        "files": {path: file.text for path, file in files.items()},
        "executable": [path for path, file in files.items() if file.runs],
    }
