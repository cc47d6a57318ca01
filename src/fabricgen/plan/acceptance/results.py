"""Read the results of an acceptance test, and compare each with the limit of the model.

A file of a program is read as the program prints it. A missing value is not measured, and an
unreadable one is an error: neither passes.
"""

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path

from fabricgen.core.record import record
from fabricgen.plan.acceptance.measures import FAR, NEAR
from fabricgen.plan.acceptance.row import Measure, Tool

MOST = 4 << 20
"""Bytes of a result file; a longer one is no output of a test program."""
_BANDWIDTH = re.compile(r"^\s*1048576\s+\d+\s+[\d.]+\s+([\d.]+)\s+[\d.]+\s*$", re.MULTILINE)
_LATENCY = re.compile(
    r"^\s*8\s+\d+\s+[\d.]+\s+[\d.]+\s+([\d.]+)\s+[\d.]+\s+[\d.]+\s+([\d.]+)", re.MULTILINE
)
_BUS = re.compile(r"^#\s*Avg bus bandwidth\s*:\s*([\d.]+)\s*$", re.MULTILINE)


class Unreadable(ValueError):  # noqa: N818 - it says what cannot be read
    """A result file is not what its program prints, or the sheet is not the one of this site."""


class Outcome(StrEnum):
    """Result of one row."""

    PASS = "pass"  # noqa: S105 - a word of the report
    FAIL = "fail"
    RECORDED = "recorded"
    NOT_MEASURED = "not measured"


@record(kw_only=True)
class Result:
    """A row with its measured value, None without one."""

    measure: Measure
    value: float | None
    outcome: Outcome


def results(rows: Sequence[Measure], folder: Path) -> list[Result]:
    """Compare every row with the files in a folder. Raises Unreadable."""
    values = _sheet(folder / "sheet.csv", {each.name for each in rows})
    every = {row.name: row for row in rows}
    for row in rows:
        if row.name not in values and (value := _printed(row, every, folder)) is not None:
            values[row.name] = value
    return [_judged(row, values.get(row.name)) for row in rows]


def _judged(row: Measure, value: float | None) -> Result:
    outcome = Outcome.NOT_MEASURED if value is None else Outcome.RECORDED
    if value is not None and row.judged:
        low = row.least is not None and value < row.least
        high = row.most is not None and value > row.most
        outcome = Outcome.FAIL if low or high else Outcome.PASS
    return Result(measure=row, value=value, outcome=outcome)


def _sheet(path: Path, known: set[str]) -> dict[str, float]:
    """Return the values that people wrote into the sheet."""
    if not path.exists():
        return {}
    found: dict[str, float] = {}
    for number, row in enumerate(csv.DictReader(_text(path).splitlines()), 2):
        name, value = row.get("name") or "", (row.get("measured") or "").strip()
        if name not in known:
            raise Unreadable(f"{path}:{number}: the site has no test {name!r}")
        if value:
            found[name] = _number(value, f"{path}:{number}")
    return found


def _number(text: str, place: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value < float("inf"):
        raise Unreadable(f"{place}: {text!r} is not a number from 0")
    return value


def _text(path: Path) -> str:
    with path.open("rb") as file:
        data = file.read(MOST + 1)
    if len(data) > MOST:
        raise Unreadable(f"{path}: more than {MOST >> 20} MiB")
    return data.decode(errors="replace")


def _printed(row: Measure, every: Mapping[str, Measure], folder: Path) -> float | None:
    """Return the value that the programs of a test printed; None without files."""
    test = every.get(row.of, row)
    files = sorted((folder / test.name).glob("*.txt"))
    if not files:
        return None
    if row.tool is Tool.BANDWIDTH:
        return _slowest(row, folder / row.name)
    if row.tool is not Tool.LATENCY:
        return float(_found(_BUS, files, "all")[0])
    typical, tail = map(float, _found(_LATENCY, files, test.pairs[0].client))
    if row.of:
        return tail - typical
    near = every.get(row.name.replace(FAR, NEAR))
    if not row.name.endswith(FAR) or near is None:
        return typical
    close = _printed(near, every, folder)
    return None if close is None else typical - close


def _slowest(row: Measure, folder: Path) -> float:
    """Return the bandwidth of the slowest pair: each client must have one for each of its tests."""
    wanted: dict[str, int] = {}
    for pair in row.pairs:
        wanted[pair.client] = wanted.get(pair.client, 0) + 1
    found: list[float] = []
    for client, count in wanted.items():
        path = folder / f"{client}.txt"
        printed = [float(each) for each in _BANDWIDTH.findall(_text(path) if path.exists() else "")]
        if len(printed) != count:
            raise Unreadable(f"{path}: {len(printed)} results of {row.tool}, expected {count}")
        found += printed
    return min(found)


def _found(pattern: re.Pattern[str], files: Sequence[Path], stem: str) -> Sequence[str]:
    for path in files:
        if path.stem == stem and (match := pattern.search(_text(path))):
            return match.groups()
    raise Unreadable(f"{files[0].parent}/{stem}.txt: no result line of the program")


@record()
class LabProof:
    """A proof of `fabricgen lab traffic`: what FRR on Linux does, which is no acceptance."""

    name: str
    verdict: str
    sentence: str


def lab_proofs(folder: Path) -> list[LabProof]:
    """Return the proofs in `lab.json` of a folder; none without the file. Raises Unreadable."""
    path = folder / "lab.json"
    if not path.exists():
        return []
    try:
        told = json.loads(_text(path))
        return [
            LabProof(str(each["name"]), str(each["verdict"]), str(each["sentence"]))
            for each in told["proofs"]
        ]
    except (ValueError, KeyError, TypeError):
        raise Unreadable(f"{path}: not the JSON of `fabricgen lab traffic`") from None


def rows_of(found: Sequence[Result]) -> Iterator[tuple[str, str, str, str, str]]:
    """Yield the cells of the report: outcome, name, value, limit and quantity."""
    for each in found:
        row = each.measure
        value = "" if each.value is None else f"{each.value:.4g} {row.unit}"
        limit = f"at least {row.least:.3g}" if row.least is not None else ""
        limit = f"at most {row.most:.3g}" if row.most is not None else limit
        yield str(each.outcome), row.name, value, limit, row.what


def accepted(found: Sequence[Result]) -> bool:
    """Return whether every row with a limit passes."""
    return all(each.outcome is Outcome.PASS for each in found if each.measure.judged)
