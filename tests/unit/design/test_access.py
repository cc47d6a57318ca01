"""An out-of-band network: where racks are cabled to, what is counted, and what is refused."""

import json
from typing import Any

import pytest
from tests.unit.design.sites import Keys, frontend

from fabricgen.compile.compiler import Compiled, compile_site, slices
from fabricgen.core.diagnostics import Code, Diagnostic, Severity
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Server

MANAGEMENT = {"subnet": "10.255.0.0/20", "ntp": ["10.255.15.250", "10.255.15.251"]}
OOB: Keys = {
    "kind": "access",
    "leaf": {"model": "SN2201", "platform": "sonic"},
    "spine": {"model": "SN3700", "platform": "sonic", "breakout": "1x100G"},
    "zones": {"pod": {"switch": 1}},
    "vlans": {"switches": {"id": 20}, "pdu": {"id": 30, "subnet": "10.250.32.0/20"}},
}
PDUS = {"contents": [{"pdus": 6}]}
BMC: Keys = {"fabric": "oob", "speed": "1G"}
VLANS = {**OOB["vlans"], "bmc": {"id": 10, "subnet": "10.250.0.0/20"}}


def compiled(racks: Keys, servers: Keys | None = None, **oob: Any) -> Compiled:
    site = {"name": "lab", "management": MANAGEMENT}
    keys = {"site": site, **frontend(), "racks": racks, "fabrics": {"oob": {**OOB, **oob}}}
    if servers is not None:
        keys["servers"] = servers
    return compile_site(load_texts({"site.yaml": json.dumps(keys)}))


def designed(racks: Keys, servers: Keys | None = None, **oob: Any) -> Fabric:
    done = compiled(racks, servers, **oob)
    assert done.ok, done.findings
    assert done.site is not None
    return next(fabric for fabric in done.site.fabrics if fabric.name == "oob")


def errors(racks: Keys, servers: Keys | None = None, **oob: Any) -> list[Diagnostic]:
    return [i for i in compiled(racks, servers, **oob).findings if i.severity is Severity.ERROR]


def kind(count: int, **sets: Keys) -> Keys:
    return {"count": count, "ports": sets}


def given(fabric: Fabric) -> dict[str, str]:
    """Return the address of each management port that its place gives one."""
    assert fabric.managed is not None
    ports = fabric.managed.each(fabric.topology.places)
    return {f"{port.server} {port.network}": str(port.address) for port in ports}


def places(fabric: Fabric) -> dict[str, tuple[str, str]]:
    """Return where each management port is cabled to: switch and port."""
    return {
        link.lower.name: (link.upper.name, link.upper_port.label)
        for link in fabric.topology.links
        if isinstance(link.lower, Server)
    }


def test_a_vlan_that_no_rack_leads_to_is_said_and_ends_when_a_rack_holds_something() -> None:
    """A VLAN of the switches cannot be left out, so the hint is not to."""

    def said(racks: Keys) -> list[tuple[str, str]]:
        findings = compiled(racks).findings
        return [(each.message, each.hint) for each in findings if "VLAN" in each.message]

    ((message, hint),) = said({"pod": PDUS})
    assert message.startswith("no rack contains a device with a port in VLAN oob-switches (20)")
    assert hint == "add the devices with a port there to `contents` of a rack"
    assert said({"pod": {"contents": [{"pdus": 6}, {"switches": "*"}]}}) == []


@pytest.mark.parametrize(("racks", "switches"), [(1, 1), (8, 1), (9, 2), (16, 2), (17, 3)])
def test_switches_of_a_row_are_its_ports_by_48(racks: int, switches: int) -> None:
    fabric = designed({"pod": {**PDUS, "count": racks}})
    assert sum(switch.is_leaf for switch in fabric.topology.switches) == switches
    assert len(places(fabric)) == 6 * racks


