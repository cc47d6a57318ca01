"""Labels changed lines with what supports them, and computes a verdict again from its evidence."""

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from fabricgen.compile.output.risks import platform_of
from fabricgen.compile.render import template_folder
from fabricgen.core import SOURCES, VERSION
from fabricgen.core.units import counted
from fabricgen.intent.declared import Declaration
from fabricgen.prove.written import NOBODY, judge_of
from fabricgen.review.declared import Verdict
from fabricgen.review.evidence_file import (
    LAB_RUN,
    MODEL_CHECK,
    NOTHING,
    READ_BACK,
    Compiler,
    DeclaredText,
    Evidence,
    Label,
    Lines,
    SideDigests,
)
from fabricgen.review.model import Review
from fabricgen.review.side import Side

SAME = "same verdict"
_HOSTS = "hosts/"
_CACHES = ("__pycache__",)


def evidence(
    review: Review,
    sides: tuple[Side, Side],
    verdict: Verdict,
    refused: Iterable[str] = (),
    declared: Declaration | None = None,
    approvers: Iterable[str] = (),
    lab: Collection[str] = (),
) -> Evidence:
    """Return the evidence of a verdict.

    Args:
        review: The review.
        sides: Both sides.
        verdict: The verdict of the declared change.
        refused: Reasons of the gates.
        declared: The declared change, if there is one.
        approvers: Owners who approved.
        lab: Names of the devices that a lab run booted and compared on both sides.
    """
    before, after = sides
    return Evidence(
        before=digests(before),
        after=digests(after),
        compiler=compiler(),
        declared=_text_of(declared),
        approvers=tuple(sorted(set(approvers))),
        lab=tuple(sorted(set(lab))),
        verdict=verdict.word.value,
        reasons=verdict.texts,
        refused=tuple(refused),
        lines=tuple(_lines(review, sides, frozenset(lab))),
    )


def replayed(old: Evidence, new: Evidence) -> tuple[str, ...]:
    """Return what differs between two computations of a verdict; empty for the same verdict.

    Names of sides are not compared, because a revision has several. Reasons contain the names of
    files, so only the number of reasons is compared.
    """
    return (*_other_inputs(old, new), *_other_results(old, new))


def _other_inputs(old: Evidence, new: Evidence) -> Iterator[str]:
    for name, one, other in (("A", old.before, new.before), ("B", old.after, new.after)):
        parts = [
            part
            for part in ("intent", "catalog", "templates", "files")
            if getattr(one, part) != getattr(other, part)
        ]
        if parts:
            yield f"side {name} differs from the evidence: {', '.join(parts)}"
    if old.compiler != new.compiler:
        versions = f"{old.compiler.version} then, {new.compiler.version} now"
        yield f"the compiler differs: {versions}, digest of the source " + (
            "equal" if old.compiler.source == new.compiler.source else "different"
        )
    if _digest(old.declared) != _digest(new.declared):
        yield "the declared change differs"
    if old.approvers != new.approvers:
        yield "the approving owners differ"


def _other_results(old: Evidence, new: Evidence) -> Iterator[str]:
    if old.verdict != new.verdict:
        yield f"the verdict was {old.verdict!r} and is {new.verdict!r}"
    for word, ones, others in (
        ("reason", old.reasons, new.reasons),
        ("refusal", old.refused, new.refused),
    ):
        if len(ones) != len(others):
            yield f"the verdict had {counted(len(ones), word)} and has {len(others):,}"
    if old.lines != new.lines:
        number = max(len({*map(repr, one)} - {*map(repr, two)}) for one, two in _both(old, new))
        verb = "differs" if number == 1 else "differ"
        yield f"{counted(number, 'template')} of changed lines or of labels {verb}"


def _both(old: Evidence, new: Evidence) -> tuple[tuple[Sequence[Lines], Sequence[Lines]], ...]:
    """Return the changed lines in both orders."""
    return (old.lines, new.lines), (new.lines, old.lines)


def _digest(declared: DeclaredText | None) -> str:
    """Return the digest of the text, not the claimed one."""
    return "" if declared is None else sha256(declared.text)


def _text_of(declared: Declaration | None) -> DeclaredText | None:
    if declared is None:
        return None
    return DeclaredText(name=declared.name, sha256=sha256(declared.text), text=declared.text)


