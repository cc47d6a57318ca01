"""Inventories as people have them, and with what goes wrong in them."""

from __future__ import annotations

from pathlib import Path

from fabricgen.api.findings import entries
from fabricgen.cli.formats.findings import text
from fabricgen.core.diagnostics import Code
from fabricgen.importer.inventory.read import Read, read
from fabricgen.importer.inventory.taken import unknown_models
from fabricgen.intent.load import load_texts
from fabricgen.model.catalog.catalog import SHIPPED

DEVICES = """name,role,manufacturer,device_type,platform,serial,site,rack,position,status
leaf1,leaf,Arista,DCS-7050CX3-32S-F,eos,JPE1,berlin,r1,40,active
leaf2,leaf,Arista,DCS-7050CX3-32S-F,eos,JPE2,berlin,r2,40,planned
gpu1,server,Generic,Server,,,berlin,r1,1,active
"""
CABLES = """side_a_device,side_a_name,side_b_device,side_b_name,length,length_unit
leaf1,Ethernet1/1,gpu1,eth0,3,m
leaf2,Ethernet1/1,gpu1,eth1,10,ft
"""
PAGE = '{"count": 900, "next": "https://netbox/?offset=1", "results": [{"asn": 65001, "rir": {}}]}'
FAULTS: dict[Code, dict[str, str]] = {
    Code.INVENTORY_UNREADABLE: {
        "devices.csv": DEVICES.replace("status\n", "fuel\n"),
        "cables.csv": "device_a;port_a;device_b\nleaf1;Ethernet1;gpu1\n",
        "page.json": PAGE,
    },
    Code.INVENTORY_VALUE: {
        "devices.csv": DEVICES.replace("JPE1", "=cmd|' /C calc'!A0").replace("gpu1", "gpu 1"),
        "ip-addresses.csv": "address,device,interface\n10.0.0.300/24,leaf1,Ethernet2/1\n",
    },
    Code.INVENTORY_MODEL: {"devices.csv": DEVICES.replace("-32S-F", "-32X")},
    Code.INVENTORY_DISAGREES: {
        "devices.csv": f"{DEVICES}LEAF2,leaf,Arista,DCS-7050CX3-32S-F,eos,J3,berlin,r3,9,active\n",
        "cables.csv": CABLES.replace("eth1", "eth0") + "leaf1,Ethernet2/1,leaf-2,Ethernet2/1,1,m\n",
    },
}


def put(folder: Path, files: dict[str, str]) -> Path:
    """Write an inventory."""
    for name, content in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content, encoding="utf-8")
    return folder


def said(found: Read) -> str:
    """Return what a person is told of an inventory."""
    switches = [each for each in found.inventory.devices if each.role == "leaf"]
    findings = (*found.findings, *unknown_models(switches, SHIPPED))
    return text(entries(findings, load_texts({}).source), [])


def faulty(folder: Path, code: Code) -> str:
    """Return what is said of an inventory with the faults of a code; places below the folder."""
    found = read(put(folder / "inventory", FAULTS[code]))
    return said(found).replace(f"{folder}/", "")
