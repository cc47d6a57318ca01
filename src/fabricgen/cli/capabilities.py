"""`fabricgen capabilities`: features by platform, read from the code."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from fabricgen.cli.formats.document import document
from fabricgen.cli.saying import coloured

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fabricgen.nos.features import Supported, Unsupported


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
    """List what each platform can do, and in one sentence what it cannot."""
    from fabricgen.nos.features import Feature
    from fabricgen.nos.registry import nos, platforms

    known = [nos(name) for name in platforms()]
    rows = {feature.value: {p.name: p.answer(feature) for p in known} for feature in Feature}
    if form == "json":
        features = {
            name: {platform: _as_data(answer) for platform, answer in answers.items()}
            for name, answers in rows.items()
        }
        click.echo(document({"features": features}), nl=False)
        return 0
    names = [platform.name for platform in known]
    cells = [[name, *(answers[p].word for p in names)] for name, answers in rows.items()]
    gaps = [
        f"{p} {name}: {answer.lack}"
        for name, answers in rows.items()
        for p, answer in answers.items()
        if answer.lack
    ]
    if form == "markdown":
        click.echo("| feature | " + " | ".join(names) + " |\n|--" + "|--" * len(names) + "|")
        click.echo("\n".join("| " + " | ".join(row) + " |" for row in cells))
        click.echo("\n" + "\n".join(f"- {gap}" for gap in gaps))
        click.echo("\n| feature | platform | becomes | carried by |\n|--|--|--|--|")
        click.echo("\n".join(_carriers(rows)))
        return 0
    _table(names, cells)
    click.echo("\n".join(gaps))
    return 0


def _as_data(answer: Supported | Unsupported) -> dict[str, object]:
    from fabricgen.nos.features import Supported

    if isinstance(answer, Supported):
        part = {"but": answer.but} if answer.but else {}
        return {"supported": True, "said": answer.how, "section": answer.section, **part}
    return {"supported": False, "said": answer.why}


def _carriers(rows: Mapping[str, Mapping[str, Supported | Unsupported]]) -> Iterator[str]:
    """Yield a row of Markdown for each claim: the section of a file that carries it."""
    from fabricgen.nos.features import Unsupported

    for name, answers in rows.items():
        for platform, answer in answers.items():
            if not isinstance(answer, Unsupported):
                cells = (part.replace("|", "\\|") for part in (answer.how, answer.section))
                yield f"| {name} | {platform} | {' | '.join(cells)} |"


def _table(names: list[str], cells: list[list[str]]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    table = Table("feature", *names, box=SIMPLE_HEAD)
    for row in cells:
        table.add_row(*row)
    Console(highlight=False, no_color=not coloured(sys.stdout)).print(table)
