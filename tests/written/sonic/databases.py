"""WRITTEN, not recorded: the databases of a whole right switch, from its rendered config_db.json.

It imports no reader. Shapes: sonic-utilities tests/mock_tables/{appl,state,asic,counters}_db.json,
sonic-swss tests (test_qos_map.py, test_pfc.py, test_evpn_tunnel.py) and doc/swss-schema.md. `NULL`
stands in a hash without fields, as swss writes it.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network, ip_interface, ip_network
from typing import Any

from tests.written.sonic.site import Switch

APPL, ASIC, COUNTERS, CONFIG, STATE = 0, 1, 2, 4, 6
EMPTY = {"NULL": "NULL"}
Network = IPv4Network | IPv6Network
Hash = dict[str, str]
Database = dict[str, Hash]
SAI = "ASIC_STATE:SAI_OBJECT_TYPE_"
SWITCH_OID, ROUTER_OID = "oid:0x21000000000000", "oid:0x3000000000023"
CUT = "oid:0x3000000000abc"  # another VRF's router
CANARY = "written-canary-51c9"


@dataclass
class Databases:
    """The five databases, and the OID of each named object."""

    of: dict[int, Database] = field(
        default_factory=lambda: {each: {} for each in (APPL, ASIC, COUNTERS, CONFIG, STATE)}
    )
    oids: dict[str, str] = field(default_factory=dict)

    def oid(self, name: str) -> str:
        return self.oids.setdefault(name, f"oid:0x1{len(self.oids):012x}")

    def put(self, database: int, key: str, fields: Mapping[str, Any]) -> None:
        own = {name: _text(value) for name, value in fields.items()}
        self.of[database][key] = {**self.of[database].get(key, {}), **own} or dict(EMPTY)


def _text(value: Any) -> str:
    return ",".join(value) if isinstance(value, list) else str(value)


def written(switch: Switch, headroom: Mapping[str, int] | None = None) -> Databases:
    """Return the databases. headroom: bytes by port, which a dynamic model computes itself."""
    made = Databases()
    for table, rows in switch.config.items():
        for key, fields in rows.items():
            made.put(CONFIG, f"{table}|{key}", {_listed(k, v): v for k, v in fields.items()})
    made.put(CONFIG, "SNMP_COMMUNITY|" + CANARY, {"TYPE": "RO"})
    made.put(CONFIG, "TACPLUS|global", {"passkey": CANARY})
    _ports(made, switch)
    _interfaces(made, switch)
    _bundles(made, switch)
    _vlans(made, switch)
    _overlay(made, switch)
    _maps(made, switch)
    _queues(made, switch)
    _memory(made, switch, headroom or {})
    _counters(made, switch)
    _system(made, switch)
    _routes(made, switch)
    return made


def _listed(name: str, value: Any) -> str:
    return f"{name}@" if isinstance(value, list) else name


def used(switch: Switch) -> list[str]:
    """Return the ports with a neighbor."""
    return [port for port in switch.config["PORT"] if port in switch.config["DEVICE_NEIGHBOR"]]


def _ports(made: Databases, switch: Switch) -> None:
    wired = set(used(switch))
    for name, row in switch.config["PORT"].items():
        up = row.get("admin_status") == "up" and name in wired
        told = {**row, "oper_status": "up" if up else "down"}
        told |= {"flap_count": "2"} if switch.release >= "202505" else {}
        told.pop("description", None)
        made.put(APPL, f"PORT_TABLE:{name}", told)
        agreed = {"state": "ok", "netdev_oper_status": told["oper_status"]}
        if up:
            agreed |= {"speed": row["speed"], "fec": row.get("fec", "none")}
        made.put(STATE, f"PORT_TABLE|{name}", agreed)
    made.put(APPL, "PORT_TABLE:PortInitDone", {"lanes": "0"})


def _interfaces(made: Databases, switch: Switch) -> None:
    for table in (
        *("INTERFACE", "VLAN_INTERFACE", "PORTCHANNEL_INTERFACE", "LOOPBACK_INTERFACE"),
        "VLAN_SUB_INTERFACE",
    ):
        for key, row in switch.config.get(table, {}).items():
            name, _, address = key.partition("|")
            if address:
                family = "IPv6" if ":" in address else "IPv4"
                made.put(
                    APPL, f"INTF_TABLE:{name}:{address}", {"scope": "global", "family": family}
                )
                made.put(STATE, f"INTERFACE_TABLE|{name}|{address}", {"state": "ok"})
            else:
                own = {"vrf_name": row["vrf_name"]} if "vrf_name" in row else {}
                made.put(APPL, f"INTF_TABLE:{name}", own)
    made.put(APPL, "INTF_TABLE:Ethernet0:fe80::1/64", {"scope": "global", "family": "IPv6"})
    for vrf in switch.config.get("VRF", {}):
        made.put(APPL, f"VRF_TABLE:{vrf}", switch.config["VRF"][vrf])
        made.put(STATE, f"VRF_TABLE|{vrf}", {"state": "ok"})
        made.put(STATE, f"VRF_OBJECT_TABLE|{vrf}", {"state": "ok"})
    made.put(STATE, "VRF_TABLE|mgmt", {"state": "ok"})


def _bundles(made: Databases, switch: Switch) -> None:
    for name, row in switch.config.get("PORTCHANNEL", {}).items():
        told = {"admin_status": "up", "oper_status": "up", "mtu": row["mtu"]}
        made.put(APPL, f"LAG_TABLE:{name}", told)
        made.put(STATE, f"LAG_TABLE|{name}", {"state": "ok", "runner.active": "true"})
    for key in switch.config.get("PORTCHANNEL_MEMBER", {}):
        made.put(APPL, f"LAG_MEMBER_TABLE:{key.replace('|', ':')}", {"status": "enabled"})
        lacp = {
            "runner.aggregator.selected": "true",
            "runner.selected": "true",
            "runner.state": "current",
            "ifinfo.link.up": "true",
        }
        made.put(STATE, f"LAG_MEMBER_TABLE|{key}", lacp)


def _vlans(made: Databases, switch: Switch) -> None:
    for name, row in switch.config.get("VLAN", {}).items():
        made.put(APPL, f"VLAN_TABLE:{name}", {"admin_status": "up", "mtu": row["mtu"]})
        made.put(STATE, f"VLAN_TABLE|{name}", {"state": "ok"})
    for key, row in switch.config.get("VLAN_MEMBER", {}).items():
        made.put(APPL, f"VLAN_MEMBER_TABLE:{key.replace('|', ':')}", row)
        made.put(STATE, f"VLAN_MEMBER_TABLE|{key}", {"state": "ok"})
    for key in switch.config.get("ACL_RULE", {}):
        made.put(STATE, f"ACL_RULE_TABLE|{key}", {"status": "Active"})
    made.put(STATE, "ACL_RULE_TABLE|EVERFLOW|RULE_1", {"status": "Active"})


def vnis(switch: Switch) -> dict[str, str]:
    """Return the VLAN of each VNI."""
    maps = switch.config.get("VXLAN_TUNNEL_MAP", {}).values()
    return {row["vni"]: row["vlan"] for row in maps}


def transit(switch: Switch) -> set[str]:
    """Return the VNIs of VRFs."""
    return {row["vni"] for row in switch.config.get("VRF", {}).values() if "vni" in row}


def endpoint(switch: Switch) -> str:
    return next((row["src_ip"] for row in switch.config.get("VXLAN_TUNNEL", {}).values()), "")


def remote(switch: Switch, vni: str) -> list[str]:
    """Return the other leafs' endpoints with a VNI of a VLAN."""
    return sorted(
        endpoint(each)
        for each in switch.others.values()
        if each is not switch and vni in vnis(each) and vni not in transit(each)
    )


