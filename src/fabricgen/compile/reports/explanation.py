"""Explain each line of a switch's or server's files by its values, rules and intent.

Text files are rendered once more in an environment that wraps every printed value in a marker. So
the reasons come from the rendering itself and always match it. A line without a reason, in blocks
without one, has the reason of its section or part. A line that a custom template wrote is marked
where that template ends the line.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import is_dataclass, replace
from typing import Any

from jinja2 import Undefined
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream

from fabricgen.compile.custom_config.placing import Placed, placed
from fabricgen.compile.custom_config.whole import whole_files
from fabricgen.compile.render import environment
from fabricgen.compile.sandbox import Overlaid
from fabricgen.compile.template_limits import Bounded
from fabricgen.core.own_templates import OwnTemplates
from fabricgen.core.provenance import Block, Provenance
from fabricgen.core.record import record
from fabricgen.core.units import Percent
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.own_lines import OwnText
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.settings.setting import Resolved
from fabricgen.nos.hosts.lower import lower_host
from fabricgen.nos.hosts.slices import HostSlice
from fabricgen.nos.hosts.view import HostFile
from fabricgen.nos.lowering import lower_switch
from fabricgen.nos.nos import RenderedBy

_OPEN, _CLOSE = "\ue000", "\ue001"  # private use: cannot be in a view, whose text is ASCII
_SECTION = "\ue002"  # opens the mark of a section, at the start of each of its lines
_OWN = "\ue003"  # opens the mark of a template of the site's own, at the end of each of its lines
_MARK = re.compile(f"{_OPEN}([0-9]+){_CLOSE}")
_SECTION_MARK = re.compile(f"{_SECTION}([0-9]+){_CLOSE}")
_OWN_MARK = re.compile(f"{_OWN}([0-9]+){_CLOSE}")
_ANY_MARK = re.compile(f"[{_OPEN}{_SECTION}{_OWN}][0-9]+{_CLOSE}")


@record(kw_only=True)
class Line:
    """One line of a file: its text, and why it is there. Outer blocks come last.

    template: the file of the site's own that wrote it, if one did.
    """

    file: str
    number: int
    text: str
    reasons: tuple[Provenance, ...]
    template: str = ""


class _Traced(str):
    """A printed value that remembers the view object it was read from."""

    __slots__ = ("owner",)
    owner: object


class _Tracing(Bounded):
    """An environment whose attribute access and printing leave marks."""

    def __init__(self, **words: Any) -> None:
        super().__init__(**words, finalize=self.mark)
        self.owners: list[object] = []
        self.own: dict[str, int] = {}
        self._settings: dict[int, tuple[Resolved[Any], str]] = {}
        self.add_extension(_OwnLines)

    def getattr(self, obj: Any, attribute: str) -> Any:
        value = super().getattr(obj, attribute)
        if isinstance(obj, Resolved) and is_dataclass(value):
            self._settings[id(value)] = (obj, "")
        if id(obj) in self._settings:
            return self._setting(obj, attribute, value)
        if isinstance(obj, _TracedIp):
            return _traced(value, obj.owner)
        if not is_dataclass(obj):
            return value
        return _traced(value, obj)

    def _setting(self, obj: object, attribute: str, value: Any) -> Any:
        """Return the value of a setting, which remembers the reason of that one key."""
        resolved, above = self._settings[id(obj)]
        if is_dataclass(value):
            self._settings[id(value)] = (resolved, f"{above}{attribute}.")
            return value
        because = resolved.chosen.get(f"{above}{attribute}", resolved.because)
        return _traced(value, Block(because)) if because is not None else value

    def mark(self, value: Any) -> Any:
        owner = None if isinstance(value, Undefined) else getattr(value, "owner", None)
        if owner is None:
            return value
        self.owners.append(owner)
        return f"{_OPEN}{len(self.owners) - 1}{_CLOSE}{value}"


class _OwnLines(Extension):
    """Marker for the ends of lines from a custom template of the site."""

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        own = getattr(self.environment, "own", {}).get(stream.name)
        for token in stream:
            if own is None or token.type != "data":
                yield token
            else:
                marked = token.value.replace("\n", f"{_OWN}{own}{_CLOSE}\n")
                yield Token(token.lineno, token.type, marked)


class _TracedInt(int):
    """A number that remembers the view object it was read from."""

    owner: object


class _TracedIp(Ip):
    """An address that remembers the view object it was read from."""

    owner: object


class _Marking(Overlaid):
    """A renderer that marks the lines of a section or part whose view has a reason."""

    def __init__(self, tracing: _Tracing, templates: OwnTemplates) -> None:
        super().__init__(tracing, templates)
        self.owners = tracing.owners

    def keep(self, text: str, place: str, view: Any) -> str:
        if _because(view) is not None:
            self.owners.append(view)
            mark = f"{_SECTION}{len(self.owners) - 1}{_CLOSE}"
            text = "".join(mark + line for line in text.splitlines(keepends=True))
        return super().keep(text, place, view)


def _traced(value: Any, owner: object) -> Any:
    if isinstance(value, Ip):
        address = _TracedIp(*value)
        address.owner = owner
        return address
    if isinstance(value, tuple):
        return tuple(_traced(item, owner) for item in value)
    if not isinstance(value, (str, int, Percent)) or isinstance(value, bool):
        return value
    traced = _TracedInt(value) if isinstance(value, int) else _Traced(str(value))
    traced.owner = owner
    return traced


def explain_switch(switch_slice: SwitchSlice, templates: OwnTemplates = ()) -> Iterator[Line]:
    """Yield every line of a switch's files with its reasons."""
    lines = _lines(lower_switch(switch_slice), templates)
    return _with_own_lines(switch_slice, list(lines)) if switch_slice.own else lines


