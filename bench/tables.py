"""Tables of performance for the docs: measured commands in, Markdown out."""

from __future__ import annotations

import dataclasses
import math
import os
import platform
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "evidence" / "performance.md"
RENDER, IMPORT, FAILURES = "render", "import", "failures"
TENANT, SERVER = "render, one tenant changed", "render, one server added"
TWO = "render, two processes"
GROWTH = (("evpn 128", "evpn-pods 512"), ("backend 8192", "backend 100000"))
"""Pairs of cases between which the exponent of CPU over devices is computed."""


@dataclasses.dataclass(frozen=True, slots=True)
class Usage:
    """What a process and its children used: CPU and wall seconds, and MiB of memory at most."""

    cpu: float
    wall: float
    memory: float
    ended: bool = True


Results = dict[str, dict[str, Usage]]


def of(results: Results, case: str, step: str) -> Usage:
    """Return one figure.

    Raises:
        KeyError: It was not measured, or the command did not end.
    """
    used = results[case][step]
    if not used.ended:
        raise KeyError(case, step)
    return used


def part(results: Results, case: str, step: str) -> float:
    """Return the CPU of a command in percent of the first render."""
    return 100 * of(results, case, step).cpu / of(results, case, RENDER).cpu


def two(results: Results, case: str) -> float:
    """Return how many times faster two processes render."""
    return of(results, case, RENDER).wall / of(results, case, TWO).wall


GOALS: tuple[tuple[str, str, float, Callable[[Results], float]], ...] = (
    ("evpn 128, first render", "CPU s, at most", 3.2, lambda r: of(r, "evpn 128", RENDER).cpu),
    ("evpn 128, one tenant", "CPU s, at most", 1.3, lambda r: of(r, "evpn 128", TENANT).cpu),
    (
        "mixed 8192, one tenant",
        "% of the first, at most",
        15,
        lambda r: part(r, "mixed 8192", TENANT),
    ),
    (
        "backend 100000, one server",
        "% of the first, at most",
        10,
        lambda r: part(r, "backend 100000", SERVER),
    ),
    ("evpn 128, two processes", "times faster, at least", 1.5, lambda r: two(r, "evpn 128")),
    ("mixed 8192, two processes", "times faster, at least", 1.7, lambda r: two(r, "mixed 8192")),
    (
        "check of 12 lines",
        "bare starts, at most",
        14,
        lambda r: of(r, "start", "check, 12 lines").cpu / of(r, "start", "python").cpu,
    ),
    (
        "check intent/full",
        "CPU s, at most",
        0.6,
        lambda r: of(r, "start", "check intent/full").cpu,
    ),
    (
        "reach --matrix, 128 leafs",
        "CPU s, at most",
        20,
        lambda r: of(r, "evpn 128", "reach --matrix").cpu,
    ),
    (
        "reach --matrix, 128 leafs",
        "MiB, at most",
        300,
        lambda r: of(r, "evpn 128", "reach --matrix").memory,
    ),
    (
        "failures, irregular 200",
        "CPU s, at most",
        15,
        lambda r: of(r, "irregular 200", "failures").cpu,
    ),
    (
        "diff, 512 leafs",
        "CPU s, at most",
        4,
        lambda r: of(r, "evpn-pods 512", "diff, one tenant changed").cpu,
    ),
    ("import, 123 switches", "CPU s, at most", 45, lambda r: of(r, "import 119", IMPORT).cpu),
)


def goals(results: Results) -> str:
    """Return the table of goals, with what was measured."""
    lines = ["| command | measure | goal | measured | |", "|--|--|--:|--:|--|"]
    for name, measure, goal, value_of in GOALS:
        try:
            value = value_of(results)
        except KeyError:
            lines.append(f"| {name} | {measure} | {goal:g} | not measured | |")
            continue
        met = value >= goal if measure.endswith("least") else value <= goal
        lines.append(
            f"| {name} | {measure} | {goal:g} | {value:.3g} | {'met' if met else 'missed'} |"
        )
    return "\n".join(lines)


def exponent(few: tuple[int, Usage], many: tuple[int, Usage]) -> float | None:
    """Return the exponent of CPU over devices; None where a run did not end."""
    if not (few[1].ended and many[1].ended):
        return None
    return math.log(many[1].cpu / few[1].cpu) / math.log(many[0] / few[0])


def table(results: Results, devices: dict[str, int], limit: float) -> str:
    """Return the table of all verbs and cases as Markdown.

    Args:
        results: Figures by case and command.
        devices: Number of switches and servers by case.
        limit: Wall seconds after which a command was stopped.
    """
    lines = [
        "| command | case | CPU s | wall s | MiB | ms of CPU per device | exponent |",
        "|--|--|--:|--:|--:|--:|--:|",
    ]
    smaller = {large: few for few, large in GROWTH}
    for name in dict.fromkeys(step for used in results.values() for step in used):
        for case, count in devices.items():
            used = results.get(case, {}).get(name)
            if used is None:
                continue
            if not used.ended:
                lines.append(f"| {name} | {case} | stopped after {limit:.0f} s | | | | |")
                continue
            few = smaller.get(case, "")
            less = results.get(few, {}).get(name)
            growth = less and exponent((devices[few], less), (count, used))
            lines.append(
                f"| {name} | {case} | {used.cpu:.2f} | {used.wall:.2f} | {used.memory:.0f} "
                f"| {1000 * used.cpu / count:.2f} | {f'{growth:.2f}' if growth else ''} |"
            )
    return "\n".join(lines)


def machine() -> str:
    """Return a sentence about the machine and the commit."""
    info = Path("/proc/cpuinfo")
    names = [
        line.split(":")[1].strip()
        for line in (info.read_text().splitlines() if info.exists() else ())
        if line.startswith("model name")
    ]
    git = ["git", "-C", str(ROOT), "rev-parse", "--short=8", "HEAD"]
    commit = subprocess.run(git, capture_output=True, text=True, check=False).stdout.strip()
    return (
        f"Commit {commit}, {datetime.now(tz=UTC):%Y-%m-%d}, {os.cpu_count()} cores of "
        f"{names[0] if names else platform.processor()}, Python {platform.python_version()}, "
        f"load {os.getloadavg()[0]:.1f} at the end."
    )


def insert(page: str, name: str, text: str) -> str:
    """Return the page with the text between `<!-- measured: NAME -->` and `<!-- end -->`.

    Raises:
        ValueError: The page does not have these marks.
    """
    before, start, rest = page.partition(f"<!-- measured: {name} -->")
    _, end, after = rest.partition("<!-- end -->")
    if not end:
        raise ValueError(f"a page needs the lines <!-- measured: {name} --> and <!-- end -->")
    return f"{before}{start}\n\n{text}\n\n{end}{after}"
