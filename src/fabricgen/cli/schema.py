"""`fabricgen schema`: the JSON Schema that editors complete and validate intent files with."""

from __future__ import annotations

import json

import click


@click.command("schema")
def command() -> int:
    """Print the JSON Schema (draft 2020-12) of the intent."""
    from fabricgen.intent.schema import intent_schema

    click.echo(json.dumps(intent_schema(), indent=2))
    return 0
