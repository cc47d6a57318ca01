"""Place custom lines in the sections of a configuration and masks their secrets."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from fabricgen.compile.custom_config import tables
from fabricgen.compile.custom_config.sentences import Refused, filled
from fabricgen.core.diagnostics import Code, dotted
from fabricgen.core.record import record
from fabricgen.core.tree.outline import Clash, Item, Misplaced, lines, outline, put, written
from fabricgen.core.units import spans
from fabricgen.model.fabric.own_lines import OwnText
from fabricgen.model.settings.setting import PLACEHOLDER
from fabricgen.nos.lowering import spell
from fabricgen.nos.registry import nos_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from fabricgen.core.tree.outline import OutlineSyntax
    from fabricgen.model.fabric.switch import SwitchSlice
    from fabricgen.nos.own_file import OwnFile


# The text after a word that the driver hides must be a single reference. A push replaces the
# reference by the value, and nothing else keeps the value out of a difference.

_FULL = (
    "password",
    "passphrase",
    "secret",
    "community",
    "authentication-key",
    "key-string",
    "message-digest-key",
)
_SHORTEST = 3
_NO_SHORT = frozenset({"key", "auth", "authentication"})
_SAID = re.compile(
    r"([\w-]*(?:passw|passphrase|secret|token|psk|cvauth|api[_-]?key|private[_-]?key)\w*[\"']?"
    r" ?[:=])",
    re.IGNORECASE,
)
_TEXT = re.compile(r"\b(?:description|remark|alias|name) ")
_KEY = re.compile(r"-----BEGIN|(?<!\S)(?!AAAA)[A-Za-z0-9+/]{60,}={0,2}(?!\S)")
"""PEM (RFC 7468), or base64 of 45 bytes and more, except public SSH keys (RFC 4253, 6.6)."""


@lru_cache(maxsize=65536)
def wrong(text: str, file: OwnFile) -> tuple[Code, str] | None:
    """Return the fault of the secrets of a line, or None."""
    line = " ".join(text.split())
    hidden = set()
    for match in (match for each in _any_case(file.secrets) for match in each.finditer(line)):
        if not PLACEHOLDER.fullmatch(match[2]):
            return _clear(line[: match.end(1)])
        hidden.add(match.start(2))
    without = PLACEHOLDER.sub("", line)
    if said := _SAID.search(without):
        return _clear(said[1])
    if _KEY.search(without):
        return Code.OWN_LINE_IN_CLEAR, "it contains a key"
    if file.manner is not None and (
        word := next(filter(_full, _TEXT.split(without)[0].split()), "")
    ):
        why = (
            f"`{word}` is short for `{_full(word)}`: use the full word, after which the value is "
            "hidden"
        )
        return Code.OWN_LINES_REFUSED, why
    if any(match.start() not in hidden for match in PLACEHOLDER.finditer(line)):
        why = "a reference follows a word after which the switch hides the value"
        return Code.OWN_LINES_REFUSED, why
    return None


def _clear(behind: str) -> tuple[Code, str]:
    return Code.OWN_LINE_IN_CLEAR, f"a secret in clear text follows `{behind.strip()}`"


def _full(word: str) -> str:
    """Return the word of secrets that a word is short for; empty where it is for none."""
    word = word.lower()
    if len(word) < _SHORTEST or word in _NO_SHORT:
        return ""
    return next((full for full in _FULL if full != word and full.startswith(word)), "")


@lru_cache(maxsize=16)
def _any_case(patterns: tuple[re.Pattern[str], ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(each.pattern, each.flags | re.IGNORECASE) for each in patterns)


_CAGE = re.compile(r"[A-Za-z]+[0-9]+")
"""First letters of the name of a port, for whole and for split cages."""


@record(kw_only=True)
class Fault:
    """Fault of one line of a custom text.

    at: position of the line. why: one sentence. where: the other line that it conflicts with, on
    this switch.
    """

    own: OwnText
    at: str
    code: Code
    why: str
    where: str = ""


@dataclass(slots=True, kw_only=True)
class Placed:
    """File with custom config.

    rows: the items of its lines; a rendered line has no origin.
    """

    file: OwnFile
    before: str
    after: str = ""
    rows: list[Item | None] = field(default_factory=list)
    clashes: list[Clash] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def where(self, line: Item) -> str:
        """Return the place of another line: in the file, or in a custom text."""
        if isinstance(line.origin, OwnText):
            return f"{line.at} of {dotted(line.origin.because.main)}"
        number = next(at for at, row in enumerate(self.rows, 1) if row is line)
        return f"{self.file.path}:{number} `{line.text}`"

    def own(self) -> Iterator[tuple[int, Item]]:
        """Yield the custom lines of the file by line number."""
        for number, item in enumerate(self.rows, 1):
            if item is not None and item.origin is not None:
                yield number, item


def placed(switch_slice: SwitchSlice, texts: Mapping[str, str]) -> list[Placed]:
    """Return the files of a switch that have custom config.

    texts: by path below its folder.
    """
    files = []
    for kind, late in nos_of(switch_slice.switch).own.items():
        mine = [own for own in switch_slice.own if own.kind == kind]
        if mine:
            file = late.load()
            result = Placed(file=file, before=texts[file.path])
            sound = list(_sound(mine, switch_slice, result))
            if file.manner is None:
                result.after, result.rows, result.clashes = tables.merged(result.before, sound)
            else:
                _put(sound, file.manner, result)
            files.append(result)
    return files


def _put(sound: list[Item], manner: OutlineSyntax, result: Placed) -> None:
    root = outline(result.before, manner)
    for more in sound:
        result.clashes += put(more, root, manner)
    rows = list(lines(root))
    result.after = "".join(f"{line}\n" for line, _ in rows)
    result.rows = [item for _, item in rows]


def _sound(texts: list[OwnText], switch_slice: SwitchSlice, result: Placed) -> Iterator[Item]:
    """Yield the outline of each text in which nothing is refused; the faults go to the result."""
    for own in texts:
        try:
            more = _outline(own, switch_slice, result.file)
        except Refused as refused:
            code, why = Code.OWN_LINES_REFUSED, refused.sentence
            result.faults.append(Fault(own=own, at=refused.at, code=code, why=why))
            continue
        clear = [fault for item, _ in more.walk() for fault in _in_clear(own, item, result.file)]
        result.faults += clear  # of such a text nothing is shown anywhere
        if not clear:
            yield more


def _outline(own: OwnText, switch_slice: SwitchSlice, file: OwnFile) -> Item:
    """Return the outline of a text; raise Refused for a line that is not allowed."""
    text = filled(own, switch_slice)
    if file.manner is None:
        try:
            entries = tables.written(_of_port(text, own, switch_slice, file.port), own)
        except ValueError as error:
            raise Refused(1, "after the facts are filled in, it is not valid JSON") from error
        keys = (item for table in entries.below for item in table.below)
        _refuse_absent(((item.at, item.text) for item in keys), switch_slice, file)
        return entries
    try:
        more = _below_port(_said(text, file.manner, own), own, switch_slice, file.port)
    except Misplaced as wrong:
        raise Refused(wrong.number, str(wrong)) from wrong
    for item, above in more.walk():
        if not any(_in_clear(own, item, file)) and (why := refusal(item.text, file, top=not above)):
            raise Refused(item.number, why)
    _refuse_absent(((item.number, item.text) for item in more.below), switch_slice, file)
    return more


def _said(text: str, manner: OutlineSyntax, own: OwnText) -> Item:
    """Return the outline of lines; raise Refused if there are only ends of sections."""
    more = written(text, manner, own)
    rows = enumerate(map(str.strip, text.split("\n")), 1)
    first = next(((number, line) for number, line in rows if line), None)
    if first and not more.below:
        raise Refused(
            first[0], f"`{first[1]}` ends a section or separates two, so it is not a line"
        )
    return more


def _of_port(text: str, own: OwnText, switch_slice: SwitchSlice, table: str) -> str:
    """Return fields of a port as entries of the database."""
    if not own.ports:
        return text
    fields = json.loads(text)
    return json.dumps({table: dict.fromkeys(_names(own, switch_slice), fields)})


def _below_port(lines: Item, own: OwnText, switch_slice: SwitchSlice, head: str) -> Item:
    """Return lines of a port below the head of its section, of each port of a cage."""
    if not own.ports:
        return lines
    heads = (head.format(name) for name in _names(own, switch_slice))
    return Item(text="", below=[Item(text=it, origin=own, below=lines.below) for it in heads])


def _names(own: OwnText, switch_slice: SwitchSlice) -> list[str]:
    """Return the spellings of ports or cages; raise Refused if there is none."""
    every = [each.port for each in switch_slice.interfaces]
    known = {label for port in every for label in (port.label, str(port.cage))}
    if absent := [label for label in own.ports if label not in known]:
        what = spans(map(int, absent)) if len(absent) > 1 else absent[0]
        raise Refused(1, f"{switch_slice.switch.name} has no port {what} in its current use")
    meant = {*own.ports}
    return [
        spell(switch_slice.switch, port) for port in every if meant & {port.label, str(port.cage)}
    ]


def _refuse_absent(
    heads: Iterable[tuple[int | str, str]], switch_slice: SwitchSlice, file: OwnFile
) -> None:
    """Refuse sections and entries of ports that the model of the switch does not have."""
    names = [spell(switch_slice.switch, each.port) for each in switch_slice.interfaces]
    cages = {match[0] for match in map(_CAGE.match, names) if match}
    if not cages:
        return
    kinds = "|".join({cage.rstrip("0123456789") for cage in cages})
    before = file.port.format("") if file.manner is not None else r"[^>]* > (?:[^|]*\|)?"
    port = re.compile(rf"{before}((?:{kinds})[0-9]+)(?![0-9])")
    for at, text in heads:
        match = port.match(text)
        if match and match[1] not in cages:
            named = f"`{text}`: " if isinstance(at, int) else ""
            raise Refused(at, f"{named}a {switch_slice.switch.model} has no such port")


def refusal(line: str, file: OwnFile, *, top: bool) -> str:
    """Return why a line cannot be added to a file; empty if it can."""
    for pattern, why in file.refused:
        if pattern.fullmatch(line):
            return f"`{line}`: {why}"
    if file.manner is not None and line.startswith(file.manner.comment):
        return "a remark belongs in the YAML, after a #"
    if top and file.heads is not None and not file.heads.fullmatch(line):
        return f"`{line}` does not begin a section of this file"
    return ""


def _in_clear(own: OwnText, item: Item, file: OwnFile) -> Iterator[Fault]:
    """Return the fault of the secrets of a line, without its text."""
    if found := wrong(item.text, file):
        code, why = found
        yield Fault(own=own, at=item.at if item.number else "a field", code=code, why=why)


def text_of(item: Item) -> OwnText:
    """Return the text that contains a custom line."""
    assert isinstance(item.origin, OwnText)
    return item.origin
