"""Selects the lines of a switch that no rule renders and that may become custom config."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from fabricgen.compile.custom_config.placing import placed, refusal
from fabricgen.compile.custom_config.reading import Read
from fabricgen.compile.custom_config.sentences import LONGEST
from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.core.tree.settings import Path
from fabricgen.importer.distance import Difference
from fabricgen.importer.lines import Line, own_file
from fabricgen.intent.model.own_lines import KEY, TABLE
from fabricgen.model.fabric.own_lines import OwnText
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.own_file import OwnFile
from fabricgen.nos.registry import nos

IN_CLEAR = "secret in clear text: replace it with a reference such as <<secret:env:NAME>>"
EMPTY = "no line of this section can be custom config"
NO_FILE = "this file cannot have custom config"
STRANGE = "the line has a character that is not printable ASCII"
_CHUNK = 90
"""Lines that are checked together: a text may have 500, a table entry up to five."""
_JINJA = re.compile(r"\{(?=[{%#])")
_PLAIN = re.compile(r"[ -~]*")

Why = dict[tuple[str, "Path"], str]
"""Reasons why lines cannot be custom config, by file and path."""


@record(kw_only=True)
class Own:
    """A line that may become custom config.

    Attributes:
        kind: The key of `custom_config`.
        texts: Its sections and the line.
    """

    kind: str
    texts: Path
    said: str = ""


def chosen(
    switch_slice: SwitchSlice, designed: Mapping[str, str], off: Difference
) -> tuple[list[Own], Why]:
    """Check given lines that are not rendered. designed: files without custom config."""
    why: Why = {}
    every: list[Own] = []
    for path, lines in off.theirs.items():
        own = own_file(switch_slice.switch.platform, path)
        if own is None or path not in designed:
            why |= {(path, line.path): NO_FILE for line in lines}
            continue
        sound = _Sound(switch_slice, designed, own[0])
        for line in lines:
            said = _refused(own[1], line)
            if said:
                sound.why[line.path] = said
        every += sound.settle([line for line in lines if line.path not in sound.why])
        why |= {(path, key): said for key, said in sound.why.items()}
    return every, why


def _refused(file: OwnFile, line: Line) -> str:
    """Return why a line can nowhere be custom config, or an empty text."""
    if line.clear:
        return IN_CLEAR
    if file.manner is None:
        return _no_entry(line)
    for depth, text in enumerate(line.texts):
        if not _PLAIN.fullmatch(text):
            return "the value has several lines" if "\n" in text else STRANGE
        if len(text) > LONGEST:
            return f"the line has more than {LONGEST} characters"
        if why := refusal(text, file, top=not depth):
            return why
    return ""


def _no_entry(line: Line) -> str:
    shapes = (TABLE, KEY, TABLE)
    for shape, text in zip(shapes, line.path, strict=False):
        if not re.fullmatch(shape, text):
            return f"{text!r} is not a valid name in custom config"
    if len(line.path) == 1 or not _PLAIN.fullmatch(line.said) or len(line.said) > LONGEST:
        return "its value is not valid in custom config"
    return ""


class _Sound:
    """Removes refused lines until the rest is accepted."""

    def __init__(self, switch_slice: SwitchSlice, designed: Mapping[str, str], kind: str) -> None:
        self.switch_slice, self.designed, self.kind = switch_slice, designed, kind
        self.why: dict[Path, str] = {}

    def settle(self, lines: list[Line]) -> list[Own]:
        """Return the accepted lines. Note the reasons for the others."""
        heads = {line.path[:-1] for line in lines} - {()}
        for _ in range(len(lines) + 1):
            leaves = _leaves(lines)
            empty = [line for line in leaves if line.path in heads and not line.value]
            self.why |= {line.path: EMPTY for line in empty}
            leaves = [line for line in leaves if line.path not in self.why]
            chunks = [leaves[first : first + _CHUNK] for first in range(0, len(leaves), _CHUNK)]
            faults = {path: why for part in chunks for path, why in self._faults(part).items()}
            if not faults and not empty:
                return self.rows(leaves)
            self.why |= {path: why for path, why in faults.items() if path not in self.why}
            lines = [line for line in lines if line.path not in self.why]
        return []

    def rows(self, lines: list[Line]) -> list[Own]:
        """Return lines as custom config of the file."""
        return [
            Own(kind=self.kind, texts=_literal(line.texts), said=_braces(line.said))
            for line in lines
        ]

    def _faults(self, lines: list[Line]) -> dict[Path, str]:
        """Return the errors of the custom config checks by path."""
        text, places = written(self.kind, self.rows(lines))
        spelled = text if isinstance(text, str) else json.dumps(text, indent=1)
        own = OwnText(kind=self.kind, text=spelled, because=Provenance(((self.kind,),), "as read"))
        faults: dict[Path, str] = {}
        grammar = nos(self.switch_slice.switch.platform).grammar
        assert grammar is not None
        mine = replace(self.switch_slice, own=(*self.switch_slice.own, own))
        for file in placed(mine, self.designed):
            for fault in Read(file, grammar.load()[file.file.path]).faults():
                if fault.own is not own:
                    continue
                below = places.get(fault.at, ())
                why = f"{fault.why} {fault.where}".strip()
                hit = [line for line in lines if _literal(line.texts)[: len(below)] == below]
                faults |= {line.path: why for line in hit}
        return faults


def _leaves(lines: Iterable[Line]) -> list[Line]:
    """Remove section heads that have lines: these include them."""
    every = list(lines)
    heads = {line.path[:-1] for line in every}
    return [line for line in every if line.path not in heads]


def _braces(text: str) -> str:
    """Escape characters that Jinja would read as code."""
    return _JINJA.sub("{{ '{' }}", text)


def _literal(texts: Path) -> Path:
    return tuple(map(_braces, texts))


def written(kind: str, rows: Iterable[Own]) -> tuple[str | dict[str, Any], dict[str, Path]]:
    """Return lines as intent keys, and the path of each line by its place in an error."""
    tree: dict[str, Any] = {}
    for row in rows:
        here = tree
        for text in row.texts[:-1]:
            here = here.setdefault(text, {})
        last = _value(row.said) if kind == "config_db" and len(row.texts) != 2 else {}
        here.setdefault(row.texts[-1], last)
    if kind == "config_db":
        return tree, {f"`{at}`": path for at, path in _entries(tree)}
    lines = list(_rows(tree, ()))
    text = "".join(f"{'   ' * (len(path) - 1)}{path[-1]}\n" for path in lines)
    return text, {f"line {number}": path for number, path in enumerate(lines, 1)}


def _value(said: str) -> Any:
    return json.loads(said) if said.startswith("[") else said


def _rows(tree: Mapping[str, Any], above: Path) -> Iterator[Path]:
    for text, below in tree.items():
        yield (*above, text)
        yield from _rows(below, (*above, text))


def _entries(tree: Mapping[str, Any]) -> Iterator[tuple[str, Path]]:
    """Yield tables, keys and fields in the form of custom config, with their paths."""
    for path, value in _walk(tree, ()):
        said = value if isinstance(value, str) else json.dumps(value)
        yield " > ".join(path) + ("" if isinstance(value, dict) else f" {said}"), path


def _walk(tree: Mapping[str, Any], above: Path) -> Iterator[tuple[Path, Any]]:
    for key, value in tree.items():
        yield (*above, key), value
        if isinstance(value, dict):
            yield from _walk(value, (*above, key))
