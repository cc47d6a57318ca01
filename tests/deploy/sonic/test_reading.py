"""What the driver reads, shows and refuses; nothing of it changes the switch."""

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
from napalm.base.exceptions import (
    CommandErrorException,
    ConnectionException,
    ReplaceConfigException,
)
from tests.deploy.sonic.conftest import Ground, bundle
from tests.deploy.sonic.standin.switch import StandIn

from fabricgen.nos.driver import OnlyByReload, unpack
from fabricgen.nos.shared import ssh
from fabricgen.nos.shared.documents import VTYSH
from fabricgen.nos.shared.frr.traffic import TABLES
from fabricgen.nos.sonic.driver.counters import FIELDS
from fabricgen.nos.sonic.driver.health import COMMANDS
from fabricgen.nos.traffic import Bridged, End, Kind, Routed, Station, Traffic

CANARY = "canary-7f3a"
VERSION = """\
SONiC Software Version: SONiC.202505.1
Distribution: Debian 12.11
Platform: x86_64-arista_7060x6_64pe
HwSKU: Arista-7060X6-64PE
ASIC: broadcom
ASIC Count: 1
Serial Number: HBG123456
Uptime: 14:40:15 up 3 min,  1 user,  load average: 1.26, 1.45, 0.66
"""
PEERS = {
    "default": {
        "vrfId": 0,
        "vrfName": "default",
        "10.0.0.1": {
            "bgpState": "Established",
            "addressFamilyInfo": {"ipv4Unicast": {"acceptedPrefixCounter": 9}},
        },
        "10.0.0.3": {"bgpState": "Active"},
    }
}
NEIGHBORS = {
    "lldp": [
        {
            "interface": [
                {
                    "name": "Ethernet0",
                    "chassis": [{"name": [{"value": "be-su01-leaf1"}]}],
                    "port": [{"id": [{"value": "etp1"}], "descr": [{"value": "x"}]}],
                }
            ]
        }
    ]
}
STORMS = """\
      QUEUE       STATUS    STORM DETECTED/RESTORED    TX OK/DROP    RX OK/DROP
-----------  -----------  -------------------------  ------------  ------------
Ethernet0:3  operational                        2/2       100/300       100/300
"""
PORTS = {
    "Ethernet0": ("up", "up", {"IF_IN_ERRORS": "1204", "PFC_3_RX_PKTS": "1234"}),
    "Ethernet4": ("down", "down", {"IF_IN_ERRORS": "0"}),
    "Ethernet8": ("up", "down", {"IF_IN_ERRORS": "0", "IF_OUT_ERRORS": "0"}),
}
"""Admin and oper state of ports, and what they count; the SAI has no other field."""
FRAMES = {"PFC_3_TX_PKTS": "101", "PFC_5_TX_PKTS": "55", "PFC_0_RX_PKTS": "N/A"}
DROPS = {"Ethernet0:0": "99", "Ethernet0:3": "7", "Ethernet0:4": "N/A"}


def counted() -> str:
    """Return what the script in Redis says of them."""
    stats = {
        port: own | (FRAMES if port == "Ethernet0" else {}) for port, (*_, own) in PORTS.items()
    }
    shown = {
        "ports": {port: [own.get(name, False) for name in FIELDS] for port, own in stats.items()},
        "groups": DROPS,
        "states": {port: [admin, oper] for port, (admin, oper, _) in PORTS.items()},
        "pairs": {},
    }
    return json.dumps(shown)


def count(switch: StandIn) -> None:
    """Fill COUNTERS_DB and the port states of APPL_DB, as syncd and orchagent do."""
    db = switch.database()
    db("SELECT", "2")
    for port, (_, _, own) in PORTS.items():
        db("HSET", "COUNTERS_PORT_NAME_MAP", port, f"oid:{port}")
        stats = own | (FRAMES if port == "Ethernet0" else {})
        for name, value in stats.items():
            db("HSET", f"COUNTERS:oid:{port}", f"SAI_PORT_STAT_{name}", value)
    for group, dropped in DROPS.items():
        db("HSET", "COUNTERS_PG_NAME_MAP", group, f"oid:{group}")
        field = "SAI_INGRESS_PRIORITY_GROUP_STAT_DROPPED_PACKETS"
        db("HSET", f"COUNTERS:oid:{group}", field, dropped)
    db("SELECT", "0")
    for port, (admin, oper, _) in PORTS.items():
        db("HSET", f"PORT_TABLE:{port}", "admin_status", admin, "oper_status", oper)
    db.close()


