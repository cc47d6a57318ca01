"""Precise time on EOS and on servers: who relays it, who takes it, and what does not fit."""

import json
from typing import Any

import pytest

from fabricgen.compile.compiler import Compiled, compile_site, files
from fabricgen.compile.render import Renderer
from fabricgen.core.diagnostics import Code, Severity
from fabricgen.intent.load import load_texts

Keys = dict[str, Any]
SWITCH = {"model": "7050CX3-32S", "platform": "eos"}
NET = {"fabric": "frontend", "group": "racks", "speed": "25G"}


def compiled(*, ptp: Keys | None = None, front: Keys | None = None, **more: Any) -> Compiled:
    management = {"subnet": "10.255.0.0/22", "ntp": ["10.255.3.1", "10.255.3.2"]}
    given = {"domain": 24, "fabrics": ["frontend"], **(ptp or {})}
    keys: Keys = {
        "site": {"name": "lab", "management": {**management, "ptp": given}},
        "servers": {
            "clock": {"count": 1, "ports": {"gps": {**NET, "per_leaf": 1, "ptp": "grandmaster"}}},
            "cpu": {
                "count": 4,
                "ports": {
                    "front": {**NET, "per_leaf": 2, "first": 5, "ptp": "client", **(front or {})}
                },
            },
            "plain": {"count": 2, "ports": {"front": {**NET, "per_leaf": 1, "first": 9}}},
        },
        "frontend": {
            "leaf": SWITCH,
            "spine": {**SWITCH, "count": 2},
            "leaf_groups": {"racks": {"leafs": "1-2"}},
        },
        "tenants": {
            "red": {
                "vrfs": {"red": {"id": 1, "vlans": {"web": {"id": 110, "subnet": "10.1.0.0/24"}}}},
                "attachments": [
                    {"servers": kind, "access": "web"} for kind in ("clock", "cpu", "plain")
                ],
            }
        },
        **more,
    }
    return compile_site(load_texts({"site.yaml": json.dumps(keys)}))


def rendered(done: Compiled) -> dict[str, str]:
    assert done.ok, done.findings
    assert done.site is not None
    return {file.path: file.text for _, group in files(done.site, Renderer()) for file in group}


def ports(text: str) -> dict[str, list[str]]:
    """Return what an eos.cfg says of precise time, by the end of each port's cable."""
    found: dict[str, list[str]] = {}
    for block in text.split("\n!\n"):
        said = [line.strip() for line in block.splitlines() if line.startswith("   ptp ")]
        if block.startswith("interface") and said:
            found[block.split(" to ")[1].splitlines()[0]] = said
    return found


def test_every_switch_is_a_boundary_clock_and_spines_come_first() -> None:
    made = rendered(compiled())
    for switch, priority in (("fe-spine1", 210), ("fe-leaf01", 220)):
        text = made[f"frontend/{switch}/eos.cfg"]
        assert f"!\nptp domain 24\nptp mode boundary\nptp priority1 {priority}\n!\n" in text


def test_time_goes_both_ways_between_switches_and_one_way_to_clients() -> None:
    made = ports(rendered(compiled())["frontend/fe-leaf01/eos.cfg"])
    assert made == {
        "clock0001:gps0": ["ptp enable"],
        "cpu0001:front0": ["ptp enable", "ptp role master"],
        "cpu0002:front0": ["ptp enable", "ptp role master"],
        "fe-spine1:Ethernet1/1": ["ptp enable"],
        "fe-spine2:Ethernet1/1": ["ptp enable"],
    }


def test_a_client_follows_in_the_domain_by_its_port() -> None:
    made = rendered(compiled())
    conf = made["hosts/cpu0001/etc/fabricgen/ptp4l.conf"].splitlines()
    assert conf[1:] == ["[global]", "domainNumber 24", "slaveOnly 1", "[front0]"]
    unit = made["hosts/cpu0001/etc/systemd/system/fabricgen-phc2sys.service"]
    assert "ExecStart=/usr/sbin/phc2sys -a -r -n 24\n" in unit
    assert not [path for path in made if "ptp" in path and ("clock0" in path or "plain0" in path)]


def test_domain_0_is_that_of_the_switch_and_stands_in_no_line_of_it() -> None:
    made = rendered(compiled(ptp={"domain": 0}))
    assert "ptp domain" not in made["frontend/fe-leaf01/eos.cfg"]
    assert "domainNumber 0\n" in made["hosts/cpu0001/etc/fabricgen/ptp4l.conf"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"ptp": {"fabrics": ["frontend", "back"]}}, "no fabric 'back' in the site"),
        ({"front": {"ports": 2}}, "PTP needs a set with exactly one port"),
        (
            {"frontend": {"underlay": {"links": "unnumbered"}}},
            "is a link without IPv4: PTP has no source address there",
        ),
        (
            {"tenants": {"red": {"vlans": {"l2": {"id": 9}}, "attachments": []}}},
            "has no untagged VLAN with an IPv4 subnet: PTP has no source address there",
        ),
    ],
)
def test_what_does_not_fit_is_an_error(change: Keys, message: str) -> None:
    if "frontend" in change:
        groups = {"leaf_groups": {"racks": {"leafs": "1-2"}}}
        own = {"leaf": SWITCH, "spine": {**SWITCH, "count": 2}, **groups}
        change = {"frontend": {**own, **change["frontend"]}}
    found = [i for i in compiled(**change).findings if i.severity is Severity.ERROR]
    assert any(message in item.message for item in found), found


def test_a_port_of_time_on_a_fabric_without_it_is_an_error() -> None:
    other = {"fabrics": ["elsewhere"]}
    found = [str(item.message) for item in compiled(ptp=other).findings]
    assert "frontend has no precise time (PTP), which cpu needs" in found


def test_that_nobody_has_the_time_is_said() -> None:
    kinds = {"cpu": {"count": 2, "ports": {"front": {**NET, "ptp": "client"}}}}
    red = {"vrfs": {"red": {"id": 1, "vlans": {"web": {"id": 110, "subnet": "10.1.0.0/24"}}}}}
    tenants = {"red": {**red, "attachments": [{"servers": "cpu", "access": "web"}]}}
    (said,) = compiled(servers=kinds, tenants=tenants).findings
    assert (said.code, said.severity) == (Code.MISSING_KEY, Severity.WARNING)
    assert said.path == ("site", "management", "ptp")
