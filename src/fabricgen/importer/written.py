"""Writes a tree as the files of a site folder, formatted for people.

A value that fits on a line is written on one line. A larger site has one file for each part.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from fabricgen.core.units import natural, spans
from fabricgen.importer.tree import Tree, without
from fabricgen.intent.source import plain_scalar

Path = tuple[str, ...]
Notes = Mapping[Path, str]
"""Comments, by the path of the key that they are about."""
FIRST = ("site", "servers", "backend", "frontend", "fabrics", "racks", "cabling", "tenants")
"""The order of the top, and below it what comes first wherever it stands."""
_INNER = ("name", "kind", "id", "servers", "switches", "design", "description", "fabric")
_WIDTH = 100
_SCREEN = 60
"""Lines of a site that is one file."""
_FLAT = 2
"""Mappings inside one another on one line."""
_NAMED = {"fabrics", "servers", "tenants", "racks", "jobs", "port_profiles"}
"""Keys whose entries are blocks, as their first keys are."""
_PLAIN = re.compile(r"[A-Za-z0-9_./][A-Za-z0-9_./ +-]*")
_NUMBER = re.compile(r"[1-9][0-9]{0,2}")
_FABRICS = {("frontend",), ("backend",)}
_OLD_WORDS = {"on", "off", "yes", "no", "y", "n"}
"""What other readers of YAML take for true or false."""
_OWN_FILES = ("servers", "backend", "frontend")
_HEAD = "# Found by `fabricgen import` in what is configured; people may write on from here.\n"


def written(tree: Tree, notes: Notes | None = None, head: str = _HEAD) -> dict[str, str]:
    """Return the files by their paths in the site folder.

    Args:
        tree: The intent.
        notes: Comments.
        head: Comment at the top of `site.yaml`.

    """
    said, tree = notes or {}, _ranged(tree)
    files = {path: _text(own, said) for path, own in _files(tree)}
    if sum(text.count("\n") for text in files.values()) <= _SCREEN:
        racks = {path: text for path, text in files.items() if path == "racks.yaml"}
        files = {"site.yaml": _text(without(tree, "racks"), said), **racks}
    return {path: head * (path == "site.yaml") + text for path, text in files.items()}


def _ranged(tree: Tree) -> Tree:
    """Return a tree in which cages of a switch of which the same is said are one key: 2-3."""
    return {
        key: {name: _of_switch(own) for name, own in words.items()}
        if key == "switches" and isinstance(words, dict)
        else _ranged(words)
        if isinstance(words, dict)
        else words
        for key, words in tree.items()
    }


def _of_switch(words: Any) -> Any:
    if not isinstance(words, dict) or not isinstance(words.get("ports"), dict):
        return words
    alike: dict[str, list[int]] = {}
    rest: Tree = {}
    for key, own in words["ports"].items():
        if str(key).isdigit() and "move_to" not in own:
            alike.setdefault(repr(own), []).append(int(key))
        else:
            rest[key] = own
    every = {spans(cages): words["ports"][str(cages[0])] for cages in alike.values()}
    return {**words, "ports": every | rest}


def _text(words: Tree, notes: Notes) -> str:
    """Return the text of a file, with an empty line between the keys of its top."""
    keys = sorted(words, key=lambda each: _rank(each, ()))
    parts = ["\n".join(_entry(key, words[key], (key,), notes, "")) for key in keys]
    return "\n\n".join(parts) + "\n" if parts else ""


def _files(tree: Tree) -> Iterator[tuple[str, Tree]]:
    """Yield the parts of a tree with the file that each is in; all others are in that of the site.

    A site and its services come first, so that whoever opens the folder begins there.
    """
    rest = dict(tree)
    own = {key: rest.pop(key) for key in (*_OWN_FILES, "racks") if key in rest}
    fabrics, tenants = rest.pop("fabrics", {}), rest.pop("tenants", {})
    yield "site.yaml", rest
    for key, words in own.items():
        yield f"{key}.yaml", {key: words}
    for name, words in fabrics.items():
        yield (
            f"{name}.yaml" if name not in own else f"fabric-{name}.yaml",
            {"fabrics": {name: words}},
        )
    for name, words in tenants.items():
        yield f"tenants/{name}.yaml", {"tenants": {name: words}}


def _block(words: Tree, path: Path, notes: Notes, margin: str = "") -> Iterator[str]:
    """Yield the lines of a mapping."""
    named = "switches" in (path[-1:] + path[-3:-2])
    for key in sorted(natural(words) if named else words, key=lambda each: _rank(each, path)):
        yield from _entry(key, words[key], (*path, key), notes, margin)


def _rank(key: str, path: Path) -> int:
    order = FIRST if not path else _INNER
    if key == "switches" and (path in _FABRICS or path[:-1] == ("fabrics",)):
        return len(order) + 1  # single switches, after what is said of all
    return order.index(key) if key in order else len(order)


def _entry(key: str, value: Any, path: Path, notes: Notes, margin: str) -> Iterator[str]:
    head, note = f"{margin}{_key(key)}:", notes.get(path, "")
    if isinstance(value, str) and _several(value):
        yield from _with(f"{head} |", note, margin)
        yield from (f"{margin}  {line}" for line in value.splitlines())
        return
    line = f"{head} {_flow(value)}"
    told = any(known[: len(path)] == path and known != path for known in notes)
    if not isinstance(value, dict | list) or (_on_one_line(value, path) and not told):
        first, *more = _folded(line) if isinstance(value, dict) else [line]
        if len(first) <= _WIDTH or not isinstance(value, list):
            yield from _with(first, note, margin)
            yield from more
            return
    yield from _with(head, note, margin)
    if isinstance(value, dict):
        yield from _block(value, path, notes, f"{margin}  ")
        return
    for item in value:
        yield from _item(item, f"{margin}  ")


def _item(item: Any, margin: str) -> Iterator[str]:
    line = f"{margin}- {_flow(item)}"
    if len(line) <= _WIDTH or not isinstance(item, dict):
        yield line
        return
    lines = list(_block(item, ("-",), {}, f"{margin}  "))
    yield f"{margin}- {lines[0].lstrip()}"
    yield from lines[1:]


def _with(line: str, note: str, margin: str) -> Iterator[str]:
    """Yield a line with its comment: behind it, or above where there is no room."""
    if not note:
        yield line
    elif len(line) + len(note) + 4 <= _WIDTH:
        yield f"{line}  # {note}"
    else:
        yield f"{margin}# {note}"
        yield line


def _folded(line: str) -> list[str]:
    """Cut a mapping on one line where that is too long, below its first key."""
    lines, margin = [], " " * (line.index("{") + 1)
    while len(line) > _WIDTH and (cut := line.rfind(", ", len(margin), _WIDTH)) > 0:
        lines.append(line[: cut + 1])
        line = margin + line[cut + 2 :]
    return [*lines, line]


def _on_one_line(value: Any, path: Path) -> bool:
    """Tell whether a mapping or list stands on one line: not what has a name, nor several such."""
    if not value:
        return True
    if isinstance(value, dict) and any(_several(each) for each in _texts(value)):
        return False
    named = path[0] in _NAMED and (len(path) <= 2 or path[2:] == ("ports",))
    entries = value.values() if isinstance(value, dict) else ()
    inner = [each for each in entries if isinstance(each, dict)]
    return len(path) > 1 and not named and len(inner) < 2 and _depth(value) <= _FLAT


def _texts(value: Any) -> Iterator[str]:
    for each in value.values() if isinstance(value, dict) else ():
        if isinstance(each, str):
            yield each
        yield from _texts(each)


def _several(text: str) -> bool:
    """Tell whether a text is lines, and is written so: what ends with one line end, unindented."""
    return text.endswith("\n") and not text.endswith("\n\n") and not text.startswith((" ", "\n"))


def _depth(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + max(map(_depth, value.values()), default=0)
    return max(map(_depth, value), default=0) if isinstance(value, list) else 0


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        keys = sorted(value, key=lambda each: _rank(each, ("-",)))
        return "{" + ", ".join(f"{_key(key)}: {_flow(value[key])}" for key in keys) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    return _scalar(value)


def _key(key: str) -> str:
    """Spell a key: numbers as people write them, for every key is read as text."""
    return key if _NUMBER.fullmatch(key) else _scalar(key)


def _scalar(value: Any) -> str:
    """Spell a value so that it is read as what it is; in quotes where it would not be."""
    if not isinstance(value, str):
        return json.dumps(value)
    known = _PLAIN.fullmatch(value) and value == value.strip() and value.lower() not in _OLD_WORDS
    plain = known and plain_scalar(value) == value
    return value if plain else json.dumps(value, ensure_ascii=False)


def lines_of(files: Mapping[str, str]) -> int:
    """Count lines that say something: neither comments nor empty ones."""
    every = (line.strip() for text in files.values() for line in text.splitlines())
    return sum(bool(line) and not line.startswith("#") for line in every)
