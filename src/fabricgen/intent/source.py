"""YAML text in, plain data and the position of every key and item out.

Semantics are YAML 1.2 core (`on`, `12:30`, a MAC and `65000:1` stay strings). Built on libyaml's
event stream, so depth, size, aliases and tags are judged before anything is built.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from fabricgen.diagnostics import Code, Diagnostic, IntentPath, Position

MAX_DEPTH = 64
MAX_NODES = 2_000_000
MAX_TEXT = 4_096

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_INT = re.compile(r"[-+]?[0-9]{1,18}\Z")
_BASED = re.compile(r"0(?:o[0-7]{1,20}|x[0-9a-fA-F]{1,15})\Z")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]{1,3})?\Z")
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}


@dataclass(slots=True)
class Marks:
    """Where a container and each of its keys and values stand."""

    start: Position
    keys: dict[str | int, Position] = field(default_factory=dict)
    values: dict[str | int, Position] = field(default_factory=dict)


class SourceMap:
    """Turns an intent path into file:line:column, from the marks of the containers on its way."""

    def __init__(self) -> None:
        """Start with no marks; the reader adds them container by container."""
        self._marks: dict[int, Marks] = {}
        self.root: dict[str, Any] = {}

    def mark(self, container: object, marks: Marks) -> None:
        """Remember where `container` stands; it must stay alive as long as this map."""
        self._marks[id(container)] = marks

    def marks(self, container: object) -> Marks | None:
        """Return the marks of a container, if it came from a file."""
        return self._marks.get(id(container))

    def locate(self, path: IntentPath, *, key: bool = False) -> Position | None:
        """Return the place of the nearest thing on `path` that stands in a file.

        Segments that are not in the data (names a validator adds) are skipped.
        """
        here: Any = self.root
        best: Position | None = None
        for segment in path:
            marks = self.marks(here)
            if marks is None or segment not in marks.values:
                continue
            best = marks.keys[segment] if key else marks.values[segment]
            here = here[segment]
        return best


class _Refused(Exception):
    """Carries the diagnostic that ends the reading of one file."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


def plain_scalar(text: str) -> Any:
    """Resolve an unquoted scalar by the YAML 1.2 core schema; what is not clearly typed is text."""
    if text in _WORDS:
        return _WORDS[text]
    if _INT.match(text):
        return int(text)
    if _BASED.match(text):
        return int(text[2:], 8 if text[1] == "o" else 16)
    if _FLOAT.match(text):
        return float(text)
    return text


