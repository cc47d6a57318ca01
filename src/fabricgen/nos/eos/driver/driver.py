"""Take an EOS switch through claim, commit, confirm and undo of a configuration.

The behavior of EOS, by Arista's manual ("Configure Session"), napalm/eos/eos.py, Arista's own
asynceapi/config_session.py and live notes on cEOS 4.35 in public drivers. A session is a candidate,
and `rollback clean-config` empties it. `commit timer hh:mm:ss` runs it until it is committed again
or aborted. Otherwise EOS restores the previous configuration. One timer runs per switch. The name
of a completed session cannot be entered again, so each claim has a new number.
"""

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar, NoReturn

from napalm.base.exceptions import (
    CommandErrorException,
    CommitError,
    ConnectionException,
    ReplaceConfigException,
)

from fabricgen.core.tree.keep import Contradiction
from fabricgen.nos.driver import Busy, Kept, NoCheckpoint, SwitchLock, Unfinished
from fabricgen.nos.eos.driver import candidate, checkpoints, sessions, traffic
from fabricgen.nos.eos.driver.company import looks, refuse, waited
from fabricgen.nos.eos.driver.configuration import difference, digest, hide, normal
from fabricgen.nos.eos.driver.eapi import Eapi
from fabricgen.nos.eos.driver.health import NOT_ASKED, REQUEST, health_of
from fabricgen.nos.health import Health
from fabricgen.nos.traffic import End, Kind, Traffic

_DAY = 24 * 60 * 60
_MAX_OPEN = 5  # EOS's default
# Text in `messages` of `copy` if it refused a line (asynceapi/config_session.py).
_TROUBLE = ("error", "abort", "invalid")


