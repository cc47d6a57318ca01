"""Lossless intents that cannot work: each is refused at its place in one line, nothing written."""

import re
from pathlib import Path

import pytest
from tests.cli.calling import call

SITE = """site:
  name: lab
  management: {subnet: 10.255.0.0/22}
backend:
  design: rail-only
  servers: {count: 8, gpus: 2, nic_speed: 400G, cable_length: 5}
  leaf: {model: 7060X6-64PE, platform: eos}
  roce: {pfc: true}
"""
ROCE = "{pfc: true}"
TWO_CLASSES = "{storage: {}, over_subscription: 6}"

BAD = {
    "marking above pause": (
        ((ROCE, "{ecn: {minimum: 2000000, maximum: 9000000}}"),),
        "8:10 FG213 ECN on 400G ports: marking before pause: Kmax 9,000,000 <= 90 % of 1 x ",
    ),
    "Kmin above Kmax": (
        ((ROCE, "{ecn: {minimum: 90000, maximum: 80000}}"),),
        "8:10 FG213 ECN on 400G ports: Kmin below Kmax: 90,000 < 80,000",
    ),
    "a cable that the chip cannot hold": (
        (("cable_length: 5", "cable_length: 2000"),),
        "8:3 FG210 leaf 7060X6-64PE: the headroom is 14.9 times its pool of 29,423,360 bytes",
    ),
    "shares that are no whole": (
        ((ROCE, "{scheduler: {lossless: 60, best_effort: 39}}"),),
        "8:10 FG316 the shares add up to 60 + 39 = 99 %, not 100",
    ),
    "shares over a hundred": (
        ((ROCE, "{scheduler: {lossless: 60, best_effort: 50}}"),),
        "8:10 FG316 the shares add up to 60 + 50 = 110 %, not 100",
    ),
    "storage in the priority of RoCE data": (
        ((ROCE, "{storage: {priority: 3}, over_subscription: 6}"),),
        "8:30 FG316 priority 3 of storage is already used by RoCE data",
    ),
    "one priority for two classes": (
        ((ROCE, "{priority: 6}"),),
        "8:3 FG316 priority 6 of CNP is already used by RoCE data",
    ),
    "one code point for two classes": (
        ((ROCE, "{dscp: 48}"),),
        "8:3 FG316 DSCP 48 cannot be used for RoCE data and CNP at once",
    ),
    "a watchdog faster than it looks": (
        ((ROCE, "{watchdog: {poll: 300, detection: 250, restoration: 600}}"),),
        "8:43 FG214 PFC watchdog: detection spans two polls: 250 >= 2 x 300 ms",
    ),
    "a NIC that cannot pause two classes": (
        (("cable_length: 5}", "cable_length: 5, nic: thor2}"), (ROCE, TWO_CLASSES)),
        "8:10 FG401 thor2 pauses 1 priority in all known documents, not 2",
    ),
    "a NIC that is too slow": (
        (("400G,", "400G, nic: connectx-6-dx,"),),
        "6:43 FG206 connectx-6-dx does not run 1 port(s) at 400G",
    ),
}


def written(folder: Path, text: str) -> tuple[Path, Path]:
    """Write a site; return where it is, and where its files would be."""
    site = folder / "site"
    site.mkdir()
    (site / "site.yaml").write_text(text)
    return site, folder / "out"


@pytest.mark.parametrize("what", BAD)
def test_it_is_refused_at_its_place_and_nothing_is_written(what: str, tmp_path: Path) -> None:
    changes, said = BAD[what]
    text = SITE
    for old, new in changes:
        text = text.replace(old, new)
    site, out = written(tmp_path, text)
    heard = call("render", str(site), "-o", str(out))
    assert heard.code == 1
    assert not out.exists()
    assert re.search(rf"^\S*site\.yaml:{re.escape(said)}", heard.err, flags=re.MULTILINE)


def test_the_site_itself_is_in_order(tmp_path: Path) -> None:
    site, out = written(tmp_path, SITE)
    assert call("render", str(site), "-o", str(out)).code == 0
    assert out.is_dir()
