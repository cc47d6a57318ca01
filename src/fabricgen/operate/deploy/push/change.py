"""Defines the change of a push on one switch: a rendered configuration or an earlier one."""

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
    """One way to change switches. id: names sessions, locks and checkpoints on them.

    since: since when it must run that, and what to do where it does not. present: what looks are
    read by. around: the model, and who may be asked beside a batch. whole: the windows, batches of
    which all switches change or none. plan: what it brings, if a plan; undoes: the id of the one
    that it takes back.
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
        """Return the sha256 that a switch must run now; None when anything goes."""

    @abstractmethod
    def load(self, driver: Transport, name: str) -> None:
        """Load the candidate. Stopped when it is not what was reviewed."""

    def path(self, name: str) -> str:
        """Return how a switch takes it: in place, or by a reload."""
        del name
        return IN_PLACE

    def reviewed(self, name: str, diff: str) -> bool:
        """Tell whether this difference is the one that was reviewed, if any has to be."""
        del name, diff
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanChange(Change):
    """Brings what a plan says."""

    plan: Plan
    texts: Texts
    reveal: Callable[[str], str]
    hide: Callable[[str], str]
    kind: Kind = Kind.PUSH
    since: str = "the plan was made; make it anew"

    def expected(self, name: str) -> str | None:
        """What ran when the plan was made."""
        return self.plan.entry(name).running

    def load(self, driver: Transport, name: str) -> None:
        """Load what is rendered now, if it is what was rendered then: only reviewed bytes go."""
        rendered = self.texts.of(name)
        if rendered.sha256 != self.plan.entry(name).rendered:
            raise Stopped(Fault.STALE, "what is rendered for it is not what the plan was made of")
        text = self.reveal(rendered.text)
        if self.path(name) == RELOAD and isinstance(driver, Reloads):
            driver.load_for_reload(text)
        else:
            driver.load_replace_candidate(config=text)

    def path(self, name: str) -> str:
        """As it was planned, whatever the switch would take now."""
        return self.plan.entry(name).path

    def reviewed(self, name: str, diff: str) -> bool:
        """Compare with the plan: a secret that is another one now makes another difference."""
        return sha256(self.hide(diff)) == self.plan.entry(name).change


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreChange(Change):
    """Brings what ran before a plan; the switches keep it themselves, secrets and all.

    after: what each switch was left with by that plan; who changed it since is not overrun. reload:
    a switch that was reloaded for the plan may be reloaded again.
    """

    after: Mapping[str, str | None]
    undoes: str
    kind: Kind = Kind.ROLLBACK
    since: str = "that plan; `rollback --from-switches` shows what else would go, and asks"
    reload: bool = False
    reloaded: set[str] = field(default_factory=set)

    def expected(self, name: str) -> str | None:
        """What the plan left it with."""
        return self.after[name]

    def load(self, driver: Transport, name: str) -> None:
        """Load the checkpoint, for the path by which the plan was brought."""
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
        """By a reload, where loading found that it must be."""
        return RELOAD if name in self.reloaded else IN_PLACE


@dataclass(frozen=True, slots=True, kw_only=True)
class BackAsSeen(RestoreChange):
    """The same from the switches alone. after: what ran when one looked; seen: the difference."""

    seen: Mapping[str, str]
    since: str = "one looked; look again"

    def reviewed(self, name: str, diff: str) -> bool:
        """Only what was shown goes."""
        return diff == self.seen[name]
