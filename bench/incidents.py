"""Single and double faults in a running lab: how many incidents there are, and with which roots.

usage: python -m bench.incidents [--seed N] [--singles N] [--pairs N] [--socket PATH] [--keep DIR]
It boots `intent/lab` (12 switches, two fabrics without a common part), or uses a lab that runs.
Two single faults are planted at a time, one in each fabric, and judged apart: each fabric alone has
one incident, and both together have two. Pairs are planted in one fabric.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.planted import Fault, drawn, drawn_pairs

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_site
from fabricgen.operate.lab.client import LabClient
from fabricgen.operate.lab.layout import lay_out
from fabricgen.prove.differences import compare
from fabricgen.prove.incidents.grouping import incidents
from fabricgen.prove.incidents.impact import Impacts
from fabricgen.prove.incidents.model import Incident, Seen
from fabricgen.prove.verifier import Look, Verifier, expectations

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fabricgen.model.fabric.switch import Site
    from fabricgen.nos.show import Observed

INTENT = Path(__file__).resolve().parents[1] / "intent" / "lab"
NAME = "incidents"
LOOKS = 4
WAIT, PATIENCE = 10.0, 240.0
"""Seconds until BGP has converged after a fault, and until a mended lab is as designed."""


@dataclass
class Field:
    """A running lab, its model, and the faults that are planted in it."""

    client: LabClient
    site: Site
    verifier: Verifier
    impacts: Impacts
    keep: Path | None = None

    @classmethod
    def of(cls, socket: Path, keep: Path | None) -> Field:
        """Return the field of a running lab."""
        site = compile_site(load_site(INTENT)).site
        assert site is not None
        plan = lay_out(site, name=NAME, lifted=None, files=(), limit=())
        client = LabClient(socket)
        wanted = expectations(site, plan.names, plan.answered)
        return cls(client, site, Verifier(client.ask, wanted), Impacts(site), keep)

    def judged(
        self, looks: dict[str, Look], faults: Sequence[Fault], names: Iterable[str]
    ) -> tuple[tuple[Incident, ...], bool]:
        """Return the incidents among some switches, and whether they are the planted faults."""
        silent = {name: "no answer" for fault in faults for name in fault.silent}
        seen = {
            name: Seen(
                expected=looks[name].expected,
                observed=looks[name].observed,
                findings=looks[name].differences,
            )
            for name in names
            if name not in silent
        }
        found = incidents(self.site, seen, silent, self.verifier.wanted, self.impacts)
        given = sum(len(each.findings) for each in seen.values())
        assert given == sum(len(each.findings) for each in found), "grouping lost a finding"
        left = [(each.cause.kind, each.cause.root) for each in found]
        right = len(left) == len(faults) and all(
            any(root in fault.roots for root in left) for fault in faults
        )
        return found, right

    def heal(self, names: Iterable[str]) -> None:
        """Wait until some switches are as designed."""
        begun = time.monotonic()
        while names:
            looks = self.verifier.look(names)
            names = [name for name, look in looks.items() if look.differences]
            if time.monotonic() - begun > PATIENCE:
                raise RuntimeError([it.sentence for n in names for it in looks[n].differences])

    def looks(self, name: str, faults: Sequence[Fault]) -> dict[str, Look]:
        """Return the snapshots of a trial: kept ones, or those of the lab."""
        place = self.keep / f"{name}.pickle" if self.keep is not None else None
        if place is not None and place.exists():
            return self._again(pickle.loads(place.read_bytes()))  # noqa: S301 - our own file
        looks = self.trial(faults)
        if place is not None:
            place.parent.mkdir(exist_ok=True)
            seen = {name: look.observed for name, look in looks.items()}
            place.write_bytes(pickle.dumps(seen))
        self.heal({place.partition(":")[0] for fault in faults for place in fault.places})
        return looks

    def _again(self, seen: dict[str, Observed]) -> dict[str, Look]:
        return {
            name: Look(
                expected=self.verifier.wanted[name],
                observed=observed,
                differences=compare(self.verifier.wanted[name], observed),
                moving=(),
                first=True,
            )
            for name, observed in seen.items()
        }

    def settled(self) -> dict[str, Look]:
        """Look until two looks have equal findings, because BFD flaps on a busy machine."""
        looks = self.verifier.look()
        for _ in range(LOOKS):
            names = [name for name, look in looks.items() if look.differences]
            fresh = self.verifier.look(names) if names else {}
            same = all(_sentences(look) == _sentences(looks[name]) for name, look in fresh.items())
            looks |= fresh
            if same:
                break
        return looks

    def trial(self, faults: Sequence[Fault], wait: float = WAIT) -> dict[str, Look]:
        """Plant faults, look, and mend them."""
        planted = []
        try:
            for fault in faults:
                planted.append(fault)
                fault.plant(self.client)
            time.sleep(wait)
            return self.settled()
        finally:
            for fault in planted:
                fault.mend(self.client)


def _sentences(look: Look) -> set[str]:
    return {f"{each.key} {each.attribute}" for each in look.differences}


def row(
    number: int, faults: Sequence[Fault], found: Sequence[Incident], *, right: bool
) -> dict[str, Any]:
    """Return one trial as data."""
    return {
        "trial": number,
        "planted": [fault.what for fault in faults],
        "right": right,
        "incidents": [
            {
                "kind": each.cause.kind,
                "root": each.cause.root,
                "findings": len(each.findings),
                "servers": each.impact.servers,
                "unexplained": [it.sentence for it in each.findings][:6] if not right else [],
            }
            for each in found
        ],
    }


def shown(each: dict[str, Any]) -> None:
    """Print one trial."""
    roots = "; ".join(
        f"{it['kind']} {' '.join(it['root'])} ({it['findings']})" for it in each["incidents"]
    )
    verdict = "right" if each["right"] else "WRONG"
    print(f"{each['trial']:>3}  {verdict}  {' + '.join(each['planted'])}: {roots}", flush=True)
    for it in each["incidents"]:
        for sentence in it["unexplained"]:
            print(f"         {it['kind']}: {sentence}", flush=True)


def measured(
    ground: Field, singles: int, pairs: int, seed: int, start: int = 0
) -> list[dict[str, Any]]:
    """Run all trials; return and print one row for each."""
    rows: list[dict[str, Any]] = []
    fabrics = {it.name: [s.name for s in it.topology.switches] for it in ground.site.fabrics}
    lots = [drawn(it, singles // len(fabrics), seed) for it in ground.site.fabrics]
    for number, faults in enumerate(zip(*lots, strict=True)):
        if number < start:
            continue
        looks = ground.looks(f"single-{number:02}", faults)
        for (name, switches), fault in zip(fabrics.items(), faults, strict=True):
            found, right = ground.judged(looks, [fault], switches)
            rows.append({"sort": "single", **row(number, [fault], found, right=right)})
            shown(rows[-1])
            rows[-1]["fabric"] = name
        found, right = ground.judged(looks, faults, [n for some in fabrics.values() for n in some])
        rows.append({"sort": "both fabrics", **row(number, faults, found, right=right)})
        shown(rows[-1])
    half = [drawn_pairs(it, pairs // len(fabrics), seed) for it in ground.site.fabrics]
    for number, some in enumerate(zip(*half, strict=True)):
        looks = ground.looks(f"pair-{number:02}", [fault for two in some for fault in two])
        for switches, two in zip(fabrics.values(), some, strict=True):
            found, right = ground.judged(looks, two, switches)
            rows.append({"sort": "pair", **row(number, two, found, right=right)})
            shown(rows[-1])
    return rows


def summary(rows: list[dict[str, Any]]) -> None:
    """Print how many trials of each sort are right."""
    for sort in ("single", "both fabrics", "pair"):
        mine = [each for each in rows if each["sort"] == sort]
        counts = sum(len(each["incidents"]) == len(each["planted"]) for each in mine)
        right = sum(each["right"] for each in mine)
        print(
            f"{sort}: {right} of {len(mine)} with the right roots, {counts} with as many incidents"
        )


def main() -> None:
    """Boot or take a lab, and run the trials."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, number in (("--seed", 32), ("--singles", 40), ("--pairs", 12), ("--start", 0)):
        parser.add_argument(name, type=int, default=number)
    parser.add_argument("--socket", type=Path)
    for name in ("--keep", "--out"):
        parser.add_argument(name, type=Path)
    asked = parser.parse_args()
    if asked.socket is not None:
        rows = measured(
            Field.of(asked.socket, asked.keep), asked.singles, asked.pairs, asked.seed, asked.start
        )
    else:
        with tempfile.TemporaryDirectory() as folder:
            own = os.environ | {"XDG_RUNTIME_DIR": folder}
            verb = (sys.executable, "-m", "fabricgen", "lab")
            subprocess.run((*verb, "up", str(INTENT), "--name", NAME), env=own, check=True)
            try:
                socket = Path(folder) / f"fabricgen-{os.getuid()}" / NAME / "socket"
                rows = measured(
                    Field.of(socket, asked.keep), asked.singles, asked.pairs, asked.seed
                )
            finally:
                subprocess.run((*verb, "down"), env=own, check=True)
    summary(rows)
    if asked.out is not None:
        asked.out.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