def test_every_access_switch_has_one_uplink_to_each_of_the_pair() -> None:
    fabric = designed({"pod": {**PDUS, "count": 9}})
    ends = sorted((a.lower.name, a.upper.name) for a in fabric.topology.links if not a.to_server)
    assert ends == [(f"oob-leaf0{n}", f"oob-spine{s}") for n in (1, 2) for s in (1, 2)]


def test_each_row_has_access_switches_of_its_own() -> None:
    fabric = designed({"pod": {**PDUS, "count": 3, "per_row": 2}})
    where = places(fabric)
    assert where["r01-02-pdu6"] == ("oob-leaf01", "12")
    assert where["r02-01-pdu1"] == ("oob-leaf02", "1")


@pytest.mark.parametrize(
    "more",
    [
        {"pod": {**PDUS, "count": 30, "per_row": 5}},
        {"pod": {"contents": [{"pdus": 6}, {"switches": "fe-leaf{rack:02}"}], "per_row": 5}},
        {"pod": {**PDUS, "count": 2, "per_row": 5}, "net": {**PDUS, "row": 90, "position": 8}},
    ],
    ids=["racks", "a switch in them", "another type"],
)
def test_growing_moves_no_cable(more: Keys) -> None:
    zones = {"pod": {"switch": 1, "ports": 8}, "net": {"switch": 20}}
    first = {"pod": {**PDUS, "count": 1, "per_row": 5}}
    before = places(designed(first, zones={"pod": zones["pod"]}))
    after = places(designed(more, zones={kind: zones[kind] for kind in more}))
    assert {name: after[name] for name in before} == before


def test_types_share_an_access_switch_where_their_ports_are_apart() -> None:
    racks = {"pod": PDUS, "net": {**PDUS, "position": 2}}
    fabric = designed(racks, zones={"pod": {"switch": 1}, "net": {"switch": 1, "port": 25}})
    assert places(fabric)["r01-02-pdu1"] == ("oob-leaf01", "25")


def test_the_switches_own_management_ports_are_cabled_too() -> None:
    fabric = designed({"pod": {"contents": [{"switches": "*-spine1"}, {"switches": "oob-leaf01"}]}})
    names = ["fe-spine1-mgmt", "oob-spine1-mgmt", "oob-leaf01-mgmt"]
    assert places(fabric) == {n: ("oob-leaf01", str(p)) for p, n in enumerate(names, 1)}


def test_power_units_of_a_rack_are_counted_through_what_it_holds() -> None:
    fabric = designed({"pod": {"contents": [{"pdus": 1}, {"switches": "fe-spine1"}, {"pdus": 2}]}})
    names = ["r01-01-pdu1", "fe-spine1-mgmt", "r01-01-pdu2", "r01-01-pdu3"]
    assert places(fabric) == {n: ("oob-leaf01", str(p)) for p, n in enumerate(names, 1)}


def test_leaf_10_has_the_port_after_leaf_9() -> None:
    site = {"name": "lab", "management": MANAGEMENT}
    words = frontend()["frontend"]
    words = {**words, "leaf_groups": {"racks": {"leafs": "9-10"}}, "names": {"leaf": "le{index}"}}
    racks = {"pod": {"contents": [{"switches": "le*"}]}}
    keys = {"site": site, "frontend": words, "racks": racks, "fabrics": {"oob": OOB}}
    done = compile_site(load_texts({"site.yaml": json.dumps(keys)}))
    assert done.site is not None, done.findings
    where = places(done.site.fabrics[-1])
    assert (where["le9-mgmt"][1], where["le10-mgmt"][1]) == ("1", "2")


def test_a_management_port_is_in_the_vlan_of_its_kind_whose_gateway_is_on_every_switch() -> None:
    done = compiled({"pod": {"contents": [{"pdus": 1}, {"switches": "fe-spine1"}]}})
    assert done.site is not None
    switch_slice = next(
        switch_slice
        for fabric, switch_slice in slices(done.site)
        if switch_slice.switch.name == "oob-leaf01"
    )
    edge = [i.carries.untagged for i in switch_slice.interfaces if i.use is Use.EDGE and i.carries]
    assert [(vlan.id, str(vlan.gateways[0])) for vlan in edge if vlan] == [
        (30, "10.250.32.1/20"),
        (20, "10.255.0.1/20"),
    ]
    assert {i.mtu for i in switch_slice.interfaces if i.use is Use.EDGE} == {1500}


