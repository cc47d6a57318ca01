"""What a leaf of the lab answered (FRR 8.4.4, cut): its VLANs, VRFs and bundles."""

import subprocess
from pathlib import Path

import pytest

from fabricgen.nos.linux.driver import health
from fabricgen.nos.questions import Answer
from fabricgen.nos.shared.documents import Look, answers, script
from fabricgen.nos.shared.frr import traffic as frr
from fabricgen.nos.traffic import SERVERS, Bridged, Routed, sampled

LEAF = (Path(__file__).parent / "looks/leaf.txt").read_text()
OTHERS = frozenset({"10.65.0.2", "10.65.0.3"})
SUBNETS = {"10.65.0.1": 2, "10.65.0.2": 2, "10.65.0.3": 2}
HOPS = {"10.65.0.2": "02:fb:0a:41:00:02", "10.65.0.3": "02:fb:0a:41:00:03"}


def test_a_vlan_has_its_vni_its_flood_list_and_its_routes_by_type() -> None:
    carries = health.health_of(LEAF).traffic
    assert carries.vtep == "10.65.0.1"
    assert set(carries.vlans) == {10, 20, 30}
    assert carries.vlans[10] == Bridged(
        vni=10010,
        far=OTHERS,
        macs=3,
        routes={2: 6, 3: 3},
        gateway="10.10.10.1 00:1c:73:00:00:99",
        servers={"10.10.10.10": "56:b2:7b:14:e3:7f"},
    )


def test_a_few_servers_at_own_ports_are_listed_and_no_others() -> None:
    """`ip -4 neigh` of a leaf of the lab: servers of others and router MACs are zebra's."""
    known = (
        "33:33:00:00:00:01 dev swp29 self permanent\n"
        "4a:e3:68:a7:80:97 dev bond2 vlan 30 master br0 \n"
        "4a:e3:68:a7:80:97 dev vni10020 vlan 20 extern_learn master br0 \n"
        "10.72.0.0 dev swp29 lladdr 32:aa:e6:02:b3:72 REACHABLE \n"
        "10.10.10.12 dev vlan10 lladdr 66:a3:e3:ac:9e:a4 extern_learn NOARP proto zebra \n"
        "10.10.30.10 dev vlan30 lladdr 4a:e3:68:a7:80:97 STALE \n"
        "10.65.0.3 dev vlan3001 lladdr 02:fb:0a:41:00:03 extern_learn NOARP proto zebra \n"
        "10.10.20.99 dev vlan20  FAILED \n"
        "10.10.20.98 dev vlan20 INCOMPLETE \n"
        + "".join(
            f"10.10.10.{host} dev vlan10 lladdr 02:00:00:00:00:{host} REACHABLE \n"
            for host in range(20, 40)
        )
    )
    script = dict(frr.counting("vtysh"))["servers"].partition("| awk ")[2].strip("'")
    done = subprocess.run(("awk", script), input=known, capture_output=True, text=True, check=True)
    servers = frr.servers(Answer(done.stdout))
    assert servers[30] == {"10.10.30.10": frr.Server("4a:e3:68:a7:80:97", "bond2")}
    assert set(servers[10].values()) == {
        frr.Server(f"02:00:00:00:00:{host}") for host in range(20, 28)
    }
    assert next(iter(servers[10])) == "10.10.10.20"
    assert {vlan: len(own) for vlan, own in servers.items()} == {30: 1, 10: SERVERS}


def test_without_bgpd_its_own_words_are_the_reason(tmp_path: Path) -> None:
    """A new box; vtysh of FRR says it on stderr (vtysh/vtysh.c, vtysh_client_execute)."""
    vtysh = tmp_path / "vtysh"
    vtysh.write_text("#!/bin/sh\necho bgpd is not running >&2\n")
    vtysh.chmod(0o755)
    asked = script([row for row in frr.counting(str(vtysh)) if row[0] == "evpn"])
    done = subprocess.run(("sh", "-c", asked), capture_output=True, text=True, check=True)
    look = Look[str](answers(done.stdout))
    assert look.text("EVPN routes", "evpn", frr.counts, {}) == {}
    assert look.unread == {"EVPN routes": "bgpd is not running"}


def test_a_vrf_has_its_vni_its_router_macs_and_its_routes() -> None:
    carries = health.health_of(LEAF).traffic
    assert carries.vrfs["red"] == Routed(vni=50001, up=True, hops=HOPS, hosts=2, prefixes=SUBNETS)
    assert carries.vrfs["blue"].prefixes == dict.fromkeys(SUBNETS, 1)


