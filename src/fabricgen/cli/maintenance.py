"""Implements `fabricgen maintenance …`, which drains switches and restores their traffic."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fabricgen.api.nearest import hinted
from fabricgen.cli.authorization import to_plan
from fabricgen.cli.candidates import complete_switches
from fabricgen.cli.help import define_verb
from fabricgen.cli.output import data_option, ended
from fabricgen.cli.plain import say
from fabricgen.cli.plan import code_of, planned_as, surveyed, written
from fabricgen.cli.push import pushed
from fabricgen.cli.switch_connections import deployment, reaching
from fabricgen.cli.switch_options import (
    PUSH_CODES,
    BatchOptions,
    PlanLimits,
    PushOptions,
    SiteSelection,
    asking,
    batching,
    key_option,
    permitting,
    plan_output_option,
    pushing_manner,
)
from fabricgen.cli.verbs import Verb, Verbs
from fabricgen.cli.verify import after_push
from fabricgen.core.diagnostics import Code, Diagnostic
from fabricgen.core.record import record
from fabricgen.model.fabric.limit import within

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fabricgen.operate.deploy.maintenance import CutOff
    from fabricgen.operate.deploy.plan.document import Plan
    from fabricgen.operate.deploy.setup import Deployment
    from fabricgen.operate.deploy.team.authorization import Beside

BEGIN, END = "begin", "end"
VERBS = (
    Verb(BEGIN, "Drain switches for planned work", __name__),
    Verb(END, "Restore the traffic of drained switches", __name__),
    Verb("status", "Show the state of switches and the next plan", __name__),
)

_NAMES = click.argument(
    "names", nargs=-1, required=True, metavar="SWITCH…", shell_complete=complete_switches
)
_YES = click.option("--yes", is_flag=True, help="Push an unreviewed plan without a question.")
_BEGIN_CODES = PUSH_CODES | {0: "Done, or nothing to do", 2: "Differences after the push"}
_PLAN = click.option(
    "--plan",
    "document",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Push this plan, which `maintenance status -o` wrote.",
)


class MaintenanceVerbs(Verbs):
    """The steps of planned work."""

    verbs = VERBS


@define_verb(
    "maintenance",
    cls=MaintenanceVerbs,
    examples=("maintenance begin intent/full fe-spine1", "maintenance end intent/full fe-spine1"),
)
def command() -> None:
    """Drain switches for maintenance and restore their traffic.

    A drained switch stays up, and other switches carry its traffic.
    """


def changing(verb: Callable[..., int]) -> Callable[..., int]:
    """Give a verb the arguments and options of a push that drains or restores switches."""
    for option in (reaching, pushing_manner, permitting, batching, _YES, _PLAN, _NAMES, asking):
        verb = option(verb)
    return verb


@define_verb(
    BEGIN,
    examples=(
        "maintenance begin intent/full fe-spine1",
        "maintenance begin intent/full fe-spine1 --plan plan.json",
    ),
    codes=_BEGIN_CODES,
)
@changing
def begin(*, asked: SiteSelection, names: tuple[str, ...], order: BatchOptions, **push: Any) -> int:
    """Drain switches for planned work.

    The verb plans and pushes the drain of each SWITCH of SITE, then verifies the other switches. An
    interrupted drain resumes when the same command runs again.
    """
    return _work(asked, tuple(dict.fromkeys(names)), order).done(BEGIN, **push)


@define_verb(
    END,
    examples=(
        "maintenance end intent/full fe-spine1",
        "maintenance end intent/full fe-spine1 --yes",
    ),
    codes=_BEGIN_CODES,
)
@changing
def end(*, asked: SiteSelection, names: tuple[str, ...], order: BatchOptions, **push: Any) -> int:
    """Restore the traffic of drained switches.

    The verb plans and pushes the end of the drain, then verifies all switches. An interrupted
    restore resumes when the same command runs again.
    """
    return _work(asked, tuple(dict.fromkeys(names)), order).done(END, **push)


@define_verb(
    "status",
    examples=(
        "maintenance status intent/full fe-spine1",
        "maintenance status intent/full fe-spine1 -o plan.json",
    ),
    codes={0: "Nothing to do", 2: "Changes"},
)
@asking
@_NAMES
@plan_output_option
@batching
@data_option
@key_option
@reaching
def status(
    *,
    asked: SiteSelection,
    names: tuple[str, ...],
    target: Path | None,
    order: BatchOptions,
    form: str,
    key: Path | None,
) -> int:
    """Show the state of switches and the next plan.

    The verb also shows the remaining bandwidth without each SWITCH of SITE. It changes nothing.
    """
    return _told(_work(asked, tuple(dict.fromkeys(names)), order), target, form, key)


@record(kw_only=True)
class Work:
    """Planned work on switches.

    Attributes:
        turns: Groups of the switches that may be drained together, in order.
        drained: All switches that are drained now.
        states: State of each switch by name.
        cut: The interrupted push that changed the switches, if any.
    """

    asked: SiteSelection
    ready: Deployment
    names: tuple[str, ...]
    order: BatchOptions
    turns: list[tuple[str, ...]]
    drained: set[str]
    states: dict[str, str]
    cut: CutOff | None

    def plan(self, way: str) -> Plan:
        """Make the plan that drains the switches or restores them. Other switches stay."""
        from fabricgen.operate.deploy.maintenance import refuse_others

        others = self.drained.difference(self.names)
        away = others.union(self.names) if way == BEGIN else others
        order = replace(self.order, drain=tuple(sorted(away)))
        plan = planned_as(self.asked, order, self.ready)
        refuse_others(plan, self.names)
        return plan

    def begins(self) -> None:
        """Refuse to drain too many switches together, or a switch that has drifted."""
        from fabricgen.operate.deploy.batches.sizes import Refused

        if self.turns[1:]:
            order = self.one_by_one()
            raise Refused(f"these switches cannot be drained together, only in order: {order}")
        for name in self.names:
            if self.states[name] == "changes" and name not in self.drained and not self.cut:
                raise Refused(
                    f"{name} has drifted from the rendered configuration: see `fabricgen drift "
                    f"{self.asked.site}`, then push {name} first"
                )

    def one_by_one(self) -> str:
        """Return the order of the groups."""
        order = ", then ".join(" ".join(turn) for turn in self.turns)
        percent = self.order.min_available
        return f"{order}; run {BEGIN} and {END} for each group (--min-available {percent})"

    def done(
        self,
        way: str,
        *,
        document: Path | None,
        permit: PlanLimits,
        manner: PushOptions,
        yes: bool,
    ) -> int:
        """Drain or restore the switches, then verify."""
        if way == BEGIN:
            self.begins()
        plan, signatures = self._chosen(way, document, manner)
        return pushed(
            plan,
            signatures,
            self.asked,
            manner,
            permit,
            reviewed=yes or signatures is not None,
            then=lambda: after_push(self.asked, manner.form, {*plan.drain}),
        )

    def _chosen(
        self, way: str, document: Path | None, manner: PushOptions
    ) -> tuple[Plan, Beside | None]:
        """Return the interrupted plan, the plan of a file, or a new one, with its signatures."""
        from fabricgen.cli.formats.plan import show
        from fabricgen.operate.deploy.maintenance import refuse_others
        from fabricgen.operate.deploy.plan.document import read_plan
        from fabricgen.operate.deploy.team.signed import kept

        if (found := self._goes_on(way)) is not None:
            return found
        if document is None:
            plan = self.plan(way)
            self._undoes_itself(plan, way)
            say(show(plan, "text"), nl=False, err=manner.form == "json")
            return plan, None
        plan = read_plan(document)
        refuse_others(plan, self.names)
        if (way == BEGIN) != ({*self.names} <= {*plan.drain}):
            raise click.UsageError(f"{document} is not the plan of {way} {' '.join(self.names)}")
        return plan, tuple(kept(document))

    def _undoes_itself(self, plan: Plan, way: str) -> None:
        """Refuse the opposite direction while a switch may still undo an interrupted commit."""
        from fabricgen.operate.deploy.batches.sizes import Refused

        if self.cut is None or not (held := [it for it in plan.unknown if it.switch in self.names]):
            return
        other = END if way == BEGIN else BEGIN
        raise Refused(
            f"{_half(self.cut)}, and {held[0].switch} cannot change direction now "
            f"({held[0].said}): run `{other}` to resume that push and then `{way}`, or wait until "
            "the switch has undone it"
        )

    def _goes_on(self, way: str) -> tuple[Plan, Beside | None] | None:
        """Return the plan of the interrupted push, if it had the same direction."""
        from fabricgen.operate.deploy.batches.sizes import Refused
        from fabricgen.operate.deploy.team.authorization import once_more

        if self.cut is None or self.cut.plan is None:
            return None
        if not (self.cut.drains(self.names) or self.cut.brings(self.names)):
            raise Refused(
                f"{_half(self.cut)}, which changes more switches: run `fabricgen resume "
                f"{self.cut.push.id} {self.asked.site}` first"
            )
        if (way == BEGIN) != self.cut.drains(self.names):
            return None  # the opposite direction needs a new plan
        say(f"resuming {self.cut.push.id}, which was interrupted", err=True)
        with self.asked.open_journal(make=False) as journal:
            return self.cut.plan, once_more(journal.signed(self.cut.push.id))


def _work(asked: SiteSelection, names: tuple[str, ...], order: BatchOptions) -> Work:
    """Compare the switches and read the journal. Refuse impossible requests before any question."""
    from fabricgen.operate.deploy.batches.plan import BatchRequest
    from fabricgen.operate.deploy.batches.sizes import sizes
    from fabricgen.operate.deploy.journal.records import JournalFailure
    from fabricgen.operate.deploy.maintenance import cut_off, fabrics_of, turns
    from fabricgen.operate.deploy.plan.make import drained_now

    ready = deployment(asked)
    _refuse(ready, names)
    if not asked.limit:  # the switches of the same fabrics, which may carry the traffic
        limit = tuple(fabric.name for fabric in fabrics_of(ready.site, names))
        asked, ready = replace(asked, limit=limit), _within(ready, limit)
    wish = BatchRequest(
        sizes=sizes(order.batch), floor=order.min_available, together=order.all_fabrics
    )
    looks, _ = surveyed(asked, ready, wish, reload=order.reload)
    cut = None
    with suppress(JournalFailure), asked.open_journal(make=False) as journal:
        cut = cut_off(journal, ready.site.name, names)
    drained = drained_now(looks)
    return Work(
        asked=asked,
        ready=ready,
        names=names,
        order=order,
        turns=turns(ready.site, names, drained.difference(names), order.min_available),
        drained=drained,
        states={look.entry.switch: look.entry.state for look in looks},
        cut=cut,
    )


def _within(ready: Deployment, limit: Sequence[str]) -> Deployment:
    """Return the deployment of some of its switches."""
    part = {name: it for name, it in ready.targets.items() if within(limit, name, it.fabric)}
    return replace(ready, targets=part, lens=replace(ready.lens, targets=part))


def _refuse(ready: Deployment, names: Sequence[str]) -> None:
    """End the verb for a switch that is unknown, has a state in the intent or no redundant path."""
    from fabricgen.operate.deploy.batches.sizes import Refused
    from fabricgen.operate.deploy.maintenance import no_way, standing_still

    known = {it.name for fabric in ready.site.fabrics for it in fabric.topology.switches}
    if unknown := [name for name in names if name not in known]:
        message = f"no switch {unknown[0]!r} in this site"
        hint = hinted(ready.site, unknown[0], known)
        ended([Diagnostic(Code.NO_SUCH_OBJECT, message, hint=hint)], ready.read.source)
    if why := standing_still(ready.site, names):
        raise Refused(why)
    if outside := [name for name in names if name not in ready.targets]:
        raise Refused(f"{outside[0]} is not a switch of --limit or of this lab")
    if why := no_way(ready.site, names):
        ended([Diagnostic(Code.NO_OTHER_WAY, why)], ready.read.source)


def _told(work: Work, target: Path | None, form: str, key: Path | None) -> int:
    """Print the states, the remaining bandwidth and the next plan. Return the exit code."""
    from fabricgen.cli.formats.plan import show

    machine = form == "json"
    for name in work.names:
        say(f"{name}: {_state(work, name)}", err=machine)
    here = [name for name in work.names if name in work.drained]
    part = here or work.turns[0]
    for turn in [part] if here else work.turns:
        say(_left(work, turn), err=machine, nl=False)
    if work.turns[1:]:
        say(f"not together; order: {work.one_by_one()}", err=machine)
    now = replace(work, names=tuple(part), turns=[tuple(part)])
    way = END if here else BEGIN
    if way == BEGIN:
        now.begins()
    rules = to_plan(key, target, work.asked, work.ready) if key else None
    plan = now.plan(way)
    if target is not None and not written(plan, target, key, rules):
        return 1
    say(show(plan, form), nl=False)
    words = f"{work.asked.site} {' '.join(part)}"
    begins, ends = (f"fabricgen maintenance {it} {words}" for it in (BEGIN, END))
    steps = [begins, "the work", ends]
    say(f"next: {'; '.join(steps[2 if here else 0 :])}", err=machine)
    return code_of(plan)


def _state(work: Work, name: str) -> str:
    """Return the state of a switch: of the interrupted push, or of its configuration."""
    if work.cut is not None:
        return f"incomplete: {_half(work.cut)}; `{BEGIN}`, `{END}` or `fabricgen resume` continues"
    if name in work.drained:
        return "drained: other switches carry its traffic"
    state = {"same": "active", "changes": "active, differs from the rendered configuration"}
    return state.get(work.states[name], f"unknown: {work.states[name]}")


def _half(cut: CutOff) -> str:
    return f"{cut.push.id} of plan {cut.push.plan} was interrupted"


def _left(work: Work, turn: Sequence[str]) -> str:
    """Return the bandwidth of servers while more switches are drained."""
    from fabricgen.api.failures import drained
    from fabricgen.cli.formats.failures import text

    away = tuple(sorted(work.drained.union(turn)))
    names = " and ".join(away)
    table = text(drained(work.ready.site, away))
    return f"while {names} {'is' if len(away) == 1 else 'are'} drained:\n{table}"
