"""Implements `fabricgen rollback --from-switches`, which needs no intent, journal or inventory.

It needs only the login options and the checkpoints on the switches.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from fabricgen.cli.execute_plan import run
from fabricgen.cli.formats.document import document
from fabricgen.cli.notifications import Reached
from fabricgen.cli.output import compiled, ended
from fabricgen.cli.plain import clean, say
from fabricgen.cli.push import concluded
from fabricgen.cli.switch_connections import UNREACHED, fleet_in, lab_of, narrowed, secrets_of
from fabricgen.core.units import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fabricgen.cli.switch_options import PushOptions, SiteSelection
    from fabricgen.nos.driver import Kept
    from fabricgen.operate.deploy.fleet import Fleet, Outcome
    from fabricgen.operate.deploy.from_switches import Seen
    from fabricgen.operate.deploy.targets import Target

_NAMED = re.compile(r"(?P<name>[^=@\s]+)=(?P<platform>[^=@\s]+)@(?P<address>[^=@\s]+)")


def listed(
    asked: SiteSelection, switches: tuple[str, ...], manner: PushOptions, *, rebuild: bool
) -> int:
    """Print which plans switches can go back before; write them into a journal that lost them."""
    from fabricgen.operate.deploy.from_switches import by_plan

    reached, names = _reached(asked, switches, manner)
    site, fleet = reached.site, reached.fleet
    answers = _kept(fleet, names)
    fleet.close(names)
    plans = by_plan(answers)
    rows: list[dict[str, Any]] = [
        {"plan": plan, "when": _time(kept.when), "switches": kept.switches}
        for plan, kept in sorted(plans.items(), key=lambda item: item[1].when or 0)
    ]
    if manner.form == "json":
        say(document({"kept": rows}), nl=False)
    else:
        for row in rows:
            say(f"before plan {row['plan']}, {row['when']}: {', '.join(row['switches'])}")
        every = counted(len(plans), "plan")
        say(f"{len(answers)} of {len(names)} switches answered; they keep {every}")
    if rebuild:
        lost = _rebuilt(asked, site, answers)
        say(f"{len(lost)} of them were written into the journal", err=True)
    return 0 if len(answers) == len(names) else UNREACHED


def _rebuilt(asked: SiteSelection, site: str, answers: Mapping[str, tuple[Kept, ...]]) -> list[str]:
    from fabricgen.operate.deploy.from_switches import rebuilt
    from fabricgen.operate.deploy.plan.make import operator

    with asked.open_journal() as journal:
        return rebuilt(journal, site, operator(), answers)


def _time(when: float | None) -> str:
    return "no time said" if when is None else f"{datetime.fromtimestamp(when, UTC):%F %H:%M} UTC"


def given_back(
    plan: str,
    asked: SiteSelection,
    switches: tuple[str, ...],
    manner: PushOptions,
    *,
    yes: bool,
    reload: bool,
) -> int:
    """Show what going back before a plan changes, ask, and go back: one switch after the other."""
    from fabricgen.cli.authorization import to_go_back
    from fabricgen.operate.deploy.from_switches import seen
    from fabricgen.operate.deploy.plan.document import fresh_id
    from fabricgen.operate.deploy.push.change import BackAsSeen, RestoreChange

    reached, names = _reached(asked, switches, manner)
    fleet = reached.fleet
    leave = to_go_back(plan, reached.site, asked, manner, reached.read)
    answers = _kept(fleet, names)
    having = [name for name, kept in answers.items() if plan in {each.plan for each in kept}]
    if not having:
        lists = "`rollback SITE --from-switches` lists what they keep"
        raise click.ClickException(f"no switch keeps what ran before plan {plan}; {lists}")
    back = RestoreChange(id=fresh_id(), undoes=plan, after={}, reload=reload)
    looks = _values(seen(fleet, having, back))
    whole = len(answers) == len(names) and len(looks) == len(having)
    for name, each in looks.items():
        say(_shown(name, each), err=manner.form == "json")
    todo = {name: each for name, each in looks.items() if each.diff or each.cut_off}
    if todo and not yes:
        them = counted(len(todo), "switch")
        click.confirm(f"give {them} back what is shown?", abort=True, err=True)
    if not todo:
        if looks:
            them = counted(len(looks), "switch")
            say(f"nothing to give back: what ran before {plan} runs on {them}")
        return 0 if whole else UNREACHED
    change = BackAsSeen(
        id=back.id,
        undoes=plan,
        after={name: each.running for name, each in todo.items()},
        seen={name: each.diff for name, each in todo.items()},
        reload=reload,
    )
    dead = frozenset(each.cut_off for each in todo.values() if each.cut_off)
    alone = [(name,) for name in sorted(todo)]
    outcome = run(reached, asked, manner, change, alone, lambda *_: (), leave, dead)
    code = concluded(outcome, manner.form)
    return code or (0 if whole else UNREACHED)


def _reached(
    asked: SiteSelection, switches: tuple[str, ...], manner: PushOptions
) -> tuple[Reached, dict[str, Target]]:
    """Return the switches, of what compiles of the site, and named by hand."""
    from fabricgen.core.diagnostics import Code
    from fabricgen.operate.deploy.inventory.files import read_inventory
    from fabricgen.operate.deploy.targets import targets_of

    lab = lab_of(asked.lab)
    result = compiled(asked.site, lab.lifted if lab else None)[1]
    site = result.site if result.ok else None
    everything = targets_of(site) if site else {}
    if lab:
        everything = lab.part(everything)
    everything |= {target.name: target for target in map(_named, switches)}
    if not everything:
        raise click.ClickException(
            "the intent has errors and names no switch: --switch NAME=PLATFORM@ADDRESS does"
        )
    read = read_inventory(asked.inventory, everything)
    if wrong := [each for each in read.findings if each.code is not Code.UNKNOWN_REFERENCE]:
        ended(wrong, read.source)
    targets = narrowed(everything, asked.limit)
    secrets = secrets_of(None, read, asked.site, needed=True)
    fleet = fleet_in(lab, targets, read, secrets, slowest=manner.timer)
    name = site.name if site else asked.site.resolve().name
    return Reached(name, fleet, read), targets


def _named(switch: str) -> Target:
    from fabricgen.nos.registry import platforms
    from fabricgen.operate.deploy.targets import Target

    match = _NAMED.fullmatch(switch)
    if match is None or match["platform"] not in platforms():
        known = ", ".join(platforms())
        raise click.UsageError(f"--switch {switch}: NAME=PLATFORM@ADDRESS, of {known}")
    name, platform, address = (match[word] for word in ("name", "platform", "address"))
    return Target(name=name, fabric="", platform=platform, address=address)


def _kept(fleet: Fleet, names: Iterable[str]) -> dict[str, tuple[Kept, ...]]:
    from fabricgen.operate.deploy.from_switches import kept

    return _values(kept(fleet, tuple(names)))


def _values(outcomes: Mapping[str, Outcome[Any]]) -> dict[str, Any]:
    """Return what switches answered; who did not is said."""
    for name, outcome in outcomes.items():
        if outcome.fault:
            say(f"{outcome.fault.value}: {name}: {clean(outcome.said)}", err=True)
    return {name: it.value for name, it in outcomes.items() if it.value is not None}


def _shown(name: str, seen: Seen) -> str:
    lines = [f"{name}: {'' if seen.diff or seen.cut_off else 'runs that already'}".rstrip(": ")]
    if seen.cut_off:
        lines.append(f"  a commit of plan {seen.cut_off} was cut off there: it is undone")
    if seen.later and seen.diff:
        lines.append(f"  what was brought there since goes, too: {', '.join(seen.later)}")
    return "\n".join([*lines, *(f"  {clean(line)}" for line in seen.diff.splitlines())])
