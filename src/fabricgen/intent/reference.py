"""The intent model in, its reference page (Markdown) out: every key, type, default and meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fabricgen.intent.schema import intent_schema

if TYPE_CHECKING:
    from collections.abc import Iterable

_HEAD = """# The intent, key by key

Written by `fabricgen schema --format markdown`; a test keeps this page equal to the code.
A site is a directory; every `*.yaml` in it adds top-level keys. YAML is read as version 1.2: `on`,
`12:30`, a MAC address and `65000:1` stay text. `tenants` may be spread over several files.
"""


def reference_page(platforms: Iterable[str]) -> str:
    """Return the reference page; platforms: the network OSes that there are."""
    schema = intent_schema(platforms)
    parts = [_HEAD, _table("The top level", schema)]
    parts += [
        _table(name, model)
        for name, model in sorted(schema["$defs"].items())
        if "properties" in model
    ]
    return "\n".join(parts)


def _table(name: str, model: dict[str, Any]) -> str:
    required = set(model.get("required", ()))
    rows = [
        f"## {name}",
        "",
        model.get("description", ""),
        "",
        "| key | type | default | meaning |",
        "|--|--|--|--|",
    ]
    for key, field in model["properties"].items():
        default = "**required**" if key in required else _default(field)
        meaning = " ".join(field.get("description", "").split()).replace("|", "\\|")
        rows.append(f"| `{key}` | {_type(field)} | {default} | {meaning} |")
    return "\n".join([*rows, ""])


def _default(field: dict[str, Any]) -> str:
    value = field.get("default")
    if value is None or value in ([], {}):
        return ""
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _type(field: dict[str, Any]) -> str:
    """Spell a field's type: a link to another table, a choice, or a plain type with its range."""
    if "$ref" in field:
        name = field["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    for key in ("anyOf", "allOf"):
        if key in field:
            kinds = [_type(item) for item in field[key] if item.get("type") != "null"]
            return " or ".join(kinds)
    if "enum" in field:
        return " \\| ".join(f"`{item}`" for item in field["enum"])
    if field.get("type") == "array":
        return f"list of {_type(field.get('items', {}))}"
    if field.get("type") == "object":
        inner: Any = field.get("additionalProperties") or next(
            iter(field.get("patternProperties", {}).values()), {}
        )
        return f"map of {_type(inner)}" if isinstance(inner, dict) else "map"
    return _plain(field)


def _plain(field: dict[str, Any]) -> str:
    low = field.get("minimum", field.get("exclusiveMinimum"))
    high = field.get("maximum", field.get("exclusiveMaximum"))
    kind = {
        "integer": "whole number",
        "number": "number",
        "boolean": "true or false",
        "string": "text",
    }.get(field.get("type", "string"), "text")
    if low is not None or high is not None:
        kind += f" {low if low is not None else ''} to {high if high is not None else ''}"
    examples = field.get("examples")
    return f"{kind}, as `{examples[0]}`" if examples else kind
