"""Two NICs of the lab's hosts in; soft RoCE devices on them in the machine's own network out.

rdma_rxe works in the first network namespace only (kernel 6.1), so both ends of the traffic stand
there. What keeps it on the cables are the compiled rules by source, which have to be asked before
the table of local addresses: to this kernel the other NIC is its own.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from fabricgen.operate.lab.engine import wires
from fabricgen.operate.lab.engine.wires import batch
from fabricgen.operate.lab.engine.world import LabError, run

if TYPE_CHECKING:
    from collections.abc import Sequence

WITH_PACKAGES = ("chroot", "/run/all")
"""What runs a program of the unpacked packages; second.sh made the place."""
_PROC = Path("/proc/sys/net/ipv4/conf")
_ASK_FIRST, _ASK_LAST = 10, 32765


def move(plan: dict[str, Any], ends: Sequence[dict[str, Any]], files: Path) -> None:
    """Bring NICs with their compiled addresses, routes and rules into this network."""
    interfaces, routes = [], []
    for end in ends:
        host = next(each for each in plan["hosts"] if each["name"] == end["host"])
        batch([f"link set {end['device']} netns 1"], end["host"])
        interfaces += [each for each in host["interfaces"] if each["name"] == end["device"]]
        routes += [each for each in host["routes"] if each["device"] == end["device"]]
        _settings(end, files)
    batch(wires.host({"interfaces": interfaces, "routes": routes}))
    arriving = [f"rule add iif {end['device']} lookup local pref {_ASK_FIRST}" for end in ends]
    batch([*arriving, f"rule add lookup local pref {_ASK_LAST}", "rule del pref 0"])


def _settings(end: dict[str, Any], files: Path) -> None:
    """Apply the NIC's lines of its host's rendered sysctl file, and accept the own other NIC."""
    rendered = files / "hosts" / end["host"] / "etc/sysctl.d/90-fabricgen.conf"
    for line in rendered.read_text().splitlines():
        name, _, value = line.partition(" = ")
        if f".{end['device']}." in name:
            Path("/proc/sys", *name.split(".")).write_text(value)
    (_PROC / end["device"] / "accept_local").write_text("1")


def make_rdma(device: str, address: str) -> int:
    """Make a soft RoCE device of a NIC's name; return the index of its address among its GIDs."""
    words = ("rdma", "link", "add", device, "type", "rxe", "netdev", device)
    run([*WITH_PACKAGES, *words], check=True)
    gids = Path("/sys/class/infiniband", device, "ports/1/gids")
    wanted = "0000:0000:0000:0000:0000:ffff:" + "".join(
        f"{int(byte):02x}" + (":" if place == 1 else "")
        for place, byte in enumerate(address.split("."))
    )
    for path in gids.iterdir():
        if path.read_text().strip() == wanted:
            return int(path.name)
    raise LabError(f"{device}: no GID of {address}")


def counters(device: str) -> dict[str, int]:
    """Return what soft RoCE counts of a device."""
    folder = Path("/sys/class/infiniband", device, "ports/1/hw_counters")
    return {
        path.name: int(path.read_text()) for path in folder.iterdir() if path.name != "lifespan"
    }
