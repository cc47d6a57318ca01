"""Compares saved configurations with another side, switch by switch.

A saved configuration has fewer files than a rendered switch, and names no fabric. So its switch
gets the folder of the switch with its host name on the other side. Only common files are compared.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from fabricgen.compile.compiler import HOSTS
from fabricgen.core.diagnostics import Diagnostic, has_errors
from fabricgen.core.record import record
from fabricgen.core.tree.table import ALWAYS
from fabricgen.core.units import counted, natural, shortened
from fabricgen.intent.source import SourceMap
from fabricgen.nos.registry import nos, platforms
from fabricgen.prove.foreign.database import lossy
from fabricgen.prove.foreign.folder import Found, found
from fabricgen.prove.foreign.switch import Judged
from fabricgen.review.side import Side, failed

if TYPE_CHECKING:
    from fabricgen.nos.nos import Foreign

UNPLACED = "switches"
"""Folder of switches that the other side does not have."""
_NAME = re.compile(r"[^\w.+-]")
_HEAD = re.compile(r"\A(?:!.*\n|\n)+")
_END = re.compile(r"^(?:end\n+)+\Z", re.MULTILINE)
_NAMED = 5
_SECRET = "<<hidden>>"  # noqa: S105 - it replaces one


@record(kw_only=True)
class Saved:
    """A folder of saved configurations.

    Attributes:
        name: Words of the command line.
        switches: Files of each switch, by its host name.
        notes: Files that are not read.
    """

    name: str
    switches: Mapping[str, Found]
    notes: tuple[str, ...]

    @property
    def names(self) -> frozenset[str]:
        """Return the host names in lower case."""
        return frozenset(map(str.lower, self.switches))


@record(kw_only=True)
class _Pair:
    """One switch with its platforms and files on both sides. `saved`: both are saved."""

    platforms: tuple[str, str]
    texts: tuple[Mapping[str, str], Mapping[str, str]]
    saved: bool = False


def read_saved(name: str, place: Path) -> Saved | Side | None:
    """Read a folder of saved configurations; None if it has none."""
    try:
        folders = found(place)
    except OSError as error:
        return failed(name, f"{name!r} cannot be read: {error.strerror}")
    switches: dict[str, Found] = {}
    notes = [_unread(each) for each in folders.findings]
    for each in folders.switches:
        texts = {path: text for path, text in each.texts.items() if not _is_broken(path, text)}
        notes += [
            f"{each.places[path]} is not compared: it is not a database that can be read completely"
            for path in each.texts.keys() - texts.keys()
        ]
        own = Found(name=each.name, platform=each.platform, texts=texts, places=each.places)
        host = _NAME.sub("_", Judged(own, wide=False).name)
        if other := next((it for it in switches if it.lower() == host.lower()), None):
            both = " and ".join(min(it.places.values()) for it in (switches[other], each))
            return failed(name, f"{host} is the name of two switches: {both}", "rename one of them")
        if texts:
            switches[host] = own
    if not switches:
        return None
    shown = notes[:20] + ([f"{len(notes) - 20} more files are not compared"] if notes[20:] else [])
    return Saved(name=name, switches=switches, notes=tuple(shown))


def _is_broken(path: str, text: str) -> bool:
    return path.endswith(".json") and lossy(text) is not None


def _unread(finding: Diagnostic) -> str:
    at = finding.position
    return f"{at.file if at is not None else 'a file'} is not compared: {finding.message}"


def saved_and_other(saved: Saved, other: Side, absent: Iterable[str] = ()) -> tuple[Side, Side]:
    """Return both sides of saved configurations and another side.

    absent: folders of the other side without a saved configuration, which it does not have.
    """
    if has_errors(other.findings):
        return _side(saved, {}, ()), other
    places = {
        folder.rpartition("/")[2].lower(): folder
        for folder in other.tree
        if not folder.startswith(f"{HOSTS}/")
    }
    pairs: dict[str, _Pair] = {}
    for host, own in saved.switches.items():
        folder = places.get(host.lower(), f"{UNPLACED}/{host}")
        texts = other.tree[folder] if host.lower() in places else {}
        pairs[folder] = _Pair(
            platforms=(own.platform, _platform(texts) or own.platform), texts=(own.texts, texts)
        )
    notes = _absent((*absent, *(folder for folder in other.tree if folder not in pairs)))
    one, two, more = _compared(pairs, lambda _: _SECRET)
    notes += [*more, "secrets are not compared: only a push resolves them"]
    return _side(saved, one, tuple(notes)), _like(other, two, tuple(notes))


def _absent(folders: tuple[str, ...]) -> list[str]:
    """Return the notes about devices without a saved configuration."""
    servers = sum(folder.startswith(f"{HOSTS}/") for folder in folders)
    switches = [folder for folder in folders if not folder.startswith(f"{HOSTS}/")]
    notes = [f"{counted(servers, 'server')} without a saved configuration are not compared"]
    names = shortened(natural(switches), _NAMED)
    number = counted(len(switches), "switch")
    more = [f"{number} without a saved configuration are not compared: {names}"]
    return (more if switches else []) + (notes if servers else [])


def both_saved(one: Saved, other: Saved) -> tuple[Side, Side]:
    """Return both sides of two folders of saved configurations. Equal secrets have equal tokens."""
    hosts = {host.lower(): host for host in (*other.switches, *one.switches)}
    ones, others = (
        {host.lower(): own for host, own in each.switches.items()} for each in (one, other)
    )
    pairs: dict[str, _Pair] = {}
    for low, host in hosts.items():
        both = ones.get(low), others.get(low)
        first = both[0] or both[1]
        assert first is not None
        pairs[f"{UNPLACED}/{host}"] = _Pair(
            platforms=(
                both[0].platform if both[0] else first.platform,
                both[1].platform if both[1] else first.platform,
            ),
            texts=(both[0].texts if both[0] else {}, both[1].texts if both[1] else {}),
            saved=True,
        )
    before, after, notes = _compared(pairs, _Tokens())
    return _side(one, before, notes), _side(other, after, notes)


class _Tokens:
    """Numbers secrets in their order, so that a token reveals only which secrets are equal."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}

    def __call__(self, secret: str) -> str:
        return f"<<hidden:{self._known.setdefault(secret, len(self._known) + 1)}>>"


