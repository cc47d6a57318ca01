"""Read checkpoints of earlier plans from switches and show the changes of a rollback."""

import math
import re
from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime

from fabricgen.compile.output.manifest import sha256
from fabricgen.core.record import record
from fabricgen.nos.driver import LOOK, Kept, Transport
from fabricgen.operate.deploy.fleet import Fault, Fleet, Outcome, Stopped
from fabricgen.operate.deploy.journal.journal import Journal
from fabricgen.operate.deploy.journal.records import Phase, Step
from fabricgen.operate.deploy.plan.document import fresh_id
from fabricgen.operate.deploy.plan.switch_preview import identify
from fabricgen.operate.deploy.push.change import RestoreChange
from fabricgen.operate.deploy.unlock import waiting

_PLAN = re.compile(r"[A-Za-z0-9._-]{1,64}")
_LAST = datetime.max.replace(tzinfo=UTC).timestamp()


@record()
class KeptPlan:
    """Switches with a checkpoint from before a plan. when: the earliest time on a switch."""

    switches: tuple[str, ...]
    when: float | None


@record(kw_only=True)
class Seen:
    """Effect of a rollback on one switch.

    Attributes:
        running: SHA-256 of the running configuration; None in the middle of a change.
        diff: The difference; empty when there is none.
        later: Later plans, which the rollback undoes, too.
        cut_off: Plan of an unconfirmed commit whose process ended; it is undone first.
    """

    running: str | None
    diff: str
    later: tuple[str, ...]
    cut_off: str | None = None


def kept(fleet: Fleet, names: Collection[str]) -> dict[str, Outcome[tuple[Kept, ...]]]:
    """Return the checkpoints of each switch, oldest first."""

    def ask(driver: Transport, name: str) -> tuple[Kept, ...]:
        identify(driver, fleet.target(name))
        every = driver.keeps()
        if odd := next((each for each in every if not _is_told(each.plan, each.when)), None):
            raise Stopped(Fault.FAILED, f"invalid checkpoint on the switch: {odd!r}")
        return every

    return fleet.each(names, ask)


def _is_told(plan: object, when: object) -> bool:
    """Check the plan id and time of a checkpoint, because both are sorted, printed and stored."""
    timely = when is None or (isinstance(when, int | float) and 0 <= when < _LAST)
    return isinstance(plan, str) and _PLAN.fullmatch(plan) is not None and timely


def by_plan(keep: Mapping[str, tuple[Kept, ...]]) -> dict[str, KeptPlan]:
    """Group the checkpoints of switches by plan."""
    of_plan: dict[str, list[tuple[str, float | None]]] = {}
    for name, each in ((name, each) for name, every in keep.items() for each in every):
        of_plan.setdefault(each.plan, []).append((name, each.when))
    return {
        plan: KeptPlan(
            switches=tuple(name for name, _ in kept),
            when=min((when for _, when in kept if when is not None), default=None),
        )
        for plan, kept in of_plan.items()
    }


def rebuilt(
    journal: Journal, site: str, who: str, keep: Mapping[str, tuple[Kept, ...]]
) -> list[str]:
    """Record the plans of checkpoints that the journal does not contain; return them, oldest first.

    Later pushes then recognize old locks and commits. The results are unknown, so a rollback with
    the journal does not use these entries.
    """
    plans = by_plan(keep)
    with journal.lock(site, fresh_id(), who) as lock:
        known = {push.plan for push in journal.history(site, limit=None)}
        lost = sorted(plans.keys() - known, key=lambda plan: plans[plan].when or math.inf)
        for plan in lost:
            when, switches = plans[plan].when, plans[plan].switches
            at = datetime.fromtimestamp(when, UTC) if when else None
            lock.restore(plan, at, [Step(switch=name, phase=Phase.KEPT) for name in switches])
    return lost


def seen(fleet: Fleet, names: Collection[str], back: RestoreChange) -> dict[str, Outcome[Seen]]:
    """Preview a rollback without a change."""
    outcomes = fleet.each(names, _look(back))
    fleet.close(names)
    return outcomes


def _look(back: RestoreChange) -> Callable[[Transport, str], Seen]:
    def look(driver: Transport, name: str) -> Seen:
        plans = [each.plan for each in driver.keeps()]
        later = tuple(plans[plans.index(back.undoes) + 1 :])
        pending = driver.unfinished()
        if pending is not None:
            if pending.seconds:
                raise waiting(pending)
            return Seen(running=None, diff="", later=later, cut_off=pending.plan)
        running = sha256(driver.get_config()["running"])
        driver.claim(f"{LOOK}{fresh_id()}")
        try:
            back.load(driver, name)
            return Seen(running=running, diff=driver.compare_config(), later=later)
        finally:
            driver.discard_config()

    return look
