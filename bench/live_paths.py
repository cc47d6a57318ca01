"""Plant differences on paths of the lab, and count those that `reach --live` names first.

Each difference is planted alone, on a place that the seed draws. The path of its pair is followed,
the difference is mended, and the path must be as before.

usage: PYTHONPATH=src:. python -m bench.live_paths [SEED [KIND]]
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from tests.lab.live.following import Pair, pair_of
from tests.lab.live.plants import PAIRS, Plant, Planter
from tests.lab.machinery import new_ground
from tests.lab.running import Running, boot, compiled

from fabricgen.prove.reach.live.steps import LivePath, State

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE = 150
"""Seconds until BGP is as before."""


def main(seed: int, kind: str = "") -> int:
    """Boot the lab, plant every difference, and print the table."""
    for ground in new_ground():
        lab = boot(ground)
        try:
            return _all(lab, seed, kind)
        finally:
            ground.call("lab", "down")
    return 1


def _all(lab: Running, seed: int, kind: str) -> int:
    site = compiled().site
    assert site is not None
    running = frozenset(lab.plan.names)
    pairs = {name: pair_of(site, running, *ends) for name, ends in PAIRS.items()}
    print(f"seed {seed}: {', '.join(f'{k} {a} to {b}' for k, (a, b) in PAIRS.items())}")
    for name, pair in pairs.items():
        _until(lab, pair, lambda path: path.state is State.SAME, f"{name} before")
    print("| difference | pair | planted on | first different value | named | s |")
    print("|--|--|--|--|--|--|", flush=True)
    plants = [each for each in Planter(pairs, seed).plants() if kind in each.kind]
    right = [_one(lab, pairs[each.pair], each) for each in plants]
    print(f"{sum(right)} of {len(right)}")
    return 0 if all(right) else 1


def _one(lab: Running, pair: Pair, plant: Plant) -> bool:
    lab.run(plant.switch, "sh", "-c", plant.plant)
    begin = time.monotonic()
    path = pair.look(lab.client.ask)
    took = time.monotonic() - begin
    if path.first is None:  # BGP may need a moment
        path = _until(lab, pair, lambda path: path.first is not None, plant.kind)
    lab.run(plant.switch, "sh", "-c", plant.mend)
    said = _said(path)
    right = is_named(path, plant)
    row = (plant.kind, plant.pair, plant.switch, said, "yes" if right else "NO", f"{took:.1f}")
    print(f"| {' | '.join(row)} |", flush=True)
    _until(lab, pair, lambda path: path.state is State.SAME, f"{plant.kind} mended")
    return right


def _said(path: LivePath) -> str:
    if path.first is None:
        return "none"
    hop, item = path.first
    return f"{hop.step.switch}: {item.subject}: {item.model} / {item.files} / {item.running}"


def is_named(path: LivePath, plant: Plant) -> bool:
    """Return whether the first different value is the planted one."""
    if path.first is None:
        return False
    hop, item = path.first
    return hop.step.switch == plant.switch and not {item.name, item.subject}.isdisjoint(plant.names)


def _until(lab: Running, pair: Pair, fits: Callable[[LivePath], bool], what: str) -> LivePath:
    """Look until a path fits; print what is left after the patience."""
    end = time.monotonic() + PATIENCE
    while True:
        path = pair.look(lab.client.ask)
        if fits(path):
            return path
        if time.monotonic() > end:
            left = [
                f"{h.step.switch}: {i.subject}: {i.running or i.why}" for h, i in path.unknown()
            ]
            print(f"{what}: {_said(path)}; not known: {left[:4]}", flush=True)
            return path
        time.sleep(2)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 50968124, *sys.argv[2:3]))
