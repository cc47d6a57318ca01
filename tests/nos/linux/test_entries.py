"""Neighbors in a real kernel: what EVPN brought is no finding, and what replaces it by hand is."""

import os
import shutil
import subprocess

import pytest

from fabricgen.nos.linux.show import kernel
from fabricgen.nos.shared.documents import answers, script

ABLE = os.getuid() == 0 and all(map(shutil.which, ("ip", "bridge", "awk", "unshare")))
pytestmark = pytest.mark.skipif(not ABLE, reason="needs root, iproute2, awk and unshare")
SCRIPT = script(each for each in kernel.COMMANDS if each[0] == "entries")
DEVICE = """
ip link add vlan20 type veth peer name far && ip link set vlan20 up && ip link set far up
ip neigh add 10.10.20.12 dev vlan20 lladdr 02:00:00:00:00:12 nud noarp extern_learn protocol zebra
"""


@pytest.mark.parametrize(
    ("by_hand", "seen"),
    [
        ("true", {}),
        (
            "ip neigh replace 10.10.20.12 dev vlan20 lladdr 02:00:00:00:00:99 nud permanent",
            {("neighbor", "vlan20", "10.10.20.12"): {"mac": "02:00:00:00:00:99"}},
        ),
    ],
)
def test_a_neighbor_of_evpn_that_somebody_replaced_is_seen(
    by_hand: str, seen: dict[tuple[str, ...], dict[str, str]]
) -> None:
    done = subprocess.run(
        ["unshare", "-n", "sh", "-ec", f'{DEVICE}\n{by_hand}\nexec sh -c "$SCRIPT"'],
        env={**os.environ, "SCRIPT": SCRIPT},
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.returncode, done.stderr
    assert kernel.entries(answers(done.stdout)["entries"]) == seen
