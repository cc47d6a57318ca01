"""The check of a server in a network namespace: what the kernel itself says of its network."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from tests.unit.hosts.hosts import SHAPES
from tests.unit.hosts.test_scripts import made

if TYPE_CHECKING:
    from pathlib import Path

REAL = """
set -e
while read -r word nic address host gateway subnet table block everywhere leaf; do
    [ "$word" = rail ] || continue
    ip link add "$nic" type bridge
    ip link set "$nic" mtu 9214 up
    ip address add "$address" dev "$nic"
    ip route add "$subnet" dev "$nic" scope link table "$table"
    ip route add "$block" via "$gateway" dev "$nic" table "$table"
    [ "$everywhere" = - ] || ip route add "$everywhere" via "$gateway" dev "$nic" table "$table"
    ip route add unreachable default table "$table"
    ip route add unreachable default table $((table + 2000))
    ip rule add from "$host/32" table "$table" priority "$table"
    ip rule add from 0.0.0.0/32 to "$block" table "$table" priority $((table + 1000))
    ip rule add to "$block" table $((table + 2000)) priority $((table + 2000))
done <"$FABRICGEN_ROOT/etc/fabricgen/rails"
$BREAK
sh "$FABRICGEN_ROOT/etc/fabricgen/check"
"""


def unshare() -> bool:
    """Tell whether a network namespace can be had."""
    done = subprocess.run(["unshare", "-rn", "true"], capture_output=True, check=False)
    return done.returncode == 0 and shutil.which("ip") is not None


@pytest.mark.skipif(not unshare(), reason="no network namespace can be made here")
@pytest.mark.parametrize("shape", SHAPES)
def test_the_check_reads_what_the_kernel_says(shape: str, tmp_path: Path) -> None:
    """With the kernel's own addresses, rules and routes, shown by the real `ip`."""
    here = made(tmp_path, "connectx", shape)
    (here.tools / "ip").unlink()
    here.apply()
    here.put("real.sh", REAL)
    alone = ["unshare", "-rn", "sh", str(here.root / "real.sh")]
    env = {
        "PATH": f"{here.tools}:{os.environ['PATH']}",
        "FABRICGEN_ROOT": str(here.root),
        "STATE": str(here.state),
        "BREAK": "",
    }
    nic = next((here.root / "sys/class/net").iterdir()).name
    done = subprocess.run(alone, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    env["BREAK"] = f"ip link set {nic} down"
    done = subprocess.run(alone, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert all(line.startswith(f"{nic}: ") for line in done.stdout.splitlines())
