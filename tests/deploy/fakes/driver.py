"""The driver of fake switches: a folder in, the behavior of a switch with timed commits out.

For tests and for practising: nothing here has ever been a switch. What a switch does by itself
while nobody is connected, its timer, happens when somebody looks next.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import socket
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from napalm.base import NetworkDriver
from napalm.base.exceptions import CommitError, ConnectionException, ReplaceConfigException
from tests.deploy.fakes.moments import moments
from tests.deploy.fakes.temper import Temper

from fabricgen.compile.output.manifest import sha256
from fabricgen.core.tree.facts import GLOBAL, Facts
from fabricgen.nos.driver import LOOK, Busy, Kept, NoCheckpoint, SwitchLock, Unfinished
from fabricgen.nos.health import Health
from fabricgen.nos.linux.show.reader import LINUX
from fabricgen.nos.show import Observed

if TYPE_CHECKING:
    from collections.abc import Collection

    from fabricgen.nos.driver import Transport

_HOSTNAME = re.compile(r"^hostname (\S+)$", re.MULTILINE)
_HASH = re.compile(r"\$[0-9a-z]+\$\S+")


class FakeDriver(NetworkDriver):
    """One fake switch, in `optional_args["folder"]/<name>`."""

    def __init__(
        self,
        hostname: str,
        username: str,
        password: str,
        timeout: int = 60,
        optional_args: dict[str, Any] | None = None,
    ) -> None:
        """Take NAPALM's arguments; the name is that of the inventory."""
        del username, password
        options = optional_args or {}
        self.hostname, self.timeout = hostname, timeout
        self.place = Path(options["folder"]) / options.get("host_key_alias", hostname)
        self.plan = ""
        self.candidate: str | None = None
        self.temper = Temper()

    def open(self) -> None:
        """Connect."""
        if not (self.place / "running").exists():
            raise ConnectionException(f"no route to {self.hostname}")
        self.temper = Temper.read(self.place)
        self.temper.wait(self.timeout)
        self._note("open")

    def close(self) -> None:
        """Disconnect; what is pending stays so."""
        self._note("close")

    def get_facts(self) -> Any:
        """Return who it is; only the two names that say which switch this is."""
        self._note("facts")
        configured = _HOSTNAME.search(self._running())
        own = configured[1] if configured else self.place.name
        name = self.temper.hostname or own
        return {"hostname": name, "serial_number": self.temper.serial, "vendor": "fake"}

    def get_config(
        self,
        retrieve: str = "running",
        full: bool = False,  # noqa: FBT001, FBT002 - NAPALM's way
        sanitized: bool = False,  # noqa: FBT001, FBT002
        format: str = "text",  # noqa: A002
    ) -> Any:
        """Return what runs."""
        del retrieve, full, sanitized, format
        self._note("config")
        running, candidate = _masked(self._running()), _masked(self.candidate or "")
        return {"running": running, "startup": "", "candidate": candidate}

    def claim(self, plan: str, over: Collection[str] = ()) -> None:
        """Note whose the switch is."""
        pending, held = self.unfinished(), self._claim()
        if pending is not None and pending.plan != plan:
            raise Busy(f"the commit of plan {pending.plan} is pending")
        if held is not None and held.plan not in {plan, *over}:
            raise Busy(held.said)
        self._note("claim")
        self.plan, self.candidate = plan, None
        who = {"plan": plan, "who": f"tester@{socket.gethostname()}", "pid": os.getpid()}
        _replace(self.place / "claim", json.dumps(who))

    def held(self) -> SwitchLock | None:
        """Return who claimed it."""
        self._note("held")
        return self._claim()

    def _claim(self) -> SwitchLock | None:
        try:
            claim = json.loads((self.place / "claim").read_text())
        except FileNotFoundError:
            return None
        said = f"held until 14:03 UTC by plan {claim['plan']}, started by {claim['who']}"
        return None if claim["plan"].startswith(LOOK) else SwitchLock(said=said, **claim)

    def _release(self) -> None:
        if self._commit() is None:
            (self.place / "claim").unlink(missing_ok=True)

    def unfinished(self) -> Unfinished | None:
        """Return the commit that waits."""
        commit = self._commit()
        if commit is None:
            return None
        left = 0.0 if commit.get("gone") else commit["until"] - time.time()
        return Unfinished(commit["plan"], left)

    def load_replace_candidate(
        self, filename: str | None = None, config: str | None = None
    ) -> None:
        """Take a candidate; one that the temper refuses is refused."""
        del filename
        self._note("load")
        if self.temper.refuses and self.temper.refuses in (config or ""):
            raise ReplaceConfigException(f"% Invalid input: {_masked(self.temper.refuses)}")
        self.candidate = config

    def load_checkpoint(self, plan: str) -> None:
        """Take what ran before a plan."""
        self._note("load")
        try:
            self.candidate = (self.place / "checkpoints" / plan).read_text()
        except FileNotFoundError:
            raise NoCheckpoint(f"nothing is kept from before plan {plan}") from None

    def keeps(self) -> tuple[Kept, ...]:
        """Return what is kept, by the age of the files."""
        self._note("keeps")
        ages = {path.name: path.stat().st_mtime for path in self.place.glob("checkpoints/*")}
        return tuple(Kept(plan, ages[plan]) for plan in sorted(ages, key=lambda it: ages[it]))

    def compare_config(self) -> str:
        """Return a unified diff of what runs and the candidate."""
        self._note("compare")
        running, candidate = self._running(), self.candidate
        if candidate is None or running == candidate:
            return ""
        old, new = _masked(running).splitlines(), _masked(candidate).splitlines()
        return "\n".join(difflib.unified_diff(old, new, "running", "candidate", lineterm=""))

    def discard_config(self) -> None:
        """Forget the candidate."""
        self._note("discard")
        self.candidate = None
        self._release()

    def commit_config(self, message: str = "", revert_in: int | None = None) -> None:
        """Run the candidate, and undo it unless it is confirmed in time.

        The order makes every moment of it safe: what ran is kept, the timer runs, then it changes.
        """
        del message
        self.temper.wait(self.timeout)
        self._note("write commit")
        if self.candidate is None:
            raise CommitError("there is no candidate")
        checkpoints = self.place / "checkpoints"
        checkpoints.mkdir(exist_ok=True)
        _put(checkpoints / self.plan, self._running())
        if revert_in is not None:
            until = time.time() + revert_in
            _put(self.place / "commit", json.dumps({"plan": self.plan, "until": until}))
        if not self.temper.lies:
            _put(self.place / "running", self.candidate)

    def confirm_commit(self) -> None:
        """Keep what is pending."""
        self._note("write confirm")
        if self._mine() is None:
            raise CommitError("no commit of this plan is pending")
        (self.place / "commit").unlink()
        self.candidate = None
        self._release()

    def has_pending_commit(self) -> bool:
        """Tell whether a commit waits."""
        return self._commit() is not None

    def rollback(self) -> None:
        """Undo what is pending."""
        self._note("write rollback")
        mine = self._mine()
        if mine is None:
            raise CommitError("no commit of this plan is pending")
        self._undo(mine)
        self.candidate = None
        self._release()

    def health(self) -> Health:
        """Return what works: all sessions, unless what runs holds what breaks them."""
        self._note("health")
        broken = bool(self.temper.breaks) and self.temper.breaks in self._running()
        peers = self.temper.sessions
        return Health(
            sessions=dict.fromkeys(peers, not broken),
            routes={} if broken else {f"{peer} ipv4": 8 for peer in peers},
            observed=self._ways(),
        )

    def _ways(self) -> Observed | None:
        """Return the ports to each prefix at this look; of the last one, those of all that follow.

        None where no test says any.
        """
        try:
            first, *more = json.loads((self.place / "ways").read_text())
        except FileNotFoundError:
            return None
        if more:
            (self.place / "ways").write_text(json.dumps(more))
        routes: Facts = {("route", GLOBAL, it): {"ports": tuple(own)} for it, own in first.items()}
        read = LINUX.about["route", "ports"]
        others = {part for part in LINUX.about.values() if part != read}
        return Observed(facts=routes, unread=dict.fromkeys(others, "a fake has none"))

    def _running(self) -> str:
        self._commit()
        running: Path = self.place / "running"
        return running.read_text()

    def _commit(self) -> dict[str, Any] | None:
        """Return the pending commit, after the timer has had its way."""
        try:
            commit: dict[str, Any] = json.loads((self.place / "commit").read_text())
        except FileNotFoundError:
            return None
        if commit["until"] > time.time():
            return commit
        self._undo(commit)
        return None

    def _mine(self) -> dict[str, Any] | None:
        commit = self._commit()
        return commit if commit is not None and commit["plan"] == self.plan else None

    def _undo(self, commit: dict[str, Any]) -> None:
        _put(self.place / "running", (self.place / "checkpoints" / commit["plan"]).read_text())
        (self.place / "commit").unlink(missing_ok=True)

    def _note(self, what: str) -> None:
        """Keep a record of every request, for those who check that nothing was changed."""
        with (self.place / "requests").open("a") as record:
            record.write(f"{what}\n")
        moments.note(what)


def _masked(text: str) -> str:
    """Put a token in the place of every password hash (crypt(5)); equal ones stay equal."""
    return _HASH.sub(lambda found: f"<<hidden:{sha256(found[0])[:12]}>>", text)


def _put(path: Path, text: str) -> None:
    """Replace a file at once, between two moments."""
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    aside.write_text(text)
    moments.note(f"{path.name} aside")
    aside.replace(path)
    moments.note(f"{path.name} replaced")


def _replace(path: Path, text: str) -> None:
    """Replace a file at once: it is old or new, whenever one is killed."""
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    aside.write_text(text)
    aside.replace(path)


if TYPE_CHECKING:
    _check: type[Transport] = FakeDriver