class EosDriver(Eapi):
    """NAPALM's driver for EOS that implements `fabricgen.nos.driver.Transport`."""

    PROBES: ClassVar = traffic.PROBES
    NOT_ASKED: ClassVar = NOT_ASKED
    _plan: str | None = None
    _loaded = False
    _base = ""  # the running configuration when the candidate was loaded
    _wanted: str | None = None  # the configuration of the committed session

    def close(self) -> None:
        """Disconnect. An uncommitted candidate is dropped, a pending commit stays."""
        try:
            self.discard_config()
        except (ConnectionException, CommandErrorException):
            self._forget()  # the session stays on the switch; the next claim of the plan finds it
        self.device = None

    def get_config(  # type: ignore[override]  # a plain dictionary, as Transport has it
        self,
        retrieve: str = "running",
        full: bool = False,  # noqa: FBT001, FBT002 - NAPALM's signature
        sanitized: bool = False,  # noqa: FBT001, FBT002 - the same
        format: str = "text",  # noqa: A002 - the same
    ) -> dict[str, str]:
        """Return texts without headers, secrets and unmanaged sections.

        Equal texts are equal configurations.
        """
        texts = super().get_config(retrieve, full, sanitized, format)  # type: ignore[no-untyped-call]
        return {kind: hide(self._foreign.without(normal(text))) for kind, text in texts.items()}

    def kept_sections(self) -> Mapping[str, str]:
        kept = self._foreign.kept(self._running())
        return {"eos": hide(kept)} if kept else {}

    def claim(self, plan: str, over: Collection[str] = ()) -> None:
        sessions.checked(plan)
        self._forget()
        listing = waited(self._sessions, self._wait)
        if listing.timed:
            self._take_up(plan, listing)
            return
        mine = {plan, *over}
        others = [one for one in listing.open if one.plan not in mine]
        refuse(others, self._wait)
        for stale in listing.open:
            if stale.plan in mine or _in_the_way(stale, plan, len(others)):
                self._text(f"configure session {stale.name} abort")
        self._enter(plan, listing)

    def _enter(self, plan: str, listing: sessions.Sessions) -> None:
        """Open a session as the lock. If two plans do so at once, at least one sees the other."""
        name = listing.unused_name(plan)
        self._run_commands([f"configure session {name}", "end"])
        self.config_session, self._plan = name, plan
        try:
            refuse((one for one in self._sessions().open if one.name != name), 0)
        except Busy:
            self.discard_config()
            raise

    def _take_up(self, plan: str, listing: sessions.Sessions) -> None:
        """Adopt a pending commit of the plan, of any process."""
        owner = sessions.plan_of(listing.timed or "")
        if owner != plan:
            who = f"plan {owner}" if owner else f"session {listing.timed}"
            raise Busy(
                f"a commit of {who} waits for confirmation, {listing.seconds:.0f} s are left"
            )
        self.config_session, self._plan = listing.timed, plan

    def held(self) -> SwitchLock | None:
        """Return the claim without its end. EOS drops an open session after a day (manual).

        No command shows the start.
        """
        for one in self._sessions().open:
            if one.plan is not None and not looks(one.plan):
                who = ", ".join(one.people) or "no user"
                sentence = f"held by plan {one.plan}: session {one.name} is open ({who})"
                return SwitchLock(plan=one.plan, who=who, pid=0, said=sentence)
        return None

    def unfinished(self) -> Unfinished | None:
        listing = self._sessions()
        if not listing.timed:
            return None
        return Unfinished(sessions.plan_of(listing.timed) or listing.timed, listing.seconds)

    def load_replace_candidate(
        self, filename: str | None = None, config: str | None = None
    ) -> None:
        text = Path(filename).read_text(encoding="utf-8") if filename else config or ""
        self._load(lambda running: self._entered(self._foreign.into(text, running)))
        self._stays()

    def _stays(self) -> None:
        """Raise ReplaceConfigException if the switch would change unmanaged sections."""
        kept = self._foreign.kept(self._base)
        if kept and kept != self._foreign.kept(self._candidate()):
            self.discard_config()
            raise ReplaceConfigException("the candidate would change unmanaged sections")

    def _entered(self, text: str) -> list[candidate.Command]:
        return candidate.commands(text, dict(self.HEREDOC_COMMANDS))

    def load_checkpoint(self, plan: str) -> None:
        """Let the switch read its file. A comparison of both verifies that it accepted every line.

        With unmanaged sections, the commands are entered instead. Those sections stay as they are
        now.
        """
        kept = checkpoints.of_plan(plan, self._checkpoints())
        if kept is None:
            raise NoCheckpoint(f"no checkpoint from before plan {plan} in flash:")
        before = normal(self._text(f"more {kept.url}"))
        if self._foreign.moved(before, self._running()):
            self._load(lambda running: self._entered(self._foreign.again(before, running)))
            self._stays()
            return
        answers = self._load(lambda _: [f"copy {kept.url} session-config"])
        messages = answers[-2].get("messages", [])
        lacks = difference(self._candidate(), before)
        if lacks or any(word in line.lower() for line in messages for word in _TROUBLE):
            self.discard_config()
            raise ReplaceConfigException(f"{kept.url} was not loaded completely\n{lacks}".strip())

    def keeps(self) -> tuple[Kept, ...]:
        """Return plans, whose file names have no times. A checkpoint precedes the last commit."""
        plans = dict.fromkeys(one.plan for one in reversed(self._checkpoints()))
        return tuple(Kept(plan, None) for plan in reversed(plans))

    def _load(self, made: Callable[[str], list[candidate.Command]]) -> list[dict[str, Any]]:
        """Fill the session. `made`: returns its commands from the running configuration."""
        if self._plan is None:
            raise ReplaceConfigException("no plan has claimed the switch")
        listing = self._sessions()
        if listing.timed:
            raise ReplaceConfigException("a commit waits for confirmation")
        self._base = self._running()
        if self.config_session is None:  # confirmed since
            self._enter(self._plan, listing)
        enter = f"configure session {self.config_session}"
        self._loaded, self._wanted = False, None
        try:
            commands = made(self._base)
            answers = self._run_commands([enter, "rollback clean-config", *commands, "end"])
        except (CommandErrorException, Contradiction) as error:
            refused = hide(str(error))
        else:
            self._loaded = True
            return answers
        self.discard_config()
        raise ReplaceConfigException(refused)

    def compare_config(self) -> str:
        bare = self._foreign.without
        if self._wanted is not None:
            return difference(bare(self._running()), bare(self._wanted))
        if self._loaded and self._foreign.kept(self._base):  # no unmanaged lines, even as context
            return difference(bare(self._base), bare(self._candidate()))
        if self._loaded:
            return hide(super().compare_config())  # type: ignore[no-untyped-call]
        return self._arrived() if self._plan else ""

    def _arrived(self) -> str:
        """Verify a commit of another process by the digest in its checkpoint's name."""
        if self._sessions().timed != self.config_session:
            return ""
        kept = checkpoints.of_plan(str(self._plan), self._checkpoints())
        if kept and kept.digest == self._digest(self._running()):
            return ""
        return "the running configuration differs from the committed one"

    def _digest(self, text: str) -> str:
        """Return a digest of the managed part of a configuration."""
        return digest(self._foreign.without(text))

    def discard_config(self) -> None:
        """Drop the candidate. A pending commit is none: it and the claim stay."""
        name = self.config_session
        if name is not None:
            listing = self._sessions()
            if listing.timed == name:
                return
            if any(one.name == name for one in listing.open):
                self._text(f"configure session {name} abort")
        self._forget()

    def _forget(self) -> None:
        self.config_session, self._plan = None, None
        self._loaded, self._wanted = False, None
        self._base = ""

    def commit_config(self, message: str = "", revert_in: int | None = None) -> None:  # noqa: ARG002
        """Commit. EOS does not store a message; the session's name has the plan."""
        if self._plan is None or not self._loaded:
            raise CommitError("no candidate is loaded")
        timer = _timer(revert_in)
        before, wanted = self._committable(), self._candidate()
        kept = self._keep(self._digest(wanted), before)
        self._loaded = False
        try:
            self._text(f"configure session {self.config_session} commit{timer}")
        except CommandErrorException as error:
            self._restore(kept, before, str(error))
        armed = self._sessions().timed == self.config_session
        if lacks := difference(self._running(), wanted):
            self._restore(kept, before, f"the committed configuration is not active:\n{lacks}")
        if timer and not armed:
            self._restore(kept, before, "the candidate is active without a timer")
        self._wanted = wanted
        if not timer:
            self._change("write memory")
            self._saved()

    def _committable(self) -> str:
        """Return the running configuration after checks that a commit loses nothing.

        A commit overwrites changes made since, also by sessions that began before it. A reload
        during the push must restore the running configuration, so it must be saved.
        """
        listing = waited(self._sessions, self._wait)
        if listing.timed:
            raise CommitError("a commit waits for confirmation")
        try:
            refuse((one for one in listing.open if one.name != self.config_session), self._wait)
        except Busy as busy:
            raise CommitError(f"nothing was committed: {busy}") from None
        running = self._running()
        if moved := difference(self._base, running):
            raise CommitError(f"the switch changed since the comparison; plan again\n{moved}")
        if unsaved := self._unsaved():
            raise CommitError(
                f"startup-config differs from running-config; save or undo that first\n{unsaved}"
            )
        return running

    def _unsaved(self) -> str:
        """Return EOS's list of unsaved lines (ANTA's VerifyRunningConfigDiffs); empty if saved."""
        return hide(self._text("show running-config diffs").strip())

    def _candidate(self) -> str:
        return normal(self._text(f"show session-config named {self.config_session}"))

    def _checkpoints(self) -> tuple[checkpoints.Checkpoint, ...]:
        return checkpoints.read(self._text("dir flash:"))

    def _keep(self, wanted: str, before: str) -> checkpoints.Checkpoint:
        """Copy the running configuration to flash, verify the copy, and drop the oldest copies."""
        kept = self._checkpoints()
        new = checkpoints.following(str(self._plan), wanted, kept)
        self._text(f"copy running-config {new.url}")
        if normal(self._text(f"more {new.url}")) != before:
            raise CommitError(f"{new.url} is no copy of the running config; nothing was committed")
        for old in [*kept, new][: -checkpoints.KEPT]:
            with suppress(CommandErrorException):  # a full flash refuses the next copy
                self._text(f"delete {old.url}")
        return new

    def _restore(self, kept: checkpoints.Checkpoint, before: str, why: str) -> NoReturn:
        """Restore the previous configuration after a commit that failed."""
        name = self.config_session
        if name is not None and self._sessions().timed == name:
            self._change(f"configure session {name} abort")
        if self._running() != before:
            self._change(f"configure replace {kept.url}")
        self.discard_config()
        if lacks := difference(self._running(), before):
            why = f"{why}\nthe previous configuration is not restored:\n{lacks}"
        else:
            self._save_again()
        raise CommitError(why)

    def _change(self, *commands: str) -> None:
        try:
            self._text(*commands)
        except CommandErrorException as error:
            refused = str(error)
        else:
            return
        raise CommitError(refused)

    def confirm_commit(self) -> None:
        self._pending()
        runs = self._running()
        self._change(f"configure session {self.config_session} commit", "write memory")
        if self._sessions().timed or self._running() != runs:
            raise CommitError("the switch did not keep the commit")
        self._saved()

    def _saved(self) -> None:
        self.config_session = None  # completed: there is nothing to abort any more
        if unsaved := self._unsaved():
            raise CommitError(
                f"confirmed, but startup-config differs from running-config\n{unsaved}"
            )

    def _pending(self) -> None:
        """Raise CommitError unless a commit of the claimed plan waits."""
        if self._plan is None:
            raise CommitError("no plan has claimed the switch")
        if self._sessions().timed != self.config_session:
            raise CommitError(f"no commit of plan {self._plan} waits for confirmation")

    def rollback(self) -> None:
        """Undo the commit. The timer of the switch may have undone it before."""
        kept = checkpoints.of_plan(self._plan, self._checkpoints()) if self._plan else None
        if kept is None:
            raise CommitError("the claimed plan has committed nothing on this switch")
        before = normal(self._text(f"more {kept.url}"))
        if self._running() != before or self._sessions().timed == self.config_session:
            self._pending()
            self._change(f"configure session {self.config_session} abort")
            if lacks := difference(self._running(), before):
                raise CommitError(f"the previous configuration is not restored:\n{lacks}")
            self._save_again()
        self._forget()

    def _save_again(self) -> None:
        """Save the restored configuration. EOS may save each commit, and would boot with it.

        `service configuration session commit save startup-config`.
        """
        if self._unsaved():
            self._change("write memory")

    def health(self) -> Health:
        return health_of(self.read(REQUEST))

    def reach(self, ends: Collection[End], seen: Traffic) -> Mapping[End, bool]:
        vteps = [end for end in ends if end.kind is Kind.VTEP][: traffic.PINGED]
        servers = [end for end in ends if end.station is not None][: traffic.ROUTED]
        try:
            return {
                **{
                    end: traffic.answers(*self._run_commands([traffic.ping(end.far, seen.vtep)]))
                    for end in vteps
                },
                **{end: self._answers(end) for end in servers},
            }
        except (LookupError, TypeError) as error:
            raise CommandErrorException("ping: unexpected shape of the answer") from error

    def _answers(self, end: End) -> bool:
        """Ping a server. Without the diagnostic address EOS refuses the command."""
        command = traffic.ping(end.far, end.source, end.of)
        return traffic.answers_any(*self._run_commands([command]))


def _in_the_way(one: sessions.Session, plan: str, others: int) -> bool:
    """Return whether to abort a session: a dead comparison keeps one of few places for a day."""
    return looks(one.plan) and (not looks(plan) or others >= _MAX_OPEN - 1)


def _timer(seconds: int | None) -> str:
    """Return the timer's words. hh:mm:ss ends at a day, where NAPALM starts at zero again."""
    if seconds is None:
        return ""
    if not 1 <= seconds < _DAY:
        raise CommitError(f"the commit timer of EOS is 1 to {_DAY - 1} s, not {seconds}")
    minutes, rest = divmod(seconds, 60)
    return f" timer {minutes // 60:02}:{minutes % 60:02}:{rest:02}"
