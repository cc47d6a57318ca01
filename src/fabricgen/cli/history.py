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
from fabricgen.cli.switch_options import journal_option

if TYPE_CHECKING:
    from fabricgen.operate.deploy.journal.journal import Journal
    from fabricgen.operate.deploy.journal.records import Push

_MOST = 20
_PUSH = re.compile(r"push-[0-9a-f]+")


@define_verb("history", examples=("history intent/full --last 5", "history push-7d102dd94f"))
@click.argument("words", nargs=-1, metavar="[SITE] [PUSH-ID]", shell_complete=complete_sites)
@journal_option
@click.option(
    "--last",
    "most",
    metavar="N",
    type=click.IntRange(min=1),
    help="Number of the newest pushes. Default: 20, or all with --format jsonl.",
)
@form_option(
    "text", "json", "jsonl", text="Output format. jsonl: one line per push, signature and step."
)
def command(words: tuple[str, ...], journal: str | None, most: int | None, form: str) -> int:
    """List pushes and their results.

    With PUSH-ID, show each switch of one push. SITE is a folder, by default the current one. With
    --journal, SITE may also be the name of a site.
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
            if form == "jsonl":
                return _audited(kept, site_name(site) if journal else None, push, most)
            if push is not None:
                return _one(kept, push, form)
            return _all(kept, site_name(site) if journal else None, most or _MOST, form)
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


def _all(journal: Journal, site: str | None, most: int, form: str) -> int:
    from fabricgen.cli.formats.history import behind_text, pushes_data, pushes_text

    pushes = journal.history(site, limit=most)
    tally = journal.tally(push.id for push in pushes)
    since = pushes[-1].started if len(pushes) == most else None
    taken = [row for row in journal.takeovers(site) if since is None or row.at >= since]
    behind = journal.behind(site)
    text = pushes_text(pushes, tally, taken, paint=colored(sys.stdout)) + behind_text(behind)
    return _printed(pushes_data(pushes, tally, taken, behind), text, form)


def _one(journal: Journal, identity: str, form: str) -> int:
    from fabricgen.cli.formats.history import push_data, push_text

    push, signed = _push(journal, identity), journal.signed(identity)
    states = journal.states(identity).values()
    text = push_text(push, signed, states, paint=colored(sys.stdout))
    return _printed(push_data(push, signed, journal.steps(identity)), text, form)


def _printed(data: dict[str, Any], text: str, form: str) -> int:
    say(document(data) if form == "json" else text, nl=False, finished=True)
    return 0
