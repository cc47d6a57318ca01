"""Drive switches with the commit agent: candidate, difference, timed commit and undo.

The driver reads, compares and requests. The agent that it sends to the switch (onswitch/) makes the
changes, because a change must survive the connection that requested it.
"""

import contextlib
import getpass
import json
import os
import socket
import time
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, ClassVar

from napalm.base import NetworkDriver
from napalm.base.exceptions import (
    CommandErrorException,
    CommandTimeoutException,
    CommitError,
    ConnectionException,
    MergeConfigException,
    ReplaceConfigException,
)

from fabricgen.nos.driver import (
    Busy,
    Kept,
    NoCheckpoint,
    OnlyByReload,
    SwitchLock,
    Unfinished,
    pack,
    unpack,
)
from fabricgen.nos.shared.agent_script import COMMAND, Agent
from fabricgen.nos.shared.onswitch import refusal, state
from fabricgen.nos.shared.ssh import Connection, Way
from fabricgen.nos.traffic import End

_KINDS: dict[str, type[Exception]] = {
    refusal.BUSY: Busy,
    refusal.NO_CHECKPOINT: NoCheckpoint,
    refusal.CANDIDATE: ReplaceConfigException,
    refusal.RELOAD: OnlyByReload,
    refusal.COMMIT: CommitError,
}
_UNNAMED = "napalm"  # the plan of callers that claim none
_STRETCH = 20.0  # seconds of one query of a commit in progress
_TRIES = 5  # of an undo: the commit may progress between two tries
_PAUSE = 1.0  # seconds between two tries to reach a switch during a reload
_PROBED = 30.0  # seconds: three rounds of 256 silent ends take 11, 64 pings 13
_ALL = 7200.0  # seconds of all queries; each command on the switch has a shorter limit


