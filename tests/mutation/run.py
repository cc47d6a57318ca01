"""Change one row of one rendered file at a time and ask whether the engines see it.

Usage: python -m tests.mutation.run [--platform eos] [--seed 1] [--count N] [--site NAME …]
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from tests.mutation.bench import ROOT, Bench
from tests.mutation.harmless import reasons
from tests.mutation.places import Place, changed, places, removed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

PLATFORMS = ("eos", "sonic", "linux")
LARGE = ("full", "rail-optimized", "three-tier")
SITES = sorted(each.name for each in (ROOT / "intent").iterdir() if each.is_dir())
SMALL = [each for each in SITES if each not in LARGE]


class Row(NamedTuple):
    """One grammar row in the files of one role."""

    platform: str
    role: str
    row: str


class Found(NamedTuple):
    """Where a row is in a site."""

    bench: Bench
    switch: str
    path: str
    place: Place


class Outcome(NamedTuple):
    """Answers about one mutant.

    Attributes:
        named: Whether `audit` or `reach` names it.
    """

    row: Row
    act: str
    told: str
    refused: bool
    judged: bool
    walked: bool

    @property
    def named(self) -> bool:
        """Return whether `audit` or `reach` names it."""
        return self.judged or self.walked


def rows(platform: str, sites: Sequence[str]) -> dict[Row, list[Found]]:
    """Return the rows of a platform's files over some sites; small sites come first."""
    found: dict[Row, list[Found]] = {}
    for name in sorted(sites, key=lambda each: (each in LARGE, each)):
        bench, fresh = Bench(name, platform), dict[Row, list[Found]]()
        for switch, files in bench.files.items():
            if bench.pieces[switch].switch.platform != platform:
                continue
            role = str(bench.pieces[switch].switch.role)
            for path, text in files.items():
                for place in places(platform, path, text):
                    row = Row(platform, role, place.row)
                    fresh.setdefault(row, []).append(Found(bench, switch, path, place))
        if name in LARGE:
            fresh = {row: each for row, each in fresh.items() if row not in found}
        for row, each in fresh.items():
            found.setdefault(row, []).extend(each)
    return found


def outcomes(chosen: Iterable[tuple[Row, list[Found]]], seed: int) -> Iterator[Outcome]:
    """Yield the answers about one removal and one change of each row."""
    for row, found in chosen:
        draw = random.Random(f"{seed} {row}")
        for act in ("removed", "changed"):
            where = draw.choice(found)
            files = where.bench.files[where.switch]
            text = files[where.path]
            mutant = removed(text, where.place) if act == "removed" else None
            mutant = changed(text, where.place, draw) if act == "changed" else mutant
            if mutant is None or mutant == text:
                continue
            yield asked(row, act, where, {**files, where.path: mutant})


def asked(row: Row, act: str, where: Found, files: dict[str, str]) -> Outcome:
    """Ask every engine about one mutant."""
    bench, switch = where.bench, where.switch
    return Outcome(
        row=row,
        act=act,
        told=f"{bench.name} {switch} {_difference(bench.files[switch], files, where)}",
        refused=bench.refused(switch, files),
        judged=bool(bench.judged(switch, files)),
        walked=bool(bench.walked(switch, files)),
    )


def _difference(before: dict[str, str], after: dict[str, str], where: Found) -> str:
    if where.place.line < 0:
        return " ".join(where.place.field)
    old = before[where.path].split("\n")[where.place.line].strip()
    new = after[where.path].split("\n")
    now = new[where.place.line].strip() if where.place.line < len(new) else ""
    return f"{where.path}:{where.place.line + 1} `{old}` → `{now}`"


def slipped(every: Iterable[Outcome]) -> tuple[list[Outcome], list[Outcome]]:
    """Return mutants that `check --rendered` accepts, and those that neither engine names.

    A row that the list of harmless rows names is not among the latter.
    """
    known = reasons()
    ours = list(every)
    return (
        [each for each in ours if not each.refused],
        [each for each in ours if not each.named and not known.reason(each.row, each.act)],
    )


def main() -> int:
    """Run all mutants that were asked for and print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--platform", action="append", choices=PLATFORMS)
    parser.add_argument("--site", action="append", choices=SITES)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=0)
    parser.add_argument("--list", action="store_true")
    asked = parser.parse_args()
    code = 0
    for platform in asked.platform or PLATFORMS:
        every = sorted(rows(platform, asked.site or SITES).items())
        if asked.count:
            every = random.Random(asked.seed).sample(every, min(asked.count, len(every)))
        done = list(outcomes(every, asked.seed))
        code |= report(platform, done, listed=asked.list)
    return code


def report(platform: str, done: list[Outcome], *, listed: bool) -> int:
    """Print the figures of one platform; return 1 where a mutant passed `check --rendered`."""
    accepted, unseen = slipped(done)
    count = Counter(
        word for each in done for word in ("refused", "judged", "walked", "named")
        if getattr(each, word)
    )  # fmt: skip
    rows = {each.row for each in done}
    harmless = {
        each.row for each in done if not each.named and reasons().reason(each.row, each.act)
    }
    print(  # noqa: T201
        f"{platform}: {len(rows)} rows, {len(done)} mutants; "
        f"check --rendered refuses {count['refused']}; judge names {count['judged']}, "
        f"reach {count['walked']}, one of both {count['named']}; "
        f"harmless {len(harmless)} rows ({100 * len(harmless) / max(len(rows), 1):.1f} %); "
        f"open {len({each.row for each in unseen})} rows"
    )
    for each in accepted:
        print(  # noqa: T201
            f"  accepted {each.act} {each.row.role} | {each.row.row} | {each.told}"
        )
    for each in unseen if listed else ():
        print(  # noqa: T201
            f"  unnamed {each.act} {each.row.role} | {each.row.row} | {each.told}"
        )
    return 1 if accepted or unseen else 0


if __name__ == "__main__":
    sys.exit(main())
