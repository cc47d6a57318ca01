"""A switch and its cabled ports in; how containerlab runs it out: its kind, wires and binds.

The rendered files are handed over as they are. Where an image names its ports otherwise, a map of
names goes beside them, in the form that the image itself reads. Read: srl-labs/containerlab
docs/manual/kinds/ceos.md@1ce236ad (User-defined interface mapping) and sonic-vs.md@08e824d4,
nodes/ceos/ceos.go@68422116; sonic-net/sonic-buildimage, in platform/vs/docker-sonic-vs:
start.sh@2950eacc, supervisord.conf.j2@08d12169, Dockerfile.j2@054de419.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fabricgen.platforms.lowering import spell
from fabricgen.platforms.sonic.names import port_names

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fabricgen.fabric.topology import Port, Switch

LAB_IMAGE = "${LAB_IMAGE:=fabricgen-lab:12}"
START = "image/start"
MANAGEMENT = "Management1"  # as templates/eos/ports_management.j2 has it
EOS_MAP, LANES, PORTS = "EosIntfMapping.json", "lanemap.ini", "port_config.ini"
# Where docker-sonic-vs has its ports: PLATFORM and HWSKU of its Dockerfile. start.sh copies the
# .orig of both files at boot, less the ports without a wire, and stops where a wire has no line.
_VS_PORTS = "/usr/share/sonic/device/x86_64-kvm_x86_64-r0/Force10-S6000"


@dataclass(frozen=True, slots=True)
class Wired:
    """A switch in the lab. folder: its files, below the topology. wires: cabled port to device."""

    switch: Switch
    folder: str
    wires: Mapping[Port, str]


@dataclass(frozen=True, slots=True)
class Kind:
    """How one platform runs. node: keys of the topology; beside: files to put with the rendered.

    wire: the device of the n-th cabled port, from 1. unchanged, differs: what the reader is told.
    """

    name: str
    image: str
    wire: Callable[[Switch, Port, int], str]
    node: Callable[[Wired], dict[str, Any]]
    beside: Callable[[Wired], dict[str, str]]
    unchanged: str
    differs: tuple[str, ...]


def _numbered(switch: Switch, port: Port, number: int) -> str:
    del switch, port
    return f"eth{number}"


def _spelled(switch: Switch, port: Port, number: int) -> str:
    del number
    return spell(switch, port)


def _nothing(wired: Wired) -> dict[str, str]:
    del wired
    return {}


def _ceos(wired: Wired) -> dict[str, Any]:
    return {
        "startup-config": f"{wired.folder}/eos.cfg",
        "enforce-startup-config": True,
        "binds": [f"{wired.folder}/{EOS_MAP}:/mnt/flash/{EOS_MAP}:ro"],
    }


def _ceos_names(wired: Wired) -> dict[str, str]:
    names = {
        "ManagementIntf": {"eth0": MANAGEMENT},
        "EthernetIntf": {wire: spell(wired.switch, port) for port, wire in wired.wires.items()},
    }
    return {EOS_MAP: json.dumps(names, indent=2) + "\n"}


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
        lanes.append(f"{wire}:{names.lanes}")
        ports.append(f"{names.name} {names.lanes} {names.alias} {names.index}")
    return {LANES: "\n".join(lanes) + "\n", PORTS: "\n".join(ports) + "\n"}


def _linux(wired: Wired) -> dict[str, Any]:
    return {
        "binds": [
            f"{wired.folder}/etc:/fabricgen/etc:ro",
            f"{START}:/fabricgen/start:ro",
        ],
        "exec": ["sh /fabricgen/start"],
    }


KINDS: Mapping[str, Kind] = {
    "eos": Kind(
        "arista_ceos",
        "${CEOS_IMAGE:=ceos:4.34.0F}",
        _numbered,
        _ceos,
        _ceos_names,
        "eos.cfg is the startup-config as rendered. EosIntfMapping.json gives the wires the names "
        "in it, Ethernet1/1 and Management1 (cEOS 4.28.0F and newer).",
        (
            "Ports without a cable do not exist in the container.",
            "cEOS forwards in software: nothing queues, pauses or marks as the ASIC would.",
            "`show startup-config errors` lists the lines that the image refused.",
            "A configuration saved in the lab is replaced by the rendered one at the next deploy.",
            "containerlab runs a startup-config through its templates: `{{` would be read as one.",
        ),
    ),
    "sonic": Kind(
        "sonic-vs",
        "${SONIC_IMAGE:=docker-sonic-vs:latest}",
        _numbered,
        _sonic,
        _sonic_lanes,
        "config_db.json and frr.conf are bound as rendered. lanemap.ini and port_config.ini, made "
        "from the same ports, tie the wires eth1, eth2, … to their lanes.",
        (
            "The image must read /var/sonic/config_db.json at boot (start.sh of 2950eacc does).",
            "An older image ignores that file and boots with its own ports, all of them down.",
            "frr.conf is loaded by hand: `vtysh -b`, once bgpd runs (the README has the command).",
            "bfdd is not started, so lines about BFD are refused and sessions run without it.",
            "The virtual ASIC has no buffers: PFC, ECN and watchdog stay numbers in a table.",
            "sonic-vm is not written: a VM takes neither frr.conf nor a lane map from outside.",
        ),
    ),
    "linux": Kind(
        "linux",
        LAB_IMAGE,
        _spelled,
        _linux,
        _nothing,
        "The rendered /etc is laid over the container's; sysctl, ifreload, FRR and tc then read "
        "it. The image is built from image/Dockerfile: Debian 12 with its FRR 8.4.4 and ifupdown2.",
        (
            "Ports without a cable are dummy devices, so that the interfaces file finds them.",
            "There is no systemd: sshd, chrony, lldpd, rsyslog and snmpd are not started.",
            "Accounts are not made: log in with `docker exec`.",
            "Limits of the neighbour table are the machine's; a veth pair has no PFC and no DCB.",
        ),
    ),
}
"""By platform. One that is not here cannot be exported, and that is said."""
