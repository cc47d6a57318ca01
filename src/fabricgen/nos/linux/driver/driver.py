"""NAPALM's driver for Debian with FRR and ifupdown2: candidate, difference, timed commit, undo."""

from __future__ import annotations

import getpass
import json
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Any

from napalm.base import NetworkDriver
from napalm.base.exceptions import (
    CommandErrorException,
    CommitError,
    ReplaceConfigException,
)

from fabricgen.nos.bundle import pack, unpack
from fabricgen.nos.driver import Busy, NoCheckpoint, Unfinished
from fabricgen.nos.linux.driver import getters, health, sending
from fabricgen.nos.linux.driver.connection import Connection, Way
from fabricgen.nos.linux.driver.onswitch import refusal, state
from fabricgen.nos.linux.show.reader import LINUX

if TYPE_CHECKING:
    from collections.abc import Collection

    from fabricgen.fabric.observed import Observed
    from fabricgen.nos.health import Health

_KINDS: dict[str, type[Exception]] = {
    refusal.BUSY: Busy,
    refusal.NO_CHECKPOINT: NoCheckpoint,
    refusal.CANDIDATE: ReplaceConfigException,
    refusal.COMMIT: CommitError,
}
_UNNAMED = "napalm"  # the plan of those who claim none
_STRETCH = 20.0  # seconds of one look at a commit that moves
_ALL = 1800.0  # and of all looks: every command on the switch has a limit of its own before


