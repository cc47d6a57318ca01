"""Store the intent that was last pushed to each switch of a lab.

A lab stores a copy of the intent that it was booted from, and of each intent that was pushed to it.
"""

import json
import shutil
from collections.abc import Iterable
from pathlib import Path

from fabricgen.operate.lab.place import Place


def copy_intent(site: Path, folder: Path) -> None:
    """Copy the files of an intent into a folder, so that later edits do not affect it."""
    for source in sorted(site.rglob("*.y*ml")):
        copy = folder / source.relative_to(site)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, copy)


def note(place: Place, change: str, site: Path, names: Iterable[str], back: str | None) -> None:
    """Record a confirmed change: the intent in `site`, or the state before `back`."""
    if back is None:
        copy_intent(site, _pushed(place, change))
    line = {"change": change, "back": back, "switches": sorted(names)}
    with (place.folder / "pushes").open("a") as noted:
        noted.write(json.dumps(line) + "\n")


def given(place: Place, names: Iterable[str]) -> dict[str, Path]:
    """Return the folder with the last intent of each switch."""
    now = dict.fromkeys(names, place.intent)
    before: dict[str, dict[str, Path]] = {}
    try:
        lines = (place.folder / "pushes").read_text().splitlines()
    except FileNotFoundError:
        return now
    for line in map(json.loads, lines):
        pushed, kept = _pushed(place, line["change"]), before.setdefault(line["change"], {})
        for name in line["switches"]:
            had = kept.setdefault(name, now[name])  # a plan may be pushed again
            now[name] = before.get(line["back"], {}).get(name, had) if line["back"] else pushed
    return now


def _pushed(place: Place, change: str) -> Path:
    return place.folder / "pushed" / change
