"""Pushes to the real FRR switches of a running lab, killed at random moments.

Two configurations of the whole lab are pushed in turn. After
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
from dataclasses import asdict, dataclass
from pathlib import Path

from fabricgen.operate.lab.client import LabClient
from fabricgen.operate.lab.place import Place

CHAIN = 5  # kills until a push may end
LONGEST = 60.0  # seconds until a kill
MOVING = ("saving", "applying", "keeping", "reverting")
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

    def fabricgen(self, *words: str) -> subprocess.Popen[bytes]:
        """Start a verb in a process group of its own."""
        command = (sys.executable, "-m", "fabricgen", *words, "--lab", self.name)
        log = (self.folder / "log").open("ab")
        return subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)

    def plan(self, to: int) -> None:
        """Make the plan of one direction."""
        target = self.folder / f"plan{to}.json"
        words = ("plan", str(self.sites[to]), "--all-fabrics", "-o", str(target))
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
        plan = next(path for path in self.folder.glob("plan*.json"))
        names = [entry["switch"] for entry in json.loads(plan.read_text())["switches"]]

        def one(name: str) -> str:
            while True:
                said = client.execute(name, ("sh", "-c", STATE)).stdout
                commit, _, rest = said.partition("---\n")
                if not commit.strip() or json.loads(commit)["phase"] not in MOVING:
                    return hashlib.sha256(rest.encode()).hexdigest()
                time.sleep(1)

        with ThreadPoolExecutor(4) as pool:
            return dict(zip(names, pool.map(one, names), strict=True))


def prepared(site: Path, name: str, folder: Path) -> Lab:
    """Make the second site: other BFD timers in both fabrics, so that every switch changes."""
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
    return Lab(name, (site, other), folder)


@dataclass
class Count:
    """What was seen. neither: switches that ran neither configuration; mixed: kills in between."""

    kills: int = 0
    mixed: int = 0
    neither: int = 0
    ends: int = 0
    converged: int = 0


def chain(lab: Lab, to: int, dice: random.Random, count: Count) -> None:
    """Kill some pushes of one direction, let one end, and judge what every switch ran."""
    before, seen = lab.look(), []
    for _ in range(CHAIN):
        push = lab.push(to)
        time.sleep(dice.uniform(2, LONGEST))
        os.killpg(push.pid, signal.SIGKILL)
        killed = push.wait() == -signal.SIGKILL
        count.kills += killed
        seen.append((killed, lab.look()))
        say(f"kill {count.kills}" if killed else "it ended before it was killed")
    code = lab.push(to).wait()
    after = lab.look()
    count.ends += 1
    count.converged += code == 0 and all(after[name] != before[name] for name in after)
    for killed, runs in seen:
        new = sum(runs[name] == after[name] for name in runs)
        old = sum(runs[name] == before[name] for name in runs)
        count.neither += len(runs) - new - old
        count.mixed += killed and 0 < new < len(runs)
        say(f"{old} ran the old, {new} the new configuration")
    say(f"the push that may end: exit code {code}")


def main(site: Path, name: str, kills: int) -> int:
    """Kill, look, go on; print what was found."""
    dice, count, to = random.Random(7), Count(), 1  # noqa: S311 - of a test
    folder = Path(tempfile.mkdtemp(prefix="kills-"))  # it stays: its log says what the verbs said
    say(f"log: {folder / 'log'}")
    lab = prepared(site, name, folder)
    while count.kills < kills:
        lab.plan(to)
        chain(lab, to, dice, count)
        to = 1 - to
    sys.stdout.write(json.dumps(asdict(count)) + "\n")
    return 1 if count.neither or count.converged < count.ends else 0


def say(line: str) -> None:
    """Say how it goes."""
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {line}\n")


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 20))
