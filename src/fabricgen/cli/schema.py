"""Implements `fabricgen schema`, which prints the JSON Schema of the intent for editors."""

import json

import click

from fabricgen.cli.help import define_verb
from fabricgen.cli.output import form_option
from fabricgen.cli.plain import say


@define_verb("schema", examples=("schema", "schema --of switch"))
@form_option("json", "markdown", text="JSON Schema, or the reference page in Markdown.")
@click.option(
    "--of",
    type=click.Choice(("intent", "switch", "nic", "asics", "optics", "change")),
    default="intent",
    show_default=True,
    help="Kind of file: the intent, hardware facts in catalog/, or a declared change.",
)
def command(form: str, of: str) -> int:
    """Print the JSON Schema of the intent.

    Editors use the schema (draft 2020-12) for completion and checks.
    """
    from fabricgen.nos.registry import releases, targets

    if of == "change":
        from fabricgen.intent.declared import declaration_schema

        say(json.dumps(declaration_schema(), indent=2))
        return 0
    if of != "intent":
        from fabricgen.intent.schema import facts_schema

        say(json.dumps(facts_schema(of), indent=2))
        return 0

    if form == "markdown":
        from fabricgen.intent.reference import reference_page

        say(reference_page(releases()), nl=False)
        return 0
    from fabricgen.intent.schema import intent_schema

    say(json.dumps(intent_schema(targets()), indent=2))
    return 0
