"""Reads YAML text to plain data with the position of every key and item.

Semantics are those of the YAML 1.2 core schema (`on`, `12:30`, a MAC and `65000:1` stay strings).
It uses libyaml's event stream, so depth, size, aliases and tags are checked before anything is
built.
"""

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
)

from fabricgen.core.diagnostics import Code, Diagnostic, IntentPath, Position
from fabricgen.intent.syntax import invisible, syntax_error

MAX_DEPTH = 64
MAX_VALUES = 500_000
"""Maximum values of all files of a site together, including those that aliases repeat."""
MAX_TEXT = 20_000
"""Maximum length of a quoted or multi-line text, which may be a complete file."""
MAX_PLAIN = 4_096
"""Maximum length of a key, and of a value without quotes."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_INT = re.compile(r"[-+]?[0-9]+\Z")
_LONGEST_INT = 640  # characters; Python converts so many digits, however low its limit is set
_BASED = re.compile(r"0(?:o[0-7]{1,20}|x[0-9a-fA-F]{1,15})\Z")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]{1,3})?\Z")
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}


@dataclass(slots=True)
class Marks:
    """Positions of a container and of its keys and values."""

    start: Position
    keys: dict[str | int, Position] = field(default_factory=dict)
    values: dict[str | int, Position] = field(default_factory=dict)


class SourceMap:
    """Converts an intent path to file:line:column, from the marks of the containers on the path."""

    def __init__(self) -> None:
        self._marks: dict[int, Marks] = {}
        self.root: dict[str, Any] = {}
        self.values = 0

    def mark(self, container: object, marks: Marks) -> None:
        """Save the position of `container`, which must stay alive as long as this map."""
        self._marks[id(container)] = marks

    def marks(self, container: object) -> Marks | None:
        """Return the marks of a container if it came from a file."""
        return self._marks.get(id(container))

    @property
    def top(self) -> Position:
        """Return the first place of the site, for findings without a place."""
        marks = self.marks(self.root)
        return marks.start if marks is not None else Position("site", 1, 1)

    def locate(self, path: IntentPath, *, key: bool = False) -> Position | None:
        """Return the place of `path`: for a mapping or list its key, for text the text.

        A missing value (a default, a missing key) has the place of the nearest key above it.
        """
        best: Position | None = None
        steps = list(self._walk(path))
        for container, segment in steps:
            marks = self._marks[id(container)]
            whole = key or len(steps) < len(path) or isinstance(container[segment], dict | list)
            best = marks.keys[segment] if whole else marks.values[segment]
        return best

    def value(self, path: IntentPath) -> Any:
        """Return the value at `path`; None if it does not exist."""
        steps = list(self._walk(path))
        if not path:
            return self.root
        return steps[-1][0][steps[-1][1]] if len(steps) == len(path) else None

    def _walk(self, path: IntentPath) -> Iterator[tuple[Any, str | int]]:
        """Yield (container, segment) as far as the path exists in the files."""
        here: Any = self.root
        for segment in path:
            marks = self.marks(here)
            if marks is None or segment not in marks.values:
                return
            yield here, segment
            here = here[segment]


class _Refused(Exception):  # noqa: N818 - it ends one file; the diagnostic says what is wrong
    """Carries the diagnostic that ends the reading of one file."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


