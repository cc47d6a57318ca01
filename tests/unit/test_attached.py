"""Every server as a running network has it: interfaces, addresses, ways out, whom one can reach."""

from dataclasses import replace
from functools import partial

import pytest
from tests.unit.checks.sites import FRONTEND, RAIL_OPTIMIZED, TWO_PLANES
from tests.unit.checks.sites import designed as small
from tests.unit.reports.labs import designed

from fabricgen.compile.attached.host import Endpoint, HostInterface
from fabricgen.compile.attached.site import attached
from fabricgen.nos.hosts.readback.network import Route, Rule

_LAST = 4278198272
LACP = {
    "mode": "802.3ad",
    "miimon": "100",
    "lacp_rate": "fast",
    "xmit_hash_policy": "layer3+4",
}


def test_a_tenants_server_has_the_next_address_of_its_vlan_and_one_way_out() -> None:
    first, second = (attached(designed("tenants"))[f"fe-leaf01-s0{number}"] for number in (1, 2))
    assert first.interfaces == [HostInterface(name="eth0", mtu=9164, addresses=("10.110.0.10/24",))]
    assert second.interfaces == [
        HostInterface(name="eth0", mtu=9164, addresses=("10.110.0.11/24",))
    ]
    assert first.routes == [Route(prefix="default", via="10.110.0.1", device="eth0")]
    assert first.endpoints == [
        Endpoint(
            name="fe-leaf01-s01/red-web",
            host="fe-leaf01-s01",
            fabric="frontend",
            device="eth0",
            address="10.110.0.10",
            gateway="10.110.0.1",
            group="red",
            segment="red-web",
            leaf="fe-leaf01",
            mtu=9164,
        )
    ]
    assert (first.fabrics, first.routed) == (["frontend"], False)


def test_a_second_vlan_is_tagged_and_has_a_table_of_its_own() -> None:
    host = attached(designed("tenants"))["fe-leaf01-s09"]
    assert host.interfaces[1:] == [
        HostInterface(
            name="eth0.111",
            mtu=9164,
            addresses=("10.111.0.10/24",),
            parent="eth0",
            vlan=111,
        )
    ]
    assert host.rules == [Rule(source="10.111.0.10", table=4111, priority=4111)]
    assert host.routes[1:] == [
        Route(prefix="10.111.0.0/24", via="", device="eth0.111", table=4111),
        Route(prefix="default", via="10.111.0.1", device="eth0.111", table=4111),
    ]
    assert [end.device for end in host.endpoints] == ["eth0", "eth0.111"]


def test_a_server_of_a_routed_fabric_has_what_its_leafs_expect_and_a_way_by_each_port() -> None:
    host = attached(designed("storage"))["storage-storage0002"]
    assert [(each.name, *each.addresses) for each in host.interfaces] == [
        ("data0", "10.220.0.3/31"),
        ("data1", "10.221.0.3/31"),
    ]
    assert host.rules[:2] == [
        Rule(source="10.220.0.3/32", table=9101, priority=9101),
        Rule(source="0.0.0.0/32", to="10.216.0.0/13", table=10_000, priority=10_101),
    ]
    assert host.routes[:3] == [
        Route(prefix="10.220.0.2/31", via="", device="data0", table=9101),
        Route(prefix="10.216.0.0/13", via="10.220.0.2", device="data0", table=9101),
        Route(prefix="10.216.0.0/13", via="10.220.0.2", device="data0", table=10_000, metric=2),
    ]
    assert {(end.group, end.leaf) for end in host.endpoints} == {
        ("storage", "storage-storage-leaf01"),
        ("storage", "storage-storage-leaf02"),
    }


def test_a_bundle_carries_the_vlans_and_its_members_carry_nothing() -> None:
    """VLAN 130 has no gateway, so nobody has an address in it."""
    host = attached(designed("tenants"), {"fe-leaf05"})["fe-leaf05-s05"]
    bare = partial(HostInterface, mtu=9164)
    assert host.interfaces == [
        bare(name="eth0"),
        bare(name="eth1"),
        bare(name="bond0", members=("eth0", "eth1"), options=LACP),
        bare(name="bond0.120", addresses=("10.120.0.10/23",), parent="bond0", vlan=120),
        bare(name="bond0.130", parent="bond0", vlan=130),
    ]
    assert [end.segment for end in host.endpoints] == ["blue-batch"]


def test_a_nic_sends_by_the_table_of_its_rail() -> None:
    host = attached(designed("lab"), {"be-su01-leaf2"})["gpu0001"]
    assert host.routed
    assert host.interfaces == [HostInterface(name="rdma1", mtu=9214, addresses=("172.20.0.1/31",))]
    way = partial(Route, device="rdma1", table=1021)
    end = partial(Route, device="rdma1", prefix="0.0.0.0/0", via="", unreachable=True, metric=_LAST)
    assert host.routes == [
        way(prefix="172.20.0.0/31", via=""),
        way(prefix="172.20.0.0/14", via="172.20.0.0"),
        way(prefix="172.16.0.0/12", via="172.20.0.0"),
        end(table=1021),
        end(table=3021),
    ]
    assert host.rules == [
        Rule(source="172.20.0.1/32", table=1021, priority=1021),
        Rule(source="0.0.0.0/32", to="172.20.0.0/14", table=1021, priority=2021),
        Rule(to="172.20.0.0/14", table=3021, priority=3021),
    ]
    (spot,) = host.endpoints
    assert (spot.name, spot.address, spot.gateway) == ("gpu0001/rdma1", "172.20.0.1", "172.20.0.0")
    assert (spot.group, spot.segment, spot.leaf) == ("rail2", "be-su01-leaf2", "be-su01-leaf2")
    assert (spot.host, spot.fabric, spot.device, spot.mtu) == ("gpu0001", "backend", "rdma1", 9214)


