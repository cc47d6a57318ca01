"""Write looks to a folder and read them again, so that a series needs no switch.

`DIR/0001/SWITCH.json` has the measures of one switch, and `DIR/0001/look.json` everything else. The
files hold numbers and names alone, no configuration and no secret.
"""

import json
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from fabricgen.core.confined import Folder, write_whole
from fabricgen.nos.measures import Measure
from fabricgen.operate.state.watch.looks import Look, Seen, sane

LOOK = "look.json"
MOST = 32 * 2**20
"""Maximum bytes of one file."""
DAMAGED = (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError)
"""Exceptions that a damaged file raises."""
_DIGITS = 4


class SeriesError(Exception):
    """A folder without a series; the text is the reason."""


def record(folder: Path, number: int, look: Look) -> None:
    """Write a look. Raises OSError on failure."""
    place = folder / f"{number:0{_DIGITS}}"
    place.mkdir(parents=True, exist_ok=True)
    for name, seen in look.seen.items():
        _write(place / f"{name}.json", _document(seen))
    more = {"taken": look.taken, "silent": dict(look.silent), "cnps": look.cnps}
    _write(place / LOOK, more)


def _write(path: Path, document: object) -> None:
    write_whole(path, json.dumps(document, separators=(",", ":")) + "\n", mode=0o644)


def _document(seen: Seen) -> dict[str, Any]:
    return {
        "taken": seen.taken,
        "clock": seen.clock,
        "sampled": dict(seen.sampled),
        "unknown": [[*key, why] for key, why in seen.unknown.items()],
        "measures": [[*key, value] for key, value in seen.measures.items()],
    }


def replay(folder: Path, names: Collection[str]) -> Iterator[Look]:
    """Yield the looks of a series in order. Damaged files make a switch silent.

    Args:
        folder: The folder of `record`.
        names: Switches of the site. Other files are ignored.

    Raises:
        SeriesError: The folder has no look.
    """
    try:
        places = sorted(each for each in folder.iterdir() if each.name.isdecimal())
    except OSError as error:
        raise SeriesError(f"{folder}: {error.strerror}") from error
    if not places:
        raise SeriesError(f"{folder} has no looks: record them with `fabricgen watch --record`")
    for place in places:
        yield _look(place, names)


def _look(place: Path, names: Collection[str]) -> Look:
    seen: dict[str, Seen] = {}
    silent: dict[str, str] = {}
    try:
        with Folder(place) as folder:
            more = _read(folder, LOOK)
            known = _texts(more.get("silent"))
            for name in names:
                try:
                    seen[name] = _seen(_read(folder, f"{name}.json"))
                except FileNotFoundError:
                    silent[name] = known.get(name, "not recorded")
                except DAMAGED as error:
                    silent[name] = f"unreadable recording: {type(error).__name__}"
        taken, cnps = float(more["taken"]), more.get("cnps")
        given = None if cnps is None else {str(key): float(value) for key, value in cnps.items()}
    except DAMAGED as error:
        raise SeriesError(f"{place / LOOK}: unreadable: {type(error).__name__}") from error
    return Look(taken=taken, seen=seen, silent=silent, cnps=given)


def _read(folder: Folder, name: str) -> dict[str, Any]:
    document = json.loads(folder.text(name, MOST))
    if not isinstance(document, dict):
        raise TypeError(f"unexpected JSON {type(document).__name__}")
    return document


def _seen(document: Mapping[str, Any]) -> Seen:
    clock = document.get("clock")
    return Seen(
        taken=float(document["taken"]),
        measures=sane({_key(names): float(value) for *names, value in document["measures"]}),
        sampled={str(key): float(value) for key, value in document.get("sampled", {}).items()},
        clock=None if clock is None else float(clock),
        unknown={_key(names): str(why) for *names, why in document.get("unknown", ())},
    )


def _key(names: list[Any]) -> Measure:
    if not names or not all(isinstance(each, str) for each in names):
        raise TypeError("a name is no text")
    return tuple(names)


def _texts(value: Any) -> dict[str, str]:
    return {str(key): str(why) for key, why in value.items()} if isinstance(value, dict) else {}
