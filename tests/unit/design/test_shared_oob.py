"""Management ports on leafs that carry tenants: what is cabled, what is apart, what is refused."""

import json
from dataclasses import replace
from typing import Any

import pytest
from tests.unit.design.sites import Keys

from fabricgen.compile.checks.registry import Checks
from fabricgen.compile.compiler import Compiled, compile_site, files, slices
from fabricgen.compile.render import Renderer
from fabricgen.core.diagnostics import Code, Diagnostic, Severity
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.topology import Nic, Server
from fabricgen.operate.export.bootstrap import bootstrap

SPINE = {"model": "SN3700", "platform": "sonic", "count": 2, "breakout": "1x100G"}
OOB: Keys = {
    "cages": {"racks": "25-48"},
    "zones": {"compute": {"switch": 1, "ports": 24}},
    "vlans": {
        "switches": {"id": 20},
        "bmc": {"id": 10, "subnet": "10.250.0.0/22"},
        "pdu": {"id": 30, "subnet": "10.250.32.0/22"},
    },
    "external": {
        f"office{n}": {
            "leaf": n,
            "cage": 20,
            "address": f"192.0.2.{2 * n}/31",
            "peer": f"192.0.2.{2 * n + 1}",
            "asn": 64496,
        }
        for n in (1, 2)
    },
}
FRONT: Keys = {"fabric": "frontend", "speed": "1G", "per_leaf": 8}
BMC: Keys = {"fabric": "frontend", "speed": "1G", "vlan": "bmc"}
TENANT: Keys = {
    "vrfs": {"red": {"id": 1, "vlans": {"web": {"id": 110, "subnet": "10.110.0.0/24"}}}},
    "attachments": [{"servers": "cpu", "access": "web"}],
}


def compiled(
    *, count: int = 2, tenant: Keys | None = None, bmc: Keys = BMC, **oob: Any
) -> Compiled:
    own = {"contents": [{"servers": "cpu", "count": 8}, {"switches": "fe-*{rack}"}, {"pdus": 2}]}
    keys: Keys = {
        "site": {
            "name": "lab",
            "management": {"subnet": "10.255.0.0/22", "ntp": ["10.255.3.1", "10.255.3.2"]},
        },
        "servers": {"cpu": {"count": 16, "ports": {"front": FRONT, "bmc": bmc}}},
        "frontend": {
            "leaf": {"model": "SN2201", "platform": "sonic"},
            "spine": SPINE,
            "leaf_groups": {"racks": {"leafs": f"1-{count}"}},
            "oob": {**OOB, **oob},
        },
        "racks": {"compute": {"count": count, **own}},
        "tenants": {"red": {**TENANT, **(tenant or {})}},
    }
    if count > 2:
        keys["racks"]["compute"]["contents"][1] = {"switches": "fe-leaf{rack:02}"}
    return compile_site(load_texts({"site.yaml": json.dumps(keys)}))


def designed(**oob: Any) -> tuple[Site, Fabric]:
    done = compiled(**oob)
    assert done.ok, done.findings
    assert done.site is not None
    return done.site, done.site.fabrics[0]


def ends(fabric: Fabric) -> dict[str, tuple[str, str, str]]:
    """Return where each port of what is managed is cabled: switch, port and speed."""
    assert fabric.managed is not None
    return {
        f"{link.lower.name} {link.lower_port.network}": (
            link.upper.name,
            link.upper_port.label,
            str(link.upper_port.speed),
        )
        for link in fabric.topology.links
        if isinstance(link.lower_port, Nic)
        and (link.lower.name, link.lower_port.network) in fabric.managed.ends
    }


def test_racks_fill_the_cages_that_leafs_keep() -> None:
    _, fabric = designed()
    where = ends(fabric)
    assert where["cpu0001 bmc"] == ("fe-leaf01", "25", "1G")
    assert where["cpu0009 bmc"] == ("fe-leaf02", "25", "1G")
    assert where["fe-leaf02-mgmt eth0"] == ("fe-leaf02", "33", "1G")
    assert where["r01-01-pdu2 eth0"] == ("fe-leaf01", "36", "1G")


def test_an_address_follows_from_leaf_and_cage_and_dhcp_gives_it() -> None:
    site, fabric = designed(macs={"cpu0009": "3c:ec:ef:00:00:09"})
    assert fabric.managed is not None
    each = fabric.managed.each(fabric.topology.places)
    given = {f"{port.server} {port.network}": str(port.address) for port in each}
    assert given["cpu0001 bmc"] == "10.250.0.89/22"  # 64 of leaf 1, and cage 25
    assert given["cpu0009 bmc"] == "10.250.0.153/22"
    assert "fe-leaf01-mgmt eth0" not in given  # it has the one that it has without this network
    made = bootstrap(site, files(site, Renderer()), "http://x").files
    kea = next(file for file in made if file.path == "kea-dhcp4.json")
    (subnet,) = (s for s in json.loads(kea.text)["Dhcp4"]["subnet4"] if s["id"] == 10)
    assert [each["ip-address"] for each in subnet["reservations"]] == ["10.250.0.153"]


