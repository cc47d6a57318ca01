"""Real packets of servers, through a kernel that has a rendered marks.nft."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.nos.tenants import classed

from fabricgen.compile.compiler import compile_site, files
from fabricgen.intent.load import load_texts

GOLD, BULK, VOICE = 36 << 2, 8 << 2, 46 << 2
PROBES = {
    "bond1 0 4 0": GOLD,
    "bond1 0 6 0": GOLD,
    f"bond1 0 4 {VOICE + 1}": GOLD + 1,  # ECN stays
    f"bond1 0 6 {VOICE + 2}": GOLD + 2,
    f"swp5s0 0 4 {VOICE}": BULK,  # a VLAN with a class of its own
    f"swp5s1 0 4 {VOICE}": GOLD,  # a trunk: its native VLAN
    f"swp5s1 110 4 {VOICE}": GOLD,
    f"swp5s1 111 4 {VOICE}": BULK,
    f"swp5s1 111 6 {VOICE + 3}": BULK + 3,
    f"swp1 0 4 {VOICE}": VOICE,  # no chain is there
}
"""Port, VLAN, family and TOS byte of a packet, and with which TOS byte it passes."""
HERE = Path(__file__).parent
ABLE = os.getuid() == 0 and all(map(shutil.which, ("nft", "ip", "unshare")))


@pytest.mark.skipif(not ABLE, reason="needs root, nft (package nftables), ip and unshare")
def test_packets_are_marked_by_the_class_of_their_port_and_vlan(tmp_path: Path) -> None:
    site = compile_site(load_texts({"site.yaml": classed("7050CX3-32S", "linux", mixed=True)})).site
    assert site is not None
    every = [file for _, group in files(site) for file in group]
    (tmp_path / "marks.nft").write_text(next(f.text for f in every if f.path.endswith("marks.nft")))
    script = (
        str(HERE / "mark_packets.sh"),
        str(tmp_path / "marks.nft"),
        str(HERE / "mark_probe.py"),
    )
    done = subprocess.run(
        ("unshare", "-mn", "sh", *script),
        input="".join(f"{probe}\n" for probe in PROBES),
        capture_output=True,
        text=True,
        check=False,
    )
    if "peration not permitted" in done.stderr or "not supported" in done.stderr:
        pytest.skip(f"no namespaces or nftables here: {done.stderr.splitlines()[-1]}")
    said = dict(zip(PROBES, map(int, done.stdout.split()), strict=True))
    assert said == PROBES, done.stderr