class OnSwitchDriver(NetworkDriver):
    """Implements fabricgen.nos.driver.Transport except for `health`.

    NAPALM's dictionary types and the plain ones of the interface are both Any here. AGENT: the part
    of the agent for the network OS. LIMITS: optional_args of its slow steps, with their seconds.
    """

    AGENT: ClassVar[Agent]
    LIMITS: ClassVar[Mapping[str, float]] = {}

    def __init__(
        self,
        hostname: str,
        username: str,
        password: str,
        timeout: int = 60,
        optional_args: dict[str, Any] | None = None,
    ) -> None:
        options = dict(optional_args or {})
        self.hostname, self.username, self.timeout = hostname, username, timeout
        self._connection = Connection(Way.of(hostname, username, password, timeout, options))
        self._limits = {name: float(options.get(name) or of) for name, of in self.LIMITS.items()}
        self._terms: dict[str, Any] = {"limits": self._limits}
        for each in ("renames", "keep"):
            if options.get(each):
                self._terms[each] = options[each]
        self._sudo = "" if username == "root" else "sudo -n "
        self._plan: str | None = None
        self._remarks: list[str] = []

    def open(self) -> None:
        self._connection.open()

    def close(self) -> None:
        self._connection.close()

    def is_alive(self) -> Any:
        return {"is_alive": self._connection.alive}

    def _ask(self, do: str, seconds: float = 0.0, **words: Any) -> Any:
        """Send one request to the agent on the switch. `seconds`: extra time beyond the timeout."""
        text = self.AGENT.program({"do": do, **self._terms, **words})
        done = self._connection.run(self._sudo + COMMAND, text, self.timeout + seconds)
        try:
            answer = json.loads(done.out)
        except (RecursionError, ValueError):
            raise CommandErrorException(f"{self.hostname}: {do}: {done.reason}") from None
        if not isinstance(answer, dict) or not answer.keys() & {"ok", "refused"}:
            raise CommandErrorException(f"{self.hostname}: {do}: invalid response of the agent")
        if "ok" in answer:
            return answer["ok"]
        kind = _KINDS.get(str(answer.get("kind")), CommandErrorException)
        raise kind(f"{self.hostname}: {answer['refused']}")

    def read(self, script: str) -> str:
        """Run a read-only shell script and return its output."""
        done = self._connection.run(f"{self._sudo}sh -s", script, self.timeout)
        if not done.out.strip():
            raise CommandErrorException(f"{self.hostname}: {done.reason}")
        return done.out

    def get_facts(self) -> Any:
        return self._ask("facts")

    def _reach(self, asked: Mapping[End, Mapping[str, Any]]) -> dict[End, bool]:
        """Send probe packets. `asked`: the probe of each end, as the agent's switch expects it."""
        answers = self._ask("probe", _PROBED, asked=list(asked.values())) if asked else []
        if not isinstance(answers, list) or len(answers) != len(asked):
            raise CommandErrorException(f"{self.hostname}: the agent returned no probe results")
        return {end: answer is True for end, answer in zip(asked, answers, strict=True)}

    def get_config(
        self,
        retrieve: str = "running",
        full: bool = False,  # noqa: FBT001, FBT002 - NAPALM's signature
        sanitized: bool = False,  # noqa: FBT001, FBT002
        format: str = "text",  # noqa: A002
    ) -> Any:
        """Return files as one text; secrets are always tokens."""
        del full, sanitized, format
        texts = {"running": "", "startup": "", "candidate": ""}
        for name, do in (("running", "config"), ("candidate", "candidate")):
            if retrieve in (name, "all"):
                files = self._ask(do)
                texts[name] = pack(files["files"], files["executable"])
        return texts

    def claim(self, plan: str, over: Collection[str] = ()) -> None:
        """Claim the switch for a plan; Busy if a plan that is not in `over` holds it."""
        who = f"{getpass.getuser()}@{socket.gethostname()}"
        self._ask("claim", plan=plan, who=who, over=sorted(over), pid=os.getpid())
        self._plan = plan

    def held(self) -> SwitchLock | None:
        answer = self._ask("held")
        return None if answer is None else SwitchLock(**answer)

    def _claimed(self) -> None:
        if self._plan is None:
            self.claim(_UNNAMED)

    def unfinished(self) -> Unfinished | None:
        """Return the unconfirmed commit. With 0 seconds its process has ended or is busy."""
        pending = self._ask("unfinished")
        return (
            None if pending is None else Unfinished(str(pending["plan"]), float(pending["seconds"]))
        )

    def kept_sections(self) -> Mapping[str, str]:
        """Return the unmanaged running lines by kind, without secrets."""
        return dict(self._ask("kept_sections"))

    def has_pending_commit(self) -> bool:
        return self.unfinished() is not None

    def load_replace_candidate(
        self, filename: str | None = None, config: str | None = None
    ) -> None:
        """Load the files of the switch, joined as in nos/driver.py."""
        if config is None:
            if filename is None:
                raise ReplaceConfigException(f"{self.hostname}: configuration missing")
            config = Path(filename).read_text(encoding="utf-8")
        files, runs = self._unpacked(config)
        self._load("load", files=files, executable=sorted(runs))

    def _unpacked(self, config: str) -> tuple[dict[str, str], frozenset[str]]:
        try:
            return unpack(config)
        except ValueError as error:
            raise ReplaceConfigException(f"{self.hostname}: {error}") from error

    def _load(self, do: str, **words: Any) -> None:
        """Load a candidate. The checks of the switch's programs have no extra time limit."""
        self._claimed()
        self._ask(do, max(self._limits.values(), default=0.0), plan=self._plan, **words)

    def load_merge_candidate(self, filename: str | None = None, config: str | None = None) -> None:
        """Refuse, because a configuration is always replaced as a whole."""
        del filename, config
        raise MergeConfigException("merging is not supported: configurations are always replaced")

    def load_checkpoint(self, plan: str) -> None:
        """Load the checkpoint of a plan, which never leaves the switch."""
        self._load("load_checkpoint", of=plan)

    def keeps(self) -> tuple[Kept, ...]:
        """Return the checkpoints of the switch, with times of its clock."""
        return tuple(Kept(plan, when) for plan, when in self._ask("keeps").items())

    def compare_config(self) -> str:
        return str(self._ask("compare"))

    def discard_config(self) -> None:
        if self._plan is not None:
            self._ask("discard", plan=self._plan)

    def commit_config(self, message: str = "", revert_in: int | None = None) -> None:
        """Activate the candidate. CommitError if that fails; then the previous one is restored."""
        self._claimed()
        self._ask("start", plan=self._plan, message=message, revert_in=revert_in)
        commit = self._watched()
        if not commit["alive"] and commit["phase"] in state.OPEN:
            problems = commit.get("problems") or ["its process on the switch was ended"]
            self._ask("roll_back", plan=self._plan)
            commit = self._watched() | {"problems": problems}
        self._remarks = commit.get("remarks", [])
        if commit["phase"] not in (state.WAITING, state.CONFIRMED):
            raise CommitError(f"{self.hostname}: {_why(commit)}")
        self._kept(commit)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Parts of the last commit that the switch skipped, with reasons."""
        return tuple(self._remarks)

    def _watched(self) -> dict[str, Any]:
        """Wait until the commit no longer progresses."""
        commit: dict[str, Any] = self._ask("watch", wait=0)
        end, heard = time.monotonic() + _ALL, time.monotonic()
        while commit["alive"] and commit["phase"] in state.MOVING:
            if time.monotonic() > end:
                raise CommitError(f"{self.hostname}: the commit on the switch does not end")
            try:
                commit, heard = self._ask("watch", _STRETCH, wait=_STRETCH), time.monotonic()
            except (ConnectionException, CommandErrorException, CommandTimeoutException):
                if time.monotonic() - heard > self._silence(commit):
                    raise
                self._reconnect()
        return commit

    def _silence(self, commit: Mapping[str, Any]) -> float:
        """Return the seconds for which a commit may make the switch unreachable, as in a reload."""
        return self._limits["reload_timeout"] if commit.get("reload") else 0.0

    def _reconnect(self) -> None:
        """Try once to reach the switch again."""
        time.sleep(_PAUSE)
        self._connection.close()
        with contextlib.suppress(ConnectionException):
            self._connection.open()

    def _kept(self, commit: Mapping[str, Any]) -> None:
        """Raise CommitError if a kept commit does not persist over a reboot."""
        if commit["phase"] == state.CONFIRMED and commit.get("problems"):
            raise CommitError(f"{self.hostname}: {'; '.join(commit['problems'])}")

    def confirm_commit(self) -> None:
        self._ask("confirm", plan=self._plan)
        commit = self._watched()
        if commit["phase"] != state.CONFIRMED:
            raise CommitError(f"{self.hostname}: not confirmed: the commit is {commit['phase']}")
        self._kept(commit)

    def rollback(self) -> None:
        """Undo the pending commit now; wait first while it progresses."""
        for _ in range(_TRIES):
            if self._ask("roll_back", plan=self._plan):
                break
            self._watched()
        commit = self._watched()
        if commit["phase"] not in (state.REVERTED, state.FAILED):
            raise CommitError(f"{self.hostname}: {_why(commit)}")
        self._ask("discard", plan=commit["plan"])


def _why(commit: Mapping[str, Any]) -> str:
    """Return why a commit was undone, and whether the previous configuration is active."""
    problems = "; ".join(commit.get("problems", [])[:6]) or f"the commit is {commit['phase']}"
    left = commit.get("left", [])
    if not left:
        return f"{problems} - the previous configuration is restored"
    return f"{problems} - the previous configuration is only partly active: {'; '.join(left[:6])}"
