"""Store the answers of switches, and read them as if the switches answered again.

A recording is a folder or a tarball, with a folder for each switch. That folder has the
answer to each question as `KEY.json` or `KEY.txt`, and `manifest.json`, which has the platform, the
release, the time and the hash of each answer. A recording comes from other people, so its reader
follows no link, and a missing or changed file makes one question unread.
"""

import hashlib
import json
import re
import shutil
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fabricgen.core import VERSION
from fabricgen.core.confined import Folder, Refused, is_below
from fabricgen.core.record import record
from fabricgen.nos.questions import LOST, Answer, Answers
from fabricgen.operate.state.answer_filter import UnfilteredError, filtered

FORMAT = 1
MANIFEST = "manifest.json"
MOST = 64 << 20
"""Bytes of one answer, as of the SSH client (nos/shared/ssh.py)."""
MOST_FILES, MOST_IN_ALL = 200_000, 8 << 30
"""Files and bytes of a tarball: 512 switches with 100 answers, and a wide margin (ours)."""
_DEEPEST = 4
_PLAIN = re.compile(r"[^A-Za-z0-9._-]+")


class RecordingError(Exception):
    """A recording that cannot be opened; the text is the reason."""


@record(kw_only=True)
class Recorded:
    """A switch at the time of its recording."""

    switch: str
    platform: str
    release: str
    model: str


