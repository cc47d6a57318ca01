"""From the rendered files of small sites: that config_db.json says what the slice says."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from tests.nos.sonic.switches import SONIC, Db, Rendered, rendered

from fabricgen.core.units import BitsPerSecond
from fabricgen.model.catalog.catalog import SHIPPED
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.topology import Port
from fabricgen.nos.sonic.names import port_names

# What an entry points at: table and field, then the table in which that name must be.
REFERENCES = (
    ("PORT_QOS_MAP", "dscp_to_tc_map", "DSCP_TO_TC_MAP"),
    ("PORT_QOS_MAP", "tc_to_queue_map", "TC_TO_QUEUE_MAP"),
    ("PORT_QOS_MAP", "tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP"),
    ("PORT_QOS_MAP", "pfc_to_queue_map", "MAP_PFC_PRIORITY_TO_QUEUE"),
    ("PORT_QOS_MAP", "pfc_to_pg_map", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"),
    ("QUEUE", "scheduler", "SCHEDULER"),
    ("QUEUE", "wred_profile", "WRED_PROFILE"),
    ("BUFFER_PROFILE", "pool", "BUFFER_POOL"),
    ("BUFFER_PG", "profile", "BUFFER_PROFILE"),
    ("BUFFER_QUEUE", "profile", "BUFFER_PROFILE"),
    ("BUFFER_PORT_INGRESS_PROFILE_LIST", "profile_list", "BUFFER_PROFILE"),
    ("BUFFER_PORT_EGRESS_PROFILE_LIST", "profile_list", "BUFFER_PROFILE"),
    ("VLAN_INTERFACE", "vrf_name", "VRF"),
    ("VXLAN_TUNNEL_MAP", "vlan", "VLAN"),
    ("VXLAN_EVPN_NVO", "source_vtep", "VXLAN_TUNNEL"),
    ("DEVICE_NEIGHBOR", "name", "DEVICE_NEIGHBOR_METADATA"),
)
PORT_KEYED = (
    "INTERFACE",
    "PORT_QOS_MAP",
    "QUEUE",
    "PFC_WD",
    "BUFFER_PG",
    "BUFFER_QUEUE",
    "BREAKOUT_CFG",
    "BUFFER_PORT_INGRESS_PROFILE_LIST",
    "BUFFER_PORT_EGRESS_PROFILE_LIST",
    "DEVICE_NEIGHBOR",
)


def fields(db: Db) -> Iterator[tuple[str, str, str, object]]:
    for table, entries in db.items():
        for key, entry in entries.items():
            for field, value in entry.items():
                yield table, key, field, value


def test_every_value_is_text_and_no_table_is_empty(switches: tuple[Rendered, ...]) -> None:
    for switch in switches:
        assert all(switch.db.values())
        for table, key, field, value in fields(switch.db):
            texts = value if isinstance(value, list) else [value]
            assert all(isinstance(text, str) for text in texts), (table, key, field)


def test_no_key_is_written_twice(switches: tuple[Rendered, ...]) -> None:
    def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
        assert len({key for key, _ in pairs}) == len(pairs)
        return dict(pairs)

    for switch in switches:
        json.loads(switch.text, object_pairs_hook=unique)


def test_ports_are_the_faceplate_and_unused_ones_are_down(switches: tuple[Rendered, ...]) -> None:
    for switch in switches:
        ports = switch.db["PORT"]
        assert list(ports) == [switch.name(item) for item in switch.switch_slice.interfaces]
        for item in switch.switch_slice.interfaces:
            row = ports[switch.name(item)]
            assert row["speed"] == str(item.port.speed.megabits)
            assert row["mtu"] == str(item.mtu)
            assert row["admin_status"] == ("down" if item.use is Use.UNUSED else "up")
            assert ("unused" in row["description"]) == (item.use is Use.UNUSED)


def test_no_lane_or_alias_serves_two_ports(switches: tuple[Rendered, ...]) -> None:
    for switch in switches:
        ports = switch.db["PORT"].values()
        lanes = list(chain.from_iterable(port["lanes"].split(",") for port in ports))
        assert len(lanes) == len(set(lanes))
        assert len({port["alias"] for port in ports}) == len(ports)
        for item, port in zip(switch.switch_slice.interfaces, ports, strict=True):
            assert len(port["lanes"].split(",")) == item.port.lanes


def test_split_cages_say_so(switches: tuple[Rendered, ...]) -> None:
    for switch in switches:
        split = {item.port.cage for item in switch.switch_slice.interfaces if item.port.subs > 1}
        assert len(switch.db.get("BREAKOUT_CFG", {})) == len(split)
        for item in switch.switch_slice.interfaces:
            subport = switch.db["PORT"][switch.name(item)].get("subport")
            assert subport == (str(item.port.sub + 1) if item.port.subs > 1 else None)


def test_addresses(switches: tuple[Rendered, ...]) -> None:
    for switch in switches:
        table = switch.db.get("INTERFACE", {})
        wanted: dict[str, dict[str, str]] = {}
        for item in switch.switch_slice.interfaces:
            if item.link_local:
                wanted[switch.name(item)] = {"ipv6_use_link_local_only": "enable"}
            elif item.address is not None:
                bound = {"vrf_name": f"Vrf_{item.vrf}"} if item.vrf else {}
                wanted[switch.name(item)] = bound
                wanted[f"{switch.name(item)}|{item.address}"] = {}
        assert table == wanted
        loopbacks = switch.db["LOOPBACK_INTERFACE"]
        assert f"Loopback0|{switch.switch_slice.loopback}" in loopbacks
        assert (f"Loopback1|{switch.switch_slice.vtep}" in loopbacks) == (
            switch.switch_slice.vtep is not None
        )
        (management,) = switch.db["MGMT_INTERFACE"].items()
        assert management[0] == f"eth0|{switch.switch_slice.management}"
        assert management[1] == {"gwaddr": switch.switch_slice.services.gateway}


def test_vlans_and_their_members(switches: tuple[Rendered, ...]) -> None:
    for switch in switches:
        switch_slice = switch.switch_slice
        ids = {vlan.id for vlan in switch_slice.vlans} | {
            vrf.transit_vlan for vrf in switch_slice.vrfs
        }
        assert {int(row["vlanid"]) for row in switch.db.get("VLAN", {}).values()} == ids
        wanted = set()
        for item in switch_slice.interfaces:
            if item.carries is None:
                continue
            port = f"PortChannel{item.lag}" if item.lag is not None else switch.name(item)
            if item.carries.untagged is not None:
                wanted.add((f"Vlan{item.carries.untagged.id}|{port}", "untagged"))
            wanted |= {(f"Vlan{vlan.id}|{port}", "tagged") for vlan in item.carries.tagged}
        members = switch.db.get("VLAN_MEMBER", {})
        assert {(key, row["tagging_mode"]) for key, row in members.items()} == wanted


def test_gateways_are_anycast_where_there_is_an_overlay(switches: tuple[Rendered, ...]) -> None:
    for switch in switches:
        gateways = switch.db.get("VLAN_INTERFACE", {})
        for vlan in switch.switch_slice.vlans:
            row = gateways.get(f"Vlan{vlan.id}")
            assert (row is not None) == bool(vlan.gateways)
            if row is None:
                continue
            assert all(f"Vlan{vlan.id}|{own}" in gateways for own in vlan.gateways)
            assert row.get("vrf_name") == (f"Vrf_{vlan.vrf}" if vlan.vrf else None)
        overlay = switch.switch_slice.overlay
        shared = {f"Vlan{vlan.id}" for vlan in switch.switch_slice.vlans if vlan.gateways}
        macs = {name: row["mac"] for name, row in switch.db.get("VLAN", {}).items() if "mac" in row}
        assert macs == (dict.fromkeys(shared, overlay.anycast_mac) if overlay is not None else {})


def test_vrfs_and_vnis(switches: tuple[Rendered, ...]) -> None:
    for switch in switches:
        switch_slice = switch.switch_slice
        vrfs = switch.db.get("VRF", {})
        assert vrfs == {f"Vrf_{vrf.name}": {"vni": str(vrf.vni)} for vrf in switch_slice.vrfs}
        wanted = {(f"Vlan{vlan.id}", str(vlan.vni)) for vlan in switch_slice.vlans if vlan.vni}
        wanted |= {(f"Vlan{vrf.transit_vlan}", str(vrf.vni)) for vrf in switch_slice.vrfs}
        tunnels = switch.db.get("VXLAN_TUNNEL_MAP", {})
        assert {(row["vlan"], row["vni"]) for row in tunnels.values()} == wanted
        tunnel = switch.db.get("VXLAN_TUNNEL", {}).get("vtep")
        assert tunnel == ({"src_ip": switch_slice.vtep.host} if switch_slice.vtep else None)


def test_bundles(switches: tuple[Rendered, ...]) -> None:
    for switch in switches:
        wanted = {
            f"PortChannel{lag.number}|{switch.name(item)}"
            for lag in switch.switch_slice.lags
            for item in lag.members
        }
        assert set(switch.db.get("PORTCHANNEL_MEMBER", {})) == wanted
        assert {key.split("|")[0] for key in wanted} == set(switch.db.get("PORTCHANNEL", {}))


def test_every_reference_resolves(switches: tuple[Rendered, ...]) -> None:
    for switch in switches:
        for table, field, target in REFERENCES:
            for key, row in switch.db.get(table, {}).items():
                names = row[field].split(",") if field in row else []
                unknown = set(names) - set(switch.db.get(target, {})) - {"NULL"}
                assert not unknown, (table, key, field)
        ports = set(switch.db["PORT"]) | {"global", "GLOBAL"}
        for table in PORT_KEYED:
            assert {key.split("|")[0] for key in switch.db.get(table, {})} <= ports, table
        assert set(switch.db["CABLE_LENGTH"]["AZURE"]) == set(switch.db["PORT"])


def test_metadata_and_services() -> None:
    leaf = rendered("backend-sn5600-unnumbered")[0]
    local = leaf.db["DEVICE_METADATA"]["localhost"]
    assert local["hostname"] == leaf.switch_slice.switch.name
    assert local["bgp_asn"] == str(leaf.switch_slice.asn)
    assert local["docker_routing_config_mode"] == "split-unified"
    types = {
        item.switch_slice.switch.role: item.db["DEVICE_METADATA"]["localhost"]["type"]
        for item in rendered("backend-sn5600-unnumbered")
    }
    assert sorted(types.values()) == ["LeafRouter", "ToRRouter"]
    assert leaf.db["MGMT_VRF_CONFIG"]["vrf_global"]["mgmtVrfEnabled"] == "true"
    assert leaf.db["SNMP_COMMUNITY"] == {"<<secret:env:SNMP>>": {"TYPE": "RO"}}
    assert leaf.db["DNS_OPTIONS"]["GLOBAL"] == {"search": ["lab.example"]}
    assert leaf.db["GNMI"]["gnmi"]["port"] == "8080"
    assert leaf.db["BANNER_MESSAGE"]["global"]["login"] == "authorized use only"
    assert set(leaf.db["NTP_SERVER"]) == {"10.255.3.1"}
    assert set(leaf.db["SYSLOG_SERVER"]) == {"10.255.3.3"}


def test_frr_is_told_what_zebra_needs_and_no_default_route(switches: tuple[Rendered, ...]) -> None:
    for switch in switches:
        lines = switch.frr.splitlines()
        assert {"no fpm use-next-hop-groups", "fpm address 127.0.0.1"} <= set(lines)
        default = [line for line in lines if "0.0.0.0/0" in line or "default-originate" in line]
        assert all(line.startswith("ip prefix-list IN-") for line in default)
        assert "STATIC_ROUTE" not in switch.db
        for session in switch.switch_slice.sessions:
            if session.interface is not None and session.remote is None:
                assert f" neighbor {switch.name(session.interface)} interface" in switch.frr


@pytest.mark.skipif(shutil.which("vtysh") is None, reason="FRRouting is not installed here")
def test_frr_reads_its_file(switches: tuple[Rendered, ...], tmp_path: Path) -> None:
    for switch in (switches[0], switches[-1]):
        file = tmp_path / "frr.conf"
        file.write_text(switch.frr)
        run = subprocess.run(
            ["vtysh", "-C", "-f", file], capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize(
    ("model", "cage", "subs", "lanes", "speed", "names", "alias"),
    [
        ("SN5600", 2, 1, 8, "800G", ["Ethernet8"], "etp2"),
        ("SN5600", 2, 2, 4, "400G", ["Ethernet8", "Ethernet12"], "etp2a"),
        ("7060X6-64PE", 1, 4, 2, "200G", [f"Ethernet{n}" for n in (0, 2, 4, 6)], "etp1a"),
        ("7060DX5-64S", 3, 2, 4, "200G", ["Ethernet16", "Ethernet20"], "Ethernet3/1"),
        (
            "Z9664F-ON",
            2,
            4,
            1,
            "100G",
            [f"Ethernet{n}" for n in (4, 5, 6, 7)],
            "fourhundredGigE1/2/1",
        ),
        ("SN4700", 1, 4, 1, "25G", [f"Ethernet{n}" for n in range(4)], "etp1a"),
        ("AS4630-54PE", 53, 2, 2, "50G", ["Ethernet52", "Ethernet54"], "hundredGigE53/1"),
    ],
)
def test_sub_ports_are_named_as_the_hwskus_do(
    model: str, cage: int, subs: int, lanes: int, speed: str, names: list[str], alias: str
) -> None:
    ports = [
        Port(
            cage=cage,
            sub=sub,
            subs=subs,
            lane=sub * lanes,
            lanes=lanes,
            speed=BitsPerSecond.parse(speed),
        )
        for sub in range(subs)
    ]
    known = SHIPPED.known(model)
    assert [SONIC.port_name(known, port) for port in ports] == names
    assert port_names(known, ports[0]).alias == alias
