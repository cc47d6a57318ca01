"""Builds the JSON Schema of the intent and of hardware facts for editors."""

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from fabricgen.core import VERSION
from fabricgen.intent.model.added_facts import MoreFacts, MoreOnSonic
from fabricgen.intent.model.facts import AsicFacts, NicFacts, SwitchFacts
from fabricgen.intent.model.intent import Intent
from fabricgen.intent.model.optic_facts import OpticFacts


def intent_schema(platforms: Mapping[str, Iterable[str]]) -> dict[str, Any]:
    """Return the schema. No top-level key is required: files of one site share the keys.

    `platforms`: the network OSes with their releases, which the intent itself does not know.
    """
    schema = Intent.model_json_schema()
    schema.pop("required", None)
    releases = list(chain.from_iterable(platforms.values()))
    for properties in (words.get("properties", {}) for words in schema["$defs"].values()):
        if not properties.keys() >= {"platform", "release"}:
            continue
        properties["platform"]["enum"] = list(platforms)
        if releases:
            properties["release"]["anyOf"][0]["enum"] = releases
    return {
        "$schema": GenerateJsonSchema.schema_dialect,
        "$id": f"urn:fabricgen:intent:{VERSION}",
        **schema,
        "title": "fabricgen intent",
    }


FACTS: Mapping[str, Any] = {
    "switch": SwitchFacts | MoreOnSonic | MoreFacts,
    "nic": NicFacts,
    "asics": dict[str, AsicFacts],
    "optics": dict[str, OpticFacts],
}
"""Model of each file of hardware facts."""


def facts_schema(kind: str) -> dict[str, Any]:
    """Return the schema of a file in `catalog/` for a switch, a NIC, chips or optics."""
    return {
        "$schema": GenerateJsonSchema.schema_dialect,
        "$id": f"urn:fabricgen:{kind}:{VERSION}",
        **TypeAdapter(FACTS[kind]).json_schema(),
        "title": f"fabricgen hardware facts: {kind}",
    }