def test_an_out_of_band_network_renumbers_no_management_port() -> None:
    keys = {"site": {"name": "lab", "management": MANAGEMENT}, **frontend()}
    alone = compile_site(load_texts({"site.yaml": json.dumps(keys)})).site
    beside = compiled({"pod": PDUS}).site
    assert alone is not None
    assert beside is not None
    own = {switch_slice.switch.name: switch_slice.management for _, switch_slice in slices(alone)}
    assert {p.switch.name: p.management for f, p in slices(beside) if f.name != "oob"} == own


@pytest.mark.parametrize(
    ("racks", "oob", "code", "message"),
    [
        (
            {"pod": PDUS},
            {"zones": {"pod": {"switch": 1, "ports": 4}}},
            Code.PORTS_EXHAUSTED,
            "a rack of pod has 6 management ports, but 4 are reserved for it",
        ),
        (
            {"pod": PDUS, "net": {**PDUS, "position": 2}},
            {"zones": {"pod": {"switch": 1}, "net": {"switch": 1}}},
            Code.PORT_USED_TWICE,
            "port 1 of access switch 1 is assigned to net and to pod",
        ),
        (
            {"pod": PDUS},
            {"zones": {"pods": {"switch": 1}}},
            Code.UNKNOWN_REFERENCE,
            "no racks of type 'pods'",
        ),
        (
            {"pod": PDUS, "net": PDUS},
            {},
            Code.DUPLICATE_ID,
            "rack 1 of net and rack 1 of pod are both at place 1 of row 1",
        ),
        (
            {"pod": {"contents": [{"switches": "fe-leef*"}]}},
            {},
            Code.UNKNOWN_REFERENCE,
            "rack 1 of pod contains 'fe-leef*', but no switch has this name",
        ),
        (
            {"pod": {"count": 2, "contents": [{"switches": "fe-spine1"}]}},
            {},
            Code.DUPLICATE_ID,
            "fe-spine1 would be in two racks: rack 1 of pod and rack 2 of pod",
        ),
        (
            {"pod": PDUS},
            {"vlans": {"switches": {"id": 20}}},
            Code.MISSING_KEY,
            "racks contain management ports for the VLAN pdu, but oob has no such VLAN",
        ),
        (
            {"pod": PDUS},
            {"vlans": {"switches": {"id": 30}, "pdu": OOB["vlans"]["pdu"]}},
            Code.DUPLICATE_ID,
            "the VLAN id 30 is also used by switches",
        ),
        (
            {"pod": PDUS},
            {"vlans": {"switches": {"id": 3600}, "pdu": OOB["vlans"]["pdu"]}},
            Code.VNI_CLASH,
            "VLAN ids above 3000 are reserved",
        ),
        (
            {"pod": PDUS},
            {"vlans": {**OOB["vlans"], "pdu": {"id": 30, "subnet": "10.255.0.0/24"}}},
            Code.ADDRESS_OVERLAP,
            "10.255.0.1 is on oob-switches VLAN 20 and on oob-pdu VLAN 30",
        ),
        (
            {"pod": PDUS},
            {"leaf": {"model": "SN3700", "platform": "sonic"}},
            Code.SPEED_NOT_ON_MODEL,
            "the first ports of SN3700 do not run at 1G",
        ),
        (
            {"pod": PDUS},
            {"spine": {**OOB["spine"], "count": 5}},
            Code.PORTS_EXHAUSTED,
            "5 switches above need 5 uplinks, but SN2201 has 4 of 100G",
        ),
        (
            {"pod": PDUS},
            {"zones": {"pod": {"switch": 33}}},
            Code.RADIX_EXCEEDED,
            "access switch 33 needs port 33 of the pair, but SN3700 has 32 of 100G",
        ),
        (
            {"pod": PDUS},
            {"leaf": {**OOB["leaf"], "breakout": "1x1G"}},
            Code.BAD_VALUE,
            "management ports are not broken out",
        ),
    ],
)
def test_what_does_not_fit_is_an_error(racks: Keys, oob: Keys, code: Code, message: str) -> None:
    found = errors(racks, **oob)
    assert {error.code for error in found} == {code}
    assert [message in error.message for error in found].count(True) == 1


