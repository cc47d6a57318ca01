"""Implements `fabricgen maintenance …`, which drains switches and restores their traffic."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fabricgen.cli.authorization import to_plan
from fabricgen.cli.candidates import complete_switches
from fabricgen.cli.nearest import hinted
from fabricgen.cli.output import data_option, ended
from fabricgen.cli.plain import say
from fabricgen.cli.plan import code_of, planned_as, surveyed, written
from fabricgen.cli.push import pushed
from fabricgen.cli.switch_connections import deployment, reaching
from fabricgen.cli.switch_options import (
    BatchOptions,
    PlanLimits,
    PushOptions,
    SiteSelection,
    asking,
    batching,
    key_option,
    permitting,
    pushing_manner,
)
from fabricgen.cli.verbs import Verb, Verbs
from fabricgen.cli.verify import looked
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
_YES = click.option("--yes", is_flag=True, help="Do not ask before the push of an unreviewed plan.")
_PLAN = click.option(
    "--plan",
    "document",
    type=click.Path(path_type=Path),
    help="Push this plan, written by `maintenance status -o`.",
)


class MaintenanceVerbs(Verbs):
    """The steps of planned work."""

    verbs = VERBS


@click.command("maintenance", cls=MaintenanceVerbs)
def command() -> None:
    """Drain switches for maintenance and restore their traffic."""


def changing(verb: Callable[..., int]) -> Callable[..., int]:
    """Give a verb the arguments and options of a push that drains or restores switches."""
    for option in (reaching, pushing_manner, permitting, batching, _YES, _PLAN, _NAMES, asking):
        verb = option(verb)
    return verb


@click.command(BEGIN)
@changing
def begin(*, asked: SiteSelection, names: tuple[str, ...], order: BatchOptions, **push: Any) -> int:
    """Drain SWITCHes of SITE before planned work.

    An interrupted drain resumes when the same command runs again.

    Exit codes: 0 done, or nothing to do; 1 errors, or refused; 2 verify found differences after
    the push; 3 some switches failed or were not reached; 4 the plan is stale or cannot succeed, or
    another push runs; 5 rolled back; 6 unknown state left; 64 wrong usage; 130 interrupted.
    """
    return _work(asked, tuple(dict.fromkeys(names)), order).done(BEGIN, **push)


@click.command(END)
@changing
def end(*, asked: SiteSelection, names: tuple[str, ...], order: BatchOptions, **push: Any) -> int:
    """Restore the traffic of drained SWITCHes of SITE after planned work.

    An interrupted restore resumes when the same command runs again. Exit codes: as of `begin`.
    """
    return _work(asked, tuple(dict.fromkeys(names)), order).done(END, **push)


@click.command("status")
@asking
@_NAMES
@click.option("-o", "--output", "target", type=click.Path(path_type=Path), help="Write the plan.")
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
    """Show the state of SWITCHes of SITE, the bandwidth without them, and the next plan.

    Exit codes: 0 nothing to do; 1 errors, or refused; 2 changes; 64 wrong usage; 130 interrupted.
    """
    return _told(_work(asked, tuple(dict.fromkeys(names)), order), target, form, key)


@record(kw_only=True)
class Work:
    """Planned work on switches. turns: who of them may be away at once, one after the other.

    drained: who is drained now, of all. states: of looks, by switch. cut: what left them half-way.
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
        """Make the plan that drains them, or that brings them back; others stay as they are."""
        from fabricgen.operate.deploy.maintenance import refuse_others

        others = self.drained.difference(self.names)
        away = others.union(self.names) if way == BEGIN else others
        order = replace(self.order, drain=tuple(sorted(away)))
        plan = planned_as(self.asked, order, self.ready)
        refuse_others(plan, self.names)
        return plan

    def begins(self) -> None:
        """Refuse to drain more at once than may be away, and what is not as designed before."""
        from fabricgen.operate.deploy.batches.sizes import Refused

        if self.turns[1:]:
            raise Refused(f"they cannot be away at the same time: {self.one_by_one()}")
        for name in self.names:
            if self.states[name] == "changes" and name not in self.drained and not self.cut:
                raise Refused(
                    f"{name} does not run what is rendered for it, and work begins with what is "
                    "known: `fabricgen drift` says what it runs; push that first"
                )

    def one_by_one(self) -> str:
        """Say who goes after whom."""
        each = ", then ".join(" ".join(turn) for turn in self.turns)
        least = self.order.min_available
        return f"{each}, each with its own {BEGIN} and {END} (--min-available {least})"

    def done(
        self,
        way: str,
        *,
        document: Path | None,
        permit: PlanLimits,
        manner: PushOptions,
        yes: bool,
    ) -> int:
        """Take their traffic away or bring it back, then look at who is to run as designed."""
        if way == BEGIN:
            self.begins()
        plan, beside = self._chosen(way, document, manner)
        return pushed(
            plan,
            beside,
            self.asked,
            manner,
            permit,
            reviewed=yes or beside is not None,
            then=lambda: looked(self.asked, manner.form, 0, {*plan.drain}),
        )

    def _chosen(
        self, way: str, document: Path | None, manner: PushOptions
    ) -> tuple[Plan, Beside | None]:
        """Return the plan that was cut off, that of a file, or a new one; and who signed it."""
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
        """Refuse to turn back while a switch may still undo by itself what was cut off."""
        from fabricgen.operate.deploy.batches.sizes import Refused

        if self.cut is None or not (held := [it for it in plan.unknown if it.switch in self.names]):
            return
        other = END if way == BEGIN else BEGIN
        raise Refused(
            f"{_half(self.cut)}, and {held[0].switch} cannot turn back now ({held[0].said}): "
            f"`{other}` continues that push, and `{way}` can follow; or wait until the switch "
            "has undone it"
        )

    def _goes_on(self, way: str) -> tuple[Plan, Beside | None] | None:
        """Return the plan of the push that left them half-way, if that went this way."""
        from fabricgen.operate.deploy.batches.sizes import Refused
        from fabricgen.operate.deploy.team.authorization import once_more

        if self.cut is None or self.cut.plan is None:
            return None
        if not (self.cut.drains(self.names) or self.cut.brings(self.names)):
            raise Refused(
                f"{_half(self.cut)}, which is of more than this: `fabricgen resume` first"
            )
        if (way == BEGIN) != self.cut.drains(self.names):
            return None  # they turn back: a plan from what runs now
        say(f"{self.cut.push.id} was cut off: it goes on", err=True)
        with self.asked.open_journal(make=False) as journal:
            return self.cut.plan, once_more(journal.signed(self.cut.push.id))


