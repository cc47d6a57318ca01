"""Writes the reference of the intent in Markdown: every key, type, default and meaning."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fabricgen.core.record import record
from fabricgen.intent.schema import intent_schema
from fabricgen.intent.settings import CARRIED

INDEX = "index.md"
"""The file of the reference that has the top-level keys."""

_HEAD = """# Intent keys

A site is a directory. Every `*.yaml` file in it adds top-level keys. YAML is read as version 1.2:
`on`, `12:30`, a MAC address and `65000:1` stay text. `fabrics`, `servers`, `tenants` and `jobs` may
be spread over several files. fabricgen ignores hidden folders, `templates/` and `inventory/` at the
top of the site, and rendered trees. A rendered tree is a folder with a `manifest.json`.

The tables have {keys} keys. {carried} of them are *carried*: their value goes unchanged to a line,
and `src/fabricgen/model/settings/` declares them. The other keys name things, choose a design, or
are numbers that the design uses. Some of the other keys are also only carried, and are not declared
yet.
"""

_COLUMNS = ("| key | type | default | meaning |", "|--|--|--|--|")

_KINDS = {
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "string": "text",
}


@record()
class _Place:
    """The file that is being written, and the file of each table by the table's name."""

    file: str
    homes: Mapping[str, str]

    def link_to(self, table: str) -> str:
        """Return a link to a table, within this file or to another one."""
        home = self.homes[table]
        return f"[{table}]({'' if home == self.file else home}#{table.lower()})"


def reference_page(platforms: Mapping[str, Iterable[str]]) -> str:
    """Return the complete reference as one page; platforms has releases by network OS."""
    schema = intent_schema(platforms)
    names = _tables_from(schema["properties"], schema, {})
    place = _Place(INDEX, dict.fromkeys(names, INDEX))
    parts = [_head(schema, names), _table("The top level", schema, place)]
    return "\n".join(parts + [_table(name, schema["$defs"][name], place) for name in names])


def reference_pages(platforms: Mapping[str, Iterable[str]]) -> dict[str, str]:
    """Return the reference by file: an index, and a page for each top-level key.

    A table is on the page of the first top-level key that leads to it.
    """
    schema = intent_schema(platforms)
    homes: dict[str, str] = {}
    for key, field in schema["properties"].items():
        homes |= dict.fromkeys(_tables_from({key: field}, schema, homes), f"{key}.md")
    index = _Place(INDEX, homes)
    top = schema | {
        "properties": {
            f"[`{key}`]({key}.md)": field for key, field in schema["properties"].items()
        },
        "required": (),
    }
    pages = {INDEX: "\n".join([_head(schema, homes), _table("Top-level keys", top, index)])}
    for key, field in schema["properties"].items():
        pages[f"{key}.md"] = _page_of(key, field, schema, _Place(f"{key}.md", homes))
    return pages


def _page_of(key: str, field: dict[str, Any], schema: dict[str, Any], place: _Place) -> str:
    """Return the page of a top-level key: its row, and the tables that it is the first to reach."""
    head = [f"# {key}", "", "All top-level keys are in the [index](index.md).", "", *_COLUMNS]
    row = _row(f"`{key}`", field, place, is_required=key in schema.get("required", ()))
    tables = [
        _table(name, schema["$defs"][name], place)
        for name, home in place.homes.items()
        if home == place.file
    ]
    return "\n".join(["\n".join([*head, row, ""]), *tables])


def _head(schema: dict[str, Any], names: Iterable[str]) -> str:
    models = (schema, *(schema["$defs"][name] for name in names))
    fields = [field for model in models for field in model["properties"].values()]
    return _HEAD.format(keys=len(fields), carried=sum(CARRIED in field for field in fields))


def _tables_from(
    properties: dict[str, Any], schema: dict[str, Any], known: Mapping[str, str]
) -> list[str]:
    """Return the tables that keys lead to, in depth, without the known ones."""
    names: dict[str, None] = {}

    def walk(part: dict[str, Any]) -> None:
        for name in _tables(part):
            if name not in names and name not in known:
                names[name] = None
                walk(schema["$defs"][name]["properties"])

    walk(properties)
    return list(names)


def _tables(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if "$ref" in part:
            yield part["$ref"].rpartition("/")[2]
        part = tuple(part.values())
    if isinstance(part, list | tuple):
        for each in part:
            yield from _tables(each)


def _table(name: str, model: dict[str, Any], place: _Place) -> str:
    required = model.get("required", ())
    rows = [f"## {name}", "", model["description"], "", *_COLUMNS]
    for key, field in model["properties"].items():
        word = key if key.startswith("[") else f"`{key}`"
        rows.append(_row(word, field, place, is_required=key in required))
    return "\n".join([*rows, ""])


def _row(word: str, field: dict[str, Any], place: _Place, *, is_required: bool) -> str:
    default = "**required**" if is_required else _default(field)
    word = f"{word}, carried" if CARRIED in field else word
    return f"| {word} | {_type(field, place)} | {default} | {field['description']} |"


def _default(field: dict[str, Any]) -> str:
    value = field.get("default")
    if value is None or value in ([], {}):
        return ""
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _type(field: dict[str, Any], place: _Place) -> str:
    """Format a field's type: a link to another table, a choice, or a plain type with its range."""
    if "$ref" in field:
        return place.link_to(field["$ref"].rpartition("/")[2])
    if choice := field.get("anyOf", field.get("oneOf")):
        return " or ".join(_type(item, place) for item in choice if item.get("type") != "null")
    if "enum" in field or "const" in field:
        return " \\| ".join(f"`{item}`" for item in field.get("enum", [field.get("const")]))
    if field["type"] == "array":
        return f"list{_span(field, 'Items', 'entries')} of {_type(field['items'], place)}"
    if field["type"] == "object":
        (inner,) = field["patternProperties"].values()
        return f"map{_span(field, 'Properties', 'entries')} of {_type(inner, place)}"
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
