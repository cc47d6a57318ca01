"""Define how cEOS runs in containerlab.

Sources: srl-labs/containerlab docs/manual/kinds/ceos.md@1ce236ad (User-defined interface mapping),
nodes/ceos/ceos.go@68422116.
"""

import json
from typing import Any

from fabricgen.nos.containerlab import Kind, Wired, numbered
from fabricgen.nos.eos.names import MANAGEMENT, port_name

EOS_MAP = "EosIntfMapping.json"


def _ceos(wired: Wired) -> dict[str, Any]:
    return {
        "startup-config": f"{wired.folder}/eos.cfg",
        "enforce-startup-config": True,
        "binds": [f"{wired.folder}/{EOS_MAP}:/mnt/flash/{EOS_MAP}:ro"],
    }


def _ceos_names(wired: Wired) -> dict[str, str]:
    names = {
        "ManagementIntf": {"eth0": MANAGEMENT},
        "EthernetIntf": {
            wire: port_name(wired.switch.model, port) for port, wire in wired.wires.items()
        },
    }
    return {EOS_MAP: json.dumps(names, indent=2) + "\n"}


KIND = Kind(
    name="arista_ceos",
    image="${CEOS_IMAGE:=ceos:4.34.0F}",
    wire=numbered,
    node=_ceos,
    beside=_ceos_names,
    unchanged="eos.cfg is the startup-config as rendered. EosIntfMapping.json maps the wires to "
    "its names, Ethernet1/1 and Management1 (cEOS 4.28.0F and newer).",
    differs=(
        "Ports without a cable do not exist in the container.",
        "cEOS forwards in software: no queues, pauses or marking as on the ASIC.",
        "`show startup-config errors` lists the lines that the image refused.",
        "A configuration saved in the lab is replaced by the rendered one at the next deploy.",
        "containerlab expands templates in a startup-config, so it would expand `{{`.",
    ),
)