class Recorder:
    """Stores the answers of switches in a folder. The last answers of a switch remain."""

    def __init__(self, folder: Path, hide: Callable[[str], str]) -> None:
        """Set the folder, and the function that replaces known secrets."""
        self._folder, self._hide = folder, hide
        folder.mkdir(parents=True, exist_ok=True)

    def write(self, switch: Recorded, answers: Answers) -> None:
        """Store the answers of one switch. Its folder appears as a whole."""
        new = Path(tempfile.mkdtemp(prefix=f".{switch.switch}-", dir=self._folder))
        try:
            rows = list(self._rows(new, answers))
            manifest = {
                "format_version": FORMAT,
                "tool": f"fabricgen {VERSION}",
                "switch": switch.switch,
                "platform": switch.platform,
                "release": switch.release,
                "model": switch.model,
                "time": datetime.now(UTC).isoformat(timespec="seconds"),
                "answers": rows,
            }
            (new / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
            new.chmod(0o755)
            _replace(new, self._folder / switch.switch)
        finally:
            shutil.rmtree(new, ignore_errors=True)

    def _rows(self, folder: Path, answers: Answers) -> Iterator[dict[str, Any]]:
        """Write each answer, and yield its row in the manifest."""
        used: set[str] = set()
        for key, answer in answers.items():
            row: dict[str, Any] = {"key": key, "status": answer.status, "seconds": answer.seconds}
            try:
                text = filtered(answer.text, self._hide)
            except UnfilteredError as error:
                yield row | {"omitted": str(error)}
                continue
            name = _file_name(key, text, used)
            data = text.encode("utf-8", "backslashreplace")
            (folder / name).write_bytes(data)
            yield row | {"file": name, "sha256": hashlib.sha256(data).hexdigest()}


def _file_name(key: str, text: str, used: set[str]) -> str:
    """Return a new file name for a key, which may have blanks."""
    stem = _PLAIN.sub("-", key).strip("-.")[:100] or "answer"
    suffix = "json" if text.lstrip().startswith(("{", "[")) else "txt"
    name, number = f"{stem}.{suffix}", 1
    while name.lower() in used or name == MANIFEST:
        number += 1
        name = f"{stem}-{number}.{suffix}"
    used.add(name.lower())
    return name


def _replace(new: Path, target: Path) -> None:
    """Put a folder in the place of another one. A reader sees the old or the new one, or none."""
    old = new.with_name(f"{new.name}.old")
    if target.exists():
        target.rename(old)
    new.rename(target)
    shutil.rmtree(old, ignore_errors=True)


class Recordings:
    """The recorded switches below a folder."""

    def __init__(self, folder: Path) -> None:
        """List the switches. Raises RecordingError if there is none."""
        self.folder = folder
        try:
            self._places = dict(reversed([*_places(folder)]))
        except OSError as error:
            raise RecordingError(f"{folder}: {error.strerror}") from error
        if not self._places:
            raise RecordingError(f"{folder} has no recording: no folder in it has a {MANIFEST}")

    @property
    def switches(self) -> frozenset[str]:
        """The names of the recorded switches: the names of their folders."""
        return frozenset(self._places)

    def manifest(self, switch: str) -> Mapping[str, Any]:
        """Return the manifest of a switch.

        Raises:
            RecordingError: It is unreadable, or has another form.
        """
        with Folder(self._places[switch]) as folder:
            return _manifest(folder)

    def answers(self, switch: str) -> Answers:
        """Return the answers of a switch. A lost one has the status LOST and the reason.

        Raises:
            RecordingError: The manifest is unreadable.
        """
        with Folder(self._places[switch]) as folder:
            rows = _manifest(folder)["answers"]
            return {row["key"]: _answer(folder, row) for row in rows}


def _places(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the folders with a manifest, a few levels deep, without following links."""
    left = [(folder, 0)]
    while left:
        here, depth = left.pop(0)
        if (here / MANIFEST).is_file():
            yield here.resolve().name if here == folder else here.name, here
            continue
        if depth < _DEEPEST:
            inner = (each for each in sorted(here.iterdir()) if not each.name.startswith("."))
            left += [(each, depth + 1) for each in inner if each.is_dir() and not each.is_symlink()]


def _manifest(folder: Folder) -> Mapping[str, Any]:
    try:
        value = json.loads(folder.text(MANIFEST, MOST))
    except (OSError, ValueError, RecursionError) as error:
        raise RecordingError(f"its {MANIFEST} is unreadable: {_reason(error)}") from error
    if not isinstance(value, dict) or value.get("format_version") != FORMAT:
        raise RecordingError(f"its {MANIFEST} has another format than {FORMAT}")
    rows = value.get("answers")
    if not isinstance(rows, list) or not all(map(_is_row, rows)):
        raise RecordingError(f"its {MANIFEST} lists no answers")
    return value


def _is_row(row: object) -> bool:
    if not isinstance(row, dict) or not isinstance(row.get("key"), str):
        return False
    seconds = row.get("seconds")
    known = isinstance(row.get("file"), str) or isinstance(row.get("omitted"), str)
    return (
        known
        and type(row.get("status")) is int
        and (seconds is None or isinstance(seconds, int | float))
    )


def _answer(folder: Folder, row: Mapping[str, Any]) -> Answer:
    if "file" not in row:
        return Answer(f"not recorded: {row['omitted']}", LOST)
    name = row["file"]
    try:
        data = folder.read(name, MOST)
        if hashlib.sha256(data).hexdigest() != row.get("sha256"):
            return Answer(f"{name} differs from its hash in {MANIFEST}", LOST)
        return Answer(data.decode(), row["status"], row["seconds"])
    except (OSError, ValueError) as error:
        return Answer(f"{name} of the recording is unreadable: {_reason(error)}", LOST)


def _reason(error: BaseException) -> str:
    if isinstance(error, OSError):
        return error.strerror or type(error).__name__
    return "not UTF-8" if isinstance(error, UnicodeDecodeError) else "invalid JSON"


@contextmanager
def opened(place: Path) -> Iterator[Recordings]:
    """Open a folder of recordings, or a tarball, which is unpacked for that time.

    Raises:
        RecordingError: It cannot be read, is too large, or has an unsafe member.
    """
    if place.is_dir():
        yield Recordings(place)
        return
    with tempfile.TemporaryDirectory(prefix="fabricgen-recording-") as folder:
        try:
            with tarfile.open(place) as tar:
                _unpack(tar, Path(folder))
        except (OSError, EOFError, tarfile.TarError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else error
            raise RecordingError(f"{place}: {reason}") from error
        try:
            found = Recordings(Path(folder))
        except RecordingError as error:
            raise RecordingError(f"{place} has no recording") from error
        yield found


def _unpack(tar: tarfile.TarFile, folder: Path) -> None:
    """Write the plain files of a tarball below a folder. Links and odd paths are refused."""
    files = size = 0
    for member in tar:
        name = member.name.removeprefix("./").rstrip("/")
        if member.isdir() and (name in ("", ".") or is_below(name)):
            continue
        if not member.isfile():
            raise Refused(f"{member.name!r} is not a plain file")
        if not is_below(name):
            raise Refused(f"{member.name!r} is not a path below the folder")
        files, size = files + 1, size + member.size
        if files > MOST_FILES or member.size > MOST or size > MOST_IN_ALL:
            raise Refused("the tarball is too large for a recording")
        source = tar.extractfile(member)
        assert source is not None
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("xb") as out:
            shutil.copyfileobj(source, out)