def test_more_leafs_and_racks_move_nothing() -> None:
    before, after = designed(count=2)[1], designed(count=6)[1]
    kept = {name: end for name, end in ends(before).items() if "spine" not in name}
    now = ends(after)
    assert {name: now.get(name) for name in kept if "pdu" not in name} == {
        name: end for name, end in kept.items() if "pdu" not in name
    }


def test_the_vrf_is_on_the_leafs_and_has_its_own_way_out() -> None:
    site, _ = designed()
    pieces = {switch_slice.switch.name: switch_slice for _, switch_slice in slices(site)}
    leaf = pieces["fe-leaf01"]
    assert [(vrf.name, vrf.vni, vrf.transit_vlan) for vrf in leaf.vrfs] == [
        ("red", 50001, 3001),
        ("oob", 50499, 3499),
    ]
    (peer,) = leaf.external
    assert (peer.vrf, peer.interface.port.cage) == ("oob", 20)
    assert {str(rule.prefix) for rule in peer.announce} == {
        "10.250.0.1/22",
        "10.255.0.1/22",
        "10.250.32.1/22",
    }
    assert not pieces["fe-spine1"].vrfs


def test_that_switches_are_managed_through_themselves_is_said() -> None:
    said = [i for i in compiled().findings if i.code is Code.SINGLE_POINT]
    assert [i.severity for i in said] == [Severity.WARNING]
    assert said[0].message.startswith("fe-spine1 and 3 more of frontend can be managed only while")


def test_that_nothing_leads_in_is_said() -> None:
    assert "the VRF oob has no connection" in str(compiled(external={}).findings)
    assert "nothing leads into" not in str(compiled().findings)


def test_a_port_of_both_is_found_by_the_check() -> None:
    site, fabric = designed()
    pieces = [(of, switch_slice) for of, switch_slice in slices(site)]
    assert not wrong(site, pieces)
    number = next(
        n for n, (_, switch_slice) in enumerate(pieces) if switch_slice.switch.name == "fe-leaf01"
    )
    of, switch_slice = pieces[number]
    web = next(
        i.carries for i in switch_slice.interfaces if _from(i.peer, "cpu0001", i.peer_port, "front")
    )
    moved = tuple(
        replace(i, carries=web) if _from(i.peer, "cpu0002", i.peer_port, "bmc") else i
        for i in switch_slice.interfaces
    )
    pieces[number] = (of, replace(switch_slice, interfaces=moved))
    (found,) = wrong(site, pieces)
    assert found.code is Code.FABRICS_NOT_ISOLATED
    assert "cpu0002 bmc at fe-leaf01" in found.message
    assert fabric.managed is not None


def _from(peer: object, name: str, port: object, network: str) -> bool:
    if not isinstance(peer, Server) or not isinstance(port, Nic):
        return False
    return (peer.name, port.network) == (name, network)


def wrong(site: Site, pieces: list[Any]) -> list[Diagnostic]:
    checks = Checks(site)
    for fabric, switch_slice in pieces:
        checks.see(fabric, switch_slice)
    found = (item for result in checks.results() for item in result.findings)
    return [item for item in found if item.code is Code.FABRICS_NOT_ISOLATED]


@pytest.mark.parametrize(
    ("change", "code", "message"),
    [
        (
            {"tenant": {"vlans": {"own": {"id": 20}}}},
            Code.DUPLICATE_ID,
            "the VLAN id 20 is also used by red/red-own",
        ),
        ({"id": 1}, Code.DUPLICATE_ID, "the VRF id 1 is also used by red/red"),
        ({"vrf": "red"}, Code.DUPLICATE_ID, "the VRF name 'red' is also used by red/red"),
        (
            {"tenant": {"attachments": [{"servers": "cpu", "port": "bmc", "access": "web"}]}},
            Code.UNKNOWN_REFERENCE,
            "cpu has no ports 'bmc' on the frontend",
        ),
        ({"cages": {"rack": "25-48"}}, Code.UNKNOWN_REFERENCE, "no leaf group 'rack'"),
        (
            {"cages": {"racks": "5-28"}},
            Code.PORT_USED_TWICE,
            "cage 5 is reserved for management ports and for servers",
        ),
        (
            {"cages": {"racks": "45-52"}},
            Code.SPEED_NOT_ON_MODEL,
            "cage 49 of SN2201 does not run at 1G",
        ),
        (
            {"zones": {"compute": {"switch": 2, "ports": 24}}},
            Code.PORTS_EXHAUSTED,
            "racks of compute continue on leaf 3, which reserves no cages for them",
        ),
        (
            {"external": {"office": {**OOB["external"]["office1"], "cage": 30}}},
            Code.PORT_USED_TWICE,
            "cage 30 of leaf 1 is already for management ports",
        ),
        (
            {"bmc": {**BMC, "per_leaf": 4}},
            Code.BAD_VALUE,
            "frontend is of kind evpn, where `per_leaf` has no effect",
        ),
        (
            {"vlans": {**OOB["vlans"], "bmc": {"id": 10, "subnet": "10.250.0.0/26"}}},
            Code.POOL_TOO_SMALL,
            "192 addresses are needed",
        ),
    ],
)
def test_what_is_not_apart_or_does_not_fit_is_an_error(
    change: Keys, code: Code, message: str
) -> None:
    found = [i for i in compiled(**change).findings if i.severity is Severity.ERROR]
    assert [(item.code, message in item.message) for item in found] == [(code, True)], found
