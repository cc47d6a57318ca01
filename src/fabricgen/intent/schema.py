"""The intent model in, its JSON Schema out, fit for editors."""

from __future__ import annotations

from typing import Any

from pydantic.json_schema import GenerateJsonSchema

from fabricgen import __version__
from fabricgen.intent.model.intent import Intent


def intent_schema() -> dict[str, Any]:
    """Return the schema. No top-level key is required: files of one site share the keys."""
    made = Intent.model_json_schema()
    made.pop("required", None)
    return {
        "$schema": GenerateJsonSchema.schema_dialect,
        "$id": f"urn:fabricgen:intent:{__version__}",
        **made,
        "title": "fabricgen intent",
    }