def _overlay(made: Databases, switch: Switch) -> None:
    for name, row in switch.config.get("VXLAN_TUNNEL", {}).items():
        made.put(APPL, f"VXLAN_TUNNEL_TABLE:{name}", row)
    for key, row in switch.config.get("VXLAN_TUNNEL_MAP", {}).items():
        made.put(APPL, f"VXLAN_TUNNEL_MAP_TABLE:{key.replace('|', ':')}", row)
    for vni, vlan in vnis(switch).items():
        for far in remote(switch, vni) if vni not in transit(switch) else ():
            made.put(APPL, f"VXLAN_REMOTE_VNI_TABLE:{vlan}:{far}", {"vni": vni})


_KEYS = ("dscp", "dot1p", "tc", "pg", "prio", "qidx", "mpls_exp", "fc")
_MAPS = {
    "DSCP_TO_TC_MAP": ("dscp", "tc", "DSCP_TO_TC"),
    "TC_TO_QUEUE_MAP": ("tc", "qidx", "TC_TO_QUEUE"),
    "TC_TO_PRIORITY_GROUP_MAP": ("tc", "pg", "TC_TO_PRIORITY_GROUP"),
    "MAP_PFC_PRIORITY_TO_QUEUE": ("prio", "qidx", "PFC_PRIORITY_TO_QUEUE"),
}
_BOUND = {
    "dscp_to_tc_map": "DSCP_TO_TC_MAP",
    "tc_to_queue_map": "TC_TO_QUEUE_MAP",
    "tc_to_pg_map": "TC_TO_PRIORITY_GROUP_MAP",
    "pfc_to_queue_map": "MAP_PFC_PRIORITY_TO_QUEUE",
}