def _with_own_lines(switch_slice: SwitchSlice, every: list[Line]) -> Iterator[Line]:
    """Insert the custom config of a switch between its designed lines."""
    by_file: dict[str, list[Line]] = {}
    for line in every:
        by_file.setdefault(line.file, []).append(line)
    texts = {path: "".join(f"{line.text}\n" for line in rows) for path, rows in by_file.items()}
    added = {each.file.path: each for each in placed(switch_slice, texts)}
    for path, rows in by_file.items():
        yield from _between(rows, added[path]) if path in added else rows
    for each in whole_files(switch_slice, texts):
        for number, text in enumerate(each.text.splitlines(), 1):
            because = (each.own.because,)
            yield Line(file=each.own.file, number=number, text=text, reasons=because)


def _between(designed: list[Line], added: Placed) -> Iterator[Line]:
    """Go through a file with custom config; other lines separate two sections."""
    rest, own = iter([*designed, None]), dict(added.own())
    ours = next(rest)
    for number, text in enumerate(added.after.splitlines(), 1):
        item = own.get(number)
        if item is None and ours is not None and ours.text.rstrip(",") == text.rstrip(","):
            yield replace(ours, number=number, text=text)
            ours = next(rest)
        else:
            reasons = (item.origin.because,) if item and isinstance(item.origin, OwnText) else ()
            yield Line(file=added.file.path, number=number, text=text, reasons=reasons)


def explain_host(host_slice: HostSlice, templates: OwnTemplates = ()) -> Iterator[Line]:
    """Yield every line of a server's files with its reasons."""
    return _lines(lower_host(host_slice), templates)


def _lines(files: Iterable[RenderedBy | HostFile], templates: OwnTemplates) -> Iterator[Line]:
    for wanted in files:
        tracing = environment(_Tracing, templates)
        assert isinstance(tracing, _Tracing)
        tracing.own.update((each.name, number) for number, each in enumerate(templates))
        text = _Marking(tracing, templates).file(wanted)
        if wanted.path.endswith(".json"):
            lines = _json_lines(wanted.path, _ANY_MARK.sub("", text), wanted.view)
        else:
            lines = _text_lines(wanted.path, text, tracing.owners)
        for line, raw in zip(lines, text.splitlines(), strict=True):
            own = _OWN_MARK.search(raw)
            yield replace(line, template=templates[int(own[1])].place) if own else line


def _text_lines(path: str, text: str, owners: list[object]) -> Iterator[Line]:
    """Join the reasons of a line with those of the blocks that contain it."""
    blocks: list[tuple[int, tuple[Provenance, ...]]] = []
    for number, raw in enumerate(text.splitlines(), 1):
        plain = _ANY_MARK.sub("", raw)
        indent = len(plain) - len(plain.lstrip())
        while blocks and (blocks[-1][0] >= indent or not plain.strip()):
            blocks.pop()
        own = _reasons(_MARK, raw, owners)
        outer = tuple(because for _, group in reversed(blocks) for because in group)
        if not own and not outer and plain.strip(" !#"):
            own = _reasons(_SECTION_MARK, raw, owners)[-1:]  # of the innermost
        if own or plain.strip(" !#"):
            blocks.append((indent, own))
        yield Line(file=path, number=number, text=plain, reasons=_unique((*own, *outer)))


def _reasons(marks: re.Pattern[str], raw: str, owners: list[object]) -> tuple[Provenance, ...]:
    """Return the reasons behind one kind of mark in a line."""
    reasons = (_because(owners[int(mark[1])]) for mark in marks.finditer(raw))
    return tuple(because for because in reasons if because is not None)


def _json_lines(path: str, text: str, view: object) -> Iterator[Line]:
    """Follow tables and keys by indentation: `because` of the entry of a line.

    The line that opens a table has the reasons of all its entries.
    """
    reasons = dict(_entries(view))
    tables: dict[str, list[Provenance]] = {}
    for (name, _), because in reasons.items():
        tables.setdefault(name, []).append(because)
    table = key = ""
    for number, line in enumerate(text.splitlines(), 1):
        indent = len(line) - len(line.lstrip())
        word = re.match(r'\s*"((?:[^"\\]|\\.)*)": ?[\[{]', line)
        if word and indent == 4:
            table, key = word[1], ""
            yield Line(file=path, number=number, text=line, reasons=_unique(tables.get(table, ())))
            continue
        if word and indent == 8:
            key = word[1]
        reason = reasons.get((table, key))
        yield Line(file=path, number=number, text=line, reasons=(reason,) if reason else ())


def _entries(view: object) -> Iterable[tuple[tuple[str, str], Provenance]]:
    """Collect (table, key) → reason from the entries of a JSON view's tables."""
    for table, rows in getattr(view, "tables", {}).items():
        for key, row in rows.items():
            yield (table, key), row.because


def _because(owner: object) -> Provenance | None:
    because = getattr(owner, "because", None)
    return because if isinstance(because, Provenance) else None


def _unique(reasons: Iterable[Provenance]) -> tuple[Provenance, ...]:
    return tuple(dict.fromkeys(reasons))
