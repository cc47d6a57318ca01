"""Write the facts that tests hold the catalog to: rows of the tables, filtered and shortened."""

import csv
import io
from collections.abc import Iterable, Iterator
from pathlib import Path

from bench.sonic_facts.tables import Row, Tables

FOLDER = Path(__file__).parents[2] / "tests" / "nos" / "sonic" / "shipped"
COLUMNS = {
    "pools": ("topology", "pool", "type", "mode", "size", "xoff"),
    "profiles": ("topology", "profile", "pool", "size", "static_th", "dynamic_th", "more"),
    "pg_lookup": ("speed", "cable", "size", "xon", "xoff", "threshold", "xon_offset"),
    "hwsku_files": ("same_as", "default_topo", "topologies", "ports_from"),
    "dynamic": ("topology", "table", "value"),
    "buffer_maps": ("topology", "table", "groups", "value"),
}
"""Of each table, what is kept beside releases, platform and hwsku."""
PACKED = {
    "ports": (("hwsku",), ("name", "lanes", "alias", "index", "speed")),
    "breakout_aliases": (("mode",), ("port", "aliases")),
}
"""Tables of which rows that differ in a few columns alone are one line."""


def write_shipped(tables: Tables, platforms: Iterable[str]) -> None:
    """Write one file for each table, with the rows of these platforms."""
    wanted = set(platforms)
    FOLDER.mkdir(exist_ok=True)
    commits = " ".join(f"{name}@{commit}" for name, commit in tables.commits.items())
    head = (
        "# Written by `python -m bench.sonic_facts FOLDER`; do not edit.\n"
        f"# sonic-net/sonic-buildimage device/: {commits}\n"
    )
    for name in (*COLUMNS, *PACKED):
        rows = (row for row in tables.rows(name) if row["platform"] in wanted)
        lines = _packed(rows, *PACKED[name]) if name in PACKED else _filtered(rows, name)
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(lines)
        (FOLDER / f"{name}.csv").write_text(head + text.getvalue())


def _filtered(rows: Iterable[Row], name: str) -> Iterator[list[str]]:
    keys = ("releases", "platform", "hwsku", *COLUMNS[name])
    yield list(keys)
    for row in rows:
        if _wanted(name, row):
            yield [row[key] for key in keys]


def _packed(
    rows: Iterable[Row], keys: tuple[str, ...], columns: tuple[str, ...]
) -> Iterator[list[str]]:
    """Yield rows with the cells of each port joined: | between cells, a blank between ports."""
    lines: dict[tuple[str, ...], list[str]] = {}
    for row in rows:
        key = (row["releases"], row["platform"], *(row[each] for each in keys))
        cells = (_short(row[each]) if each == "lanes" else row[each] for each in columns)
        lines.setdefault(key, []).append("|".join(cells).replace(" ", ","))
    yield ["releases", "platform", *keys, "ports"]
    for key, ports in lines.items():
        yield [*key, " ".join(ports)]


def _wanted(name: str, row: Row) -> bool:
    """Keep the model that a switch of the catalog runs, and what its topologies take."""
    dynamic = any(word in row["platform"] for word in ("nvidia", "mlnx"))
    if name == "buffer_maps" and (row["table"] != "BUFFER_PG" or not dynamic):
        return False
    if name == "dynamic" and row["table"] != "LOSSLESS_TRAFFIC_PATTERN":
        return False
    if name == "pg_lookup" and dynamic:
        return False
    if "model" in row and (row["model"] == "dynamic") != dynamic:
        return False
    return row.get("topology", "t0") in ("t0", "t1", "t2")


def _short(lanes: str) -> str:
    """Shorten 17,18,19,20 to 17-20."""
    numbers = [int(lane) for lane in lanes.split(",")]
    run = numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    return f"{numbers[0]}-{numbers[-1]}" if run and len(numbers) > 1 else lanes