def _work(asked: SiteSelection, names: tuple[str, ...], order: BatchOptions) -> Work:
    """Look at the switches and the journal; what can never be is said before anybody is asked."""
    from fabricgen.operate.deploy.batches.plan import BatchRequest
    from fabricgen.operate.deploy.batches.sizes import sizes
    from fabricgen.operate.deploy.journal.records import JournalFailure
    from fabricgen.operate.deploy.maintenance import cut_off, fabrics_of, turns
    from fabricgen.operate.deploy.plan.make import drained_now

    ready = deployment(asked)
    _refuse(ready, names)
    if not asked.limit:  # all that may stand in for them, and nobody else
        limit = tuple(each.name for each in fabrics_of(ready.site, names))
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
    """Return the same of a part of the switches."""
    part = {name: it for name, it in ready.targets.items() if within(limit, name, it.fabric)}
    return replace(ready, targets=part, lens=replace(ready.lens, targets=part))


def _refuse(ready: Deployment, names: Sequence[str]) -> None:
    """End the verb where a switch is not there, has a state in the intent, or has no other way."""
    from fabricgen.operate.deploy.batches.sizes import Refused
    from fabricgen.operate.deploy.maintenance import no_way, standing_still

    known = {it.name for fabric in ready.site.fabrics for it in fabric.topology.switches}
    if strangers := [name for name in names if name not in known]:
        what = f"no switch {strangers[0]!r} in this site"
        hint = hinted(ready.site, strangers[0], known)
        ended([Diagnostic(Code.NO_SUCH_OBJECT, what, hint=hint)], ready.read.source)
    if why := standing_still(ready.site, names):
        raise Refused(why)
    if outside := [name for name in names if name not in ready.targets]:
        raise Refused(f"{outside[0]} is not among the switches of --limit or of this lab")
    if why := no_way(ready.site, names):
        ended([Diagnostic(Code.NO_OTHER_WAY, why)], ready.read.source)


def _told(work: Work, target: Path | None, form: str, key: Path | None) -> int:
    """Say how they stand, what is left without them, and what is next, with its plan."""
    from fabricgen.cli.formats.plan import show

    machine = form == "json"
    for name in work.names:
        say(f"{name}: {_state(work, name)}", err=machine)
    here = [name for name in work.names if name in work.drained]
    part = here or work.turns[0]
    for turn in [part] if here else work.turns:
        say(_left(work, turn), err=machine, nl=False)
    if work.turns[1:]:
        say(f"one after the other: {work.one_by_one()}", err=machine)
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
    """Say how a switch stands: by the journal where a push was cut off, else by what it runs."""
    if work.cut is not None:
        again = f"`{BEGIN}`, `{END}` or `fabricgen resume` continues"
        return f"half-way: {_half(work.cut)}: {again}"
    if name in work.drained:
        return "drained: others take every other way"
    state = {"same": "active", "changes": "active, and not as rendered"}
    return state.get(work.states[name], f"not known: {work.states[name]}")


def _half(cut: CutOff) -> str:
    return f"{cut.push.id} of plan {cut.push.plan} was cut off"


def _left(work: Work, turn: Sequence[str]) -> str:
    """Return what servers keep while some switches are away, beside those that are already."""
    from fabricgen.cli.formats.failures import text
    from fabricgen.model.fabric.failures import Fails, Together
    from fabricgen.operate.deploy.maintenance import fabrics_of
    from fabricgen.prove.failures.across import lost_between
    from fabricgen.prove.failures.survey import Survey

    away = tuple(sorted(work.drained.union(turn)))
    site = work.ready.site
    gone = Together(kind=Fails.DOUBLE, name=" and ".join(away), switches=away, ports=())
    rows = {it.name: Survey(it).together([gone]) for it in fabrics_of(site, away)}
    table = text(rows, lost_between(site.fabrics, gone), [])
    return f"while {gone.name} {'is' if len(away) == 1 else 'are'} away:\n{table}"
