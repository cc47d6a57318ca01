"""Work out the port map of a platform, and how each hwsku uses its cages and names its ports."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bench.sonic_facts.tables import RELEASES, Row, Tables, at, natural, spans

from fabricgen.core.units import BitsPerSecond
from fabricgen.model.catalog.cages import Cage
from fabricgen.nos.sonic.names import filled, split_alias

SUFFIXES = ("", "/1", "{letter}", "/{sub}", "/{lane}")
"""How makers tell the interfaces of a cage apart, behind the number of the cage."""


class LeftOutError(Exception):
    """A hwsku that the catalog's cages cannot describe, with the reason."""


@dataclass(frozen=True)
class Native:
    """A cage as it is without a split."""

    name: str
    alias: str
    index: int
    lanes: tuple[str, ...]


@dataclass(frozen=True)
class Platform:
    """The ports of one platform, as its hwskus ship them."""

    tables: Tables
    name: str
    cages: Mapping[int, Cage]

    def rows(self, hwsku: str, release: str) -> list[Row]:
        """Return the ports of a hwsku; those of its target where it is a link."""
        rows = at(self.tables.of("ports", self.name, hwsku), release)
        if rows:
            return rows
        files = at(self.tables.of("hwsku_files", self.name, hwsku), release)
        return self.rows(files[0]["same_as"], release) if files and files[0]["same_as"] else []

    def breakouts(self, release: str) -> list[str]:
        """Return the modes of a release, as platform.json spells them."""
        rows = at(self.tables.of("breakout_aliases", self.name), release)
        modes = (row["mode"] for row in rows if "+" not in row["mode"])
        return list(dict.fromkeys(modes))

    def native(self, hwskus: Iterable[str], release: str) -> dict[int, Native]:
        """Return the port map: of platform.json, else of the hwsku that splits fewest cages."""
        found: dict[int, Native] = {}
        for row in at(self.tables.of("breakout_aliases", self.name), release):
            if row["mode"].startswith("1x"):
                lanes = tuple(row["lanes"].split(","))
                native = Native(row["port"], row["aliases"], int(row["index"]), lanes)
                found.setdefault(int(row["index"]), native)
        for hwsku in hwskus:
            for cage, rows in self.by_cage(hwsku, release).items():
                lanes = tuple(lane for row in rows for lane in row["lanes"].split(","))
                known = found.get(cage)
                if known is None or len(known.lanes) < len(lanes):
                    index = int(rows[0]["index"])
                    found[cage] = Native(rows[0]["name"], rows[0]["alias"], index, lanes)
        return {cage: found[cage] for cage in sorted(found) if cage in self.cages}

    def by_cage(self, hwsku: str, release: str) -> dict[int, list[Row]]:
        """Return the ports of each cage, in order."""
        cages: dict[int, list[Row]] = {}
        rows = self.rows(hwsku, release)
        first = min((int(row["index"]) for row in rows), default=1)
        for row in sorted(rows, key=lambda row: natural(row["name"])):
            cages.setdefault(int(row["index"]) + (first == 0), []).append(row)
        return cages

    def layout(self, hwsku: str, release: str) -> dict[int, str]:
        """Return the mode of each cage. LeftOutError where the catalog has no mode for one."""
        used = self.by_cage(hwsku, release)
        if used.keys() != self.cages.keys():
            missing = sorted(self.cages.keys() - used.keys())
            raise LeftOutError(
                f"no ports in cages {', '.join(spans(missing))}" if missing else "cages"
            )
        return {cage: self._mode(cage, rows) for cage, rows in used.items()}

    def _mode(self, cage: int, rows: list[Row]) -> str:
        kinds = {(row["speed"], row["lanes"].count(",") + 1) for row in rows}
        if len(kinds) > 1:
            raise LeftOutError(f"cage {cage} has ports of several speeds")
        ((megabits, lanes),) = kinds
        speed = BitsPerSecond(int(megabits) * 10**6)
        mode = self.cages[cage].mode(speed, len(rows))
        if mode is None or mode.lanes != lanes:
            raise LeftOutError(
                f"cage {cage} has no mode {len(rows)}x{speed} with {lanes} lanes each"
            )
        return f"{len(rows)}x{speed}"

    def aliases(
        self, hwsku: str, release: str, natives: Mapping[int, Native], *, splits: bool
    ) -> dict[str, str]:
        """Return the patterns of aliases that do not follow from the port map."""
        known = {
            (cage, len(rows)): [row["alias"] for row in rows]
            for cage, rows in self.by_cage(hwsku, release).items()
        }
        modes = at(self.tables.of("breakout_aliases", self.name), release) if splits else []
        for row in modes:
            names = row["aliases"].split()
            if "+" not in row["mode"] and int(row["index"]) in natives:
                known.setdefault((int(row["index"]), len(names)), names)
        odd: dict[tuple[int, int], set[str]] = {}
        for (cage, count), names in known.items():
            each = len(natives[cage].lanes) // count
            ruled = [
                split_alias(natives[cage].alias, count, sub, sub * each) for sub in range(count)
            ]
            if names != ruled:
                odd[cage, count] = set(_patterns(cage, names, each))
        return dict(_fewest(odd))


