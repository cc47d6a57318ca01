"""Implements `fabricgen history SITE`, which lists the pushes of a site and their results."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fabricgen.cli.candidates import complete_sites
from fabricgen.cli.formats.document import document
from fabricgen.cli.help import define_verb
from fabricgen.cli.output import form_option
from fabricgen.cli.plain import colored, say
from fabricgen.cli.state_history import StateOptions, show_states, state_options
from fabricgen.cli.switch_options import journal_option
from fabricgen.core.plain_text import clean

if TYPE_CHECKING:
    from fabricgen.operate.deploy.journal.journal import Journal
    from fabricgen.operate.deploy.journal.records import Push

_MOST = 20
_PUSH = re.compile(r"push-[0-9a-f]+")


@define_verb(
    "history",
    examples=(
        "history intent/full --last 5",
        "history intent/full --switch be-su01-leaf1 --since 2d",
    ),
)
@click.argument("words", nargs=-1, metavar="[SITE] [PUSH-ID]", shell_complete=complete_sites)
@journal_option
@click.option(
    "--last",
    "most",
    metavar="N",
    type=click.IntRange(min=1),
    help="Number of the newest pushes. Default: 20, or all with --format jsonl.",
)
@click.option("--changes", is_flag=True, help="Also show the effects of each push.")
@state_options
@form_option(
    "text", "json", "jsonl", text="Output format. jsonl: one line per push, signature and step."
)
def command(
    *,
    words: tuple[str, ...],
    journal: str | None,
    most: int | None,
    changes: bool,
    states: StateOptions,
    form: str,
) -> int:
    """List pushes and their results.

    With PUSH-ID, show each switch of one push. With --switch, show its stored changes. SITE is a
    folder, by default the current one. With --journal, SITE may also be the name of a site.
    """
    try:
        from fabricgen.operate.deploy.journal.journal import Journal, journal_of
        from fabricgen.operate.deploy.journal.records import JournalFailure, NoJournal
    except ModuleNotFoundError as missing:
        raise click.ClickException(
            f"missing package {missing.name}: run pip install '.[deploy]'"
        ) from None
    site, push = site_and_push(words)
    if journal is None and not Path(site or ".").is_dir():
        raise click.ClickException(f"{site} is not a folder; the name of a site needs --journal")
    try:
        with Journal.open(journal or journal_of(Path(site or ".")), make=False) as kept:
            if states.chosen:
                return show_states(kept, site_name(site or ".") or "", states, form)
            if form == "jsonl":
                return _audited(kept, site_name(site) if journal else None, push, most)
            if push is not None:
                return _one(kept, push, form, changes=changes)
            name = site_name(site) if journal else None
            return _all(kept, name, most or _MOST, form, changes=changes)
    except NoJournal as none:
        say(none, err=True)
        return _printed({"pushes": [], "takeovers": [], "behind": []}, "", form)
    except JournalFailure as failure:
        raise click.ClickException(str(failure)) from None


def _audited(journal: Journal, site: str | None, push: str | None, most: int | None) -> int:
    """Print all records of the journal or of one push as lines of JSON."""
    from fabricgen.cli.formats.history import audit_lines

    pushes = journal.history(site, limit=most) if push is None else [_push(journal, push)]
    taken = journal.takeovers(site) if push is None and most is None else []
    for line in audit_lines(journal, pushes, taken):
        say(line, nl=False, finished=True)
    return 0


def _push(journal: Journal, identity: str) -> Push:
    push = journal.push(identity)
    if push is None:
        raise click.ClickException(f"no push {identity} in the journal {journal.name}")
    return push


def site_and_push(words: tuple[str, ...]) -> tuple[str | None, str | None]:
    """Return the site and the push id of the arguments. ./push-1 is a folder, push-1 an id."""
    pushes = [word for word in words if _PUSH.fullmatch(word)]
    sites = [word for word in words if not _PUSH.fullmatch(word)]
    if len(pushes) > 1 or len(sites) > 1:
        raise click.UsageError("too many arguments: give at most one SITE and one PUSH-ID")
    return next(iter(sites), None), next(iter(pushes), None)


def site_name(site: str | None) -> str | None:
    """Return the name of a site, which is given by its folder or its name."""
    if site is None or not Path(site).is_dir():
        return site
    from fabricgen.core.diagnostics import has_errors
    from fabricgen.intent.load import load_site

    loaded = load_site(Path(site))
    if loaded.intent is None or has_errors(loaded.findings):
        raise click.ClickException(
            f"{site} has errors: run `fabricgen check {site}`, or give the name of the site"
        )
    return loaded.intent.site.name


def _effects(journal: Journal, push: Push) -> list[str]:
    """Return the effects of a push as its review words them."""
    from fabricgen.api.review_words import effect, risk
    from fabricgen.core.diagnostics import has_errors
    from fabricgen.review.build import review
    from fabricgen.review.pushes import pair_of_push

    sides = pair_of_push(journal, push.id)
    if any(has_errors(side.findings) for side in sides):
        return [finding.message for side in sides[:1] for finding in side.findings]
    found = review(*sides)
    leading = [effect(each) for each in found.effects if not each.derived]
    unknown = [f"{name}: {why}" for name, why in sides[1].unknown.items()]
    return [risk(found), *leading, *unknown]


def _all(journal: Journal, site: str | None, most: int, form: str, *, changes: bool) -> int:
    from fabricgen.cli.formats.history import behind_text, pushes_data, pushes_text

    pushes = journal.history(site, limit=most)
    tally = journal.tally(push.id for push in pushes)
    since = pushes[-1].started if len(pushes) == most else None
    taken = [row for row in journal.takeovers(site) if since is None or row.at >= since]
    behind = journal.behind(site)
    text = pushes_text(pushes, tally, taken, paint=colored(sys.stdout)) + behind_text(behind)
    data = pushes_data(pushes, tally, taken, behind)
    if changes:
        effects = {push.id: _effects(journal, push) for push in pushes}
        data["effects"] = effects
        text += "".join(_effects_text(name, lines) for name, lines in effects.items())
    return _printed(data, text, form)


def _effects_text(push: str, effects: list[str]) -> str:
    return "\n".join([f"\n{push}", *(clean(f"  {line}") for line in effects)]) + "\n"


def _one(journal: Journal, identity: str, form: str, *, changes: bool) -> int:
    from fabricgen.cli.formats.history import push_data, push_text

    push, signed = _push(journal, identity), journal.signed(identity)
    states = journal.states(identity).values()
    text = push_text(push, signed, states, paint=colored(sys.stdout))
    data = push_data(push, signed, journal.steps(identity))
    if changes:
        effects = _effects(journal, push)
        data["effects"], text = effects, text + _effects_text(identity, effects)
    return _printed(data, text, form)


def _printed(data: dict[str, Any], text: str, form: str) -> int:
    say(document(data) if form == "json" else text, nl=False, finished=True)
    return 0
