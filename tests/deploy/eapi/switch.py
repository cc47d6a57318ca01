"""STAND-IN for EOS, part 2: commands in; answers, sessions, files and a timer that undoes out.

No EOS has run this. Its sessions follow Arista's manual ("Configure Session") and the sources that
the driver names; the words of its errors are made up, only their places are EOS's.
"""

import re
import time
from dataclasses import dataclass, field
from difflib import unified_diff
from typing import Any

from tests.deploy.eapi.grammar import Configuration, Refused

_SERIAL = "STANDIN0001"


@dataclass
class Candidate:
    configuration: Configuration
    state: str = "pending"
    people: dict[str, dict[str, Any]] = field(default_factory=dict)


@dataclass
class Faults:
    """What this switch does wrong: patterns of commands, or of lines."""

    refuse: str = r"(?!)"  # commands it does not take
    lose: str = r"(?!)"  # lines of a file that it skips without a word
    idle_commit: bool = False  # says it committed, and does not
    no_timer: bool = False  # commits, and forgets the timer
    skip_on_commit: str = r"(?!)"  # lines that a commit does not bring
    expire: str = r"(?!)"  # commands just before which the timer ends
    saves_commits: bool = False  # as `service configuration session commit save startup-config`
    no_save: bool = False  # says it wrote startup-config, and does not
    inactive: str = r"(?!)"  # questions about BGP that it answers so
    empty_copy: bool = False  # writes files of no length
    old_eapi: bool = False  # knows no `stopOnError`
    patience: int = 0  # looks at its sessions after which others' are over


@dataclass
class Timer:
    name: str
    ends: float
    before: str


