"""The .network files given to the real systemd-networkd, in namespaces of its own, without NICs."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.unit.hosts.hosts import plain, rails, servers, stored, texts
from tests.unit.hosts.stand_ins import host

NETWORKD = Path("/lib/systemd/systemd-networkd")

# Bridges stand in for the NICs. networkd waits for udev, which is not there: a read-only /sys and
# an entry in its database say that each link is ready.
SCRIPT = """
mount -t tmpfs none /run || exit 77
mkdir -p /run/systemd/network /run/udev/data
cp "$FABRICGEN_ROOT"/etc/systemd/network/* /run/systemd/network/
for nic in $NICS; do ip link add "$nic" type bridge || exit 77; done
mount -t sysfs -o ro none /sys || exit 77
for path in /sys/class/net/*/ifindex; do echo I:1 >"/run/udev/data/n$(cat "$path")"; done
SYSTEMD_LOG_LEVEL=info timeout 60 "$NETWORKD" 2>"$STATE/networkd" &
tries=0
until sh "$FABRICGEN_ROOT/etc/fabricgen/check" >"$STATE/said" || [ $tries -ge 40 ]; do
    tries=$((tries + 1))
    sleep 0.25
done
cat "$STATE/said"
for nic in $NICS; do [ "$(cat "/sys/class/net/$nic/mtu")" = 9214 ] || echo "MTU of $nic"; done
"""


def namespaces() -> bool:
    """Tell whether networkd is there and may be started by itself; it asks for the real root."""
    if os.getuid() != 0 or not NETWORKD.exists() or shutil.which("ip") is None:
        return False
    return subprocess.run(["unshare", "-nmpf", "true"], check=False).returncode == 0


@pytest.mark.skipif(not namespaces(), reason="systemd-networkd cannot be started here")
@pytest.mark.parametrize("shape", ["rail-only", "subnets", "two-planes", "storage"])
def test_networkd_makes_of_the_files_what_the_check_expects(shape: str, tmp_path: Path) -> None:
    site = stored("networkd") if shape == "storage" else plain(shape, "networkd")
    host_slice = servers(site)[-1]
    here = host(tmp_path, texts(host_slice), rails(host_slice).share.gid_index)
    (here.tools / "ip").unlink()
    here.apply()
    done = subprocess.run(
        ["unshare", "-nmpf", "sh", "-c", SCRIPT],
        env={
            "PATH": f"{here.tools}:{os.environ['PATH']}",
            "FABRICGEN_ROOT": str(here.root),
            "STATE": str(here.state),
            "NETWORKD": str(NETWORKD),
            "NICS": " ".join(rail.plan.nic.name for rail in rails(host_slice).ports),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 77:
        pytest.skip(f"no mounts here: {done.stderr}")
    said = (here.state / "networkd").read_text()
    assert done.stdout == "", said
    assert "Unknown" not in said
    assert "ignoring assignment" not in said
