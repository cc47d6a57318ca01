"""Reads configuration files to settings: each is a path of sections, with an optional value.

Text without effect on the device is dropped: order, comments, blank lines, the end marks of
sections.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

Path = tuple[str, ...]
Settings = dict[Path, str]
Fold = Callable[[str], Iterable[Path]]

_INI = re.compile(r"\[.+\]")
_COMMENT = ("#", "!", ";")


def sections(
    text: str, *, fold: Fold | None = None, ends: frozenset[str] = frozenset()
) -> Settings:
    """Read text with indented sections, such as CLI, interfaces(5) and plain YAML.

    `fold`: converts one line to its paths below its section. `ends`: lines that only end a section.
    A banner is one setting, up to its EOF.
    """
    settings: Settings = {}
    open_: list[tuple[int, Path]] = []  # indentation and path of the sections around a line
    for indent, line in _lines(text):
        if line in ends:
            continue
        while open_ and open_[-1][0] >= indent:
            open_.pop()
        below = open_[-1][1] if open_ else ()
        for path in fold(line) if fold else ((line,),):
            inner = below
            for word in path:
                inner = (*inner, word)
                settings.setdefault(inner, "")
        open_.append((indent, inner))
    return settings


def _lines(text: str) -> Iterator[tuple[int, str]]:
    rest = iter(text.splitlines())
    for raw in rest:
        line = raw.strip()
        if line.startswith("banner "):
            words = [line]
            for more in rest:
                if more.strip() == "EOF":
                    break
                words.append(more)
            line = "\n".join(words)
        if line and not line.startswith(_COMMENT):
            yield len(raw) - len(raw.lstrip()), line


def tables(text: str) -> Settings:
    """Read config_db.json: (table, key, field) to value; a key is also a path.

    Text that is not such a database is one unclassified setting.
    """
    try:
        return dict(_rows(json.loads(text or "{}")))
    except (ValueError, AttributeError):
        return {("unreadable",): text}


def _rows(database: dict[str, dict[str, dict[str, object]]]) -> Iterator[tuple[Path, str]]:
    for table, keys in database.items():
        for key, fields in keys.items():
            yield (table, key), ""
            for field, value in fields.items():
                yield (table, key, field), value if isinstance(value, str) else json.dumps(value)


def lines(text: str) -> Settings:
    """Read a file whose lines are independent settings, in any order."""
    return {(line,): "" for _, line in _lines(text)}


def script(text: str) -> Settings:
    """Read a file whose lines run in order: it is one setting, without comments."""
    kept = [line for line in text.splitlines() if line.strip()]
    lines = [line for line in kept if not line.lstrip().startswith("#") or line.startswith("#!")]
    return {("script",): "\n".join(lines)} if lines else {}


def ini(text: str) -> Settings:
    """Read unit files, networkd, keyfiles; a repeated section is one setting."""
    blocks: list[tuple[str, list[str]]] = []
    for _, line in _lines(text):
        if _INI.fullmatch(line):
            blocks.append((line, []))
        elif blocks:
            blocks[-1][1].append(line)
    often = Counter(name for name, _ in blocks)
    settings: Settings = {}
    for name, inside in blocks:
        settings[(name,)] = ""
        for line in [" ".join(sorted(inside))] if often[name] > 1 else inside:
            settings[name, line] = ""
    return settings


def whole(text: str) -> Settings:
    """Read a file in an unknown language: its complete text is one setting."""
    return {("whole file",): text} if text else {}
