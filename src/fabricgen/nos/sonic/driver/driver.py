"""The files of one SONiC switch in, a switch that runs them out: the contract of transport.py.

The driver reads, compares and asks; what changes the switch is done by a program of our own that
it sends there (switch/), because a change must survive the connection that asked for it.
"""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from napalm.base.base import NetworkDriver
from napalm.base.exceptions import (
    CommandErrorException,
    CommitError,
    ConnectionClosedException,
    MergeConfigException,
    ReplaceConfigException,
)

from fabricgen.nos.bundle import unpack
from fabricgen.nos.driver import Busy, NoCheckpoint, Unfinished
from fabricgen.nos.sonic.driver import facts
from fabricgen.nos.sonic.driver.sent import request
from fabricgen.nos.sonic.driver.ssh import Connection, Way
from fabricgen.nos.sonic.driver.switch.ground import CHECKPOINTS, ENDED, FRR, fingerprint
from fabricgen.nos.sonic.driver.switch.ground import ROUTING as KEPT_ROUTING
from fabricgen.nos.sonic.driver.tables import OWNED, Tables, ours, patch, replaced, target
from fabricgen.nos.sonic.driver.texts import (
    ROUTING,
    TABLES,
    canonical,
    compared,
    masked,
    secrets,
)

if TYPE_CHECKING:
    from collections.abc import Collection

    from napalm.base.models import AliveDict, ConfigDict, FactsDict

    from fabricgen.nos.health import Health
    from fabricgen.nos.sonic.driver.ssh import Said

_PLAN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_LOOK = (0.05, 1.0)
"""Seconds between two looks at a commit: at first, and at most."""


@dataclass(frozen=True, slots=True)
class _Configuration:
    """Our tables and frr.conf. exact: nothing beside them is kept, they were read from a switch."""

    tables: Tables
    frr: str | None
    exact: bool = False


