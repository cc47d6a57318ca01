"""Implements `fabricgen capabilities`, which lists the features of each platform and release."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

import click

from fabricgen.cli.formats.document import document
from fabricgen.cli.plain import console, say
from fabricgen.core.tables import markdown_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fabricgen.nos.features import Feature, Supported, Unsupported
    from fabricgen.nos.nos import Nos

    Column = tuple[Nos, tuple[str, ...]]

STAR = "\\*"
"""What marks a default, as Markdown spells it."""


@click.command("capabilities")
@click.option(
    "--format",
    "form",
    type=click.Choice(("text", "json", "markdown")),
    default="text",
    show_default=True,
    help="How to print.",
)
def command(form: str) -> int:
    """List what each platform and release can do, and in one sentence what it cannot."""
    from fabricgen.nos.registry import nos, platforms

    known = [nos(name) for name in platforms()]
    if form == "json":
        say(document(_as_data(known)), nl=False)
        return 0
    columns = [column for runs in known for column in _columns(runs)]
    if form == "markdown":
        say("\n".join(_markdown(known, columns)))
    else:
        heads = ("\n".join((runs.name, *_marked(runs, of))).rstrip() for runs, of in columns)
        _table("feature", heads, _rows(columns))
        if any(runs.releases for runs in known):
            say("* the release of a switch whose intent names none\n")
        say("\n".join(_gaps(known)))
        _table("beside them", (runs.name for runs in known), _act_rows(known))
        say("\n".join(_undone(known)))
    return 0


def _columns(runs: Nos) -> list[Column]:
    """Return the releases of a platform, neighbors with the same words in one column."""
    from fabricgen.nos.features import Feature

    words = {
        release: [runs.answer(feature, release).word for feature in Feature]
        for release in runs.releases or ("",)
    }
    return [(runs, tuple(alike)) for _, alike in groupby(words, key=words.__getitem__)]


def _as_data(known: list[Nos]) -> dict[str, Any]:
    """Return the document; a release stands beside the default where it answers otherwise."""
    from fabricgen.nos.features import Feature

    return {
        "releases": {
            runs.name: {"default": runs.release, "known": list(runs.releases)}
            for runs in known
            if runs.releases
        },
        "features": {
            feature.value: {runs.name: _entry(runs, feature) for runs in known}
            for feature in Feature
        },
        "acts": {runs.name: _acts(runs, known) for runs in known},
    }


def _entry(runs: Nos, feature: Feature) -> dict[str, Any]:
    usual = runs.answer(feature)
    others = {
        release: _spoken(answer)
        for release in runs.releases
        if (answer := runs.answer(feature, release)) != usual
    }
    return {**_spoken(usual), **({"releases": others} if others else {})}


def _spoken(answer: Supported | Unsupported) -> dict[str, Any]:
    from fabricgen.nos.features import Supported

    if isinstance(answer, Supported):
        part = {"but": answer.but} if answer.but else {}
        return {"supported": True, "said": answer.how, "section": answer.section, **part}
    return {"supported": False, "said": answer.why}


def _answers(known: list[Nos], feature: Feature) -> Iterator[tuple[str, Supported | Unsupported]]:
    """Yield each answer with who gives it: a platform, or those of its releases that agree."""
    for runs in known:
        agreeing: dict[Supported | Unsupported, list[str]] = {}
        for release in runs.releases or ("",):
            agreeing.setdefault(runs.answer(feature, release), []).append(release)
        for answer, releases in agreeing.items():
            everywhere = len(agreeing) == 1
            yield runs.name if everywhere else f"{runs.name} {', '.join(releases)}", answer


def _gaps(known: list[Nos]) -> Iterator[str]:
    from fabricgen.nos.features import Feature

    for feature in Feature:
        for who, answer in _answers(known, feature):
            if answer.lack:
                yield f"{who} {feature.value}: {answer.lack}"


def _acts(runs: Nos, known: list[Nos]) -> dict[str, dict[str, str]]:
    """Return by its name what is done beside the features of the intent."""
    from fabricgen.compile.reports.acts import acts

    return {
        each.name: {"word": each.word, "said": each.said, "by": each.by}
        for each in acts(runs, known)
    }


def _act_rows(known: list[Nos]) -> Iterator[list[str]]:
    told = [_acts(runs, known) for runs in known]
    yield from ([name, *(own[name]["word"] for own in told)] for name in told[0])


def _undone(known: list[Nos]) -> Iterator[str]:
    """Say of each act why it is not done, or in part."""
    for runs in known:
        for name, own in _acts(runs, known).items():
            if own["word"] in ("part", "no"):
                yield f"{runs.name} {name}: {own['said']}"


def _act_carriers(known: list[Nos]) -> Iterator[tuple[str, ...]]:
    """Yield a row of Markdown for each act: the file, the line or the driver's act that does it."""
    for runs in known:
        for name, own in _acts(runs, known).items():
            if own["by"]:
                yield name, runs.name, own["said"], own["by"]


def _markdown(known: list[Nos], columns: list[Column]) -> Iterator[str]:
    headings = [
        f"{runs.name} {', '.join(_marked(runs, releases, STAR))}".rstrip()
        for runs, releases in columns
    ]
    yield from markdown_table(("feature", *headings), _rows(columns))
    yield "\n\\* the release of a switch whose intent names none.\n"
    yield from markdown_table(("beside them", *(runs.name for runs in known)), _act_rows(known))
    yield ""
    yield from (f"- {gap}" for gap in (*_gaps(known), *_undone(known)))
    yield ""
    rows = (*_carriers(known), *_act_carriers(known))
    yield from markdown_table(("feature", "platform", "becomes", "carried by"), rows)


def _carriers(known: list[Nos]) -> Iterator[tuple[str, ...]]:
    """Yield a row of Markdown for each claim: the section of a file that carries it."""
    from fabricgen.nos.features import Feature, Supported

    for feature in Feature:
        for who, answer in _answers(known, feature):
            if isinstance(answer, Supported):
                cells = (part.replace("|", "\\|") for part in (answer.how, answer.section))
                yield feature.value, who, *cells


def _rows(columns: list[Column]) -> Iterator[list[str]]:
    from fabricgen.nos.features import Feature

    for feature in Feature:
        answers = (runs.answer(feature, releases[0]) for runs, releases in columns)
        yield [feature.value, *(answer.word for answer in answers)]


def _marked(runs: Nos, releases: tuple[str, ...], sign: str = "*") -> list[str]:
    """Return names of releases, with a sign at the default."""
    return [f"{each}{sign if each and each == runs.release else ''}" for each in releases]


def _table(heading: str, columns: Iterable[str], rows: Iterable[list[str]]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(heading, box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for column in columns:
        table.add_column(column)
    for row in rows:
        table.add_row(*row)
    console().print(table)
