"""Define how docker-sonic-vs runs in containerlab.

Sources are srl-labs/containerlab docs/manual/kinds/sonic-vs.md@08e824d4 and
sonic-net/sonic-buildimage platform/vs/docker-sonic-vs: start.sh@2950eacc,
supervisord.conf.j2@08d12169, Dockerfile.j2@054de419.
"""

from typing import Any

from fabricgen.nos.containerlab import Kind, Wired, numbered
from fabricgen.nos.sonic.names import alias_of, port_names

LANES, PORTS = "lanemap.ini", "port_config.ini"
# Place of docker-sonic-vs' ports: PLATFORM and HWSKU of its Dockerfile. start.sh copies the .orig
# of both files at boot, without the ports that have no wire, and stops if a wire has no line.
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
    """Map each wire to the lanes of its port in config_db.json."""
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
    "made from the same ports, map the wires eth1, eth2, … to their lanes.",
    differs=(
        "The image must read /var/sonic/config_db.json at boot (start.sh of 2950eacc does).",
        "An older image ignores that file and boots with its default ports, all down.",
        "Load frr.conf manually: `vtysh -b`, once bgpd runs (the README has the command).",
        "bfdd is not started, so lines about BFD are refused and sessions run without it.",
        "The virtual ASIC has no buffers: PFC, ECN and watchdog are only numbers in a table.",
        "sonic-vm is not supported: a VM accepts no frr.conf or lane map from outside.",
    ),
)
