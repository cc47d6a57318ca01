"""Release the locks of terminated pushes on switches, with an entry in the journal."""

from collections.abc import Collection, Mapping

from fabricgen.core import VERSION
from fabricgen.nos.driver import SwitchLock, Transport, Unfinished
from fabricgen.operate.deploy.fleet import Fault, Fleet, Outcome, Stopped
from fabricgen.operate.deploy.journal.holder import runs_here
from fabricgen.operate.deploy.journal.journal import Journal
from fabricgen.operate.deploy.journal.records import Kind, Phase, Result, Step
from fabricgen.operate.deploy.plan.document import fresh_id
from fabricgen.operate.deploy.plan.switch_preview import identify


def claims(fleet: Fleet, names: Collection[str]) -> dict[str, Outcome[SwitchLock | None]]:
    """Return the lock of each switch; neither value nor fault where there is none.

    An unconfirmed commit is a fault: its timer undoes it, or the next push to the switch does.
    """

    def held(driver: Transport, name: str) -> SwitchLock | None:
        identify(driver, fleet.target(name))
        return _held(driver)

    return fleet.each(names, held)


def _held(driver: Transport) -> SwitchLock | None:
    pending = driver.unfinished()
    if pending is None:
        return driver.held()
    raise waiting(pending)


def waiting(pending: Unfinished) -> Stopped:
    """Return the fault for an unconfirmed commit, with the ways to end it."""
    verbs, timer = "`fabricgen resume` or a push with its journal", pending.seconds
    ends = (
        f"the timer of the switch undoes it in {timer:.0f} s, {verbs} does earlier"
        if timer
        else f"{verbs} undoes it"
    )
    return Stopped(Fault.BUSY, f"unconfirmed commit of plan {pending.plan}: {ends}")


def living(held: SwitchLock) -> bool:
    """Check whether the process that locked a switch runs on this machine."""
    return runs_here(held.who.rpartition("@")[2], held.pid)


def unlock(
    fleet: Fleet,
    journal: Journal,
    site: str,
    who: str,
    held: Mapping[str, SwitchLock],
    *,
    force: bool,
) -> dict[str, Outcome[None]]:
    """Release locks; raise LockHeld if a push of the site is running and `force` is false."""
    own = fresh_id()

    def give_up(driver: Transport, name: str) -> None:
        driver.claim(own, {held[name].plan})
        driver.discard_config()

    with journal.lock(site, own, who, force=force) as lock:
        push = lock.start(Kind.UNLOCK, VERSION, own)
        lock.record(push, [_step(name, Phase.PLANNED, it.said) for name, it in held.items()])
        outcomes = fleet.each(tuple(held), give_up)
        lock.record(
            push,
            [
                _step(
                    name, Phase.FAILED if it.fault else Phase.UNLOCKED, it.said or held[name].said
                )
                for name, it in outcomes.items()
            ],
        )
        failed = any(outcome.fault for outcome in outcomes.values())
        lock.end(push, Result.FAILED if failed else Result.DONE)
    fleet.close(tuple(held))
    return outcomes


def _step(name: str, phase: Phase, message: str) -> Step:
    return Step(switch=name, phase=phase, message=message)