def test_a_vrf_of_frr_10_3_is_the_same() -> None:
    """FRR 10.3 says tenantVrf where 8.4.4 says vrf (`show evpn vni detail json`, in the lab)."""
    newer = LEAF.replace('"vrf":', '"tenantVrf":')
    assert newer != LEAF
    assert health.health_of(newer).traffic.vrfs == health.health_of(LEAF).traffic.vrfs


def test_a_vtep_that_the_kernel_routes_to_has_no_mac_where_zebra_forgot_it() -> None:
    """As FRR 8.4.4 does after another route target: its list of next hops is empty then."""
    assert '"numNextHops"' in LEAF
    head, _, rest = LEAF.partition("show evpn next-hops vni all json\n")
    forgot = f"{head}show evpn next-hops vni all json\n{{}}\n" + rest[rest.index("fe-leaf01# ") :]
    routed = forgot.replace("red hosts 2", "red hop 10.65.0.2\nred hosts 2")
    assert health.health_of(routed).traffic.vrfs["red"].hops == {"10.65.0.2": ""}


def test_vteps_are_listed_of_the_kernels_routes_in_vrfs() -> None:
    """`ip -o` of a leaf: hosts behind two VTEPs, one by both, and the underlay beside them."""
    routes = (
        "10.10.10.11 via 10.65.0.2 dev vlan3001 table red metric 20 onlink \n"
        "10.10.20.11 via 10.65.0.2 dev vlan3001 table red metric 20 onlink \n"
        "10.10.0.0/24 table red metric 20 \\\tnexthop via 10.65.0.2 dev vlan3001 weight 1 onlink "
        "\\\tnexthop via 10.65.0.3 dev vlan3001 weight 1 onlink \n"
        "0.0.0.0/0 via 172.16.0.1 dev swp5 table red metric 20 \n"
        "10.64.0.2 metric 20 \\\tnexthop via 10.72.0.0 dev swp29 weight 1 \n"
    )
    script = dict(frr.counting("vtysh"))["vrfs"].partition("| awk ")[2].strip("'")
    done = subprocess.run(("awk", script), input=routes, capture_output=True, text=True, check=True)
    (red,) = frr.tables(Answer(done.stdout)).values()
    assert red == frr.Table(
        subnets=frozenset({"10.10.0.0/24", "0.0.0.0/0"}),
        servers={"10.10.10.11": "10.65.0.2", "10.10.20.11": "10.65.0.2"},
        hosts=2,
        hops=frozenset({"10.65.0.2", "10.65.0.3"}),
    )


def test_bundles_trunks_and_host_routes_are_read() -> None:
    carries = health.health_of(LEAF).traffic
    assert carries.bundles == dict.fromkeys(
        ("bond1 swp1", "bond1 swp2", "bond2 swp3", "bond2 swp4"), True
    )
    assert carries.trunks == {"bond1": {10, 20}, "bond2": {30}}
    assert carries.fib["10.65.0.2/32"] == 2
    assert carries.fib["10.64.255.252/32"] == 1


def test_a_member_that_lacp_left_out_is_not_in_the_bundle() -> None:
    alone = LEAF.replace('"collecting","distributing"', '"defaulted"', 1)
    assert list(health.health_of(alone).traffic.bundles.values()).count(False) == 1


def test_a_vni_of_another_shape_is_unread_and_ends_no_look() -> None:
    """Each once raised in the gate of a push, whose looks it compares."""
    for old, new in (('"vni":10010,', ""), ('"numMacs":3', '"numMacs":"many"')):
        assert old in LEAF
        found = health.health_of(LEAF.replace(old, new, 1))
        assert found.traffic.vlans == {}
        assert any(said.startswith("VLANs with a VNI: ") for said in found.unread)


def test_a_range_of_vlans_that_would_fill_the_memory_is_unread() -> None:
    assert '{"vlan":3001}' in LEAF
    found = health.health_of(LEAF.replace('{"vlan":3001}', '{"vlan":1,"vlanEnd":99999999999}'))
    assert any("99999999999 is not a valid range" in said for said in found.unread)


def test_the_kernel_of_the_lab_has_no_pfc_and_that_is_known() -> None:
    """A push names it where the model needs PFC."""
    seen = health.health_of(LEAF).observed
    assert seen is not None
    said = "swp1 and later ports: Attribute read: Operation not supported"
    assert seen.unknown["qos", "pause"] == said
    assert health.health_of(LEAF).traffic.paused == {}


@pytest.mark.parametrize(("count", "kept"), [(3, 3), (600, 512)])
def test_of_many_host_routes_the_same_ones_are_looked_at(count: int, kept: int) -> None:
    routes = {f"10.0.{number // 256}.{number % 256}/32": 2 for number in range(count)}
    found = sampled(routes)
    assert len(found) == kept
    assert sampled(dict(reversed(routes.items()))) == found
