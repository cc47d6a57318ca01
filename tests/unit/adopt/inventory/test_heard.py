"""What LLDP heard is cables, in every form that switches print."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.adopt.inventories import DEVICES, put

from fabricgen.core.diagnostics import Code, Severity
from fabricgen.importer.inventory.heard import owner
from fabricgen.importer.inventory.read import read

if TYPE_CHECKING:
    from pathlib import Path

MAC = "00:1c:73:00:00:01"
JSON0 = {
    "lldp": [
        {
            "interface": [
                {
                    "name": "Ethernet0",
                    "chassis": [{"id": [{"value": MAC}], "name": [{"value": "leaf2"}]}],
                    "port": [{"id": [{"value": MAC}], "descr": [{"value": "Ethernet4"}]}],
                }
            ]
        }
    ]
}
PORT = {"id": {"type": "local", "value": "Ethernet4"}, "descr": "to leaf1"}
JSON = {
    "lldp": {
        "interface": {"Ethernet0": {"chassis": {"leaf2": {"id": {"value": MAC}}}, "port": PORT}}
    }
}
SEVERAL = {"lldp": {"interface": [JSON["lldp"]["interface"]]}}
BRIEF = {
    "lldpNeighbors": [
        {
            "port": "Ethernet0",
            "neighborDevice": "leaf2.example.com",
            "neighborPort": "Ethernet4",
            "ttl": 120,
        }
    ]
}
THERE = {"interfaceId": '"Ethernet4"', "interfaceId_v2": "Ethernet4"}
DETAIL = {
    "lldpNeighbors": {
        "Ethernet0": {
            "lldpNeighborInfo": [
                {"systemName": "leaf2.example.com", "neighborInterfaceInfo": THERE}
            ]
        },
        "Ethernet1": {"lldpNeighborInfo": []},
    }
}


@pytest.mark.parametrize("answer", [JSON0, JSON, SEVERAL, BRIEF, DETAIL])
def test_a_neighbor_is_a_cable(tmp_path: Path, answer: Any) -> None:
    shown = read(put(tmp_path, {"x": DEVICES, "leaf1.json": json.dumps(answer)}))
    assert shown.findings == ()
    (one,) = shown.inventory.cables
    assert (str(one.near), str(one.far)) == ("leaf1:Ethernet0", "leaf2:Ethernet4")
    assert one.heard


@pytest.mark.parametrize(
    "path",
    [
        "leaf1.json",
        "lldp/leaf1.json",
        "leaf1/lldp.json",
        "leaf1/show_lldp_neighbors",
        "leaf1-lldp.json",
    ],
)
def test_whose_an_answer_is_its_place_says(path: str) -> None:
    assert owner(path) == "leaf1"


def test_both_ends_hear_one_cable(tmp_path: Path) -> None:
    back = json.dumps(JSON).replace("leaf2", "leaf1").replace('"Ethernet0"', '"Ethernet9"')
    back = back.replace("Ethernet4", "Ethernet0").replace("Ethernet9", "Ethernet4")
    files = {"leaf1.json": json.dumps(JSON), "leaf2.json": back}
    assert len(read(put(tmp_path, files)).inventory.cables) == 1


def test_what_is_heard_goes_before_what_is_written(tmp_path: Path) -> None:
    cables = "device_a,port_a,device_b,port_b,length\nleaf1,Ethernet0,leaf3,Ethernet4,5\n"
    shown = read(put(tmp_path, {"a": cables, "leaf1.json": json.dumps(JSON)}))
    assert [str(each.far) for each in shown.inventory.cables] == ["leaf2:Ethernet4"]
    (finding,) = shown.findings
    assert (finding.code, finding.severity) == (Code.INVENTORY_DISAGREES, Severity.WARNING)


def test_a_written_cable_adds_what_nobody_hears(tmp_path: Path) -> None:
    cables = "device_a,port_a,device_b,port_b,length\nleaf2,Ethernet4,leaf1,Ethernet0,5\n"
    shown = read(put(tmp_path, {"x": cables, "leaf1.json": json.dumps(JSON)}))
    (one,) = shown.inventory.cables
    assert one.heard
    assert one.length == 5
