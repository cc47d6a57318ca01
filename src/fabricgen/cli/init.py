"""Implements `fabricgen init DIR`, which writes a commented, valid site."""

import json
from pathlib import Path

import click

from fabricgen.cli.help import define_verb
from fabricgen.cli.plain import say

DESIGNS = ("rail-only", "rail-optimized", "three-tier", "leaf-spine", "collapsed", "full")


@define_verb("init", examples=("init mysite", "init mysite-tiers --design three-tier"))
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "--design",
    type=click.Choice(DESIGNS),
    default="rail-optimized",
    show_default=True,
    help="Design of the example.",
)
def command(folder: Path, design: str) -> int:
    """Create a commented example site.

    DIR must be new or empty. It also gets the JSON Schema, which editors use for completion.
    """
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
