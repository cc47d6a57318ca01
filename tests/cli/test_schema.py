"""The schema of the intent, for editors."""

import json

from tests.cli.calling import ROOT, call

from fabricgen.intent.schema import intent_schema
from fabricgen.nos.registry import targets


def test_the_schema_is_indented_by_two() -> None:
    ran = call("schema")
    assert (ran.code, ran.out) == (0, json.dumps(intent_schema(targets()), indent=2) + "\n")


def test_the_page_ends_with_one_line_end() -> None:
    ran = call("schema", "--format", "markdown")
    assert ran.code == 0
    assert ran.out.endswith("\n")
    assert not ran.out.endswith("\n\n")


def test_the_schema_of_a_declared_change_is_in_the_reference() -> None:
    stored = (ROOT / "docs/reference/change.schema.json").read_text()
    assert call("schema", "--of", "change").out == stored