def test_facts_say_which_switch_it_is(ground: Ground) -> None:
    ground.switch.answer("show version", VERSION)
    found = ground.driver().get_facts()
    assert found["hostname"] == ground.tables["DEVICE_METADATA"]["localhost"]["hostname"]
    assert (found["serial_number"], found["os_version"], found["model"]) == (
        "HBG123456",
        "SONiC.202505.1",
        "Arista-7060X6-64PE",
    )
    assert found["interface_list"] == sorted(ground.tables["PORT"])


BUNDLES = """\
Flags: A - active, I - inactive, Up - up, Dw - Down, N/A - not available,
       S - selected, D - deselected, * - not synced
  No.  Team Dev       Protocol     Ports
-----  -------------  -----------  ---------------------------
    1  PortChannel1   LACP(A)(Up)  Ethernet112(S) Ethernet108(D)
"""
VNIS = [
    {
        "vni": 10010,
        "type": "L2",
        "vrf": "Vrf_red",
        "vxlanInterface": "vtep-10",
        "vtepIp": "10.65.0.1",
        "numMacs": 3,
    },
    {"vni": 50001, "type": "L3", "vrf": "Vrf_red", "state": "Up", "localVtepIp": "10.65.0.1"},
]
EVPN = """\
VNI: 10010

BGP table version is 3, local router ID is 10.64.0.1

   Network          Next Hop            Metric LocPrf Weight Path
*> [2]:[0]:[48]:[d2:2d:45:73:79:44]
                    10.65.0.2(fe-spine2)
                    RT:64999:10010 ET:8
*  [3]:[0]:[32]:[10.65.0.2]
                    10.65.0.2(fe-spine1)
                    RT:64999:10010 ET:8
*> [3]:[0]:[32]:[10.65.0.2]
                    10.65.0.2(fe-spine2)
                    RT:64999:10010 ET:8
BGP table version is 2, local router ID is 10.64.0.1
Route Distinguisher: 10.64.0.2:3001
*> [5]:[0]:[24]:[10.10.10.0]
                    10.65.0.2(fe-spine2)
                    RT:64999:50001 ET:8 Rmac:02:fb:0a:41:00:02
"""
OVERLAY = {
    f"bgp vtysh -c {VTYSH[0]}": json.dumps(VNIS),
    f"bgp vtysh -c {VTYSH[1]}": json.dumps(
        {"50001": {"numNextHops": 1, "10.65.0.2": {"routerMac": "02:fb:0a:41:00:02"}}}
    ),
    f"bgp vtysh -c {VTYSH[3]}": json.dumps({"50001": {"importRTs": ["64999:50001"]}}),
    f"bgp vtysh -c {TABLES[0]} -c {TABLES[1]}": EVPN,
    "ip -4 -o route show table all proto bgp": (
        "10.10.20.11 via 10.65.0.2 dev Vlan3001 table Vrf_red metric 20 onlink \n"
        "10.10.30.0/24 via 10.65.0.2 dev Vlan3001 table Vrf_red metric 20 onlink \n"
        "10.65.0.2 via 10.72.0.0 dev Ethernet0 metric 20 \n"
    ),
    "ip -6 -o route show table all proto bgp": "",
    "ip -j -4 route show table main proto bgp": json.dumps(
        [{"dst": "10.65.0.2", "nexthops": [{"dev": "Ethernet0"}, {"dev": "Ethernet8"}]}]
    ),
    "bridge -j vlan show": json.dumps(
        [
            {"ifname": "vtep-10", "vlans": [{"vlan": 10}]},
            {"ifname": "Ethernet112", "vlans": [{"vlan": 10, "vlanEnd": 12}]},
        ]
    ),
    "bridge fdb show": (
        "d2:2d:45:73:79:44 dev vtep-10 vlan 10 extern_learn master Bridge \n"
        "00:00:00:00:00:00 dev vtep-10 dst 10.65.0.2 self permanent\n"
    ),
    "ip -4 neigh show": (
        "10.10.10.11 dev Vlan10 lladdr 02:00:00:00:00:0b REACHABLE \n"
        "10.10.10.12 dev Vlan10 lladdr 02:00:00:00:00:0c extern_learn NOARP proto zebra \n"
    ),
    "teamshow": BUNDLES,
}


