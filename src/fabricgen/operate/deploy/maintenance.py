"""Reports the state of switches under maintenance and which can be drained together."""

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
"""How a push ended that was killed or stopped; one that its gate undid is planned anew."""


def standing_still(site: Site, names: Collection[str]) -> str:
    """Say who of some switches is not active by the intent, whose word it is then; else nothing."""
    for fabric in site.fabrics:
        for name in sorted(fabric.states.keys() & set(names)):
            said = f"{name} has `state: {fabric.states[name].state}` in the intent"
            return f"{said}: `push` carries that out, and it ends when the word is taken away"
    return ""


def no_way(site: Site, names: Collection[str]) -> str:
    """Say who of some switches can never be drained, not even alone; empty when all can."""
    alone = (undrainable(fabric, [name], ()) for name in names for fabric in site.fabrics)
    return next(filter(None, alone), "")


def turns(
    site: Site, names: Sequence[str], away: Collection[str], floor: int
) -> list[tuple[str, ...]]:
    """Return who may be away at once, one turn after the other, beside those that are away."""
    found, left = [], [*names]
    while left:
        picked = at_once(site, {*left, *away}, floor)
        turn = tuple(name for name in left if name in picked)
        if not turn or any(undrainable(each, {*turn, *away}, ()) for each in site.fabrics):
            turn = (left[0],)  # what keeps it from being drained now, its plan says
        found.append(turn)
        left = [name for name in left if name not in turn]
    return found


def fabrics_of(site: Site, names: Collection[str]) -> list[Fabric]:
    """Return the fabrics that have some of these switches."""
    return [each for each in site.fabrics if {it.name for it in each.topology.switches} & {*names}]


@record()
class CutOff:
    """A push that was killed or stopped before its end. plan: where the journal keeps it."""

    push: Push
    plan: Plan | None

    def drains(self, names: Collection[str]) -> bool:
        """Tell whether it took the traffic of these away, and did nothing else."""
        return self._of(names) and self.plan is not None and {*names} <= {*self.plan.drain}

    def brings(self, names: Collection[str]) -> bool:
        """Tell whether it brought the traffic of these back, and did nothing else."""
        return self._of(names) and self.plan is not None and {*names}.isdisjoint(self.plan.drain)

    def _of(self, names: Collection[str]) -> bool:
        return self.plan is not None and {it.switch for it in self.plan.changing} <= {*names}


def cut_off(journal: Journal, site: str, names: Collection[str]) -> CutOff | None:
    """Return the push that left one of these switches half-way, if one did."""
    for each in journal.behind(site):
        push = each.push
        if each.step.switch in names and push.kind is Kind.PUSH and push.result in _CUT_OFF:
            return CutOff(push, readable(journal.plan(push.plan)))
    return None


def refuse_others(plan: Plan, names: Collection[str]) -> None:
    """Refuse a plan that changes other switches, too: work on one brings nothing to others."""
    if others := [it.switch for it in plan.changing if it.switch not in names]:
        raise Refused(
            f"{shortened(others)} would change, too, as what runs there is not what is rendered: "
            "`fabricgen drift` says what; push that first, or --limit to the switch"
        )
