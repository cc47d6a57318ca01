"""Implements `fabricgen import FOLDER -o SITE`, which creates an intent from a network."""

from __future__ import annotations

import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fabricgen.api import is_installed
from fabricgen.cli.candidates import complete_switch_models
from fabricgen.cli.help import define_verb
from fabricgen.cli.output import (
    force_option,
    form_option,
    output_option,
    platform_option,
    print_findings,
)
from fabricgen.cli.plain import say
from fabricgen.core.diagnostics import Code, Diagnostic, Failure, has_errors
from fabricgen.core.progress import stage, watcher

if TYPE_CHECKING:
    from fabricgen.core.progress import Stage
    from fabricgen.importer.adopted import Outcome
    from fabricgen.importer.fit import ImportResult
    from fabricgen.importer.inventory.observed import SwitchState


class Model(click.ParamType[Any]):
    """NAME=PATTERN, or NAME alone for all switches."""

    name = "model"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        """Split the value. Refuse a model that the catalog does not have."""
        from fabricgen.core.diagnostics import did_you_mean_model
        from fabricgen.model.catalog.catalog import SHIPPED

        name, _, pattern = str(value).partition("=")
        if SHIPPED.switch(name) is None:
            near = did_you_mean_model(name, SHIPPED.switch_names())
            self.fail(f"unknown model {name!r}; {near}", param, ctx)
        return name, pattern or "*"


@define_verb(
    "import",
    examples=(
        "import rendered -o imported",
        "import rendered -o imported --inventory netbox --force",
    ),
    sections={"Network": ("--inventory", "--state", "--model", "--as")},
)
@click.argument(
    "places", type=click.Path(path_type=Path), metavar="FOLDER…", nargs=-1, required=True
)
@output_option("SITE", "Folder of the new intent.")
@click.option(
    "--inventory",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder with devices, cables and VLANs: NetBox exports, CSV or LLDP.",
)
@click.option(
    "--state",
    "state",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder or tarball of `verify --record`: LLDP, models and serial numbers.",
)
@click.option(
    "--model",
    "models",
    type=Model(),
    multiple=True,
    metavar="NAME[=PATTERN]",
    shell_complete=complete_switch_models,
    help="Model of the switches whose name matches, or of all; the first match wins.",
)
@platform_option
@click.option("--verbose", is_flag=True, help="List every line that remains.")
@form_option("text", "json", "markdown")
@force_option
def command(
    *,
    places: tuple[Path, ...],
    target: Path,
    inventory: Path | None,
    state: Path | None,
    models: tuple[tuple[str, str], ...],
    platform: str | None,
    verbose: bool,
    form: str,
    force: bool,
) -> int:
    """Create an intent from an existing network.

    The intent in SITE renders to the configurations in FOLDER. A setting without a key becomes an
    override or custom config. The report lists all other lines with a reason.
    """
    from fabricgen.compile.output.exchange import write_fresh
    from fabricgen.importer.adopted import adopt
    from fabricgen.intent.source import SourceMap

    _free(target, force=force)
    try:
        with stage("importing") as now:
            tell = partial(_tell, now)
            outcome = adopt(
                places,
                inventory=inventory,
                platform=platform,
                models=models,
                states=_states(state) if state is not None else (),
                report=tell,
            )
    except OSError as error:
        message = f"{error.filename or places[0]} cannot be read: {error.strerror}"
        raise Failure(Diagnostic(Code.CONFIG_UNREADABLE, message)) from None
    if outcome.findings:
        print_findings(outcome.findings, SourceMap(), err=True)
    if outcome.adopted is None:
        return 1
    with stage("rendering the intent") as now:
        _tell(now, now.name)
        outcome = replace(outcome, adopted=_rendered(outcome.adopted))
    if force and target.exists():
        shutil.rmtree(target)
    write_fresh(target, outcome.files)
    _report(outcome, target, form, whole=verbose)
    assert outcome.adopted is not None
    return 0 if outcome.adopted.compiles and not has_errors(outcome.findings) else 1


def _states(place: Path) -> list[SwitchState]:
    """Return the recorded switches of a folder or a tarball."""
    if not is_installed("operate"):
        raise click.UsageError("--state needs the package for deployment, which is not installed")
    from fabricgen.importer.inventory.observed import SwitchState
    from fabricgen.nos.registry import platforms, reader_of
    from fabricgen.operate.state.recordings import RecordingError, opened

    found = []
    try:
        with opened(place) as recordings:
            for name in sorted(recordings.switches):
                platform = str(recordings.manifest(name).get("platform", ""))
                reader = reader_of(platform) if platform in platforms() else None
                if reader is not None:
                    seen = reader.parse(recordings.answers(name))
                    own = f"{place}/{name}"
                    found.append(
                        SwitchState(name=name, platform=platform, place=own, observed=seen)
                    )
    except RecordingError as error:
        raise Failure(Diagnostic(Code.CONFIG_UNREADABLE, f"{place}: {error}")) from None
    return found


def _rendered(adopted: ImportResult) -> ImportResult:
    """Return the result with the errors of `render`. An intent with errors is not rendered."""
    from fabricgen.api.proof import read_back
    from fabricgen.compile.compiler import designed
    from fabricgen.importer.tree import loaded

    site = designed(loaded(adopted.tree)).site
    if not adopted.compiles or site is None:
        return adopted
    try:
        findings = [finding for examined in read_back(site) for finding in examined.findings]
    except Failure as failure:
        findings = [failure.diagnostic]
    refused = (finding for finding in findings if has_errors([finding]))
    return replace(adopted, findings=(*adopted.findings, *refused))


def _free(target: Path, *, force: bool) -> None:
    """Refuse a folder that is not empty or, with force, one with files other than YAML."""
    from fabricgen.compile.output.existing_tree import Refused

    if not target.exists() or (target.is_dir() and not any(target.iterdir())):
        return
    if not force:
        raise Refused(f"{target} is not an empty folder", "name a new folder, or use --force")
    others = [path for path in target.rglob("*") if path.is_file() and path.suffix != ".yaml"]
    if not target.is_dir() or others:
        which = others[0] if others else target
        raise Refused(
            f"{which} is not a file of an intent", "move it away: --force replaces the folder"
        )


def _tell(now: Stage, step: str) -> None:
    """Name the current step on a terminal, else print it to stderr. stdout is for the report."""
    now.name = step
    if watcher() is None:
        say(f"{step} …", err=True)


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
        errors = [found for found in outcome.adopted.findings if has_errors([found])]
        print_findings(errors, SourceMap(), err=True)
