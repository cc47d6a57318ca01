"""Pushes to the real FRR switches of a running lab, killed at random moments.

Two configurations of the whole lab are pushed in turn, each by a plan that was made once. After
each kill -9 of the push, with all that it started, every switch must run exactly the old or exactly
the new configuration as soon as its own work is over: the files on its disk and what FRR runs. Then
the same push starts again; every sixth one may end, and then all must run the new one.

usage: FABRIC_ADMIN_HASH=… python -m bench.lab_kills SITE LAB [KILLS]
SITE is the folder that the lab was booted from; a copy of it is changed.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from fabricgen.lab.client import LabClient
from fabricgen.lab.place import Place

CHAIN = 5  # kills until a push may end
LONGEST = 60.0  # seconds until a kill
MOVING = ("saving", "applying", "reverting")
STATE = (
    "cat /var/lib/fabricgen/commit.json 2>/dev/null; echo; echo ---; "
    "cat /etc/frr/frr.conf /etc/network/interfaces; "
    "vtysh -c 'show running-config no-header' | grep -v '^Building'"
)


@dataclass
class Lab:
    """The lab, the two sites and their plans."""

    name: str
    sites: tuple[Path, Path]
    folder: Path
    states: list[dict[str, str]] = field(default_factory=list)

    def fabricgen(self, *words: str) -> subprocess.Popen[bytes]:
        """Start a verb in a process group of its own."""
        command = (sys.executable, "-m", "fabricgen", *words, "--lab", self.name)
        log = (self.folder / "log").open("ab")
        return subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)

    def plan(self, to: int) -> None:
        """Make the plan of one direction."""
        target = self.folder / f"plan{to}.json"
        words = ("plan", str(self.sites[to]), "--together", "-o", str(target))
        code = self.fabricgen(*words).wait()
        assert code == 2, f"plan: {code}; see {self.folder / 'log'}"

    def push(self, to: int) -> subprocess.Popen[bytes]:
        """Start the push of one direction."""
        journal = ("--journal", str(self.folder / "journal.db"))
        plan = str(self.folder / f"plan{to}.json")
        return self.fabricgen("push", str(self.sites[to]), "--plan", plan, *journal)

    def look(self) -> dict[str, str]:
        """Return the hash of what every switch runs, as soon as it does nothing by itself."""
        client = LabClient(Place.of(self.name).socket)
        names = [entry["switch"] for entry in self.document(0)["switches"]]

        def one(name: str) -> str:
            while True:
                said = client.execute(name, ("sh", "-c", STATE)).stdout
                commit, _, rest = said.partition("---\n")
                if not commit.strip() or json.loads(commit)["phase"] not in MOVING:
                    return hashlib.sha256(rest.encode()).hexdigest()
                time.sleep(1)

        with ThreadPoolExecutor(4) as pool:
            return dict(zip(names, pool.map(one, names), strict=True))

    def document(self, to: int) -> dict[str, list[dict[str, str]]]:
        """Return a plan."""
        found: dict[str, list[dict[str, str]]] = json.loads(
            (self.folder / f"plan{to}.json").read_text()
        )
        return found


def prepared(site: Path, name: str, folder: Path) -> Lab:
    """Push both configurations once, and note what every switch runs then."""
    other = folder / "other"
    shutil.copytree(site, other)
    for each in ("frontend.yaml", "backend.yaml"):
        path = other / each
        text = path.read_text()
        fabric = each.partition(".")[0]
        assert f"{fabric}:\n" in text
        assert "underlay:" not in text
        bfd = f"{fabric}:\n  underlay: {{bfd: {{interval: 300, multiplier: 4}}}}\n"
        path.write_text(text.replace(f"{fabric}:\n", bfd, 1))
    lab = Lab(name, (site, other), folder)
    lab.plan(1)
    lab.states.append({})
    shutil.copy(folder / "plan1.json", folder / "plan0.json")  # for the names of the switches
    lab.states[0] = lab.look()
    assert lab.push(1).wait() == 0
    lab.states.append(lab.look())
    changed = sum(lab.states[0][name] != lab.states[1][name] for name in lab.states[0])
    say(f"{changed} of {len(lab.states[0])} switches change")
    lab.plan(0)
    return lab


def main(site: Path, name: str, kills: int) -> int:
    """Kill, look, go on; print what was found."""
    dice = random.Random(7)  # noqa: S311 - of a test
    killed = mixed = wrong = converged = 0
    folder = Path(tempfile.mkdtemp(prefix="kills-"))  # it stays: its log says what the verbs said
    say(f"log: {folder / 'log'}")
    lab, to = prepared(site, name, folder), 0
    while killed < kills:
        for _ in range(CHAIN):
            push = lab.push(to)
            time.sleep(dice.uniform(2, LONGEST))
            os.killpg(push.pid, signal.SIGKILL)
            if push.wait() == -signal.SIGKILL:
                killed += 1
            runs = lab.look()
            new = sum(runs[each] == lab.states[to][each] for each in runs)
            old = sum(runs[each] == lab.states[1 - to][each] for each in runs)
            wrong += len(runs) - new - old
            mixed += 0 < new < len(runs)
            say(f"kill {killed}: {old} run the old, {new} the new configuration")
        code = lab.push(to).wait()
        runs = lab.look()
        converged += code == 0 and runs == lab.states[to]
        say(f"a push that may end: exit code {code}, all new: {runs == lab.states[to]}")
        to = 1 - to
    said = {"kills": killed, "left_mixed": mixed, "neither": wrong, "converged": converged}
    sys.stdout.write(json.dumps(said | {"ends": -(-kills // CHAIN)}) + "\n")
    return 1 if wrong else 0


def say(line: str) -> None:
    """Say how it goes."""
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {line}\n")


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 20))
