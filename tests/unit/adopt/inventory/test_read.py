"""Inventories of every form say the same: NetBox's exports, forms and REST of 3.x and 4.x, CSV."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.adopt.inventories import put

from fabricgen.core.diagnostics import Severity
from fabricgen.importer.inventory.model import End
from fabricgen.importer.inventory.read import Read, read

if TYPE_CHECKING:
    from pathlib import Path


def found(folder: Path, **files: str | dict[str, Any] | list[Any]) -> Read:
    """Read files whose names say nothing."""
    texts = {
        name: content if isinstance(content, str) else json.dumps(content)
        for name, content in files.items()
    }
    return read(put(folder, texts))


TABLE = (
    "ID,Name,Status,Tenant,Site,Location,Rack,Role,Manufacturer,Type,Platform,Serial number,"
    "Asset tag,Position (U),Face,IP Address,IPv4 Address,Comments,Tags\n"
    "7,leaf1,Planned,,berlin,,r1,leaf,Arista,DCS-7050CX3-32S-F,eos,JPE1,,40,Front,"
    "10.0.0.1/24,10.0.0.1/24,,\n"
)
FORM_3 = (
    "name,device_role,manufacturer,device_type,platform,serial,site,rack,position,face,status\n"
    "leaf1,leaf,Arista,DCS-7050CX3-32S-F,eos,JPE1,berlin,r1,40,front,planned\n"
)
FORM_4 = FORM_3.replace("device_role", "role")
PLAIN = (
    "name;role;model;platform;serial;site;rack;unit;management;status\n"
    "leaf1;leaf;7050CX3-32S;eos;JPE1;berlin;r1;40;10.0.0.1;planned\n"
)


def rest(role: str) -> dict[str, Any]:
    device = {
        "id": 7,
        "url": "https://netbox/api/dcim/devices/7/",
        "name": "leaf1",
        "device_type": {"id": 1, "manufacturer": {"name": "Arista"}, "model": "DCS-7050CX3-32S-F"},
        role: {"id": 1, "name": "leaf", "slug": "leaf"},
        "platform": {"name": "Arista EOS", "slug": "eos"},
        "serial": "JPE1",
        "site": {"name": "berlin", "slug": "berlin"},
        "rack": {"name": "r1"},
        "position": 40.0,
        "primary_ip": {"address": "10.0.0.1/24"},
        "oob_ip": None,
        "status": {"value": "planned", "label": "Planned"},
        "custom_fields": {"asn": 4200000001},
        "tags": [],
    }
    return {"count": 1, "next": None, "previous": None, "results": [device]}


@pytest.mark.parametrize(
    "content",
    [TABLE, FORM_3, FORM_4, PLAIN, rest("device_role"), rest("role"), rest("role")["results"]],
    ids=["table", "form 3", "form 4", "plain", "rest 3", "rest 4", "list"],
)
def test_a_device_is_the_same_in_every_form(tmp_path: Path, content: Any) -> None:
    shown = found(tmp_path, x=content)
    assert shown.findings == ()
    (device,) = shown.inventory.devices
    assert (device.name, device.role, device.model) == ("leaf1", "leaf", "7050CX3-32S")
    assert (device.platform, device.serial, device.site) == ("eos", "JPE1", "berlin")
    assert (device.rack, device.unit) == ("r1", 40)
    assert device.management in {"10.0.0.1", None}
    assert device.asn in {4200000001, None}


def end(name: str, port: str) -> dict[str, Any]:
    there = {"id": 1, "device": {"id": 2, "name": name}, "name": port}
    return {"object_type": "dcim.interface", "object_id": 1, "object": there}


def cable(*ends: list[dict[str, Any]]) -> list[dict[str, Any]]:
    unit = {"value": "ft", "label": "Feet"}
    return [
        {
            "a_terminations": ends[0],
            "b_terminations": ends[1],
            "type": "dac-passive",
            "length": 10.0,
            "length_unit": unit,
        }
    ]


BEFORE_3_3 = [
    {
        "termination_a_type": "dcim.interface",
        "termination_a": end("leaf1", "Ethernet1")["object"],
        "termination_b_type": "dcim.interface",
        "termination_b": end("gpu1", "eth0")["object"],
        "type": "dac-passive",
        "length": "10.00",
        "length_unit": {"value": "ft", "label": "Feet"},
    }
]


@pytest.mark.parametrize(
    "content",
    [
        (
            "Label,Termination A,Termination B,Device A,Device B,Status,Type,Length,Color\n"
            ",Ethernet1,eth0,leaf1,gpu1,Connected,dac-passive,10.00 Feet,\n"
        ),
        (
            "side_a_device,side_a_type,side_a_name,side_b_device,side_b_type,side_b_name,type,length,"
            "length_unit\nleaf1,dcim.interface,Ethernet1,gpu1,dcim.interface,eth0,dac-passive,10,ft\n"
        ),
        (
            "device_a\tport_a\tdevice_b\tport_b\ttype\tlength\n"
            "leaf1\tEthernet1\tgpu1\teth0\tdac-passive\t3.05\n"
        ),
        cable([end("leaf1", "Ethernet1")], [end("gpu1", "eth0")]),
        BEFORE_3_3,
    ],
    ids=["table", "form", "plain", "rest", "rest before 3.3"],
)
def test_a_cable_is_the_same_in_every_form(tmp_path: Path, content: Any) -> None:
    shown = found(tmp_path, x=content)
    assert shown.findings == ()
    (one,) = shown.inventory.cables
    assert (one.near, one.far) == (End("leaf1", "Ethernet1"), End("gpu1", "eth0"))
    assert (one.kind, one.length) == ("dac-passive", Decimal("3.05"))
    assert shown.inventory.plugged["gpu1", "eth0"] == End("leaf1", "Ethernet1")


def test_which_of_several_ports_go_together_is_not_guessed(tmp_path: Path) -> None:
    split = cable([end("leaf1", "Ethernet1")], [end(f"gpu{n}", "eth0") for n in range(4)])
    table = 'Termination A,Termination B,Device A,Device B\nEthernet1,"eth0,eth1",leaf1,gpu1\n'
    for each in (split, table):
        shown = found(tmp_path, x=each)
        assert shown.inventory.cables == ()
        message = shown.findings[0].message
        assert "a cable end with several ports (eth0,eth" in message
        assert message.endswith("is not supported; the row is ignored")


def test_cables_of_power_are_none_of_ours(tmp_path: Path) -> None:
    plug = end("pdu1", "outlet 1") | {"object_type": "dcim.poweroutlet"}
    shown = found(tmp_path, x=cable([plug], [end("leaf1", "psu1")]))
    assert shown.inventory.cables == ()
    assert shown.findings == ()


def test_interfaces_say_who_is_behind_them(tmp_path: Path) -> None:
    interface = {
        "device": {"name": "leaf1"},
        "name": "Ethernet1",
        "type": {"value": "other"},
        "enabled": True,
        "link_peers": [{"device": {"name": "gpu1"}, "name": "eth0"}],
    }
    alone = {**interface, "name": "Ethernet2", "link_peers": []}
    shown = found(tmp_path, x=[interface, alone])
    assert shown.findings == ()
    assert [str(each.far) for each in shown.inventory.cables] == ["gpu1:eth0"]


def test_vlans_have_the_vrf_of_their_subnet_and_the_vni_of_their_l2vpn(tmp_path: Path) -> None:
    vlan = {
        "vid": 100,
        "name": "Web_Prod",
        "l2vpn_termination": {"l2vpn": {"identifier": 10100, "name": "web"}},
    }
    prefix = {
        "prefix": "10.1.0.0/24",
        "family": {"value": 4},
        "vlan": {"vid": 100},
        "vrf": {"name": "red"},
        "rir": None,
        "aggregate": None,
    }
    (one,) = found(tmp_path, x=[vlan], y=[prefix]).inventory.vlans
    assert (one.number, one.name, one.vni, one.vrf) == (100, "Web_Prod", 10100, "red")
    tables = {
        "x": "ID,VID,Name,Site,Group,Prefixes\n7,100,Web_Prod,berlin,,\n",
        "y": "Prefix,Status,VRF,VLAN\n• 10.1.0.0/24,Active,red,Web_Prod (100)\n",
    }
    (one,) = found(tmp_path, **tables).inventory.vlans
    assert (one.number, one.name, one.vrf) == (100, "Web_Prod", "red")


def test_addresses_of_loopbacks_are_those_of_their_devices(tmp_path: Path) -> None:
    addresses = (
        "address,vrf,status,device,interface,is_primary\n"
        "10.0.255.1/32,,active,leaf1,Loopback0,true\n10.0.0.1/24,,active,leaf1,Management1,true\n"
    )
    table = (
        "IP Address,VRF,Status,Role,Interface,Parent\n10.1.0.1/24,Global,Active,,Vlan100,leaf1\n"
    )
    shown = found(tmp_path, x=FORM_4, y=addresses, z=table)
    (device,) = shown.inventory.devices
    assert (device.loopback, device.management) == ("10.0.255.1", "10.0.0.1")
    assert shown.inventory.addresses[2].end == End("leaf1", "Vlan100")
    assert shown.inventory.addresses[2].vrf is None


def test_asns_are_read(tmp_path: Path) -> None:
    shown = found(tmp_path, x="ASN,RIR,Description\n4200000001,private,be-leaf1\n")
    assert [each.number for each in shown.inventory.asns] == [4200000001]


def test_fields_of_another_version_are_named_and_not_read(tmp_path: Path) -> None:
    (finding,) = found(tmp_path, x=FORM_4.replace("face", "quantum_state")).findings
    assert finding.severity is Severity.NOTE
    assert "quantum_state" in finding.message


def test_what_is_no_inventory_is_left_to_others(tmp_path: Path) -> None:
    files = {
        "leaf1.cfg": "hostname leaf1\n",
        "x.json": '{"PORT": {}}',
        "y.csv": "part,price\na,1\n",
    }
    shown = read(put(tmp_path, files))
    assert shown.left == ("leaf1.cfg", "x.json", "y.csv")
    assert [each.severity for each in shown.findings] == [Severity.WARNING]  # y.csv