def test_what_carries_traffic_is_read_beside_it(ground: Ground) -> None:
    for command, text in OVERLAY.items():
        ground.switch.answer(command, text)
    count(ground.switch)
    look = ground.driver().health()
    carries = look.traffic
    assert carries.vtep == "10.65.0.1"
    far = frozenset({"10.65.0.2"})
    assert carries.vlans == {
        10: Bridged(
            vni=10010,
            far=far,
            macs=3,
            routes={2: 1, 3: 1},
            servers={"10.10.10.11": "02:00:00:00:00:0b"},
        )
    }
    assert carries.vrfs == {
        "red": Routed(
            vni=50001,
            up=True,
            hops={"10.65.0.2": "02:fb:0a:41:00:02"},
            subnets=frozenset({"10.10.30.0/24"}),
            hosts=1,
            servers={"10.10.20.11": "10.65.0.2"},
            prefixes={"10.65.0.2": 1},
        )
    }
    assert carries.fib == {"10.65.0.2/32": 2}
    assert carries.bundles == {"PortChannel1 Ethernet112": True, "PortChannel1 Ethernet108": False}
    assert carries.trunks == {"Ethernet112": {10, 11, 12}}
    assert look.errors["Ethernet0 PFC frames of priority 5 sent"] == 55


def test_vteps_and_servers_are_pinged_from_where_they_are(ground: Ground) -> None:
    vtep, server = End(Kind.VTEP, "", "10.65.0.2"), End(Kind.SERVER, "10", "10.10.10.11")
    away, through = End(Kind.VTEP, "", "10.65.0.3"), End(Kind.VRF, "Vrf_red", "10.65.0.2")
    for source, far in (("10.65.0.1", "10.65.0.2"), ("Vlan10", "10.10.10.11")):
        ground.switch.answer(f"ping -n -q -c 3 -i 0.2 -W 1 -I {source} {far}", "")
    reached = ground.driver().reach((vtep, away, server, through), Traffic(vtep="10.65.0.1"))
    assert reached == {vtep: True, away: False, server: True}


def test_servers_are_pinged_through_their_vrf_from_the_diagnostic_address(ground: Ground) -> None:
    host = Station("h1", "10.10.20.12", 20, "red", "leaf3", "Ethernet0")
    far = Station("h2", "10.10.20.13", 20, "red", "leaf3", "Ethernet4")
    ends = [End(Kind.ROUTED, "red", each.address, each, "10.250.1.1") for each in (host, far)]
    ping = "ping -n -q -c 3 -i 0.2 -W 1 -I Vrf_red -I 10.250.1.1"
    ground.switch.answer(f"{ping} {host.address}", "")
    assert ground.driver().reach(ends, Traffic()) == dict(zip(ends, (True, False), strict=True))


