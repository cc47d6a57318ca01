"""Report the state of switches under maintenance and which can be drained together."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from fabricgen.core.record import record
from fabricgen.core.units import shortened
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.operate.deploy.batches.sizes import Refused
from fabricgen.operate.deploy.coordination.drain import undrainable
from fabricgen.operate.deploy.journal.records import Kind, Push, Result
from fabricgen.operate.deploy.plan.document import Plan, readable
from fabricgen.operate.deploy.plan.make import at_once

if TYPE_CHECKING:
    from fabricgen.operate.deploy.journal.journal import Journal

_CUT_OFF = {None, Result.INTERRUPTED, Result.ABANDONED}
"""Results of a killed or stopped push. A push that the health check undid needs a new plan."""


def standing_still(site: Site, names: Collection[str]) -> str:
    """Return a sentence for a switch that is not active by the intent; else empty."""
    for fabric in site.fabrics:
        for name in sorted(fabric.states.keys() & set(names)):
            said = f"{name} has `state: {fabric.states[name].state}` in the intent"
            return f"{said}: `push` applies this state; remove `state` and push to end it"
    return ""


def no_way(site: Site, names: Collection[str]) -> str:
    """Return a switch that can never be drained, not even alone; empty when all can."""
    alone = (undrainable(fabric, [name], ()) for name in names for fabric in site.fabrics)
    return next(filter(None, alone), "")


def turns(
    site: Site, names: Sequence[str], away: Collection[str], floor: int
) -> list[tuple[str, ...]]:
    """Return groups of switches that can be drained together, next to those already drained."""
    found, left = [], [*names]
    while left:
        picked = at_once(site, {*left, *away}, floor)
        turn = tuple(name for name in left if name in picked)
        if not turn or any(undrainable(each, {*turn, *away}, ()) for each in site.fabrics):
            turn = (left[0],)  # the plan reports the reason why it cannot be drained now
        found.append(turn)
        left = [name for name in left if name not in turn]
    return found


def fabrics_of(site: Site, names: Collection[str]) -> list[Fabric]:
    """Return the fabrics of these switches."""
    return [each for each in site.fabrics if {it.name for it in each.topology.switches} & {*names}]


@record()
class CutOff:
    """A killed or stopped push. plan: None when the journal does not have it."""

    push: Push
    plan: Plan | None

    def drains(self, names: Collection[str]) -> bool:
        """Check whether the push only drained these switches."""
        return self._of(names) and self.plan is not None and {*names} <= {*self.plan.drain}

    def brings(self, names: Collection[str]) -> bool:
        """Check whether the push only restored the traffic of these switches."""
        return self._of(names) and self.plan is not None and {*names}.isdisjoint(self.plan.drain)

    def _of(self, names: Collection[str]) -> bool:
        return self.plan is not None and {it.switch for it in self.plan.changing} <= {*names}


def cut_off(journal: Journal, site: str, names: Collection[str]) -> CutOff | None:
    """Return the push that was interrupted on one of these switches, if any."""
    for each in journal.behind(site):
        push = each.push
        if each.step.switch in names and push.kind is Kind.PUSH and push.result in _CUT_OFF:
            return CutOff(push, readable(journal.plan(push.plan)))
    return None


def refuse_others(plan: Plan, names: Collection[str]) -> None:
    """Reject a plan that also changes other switches."""
    if others := [it.switch for it in plan.changing if it.switch not in names]:
        raise Refused(
            f"{shortened(others)} would change, too: their running configuration differs "
            "from the rendered one; see `fabricgen drift`, push it first, or use --limit"
        )
