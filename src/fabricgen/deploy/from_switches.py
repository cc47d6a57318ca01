"""Switches alone in, what they keep from before plans and what going back there changes out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.deploy.fleet import Fault, Stopped
from fabricgen.deploy.plan.document import fresh_id
from fabricgen.deploy.plan.look import identify
from fabricgen.nos.driver import LOOK
from fabricgen.output.manifest import sha256
from fabricgen.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from fabricgen.deploy.fleet import Fleet, Outcome
    from fabricgen.deploy.push.change import Back
    from fabricgen.nos.driver import Kept, Transport


@record(kw_only=True)
class Seen:
    """What going back would do to one switch. running: sha256; None when it is in between.

    diff: empty when nothing. later: plans that were brought there since, and go too. cut_off: the
    plan of a commit that nobody confirmed and whose process is gone: it is undone first.
    """

    running: str | None
    diff: str
    later: tuple[str, ...]
    cut_off: str | None = None


def kept(fleet: Fleet, names: Collection[str]) -> dict[str, Outcome[tuple[Kept, ...]]]:
    """Return what each switch keeps, the oldest first."""

    def ask(driver: Transport, name: str) -> tuple[Kept, ...]:
        identify(driver, name)
        return driver.keeps()

    return fleet.each(names, ask)


def seen(fleet: Fleet, names: Collection[str], back: Back) -> dict[str, Outcome[Seen]]:
    """Look at what going back would change; nothing is changed."""
    outcomes = fleet.each(names, _look(back))
    fleet.close(names)
    return outcomes


def _look(back: Back) -> Callable[[Transport, str], Seen]:
    def look(driver: Transport, name: str) -> Seen:
        plans = [each.plan for each in driver.keeps()]
        later = tuple(plans[plans.index(back.plan) + 1 :])
        pending = driver.unfinished()
        if pending is not None:
            if pending.seconds:
                left = f"its timer undoes it in {pending.seconds:.0f} s"
                raise Stopped(Fault.BUSY, f"a commit of plan {pending.plan} waits: {left}")
            return Seen(running=None, diff="", later=later, cut_off=pending.plan)
        running = sha256(driver.get_config()["running"])
        driver.claim(f"{LOOK}{fresh_id()}")
        try:
            back.load(driver, name)
            return Seen(running=running, diff=driver.compare_config(), later=later)
        finally:
            driver.discard_config()

    return look