def test_health_names_what_works_and_what_could_not_be_asked(ground: Ground) -> None:
    answers = {
        "bgp vtysh -c show bgp vrf all neighbors json": json.dumps(PEERS),
        "bgp vtysh -c show bfd peers json": json.dumps([{"peer": "10.0.0.1", "status": "up"}]),
        COMMANDS["storms"]: STORMS,
        **OVERLAY,
    }
    for command, text in answers.items():
        ground.switch.answer(command, text)
    count(ground.switch)
    look = ground.driver().health()
    assert look.sessions == {"default 10.0.0.1": True, "default 10.0.0.3": False}
    assert look.bfd == {"10.0.0.1": True}
    assert look.links == {"Ethernet0": True, "Ethernet8": False}
    assert look.routes == {"default 10.0.0.1 ipv4": 9}
    assert look.errors["Ethernet0 RX_ERR"] == 1204
    assert look.errors["Ethernet0 queue 3 storms"] == 2
    assert look.errors["Ethernet0 priority group 3 drops"] == 7
    assert "Ethernet0 priority group 0 drops" not in look.errors
    assert "Ethernet0 TX_ERR" not in look.errors
    assert [said.partition(":")[0] for said in look.unread] == [
        "hardware",
        "packets through VLANs",
        "LLDP neighbors",
    ]

    ground.switch.answer("lldp lldpctl -f json0", json.dumps(NEIGHBORS))
    assert ground.driver().health().cables == {"Ethernet0 be-su01-leaf1 etp1"}


def test_counters_are_those_of_the_database_whatever_an_account_cleared(ground: Ground) -> None:
    """`portstat` subtracts what this account kept at its last clear; the database never does."""
    count(ground.switch)
    cleared = {"STATE": "U", "RX_ERR": "0", "RX_OVR": "0", "TX_ERR": "0", "TX_OVR": "0"}
    ground.switch.answer("portstat -e -j", json.dumps({"Ethernet0": cleared}))
    look = ground.driver().health()
    assert look.errors["Ethernet0 RX_ERR"] == 1204
    assert look.errors["Ethernet0 PFC frames of priority 5 sent"] == 55
    assert "Ethernet0 PFC frames of priority 3 sent" not in look.errors  # PFC protects it
    assert "Ethernet0 PFC frames of priority 0 received" not in look.errors  # N/A is no number
    assert not any(line.startswith(("portstat", "pfcstat")) for line in ground.switch.commands())


@pytest.mark.parametrize("status", ["up", "down", None])
def test_a_pair_is_formed_when_its_leafs_have_a_session(ground: Ground, status: str | None) -> None:
    count(ground.switch)
    db = ground.switch.database()
    db("HSET", "MCLAG_DOMAIN|3", "peer_ip", "169.254.0.1")
    if status is not None:
        db("SELECT", "6")
        db("HSET", "MCLAG_TABLE|3", "oper_status", status)
    db.close()
    assert ground.driver().health().pairs == {"3": status == "up"}


def test_counters_that_are_not_there_yet_are_unread_and_not_zero(ground: Ground) -> None:
    look = ground.driver().health()
    said = {line.partition(":")[0] for line in look.unread}
    assert {"links and counters of ports", "drops of lossless classes", "PFC frames"} <= said
    assert look.errors == {}
    assert look.links == {}


def test_the_running_configuration_is_that_of_our_tables(ground: Ground) -> None:
    driver = ground.driver()
    text = driver.get_config()["running"]
    files, _ = unpack(text)
    assert json.loads(files["config_db.json"]) == ground.tables
    assert files["frr.conf"] == ground.frr
    assert driver.get_config()["running"] == text


def test_looking_and_comparing_changes_nothing(ground: Ground) -> None:
    before = ground.switch.image()
    ground.switch.answer("show version", VERSION)
    driver = ground.driver()
    driver.claim("p1")
    driver.get_facts()
    driver.get_config()
    driver.health()
    driver.unfinished()
    driver.load_replace_candidate(config=ground.changed())
    difference = driver.compare_config()
    driver.discard_config()
    first = min(ground.tables["PORT"])
    assert f"PORT|{first} mtu 9214 -> 9000\n" in difference
    assert "VLAN|Vlan7 vlanid (none) -> 7\n" in difference
    assert "\n+ip forwarding\n" in difference
    assert ground.switch.changes() == []
    assert ground.switch.image() == before
    kept = ground.switch.home / "var/lib/fabricgen"
    assert [path for path in kept.rglob("*") if path.is_file()] == []