class SonicDriver(NetworkDriver):
    """SONiC, reached over SSH as a user who may sudo.

    optional_args beside those of every driver (ssh.py): updater_timeout, the seconds a GCU verb
    may take (900); routing_timeout, those until FRR must run frr.conf again (180).
    """

    def __init__(
        self,
        hostname: str,
        username: str,
        password: str,
        timeout: int = 60,
        optional_args: dict[str, Any] | None = None,
    ) -> None:
        """Remember how to reach the switch."""
        options = dict(optional_args or {})
        self.hostname, self.username, self.password = hostname, username, password
        self.timeout = timeout
        self._way = Way.of(hostname, username, password, timeout, options)
        self._patience = float(options.get("updater_timeout") or 900)
        self._routing = float(options.get("routing_timeout") or 180)
        self._link: Connection | None = None
        self._candidate: _Configuration | None = None
        self._plan: str | None = None

    def open(self) -> None:
        """Connect."""
        self._link = Connection(self._way)

    def close(self) -> None:
        """Disconnect; a pending commit is the switch's own business."""
        if self._link is not None:
            self._link.close()
        self._link = None

    def is_alive(self) -> AliveDict:
        """Tell whether the connection stands."""
        return {"is_alive": self._link is not None and self._link.alive}

    # What runs.

    def get_facts(self) -> FactsDict:
        """Return NAPALM's facts."""
        version, uptime = self._must(facts.VERSION), self._must("cat /proc/uptime")
        return facts.facts(version, self._read_tables(), uptime)

    def get_config(
        self,
        retrieve: str = "running",
        full: bool = False,  # noqa: FBT001, FBT002 - NAPALM's signature
        sanitized: bool = False,  # noqa: FBT001, FBT002
        format: str = "text",  # noqa: A002
    ) -> ConfigDict:
        """Return what runs, always without secrets: equal ones stay equal."""
        del full, sanitized, format
        running = ""
        if retrieve in ("running", "all"):
            now = self._running()
            running = canonical(ours(now.tables), now.frr)
        return {"running": running, "startup": "", "candidate": ""}

    def health(self) -> Health:
        """Return what of the switch works now."""
        said = {question: self._run(f"sudo -n {question.line}") for question in facts.QUESTIONS}
        return facts.health(said, self._read_tables())

    # The candidate.

    def load_replace_candidate(
        self, filename: str | None = None, config: str | None = None
    ) -> None:
        """Take a bundle of config_db.json and frr.conf; GCU says whether it would apply it."""
        text = Path(filename).read_text("utf-8") if filename else config or ""
        candidate = _parsed(text)
        now = self._running()
        steps = patch(now.tables, self._target(now, candidate))
        if steps:
            # A channel's input is a socket, which cannot be opened by a name; a pipe can.
            line = "cat | sudo -n config apply-patch --dry-run /dev/stdin"
            said = self._run(line, json.dumps(steps), self._patience)
            if said.status:
                reason = masked(said.reason, _hidden(now, candidate))
                raise ReplaceConfigException(f"SONiC refuses it: {reason}")
        self._candidate = candidate

    def load_merge_candidate(self, filename: str | None = None, config: str | None = None) -> None:
        """Refuse: a configuration is replaced as a whole."""
        del filename, config
        raise MergeConfigException("configurations are replaced, not merged")

    def load_checkpoint(self, plan: str) -> None:
        """Take GCU's checkpoint of a plan, and the frr.conf that belongs to it."""
        kept = self._kept(_checked(plan))
        if kept is None:
            raise NoCheckpoint(f"{self.hostname} keeps nothing from before plan {plan}")
        self._candidate = kept

    def compare_config(self) -> str:
        """Return a line for each field that differs, and a unified diff of frr.conf."""
        if self._candidate is None:
            return ""
        now = self._running()
        after = self._target(now, self._candidate)
        return compared(ours(now.tables), ours(after), now.frr, self._candidate.frr)

    def discard_config(self) -> None:
        """Forget the candidate and the claim; a commit that waits is found by its plan."""
        self._candidate = self._plan = None

    # The commit.

    def claim(self, plan: str, over: Collection[str] = ()) -> None:
        """Name what follows after a plan, unless a commit of another one is pending there.

        Nothing is written down before the commit itself, which takes the lock of the switch and
        refuses when anything changed since it was compared: a claim cannot be left behind.
        """
        del over
        state, name = self._ask("status"), _checked(plan)
        if state.get("phase", "failed") not in ENDED and state["plan"] != plan:
            raise Busy(f"{self.hostname}: plan {state['plan']} is {state['phase']} there")
        self._plan, self._candidate = name, None

    def unfinished(self) -> Unfinished | None:
        """Return the commit that waits there; 0 seconds: its process is gone, or at work."""
        state = self._ask("status")
        if state.get("phase", "failed") in ENDED:
            return None
        return Unfinished(state["plan"], float(state["left"]))

    def has_pending_commit(self) -> bool:
        """Tell whether a commit waits to be confirmed."""
        return self.unfinished() is not None

    def commit_config(self, message: str = "", revert_in: int | None = None) -> None:
        """Make the candidate run, and come back when it does."""
        del message
        if self._candidate is None or self._plan is None:
            raise CommitError("nothing is loaded, or the switch is not claimed")
        now = self._running()
        wanted = self._target(now, self._candidate)
        asked = {
            "patch": patch(now.tables, wanted),
            "before": fingerprint(now.tables),
            "wanted": wanted,
            "frr": self._candidate.frr,
            "seconds": revert_in,
            "hide": _hidden(now, self._candidate),
        }
        self._start("commit", self._plan, asked)
        state = self._await("waiting", *ENDED)
        if state["phase"] not in ("waiting", "confirmed"):
            raise CommitError(f"{self.hostname}: {state['said']}")
        if state["phase"] == "confirmed":
            self._finish(state)

    def confirm_commit(self) -> None:
        """Keep what waits."""
        state = self._mine()
        if state["phase"] == "confirmed":
            return
        if state["phase"] != "waiting" or not state["alive"]:
            raise CommitError(f"{self.hostname}: nothing waits to be confirmed: {_told(state)}")
        self._ask("confirm", plan=state["plan"])
        state = self._await(*ENDED)
        if state["phase"] != "confirmed":
            raise CommitError(f"{self.hostname}: too late, it was undone: {_told(state)}")
        self._finish(state)

    def rollback(self) -> None:
        """Undo what waits; where its process is gone, begin another one that does."""
        state = self._mine()
        if state["phase"] == "confirmed":
            raise CommitError(f"{self.hostname}: plan {state['plan']} is confirmed already")
        if state["alive"]:
            self._ask("revert", plan=state["plan"])
            state = self._await(*ENDED)
        if state["phase"] not in ENDED:
            known = [self._running(), *filter(None, [self._kept(state["plan"])])]
            self._start("undo", state["plan"], {"hide": _hidden(*known)})
            state = self._await(*ENDED)
        if state["phase"] not in ("reverted", "failed"):
            raise CommitError(f"{self.hostname}: not undone: {_told(state)}")
        self._plan = None

    # What they are made of.

    def _mine(self) -> dict[str, Any]:
        state = self._ask("status")
        if "plan" not in state or self._plan not in (None, state["plan"]):
            raise CommitError(f"{self.hostname}: no commit of plan {self._plan}: {_told(state)}")
        return state

    def _start(self, verb: str, plan: str, asked: dict[str, Any]) -> None:
        limits = {"patience": self._patience, "routing": self._routing, "owned": OWNED}
        said = self._ask(verb, plan=plan, **limits, **asked)
        if "busy" in said:
            raise Busy(f"{self.hostname}: {said['busy']}")

    def _await(self, *phases: str) -> dict[str, Any]:
        """Look until the commit is in one of the phases, or its process is gone."""
        pause, most = _LOOK
        while True:
            state = self._ask("status")
            if state["phase"] in phases or not state["alive"]:
                return state
            time.sleep(pause)
            pause = min(pause * 1.4, most)

    def _finish(self, state: dict[str, Any]) -> None:
        self._plan = None
        if state["said"]:
            raise CommitError(f"{self.hostname}: {state['said']}")

    def _target(self, now: _Configuration, candidate: _Configuration) -> Tables:
        return candidate.tables if candidate.exact else target(now.tables, candidate.tables)

    def _running(self) -> _Configuration:
        said = self._run(f"sudo -n cat {FRR}")
        return _Configuration(replaced(self._read_tables()), None if said.status else said.output)

    def _kept(self, plan: str) -> _Configuration | None:
        said = self._run(f"sudo -n cat {CHECKPOINTS}/fabricgen-{plan}.cp.json")
        frr = self._run(f"sudo -n cat {KEPT_ROUTING}/{plan}")
        if said.status:
            return None
        routing = None if frr.status else frr.output
        return _Configuration(replaced(json.loads(said.output)), routing, exact=True)

    def _read_tables(self) -> dict[str, Any]:
        # As GCU itself reads them: gu_common.py get_config_db_as_text.
        said = json.loads(self._must("sudo -n sonic-cfggen -d --print-data"))
        assert isinstance(said, dict)
        return said

    def _run(self, line: str, text: str = "", patience: float | None = None) -> Said:
        if self._link is None:
            raise ConnectionClosedException(f"{self.hostname}: not connected")
        return self._link.run(line, text, patience)

    def _must(self, line: str) -> str:
        said = self._run(line)
        if said.status:
            raise CommandErrorException(f"{self.hostname}: {line}: {said.reason}")
        return said.output

    def _ask(self, verb: str, **more: Any) -> dict[str, Any]:
        """Let our program on the switch fulfil a request."""
        said = self._run("sudo -n python3 -", request({"verb": verb, **more}))
        if said.status:
            raise CommandErrorException(f"{self.hostname}: {verb}: {said.reason}")
        answer = json.loads(said.output)
        assert isinstance(answer, dict)
        return answer


