"""Compares the CPU of this checkout with that of the recorded base commit: `make bench`.

usage: guard.py [--pairs N]
       guard.py --move        record HEAD as the base, with the old and the new figures

Both trees run the small cases of their own `bench/verbs.py`, one after the other, N times. A case
fails when the median of its N ratios exceeds a bound: 10 %, or three times the noise if that is
more. The noise of a case is the median of how much two runs of the base after one another differ.
Where a case fails, all is measured a second time, and what fails twice is reported.
A case below 30 ms of CPU is listed and never fails: clocks are too coarse for it.
"""

from __future__ import annotations

import argparse
import dataclasses
import io
import itertools
import json
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BASE = ROOT / "bench" / "base.json"
PARTS = ("bench", "intent", "pyproject.toml", "src", "templates")
LEAST = 0.03
"""CPU seconds below which a case is not judged."""
LEAST_BOUND = 0.10

Run = dict[str, float]


@dataclasses.dataclass(frozen=True, slots=True)
class Row:
    """What is said of a case: CPU seconds of both sides (medians), their ratio and its bound."""

    name: str
    base: float
    head: float
    ratio: float
    bound: float

    @property
    def failed(self) -> bool:
        """Return whether the case became slower than its bound allows."""
        return self.base >= LEAST and self.ratio > 1 + self.bound


def compared(pairs: list[tuple[Run, Run]]) -> list[Row]:
    """Return a row for each case that both sides measure.

    Args:
        pairs: Runs of the base and of this checkout, in their order. At least two.
    """
    names = [name for name in pairs[0][0] if name in pairs[0][1]]
    rows = []
    for name in names:
        bases = [base[name] for base, _ in pairs]
        heads = [head[name] for _, head in pairs]
        differences = [abs(a / b - 1) for a, b in itertools.pairwise(bases)]
        ratios = [head / base for base, head in zip(bases, heads, strict=True)]
        bound = max(LEAST_BOUND, 3 * statistics.median(differences))
        rows.append(
            Row(
                name,
                statistics.median(bases),
                statistics.median(heads),
                statistics.median(ratios),
                bound,
            )
        )
    return rows


def shown(rows: list[Row]) -> str:
    """Return the rows as a Markdown table."""
    lines = ["| case | base CPU s | CPU s | ratio | bound | |", "|--|--:|--:|--:|--:|--|"]
    for row in rows:
        word = "slower" if row.failed else "too short" if row.base < LEAST else ""
        lines.append(
            f"| {row.name} | {row.base:.3f} | {row.head:.3f} | {row.ratio:.2f} "
            f"| {1 + row.bound:.2f} | {word} |"
        )
    return "\n".join(lines)


def run(tree: Path) -> Run:
    """Run the small cases of a tree.

    Raises:
        SystemExit: A case failed; the message is that of the case.
    """
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [sys.executable, str(tree / "bench" / "verbs.py"), "--small"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"the cases of {tree} failed:\n{done.stderr[-2000:]}")
    found: Run = json.loads(done.stdout)
    return found


def has(commit: str) -> bool:
    """Return whether the clone has a commit."""
    git = ["git", "-C", str(ROOT), "cat-file", "-e", f"{commit}^{{commit}}"]
    return subprocess.run(git, capture_output=True, check=False).returncode == 0


def extract(commit: str, folder: Path) -> None:
    """Write the tree of a commit into a folder.

    Raises:
        SystemExit: The commit is not in this clone.
    """
    archive = subprocess.run(
        ["git", "-C", str(ROOT), "archive", "--format=tar", commit, *PARTS],
        capture_output=True,
        check=False,
    )
    if archive.returncode:
        sys.exit(
            f"the base commit {commit[:12]} is not in this clone: fetch the whole history "
            f"(git fetch --unshallow)"
        )
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as tree:
        tree.extractall(folder, filter="data")


def measure(commit: str, pairs: int) -> list[Row]:
    """Return the rows of this checkout beside a commit."""
    with tempfile.TemporaryDirectory(prefix="fabricgen-base-") as folder:
        base = Path(folder)
        extract(commit, base)
        for tree in (base, ROOT):  # Python compiles both before the first measured run
            run(tree)
        taken: list[tuple[Run, Run]] = []
        for number in range(pairs):  # the order changes, so that a drift hits both sides
            order = (base, ROOT) if number % 2 == 0 else (ROOT, base)
            found = {tree: run(tree) for tree in order}
            taken.append((found[base], found[ROOT]))
        return compared(taken)


def confirmed(measured: Callable[[], list[Row]]) -> tuple[list[Row], list[str]]:
    """Return the rows, and the cases that are slower in two measurements.

    Args:
        measured: Measures once. It is called again only if a case is slower.
    """
    rows = measured()
    slower = [row.name for row in rows if row.failed]
    if slower:
        again = {row.name for row in measured() if row.failed}
        slower = [name for name in slower if name in again]
    return rows, slower


def move(pairs: int) -> None:
    """Record HEAD as the base, with its figures beside those of the old base."""
    git = ["git", "-C", str(ROOT)]
    status = [*git, "status", "--porcelain", *PARTS]
    dirty = subprocess.run(status, capture_output=True, text=True, check=True)
    if dirty.stdout:
        sys.exit("commit first: the base is a commit, and this checkout differs from HEAD")
    head = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True, check=True)
    commit = head.stdout.strip()
    old = json.loads(BASE.read_text())["commit"] if BASE.exists() else commit
    rows = measure(old, pairs)
    figures = {row.name: {"old": round(row.base, 3), "new": round(row.head, 3)} for row in rows}
    BASE.write_text(json.dumps({"commit": commit, "before": old, "cpu": figures}, indent=1) + "\n")
    print(shown(rows))


def main() -> int:
    """Compare, or move the base; return 1 when a case became slower."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--pairs", type=int, default=5)
    options.add_argument("--move", action="store_true")
    asked = options.parse_args()
    if asked.move:
        move(asked.pairs)
        return 0
    base = json.loads(BASE.read_text())["commit"]
    if not has(base):
        print(f"!!! SPEED WAS NOT COMPARED: base commit {base[:12]} is not in this shallow clone")
        return 0
    rows, slower = confirmed(lambda: measure(base, asked.pairs))
    print(f"base: {base[:12]}\n\n{shown(rows)}")
    if slower:
        print(f"\nslower than the base: {'; '.join(slower)}", file=sys.stderr)
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
