"""Reads the file of a declared change, with the place of every error."""

from dataclasses import replace
from typing import Any

from pydantic import ValidationError
from pydantic.json_schema import GenerateJsonSchema

from fabricgen.core.diagnostics import Code, Diagnostic, IntentPath, Position
from fabricgen.core.record import record
from fabricgen.intent.model.declared import NOBODY, DeclaredChange, contradictions
from fabricgen.intent.source import Marks, SourceMap, read_text
from fabricgen.intent.wording import finding, spelled

MAX_BYTES = 2**20
"""Maximum size of a file."""


@record(kw_only=True)
class Declaration:
    """A declared change that was read, or the findings that prevented it.

    Attributes:
        name: Path or REV:path of the file.
        text: Its content.
        change: The change, or None if findings has errors.
        source: Places of its values.
    """

    name: str
    text: str
    change: DeclaredChange | None
    source: SourceMap
    findings: tuple[Diagnostic, ...] = ()

    def place(self, *path: str | int) -> Position:
        """Return the place of a value in the file."""
        return self.source.locate(path) or Position(self.name, 1, 1)


def read_declaration(name: str, text: str) -> Declaration:
    """Read a declared change. Never raises for errors in the file."""
    source = SourceMap()
    top = Position(name, 1, 1)
    source.mark(source.root, Marks(top))
    if len(text) > MAX_BYTES:
        sentence = f"a declared change has at most {MAX_BYTES >> 20} MiB"
        wrong = [Diagnostic(Code.TOO_DEEP_OR_LARGE, sentence, position=top)]
        return Declaration(name=name, text="", change=None, source=source, findings=tuple(wrong))
    data, wrong = read_text(name, text, source)
    change = None
    if isinstance(data, dict):
        source.root = data
        if not wrong:
            change, wrong = _validated(data, source)
    elif not wrong:
        sentence = "a declared change must be a mapping with `meaning` and `effects`"
        hint = "`fabricgen diff A B --declare` writes one"
        wrong = [Diagnostic(Code.BAD_VALUE, sentence, position=top, hint=hint)]
    placed = (_placed(each, source, top) for each in wrong)
    return Declaration(
        name=name,
        text=text,
        change=None if wrong else change,
        source=source,
        findings=tuple(placed),
    )


def _validated(
    data: dict[str, Any], source: SourceMap
) -> tuple[DeclaredChange | None, list[Diagnostic]]:
    try:
        change = DeclaredChange.model_validate(data)
    except ValidationError as error:
        items = error.errors(include_url=False, include_input=False)
        return None, [
            finding(item, source.value(item["loc"]), DeclaredChange) for item in items[:100]
        ]
    return change, [
        Diagnostic(Code.BAD_VALUE, f"{spelled(path)}: {sentence}", path=path)
        for path, sentence in contradictions(change)
    ]


def _placed(item: Diagnostic, source: SourceMap, top: Position) -> Diagnostic:
    if item.position is not None:
        return item
    path: IntentPath = item.path
    return replace(item, position=source.locate(path, key=item.at_key) or top)


def declaration_schema() -> dict[str, Any]:
    """Return the JSON Schema of a declared change."""
    schema = DeclaredChange.model_json_schema()
    hit = schema["properties"]["hit"]
    entries = {key: hit.pop(key) for key in ("type", "items", "maxItems")}
    hit |= {"oneOf": [{"const": NOBODY}, entries], "default": NOBODY}
    return {
        "$schema": GenerateJsonSchema.schema_dialect,
        "$id": "urn:fabricgen:change",
        **schema,
        "title": "fabricgen declared change",
    }