def test_a_switch_in_no_rack_is_said() -> None:
    found = [i for i in compiled({"pod": PDUS}).findings if i.code is Code.INTENT_WITHOUT_LINES]
    assert any("the management port has no cable" in item.message for item in found)


def test_an_error_of_another_fabric_is_said_alone() -> None:
    site = {"name": "lab", "management": MANAGEMENT}
    words = {**frontend()["frontend"], "spine": {"model": "nothing", "platform": "sonic"}}
    racks = {"pod": {"contents": [{"switches": "fe-*"}]}}
    keys = {"site": site, "frontend": words, "racks": racks, "fabrics": {"oob": OOB}}
    done = compile_site(load_texts({"site.yaml": json.dumps(keys)}))
    wrong = [i for i in done.findings if i.severity is Severity.ERROR]
    assert {item.path[0] for item in wrong} == {"frontend"}


WAY = {"leaf": 1, "cage": 51, "address": "192.0.2.1/31", "peer": "192.0.2.0", "asn": 64496}


def test_people_come_in_by_a_router_on_a_cage_that_no_uplink_needs() -> None:
    done = compiled({"pod": PDUS}, external={"office": WAY})
    assert done.ok, done.findings
    assert done.site is not None
    switch_slice = next(
        switch_slice
        for _, switch_slice in slices(done.site)
        if switch_slice.switch.name == "oob-leaf01"
    )
    (peer,) = switch_slice.external
    assert (peer.vrf, peer.interface.port.cage, peer.remote.host) == ("oob", 51, "192.0.2.0")
    assert [str(rule.prefix) for rule in peer.announce] == ["10.255.0.1/20", "10.250.32.1/20"]


@pytest.mark.parametrize(
    ("change", "code", "message"),
    [
        ({"cage": 49}, Code.PORT_USED_TWICE, "is already reserved for uplinks"),
        ({"cage": 48}, Code.PORT_USED_TWICE, "is already for the servers of group pod"),
        ({"leaf": 2}, Code.UNKNOWN_REFERENCE, "the oob has no leaf 2"),
        ({"accept": ["10.250.32.0/24"]}, Code.ADDRESS_OVERLAP, "is inside the subnet of VLAN"),
    ],
)
def test_a_way_out_that_does_not_fit_is_an_error(change: Keys, code: Code, message: str) -> None:
    (error,) = errors({"pod": PDUS}, external={"office": {**WAY, **change}})
    assert error.code is code
    assert error.path[:4] == ("fabrics", "oob", "external", "office")
    assert message in error.message


def test_a_subnet_that_a_tenant_has_too_is_no_network_apart() -> None:
    vlans = {**OOB["vlans"], "pdu": {"id": 30, "subnet": "10.110.0.0/20"}}
    vrf = {"id": 1, "vlans": {"web": {"id": 110, "subnet": "10.110.4.0/24"}}}
    tenant = {"vrfs": {"red": vrf}, "attachments": [{"group": "racks", "access": "web"}]}
    site = {"name": "lab", "management": MANAGEMENT}
    oob = {"oob": {**OOB, "vlans": vlans}}
    keys = {"site": site, "racks": {"pod": PDUS}, "fabrics": oob, "tenants": {"red": tenant}}
    keys |= {"frontend": frontend()["frontend"]}
    found = compile_site(load_texts({"site.yaml": json.dumps(keys)})).findings
    (wrong,) = (item for item in found if item.severity is Severity.ERROR)
    assert wrong.code is Code.FABRICS_NOT_ISOLATED
    assert "subnets of two fabrics overlap" in wrong.message


