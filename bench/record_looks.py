"""Record the answers of real switches to the questions that older looks lack.

It boots the small sites of lab.py one after the other, and appends the new answers to the looks.
Early looks have those of a leaf without uplinks. `<switch>.counted.txt` is a whole fresh look.

usage: PYTHONPATH=src:. python -m bench.record_looks
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tests.lab.machinery import Ground, new_ground
from tests.unit.proof.state.lab import BACKEND, FRONTEND, LOOKS, RAIL_ONLY, VARIED

from fabricgen.nos.linux.show.reader import LINUX, QUESTIONS
from fabricgen.nos.shared.documents import shell_request

if TYPE_CHECKING:
    from fabricgen.operate.lab.client import LabClient

NEW = ("floods", "evpn_routes", "pfc", "system", "clock", "flaps")
"""Keys of the questions whose answers are appended."""
_END = re.compile("\n?\x1e(\\w+) (\\d+)\n")
SITES: tuple[tuple[str, dict[str, tuple[str, ...]]], ...] = (
    (
        FRONTEND,
        {
            "fe-leaf02": ("settled", "later", "asn"),
            "fe-leaf01": ("settled",),
            "fe-spine1": ("settled",),
        },
    ),
    (BACKEND, {"be-su01-leaf1": ("settled", "swapped")}),
    (RAIL_ONLY, {"be-leaf1": ("settled",)}),
    (VARIED, {"fe-leaf01": ("varied",), "be-su01-leaf1": ("varied",)}),
)
EARLY = "fe-leaf02"
COUNTED = ("fe-leaf02", "be-su01-leaf1")
_SETTLING = 240


def parts(output: str) -> dict[str, str]:
    """Return the answer of each question with its end."""
    found = _END.split(output)
    return {
        key: f"{text}\n\x1e{key} {status}\n"
        for text, key, status in zip(found[::3], found[1::3], found[2::3], strict=False)
    }


def append(switch: str, when: str, answers: dict[str, str]) -> None:
    """Replace the new answers of a look."""
    path = LOOKS / f"{switch}.{when}.txt"
    old = {key: text for key, text in parts(path.read_text()).items() if key not in NEW}
    path.write_text("".join((*old.values(), *(answers[key] for key in NEW))))
    print(path.name, len(answers), flush=True)


def record(ground: Ground, site: str, looks: dict[str, tuple[str, ...]]) -> None:
    """Boot a site, and record its switches."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "site.yaml").write_text(site)
        Path(folder).chmod(0o755)
        done = ground.call("lab", "up", folder, "--name", "r", "--health-timeout", str(_SETTLING))
        print(done.returncode, done.stdout[-600:], done.stderr[-600:], flush=True)
        client = ground.client("r")
        try:
            for switch, moments in looks.items():
                _of_switch(client, switch, moments)
        finally:
            ground.call("lab", "down")


def _of_switch(client: LabClient, switch: str, moments: tuple[str, ...]) -> None:
    output = client.ask({switch: shell_request(QUESTIONS)})[switch]
    seen = LINUX.read(output)
    print(switch, dict(seen.unread), flush=True)
    for when in moments:
        append(switch, when, parts(output))
    if switch in COUNTED and "settled" in moments:
        (LOOKS / f"{switch}.counted.txt").write_text(output)
    if switch == EARLY:
        client.execute(switch, ("sh", "-c", "ip link set swp29 down; ip link set swp30 down"))
        time.sleep(20)
        append(switch, "early", parts(client.ask({switch: shell_request(QUESTIONS)})[switch]))


def main(names: list[str]) -> None:
    """Record all sites, or those with a switch of these names."""
    for site, looks in SITES:
        if not names or set(names) & set(looks):
            for ground in new_ground():
                record(ground, site, looks)


if __name__ == "__main__":
    main(sys.argv[1:])