def _compared(
    pairs: Mapping[str, _Pair], token: Callable[[str], str]
) -> tuple[dict[str, str], dict[str, str], tuple[str, ...]]:
    """Return the comparable files of both sides by path, and notes about the others."""
    trees: tuple[dict[str, str], dict[str, str]] = {}, {}
    left: Counter[str] = Counter()
    for folder, pair in pairs.items():
        left.update(set().union(*pair.texts) - _comparable(pair))
        for tree, texts in zip(trees, _shown(pair, token), strict=True):
            tree.update((f"{folder}/{path}", text) for path, text in texts.items())
    files = [f"{path} ({counted(n, 'switch')})" for path, n in sorted(left.items())]
    notes = (
        (f"files that were not saved are not compared: {shortened(files, _NAMED)}",)
        if files
        else ()
    )
    return *trees, notes


def _comparable(pair: _Pair) -> set[str]:
    """Return the paths that are compared: those that the saved side has, or a new switch."""
    old, new = pair.texts
    if pair.platforms[0] != pair.platforms[1]:
        return {*old, nos(pair.platforms[1]).marker} & {*old, *new}
    return set(old) & set(new) if pair.saved and old and new else set(old or new)


def _shown(pair: _Pair, token: Callable[[str], str]) -> Iterator[dict[str, str]]:
    """Yield the comparable files of both sides in one layout, without secrets and defaults."""
    paths = _comparable(pair)
    saved, wanted = (
        {path: text for path, text in texts.items() if path in paths} for texts in pair.texts
    )
    if pair.platforms[0] == pair.platforms[1] and saved and not pair.saved:
        wanted = _saved_lines(pair.platforms[1], saved, wanted)
    for platform, texts in zip(pair.platforms, (saved, wanted), strict=True):
        reader = nos(platform).foreign
        yield {
            path: _plain(path, text, reader.load(), token) if reader is not None else text
            for path, text in texts.items()
        }


def _plain(path: str, text: str, reader: Foreign, token: Callable[[str], str]) -> str:
    """Return a text without secrets, and without the comments of `show running-config`."""
    ordered = reader.ordered.get(path, str)(text)
    if path in reader.hidden:
        with suppress(ValueError, RecursionError):  # a rendered file that is not a database
            ordered = reader.hidden[path](ordered, token)
    return _END.sub("", _HEAD.sub("", ordered))


def _saved_lines(
    platform: str, saved: Mapping[str, str], wanted: Mapping[str, str]
) -> dict[str, str]:
    """Return rendered files without the defaults that a saved configuration omits."""
    reader = nos(platform).foreign
    unsaved = reader.load().unsaved if reader is not None else frozenset()
    if not unsaved:
        return dict(wanted)
    places = {path: path for path in (*saved, *wanted)}
    has, design = (
        Judged(Found(name="", platform=platform, texts=texts, places=places))
        for texts in (saved, wanted)
    )
    dropped: set[tuple[str, int]] = set()
    for (key, name), at in design.lines.items():
        value = design.own(key).get(name)
        fact = key[0], key[1] if key[0] == ALWAYS else name, value
        if fact in unsaved and has.own(key).get(name) is None:
            dropped.add((at.file, at.line))
    return {
        path: "".join(
            line
            for number, line in enumerate(text.splitlines(keepends=True), 1)
            if (path, number) not in dropped
        )
        for path, text in wanted.items()
    }


def _platform(texts: Mapping[str, str]) -> str | None:
    return next((name for name in platforms() if nos(name).marker in texts), None)


def _side(saved: Saved, files: dict[str, str], notes: tuple[str, ...]) -> Side:
    return Side(
        name=saved.name,
        files=files,
        findings=(),
        source=SourceMap(),
        notes=(*saved.notes, *notes),
    )


def _like(other: Side, files: dict[str, str], notes: tuple[str, ...]) -> Side:
    """Return the other side with its comparable files only."""
    return Side(
        name=other.name,
        files=files,
        findings=other.findings,
        source=other.source,
        loaded=other.loaded,
        site=other.site,
        notes=(*other.notes, *notes),
    )