@pytest.mark.parametrize(("model", "errs"), [("7010TX-48", 1), ("7050TX3-48C8", 0)])
def test_eos_refuses_a_model_without_an_mtu_for_each_port(model: str, errs: int) -> None:
    pair = {"model": "7050CX3-32S", "platform": "eos"}
    found = errors({"pod": PDUS}, leaf={"model": model, "platform": "eos"}, spine=pair)
    assert [item.code for item in found] == [Code.UNSUPPORTED] * errs
    assert all("has no MTU per port" in item.message for item in found)


GPUS = {"pod": {"count": 2, "contents": [{"servers": "gpu", "count": 4}, {"pdus": 2}]}}


def test_rack_r_holds_the_servers_after_those_of_the_racks_before() -> None:
    fabric = designed(GPUS, {"gpu": kind(6, bmc=BMC)}, vlans=VLANS)
    where = places(fabric)
    assert where["gpu0004"] == ("oob-leaf01", "4")
    assert where["r01-01-pdu1"] == ("oob-leaf01", "5")
    assert where["gpu0005"] == ("oob-leaf01", "7")
    assert where["r01-02-pdu1"] == ("oob-leaf01", "11")  # room is kept for gpu0007 and gpu0008


def test_addresses_follow_from_switch_and_port() -> None:
    racks = {"pod": {"count": 9, "contents": [{"servers": "gpu", "count": 6}]}}
    fabric = designed(racks, {"gpu": kind(54, bmc=BMC)}, vlans=VLANS)
    addresses = given(fabric)
    assert addresses["gpu0001 bmc"] == "10.250.0.65/20"  # switch 1 has a block of 64, then port 1
    assert addresses["gpu0049 bmc"] == "10.250.0.129/20"
    assert len(set(addresses.values())) == 54


@pytest.mark.parametrize(
    ("servers", "racks"),
    [
        ({"gpu": kind(8, bmc=BMC)}, GPUS),
        ({"gpu": kind(6, bmc=BMC), "cpu": kind(4, bmc=BMC)}, GPUS),
        (
            {"gpu": kind(6, bmc=BMC), "cpu": kind(4, bmc=BMC)},
            {
                "pod": GPUS["pod"],
                "aux": {"row": 2, "contents": [{"servers": "cpu", "count": 4}]},
            },
        ),
        ({"gpu": kind(6, bmc=BMC)}, {"pod": {**GPUS["pod"], "count": 4}}),
    ],
    ids=["servers", "a kind", "racks of another kind", "racks"],
)
def test_growing_moves_no_management_address(servers: Keys, racks: Keys) -> None:
    zones = {"pod": {"switch": 1, "ports": 8}, "aux": {"switch": 9}}
    before = given(
        designed(GPUS, {"gpu": kind(6, bmc=BMC)}, vlans=VLANS, zones={"pod": zones["pod"]})
    )
    after = given(
        designed(racks, servers, vlans=VLANS, zones={name: zones[name] for name in racks})
    )
    assert {name: after[name] for name in before} == before


def test_a_management_station_stands_in_the_vlans_that_it_names() -> None:
    sets = {"control": {**BMC, "vlan": "switches"}, "bmc": BMC}
    racks = {"pod": {"contents": [{"servers": "head", "count": 1}]}}
    done = compiled(racks, {"head": kind(1, **sets)}, vlans=VLANS)
    assert done.site is not None, done.findings
    switch_slice = next(
        switch_slice
        for _, switch_slice in slices(done.site)
        if switch_slice.switch.name == "oob-leaf01"
    )
    vlans = [i.carries.untagged for i in switch_slice.interfaces if i.use is Use.EDGE and i.carries]
    assert [vlan.id for vlan in vlans if vlan] == [10, 20]


