"""`python -m tests.mutants`: break fabricgen in many small ways, and see whether a test notices."""

import argparse
import difflib
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.mutants.changed import changed_rooms, head
from tests.mutants.rooms import ROOT, modules, room_of
from tests.mutants.running import Verdict, not_passing, verdicts
from tests.mutants.sample import Mutant, mutants_of, mutated, sample, unmutated

FLOOR = 0.90
SMALL_FLOOR = 0.5
"""Of a sample of a dozen: where nine in ten of all are killed, hardly any sample is below it."""
SMALL = 40


def main() -> int:
    """Draw, judge, report."""
    options = _options()
    seed, among = options.seed, modules()
    if options.changed:
        rooms, why = changed_rooms(ROOT)
        among = [module for module in among if rooms is None or room_of(module) in rooms]
        seed = head(ROOT)
        _say(f"mutants: {why}")
    if options.among:
        among = [module for module in among if module.startswith(tuple(options.among))]
    mutants = _only(options.only) if options.only else sample(options.count, seed, among)
    _say(f"mutants: {len(mutants)}, seed {seed}, {options.workers} at a time")
    if not mutants:
        return 0
    with tempfile.TemporaryDirectory(prefix="mutants-", ignore_cleanup_errors=True) as folder:
        judged = []
        for verdict in verdicts(
            mutants,
            Path(folder),
            workers=options.workers,
            cpu=options.cpu,
            most=options.stages,
        ):
            judged.append(verdict)
            _say(_line(len(judged), verdict))
        killers = {verdict.killer for verdict in judged if "::" in verdict.killer}
        broken = not_passing(killers, Path(folder)) if killers else set()
    return _report(judged, len(mutants), broken)


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    count = int(os.environ.get("FABRICGEN_MUTANTS", "400"))
    seed = os.environ.get("FABRICGEN_MUTANTS_SEED", "1")
    parser.add_argument("--count", type=int, default=count, help="how many mutants")
    parser.add_argument("--seed", default=seed, help="other seeds draw others")
    parser.add_argument("--among", action="append", default=[], help="of modules under this path")
    parser.add_argument("--stages", type=int, default=3, help="1: only the nearest tests")
    parser.add_argument("--changed", action="store_true", help="of the rooms changed of late")
    parser.add_argument("--cpu", type=float, default=float("inf"), help="CPU seconds in all")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", action="append", default=[], help="path:line, or path#number")
    return parser.parse_args()


def _only(places: list[str]) -> list[Mutant]:
    """Return the mutants of a line, or one by its number."""
    chosen = []
    for place in places:
        module, mark, number = place.partition("#" if "#" in place else ":")
        chosen += [
            mutant
            for mutant in mutants_of(module)
            if int(number) == (mutant.number if mark == "#" else mutant.line)
        ]
    return chosen


def _line(number: int, verdict: Verdict) -> str:
    how = f"killed by {verdict.killer}" if verdict.killer else "SURVIVED"
    return f"{number:4} {verdict.cpu:6.1f} s  {verdict.mutant}  {how}"


def _report(judged: list[Verdict], drawn: int, broken: set[str]) -> int:
    survivors = [verdict for verdict in judged if not verdict.killer]
    for verdict in sorted(survivors, key=lambda one: (one.mutant.module, one.mutant.line)):
        _say(f"\nsurvived: {verdict.mutant}\n{_difference(verdict.mutant)}")
    _say(_table(judged))
    cpu = sum(verdict.cpu for verdict in judged)
    rate = 1 - len(survivors) / len(judged) if judged else 1.0
    _say(
        f"\n{len(judged) - len(survivors)} of {len(judged)} mutants killed: {rate:.1%}"
        f" ({cpu:.0f} CPU seconds; {drawn - len(judged)} of those drawn were not run)"
    )
    for test in sorted(broken):
        _say(f"fails without any mutant, so it proves nothing: {test}")
    floor = FLOOR if len(judged) >= SMALL else SMALL_FLOOR
    if rate < floor:
        _say(f"below {floor:.0%}")
    return int(rate < floor or bool(broken))


def _difference(mutant: Mutant) -> str:
    lines = difflib.unified_diff(
        unmutated(mutant.module).splitlines(), mutated(mutant).splitlines(), lineterm="", n=1
    )
    return "\n".join(list(lines)[3:])


def _table(judged: list[Verdict]) -> str:
    """Return killed and all by room, and by which tests: near, golden, other."""
    rows = ["", f"{'room':14} {'mutants':>7} {'killed':>6} {'rate':>6}  near, golden, other"]
    for room in sorted({room_of(verdict.mutant.module) for verdict in judged}):
        of_room = [verdict for verdict in judged if room_of(verdict.mutant.module) == room]
        killed = [verdict for verdict in of_room if verdict.killer]
        by_stage = Counter(verdict.stage for verdict in killed)
        shares = " ".join(f"{by_stage[stage]:3}" for stage in range(3))
        rate = len(killed) / len(of_room)
        rows.append(f"{room:14} {len(of_room):7} {len(killed):6} {rate:6.0%}  {shares}")
    return "\n".join(rows)


if __name__ == "__main__":
    sys.exit(main())