def _struct(key: str, value: str) -> dict[str, Any]:
    """Return sai_qos_map_params_t as sonic-sairedis meta/sai_serialize.cpp writes it."""
    return {"color": "SAI_PACKET_COLOR_GREEN", **dict.fromkeys(_KEYS, 0), key: int(value)}


def map_text(rows: Mapping[str, str], key: str, value: str) -> str:
    """Return the text of a map's attribute."""
    listed = [{"key": _struct(key, one), "value": _struct(value, two)} for one, two in rows.items()]
    return json.dumps({"count": len(listed), "list": listed}, separators=(",", ":"))


def _maps(made: Databases, switch: Switch) -> None:
    for table, (key, value, kind) in _MAPS.items():
        for name, rows in switch.config.get(table, {}).items():
            attributes = {
                "SAI_QOS_MAP_ATTR_TYPE": f"SAI_QOS_MAP_TYPE_{kind}",
                "SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST": map_text(rows, key, value),
            }
            made.put(ASIC, f"{SAI}QOS_MAP:{made.oid(f'{table}|{name}')}", attributes)
    for name in switch.config["PORT"]:
        row = switch.config.get("PORT_QOS_MAP", {}).get(name, {})
        told = {"SAI_PORT_ATTR_ADMIN_STATE": "true", "SAI_PORT_ATTR_MTU": "9236"}
        for each, table in _BOUND.items():
            if each in row:
                attribute = f"SAI_PORT_ATTR_QOS_{_MAPS[table][2]}_MAP"
                told[attribute] = made.oid(f"{table}|{row[each]}")
        mask = sum(1 << int(each) for each in row.get("pfc_enable", "").split(",") if each)
        if mask:
            told["SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL"] = str(mask)
        made.put(ASIC, f"{SAI}PORT:{made.oid(name)}", told)
        made.put(COUNTERS, "COUNTERS_PORT_NAME_MAP", {name: made.oid(name)})


def _queues(made: Databases, switch: Switch) -> None:
    for name, row in switch.config.get("SCHEDULER", {}).items():
        if "type" in row:
            told = {"SAI_SCHEDULER_ATTR_SCHEDULING_TYPE": f"SAI_SCHEDULING_TYPE_{row['type']}"}
            if "weight" in row:
                told["SAI_SCHEDULER_ATTR_SCHEDULING_WEIGHT"] = row["weight"]
            made.put(ASIC, f"{SAI}SCHEDULER:{made.oid(f'SCHEDULER|{name}')}", told)
    for name, row in switch.config.get("WRED_PROFILE", {}).items():
        told = {
            "SAI_WRED_ATTR_GREEN_ENABLE": "true",
            "SAI_WRED_ATTR_GREEN_MIN_THRESHOLD": row["green_min_threshold"],
            "SAI_WRED_ATTR_GREEN_MAX_THRESHOLD": row["green_max_threshold"],
            "SAI_WRED_ATTR_GREEN_DROP_PROBABILITY": row["green_drop_probability"],
            "SAI_WRED_ATTR_ECN_MARK_MODE": "SAI_ECN_MARK_MODE_GREEN",
            "SAI_WRED_ATTR_WEIGHT": "0",
        }
        made.put(ASIC, f"{SAI}WRED:{made.oid(f'WRED|{name}')}", told)
    for port in switch.config["PORT"]:
        for number in range(16):  # eight for unicast, eight for multicast
            name = f"{port}:{number}"
            made.put(COUNTERS, "COUNTERS_QUEUE_NAME_MAP", {name: made.oid(f"queue {name}")})
            row = switch.config.get("QUEUE", {}).get(f"{port}|{number}", {})
            told = {"SAI_QUEUE_ATTR_TYPE": "SAI_QUEUE_TYPE_UNICAST"}
            if "wred_profile" in row:
                told["SAI_QUEUE_ATTR_WRED_PROFILE_ID"] = made.oid(f"WRED|{row['wred_profile']}")
            made.put(ASIC, f"{SAI}QUEUE:{made.oid(f'queue {name}')}", told)


