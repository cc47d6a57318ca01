"""The intent model in, its JSON Schema out, fit for editors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic.json_schema import GenerateJsonSchema

from fabricgen import __version__
from fabricgen.intent.model.hardware import SwitchException, SwitchRole, TierRole
from fabricgen.intent.model.intent import Intent

if TYPE_CHECKING:
    from collections.abc import Iterable


def intent_schema(platforms: Iterable[str]) -> dict[str, Any]:
    """Return the schema. No top-level key is required: files of one site share the keys.

    platforms: the network OSes that there are, which the intent itself does not know.
    """
    made = Intent.model_json_schema()
    made.pop("required", None)
    for model in (SwitchRole, TierRole, SwitchException):
        made["$defs"][model.__name__]["properties"]["platform"]["enum"] = list(platforms)
    return {
        "$schema": GenerateJsonSchema.schema_dialect,
        "$id": f"urn:fabricgen:intent:{__version__}",
        **made,
        "title": "fabricgen intent",
    }
