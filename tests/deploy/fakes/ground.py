"""Fake switches for the tests of pushes: made, reached, looked into, and pushed to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.deploy.fakes.temper import Temper, make_fakes

from fabricgen.compile.output.manifest import sha256
from fabricgen.intent.source import SourceMap
from fabricgen.operate.deploy.fleet import Fleet
from fabricgen.operate.deploy.inventory.files import Read
from fabricgen.operate.deploy.inventory.options import Inventory, Options, Runner
from fabricgen.operate.deploy.inventory.plugin import nornir_inventory
from fabricgen.operate.deploy.journal.journal import Journal
from fabricgen.operate.deploy.journal.records import Kind
from fabricgen.operate.deploy.push.change import Change
from fabricgen.operate.deploy.push.push import Outcome, Push, Terms
from fabricgen.operate.deploy.runner import Stop
from fabricgen.operate.deploy.targets import Target

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from fabricgen.nos.driver import Transport
    from fabricgen.operate.deploy.push.events import Event

OLD, NEW = "hostname {name}\nold\n", "hostname {name}\nnew\n"


@dataclass(frozen=True, slots=True)
class Wanted(Change):
    """A change that brings NEW to every switch that still runs OLD."""

    id: str = "0123456789ab"
    kind: Kind = Kind.PUSH
    since: str = "the plan was made"

    def expected(self, name: str) -> str:
        """What ran when the change was planned."""
        return sha256(OLD.format(name=name))

    def load(self, driver: Transport, name: str) -> None:
        """Load the new configuration."""
        driver.load_replace_candidate(config=NEW.format(name=name))


@dataclass(slots=True)
class Fakes:
    """A folder of fake switches, and a journal beside them."""

    folder: Path
    names: tuple[str, ...]
    stop: Stop = field(default_factory=Stop)
    events: list[Event] = field(default_factory=list)
    workers: int = 50
    timeout: int = 5

    @classmethod
    def of(cls, folder: Path, count: int) -> Fakes:
        """Make so many switches; all run OLD."""
        names = tuple(f"leaf{number:04}" for number in range(1, count + 1))
        make_fakes(folder / "switches", {name: OLD.format(name=name) for name in names})
        return cls(folder, names)

    @classmethod
    def there(cls, folder: Path) -> Fakes:
        """Return the switches that are in a folder."""
        return cls(folder, tuple(sorted(path.name for path in (folder / "switches").iterdir())))

    def fleet(self) -> Fleet:
        """Return them as a push sees them."""
        targets = {
            name: Target(name=name, fabric="frontend", platform="linux", address="127.0.0.1")
            for name in self.names
        }
        options = Options(driver="fake", folder="switches", timeout=self.timeout)
        runner = Runner(workers=self.workers)
        read = Read(
            folder=self.folder,
            inventory=Inventory(defaults=options, nornir=runner),
            findings=(),
            source=SourceMap(),
        )
        return Fleet(
            nornir_inventory(targets, read), self.stop, str, workers=self.workers, patience=30
        )

    def push(
        self,
        batches: Iterable[Sequence[str]],
        change: Wanted | None = None,
        *,
        timer: int = 60,
        patience: float = 0.5,
        who: str = "tester",
    ) -> Outcome:
        """Push, as the verb does."""
        terms = Terms(timer=timer, patience=patience, judge=lambda *_: (), pause=0.01)
        with Journal.open(self.folder / "journal.db") as journal:
            push = Push(
                site="site",
                fleet=self.fleet(),
                journal=journal,
                terms=terms,
                tell=self.events.append,
            )
            return push.run(change or Wanted(), [tuple(batch) for batch in batches], who)

    def running(self, name: str) -> str:
        """Return what a switch runs, as it is on its disk."""
        return (self.folder / "switches" / name / "running").read_text()

    def requests(self, name: str) -> list[str]:
        """Return everything that was ever asked of a switch."""
        path = self.folder / "switches" / name / "requests"
        return path.read_text().splitlines() if path.exists() else []

    def writes(self) -> int:
        """Return how many requests changed a switch."""
        return sum(said.startswith("write") for name in self.names for said in self.requests(name))

    def give(self, name: str, temper: Temper) -> None:
        """Give a switch a temper."""
        temper.write(self.folder / "switches" / name)

    def new(self) -> set[str]:
        """Return the switches that run NEW; all others must run OLD."""
        found = {name for name in self.names if self.running(name) == NEW.format(name=name)}
        for name in set(self.names) - found:
            assert self.running(name) == OLD.format(name=name), f"{name} runs neither"
        return found