class _Reader:
    """Builds data from the events of one file, one container at a time."""

    def __init__(self, name: str, text: str, source: SourceMap) -> None:
        self.name, self.source = name, source
        self.events: Iterator[Event] = yaml.parse(text, Loader=_LOADER)
        self.anchors: dict[str, tuple[Any, int]] = {}
        self.findings: list[Diagnostic] = []
        self.nodes = 0

    def at(self, event: Event) -> Position:
        mark = event.start_mark
        return Position(self.name, mark.line + 1, mark.column + 1)

    def refuse(self, code: Code, message: str, event: Event, hint: str = "") -> _Refused:
        return _Refused(Diagnostic(code, message, hint=hint, position=self.at(event)))

    def document(self) -> Any:
        """Return the data of the only document of the file; None when it is empty."""
        data: Any = None
        seen = False
        for event in self.events:
            if isinstance(event, DocumentStartEvent):
                if seen:
                    raise self.refuse(Code.YAML_FEATURE, "a second document in one file", event,
                                      "keep one document per file and drop the '---' line")
                seen = True
                data = self.node(next(self.events), 0)
        return data

    def node(self, event: Event, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise self.refuse(Code.TOO_DEEP_OR_LARGE, f"nested deeper than {MAX_DEPTH}", event)
        self.count(1, event)
        if isinstance(event, AliasEvent):
            return self.alias(event)
        tag = getattr(event, "tag", None)
        if tag not in (None, "!"):
            raise self.refuse(Code.YAML_FEATURE, f"the tag {tag!r} is not supported", event,
                              "write the value without a tag")
        before = self.nodes
        if isinstance(event, ScalarEvent):
            value = self.scalar(event)
        elif isinstance(event, MappingStartEvent):
            value = self.mapping(event, depth)
        else:
            value = self.sequence(event, depth)
        if isinstance(event, NodeEvent) and event.anchor:
            self.anchors[event.anchor] = (value, self.nodes - before + 1)
        return value

    def count(self, nodes: int, event: Event) -> None:
        self.nodes += nodes
        if self.nodes > MAX_NODES:
            raise self.refuse(Code.TOO_DEEP_OR_LARGE, f"more than {MAX_NODES:,} values", event,
                              "aliases that repeat aliases multiply; write the values out")

    def alias(self, event: AliasEvent) -> Any:
        if event.anchor not in self.anchors:
            raise self.refuse(Code.YAML_FEATURE, f"the alias *{event.anchor} refers to nothing "
                              "finished before it", event)
        value, size = self.anchors[event.anchor]
        self.count(size, event)
        return value

    def scalar(self, event: ScalarEvent) -> Any:
        text: str = event.value
        if len(text) > MAX_TEXT:
            raise self.refuse(Code.TOO_DEEP_OR_LARGE,
                              f"a text of {len(text):,} characters; {MAX_TEXT:,} are allowed", event)
        return plain_scalar(text) if event.implicit[0] else text

    def mapping(self, event: Event, depth: int) -> dict[str, Any]:
        data: dict[str, Any] = {}
        marks = Marks(self.at(event))
        self.source.mark(data, marks)
        for key_event in self.events:
            if isinstance(key_event, MappingEndEvent):
                break
            key = self.key(key_event)
            value_event = next(self.events)
            value = self.node(value_event, depth + 1)
            place = self.at(key_event)
            if key in data:
                self.findings.append(Diagnostic(
                    Code.DUPLICATE_KEY,
                    f"the key {key!r} stands here again; first at {marks.keys[key]}",
                    hint="keep one of the two", position=place))
                continue
            data[key], marks.keys[key], marks.values[key] = value, place, self.at(value_event)
        return data

    def key(self, event: Event) -> str:
        if not isinstance(event, ScalarEvent):
            raise self.refuse(Code.YAML_FEATURE, "a key must be plain text", event)
        if event.value == "<<" and event.implicit[0]:
            raise self.refuse(Code.YAML_FEATURE, "merge keys (<<) are not supported", event,
                              "an alias as a whole value (`a: *b`) is")
        if len(event.value) > MAX_TEXT:
            raise self.refuse(Code.TOO_DEEP_OR_LARGE, "a key that long is not a name", event)
        return str(event.value)

    def sequence(self, event: Event, depth: int) -> list[Any]:
        data: list[Any] = []
        marks = Marks(self.at(event))
        self.source.mark(data, marks)
        for item in self.events:
            if isinstance(item, SequenceEndEvent):
                break
            marks.keys[len(data)] = marks.values[len(data)] = self.at(item)
            data.append(self.node(item, depth + 1))
        return data


def read_text(name: str, text: str, source: SourceMap) -> tuple[Any, list[Diagnostic]]:
    """Read one file's text; marks go to `source`. Returns the data and what is wrong with it."""
    reader = _Reader(name, text, source)
    try:
        data = reader.document()
    except _Refused as refused:
        return None, [*reader.findings, refused.diagnostic]
    except yaml.YAMLError as error:
        return None, [*reader.findings, _syntax(name, text, error)]
    return data, reader.findings


def _syntax(name: str, text: str, error: yaml.YAMLError) -> Diagnostic:
    mark = getattr(error, "problem_mark", None)
    if mark is not None:
        place = Position(name, mark.line + 1, mark.column + 1)
    else:  # a reader error (control character) knows the offset, not the line
        before = text[: getattr(error, "position", 0)]
        place = Position(name, before.count("\n") + 1, len(before) - before.rfind("\n"))
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "not YAML"
    context = getattr(error, "context", None)
    said = f"{context}: {problem}" if context else str(problem)
    return Diagnostic(Code.YAML_SYNTAX, said, position=place)