class LinuxDriver(NetworkDriver):
    """Fulfils fabricgen.nos.driver.Transport.

    What NAPALM types as its own dictionaries, and the seam as plain ones, is Any here.
    """

    def __init__(
        self,
        hostname: str,
        username: str,
        password: str,
        timeout: int = 60,
        optional_args: dict[str, Any] | None = None,
    ) -> None:
        self.hostname, self.username, self.timeout = hostname, username, timeout
        self._connection = Connection(
            Way.of(hostname, username, password, timeout, dict(optional_args or {}))
        )
        self._sudo = "" if username == "root" else "sudo -n "
        self._plan: str | None = None
        self._said: list[str] = []

    def open(self) -> None:
        """Connect; ConnectionException when the switch cannot be reached, or is another."""
        self._connection.open()

    def close(self) -> None:
        """Disconnect; a pending commit is the switch's."""
        self._connection.close()

    def is_alive(self) -> Any:
        return {"is_alive": self._connection.alive}

    def _ask(self, do: str, **words: Any) -> Any:
        """Ask the program on the switch one thing."""
        text = sending.program({"do": do, **words})
        seconds = self.timeout + words.get("seconds", 0.0)
        done = self._connection.run(self._sudo + sending.COMMAND, text, seconds)
        try:
            answer = json.loads(done.out)
        except ValueError:
            lines = (done.err or done.out).strip().splitlines()
            said = lines[-1] if lines else f"exit status {done.status}"
            raise CommandErrorException(f"{self.hostname}: {do}: {said}") from None
        if "ok" in answer:
            return answer["ok"]
        kind = _KINDS.get(answer["kind"], CommandErrorException)
        raise kind(f"{self.hostname}: {answer['refused']}")

    def claim(self, plan: str, over: Collection[str] = ()) -> None:
        """Take the switch for a plan; Busy when another one has it that is not of `over`."""
        who = f"{getpass.getuser()}@{socket.gethostname()}"
        self._ask("claim", plan=plan, who=who, over=sorted(over))
        self._plan = plan

    def unfinished(self) -> Unfinished | None:
        """Return the commit that nobody has confirmed."""
        said = self._ask("unfinished")
        return None if said is None else Unfinished(said["plan"], said["seconds"])

    def has_pending_commit(self) -> bool:
        return self.unfinished() is not None

    def load_replace_candidate(
        self, filename: str | None = None, config: str | None = None
    ) -> None:
        """Take the files of the switch, as deploy/bundle.py joins them."""
        if config is None:
            if filename is None:
                raise ReplaceConfigException(f"{self.hostname}: neither a file nor a text")
            config = Path(filename).read_text(encoding="utf-8")
        try:
            files, executable = unpack(config)
        except ValueError as error:
            raise ReplaceConfigException(f"{self.hostname}: {error}") from error
        self._claimed()
        self._ask("load", plan=self._plan, files=files, executable=sorted(executable))

    def _claimed(self) -> None:
        if self._plan is None:
            self.claim(_UNNAMED)

    def load_checkpoint(self, plan: str) -> None:
        """Take what ran before a plan; it never leaves the switch."""
        self._claimed()
        self._ask("load_checkpoint", plan=self._plan, of=plan)

    def compare_config(self) -> str:
        """Return what the candidate would change, file by file; empty when nothing."""
        return str(self._ask("compare"))

    def discard_config(self) -> None:
        """Forget the candidate, and give the claim up when nothing is pending."""
        if self._plan is not None:
            self._ask("discard", plan=self._plan)

    def commit_config(self, message: str = "", revert_in: int | None = None) -> None:
        """Make the candidate run; CommitError when it does not, and what ran before runs again."""
        self._claimed()
        self._ask("start", plan=self._plan, message=message, revert_in=revert_in)
        said = self._watched()
        if not said["alive"] and said["phase"] in state.OPEN:
            self._ask("roll_back", plan=self._plan)
            said = self._watched() | {"problems": ["its process on the switch was ended"]}
        self._said = said.get("said", [])
        if said["phase"] not in (state.WAITING, state.CONFIRMED):
            raise CommitError(f"{self.hostname}: {_why(said)}")

    @property
    def said(self) -> tuple[str, ...]:
        """What of the last commit was left out on the switch, and why."""
        return tuple(self._said)

    def _watched(self) -> dict[str, Any]:
        """Wait until the commit no longer moves."""
        for _ in range(int(_ALL / _STRETCH)):
            said: dict[str, Any] = self._ask("watch", seconds=_STRETCH)
            if not said["alive"] or said["phase"] not in state.MOVING:
                return said
        raise CommitError(f"{self.hostname}: the commit on the switch does not end")

    def confirm_commit(self) -> None:
        """Keep the pending commit."""
        self._ask("confirm", plan=self._plan)

    def rollback(self) -> None:
        """Undo the pending commit now."""
        while not self._ask("roll_back", plan=self._plan):
            self._watched()
        said = self._watched()
        if said["phase"] not in (state.REVERTED, state.FAILED):
            raise CommitError(f"{self.hostname}: {_why(said)}")
        self._ask("discard", plan=said["plan"])

    def get_config(
        self,
        retrieve: str = "running",
        full: bool = False,  # noqa: FBT001, FBT002 - NAPALM's signature
        sanitized: bool = False,  # noqa: FBT001, FBT002
        format: str = "text",  # noqa: A002
    ) -> Any:
        """Return files as one text; secrets are tokens in it, whoever asks."""
        del full, sanitized, format
        found = {"running": "", "startup": "", "candidate": ""}
        for name, ask in (("running", "config"), ("candidate", "candidate")):
            if retrieve in (name, "all"):
                said = self._ask(ask)
                found[name] = pack(said["files"], said["executable"])
        return found

    def health(self) -> Health:
        """Return what of the switch works."""
        return health.health(self.read(health.SCRIPT))

    def read(self, script: str) -> str:
        """Run a read-only script of a shell and return what it says."""
        done = self._connection.run(f"{self._sudo}sh -s", script, self.timeout)
        if not done.out.strip():
            said = done.err.strip().splitlines() or [f"exit status {done.status}"]
            raise CommandErrorException(f"{self.hostname}: {said[-1]}")
        return done.out

    def _look(self) -> Observed:
        return LINUX.parse(self.read(LINUX.script))

    def get_facts(self) -> Any:
        said = self._ask("facts")
        return {
            "hostname": said["hostname"],
            "fqdn": said["hostname"],  # to ask for more may wait for a resolver that is not there
            "uptime": said["uptime"],
            "vendor": said["vendor"],
            "model": said["model"],
            "serial_number": said["serial_number"],
            "os_version": f"Debian {said['debian']}" if said["debian"] else "",
            "interface_list": said["interfaces"],
        }

    def get_interfaces(self) -> Any:
        return getters.interfaces(self._look())

    def get_bgp_neighbors(self) -> Any:
        return getters.sessions(self._look())

    def get_lldp_neighbors(self) -> Any:
        return getters.neighbours(self._look())


def _why(said: dict[str, Any]) -> str:
    """Say why a commit did not stay, and whether what ran before runs again."""
    problems = "; ".join(said.get("problems", [])[:6]) or f"the commit is {said['phase']}"
    left = said.get("left", [])
    if not left:
        return f"{problems} - what ran before runs again"
    return f"{problems} - and what ran before does not run entirely: {'; '.join(left[:6])}"
