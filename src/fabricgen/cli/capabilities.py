"""Implements `fabricgen capabilities`, which lists the features of each platform and release."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from fabricgen.cli.formats.document import document
from fabricgen.cli.help import define_verb
from fabricgen.cli.output import form_option
from fabricgen.cli.plain import console, say
from fabricgen.core.tables import markdown_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fabricgen.nos.features import Feature, Supported, Unsupported
    from fabricgen.nos.nos import Nos

    Column = tuple[Nos, tuple[str, ...]]

STAR = "\\*"
"""The mark of a default in Markdown."""
_DEFAULT_RELEASE = "default release of a switch without `release` in the intent"


@define_verb("capabilities", examples=("capabilities", "capabilities --format markdown"))
@form_option("text", "json", "markdown")
def command(form: str) -> int:
    """List supported features by platform and release.

    A sentence below the table explains each feature that is missing or incomplete.
    """
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
            say(f"* {_DEFAULT_RELEASE}\n")
        say("\n".join(_gaps(known)))
        _table("other operations", (runs.name for runs in known), _act_rows(known))
        say("\n".join(_undone(known)))
    return 0


def _columns(runs: Nos) -> list[Column]:
    """Return the columns of a platform. Consecutive releases with equal answers share one."""
    from fabricgen.nos.features import Feature

    words = {
        release: [runs.answer(feature, release).word for feature in Feature]
        for release in runs.releases or ("",)
    }
    return [(runs, tuple(alike)) for _, alike in groupby(words, key=words.__getitem__)]


def _as_data(known: list[Nos]) -> dict[str, Any]:
    """Return the document. It lists a release where its answer differs from the default."""
    from fabricgen.nos.features import Feature

    return {
        "releases": {
            runs.name: {
                "default": runs.release,
                "known": list(runs.releases),
                **({"images": list(runs.images)} if runs.images else {}),
            }
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
    images = {word: _spoken(told[feature]) for word, told in runs.images.items() if feature in told}
    return {
        **_spoken(usual),
        **({"releases": others} if others else {}),
        **({"images": images} if images else {}),
    }


def _spoken(answer: Supported | Unsupported) -> dict[str, Any]:
    from fabricgen.nos.features import Supported

    if isinstance(answer, Supported):
        part = {"but": answer.but} if answer.but else {}
        return {"supported": True, "said": answer.how, "section": answer.section, **part}
    return {"supported": False, "said": answer.why}


def _answers(known: list[Nos], feature: Feature) -> Iterator[tuple[str, Supported | Unsupported]]:
    """Yield each answer with its platform, or with the releases or images that share the answer."""
    for runs in known:
        agreeing: dict[Supported | Unsupported, list[str]] = {}
        for release in runs.releases or ("",):
            agreeing.setdefault(runs.answer(feature, release), []).append(release)
        for answer, releases in agreeing.items():
            everywhere = len(agreeing) == 1
            yield runs.name if everywhere else f"{runs.name} {', '.join(releases)}", answer
        of_images: dict[Supported | Unsupported, list[str]] = {}
        for word, told in runs.images.items():
            if feature in told:
                of_images.setdefault(told[feature], []).append(f"+{word}")
        yield from (
            (f"{runs.name} {', '.join(words)}", answer) for answer, words in of_images.items()
        )


def _gaps(known: list[Nos]) -> Iterator[str]:
    from fabricgen.nos.features import Feature

    for feature in Feature:
        for who, answer in _answers(known, feature):
            if answer.lack:
                yield f"{who} {feature.value}: {answer.lack}"


def _acts(runs: Nos, known: list[Nos]) -> dict[str, dict[str, str]]:
    """Return the operations that no intent feature covers, by name."""
    from fabricgen.compile.reports.acts import acts

    return {
        act.name: {"word": act.word, "said": act.said, "by": act.by} for act in acts(runs, known)
    }


def _act_rows(known: list[Nos]) -> Iterator[list[str]]:
    platforms = [_acts(runs, known) for runs in known]
    yield from ([name, *(acts[name]["word"] for acts in platforms)] for name in platforms[0])


def _undone(known: list[Nos]) -> Iterator[str]:
    """Explain each operation that a platform lacks or has in part."""
    for runs in known:
        for name, act in _acts(runs, known).items():
            if act["word"] in ("part", "no"):
                yield f"{runs.name} {name}: {act['said']}"


def _act_carriers(known: list[Nos]) -> Iterator[tuple[str, ...]]:
    """Yield a Markdown row for each operation: its file, line or driver method."""
    for runs in known:
        for name, act in _acts(runs, known).items():
            if act["by"]:
                yield name, runs.name, act["said"], act["by"]


def _markdown(known: list[Nos], columns: list[Column]) -> Iterator[str]:
    headings = [
        f"{runs.name} {', '.join(_marked(runs, releases, STAR))}".rstrip()
        for runs, releases in columns
    ]
    yield from markdown_table(("feature", *headings), _rows(columns))
    yield f"\n{STAR} {_DEFAULT_RELEASE}.\n"
    yield from markdown_table(
        ("other operations", *(runs.name for runs in known)), _act_rows(known)
    )
    yield ""
    yield from (f"- {gap}" for gap in (*_gaps(known), *_undone(known)))
    yield ""
    rows = (*_carriers(known), *_act_carriers(known))
    yield from markdown_table(("feature", "platform", "becomes", "carried by"), rows)


def _carriers(known: list[Nos]) -> Iterator[tuple[str, ...]]:
    """Yield a Markdown row for each feature: the section of a file that implements it."""
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
    """Return names of releases, with a sign after the default."""
    return [f"{name}{sign if name and name == runs.release else ''}" for name in releases]


def _table(heading: str, columns: Iterable[str], rows: Iterable[list[str]]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(heading, box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for column in columns:
        table.add_column(column)
    for row in rows:
        table.add_row(*row)
    console().print(table)