def _numbers(key: str) -> Iterator[int]:
    first, _, last = key.partition("-")
    yield from range(int(first), int(last or first) + 1)


def _memory(made: Databases, switch: Switch, headroom: Mapping[str, int]) -> None:
    for name, row in switch.config.get("BUFFER_POOL", {}).items():
        told = {
            "SAI_BUFFER_POOL_ATTR_SIZE": row.get("size", "60817392"),
            "SAI_BUFFER_POOL_ATTR_TYPE": f"SAI_BUFFER_POOL_TYPE_{row['type'].upper()}",
        }
        if "xoff" in row:
            told["SAI_BUFFER_POOL_ATTR_XOFF_SIZE"] = row["xoff"]
        oid = made.oid(f"pool {name}")
        made.put(ASIC, f"{SAI}BUFFER_POOL:{oid}", told)
        made.put(COUNTERS, "COUNTERS_BUFFER_POOL_NAME_MAP", {name: oid})
    for name, row in switch.config.get("BUFFER_PROFILE", {}).items():
        _profile(made, name, row)
    for port in switch.config["PORT"]:
        for number in range(8):
            oid = made.oid(f"group {port}:{number}")
            made.put(COUNTERS, "COUNTERS_PG_NAME_MAP", {f"{port}:{number}": oid})
            made.put(ASIC, f"{SAI}INGRESS_PRIORITY_GROUP:{oid}", {})
    default = switch.config.get("DEFAULT_LOSSLESS_BUFFER_PARAMETER", {}).get("AZURE", {})
    for key, row in switch.config.get("BUFFER_PG", {}).items():
        port, _, numbers = key.partition("|")
        name = row["profile"]
        if name == "NULL":  # buffermgrdyn computes it
            name = f"pg_lossless_{port}_profile"
            told = {"xoff": str(headroom[port]), "dynamic_th": default["default_dynamic_th"]}
            _profile(made, name, told)
        for number in _numbers(numbers):
            group = f"{SAI}INGRESS_PRIORITY_GROUP:{made.oid(f'group {port}:{number}')}"
            profile = made.oid(f"profile {name}")
            made.put(ASIC, group, {"SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE": profile})


def _profile(made: Databases, name: str, row: Mapping[str, str]) -> None:
    told = {"SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE": row.get("size", "0")}
    for ours, theirs in (
        ("xoff", "XOFF_TH"),
        ("xon", "XON_TH"),
        ("xon_offset", "XON_OFFSET_TH"),
        ("dynamic_th", "SHARED_DYNAMIC_TH"),
        ("static_th", "SHARED_STATIC_TH"),
    ):
        if ours in row:
            told[f"SAI_BUFFER_PROFILE_ATTR_{theirs}"] = row[ours]
    made.put(ASIC, f"{SAI}BUFFER_PROFILE:{made.oid(f'profile {name}')}", told)


_PORT_STATS = (
    *("IF_IN_OCTETS", "IF_OUT_OCTETS", "IF_IN_ERRORS", "IF_OUT_ERRORS", "IF_IN_DISCARDS"),
    *("ETHER_RX_OVERSIZE_PKTS", "PAUSE_RX_PKTS", "PAUSE_TX_PKTS"),
    *("IF_IN_FEC_CORRECTABLE_FRAMES", "IF_IN_FEC_NOT_CORRECTABLE_FRAMES"),
)


