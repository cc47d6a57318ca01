"""Define the records of a journal (pushes, steps of switches) and its error messages."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Kind(StrEnum):
    """Type of a push: a new plan, a rollback, or the release of locks of terminated pushes."""

    PUSH = "push"
    ROLLBACK = "rollback"
    UNLOCK = "unlock"


class Phase(StrEnum):
    """Progress of a push on one switch."""

    PLANNED = "planned"
    """It has a batch; nothing has happened."""
    ARMING = "arming"
    """The change is about to begin. On disk before the first changing command."""
    ARMED = "armed"
    """The new configuration runs; the switch rolls it back unless it is confirmed."""
    CONFIRMING = "confirming"
    """The batch is healthy; the confirmation is about to begin."""
    CONFIRMED = "confirmed"
    """The new configuration is permanent."""
    ROLLING_BACK = "rolling-back"
    """The rollback is about to begin."""
    ROLLED_BACK = "rolled-back"
    """The previous configuration runs again."""
    FAILED = "failed"
    """Nothing changed on the switch."""
    UNREACHABLE = "unreachable"
    """The switch did not answer; nothing was sent."""
    UNKNOWN = "unknown"
    """The switch was changed and did not report the result."""
    SKIPPED = "skipped"
    """The switch already ran the planned configuration."""
    CANCELED = "canceled"
    """The push ended before its batch."""
    UNLOCKED = "unlocked"
    """The locks of a terminated push were released; the running configuration did not change."""
    KEPT = "kept"
    """The switch has a checkpoint; the result of the push is unknown."""

    @property
    def pending(self) -> bool:
        """Check whether the switch may be in the middle of a change."""
        return self in _PENDING

    @property
    def well(self) -> bool:
        """Check whether the switch runs the configuration of the push."""
        return self in _WELL


_PENDING = {Phase.ARMING, Phase.ARMED, Phase.CONFIRMING, Phase.ROLLING_BACK}
_WELL = {Phase.CONFIRMED, Phase.SKIPPED}


class Result(StrEnum):
    """Result of a push."""

    DONE = "done"
    FAILED = "failed"
    """Some switches failed or did not answer; the others are done."""
    REFUSED = "refused"
    """Something differed from the plan; no further switch was touched."""
    ROLLED_BACK = "rolled-back"
    UNKNOWN = "unknown"
    """A switch is in an unknown state."""
    INTERRUPTED = "interrupted"
    REBUILT = "rebuilt"
    """Rebuilt from switch checkpoints; the original journal entry is lost."""
    ABANDONED = "abandoned"
    """The push was killed; a later command found and ended it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of one switch. before, after: SHA-256 of the configuration; at: database time."""

    switch: str
    phase: Phase
    batch: int = 0
    message: str = ""
    before: str | None = None
    after: str | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Push:
    """One push.

    Attributes:
        plan: Its own plan id, which a rollback names.
        intent: Of a rollback, the plan that was rolled back.
    """

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
    """A statement about a plan that a person signs."""

    PLAN = "plan"
    APPROVE = "approve"
    PUSH = "push"
    BREAK_GLASS = "break-glass"


@dataclass(frozen=True, slots=True, kw_only=True)
class Signed:
    """A signed statement.

    Attributes:
        plan: SHA-256 of the plan; for a rollback, the id of the plan to undo.
        reason: Reason for break-glass.
        signature: Text from ssh-keygen.
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
    """A switch whose last push failed.

    Attributes:
        since: First push of the failed series.
        push: Last push.
        step: Last step of that push.
    """

    since: Push
    push: Push
    step: Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Takeover:
    """The transfer of a dead holder's lock. why: evidence that the holder was dead."""

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


class JournalFailure(Exception):  # noqa: N818 - shown to the operator with the action
    """The journal cannot be read or written; the transaction was rolled back."""


class NoJournal(JournalFailure):
    """The journal does not exist and must not be created."""


class LockLost(JournalFailure):
    """Another process took the lock because its holder seemed dead; nothing was written."""


class LockHeld(Exception):  # noqa: N818 - shown to the operator
    """Another push of the site is running."""

    def __init__(
        self, site: str, who: str, host: str, pid: int, plan: str, since: datetime
    ) -> None:
        self.site, self.who, self.host = site, who, host
        self.pid, self.plan, self.since = pid, plan, since
        super().__init__(
            f"{who} is pushing {site} from {host} (process {pid}): plan {plan}, since "
            f"{since:%Y-%m-%d %H:%M:%S} UTC"
        )