def plain_scalar(text: str) -> Any:
    """Resolve an unquoted scalar by the YAML 1.2 core schema; other scalars are text."""
    if text in _WORDS:
        return _WORDS[text]
    if _INT.match(text):
        return int(text) if len(text) <= _LONGEST_INT else text
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
        self.unfinished: set[str] = set()
        self.findings: list[Diagnostic] = []
        self.nodes = 0

    def at(self, event: Event) -> Position:
        mark = event.start_mark
        assert mark is not None
        return Position(self.name, mark.line + 1, mark.column + 1)

    def refuse(self, code: Code, message: str, event: Event, hint: str = "") -> _Refused:
        return _Refused(Diagnostic(code, message, hint=hint, position=self.at(event)))

    def document(self) -> Any:
        """Return the data of the only document of the file; None if it is empty."""
        data: Any = None
        seen = False
        for event in self.events:
            if isinstance(event, DocumentStartEvent):
                if seen:
                    raise self.refuse(
                        Code.YAML_FEATURE,
                        "the file has a second document",
                        event,
                        "keep one document per file and drop the '---' line",
                    )
                seen = True
                data = self.node(next(self.events), 0)
        return data

    def node(self, event: Event, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise self.refuse(
                Code.TOO_DEEP_OR_LARGE, f"nested deeper than {MAX_DEPTH} levels", event
            )
        self.count(1, event)
        if isinstance(event, AliasEvent):
            return self.alias(event)
        self.untagged(event)
        before = self.nodes
        anchor = event.anchor if isinstance(event, NodeEvent) else None
        if anchor:
            self.unfinished.add(anchor)
        if isinstance(event, ScalarEvent):
            value = self.scalar(event)
        elif isinstance(event, MappingStartEvent):
            value = self.mapping(event, depth)
        else:
            value = self.sequence(event, depth)
        if anchor:
            self.unfinished.discard(anchor)
            self.anchors[anchor] = (value, self.nodes - before + 1)
        return value

    def untagged(self, event: Event) -> None:
        tag = getattr(event, "tag", None)
        if tag not in (None, "!"):
            tag_name = tag.replace("tag:yaml.org,2002:", "!!")
            raise self.refuse(
                Code.YAML_FEATURE,
                f"the tag {tag_name!r} is not supported",
                event,
                "write the value without a tag",
            )

    def count(self, nodes: int, event: Event) -> None:
        self.nodes += nodes
        self.source.values += nodes
        if self.source.values > MAX_VALUES:
            raise self.refuse(
                Code.TOO_DEEP_OR_LARGE,
                f"all files together have more than {MAX_VALUES:,} values",
                event,
                "write counts in `count:`; aliases that repeat aliases multiply values",
            )

    def alias(self, event: AliasEvent) -> Any:
        if event.anchor in self.unfinished or event.anchor not in self.anchors:
            inside = event.anchor in self.unfinished
            fault = "is inside the value that it names" if inside else "has no anchor before it"
            raise self.refuse(
                Code.YAML_FEATURE,
                f"the alias *{event.anchor} {fault}",
                event,
                "write the value in full" if inside else "put text that starts with * in quotes",
            )
        value, size = self.anchors[event.anchor]
        self.count(size, event)
        return value

    def scalar(self, event: ScalarEvent) -> Any:
        text: str = event.value
        most = MAX_PLAIN if event.implicit[0] else MAX_TEXT
        if len(text) > most:
            sentence = f"a text has {len(text):,} characters; at most {most:,} are allowed"
            raise self.refuse(Code.TOO_DEEP_OR_LARGE, sentence, event)
        return plain_scalar(text) if event.implicit[0] and event.tag is None else text

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
                self.findings.append(
                    Diagnostic(
                        Code.DUPLICATE_KEY,
                        f"the key {key!r} is repeated here; first at {marks.keys[key]}",
                        hint="keep one of them",
                        position=place,
                    )
                )
                continue
            data[key], marks.keys[key], marks.values[key] = value, place, self.at(value_event)
        return data

    def key(self, event: Event) -> str:
        if not isinstance(event, ScalarEvent):
            raise self.refuse(Code.YAML_FEATURE, "a key must be plain text", event)
        self.untagged(event)
        if event.value == "<<" and event.implicit[0]:
            raise self.refuse(
                Code.YAML_FEATURE,
                "merge keys (<<) are not supported",
                event,
                "write the keys in full; an alias can replace a complete value: `a: *b`",
            )
        if len(event.value) > MAX_PLAIN:
            sentence = (
                f"a key has {len(event.value):,} characters; at most {MAX_PLAIN:,} are allowed"
            )
            raise self.refuse(Code.TOO_DEEP_OR_LARGE, sentence, event)
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
    """Read the text of one file. Marks go to `source`. Return the data and the findings."""
    text = text.removeprefix("\ufeff")
    hidden = invisible(name, text)
    if hidden is not None:
        return None, [hidden]
    reader = _Reader(name, text, source)
    try:
        data = reader.document()
    except _Refused as refused:
        return None, [*reader.findings, refused.diagnostic]
    except yaml.YAMLError as error:
        return None, [*reader.findings, syntax_error(name, text, error)]
    return data, reader.findings