def _counters(made: Databases, switch: Switch) -> None:
    release = switch.release
    for port in switch.config["PORT"]:
        _port_counters(made, port, release)
        for number in range(16):
            made.put(COUNTERS, f"COUNTERS:{made.oid(f'queue {port}:{number}')}", _queue(release))
        for number in range(8):
            stats = ("DROPPED_PACKETS", "SHARED_WATERMARK_BYTES", "XOFF_ROOM_WATERMARK_BYTES")
            group = {f"SAI_INGRESS_PRIORITY_GROUP_STAT_{name}": "0" for name in stats}
            made.put(COUNTERS, f"COUNTERS:{made.oid(f'group {port}:{number}')}", group)
    for pool in switch.config.get("BUFFER_POOL", {}):
        told = {"SAI_BUFFER_POOL_STAT_WATERMARK_BYTES": "4096"}
        made.put(COUNTERS, f"COUNTERS:{made.oid(f'pool {pool}')}", told)
    _watchdogs(made, switch)
    crm: Hash = {}
    for name in (
        *("ipv4_route", "ipv6_route", "ipv4_nexthop", "ipv6_nexthop", "ipv4_neighbor"),
        *("ipv6_neighbor", "nexthop_group", "nexthop_group_member", "fdb_entry"),
    ):
        crm |= {f"crm_stats_{name}_used": "40", f"crm_stats_{name}_available": "9000"}
    made.put(COUNTERS, "CRM:STATS", crm)


def _port_counters(made: Databases, port: str, release: str) -> None:
    told = {f"SAI_PORT_STAT_{name}": "7" for name in _PORT_STATS}
    if release == "master":
        told |= {"SAI_PORT_STAT_DOT3_STATS_FCS_ERRORS": "0"}
        told |= {"SAI_PORT_STAT_DOT3_STATS_SYMBOL_ERRORS": "0"}
    for number in range(8):
        for way in ("RX", "TX"):
            told[f"SAI_PORT_STAT_PFC_{number}_{way}_PKTS"] = "0"
        if release in ("202511", "202605", "master"):
            told[f"EST_PORT_STAT_PFC_{number}_RX_PAUSE_DURATION_US"] = "0"
    made.put(COUNTERS, f"COUNTERS:{made.oid(port)}", told)
    rates = {"RX_BPS": "1250000.5", "TX_BPS": "0", "RX_PPS": "10"}
    if release >= "202411":
        rates |= {"FEC_PRE_BER": "1.2e-9", "FEC_POST_BER": "0.0"}
    made.put(COUNTERS, f"RATES:{made.oid(port)}", rates)


def _queue(release: str) -> Hash:
    stats = ["PACKETS", "BYTES", "DROPPED_PACKETS", "DROPPED_BYTES", "SHARED_WATERMARK_BYTES"]
    if release >= "202505":
        stats.append("WRED_ECN_MARKED_PACKETS")
    return {f"SAI_QUEUE_STAT_{name}": "0" for name in stats}


def _watchdogs(made: Databases, switch: Switch) -> None:
    """Add what the watchdog writes of each queue that it watches, in microseconds."""
    for port, row in switch.config.get("PFC_WD", {}).items():
        enabled = switch.config["PORT_QOS_MAP"].get(port, {}).get("pfcwd_sw_enable", "")
        for number in filter(None, enabled.split(",")):
            told = {
                "PFC_WD_STATUS": "operational",
                "PFC_WD_ACTION": row["action"],
                "PFC_WD_DETECTION_TIME": str(1000 * int(row["detection_time"])),
                "PFC_WD_RESTORATION_TIME": str(1000 * int(row["restoration_time"])),
                "PFC_WD_QUEUE_STATS_DEADLOCK_DETECTED": "0",
                "PFC_WD_QUEUE_STATS_DEADLOCK_RESTORED": "0",
            }
            made.put(COUNTERS, f"COUNTERS:{made.oid(f'queue {port}:{number}')}", told)


