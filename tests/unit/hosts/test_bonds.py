"""Files of ports, bonds and VLANs given to the real systemd-networkd; the check on a stand-in."""

import os
import subprocess
from pathlib import Path

import pytest
from tests.unit.hosts.hosts import texts
from tests.unit.hosts.test_bridged import pieces
from tests.unit.hosts.test_networkd import NETWORKD, namespaces

# The ports are veth pairs; far ends of a bond's are a bond of the same mode, as a switch has it.
# networkd waits for udev, which is not there: a read-only /sys and an entry in its database say
# that each link is ready.
SCRIPT = r"""
mount -t tmpfs none /run || exit 77
mkdir -p /run/systemd/network /run/udev/data
cp "$FABRICGEN_FILES"/etc/systemd/network/* /run/systemd/network/
[ -z "$MODE" ] || ip link add far type bond mode "$MODE" miimon 100 || exit 77
for nic in $PORTS; do
    ip link add "$nic" type veth peer name "far-$nic" || exit 77
    [ -z "$MODE" ] || ip link set "far-$nic" master far
    [ -n "$MODE" ] || ip link set "far-$nic" up
done
[ -z "$MODE" ] || ip link set far up
[ -z "$MODE" ] || ip link add link far name tagged type vlan id 9 || exit 77
mount -t sysfs -o ro none /sys || exit 77
ready() {
    for path in /sys/class/net/*/ifindex; do echo I:1 >"/run/udev/data/n$(cat "$path")"; done
}
ready
SYSTEMD_LOG_LEVEL=info timeout 60 "$NETWORKD" 2>"$STATE" &
sed "s|\$root/etc|$FABRICGEN_FILES/etc|" "$FABRICGEN_FILES/etc/fabricgen/check" >"$STATE.check"
tries=0
until sh "$STATE.check" >"$STATE.said" || [ $tries -ge 120 ]; do
    ready
    tries=$((tries + 1))
    sleep 0.25
done
cat "$STATE.said"
"""


@pytest.mark.skipif(not namespaces(), reason="systemd-networkd cannot be started here")
@pytest.mark.parametrize(
    ("bond", "mode"), [("none", ""), ("lacp", "802.3ad"), ("active-backup", "active-backup")]
)
def test_networkd_makes_of_the_files_what_the_check_expects(
    bond: str, mode: str, tmp_path: Path
) -> None:
    words: dict[str, object] = {"access": "web", "addresses": "static"}
    if mode:
        words = {"trunk": ["web", "db", "six", "beat"], "native": "web", "addresses": "static"}
    ports = 2 if mode else 1
    host_slice = pieces(words, network="networkd", bond=bond, ports=ports)[1]
    for path, text in texts(host_slice).items():
        (tmp_path / "root" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "root" / path).write_text(text)
    done = subprocess.run(
        ["unshare", "-nmpf", "sh", "-c", SCRIPT],
        env={
            "PATH": os.environ["PATH"],
            "FABRICGEN_FILES": str(tmp_path / "root"),
            "STATE": str(tmp_path / "networkd"),
            "NETWORKD": str(NETWORKD),
            "MODE": mode,
            "PORTS": " ".join(f"front{number}" for number in range(ports)),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 77:
        pytest.skip(f"no mounts, bonds or VLANs here: {done.stderr}")
    said = (tmp_path / "networkd").read_text()
    assert done.stdout == "", said
    assert "Unknown" not in said
    assert "ignoring assignment" not in said


# What the kernel shows of a bond of two ports (docs.kernel.org/networking/bonding, sysfs).
SHOWN = {
    "front/mtu": "9164",
    "front/bonding/mode": "802.3ad 4",
    "front/bonding/slaves": "front1 front0",
    "front/bonding/miimon": "100",
    "front/bonding/lacp_rate": "fast 1",
    "front/bonding/xmit_hash_policy": "layer3+4 1",
    "front/bonding/ad_num_ports": "2",
    "front0/mtu": "9164",
    "front0/bonding_slave/mii_status": "up",
    "front1/mtu": "9164",
    "front1/bonding_slave/mii_status": "up",
}
IP = "echo 'default via 10.110.0.1 dev front proto dhcp'"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({}, ""),
        ({"front/bonding/mode": "balance-rr 0"}, "front: the bond's mode is balance-rr, not"),
        ({"front/bonding/slaves": "front0"}, "front: its ports is front0, not front0 front1"),
        ({"front/bonding/miimon": "0"}, "front: miimon is 0, not 100"),
        ({"front/bonding/lacp_rate": "slow 0"}, "front: the LACP rate is slow, not fast"),
        ({"front/bonding/xmit_hash_policy": "layer2 0"}, "front: the hash is layer2, not layer3+4"),
        ({"front/bonding/ad_num_ports": "1"}, "front: the number of ports that LACP uses is 1"),
        ({"front1/bonding_slave/mii_status": "down"}, "front1: its link in front is down, not up"),
        ({"front1/mtu": "1500"}, "front1: the MTU is 1500, not 9164"),
    ],
)
def test_the_check_says_what_is_wrong_with_a_bond(
    changed: dict[str, str], said: str, tmp_path: Path
) -> None:
    for path, text in texts(pieces({"access": "web"}, bond="lacp")[0]).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    for path, text in (SHOWN | changed).items():
        place = tmp_path / "sys/class/net" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text + "\n")
    for port in ("front0", "front1"):
        (tmp_path / "sys/class/net" / port / "master").symlink_to("../front")
    tool = tmp_path / "tools/ip"
    tool.parent.mkdir()
    tool.write_text(f"#!/bin/sh\n{IP}\n")
    tool.chmod(0o755)
    done = subprocess.run(
        ["sh", str(tmp_path / "etc/fabricgen/check")],
        env={"PATH": f"{tool.parent}:{os.environ['PATH']}", "FABRICGEN_ROOT": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.startswith(said) if said else done.stdout == ""
    assert done.returncode == (1 if said else 0)