@pytest.mark.parametrize(
    ("servers", "racks", "oob", "code", "message"),
    [
        (
            {"gpu": kind(4, bmc=BMC)},
            {"pod": {"contents": [{"servers": "gpus", "count": 4}]}},
            {},
            Code.UNKNOWN_REFERENCE,
            "no servers of kind 'gpus'",
        ),
        (
            {"gpu": kind(4, bmc={**BMC, "speed": "10G"})},
            GPUS,
            {},
            Code.SPEED_NOT_ON_MODEL,
            "management ports of oob run at 1G, not 10G",
        ),
        (
            {"gpu": kind(4, bmc={**BMC, "ports": 2})},
            GPUS,
            {},
            Code.BAD_VALUE,
            "oob is of kind access, where `ports` has no effect",
        ),
        (
            {"gpu": kind(8, bmc=BMC)},
            {
                "pod": {
                    "contents": [{"servers": "gpu", "count": 4}, {"servers": "gpu", "count": 2}]
                },
                "aux": {"position": 9, "contents": [{"servers": "gpu", "count": 4, "first": 3}]},
            },
            {"zones": {"pod": {"switch": 1}, "aux": {"switch": 2}}},
            Code.DUPLICATE_ID,
            "gpu0001 and 1 more would be in two racks: rack 1 of pod and rack 1 of pod",
        ),
        (
            {"gpu": kind(4, bmc=BMC)},
            GPUS,
            {"vlans": {**VLANS, "bmc": {"id": 10, "subnet": "10.250.0.0/26"}}},
            Code.POOL_TOO_SMALL,
            "128 addresses are needed, a block for each access switch and one before them",
        ),
        (
            {"gpu": kind(4, bmc=BMC)},
            GPUS,
            {"macs": {"gpu0005": "00:1c:73:00:00:01"}},
            Code.UNKNOWN_REFERENCE,
            "no device named 'gpu0005' gets its address on oob",
        ),
        (
            {"gpu": kind(4, bmc=BMC)},
            GPUS,
            {"macs": {"gpu0001": "00:1c:73:00:00:01", "gpu0002": "00:1c:73:00:00:01"}},
            Code.DUPLICATE_ID,
            "the MAC 00:1c:73:00:00:01 is also used by gpu0001",
        ),
    ],
)
def test_servers_that_do_not_fit_are_errors(
    servers: Keys, racks: Keys, oob: Keys, code: Code, message: str
) -> None:
    found = errors(racks, servers, **{"vlans": VLANS, **oob})
    assert [item.code for item in found] == [code] * len(found)
    assert message in found[0].message


def test_a_kind_of_servers_without_management_is_said() -> None:
    rail = {"fabric": "frontend", "speed": "25G"}
    found = compiled(GPUS, {"gpu": kind(4, bmc=BMC), "cpu": kind(1, data=rail)}, vlans=VLANS)
    said = [i.message for i in found.findings if i.path == ("servers", "cpu", "ports")]
    assert any("have no port on oob" in message for message in said)


def test_servers_in_no_rack_are_said() -> None:
    found = compiled({"pod": PDUS}, {"gpu": kind(4, bmc=BMC)}, vlans=VLANS)
    said = [i.message for i in found.findings if i.code is Code.INTENT_WITHOUT_LINES]
    assert any("the management port has no cable" in message for message in said)


def test_two_out_of_band_fabrics_do_not_miss_what_stands_in_racks_of_the_other() -> None:
    racks = {
        "pod": {"contents": [{"switches": "fe-*"}, {"switches": "oob-*"}, {"pdus": 1}]},
        "aux": {"position": 9, "contents": [{"switches": "far-*"}, {"pdus": 1}]},
    }
    vlans = {"switches": {"id": 20}, "pdu": {"id": 30, "subnet": "10.251.32.0/20"}}
    far = {**OOB, "number": 3, "zones": {"aux": {"switch": 1}}, "vlans": vlans}
    keys = {
        "site": {"name": "lab", "management": MANAGEMENT},
        **frontend(),
        "racks": racks,
        "fabrics": {"oob": OOB, "far": far},
    }
    found = compile_site(load_texts({"site.yaml": json.dumps(keys)})).findings
    missed = [item.message for item in found if "the management port has no cable" in item.message]
    assert not missed
