"""Read the PFC watchdog of a config_db.json and report values that its release mishandles."""

from collections.abc import Iterator, Mapping
from typing import Any

from fabricgen.nos.nos import Flaw
from fabricgen.nos.sonic.readback.tables import bits, number
from fabricgen.nos.sonic.updater import hwsku_of
from fabricgen.nos.sonic.updates import FILE, ROUTING, release_of_files, tables_of
from fabricgen.nos.sonic.watchdog import Watched, chip_of, flaws, refused


def flaws_of(files: Mapping[str, str]) -> Iterator[Flaw]:
    """Yield faults of the watchdog settings in a switch's files."""
    text, tables = files.get(FILE, ""), tables_of(files)
    table = tables.get("PFC_WD", {})
    release = release_of_files(files)
    if ROUTING not in files:
        release += " (assumed)"
    for field, why in refused(table, release):
        yield Flaw(refused=True, why=why, file=FILE, line=_line(text, f'"{field}"'))
    if (seen := _watched(tables, table, release)) is not None:
        for why in flaws(seen):
            yield Flaw(refused=False, why=why, file=FILE, line=_line(text, '"PFC_WD"'))


def _watched(tables: Any, table: Mapping[str, Mapping[str, str]], release: str) -> Watched | None:
    port, row = next(((name, own) for name, own in table.items() if name != "GLOBAL"), ("", {}))
    detection, restoration = (
        number(row.get(f"{word}_time")) for word in ("detection", "restoration")
    )
    if not port or detection is None or restoration is None:
        return None
    paused = tables.get("PORT_QOS_MAP", {}).get(port, {}).get("pfc_enable", "")
    return Watched(
        chip=chip_of(hwsku_of(tables)),
        release=release,
        priorities=len(bits(paused)),
        ports=len(table.keys() - {"GLOBAL"}),
        action=str(row.get("action")),
        detection=detection,
        restoration=restoration,
    )


def _line(text: str, word: str) -> int:
    """Return the first line below PFC_WD with a word, from 1."""
    start = text.find('"PFC_WD"')
    return text.count("\n", 0, max(0, text.find(word, start))) + 1
