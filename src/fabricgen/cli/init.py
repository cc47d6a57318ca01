"""Implements `fabricgen init DIR --shape SHAPE`, which writes a commented, valid site."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.api import is_installed
from fabricgen.cli.help import define_verb
from fabricgen.cli.plain import say, shell_word
from fabricgen.intent.starters import SHAPES

if TYPE_CHECKING:
    from fabricgen.core.diagnostics import Diagnostic

NETBOX = "netbox"
_IMPORTED = "the devices, cables and racks of a NetBox export: needs --from"


@define_verb("init", examples=("init", "init mysite --shape rail-optimized"))
@click.argument("folder", required=False, type=click.Path(path_type=Path), metavar="[DIR]")
@click.option(
    "--shape",
    type=click.Choice((*SHAPES, NETBOX)),
    help="Shape of the site; without it, list the shapes.",
)
@click.option(
    "--from",
    "export",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Folder of the NetBox export, for --shape netbox.",
)
def command(folder: Path | None, shape: str | None, export: Path | None) -> int:
    """Create a commented example site.

    DIR must be new or empty. It also gets the JSON Schema, which editors use for completion.
    Without --shape, the verb lists the shapes.
    """
    if shape is None:
        say(_list_shapes())
        if folder is not None:
            raise click.UsageError(f"--shape is missing: nothing is written to {folder}")
        return 0
    if folder is None:
        raise click.UsageError("DIR is missing: name a new folder for the site")
    if (shape == NETBOX) is not (export is not None):
        raise click.UsageError("--shape netbox and --from FOLDER need each other")
    _refuse_site(folder)
    findings: tuple[Diagnostic, ...] = ()
    if export is None:
        from fabricgen.intent.starters import starter

        files = starter(shape)
    else:
        files, findings = _import_files(export)
        if not files:
            return 1
    _write(folder, files)
    return 1 if any(finding.severity == "error" for finding in findings) else 0


def _list_shapes() -> str:
    shapes = {**SHAPES, NETBOX: _IMPORTED}
    width = max(map(len, shapes))
    lines = [f"  {name:{width}}  {description}" for name, description in shapes.items()]
    return "\n".join(("shapes, for `fabricgen init DIR --shape SHAPE`:", *lines))


def _import_files(export: Path) -> tuple[dict[str, str], tuple[Diagnostic, ...]]:
    """Return the files of a site of an inventory; no file where there is no network in it."""
    from fabricgen.cli.output import print_findings
    from fabricgen.core.diagnostics import Code, Diagnostic, Failure
    from fabricgen.intent.source import SourceMap

    if is_installed("importer"):
        from fabricgen.importer.from_inventory import inventory_site

        try:
            files, findings = inventory_site(export)
        except OSError as error:
            why = f"{export} cannot be read: {error.strerror}"
            raise Failure(Diagnostic(Code.INVENTORY_UNREADABLE, why)) from None
        if findings:
            print_findings(findings, SourceMap(), err=True)
        return files, findings
    raise click.UsageError("--shape netbox needs the importer, which is not installed")


def _refuse_site(folder: Path) -> None:
    """Raise Refused where the folder contains a site."""
    from fabricgen.compile.output.existing_tree import Refused
    from fabricgen.intent.files import is_site

    try:
        taken = folder.is_dir() and is_site(folder)
    except OSError as error:
        raise Refused(f"cannot write {folder}: {error.strerror or error}") from error
    if taken:
        raise Refused(f"{folder} contains a site: nothing is written", "name a new folder")


def _write(folder: Path, files: dict[str, str]) -> None:
    from fabricgen.compile.output.exchange import write_fresh
    from fabricgen.intent.schema import intent_schema
    from fabricgen.nos.registry import targets

    schema = json.dumps(intent_schema(targets()), indent=1)
    write_fresh(folder, {**files, "fabricgen.schema.json": schema + "\n"})
    site, out = shell_word(str(folder)), shell_word(f"{folder}-rendered")
    say(
        f"wrote {', '.join(sorted(files))} and fabricgen.schema.json to {folder}\n"
        f"next: fabricgen check {site} && fabricgen render {site} -o {out}"
    )
