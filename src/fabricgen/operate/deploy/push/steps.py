"""Define the steps of a push on one switch; each is an action of the fleet."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from napalm.base.exceptions import CommandErrorException, CommandTimeoutException

from fabricgen.compile.output.manifest import sha256
from fabricgen.core.tree.facts import Key
from fabricgen.core.units import counted
from fabricgen.nos.driver import Probes, Remarks, Transport
from fabricgen.nos.health import Health
from fabricgen.nos.traffic import End
from fabricgen.operate.deploy.fleet import Fault, Stopped
from fabricgen.operate.deploy.journal.records import Phase
from fabricgen.operate.deploy.plan.document import RELOAD
from fabricgen.operate.deploy.plan.switch_preview import identify
from fabricgen.operate.deploy.push.change import Change
from fabricgen.operate.deploy.push.traffic_loss import UNASKED, answered, ends
from fabricgen.operate.deploy.targets import Target


@dataclass(frozen=True, slots=True)
class Unchanged:
    """A switch without a change. running: SHA-256 of the running configuration."""

    running: str


@dataclass(frozen=True, slots=True)
class Ready:
    """A switch before its change. running: SHA-256. changed: objects with new configuration."""

    running: str
    health: Health
    changed: frozenset[Key] = frozenset()


class Committed(NamedTuple):
    """A commit. path: empty for an in-place change. remarks: deviations from the request."""

    path: str
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """The steps of one change.

    Attributes:
        ours: Ids in the journal; their commits may be undone.
        target: Returns the identity of a switch by its name.
        probe: Whether the switches send test packets.
    """

    change: Change
    ours: frozenset[str]
    timer: int
    target: Callable[[str], Target]
    probe: bool = True

    def prepare(self, driver: Transport, name: str) -> Ready | Unchanged:
        """Check the identity and the running state of a switch, and load the candidate.

        Only an unconfirmed commit of an earlier push of this site is undone. This process has the
        lock of the site, so the earlier process is dead.
        """
        self.clear(driver, name)
        text = driver.get_config()["running"]
        running = sha256(text)
        driver.claim(self.change.id, self.ours)
        try:
            if self._loaded(driver, name, running):
                around = self.change.around
                changed = around.model.changes(name, text) if around is not None else frozenset()
                return Ready(running, self._health(driver), changed)
        except Exception:
            driver.discard_config()
            raise
        driver.discard_config()
        return Unchanged(running)

    def unchanged(self, driver: Transport, name: str) -> None:
        """Check that a switch runs the expected or the planned configuration, without a change.

        The batch of the switch handles an unconfirmed commit: it undoes or reports the commit.
        """
        identify(driver, self.target(name))
        if driver.unfinished() is not None:
            return
        running = sha256(driver.get_config()["running"])
        if self.change.expected(name) in {None, running}:
            return
        driver.claim(self.change.id, self.ours)
        try:
            self._loaded(driver, name, running)
        finally:
            driver.discard_config()

    def _loaded(self, driver: Transport, name: str, running: str) -> bool:
        """Load the candidate; return whether it changes anything.

        Raises:
            Stopped: The switch or the difference changed since the plan.
        """
        self.change.load(driver, name)
        diff = driver.compare_config()
        expected = self.change.expected(name)
        if diff and expected is not None and running != expected:
            raise Stopped(Fault.STALE, f"running configuration changed since {self.change.since}")
        if diff and not self.change.reviewed(name, diff):
            raise Stopped(
                Fault.STALE,
                "the difference is not the reviewed one; check whether a secret changed",
            )
        return bool(diff)

    def clear(self, driver: Transport, name: str) -> str:
        """Check the identity, and undo an unconfirmed commit of this site; return its plan.

        A foreign commit stays; the lock attempt reports its owner.
        """
        identify(driver, self.target(name))
        pending = driver.unfinished()
        if pending is None or pending.plan not in self.ours:
            return ""
        driver.claim(pending.plan)
        driver.rollback()
        return pending.plan

    def release(self, driver: Transport, name: str) -> None:
        """Discard the candidate."""
        del name
        driver.discard_config()

    def commit(self, driver: Transport, name: str) -> Committed:
        """Commit with a timer, and compare afterwards: a switch may report success wrongly."""
        driver.commit_config(revert_in=self.timer)
        left = driver.compare_config()
        if left:
            driver.rollback()
            lines = counted(len(left.splitlines()), "line")
            raise Stopped(
                Fault.FAILED, f"the switch reported a commit, but {lines} differ; rolled back"
            )
        path = "by a reload" if self.change.path(name) == RELOAD else ""
        return Committed(path, driver.remarks if isinstance(driver, Remarks) else ())

    def look(self, before: Mapping[str, Health]) -> Callable[[Transport, str], Health]:
        """Return the step that takes a snapshot and repeats its answered pings."""

        def looks(driver: Transport, name: str) -> Health:
            return self._reached(driver, self._tables(driver), answered(before[name]))

        return looks

    def _health(self, driver: Transport) -> Health:
        health = self._tables(driver)
        return self._reached(driver, health, ends(health.traffic))

    def _tables(self, driver: Transport) -> Health:
        health, present = driver.health(), self.change.present
        return health if present is None else present.seen(health)

    def _reached(self, driver: Transport, health: Health, asked: Collection[End]) -> Health:
        """Add ping results to a snapshot if the switch can send pings."""
        if not self.probe or not isinstance(driver, Probes):
            return health
        try:
            reached = driver.reach(asked, health.traffic)
        except (CommandErrorException, CommandTimeoutException) as error:
            return replace(health, unread=(*health.unread, f"{UNASKED}: {error}"))
        return replace(health, traffic=replace(health.traffic, reached=reached))

    def tables(self, driver: Transport, name: str) -> Health:
        """Take a snapshot without pings."""
        del name
        return self._tables(driver)

    def ping(
        self, ends: Mapping[str, Collection[End]], looks: Mapping[str, Health]
    ) -> Callable[[Transport, str], Mapping[End, bool]]:
        """Return the step that pings servers; a driver without pings returns no answers."""

        def pings(driver: Transport, name: str) -> Mapping[End, bool]:
            if not isinstance(driver, Probes):
                return {}
            return driver.reach(ends[name], looks[name].traffic)

        return pings

    def neighbor(self, driver: Transport, name: str) -> Health:
        """Take a snapshot of a switch that does not change."""
        identify(driver, self.target(name))
        return self._health(driver)

    def confirm(self, driver: Transport, name: str) -> str:
        """Confirm the change; return the SHA-256 of the running configuration."""
        del name
        driver.confirm_commit()
        return sha256(driver.get_config()["running"])

    def undo(self, driver: Transport, name: str) -> Phase:
        """Restore the earlier configuration, or check that the timer of the switch did."""
        pending = driver.unfinished()
        if pending is not None and pending.plan == self.change.id:
            driver.claim(self.change.id)
            driver.rollback()
        else:
            before = self.change.expected(name)
            if before is not None and sha256(driver.get_config()["running"]) != before:
                raise Stopped(Fault.UNKNOWN, "the previous configuration is not restored")
        return Phase.ROLLED_BACK

    def settle(self, driver: Transport, name: str) -> tuple[Phase, str]:
        """Find out which configuration runs after a confirmation without an answer."""
        pending = driver.unfinished()
        driver.claim(self.change.id)
        if pending is not None:
            driver.confirm_commit()
        running = sha256(driver.get_config()["running"])
        self.change.load(driver, name)
        arrived = not driver.compare_config()
        driver.discard_config()
        if arrived:
            return Phase.CONFIRMED, running
        if running == self.change.expected(name):
            return Phase.ROLLED_BACK, running
        raise Stopped(Fault.UNKNOWN, "running configuration is not the old or the new one")
