"""Writes the reference page of the intent in Markdown: every key, type, default and meaning."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fabricgen.intent.schema import intent_schema
from fabricgen.intent.settings import CARRIED

_HEAD = """# The intent, key by key

By task: [my first site](first-site.md), [my servers](servers.md), [my storage](storage.md),
[my out-of-band network](out-of-band.md), [my jobs](jobs.md), [my hardware](hardware.md),
[several fabrics](fabrics.md), [services of the switches](services.md). This page has every key,
from the top down.

Written by `fabricgen schema --format markdown`; a test keeps this page equal to the code.
A site is a directory; every `*.yaml` in it adds top-level keys. YAML is read as version 1.2: `on`,
`12:30`, a MAC address and `65000:1` stay text. `fabrics`, `servers`, `tenants` and `jobs` may be
spread over several files.
Not read as intent: hidden folders, `templates/` and `inventory/` at the top of the site, and every
rendered tree, which is a folder with a `manifest.json`.

The tables have {keys} keys. {carried} are *carried*: their value goes unchanged to a line, and they
are declared in `src/fabricgen/model/settings/`. The others name things, choose a design, or are
numbers that the design works with. Some of these others are only carried as well, and are not
declared so yet.
"""


_KINDS = {
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "string": "text",
}


def reference_page(platforms: Mapping[str, Iterable[str]]) -> str:
    """Return the reference page; `platforms`: the network OSes with their releases."""
    schema = intent_schema(platforms)
    tables = {name: schema["$defs"][name] for name in _from_the_top(schema)}
    fields = [each for model in (schema, *tables.values()) for each in model["properties"].values()]
    head = _HEAD.format(keys=len(fields), carried=sum(CARRIED in each for each in fields))
    parts = [head, _table("The top level", schema)]
    return "\n".join(parts + [_table(name, model) for name, model in tables.items()])


def _from_the_top(schema: dict[str, Any]) -> list[str]:
    """Return the names of all tables in depth-first order of their first reference."""
    names: dict[str, None] = {}

    def walk(model: dict[str, Any]) -> None:
        for name in _tables(model["properties"]):
            if name not in names:
                names[name] = None
                walk(schema["$defs"][name])

    walk(schema)
    return list(names)


def _tables(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if "$ref" in part:
            yield part["$ref"].rpartition("/")[2]
        part = tuple(part.values())
    if isinstance(part, list | tuple):
        for each in part:
            yield from _tables(each)


def _table(name: str, model: dict[str, Any]) -> str:
    required = model.get("required", ())
    rows = [
        f"## {name}",
        "",
        model["description"],
        "",
        "| key | type | default | meaning |",
        "|--|--|--|--|",
    ]
    for key, field in model["properties"].items():
        default = "**required**" if key in required else _default(field)
        word = f"`{key}`, carried" if CARRIED in field else f"`{key}`"
        rows.append(f"| {word} | {_type(field)} | {default} | {field['description']} |")
    return "\n".join([*rows, ""])


def _default(field: dict[str, Any]) -> str:
    value = field.get("default")
    if value is None or value in ([], {}):
        return ""
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _type(field: dict[str, Any]) -> str:
    """Format a field's type: a link to another table, a choice, or a plain type with its range."""
    if "$ref" in field:
        name = field["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if choice := field.get("anyOf", field.get("oneOf")):
        return " or ".join(_type(item) for item in choice if item.get("type") != "null")
    if "enum" in field or "const" in field:
        return " \\| ".join(f"`{item}`" for item in field.get("enum", [field.get("const")]))
    if field["type"] == "array":
        return f"list{_span(field, 'Items', 'entries')} of {_type(field['items'])}"
    if field["type"] == "object":
        (inner,) = field["patternProperties"].values()
        return f"map{_span(field, 'Properties', 'entries')} of {_type(inner)}"
    return _plain(field)


def _plain(field: dict[str, Any]) -> str:
    kind = _KINDS[field["type"]] + _span(field, "Length", "characters")
    if "maximum" in field:
        above = f"more than {field['exclusiveMinimum']:g}" if "exclusiveMinimum" in field else ""
        kind += f" {above or field['minimum']} to {field['maximum']}"
    examples = field.get("examples")
    return f"{kind}, as `{examples[0]}`" if examples else kind


def _span(field: dict[str, Any], of: str, noun: str) -> str:
    """Format the permitted length of a text, list or map (minLength, maxItems etc.)."""
    match field.get(f"min{of}"), field.get(f"max{of}"):
        case None, None:
            return ""
        case None, high:
            return f" (at most {high} {noun})"
        case low, None:
            return f" ({low} or more {noun})"
        case low, high:
            return f" ({low} to {high} {noun})"
    raise AssertionError(field)
