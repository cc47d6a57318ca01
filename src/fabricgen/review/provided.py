"""Reads a declared change from a file or a revision, and refuses one that the change brings.

A declared change comes from the base branch or from a ticket. A file outside the repositories of
both sides is of a ticket. Any other file must have the content that it has at the revision of side
A. Otherwise the change brings or edits its own declaration. It is then refused, unless one of
`review.allow_own_declaration` of side A approves.

Side A has a revision if it is REV:path, or a folder in another working tree than side B. The
revision of a folder is the HEAD of its working tree.
"""

import os
import subprocess
from collections.abc import Collection
from pathlib import Path

from fabricgen.core.confined import read_file
from fabricgen.core.diagnostics import Code, Diagnostic, Position
from fabricgen.core.record import record
from fabricgen.intent.declared import MAX_BYTES, Declaration, read_declaration
from fabricgen.intent.model.review import ReviewRules
from fabricgen.intent.source import SourceMap

TRAILER = "Declared-change"
_HINT = "give a file, or REV:path in a git repository"


@record()
class _Place:
    """A file or folder in a git working tree. `revision`: empty for the files on disk."""

    top: Path
    revision: str
    path: str


def read_provided(name: str) -> Declaration:
    """Read a declared change from a path or from REV:path. Never raises for errors in it."""
    try:
        content = _content(name)
        if content is None:
            return _refused(name, f"{name!r} is not in the repository", _HINT)
        return read_declaration(name, content.decode("utf-8-sig"))
    except OSError as error:
        return _refused(name, f"cannot be read: {error.strerror or error}", _HINT)
    except UnicodeDecodeError:
        return _refused(name, "is not UTF-8 text", "save the file as UTF-8")


def _content(name: str) -> bytes | None:
    path = Path(name)
    if path.exists() or ":" not in name:
        return read_file(path, MAX_BYTES)
    place = _place(name)
    return _blob(place, place.path) if place is not None else None


def _refused(name: str, message: str, hint: str) -> Declaration:
    wrong = Diagnostic(Code.UNREADABLE, message, hint=hint, position=Position(name, 1, 1))
    return Declaration(name=name, text="", change=None, source=SourceMap(), findings=(wrong,))


def own_declaration(
    declared: Declaration,
    sides: tuple[str, str],
    rules: ReviewRules | None,
    approvers: Collection[str] = (),
) -> str:
    """Return why a declared change does not count for a change; empty if it counts.

    Args:
        declared: The declared change.
        sides: Names of both sides on the command line.
        rules: Gates of side A.
        approvers: Owners who approved.
    """
    if not (why := _brought(declared, *sides)):
        return ""
    owners = rules.allow_own_declaration if rules is not None else []
    if not {*owners}.isdisjoint(approvers):
        return ""
    allowed = (
        f"or get the approval of {' or '.join(owners)}" if owners else "or use the file of a ticket"
    )
    hint = f"merge the declared change into the base branch first, {allowed}"
    return f"{declared.name}: {why} ({hint})"


def _brought(declared: Declaration, before: str, after: str) -> str:
    """Return how the change brings its own declaration; empty if it does not."""
    mine, one, other = _place(declared.name), _place(before), _place(after)
    tops = {place.top for place in (one, other) if place is not None}
    if mine is None or mine.top not in tops:
        return ""
    if one is None or (not one.revision and other is not None and one.top == other.top):
        return "it is not known whether the change brings it, because side A has no revision"
    content = _blob(_Place(one.top, one.revision or "HEAD", ""), mine.path)
    if content is None:
        return "the change brings it: side A does not have the file"
    if content.decode("utf-8-sig", "replace") != declared.text:
        return "the change edits it: side A has another content"
    return ""


def trailer(before: str, after: str) -> str:
    """Return the declared change that the trailer of side B's commit names, at side A's revision.

    The trailer is `Declared-change: changes/012.yaml`. The result is empty if there is none.
    """
    one, other = _place(before), _place(after)
    if one is None or other is None or not one.revision:
        return ""
    form = f"--format=%(trailers:key={TRAILER},valueonly,separator=%x00)"
    found = _git(other.top, "log", "-1", form, other.revision or "HEAD", "--")
    names = [each.strip() for each in (found or b"").decode("utf-8", "replace").split("\0")]
    names = [each for each in names if each]
    return f"{one.revision}:{names[0]}" if len(names) == 1 else ""


def _place(name: str) -> _Place | None:
    """Return where a path or REV:path is; None outside of git."""
    path = Path(name)
    if path.exists():
        real = path.resolve()
        top = _top(real if real.is_dir() else real.parent)
        return None if top is None else _Place(top, "", real.relative_to(top).as_posix())
    revision, colon, inside = name.partition(":")
    top = _top(Path.cwd())
    if top is None or not colon or not revision or revision.startswith("-"):
        return None
    return _Place(top, revision, inside.strip("/"))


def _top(folder: Path) -> Path | None:
    found = _git(folder, "rev-parse", "--show-toplevel")
    return Path(os.fsdecode(found.rstrip(b"\n"))).resolve() if found else None


def _blob(place: _Place, path: str) -> bytes | None:
    return _git(place.top, "cat-file", "blob", f"{place.revision}:{path}")


def _git(folder: Path, *words: str) -> bytes | None:
    done = subprocess.run(  # noqa: S603
        ["git", "-C", folder, *words],  # noqa: S607
        capture_output=True,
        check=False,
    )
    return done.stdout if done.returncode == 0 else None
