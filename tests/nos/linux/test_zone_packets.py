"""Real packets between two hosts, through a kernel that has a rendered zones.nft."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from fabricgen.compile.compiler import compile_site, files
from fabricgen.intent.load import load_texts

SITE = """
site:
  name: zones
  management: {subnet: 10.255.0.0/24, ntp: [10.255.0.250, 10.255.0.251]}
frontend:
  design: collapsed
  leaf: {model: 7050CX3-32S, platform: linux}
  leaf_groups: {hosts: {leafs: 1-2, servers: {per_leaf: 1, speed: 100G}}}
tenants:
  red:
    vrfs:
      red:
        id: 1
        vlans: {web: {id: 10, subnet: 10.10.10.0/24}, app: {id: 20, subnet: 10.10.20.0/24}}
    attachments: [{group: hosts, trunk: [web, app]}]
zones: {web: {vlans: [red/web]}, app: {vlans: [red/app]}}
flows: [{clients: [web], servers: [app], services: [tcp/8080, udp/53, icmp]}]
"""
PROBES = {
    "web icmp 0 0": "yes",
    "app icmp 0 0": "no",  # its request is no reply
    "web tcp 40000 8080": "yes",
    "web tcp 40001 8081": "no",
    "app tcp 8080 40000": "no",  # a new connection from the port that answers
    "web udp 40002 53": "yes",
    "app udp 40003 53": "no",
}
HERE = Path(__file__).parent
ABLE = os.getuid() == 0 and all(map(shutil.which, ("nft", "ip", "unshare")))


@pytest.mark.skipif(not ABLE, reason="needs root, nft (package nftables), ip and unshare")
def test_packets_pass_as_flows_say(tmp_path: Path) -> None:
    site = compile_site(load_texts({"site.yaml": SITE})).site
    assert site is not None
    every = [file for _, group in files(site) for file in group]
    (tmp_path / "zones.nft").write_text(next(f.text for f in every if f.path.endswith(".nft")))
    script = (str(HERE / "packets.sh"), str(tmp_path / "zones.nft"), str(HERE / "probe.py"))
    done = subprocess.run(
        ("unshare", "-mn", "sh", *script),
        input="".join(f"{probe}\n" for probe in PROBES),
        capture_output=True,
        text=True,
        check=False,
    )
    if "peration not permitted" in done.stderr or "not supported" in done.stderr:
        pytest.skip(f"no namespaces or nftables here: {done.stderr.splitlines()[-1]}")
    assert dict(zip(PROBES, done.stdout.split(), strict=True)) == PROBES, done.stderr