def _told(state: dict[str, Any]) -> str:
    return f"{state.get('phase', 'nothing was committed there')} {state.get('said', '')}".strip()


def _checked(plan: str) -> str:
    """Return the name of a plan that can be part of a path and of a command."""
    if not _PLAN.fullmatch(plan):
        raise ValueError(f"not the name of a plan: {plan!r}")
    return plan


def _hidden(*configurations: _Configuration) -> dict[str, str]:
    found: dict[str, str] = {}
    for one in configurations:
        found |= secrets(one.tables, one.frr)
    return found


def _parsed(text: str) -> _Configuration:
    """Read a bundle; what is not ours to replace, or can not be, is refused."""
    try:
        files, _ = unpack(text)
        tables = json.loads(files.pop(TABLES))
        frr = files.pop(ROUTING)
    except (ValueError, KeyError) as error:
        raise ReplaceConfigException(f"not the files of a SONiC switch: {error}") from None
    strange = sorted({*files} | {name for name in tables if name not in OWNED})
    if strange:
        raise ReplaceConfigException(f"not ours to replace: {', '.join(strange)}")
    if empty := sorted(name for name, rows in tables.items() if not rows):
        raise ReplaceConfigException(f"CONFIG_DB has no empty tables: {', '.join(empty)}")
    return _Configuration(tables, frr)