def test_the_same_configuration_differs_in_nothing(ground: Ground) -> None:
    driver = ground.driver()
    driver.load_replace_candidate(config=ground.text())
    assert driver.compare_config() == ""


@pytest.mark.parametrize(
    ("tables", "reason"),
    [
        ({"FEATURE": {"bgp": {}}}, "tables that fabricgen does not manage: FEATURE"),
        ({"VLAN": {}}, "no empty tables: VLAN"),
    ],
)
def test_what_is_not_ours_or_cannot_be_is_refused(
    ground: Ground, tables: dict[str, Any], reason: str
) -> None:
    driver = ground.driver()
    with pytest.raises(ReplaceConfigException, match=reason):
        driver.load_replace_candidate(config=bundle({**ground.tables, **tables}, ""))


def test_what_the_updater_would_refuse_is_refused_before_anything_happens(ground: Ground) -> None:
    tables = copy.deepcopy(ground.tables)
    del tables["PFC_WD"]["GLOBAL"]
    driver = ground.driver()
    with pytest.raises(OnlyByReload, match="remove is illegal on field: /PFC_WD/GLOBAL"):
        driver.load_replace_candidate(config=bundle(tables, ground.frr))
    assert ground.switch.changes() == []


def test_an_impostor_is_not_talked_to(ground: Ground) -> None:
    known = ground.switch.home / "known_hosts"
    _, kind, _ = known.read_text().split()
    key = (ground.switch.home / "key.pub").read_text().split()[1]
    known.write_text(f"[127.0.0.1]:{ground.switch.port} {kind} {key}\n")
    with pytest.raises(ConnectionException, match="differs from"):
        ground.driver()
    known.write_text("")
    with pytest.raises(ConnectionException, match="unknown host key"):
        ground.driver()
    assert ground.switch.commands() == []
    assert ground.driver(insecure=True).is_alive() == {"is_alive": True}


def test_a_switch_that_says_too_much_is_given_up(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = ground.driver()
    monkeypatch.setattr(ssh, "MOST", 2 << 20)
    assert len(driver.read("yes | head -c 1000000")) == 1_000_000
    with pytest.raises(CommandErrorException, match="more than 2 MiB of output"):
        driver.read("yes")
    assert driver.is_alive() == {"is_alive": True}


def test_a_host_key_is_looked_up_under_its_alias(ground: Ground, tmp_path: Path) -> None:
    known = tmp_path / "known"
    words = (ground.switch.home / "known_hosts").read_text().split()
    known.write_text(f"leaf1 {words[1]} {words[2]}\n")
    driver = ground.driver(known_hosts=str(known), host_key_alias="leaf1")
    assert driver.is_alive() == {"is_alive": True}


def test_secrets_are_neither_shown_nor_in_arguments(ground: Ground) -> None:
    login = {"TACPLUS": {"global": {"passkey": CANARY, "src_intf": "eth0"}}}
    user = {"SNMP_USER": {"ada": {"SNMP_USER_AUTH_PASSWORD": CANARY}}}
    tables = {**ground.tables, **login, **user, "SNMP_COMMUNITY": {CANARY: {"TYPE": "RO"}}}
    driver = ground.loaded(text=bundle(tables, ground.frr))
    shown = [driver.compare_config()]
    driver.commit_config(revert_in=60)
    shown.append(driver.get_config()["running"])
    driver.rollback()

    ground.switch.fail(refuses=f"will not have {CANARY}:")
    with pytest.raises(ReplaceConfigException) as refused:
        driver.load_replace_candidate(config=bundle(tables, ground.frr))
    shown += [str(refused.value), *ground.switch.commands(), json.dumps(ground.switch.state())]
    assert [text for text in shown if CANARY in text] == []
    hidden = re.findall(r"<<hidden:[0-9a-f]{12}>>", " ".join(shown[:3]))
    assert len(set(hidden)) == 1
    assert len(hidden) >= 3