class Switch:
    """One switch. Its clock can be moved on, so that nobody waits for a timer."""

    def __init__(self, text: str, version: str = "4.32.2F", name: str = "leaf01") -> None:
        self.version, self.name = version, name
        self.running = Configuration(text).text()
        self.startup = self.running
        self.flash: dict[str, str] = {"startup-config": self.running}
        self.sessions: dict[str, Candidate] = {}
        self.timer: Timer | None = None
        self.faults = Faults()
        self.shown: dict[str, dict[str, Any]] = {}  # answers to further show commands
        self._ahead = 0.0
        self._entered: Candidate | None = None

    # time

    def uptime(self) -> float:
        return time.monotonic() + self._ahead

    def advance(self, seconds: float) -> None:
        self._ahead += seconds
        self.tick()

    def tick(self) -> None:
        if self.timer and self.uptime() >= self.timer.ends:
            self._undo()

    def _undo(self) -> None:
        assert self.timer is not None
        self.running = self.timer.before
        del self.sessions[self.timer.name]
        self.timer = None

    # commands

    def run(self, command: str, given: str) -> dict[str, Any]:
        """Run one command; `output` of the answer is its text."""
        if self.timer and re.search(self.faults.expire, command):
            self._undo()
        if re.search(self.faults.refuse, command):
            raise Refused(f"Invalid input (at token 0: {command.split(maxsplit=1)[0]!r})")
        if self._entered and command not in ("end", "enable"):
            return self._in_session(self._entered, command, given)
        for pattern, method in _COMMANDS.items():
            if found := re.fullmatch(pattern, command):
                answer = method(self, *found.groups())
                return {"output": answer} if isinstance(answer, str) else answer
        if re.search(self.faults.inactive, command):
            raise Refused("BGP inactive")
        if command in self.shown:
            return self.shown[command]
        raise Refused(f"Invalid input (at token 0: {command.split(maxsplit=1)[0]!r})")

    def leave(self) -> None:
        self._entered = None

    def _in_session(self, candidate: Candidate, command: str, given: str) -> dict[str, Any]:
        if command == "rollback clean-config":
            candidate.configuration = Configuration()
        elif found := re.fullmatch(r"copy flash:(\S+) session-config", command):
            candidate.configuration.enter_text(self._file(found[1]), self.faults.lose)
            return {"messages": ["Copy completed successfully."]}
        else:
            candidate.configuration.enter(command, given)
        return {}

    def show_version(self) -> dict[str, Any]:
        return {
            "version": self.version,
            "internalVersion": f"{self.version}-1",
            "modelName": "stand-in",
            "serialNumber": _SERIAL,
            "uptime": self.uptime(),
            "bootupTimestamp": time.time() - self.uptime(),
        }

    def show_hostname(self) -> dict[str, Any]:
        return {"hostname": self.name, "fqdn": self.name}

    def show_running(self) -> str:
        return self._headed("show running-config", self.running)

    def show_startup(self) -> str:
        head = f"! Startup-config last modified at {time.ctime()} by root\n"
        return head + self._headed("show startup-config", self.startup)

    def show_unsaved(self) -> str:
        heads = "flash:/startup-config", "system:/running-config"
        old, new = self.startup.splitlines(), self.running.splitlines()
        return "\n".join(unified_diff(old, new, *heads, lineterm=""))

    def _headed(self, command: str, text: str) -> str:
        return (
            f"! Command: {command}\n! device: {self.name} (stand-in, EOS-{self.version})\n!\n{text}"
        )

    def show_sessions(self, detail: str | None) -> dict[str, Any]:
        if self.faults.patience:
            self.faults.patience -= 1
            if not self.faults.patience:
                self._others_end()
        said: dict[str, Any] = {
            "sessions": {name: self._told(name) for name in self.sessions},
            "maxSavedSessions": 1,
            "maxOpenSessions": 5,
        }
        if detail and self.timer and not self._old:
            said["commitTimerSessionName"] = self.timer.name
            said["commitTimerExpireTime"] = self.timer.ends
        return said

    def _others_end(self) -> None:
        """Commit, or confirm, what others have in work; as CloudVision does within seconds."""
        for name in [one for one in self.sessions if not one.startswith("fabricgen-")]:
            self.commit(name, None, None, None)

    @property
    def _old(self) -> bool:
        return tuple(map(int, self.version.split(".")[:2])) < (4, 32)

    def _told(self, name: str) -> dict[str, Any]:
        candidate = self.sessions[name]
        said: dict[str, Any] = {"state": candidate.state, "instances": candidate.people}
        if self.timer and self.timer.name == name:
            said["state"] = "pendingCommitTimer" if self._old else "committed"
            if self._old:
                said["commitBy"] = self.timer.ends
        return said

    def show_session(self, name: str, diffs: str | None) -> str:
        if self._session(name).state != "pending":  # no source says what EOS shows then
            raise Refused(f"Session {name} has already been completed")
        text = self.sessions[name].configuration.text()
        if not diffs:
            return self._headed(f"show session-configuration named {name}", text)
        heads = "system:/running-config", f"session:/{name}-session-config"
        old, new = self.running.splitlines(), text.splitlines()
        return "\n".join(unified_diff(old, new, *heads, lineterm=""))

    def _session(self, name: str) -> Candidate:
        if name not in self.sessions:
            raise Refused(f"Cannot find session {name}")
        return self.sessions[name]

    def enter(self, name: str) -> dict[str, Any]:
        if name not in self.sessions:
            if sum(one.state == "pending" for one in self.sessions.values()) >= 5:
                raise Refused("Maximum number of pending sessions has been reached")
            self.sessions[name] = Candidate(Configuration(self.running))
        if self.sessions[name].state != "pending":
            raise Refused(f"Session {name} has already been completed")
        self._entered = self.sessions[name]
        return {}

    def abort(self, name: str) -> str:
        self._session(name)
        if self.timer and self.timer.name == name:
            self._undo()
        elif self.sessions[name].state == "pending":
            del self.sessions[name]
        else:
            raise Refused(f"Session {name} has already been completed")
        return ""

    def commit(self, name: str, hours: str | None, minutes: str | None, seconds: str | None) -> str:
        candidate = self._session(name)
        if self.timer and self.timer.name != name:
            raise Refused(f"Session {self.timer.name} has a pending commit timer")
        if self.timer:
            self.timer = None
            self._complete(name)
        elif candidate.state == "pending":
            self._apply(name, candidate, hours, minutes, seconds)
        else:
            raise Refused(f"Session {name} has already been completed")
        return ""

    def _apply(self, name: str, candidate: Candidate, *timer: str | None) -> None:
        before = self.running
        if not self.faults.idle_commit:
            text = candidate.configuration.text()
            skipped = self.faults.skip_on_commit
            lines = [
                line for line in text.splitlines(keepends=True) if not re.search(skipped, line)
            ]
            self.running = "".join(lines)
        if self.faults.saves_commits:
            self.startup = self.running
        if timer[0] is None or self.faults.no_timer:
            self._complete(name)
            return
        hours, minutes, seconds = (int(part or 0) for part in timer)
        candidate.state = "completed"
        ends = self.uptime() + hours * 3600 + minutes * 60 + seconds
        self.timer = Timer(name, ends, before)

    def _complete(self, name: str) -> None:
        for other in [one for one, said in self.sessions.items() if said.state == "completed"]:
            if other != name:
                del self.sessions[other]  # maxSavedSessions 1
        self.sessions[name].state = "completed"

    def replace(self, file: str) -> str:
        self.running = Configuration(self._file(file)).text()
        return ""

    def _file(self, name: str) -> str:
        if name not in self.flash:
            raise Refused(f"Error opening flash:/{name} (No such file or directory)")
        return self.flash[name]

    def keep(self, name: str) -> str:
        self.flash[name] = "" if self.faults.empty_copy else self.show_running()
        return "Copy completed successfully."

    def delete(self, name: str) -> str:
        self._file(name)
        del self.flash[name]
        return ""

    def write(self) -> str:
        if not self.faults.no_save:
            self.startup = self.running
        return "Copy completed successfully."

    def listing(self) -> str:
        lines = [
            f"       -rw-  {len(text):12}  Nov 20 12:00  {name}"
            for name, text in sorted(self.flash.items())
        ]
        return "\n".join(["Directory of flash:/", "", *lines, "", "1 bytes total (1 bytes free)"])

    def nothing(self) -> dict[str, Any]:
        self.leave()
        return {}


_COMMANDS: dict[str, Any] = {
    r"enable|end": Switch.nothing,
    r"show version": Switch.show_version,
    r"show hostname": Switch.show_hostname,
    r"show running-config": Switch.show_running,
    r"show startup-config": Switch.show_startup,
    r"show running-config diffs": Switch.show_unsaved,
    r"show configuration sessions( detail)?": Switch.show_sessions,
    r"show session-config named (\S+)( diffs)?": Switch.show_session,
    r"configure session (\S+)": Switch.enter,
    r"configure session (\S+) abort": Switch.abort,
    r"configure session (\S+) commit(?: timer (\d\d):(\d\d):(\d\d))?": Switch.commit,
    r"configure replace flash:(\S+)": Switch.replace,
    r"copy running-config flash:(\S+)": Switch.keep,
    r"more flash:(\S+)": Switch._file,
    r"delete flash:(\S+)": Switch.delete,
    r"write memory": Switch.write,
    r"dir flash:": Switch.listing,
}
