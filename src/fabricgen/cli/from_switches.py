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
from fabricgen.cli.output import compiled, confirm, ended
from fabricgen.cli.plain import say
from fabricgen.cli.push import concluded
from fabricgen.cli.switch_connections import UNREACHED, fleet_in, lab_of, narrowed, secrets_of
from fabricgen.core.plain_text import clean
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
    """Print the plans that switches have checkpoints of. Write them to a journal that lost them."""
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
        total = counted(len(plans), "plan")
        say(f"{len(answers)} of {len(names)} switches answered; checkpoints of {total}")
    if rebuild:
        lost = _rebuilt(asked, site, answers)
        say(f"wrote {counted(len(lost), 'plan')} to the journal", err=True)
    return 0 if len(answers) == len(names) else UNREACHED


def _rebuilt(asked: SiteSelection, site: str, answers: Mapping[str, tuple[Kept, ...]]) -> list[str]:
    from fabricgen.operate.deploy.from_switches import rebuilt
    from fabricgen.operate.deploy.plan.make import operator

    with asked.open_journal() as journal:
        return rebuilt(journal, site, operator(), answers)


def _time(when: float | None) -> str:
    return "time unknown" if when is None else f"{datetime.fromtimestamp(when, UTC):%F %H:%M} UTC"


def given_back(
    plan: str,
    asked: SiteSelection,
    switches: tuple[str, ...],
    manner: PushOptions,
    *,
    yes: bool,
    reload: bool,
) -> int:
    """Show the changes of a rollback, ask, and restore one switch after the other."""
    from fabricgen.cli.authorization import to_go_back
    from fabricgen.operate.deploy.from_switches import seen
    from fabricgen.operate.deploy.plan.document import fresh_id
    from fabricgen.operate.deploy.push.change import BackAsSeen, RestoreChange

    reached, names = _reached(asked, switches, manner)
    fleet = reached.fleet
    leave = to_go_back(plan, reached.site, asked, manner, reached.read)
    answers = _kept(fleet, names)
    having = [name for name, kept in answers.items() if plan in {copy.plan for copy in kept}]
    if not having:
        lists = "`fabricgen rollback SITE --from-switches` lists all checkpoints"
        raise click.ClickException(f"no switch has a checkpoint from before plan {plan}; {lists}")
    back = RestoreChange(id=fresh_id(), undoes=plan, after={}, reload=reload)
    looks = _values(seen(fleet, having, back))
    whole = len(answers) == len(names) and len(looks) == len(having)
    for name, look in looks.items():
        say(_shown(name, look), err=manner.form == "json")
    todo = {name: look for name, look in looks.items() if look.diff or look.cut_off}
    if todo and not yes:
        confirm(f"restore the configuration shown above on {counted(len(todo), 'switch')}?")
    if not todo:
        if looks:
            switches_done = counted(len(looks), "switch")
            say(f"nothing to restore: {switches_done} already run the configuration before {plan}")
        return 0 if whole else UNREACHED
    change = BackAsSeen(
        id=back.id,
        undoes=plan,
        after={name: look.running for name, look in todo.items()},
        seen={name: look.diff for name, look in todo.items()},
        reload=reload,
    )
    dead = frozenset(look.cut_off for look in todo.values() if look.cut_off)
    alone = [(name,) for name in sorted(todo)]
    outcome = run(reached, asked, manner, change, alone, lambda *_: (), leave, dead)
    code = concluded(outcome, manner.form)
    return code or (0 if whole else UNREACHED)


def _reached(
    asked: SiteSelection, switches: tuple[str, ...], manner: PushOptions
) -> tuple[Reached, dict[str, Target]]:
    """Return the switches of the site, if it compiles, and of --switch."""
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
            "the intent has errors: name the switches by --switch NAME=PLATFORM@ADDRESS"
        )
    read = read_inventory(asked.inventory, everything)
    if errors := [found for found in read.findings if found.code is not Code.UNKNOWN_REFERENCE]:
        ended(errors, read.source)
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
        raise click.UsageError(
            f"invalid --switch {switch!r}: use NAME=PLATFORM@ADDRESS; platforms: {known}"
        )
    name, platform, address = (match[word] for word in ("name", "platform", "address"))
    return Target(name=name, fabric="", platform=platform, address=address)


def _kept(fleet: Fleet, names: Iterable[str]) -> dict[str, tuple[Kept, ...]]:
    from fabricgen.operate.deploy.from_switches import kept

    return _values(kept(fleet, tuple(names)))


def _values(outcomes: Mapping[str, Outcome[Any]]) -> dict[str, Any]:
    """Return the answers of switches. Print the failure of each other switch."""
    for name, outcome in outcomes.items():
        if outcome.fault:
            say(f"{outcome.fault.value}: {name}: {clean(outcome.said)}", err=True)
    return {name: it.value for name, it in outcomes.items() if it.value is not None}


def _shown(name: str, seen: Seen) -> str:
    lines = [f"{name}: {'' if seen.diff or seen.cut_off else 'already restored'}".rstrip(": ")]
    if seen.cut_off:
        lines.append(f"  undoes the interrupted commit of plan {seen.cut_off}")
    if seen.later and seen.diff:
        lines.append(f"  also removes the changes of later plans: {', '.join(seen.later)}")
    return "\n".join([*lines, *(f"  {clean(line)}" for line in seen.diff.splitlines())])
