"""Implements `fabricgen schema`, which prints the JSON Schema of the intent for editors."""

import json

import click

from fabricgen.cli.output import form_option
from fabricgen.cli.plain import say


@click.command("schema")
@form_option("json", "markdown", text="JSON Schema, or the reference page.")
@click.option(
    "--of",
    type=click.Choice(("intent", "switch", "nic", "asics", "optics")),
    default="intent",
    show_default=True,
    help="What a file says: the intent, or hardware facts in catalog/.",
)
def command(form: str, of: str) -> int:
    """Print the JSON Schema (draft 2020-12) of the intent, or the reference made from it."""
    from fabricgen.nos.registry import releases

    if of != "intent":
        from fabricgen.intent.schema import facts_schema

        say(json.dumps(facts_schema(of), indent=2))
        return 0

    if form == "markdown":
        from fabricgen.intent.reference import reference_page

        say(reference_page(releases()), nl=False)
        return 0
    from fabricgen.intent.schema import intent_schema

    say(json.dumps(intent_schema(releases()), indent=2))
    return 0
