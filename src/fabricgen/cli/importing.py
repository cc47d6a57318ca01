"""Implements `fabricgen import FOLDER -o SITE`, which creates an intent of a network."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fabricgen.cli.candidates import complete_switch_models
from fabricgen.cli.output import Platforms, force_option, output_option, print_findings
from fabricgen.cli.plain import say
from fabricgen.core.diagnostics import Code, Diagnostic, Failure, has_errors

if TYPE_CHECKING:
    from fabricgen.importer.adopted import Outcome
    from fabricgen.importer.fit import ImportResult


class Model(click.ParamType[Any]):
    """NAME=PATTERN, or NAME alone for all switches."""

    name = "model"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        """Refuse what the catalog does not have."""
        from fabricgen.core.diagnostics import did_you_mean_model
        from fabricgen.model.catalog.catalog import SHIPPED

        name, _, pattern = str(value).partition("=")
        if SHIPPED.switch(name) is None:
            near = did_you_mean_model(name, SHIPPED.switch_names())
            self.fail(f"no model {name!r}; {near}", param, ctx)
        return name, pattern or "*"


@click.command("import")
@click.argument(
    "places", type=click.Path(path_type=Path), metavar="FOLDER…", nargs=-1, required=True
)
@output_option("SITE", "The folder that the intent is written to.")
@click.option(
    "--inventory",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Devices, cables and VLANs: NetBox exports, CSV, LLDP.",
)
@click.option(
    "--model",
    "models",
    type=Model(),
    multiple=True,
    metavar="NAME[=PATTERN]",
    shell_complete=complete_switch_models,
    help="The model of the switches of that name pattern, or of all; the first that fits.",
)
@click.option(
    "--as",
    "platform",
    type=Platforms(),
    metavar="OS",
    help="What all files are of, where it cannot be told from them.",
)
@click.option("--verbose", is_flag=True, help="List everything that remains.")
@click.option(
    "--format",
    "form",
    type=click.Choice(("text", "json", "markdown")),
    default="text",
    show_default=True,
    help="How to print.",
)
@force_option
def command(
    *,
    places: tuple[Path, ...],
    target: Path,
    inventory: Path | None,
    models: tuple[tuple[str, str], ...],
    platform: str | None,
    verbose: bool,
    form: str,
    force: bool,
) -> int:
    """Create an intent in SITE that renders to the configurations of FOLDER.

    A setting without a key becomes an override or custom config. The report lists all other lines
    with a reason. Exit code 1 if a file cannot be read or the intent has errors.
    """
    from fabricgen.compile.output.exchange import write_fresh
    from fabricgen.importer.adopted import adopt
    from fabricgen.intent.source import SourceMap

    _free(target, force=force)
    try:
        outcome = adopt(places, inventory=inventory, platform=platform, models=models, tell=_tell)
    except OSError as error:
        why = f"{error.filename or places[0]} cannot be read: {error.strerror}"
        raise Failure(Diagnostic(Code.CONFIG_UNREADABLE, why)) from None
    if outcome.findings:
        print_findings(outcome.findings, SourceMap(), err=True)
    if outcome.adopted is None:
        return 1
    _tell("rendering it")
    outcome = replace(outcome, adopted=_rendered(outcome.adopted))
    if force and target.exists():
        shutil.rmtree(target)
    write_fresh(target, outcome.files)
    _report(outcome, target, form, whole=verbose)
    assert outcome.adopted is not None
    return 0 if outcome.adopted.compiles and not has_errors(outcome.findings) else 1


def _rendered(adopted: ImportResult) -> ImportResult:
    """Return it with what `render` refuses. What has errors by `check` is not rendered."""
    from fabricgen.cli.proof import read_back
    from fabricgen.compile.compiler import designed
    from fabricgen.importer.tree import loaded

    site = designed(loaded(adopted.tree)).site
    if not adopted.compiles or site is None:
        return adopted
    try:
        found = [each for examined in read_back(site) for each in examined.findings]
    except Failure as failure:
        found = [failure.diagnostic]
    refused = (each for each in found if has_errors([each]))
    return replace(adopted, findings=(*adopted.findings, *refused))


def _free(target: Path, *, force: bool) -> None:
    """Refuse a folder that holds anything; with force, one that holds more than an intent."""
    from fabricgen.compile.output.existing_tree import Refused

    if not target.exists() or (target.is_dir() and not any(target.iterdir())):
        return
    if not force:
        raise Refused(f"{target} is not an empty folder", "name a new folder, or use --force")
    strange = [each for each in target.rglob("*") if each.is_file() and each.suffix != ".yaml"]
    if not target.is_dir() or strange:
        which = strange[0] if strange else target
        raise Refused(f"{which} is none of an intent", "move it out; the folder is replaced")


def _tell(what: str) -> None:
    """Say on stderr what is being done; stdout is for the report."""
    say(f"{what} …", err=True)


def _report(outcome: Outcome, target: Path, form: str, *, whole: bool) -> None:
    from fabricgen.cli.formats.document import document
    from fabricgen.cli.formats.import_report import data, text
    from fabricgen.intent.source import SourceMap

    if form == "json":
        say(document(data(outcome)), nl=False)
    else:
        say(text(outcome, str(target), whole=whole, markdown=form == "markdown"), nl=False)
    assert outcome.adopted is not None
    if not outcome.adopted.compiles:
        wrong = [each for each in outcome.adopted.findings if has_errors([each])]
        print_findings(wrong, SourceMap(), err=True)
