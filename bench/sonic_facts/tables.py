"""Read the tables of SONiC's hardware facts, as a folder of CSV files has them."""

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

RELEASES = ("202405", "202411", "202505", "202511", "202605", "master")
TOPOLOGIES = ("t0", "t1", "t2")
"""Those that the switches of a site can have: ToRRouter, LeafRouter, SpineRouter."""

Row = dict[str, str]


@dataclass(frozen=True)
class Tables:
    """One folder of facts. Each table is read once."""

    folder: Path

    def rows(self, name: str) -> list[Row]:
        """Return the rows of a table."""
        lines = (self.folder / f"{name}.csv").read_text().splitlines()
        return list(csv.DictReader(line for line in lines if not line.startswith("# ")))

    @cached_property
    def commits(self) -> dict[str, str]:
        """Return the commit of sonic-buildimage that stands for each release."""
        text = (self.folder / "hwsku_files.csv").read_text().splitlines()[1]
        return dict(re.findall(r"(\w+)@(\w+)", text))

    @cached_property
    def _by_platform(self) -> dict[str, dict[str, list[Row]]]:
        names = ("hwsku_files", "pools", "profiles", "pg_lookup", "ports", "breakout_aliases")
        tables: dict[str, dict[str, list[Row]]] = {}
        for name in (*names, "buffer_maps", "dynamic"):
            for row in self.rows(name):
                tables.setdefault(row["platform"], {}).setdefault(name, []).append(row)
        return tables

    def of(self, name: str, platform: str, hwsku: str | None = None) -> list[Row]:
        """Return the rows of a platform, or of one of its hwskus."""
        rows = self._by_platform.get(platform, {}).get(name, [])
        return [row for row in rows if hwsku is None or row["hwsku"] == hwsku]


def releases_of(row: Row) -> tuple[str, ...]:
    """Return the releases in which a row holds."""
    return RELEASES if row["releases"] == "all" else tuple(row["releases"].split())


def at(rows: Iterable[Row], release: str, topology: str | None = None) -> list[Row]:
    """Return the rows that hold in a release, and at a topology where one is given."""
    return [
        row
        for row in rows
        if release in releases_of(row) and topology in (None, row.get("topology"))
    ]


def natural(text: str) -> list[int | str]:
    """Return a sort key that puts Ethernet8 before Ethernet16."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", text)]


def spans(numbers: Iterable[int]) -> Iterator[str]:
    """Yield runs of numbers as 1-32."""
    ordered = sorted(numbers)
    while ordered:
        first = last = ordered[0]
        while last + 1 in ordered:
            last += 1
        yield f"{first}-{last}" if last > first else str(first)
        ordered = [number for number in ordered if number > last]
