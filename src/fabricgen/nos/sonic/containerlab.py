"""Define how docker-sonic-vs runs in containerlab.

Sources: srl-labs/containerlab docs/manual/kinds/sonic-vs.md@08e824d4; sonic-net/sonic-buildimage,
in platform/vs/docker-sonic-vs: start.sh@2950eacc, supervisord.conf.j2@08d12169,
Dockerfile.j2@054de419.
"""

from typing import Any

from fabricgen.nos.containerlab import Kind, Wired, numbered
from fabricgen.nos.sonic.names import alias_of, port_names

LANES, PORTS = "lanemap.ini", "port_config.ini"
# Where docker-sonic-vs has its ports: PLATFORM and HWSKU of its Dockerfile. start.sh copies the
# .orig of both files at boot, less the ports without a wire, and stops where a wire has no line.
_VS_PORTS = "/usr/share/sonic/device/x86_64-kvm_x86_64-r0/Force10-S6000"


def _sonic(wired: Wired) -> dict[str, Any]:
    # not /etc/sonic: start.sh moves a file over config_db.json there, which a bind mount refuses
    return {
        "binds": [
            f"{wired.folder}/config_db.json:/var/sonic/config_db.json:ro",
            f"{wired.folder}/frr.conf:/etc/frr/frr.conf:ro",
            f"{wired.folder}/{LANES}:{_VS_PORTS}/{LANES}.orig:ro",
            f"{wired.folder}/{PORTS}:{_VS_PORTS}/{PORTS}.orig:ro",
        ]
    }


def _sonic_lanes(wired: Wired) -> dict[str, str]:
    """Map each wire to the lanes that config_db.json gives its port."""
    lanes, ports = [], ["# name lanes alias index"]
    for port, wire in wired.wires.items():
        names = port_names(wired.switch.model, port)
        alias = alias_of(wired.switch.model, wired.switch.ports, port)
        lanes.append(f"{wire}:{names.lanes}")
        ports.append(f"{names.name} {names.lanes} {alias} {names.index}")
    return {LANES: "\n".join(lanes) + "\n", PORTS: "\n".join(ports) + "\n"}


KIND = Kind(
    name="sonic-vs",
    image="${SONIC_IMAGE:=docker-sonic-vs:latest}",
    wire=numbered,
    node=_sonic,
    beside=_sonic_lanes,
    unchanged="config_db.json and frr.conf are bound as rendered. lanemap.ini and port_config.ini, "
    "made from the same ports, tie the wires eth1, eth2, … to their lanes.",
    differs=(
        "The image must read /var/sonic/config_db.json at boot (start.sh of 2950eacc does).",
        "An older image ignores that file and boots with its own ports, all of them down.",
        "frr.conf is loaded by hand: `vtysh -b`, once bgpd runs (the README has the command).",
        "bfdd is not started, so lines about BFD are refused and sessions run without it.",
        "The virtual ASIC has no buffers: PFC, ECN and watchdog stay numbers in a table.",
        "sonic-vm is not written: a VM takes neither frr.conf nor a lane map from outside.",
    ),
)