def _system(made: Databases, switch: Switch) -> None:
    for group in switch.config["FLEX_COUNTER_TABLE"]:
        if group.endswith("WATERMARK"):
            made.put(CONFIG, f"FLEX_COUNTER_TABLE|{group}", {"POLL_INTERVAL": "60000"})
    made.put(STATE, "EEPROM_INFO|0x21", {"Name": "Product Name", "Len": "9", "Value": "written"})
    made.put(STATE, "EEPROM_INFO|0x23", {"Name": "Serial Number", "Len": "9", "Value": "WRITTEN01"})
    made.put(STATE, "EEPROM_INFO|State", {"Initialized": "1"})
    for number in range(1, 5):
        fan = {"presence": "True", "status": "True", "speed": "35", "speed_target": "35"}
        made.put(STATE, f"FAN_INFO|fan{number}", fan)
    for number in (1, 2):
        supply = {"presence": "true", "status": "true", "voltage": "12.19"}
        made.put(STATE, f"PSU_INFO|PSU {number}", supply)
    heat = {"temperature": "41.5", "high_threshold": "90.0", "warning_status": "False"}
    made.put(STATE, "TEMPERATURE_INFO|ASIC", heat)
    for port in used(switch):
        module = {"model": "WRITTEN-DR4", "manufacturer": "Writer", "serial": f"W-{port}"}
        made.put(STATE, f"TRANSCEIVER_INFO|{port}", {**module, "type": "OSFP", "vendor_rev": "A"})
        light = {f"{way}{lane}power": "-1.25" for lane in range(1, 5) for way in ("rx", "tx")}
        light |= {f"rx{lane}power": "N/A" for lane in range(5, 9)}
        heat = {"temperature": "44.1"}
        made.put(STATE, f"TRANSCEIVER_DOM_SENSOR|{port}", {**light, "voltage": "3.28"})
        table = "TEMPERATURE" if switch.release == "master" else "SENSOR"
        made.put(STATE, f"TRANSCEIVER_DOM_{table}|{port}", heat)
        limits = {"rxpowerlowwarning": "-6.9", "rxpowerlowalarm": "-8.9", "temphighalarm": "75.0"}
        made.put(STATE, f"TRANSCEIVER_DOM_THRESHOLD|{port}", limits)


def _routes(made: Databases, switch: Switch) -> None:
    made.put(ASIC, f"{SAI}SWITCH:{SWITCH_OID}", {"SAI_SWITCH_ATTR_INIT_SWITCH": "true"})
    for router in (ROUTER_OID, CUT):
        made.put(ASIC, f"{SAI}VIRTUAL_ROUTER:{router}", {})
    for prefix in reached(switch):
        made.put(ASIC, route_key(prefix), {"SAI_ROUTE_ENTRY_ATTR_NEXT_HOP_ID": "oid:0x5000000001"})


def _within(inner: Network, outer: Network) -> bool:
    return inner.version == outer.version == 4 and inner.network_address in outer


def route_key(prefix: str) -> str:
    """Return the key of a route, whose JSON has its keys in the order of the alphabet."""
    told = {"dest": prefix, "switch_id": SWITCH_OID, "vr": ROUTER_OID}
    return f"{SAI}ROUTE_ENTRY:{json.dumps(told, separators=(',', ':'))}"


def advertised(switch: Switch) -> list[str]:
    """Return the connected subnets that the prefix list ALLOWED of frr.conf permits."""
    allowed = [
        (ip_network(prefix), int(length))
        for prefix, length in re.findall(
            r"prefix-list ALLOWED seq \d+ permit (\S+) ge (\d+) le \2$", switch.frr, re.MULTILINE
        )
    ]
    rows = [*switch.config["LOOPBACK_INTERFACE"], *switch.config.get("INTERFACE", {})]
    found = [ip_interface(key.partition("|")[2]).network for key in rows if "|" in key]
    return [
        str(each)
        for each in found
        for network, length in allowed
        if each.prefixlen == length and _within(each, network)
    ]


def reached(switch: Switch) -> dict[str, list[str]]:
    """Return the loopbacks of other switches of a two-tier fabric, and the ports to them.

    A leaf reaches its spines directly, and other leafs through all spines. A spine reaches leafs.
    """
    near: dict[str, list[str]] = {}
    for port, row in switch.config["DEVICE_NEIGHBOR"].items():
        if row["name"] in switch.others:
            near.setdefault(row["name"], []).append(port)
    up = sorted(port for ports in near.values() for port in ports)
    is_leaf = "spine" not in switch.name
    found: dict[str, list[str]] = {}
    for name, other in switch.others.items():
        same = other.name[:3] == switch.name[:3] and other is not switch and bool(near)
        ports = sorted(near.get(name, up if is_leaf and "spine" not in name else []))
        for prefix in advertised(other) if same and ports else ():
            found[prefix] = ports
    return found
