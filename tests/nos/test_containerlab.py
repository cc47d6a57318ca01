"""What a node of containerlab is told of each platform's files, to the letter."""

import json
from typing import Any

import pytest
from tests.nos.claims import MODELS, pieces

from fabricgen.core.units import BitsPerSecond
from fabricgen.model.fabric.topology import Port
from fabricgen.nos import registry
from fabricgen.nos.containerlab import Wired
from fabricgen.nos.registry import OURS, kind_of

FOLDER = "fabric/leaf1"
LAB = "${LAB_IMAGE:=fabricgen-lab:12}"
VS = "/usr/share/sonic/device/x86_64-kvm_x86_64-r0/Force10-S6000"
NODES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "eos": (
        "arista_ceos",
        "${CEOS_IMAGE:=ceos:4.34.0F}",
        {
            "startup-config": f"{FOLDER}/eos.cfg",
            "enforce-startup-config": True,
            "binds": [f"{FOLDER}/EosIntfMapping.json:/mnt/flash/EosIntfMapping.json:ro"],
        },
    ),
    "sonic": (
        "sonic-vs",
        "${SONIC_IMAGE:=docker-sonic-vs:latest}",
        {
            "binds": [
                f"{FOLDER}/config_db.json:/var/sonic/config_db.json:ro",
                f"{FOLDER}/frr.conf:/etc/frr/frr.conf:ro",
                f"{FOLDER}/lanemap.ini:{VS}/lanemap.ini.orig:ro",
                f"{FOLDER}/port_config.ini:{VS}/port_config.ini.orig:ro",
            ]
        },
    ),
    "linux": (
        "linux",
        LAB,
        {
            "binds": [f"{FOLDER}/etc:/fabricgen/etc:ro", "image/start:/fabricgen/start:ro"],
            "exec": ["sh /fabricgen/start"],
        },
    ),
}
"""Kind, image and keys of the node."""
WHOLE = Port(cage=1, sub=0, subs=1, lane=0, lanes=8, speed=BitsPerSecond(800 * 10**9))
SPLIT = Port(cage=2, sub=1, subs=2, lane=4, lanes=4, speed=BitsPerSecond(400 * 10**9))
WIRES = {"eos": ["eth1", "eth2"], "sonic": ["eth1", "eth2"], "linux": ["swp1", "swp2s1"]}
BESIDE: dict[str, dict[str, str]] = {
    "eos": {
        "EosIntfMapping.json": json.dumps(
            {
                "ManagementIntf": {"eth0": "Management1"},
                "EthernetIntf": {"eth1": "Ethernet1/1", "eth2": "Ethernet2/5"},
            },
            indent=2,
        )
        + "\n"
    },
    "sonic": {
        "lanemap.ini": "eth1:17,18,19,20,21,22,23,24\neth2:5,6,7,8\n",
        "port_config.ini": "# name lanes alias index\n"
        "Ethernet0 17,18,19,20,21,22,23,24 etp1 1\n"
        "Ethernet12 5,6,7,8 etp2b 2\n",
    },
    "linux": {},
}


def wired(platform: str) -> Wired:
    _, switch_slice, _ = pieces(platform)[0]
    kind = kind_of(platform)
    wires = {
        port: kind.wire(switch_slice.switch, port, number)
        for number, port in enumerate((WHOLE, SPLIT), 1)
    }
    return Wired(switch=switch_slice.switch, folder=FOLDER, wires=wires)


@pytest.mark.parametrize("platform", OURS)
def test_a_node_is_told_where_its_files_are(platform: str) -> None:
    kind, node = kind_of(platform), wired(platform)
    assert (kind.name, kind.image, kind.node(node)) == NODES[platform]
    assert list(node.wires.values()) == WIRES[platform]
    assert node.switch.model.name == MODELS[platform]


@pytest.mark.parametrize("platform", OURS)
def test_names_of_ports_lie_beside_the_files_where_the_image_has_others(platform: str) -> None:
    assert kind_of(platform).beside(wired(platform)) == BESIDE[platform]


def test_a_platform_that_has_no_image_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    class Bare:
        containerlab = None
        show = None

    monkeypatch.setattr(registry, "nos", lambda _: Bare())
    with pytest.raises(LookupError, match="bare does not run in containerlab"):
        kind_of("bare")
    assert registry.reader_of("bare") is None
