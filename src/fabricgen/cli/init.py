"""Implements `fabricgen init DIR`, which writes a commented, valid site."""

import json
from pathlib import Path

import click

from fabricgen.cli.plain import say

DESIGNS = ("rail-only", "rail-optimized", "three-tier", "leaf-spine", "collapsed", "full")


@click.command("init")
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "--design",
    type=click.Choice(DESIGNS),
    default="rail-optimized",
    show_default=True,
    help="What to start from.",
)
def command(folder: Path, design: str) -> int:
    """Write a commented, valid site into DIR, with the schema beside it for editors."""
    from fabricgen.compile.output.exchange import write_fresh
    from fabricgen.intent.schema import intent_schema
    from fabricgen.intent.starters import starter
    from fabricgen.nos.registry import releases

    files = starter(design)
    schema = json.dumps(intent_schema(releases()), indent=1)
    write_fresh(folder, {**files, "fabricgen.schema.json": schema + "\n"})
    say(
        f"wrote {', '.join(sorted(files))} and fabricgen.schema.json to {folder}\n"
        f"next: fabricgen check {folder} && fabricgen render {folder} -o {folder}-rendered"
    )
    return 0
