"""Defines the records of a journal (pushes, steps of switches) and its error messages."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Kind(StrEnum):
    """What a push carries: a new plan, what ran before one, or the end of dead pushes' claims."""

    PUSH = "push"
    ROLLBACK = "rollback"
    UNLOCK = "unlock"


class Phase(StrEnum):
    """How far a push has come with one switch."""

    PLANNED = "planned"
    """It has a batch; nothing has happened."""
    ARMING = "arming"
    """About to be touched. On disk before the first command that changes anything."""
    ARMED = "armed"
    """The new configuration runs; the switch will undo it unless it is confirmed."""
    CONFIRMING = "confirming"
    """Its batch is healthy; about to be confirmed."""
    CONFIRMED = "confirmed"
    """The new configuration stays."""
    ROLLING_BACK = "rolling-back"
    """About to be given back what ran before."""
    ROLLED_BACK = "rolled-back"
    """What ran before runs again."""
    FAILED = "failed"
    """Nothing changed there."""
    UNREACHABLE = "unreachable"
    """It did not answer; nothing was sent."""
    UNKNOWN = "unknown"
    """It was touched and did not say what came of it."""
    SKIPPED = "skipped"
    """It ran what was planned already."""
    CANCELED = "canceled"
    """Its turn did not come."""
    UNLOCKED = "unlocked"
    """What a dead push held there was given up; what runs is as it was."""
    KEPT = "kept"
    """The switch keeps what it ran before; what came of the push is not known."""

    @property
    def pending(self) -> bool:
        """Tell whether the switch may have been left in the middle of a change."""
        return self in _PENDING

    @property
    def well(self) -> bool:
        """Tell whether the switch runs what the push brought."""
        return self in _WELL


_PENDING = {Phase.ARMING, Phase.ARMED, Phase.CONFIRMING, Phase.ROLLING_BACK}
_WELL = {Phase.CONFIRMED, Phase.SKIPPED}


class Result(StrEnum):
    """How a push ended."""

    DONE = "done"
    FAILED = "failed"
    """Some switches failed or did not answer; the others are done."""
    REFUSED = "refused"
    """Something was not as the plan says; nothing more was touched."""
    ROLLED_BACK = "rolled-back"
    UNKNOWN = "unknown"
    """A switch was left in a state that nobody knows."""
    INTERRUPTED = "interrupted"
    REBUILT = "rebuilt"
    """Switches tell of it; the journal that knew its end was lost."""
    ABANDONED = "abandoned"
    """It was killed; whoever came next found it so and ended it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of one switch. before, after: sha256 of what ran. at: the database's time."""

    switch: str
    phase: Phase
    batch: int = 0
    message: str = ""
    before: str | None = None
    after: str | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Push:
    """One push. plan: its own, by which it can be undone. intent: of a rollback, what it undid."""

    id: str
    site: str
    plan: str
    kind: Kind
    who: str
    host: str
    started: datetime
    ended: datetime | None
    result: Result | None
    version: str
    intent: str


class Act(StrEnum):
    """What a person signs of a plan."""

    PLAN = "plan"
    APPROVE = "approve"
    PUSH = "push"
    BREAK_GLASS = "break-glass"


@dataclass(frozen=True, slots=True, kw_only=True)
class Signed:
    """What a person signed. plan: its sha256; of a way back the id of the plan that is undone.

    reason: why the glass was broken. signature: as ssh-keygen writes it.
    """

    act: Act
    plan: str
    site: str
    who: str
    made: datetime
    until: datetime
    reason: str = ""
    signature: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingSwitch:
    """A switch that a push did not bring to what it brought. push, step: the last that tried.

    since: the first of them in a row.
    """

    since: Push
    push: Push
    step: Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Takeover:
    """A dead holder's lock that somebody else took. why: how one could tell that it was dead."""

    at: datetime
    site: str
    by: str
    host: str
    plan: str
    of_who: str
    of_host: str
    of_pid: int
    of_plan: str
    of_since: datetime
    why: str


class JournalFailure(Exception):  # noqa: N818 - said to the operator: what to do about it
    """The journal cannot be read or written; the transaction at hand left nothing."""


class NoJournal(JournalFailure):
    """There is none yet, and it was not to be made."""


class LockLost(JournalFailure):
    """Somebody else took the lock, as its holder seemed dead; nothing was written."""


class LockHeld(Exception):  # noqa: N818 - said to the operator: who pushes there
    """Another push of the site is under way."""

    def __init__(
        self, site: str, who: str, host: str, pid: int, plan: str, since: datetime
    ) -> None:
        self.site, self.who, self.host = site, who, host
        self.pid, self.plan, self.since = pid, plan, since
        super().__init__(
            f"{site} is being pushed by {who} on {host} (process {pid}): "
            f"plan {plan}, since {since:%Y-%m-%d %H:%M:%S} UTC"
        )