def _patterns(cage: int, names: list[str], each: int) -> Iterator[str]:
    """Yield the patterns that spell the aliases of a cage; each: lanes of an interface."""
    for suffix in SUFFIXES:
        tail = filled(suffix, cage, 0, 0)
        head = names[0].removesuffix(tail) if tail else names[0]
        for bare in (f"{head.removesuffix(str(cage))}{{cage}}", head):
            made = [filled(f"{bare}{suffix}", cage, sub, sub * each) for sub in range(len(names))]
            if made == names:
                yield f"{bare}{suffix}"


def _fewest(odd: Mapping[tuple[int, int], set[str]]) -> Iterator[tuple[str, str]]:
    """Yield patterns by cages and interfaces: of those that fit, the one for most cages first."""
    for count in sorted({count for _, count in odd}):
        rest = {cage: patterns for (cage, each), patterns in odd.items() if each == count}
        while rest:
            if not all(rest.values()):
                raise LeftOutError("aliases without a pattern")
            every = sorted({pattern for patterns in rest.values() for pattern in patterns})
            best = max(every, key=lambda one: sum(one in patterns for patterns in rest.values()))
            covered = [cage for cage, patterns in rest.items() if best in patterns]
            yield from ((f"{span}/{count}", best) for span in spans(covered))
            rest = {cage: each for cage, each in rest.items() if cage not in covered}


def ports_facts(
    platform: Platform, hwsku: str, releases: Iterable[str], natives: Mapping[int, Native]
) -> dict[str, dict[str, Any]]:
    """Return layout, splits and aliases of a hwsku for each release that has it."""
    facts = {}
    for release in releases:
        files = at(platform.tables.of("hwsku_files", platform.name, hwsku), release)
        splits = files[0]["ports_from"] == "hwsku.json"
        layout = platform.layout(hwsku, release)
        aliases = platform.aliases(hwsku, release, natives, splits=splits)
        facts[release] = {
            "layout": _runs(layout),
            "splits": splits,
            "aliases": aliases,
        }
    return facts


def _runs(layout: Mapping[int, str]) -> dict[str, str]:
    """Join neighboring cages of one mode, in faceplate order."""
    runs: list[tuple[int, int, str]] = []
    for cage, mode in layout.items():
        if runs and runs[-1][2] == mode and runs[-1][1] == cage - 1:
            runs[-1] = (runs[-1][0], cage, mode)
        else:
            runs.append((cage, cage, mode))
    return {f"{a}-{b}" if b > a else str(a): mode for a, b, mode in runs}


def newest(releases: Iterable[str]) -> str:
    """Return the newest numbered release, master where there is none."""
    known = [release for release in releases if release != "master"]
    return max(known, default=RELEASES[-1])