def sha256(text: str) -> str:
    """Return the digest of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def digests(side: Side) -> SideDigests:
    """Return the digests of a side."""
    loaded = side.loaded
    return SideDigests(
        name=side.name,
        intent=None if loaded is None else _of_data(loaded.source.root),
        catalog=None if loaded is None else _of_texts(loaded.facts),
        templates=None
        if loaded is None
        else _of_texts({each.name: each.text for each in loaded.templates}),
        files=_of_side(side),
    )


def _of_side(side: Side) -> str:
    """Return the digest of the compared files, read folder by folder."""
    hashed = hashlib.sha256()
    tree = side.tree
    for folder in sorted(tree):
        hashed.update(f"{folder}\0{_of_texts(tree[folder])}\0".encode())
    hashed.update(json.dumps([sorted(side.unchanged), sorted(side.unknown)]).encode())
    return hashed.hexdigest()


def _of_data(data: Any) -> str:
    return sha256(json.dumps(data))


def _of_texts(texts: Mapping[str, str]) -> str:
    return sha256(json.dumps(sorted(texts.items())))


@cache
def compiler() -> Compiler:
    """Return the version of the package, and the digest of its files and of its templates."""
    hashed = hashlib.sha256()
    roots = (("src", SOURCES), ("templates", template_folder()))
    for word, root in roots:
        for path in sorted(root.rglob("*")):
            inner = path.relative_to(root)
            if word == "src" and inner.parts[0] == "templates":
                continue
            if path.is_file() and not set(_CACHES).intersection(inner.parts):
                content = hashlib.sha256(path.read_bytes()).hexdigest()
                hashed.update(f"{word}/{inner.as_posix()}\0{content}\0".encode())
    return Compiler(version=VERSION, source=hashed.hexdigest())


def _lines(review: Review, sides: tuple[Side, Side], lab: frozenset[str]) -> Iterator[Lines]:
    """Yield every template of changed lines, and every complete file of new devices, labelled."""
    labels = _Labels(sides, lab)
    for block in review.blocks:
        by_name = {folder.rpartition("/")[2]: folder for folder in block.folders}
        for shape in block.shapes:
            rows = dict.fromkeys(row[0] for row in shape.rows)
            folders = tuple(by_name.get(name, name) for name in rows) or block.folders
            yield Lines(
                file=shape.file,
                place=shape.place,
                removed=shape.removed,
                added=shape.added,
                devices=folders,
                labels=labels.of(shape.file, folders),
            )
        if not block.shapes:
            yield from _whole_files(block.folders, labels)


def _whole_files(folders: Iterable[str], labels: "_Labels") -> Iterator[Lines]:
    """Yield the files of new and removed devices, which have no templates."""
    devices: dict[str, list[str]] = {}
    for folder in folders:
        for path in labels.paths(folder):
            devices.setdefault(path, []).append(folder)
    for path, every in sorted(devices.items()):
        yield Lines(
            file=path,
            place=(),
            removed=(),
            added=(),
            whole=True,
            devices=tuple(every),
            labels=labels.of(path, every),
        )


class _Labels:
    """Labels of changed files. Each file is read once by the grammar of its platform."""

    def __init__(self, sides: tuple[Side, Side], lab: frozenset[str]) -> None:
        self._trees = tuple(side.tree for side in sides)
        self._is_checked = all(side.site is not None for side in sides)
        self._lab = lab
        self._known: dict[tuple[str, str], bool] = {}

    def paths(self, folder: str) -> tuple[str, ...]:
        """Return the files of a device on either side."""
        return tuple(dict.fromkeys(path for tree in self._trees for path in tree.get(folder, ())))

    def of(self, path: str, folders: Collection[str]) -> tuple[Label, ...]:
        """Return what supports the lines of a file on all these devices."""
        holds: dict[Label, bool] = {
            READ_BACK: all(self._is_claimed(folder, path) for folder in folders),
            MODEL_CHECK: self._is_checked,
            LAB_RUN: all(folder.rpartition("/")[2] in self._lab for folder in folders),
        }
        return tuple(label for label, is_so in holds.items() if is_so) or (NOTHING,)

    def _is_claimed(self, folder: str, path: str) -> bool:
        """Return whether a grammar claims every line of a file on each side that has it."""
        key = (folder, path)
        if key not in self._known:
            self._known[key] = self._read(folder, path)
        return self._known[key]

    def _read(self, folder: str, path: str) -> bool:
        files = [tree[folder] for tree in self._trees if folder in tree]
        if folder.startswith(_HOSTS) or not files:
            return False
        platform = platform_of(folder, files[-1])
        judge = judge_of(platform) if platform is not None else None
        if judge is None or judge.witness(path) is NOBODY:
            return False
        texts = [each[path] for each in files if path in each]
        return bool(texts) and not any(judge.read(path, text).unclaimed for text in texts)
