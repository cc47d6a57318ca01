"""Define the change of a push on one switch: a rendered configuration or an earlier one."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from fabricgen.compile.output.manifest import sha256
from fabricgen.nos.driver import OnlyByReload, Reloads, Transport
from fabricgen.operate.deploy.fleet import Fault, Stopped
from fabricgen.operate.deploy.journal.records import Kind
from fabricgen.operate.deploy.plan.document import IN_PLACE, RELOAD, Plan
from fabricgen.operate.deploy.push.neighbors import NeighborScope
from fabricgen.operate.deploy.push.renamed_state import Present
from fabricgen.operate.deploy.texts import Texts


@dataclass(frozen=True, slots=True, kw_only=True)
class Change(ABC):
    """One method to change switches.

    Attributes:
        id: Names sessions, locks and checkpoints on the switches.
        since: Start of the period without other changes, and the action after another change.
        present: Translates snapshots.
        around: The model, and the neighbors that may be asked.
        whole: Windows: batches of which all switches change, or none.
        plan: The plan to apply, if any.
        undoes: Id of the plan to roll back.
    """

    id: str
    kind: Kind
    since: str
    present: Present | None = None
    around: NeighborScope | None = None
    whole: Collection[tuple[str, ...]] = ()
    plan: Plan | None = None
    undoes: str = ""

    @abstractmethod
    def expected(self, name: str) -> str | None:
        """Return the SHA-256 of the required running configuration; None when any is accepted."""

    @abstractmethod
    def load(self, driver: Transport, name: str) -> None:
        """Load the candidate; raise Stopped if the candidate differs from the reviewed one."""

    def path(self, name: str) -> str:
        """Return how the switch applies the change: in place, or by a reload."""
        del name
        return IN_PLACE

    def reviewed(self, name: str, diff: str) -> bool:
        """Check whether a difference is the reviewed one, if a review is required."""
        del name, diff
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanChange(Change):
    """Applies a plan."""

    plan: Plan
    texts: Texts
    reveal: Callable[[str], str]
    hide: Callable[[str], str]
    kind: Kind = Kind.PUSH
    since: str = "the plan was created; create a new plan"

    def expected(self, name: str) -> str | None:
        """Return the hash of the running configuration in the plan."""
        return self.plan.entry(name).running

    def load(self, driver: Transport, name: str) -> None:
        """Load the rendered configuration if it still has the reviewed hash."""
        rendered = self.texts.of(name)
        if rendered.sha256 != self.plan.entry(name).rendered:
            raise Stopped(
                Fault.STALE, "the rendered configuration differs from the plan; create a new plan"
            )
        text = self.reveal(rendered.text)
        if self.path(name) == RELOAD and isinstance(driver, Reloads):
            driver.load_for_reload(text)
        else:
            driver.load_replace_candidate(config=text)

    def path(self, name: str) -> str:
        """Return the planned path, independent of the switch's current need."""
        return self.plan.entry(name).path

    def reviewed(self, name: str, diff: str) -> bool:
        """Compare with the plan; a changed secret changes the difference."""
        return sha256(self.hide(diff)) == self.plan.entry(name).change


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreChange(Change):
    """Restores the configuration from before a plan from checkpoints on the switches.

    Attributes:
        after: Hash after the plan by switch; a switch with later changes is not overwritten.
        reload: Whether a reload is allowed, as for the plan.
    """

    after: Mapping[str, str | None]
    undoes: str
    kind: Kind = Kind.ROLLBACK
    since: str = "that plan; `rollback --from-switches` shows all changes and asks"
    reload: bool = False
    reloaded: set[str] = field(default_factory=set)

    def expected(self, name: str) -> str | None:
        """Return the hash after the plan."""
        return self.after[name]

    def load(self, driver: Transport, name: str) -> None:
        """Load the checkpoint in the same way as the plan was applied."""
        try:
            driver.load_checkpoint(self.undoes)
        except OnlyByReload as refused:
            if not isinstance(driver, Reloads):
                raise
            if not self.reload:
                raise Stopped(Fault.REFUSED, f"{refused} (--allow-reload)") from refused
            driver.load_checkpoint_for_reload(self.undoes)
            self.reloaded.add(name)

    def path(self, name: str) -> str:
        """Return a reload if the load of the checkpoint requires it."""
        return RELOAD if name in self.reloaded else IN_PLACE


@dataclass(frozen=True, slots=True, kw_only=True)
class BackAsSeen(RestoreChange):
    """Restores with the switches alone. after: hash at the preview; seen: reviewed difference."""

    seen: Mapping[str, str]
    since: str = "the preview; run it again"

    def reviewed(self, name: str, diff: str) -> bool:
        """Check for the difference of the preview."""
        return diff == self.seen[name]