def test_rails_without_spines_have_no_way_to_the_other_rails() -> None:
    host = attached(designed("rail-only"))["gpu0001"]
    assert [route.prefix for route in host.routes if route.table == 1011] == [
        "172.16.0.0/31",
        "172.16.0.0/14",
        "0.0.0.0/0",
    ]


def test_the_second_port_of_a_nic_is_a_group_of_its_own() -> None:
    groups = [end.group for end in attached(small(TWO_PLANES))["gpu0001"].endpoints]
    assert groups == [f"rail{rail}{port}" for rail in range(1, 5) for port in ("", ".2")]


@pytest.mark.parametrize(
    ("site", "leaf", "count"), [("tenants", "fe-leaf05", 8), ("lab", "be-su01-leaf1", 4)]
)
def test_of_a_part_only_who_has_a_cable_to_it(site: str, leaf: str, count: int) -> None:
    part, whole = attached(designed(site), {leaf}), attached(designed(site))
    assert len(part) == count < len(whole)
    assert {end.leaf for host in part.values() for end in host.endpoints} == {leaf}
    assert attached(designed(site), ()) == {}


def test_a_server_of_two_fabrics_is_one_host() -> None:
    """Its fabrics are named once each, however many cables it has to them."""
    site = small(RAIL_OPTIMIZED)
    (fabric,) = site.fabrics
    assert attached(site)["gpu0001"].fabrics == ["backend"]
    again = replace(site, fabrics=(fabric, replace(fabric, name="storage")))
    assert attached(again)["gpu0001"].fabrics == ["backend", "storage"]


@pytest.mark.parametrize(
    ("subnet", "gateway", "given"),
    [
        ("10.110.0.0/28", "10.110.0.1", [10, 11, 12, 13, 14]),  # .15 is the broadcast's
        ("10.110.0.0/28", "10.110.0.11", [10, None, 12, 13, 14]),  # the gateway's own place
    ],
)
def test_a_server_gets_no_address_that_is_not_free(
    subnet: str, gateway: str, given: list[int | None]
) -> None:
    words = f"{{id: 110, subnet: {subnet}, gateway: {gateway}}}"
    text = FRONTEND.replace("{id: 110, subnet: 10.110.0.0/24}", words)
    text = text.replace("servers: 1-2, access: web", "servers: 1-4, access: web")
    text = text.split("  blue:")[0].replace("bond, trunk: [web, db]", "bond, trunk: [db]")
    hosts = attached(small(text)).values()
    own = [
        "".join(port.addresses) for host in hosts for port in host.interfaces if port.name == "eth0"
    ]
    wanted = [f"10.110.0.{number}/28" if number else "" for number in given]
    assert own[: len(given)] == wanted
    assert not any(own[len(given) :]), "the subnet is full"


def test_a_bond_prefers_what_its_files_say_and_stands_on_that_leaf() -> None:
    hosts = attached(designed("four-fabrics"))
    bonds = [hosts[name].of("front") for name in ("gpu0001", "gpu0002")]
    assert [bond.options for bond in bonds if bond] == [
        {"mode": "active-backup", "miimon": "100", "primary": primary}
        for primary in ("front0", "front1")
    ]
    leafs = [hosts[name].leaf("front") for name in ("gpu0001", "gpu0002")]
    assert leafs == ["fe-leaf01", "fe-leaf02"]
    (part,) = (
        port
        for port in attached(designed("four-fabrics"), {"fe-leaf01"})["gpu0002"].interfaces
        if port.members
    )
    assert part.members == ("front0",)
    assert "primary" not in part.options, "the port that it names is not in this part"


def test_a_bmc_is_a_host_of_its_own_with_the_address_that_its_place_gives() -> None:
    hosts = attached(designed("four-fabrics"))
    assert hosts["gpu0001"].cabled.keys() == {"rail0", "rail1", "front0", "front1", "data0"}
    (bmc,) = hosts["gpu0003-bmc"].endpoints
    assert (bmc.address, bmc.gateway, bmc.group) == ("10.250.0.67", "10.250.0.1", "oob")
    (port,) = hosts["fe-leaf02-mgmt"].endpoints
    assert (port.address, port.segment) == ("10.255.0.3", "oob-switches")


def test_a_station_has_all_its_ports_and_an_address_that_no_switch_has() -> None:
    hosts = attached(designed("four-fabrics"))
    station = hosts["station0001"]
    assert "station0001-bmcs" not in hosts
    taken = {
        end.address for host in hosts.values() if host is not station for end in host.endpoints
    }
    own = {end.segment: end for end in station.endpoints}
    assert own.keys() == {"oob-bmc", "oob-switches"}
    assert not {end.address for end in own.values()} & taken
    assert own["oob-bmc"].beside == ("oob-switches",), "its way out sends to both"
    assert own["oob-switches"].beside == (), "the other has a table of its own"
