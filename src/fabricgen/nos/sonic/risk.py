"""What a change of config_db.json or frr.conf does to a SONiC switch: rules, each with its source.

The classes are those of what our driver does: config_db.json by `config apply-patch` (GCU), which
leaves the services running, and frr.conf by commands to the running FRR, or by a restart of the
container bgp. What only `config reload` can apply restarts all services: a reboot.
"""

import re
from collections.abc import Iterator

from fabricgen.nos.shared.description import MOVED, moves
from fabricgen.nos.shared.frr import risk as frr
from fabricgen.nos.sonic.driver.onswitch.routing import PROGRAMS, restarts
from fabricgen.tree.risk import (
    ADDED,
    CAUTION,
    CHANGED,
    USE,
    Change,
    Dialect,
    Kind,
    Risk,
    Rule,
    grows,
)
from fabricgen.tree.settings import Path, Settings, tables

HITLESS, SESSION, LOSSLESS, REBOOT = Risk

_GCU = "sonic-net/sonic-utilities generic_config_updater"
_SORTER = f"{_GCU}/patch_sorter.py: RequiredValueIdentifier (the port must be admin down)"
_ONCE = f"{_GCU}/patch_sorter.py: CreateOnlyFilter"
_FIELDS = f"{_GCU}/gcu_field_operation_validators.conf.json"
_SERVICES = f"{_GCU}/services_validator.py (restarts its own service only)"
_PORTSORCH = "sonic-net/sonic-swss orchagent/portsorch.cpp"
_RELOAD = (
    "sonic-utilities doc/Command-Reference.md, config reload (stops and restarts all services)"
)
_SAI = "opencomputeproject/SAI inc/saischeduler.h, inc/saiwred.h (CREATE_AND_SET)"
_BREAKOUT = "SONiC dynamic port breakout HLD (sonic-net/SONiC#450): ports deleted, then created"

_PORT = re.compile(r"Ethernet\d+")


def _rests(path: Path, before: Settings, after: Settings) -> bool:
    """Tell whether nothing runs over a port: it was shut, is now, or its whole cage was."""
    match = next((hit for word in path[1:] if (hit := _PORT.search(word))), None)
    if not match:
        return False
    port = ("PORT", match[0])
    if port in before and _shut(port, before):
        return True
    if port in after and _shut(port, after):
        return True
    cage = after.get((*port, "index"))
    if port in before or cage is None:
        return False
    others = [key[:2] for key, value in before.items() if _is_index(key) and value == cage]
    return bool(others) and all(_shut(other, before) for other in others)


def _shut(port: Path, state: Settings) -> bool:
    return state.get((*port, "admin_status"), "down") == "down"  # the YANG model's own default


def _is_index(key: Path) -> bool:
    return len(key) == 3 and key[0] == "PORT" and key[2] == "index"


def _comes_up(path: Path, before: Settings, after: Settings) -> bool:
    """Tell whether the new state of a port is up."""
    del before
    return after.get(path) == "up"


_AGAIN = "which restarts: every BGP session of the switch ends"
_SYSTEM = (
    Rule(
        r"DEVICE_METADATA > localhost > hostname",
        HITLESS,
        "the host's own name",
        "sonic-net/sonic-host-services scripts/hostcfgd",
    ),
    Rule(
        r"DEVICE_METADATA > localhost > bgp_asn",
        SESSION,
        "the ASN of frr.conf changes with it: every session ends",
        "frr.conf of the same switch",
    ),
    Rule(
        rf"DEVICE_METADATA > localhost > (?:{'|'.join(PROGRAMS)})",
        SESSION,
        f"other programs run in the container bgp, {_AGAIN}",
        "sonic-buildimage dockers/docker-fpm-frr/frr/supervisord/supervisord.conf.j2",
    ),
    Rule(
        r"DEVICE_METADATA(?: > .*)?",
        REBOOT,
        "hwsku, platform, type, buffer model and modes are read when the services start",
        _RELOAD,
    ),
    Rule(
        r"(?:NTP|NTP_SERVER|SYSLOG_SERVER)(?: > .*)?",
        HITLESS,
        "chrony or rsyslog restarts, nothing else",
        _SERVICES,
    ),
    Rule(
        r"(?:DNS_NAMESERVER|DNS_OPTIONS|SNMP|SNMP_COMMUNITY|SNMP_AGENT_ADDRESS_CONFIG|"
        r"BANNER_MESSAGE|FLEX_COUNTER_TABLE|DEVICE_NEIGHBOR|DEVICE_NEIGHBOR_METADATA|LLDP|AAA|"
        r"GNMI|TELEMETRY)(?: > .*)?",
        HITLESS,
        "management and counters only",
        USE,
    ),
    Rule(
        r"(?:MGMT_PORT|MGMT_INTERFACE|MGMT_VRF_CONFIG)(?: > .*)?",
        HITLESS,
        "management only; a wrong address loses the way to the switch, not traffic",
        USE,
    ),
)
_PORTS = (
    Rule(r"PORT > \S+ > description", SESSION, MOVED, USE, CHANGED, when=moves),
    Rule(r"PORT > \S+ > (?:description|alias|index)", HITLESS, "a remark", USE),
    Rule(
        r"PORT > \S+ > admin_status",
        HITLESS,
        "the link comes up",
        USE,
        CHANGED,
        when=_comes_up,
    ),
    Rule(r"PORT > \S+ > admin_status", SESSION, "the link goes down", USE),
    Rule(
        r"[A-Z_]+ > .*\bEthernet\d+\b.*",
        HITLESS,
        "the port is shut, or was: no traffic runs over it",
        USE,
        when=_rests,
    ),
    Rule(
        r"PORT > \S+ > mtu",
        HITLESS,
        "written to the port and its router interface without taking it down",
        f"{_PORTSORCH}: setPortMtu",
        when=grows,
    ),
    Rule(
        r"PORT > \S+ > mtu",
        SESSION,
        "the link stays up, but packets larger than the new MTU are lost until every sender keeps "
        "to it",
        f"{_PORTSORCH}: setPortMtu",
    ),
    Rule(r"PORT > \S+ > (?:lanes|subport)", SESSION, "the port is deleted and created anew", _ONCE),
    Rule(
        r"PORT > \S+ > \S+",
        SESSION,
        "orchagent takes the port down to set it (speed, FEC, autoneg)",
        f"{_PORTSORCH}: doPortTask, setPortAdminStatus(false)",
    ),
    Rule(
        r"(?:PORT|BREAKOUT_CFG)(?: > .*)?",
        SESSION,
        "the cage's ports are deleted and created anew",
        _BREAKOUT,
    ),
    Rule(
        r"(?:INTERFACE|LOOPBACK_INTERFACE|VLAN_INTERFACE|PORTCHANNEL_INTERFACE)(?: > \S+)?",
        HITLESS,
        "an address or interface more; sessions over it can begin",
        USE,
        ADDED,
    ),
    Rule(
        r"(?:INTERFACE|LOOPBACK_INTERFACE|VLAN_INTERFACE|PORTCHANNEL_INTERFACE)(?: > .*)?",
        SESSION,
        "sessions and hosts that use the interface lose it",
        _ONCE,
    ),
    Rule(
        r"(?:PORTCHANNEL|PORTCHANNEL_MEMBER|VLAN|VLAN_MEMBER|VRF|VXLAN_TUNNEL|VXLAN_EVPN_NVO|"
        r"VXLAN_TUNNEL_MAP|SAG|SUPPRESS_VLAN_NEIGH)(?: > \S+)?",
        HITLESS,
        "it did not exist: a tenant, a bundle or a member more",
        USE,
        ADDED,
    ),
    Rule(r"VLAN > \S+ > (?:description|alias|vlanid)", HITLESS, "a remark", USE),
    Rule(
        r"(?:PORTCHANNEL|PORTCHANNEL_MEMBER|VLAN|VLAN_MEMBER|VRF|VXLAN_TUNNEL|VXLAN_EVPN_NVO|"
        r"VXLAN_TUNNEL_MAP|SAG|SUPPRESS_VLAN_NEIGH)(?: > .*)?",
        SESSION,
        "what uses it loses it: a tenant's tunnel or gateway, a bundle, a member",
        USE,
    ),
)
_CLASSES = (
    Rule(
        r"WRED_PROFILE > \S+ > \S+_(?:min_threshold|max_threshold|drop_probability)",
        HITLESS,
        "the marking points are written while packets flow (ECN tuning: ecnconfig; GCU takes it "
        "for the name azure_lossless)",
        f"{_FIELDS}: ECN tuning; {_SAI}",
        CHANGED,
    ),
    Rule(
        r"SCHEDULER > \S+ > weight",
        HITLESS,
        "the shares of the link change, no packet is dropped for it",
        _SAI,
        CHANGED,
    ),
    Rule(
        r"(?:WRED_PROFILE|SCHEDULER|BUFFER_PROFILE|(?:DSCP|TC|PFC)_[A-Z_]*_MAP|"
        r"MAP_PFC_[A-Z_]*) > [^ ]+",
        HITLESS,
        "a profile or map that no port has yet",
        USE,
        ADDED,
    ),
    Rule(
        r"(?:QUEUE|PORT_QOS_MAP|BUFFER_PG|BUFFER_QUEUE|BUFFER_PORT_INGRESS_PROFILE_LIST|"
        r"BUFFER_PORT_EGRESS_PROFILE_LIST)(?: > .*)?",
        LOSSLESS,
        "the port is taken down to set it: queues, priority groups and PFC of the port",
        _SORTER,
    ),
    Rule(
        r"(?:BUFFER_POOL|BUFFER_PROFILE)(?: > .*)?",
        LOSSLESS,
        "headroom, thresholds and pools move under traffic: GCU writes size, xoff and dynamic_th "
        "in place, what is paused then is not told",
        f"{_FIELDS}: BUFFER_POOL, BUFFER_PROFILE",
    ),
    Rule(
        r"(?:CABLE_LENGTH|DEFAULT_LOSSLESS_BUFFER_PARAMETER|LOSSLESS_TRAFFIC_PATTERN)(?: > .*)?",
        LOSSLESS,
        "the buffer manager computes headroom anew from it",
        "sonic-net/sonic-swss cfgmgr/buffermgr.cpp, buffermgrdyn.cpp",
    ),
    Rule(
        r"(?:DSCP_TO_TC_MAP|TC_TO_QUEUE_MAP|TC_TO_PRIORITY_GROUP_MAP|MAP_PFC_PRIORITY_TO_QUEUE|"
        r"PFC_PRIORITY_TO_PRIORITY_GROUP_MAP|TC_TO_DSCP_MAP)(?: > .*)?",
        LOSSLESS,
        "packets under way change class, queue or priority group; until every switch agrees, "
        "RDMA leaves its queue",
        USE,
    ),
    Rule(
        r"(?:SCHEDULER|WRED_PROFILE)(?: > .*)?",
        LOSSLESS,
        "queues change between strict and shared, or between marking and dropping",
        CAUTION,
    ),
    Rule(
        r"SWITCH_HASH(?: > .*)?",
        LOSSLESS,
        "flows are spread anew: packets in flight overtake each other, which RDMA takes for loss",
        CAUTION,
    ),
    Rule(
        r"PFC_WD(?: > .*)?",
        LOSSLESS,
        "set while packets flow, but the watchdog drops a lossless queue that it takes for stuck; "
        "its timers say when",
        f"{_FIELDS}: PFCWD enable/disable",
    ),
)
RULES = (*_SYSTEM, *_PORTS, *_CLASSES)
UNKNOWN = Rule(
    r".*",
    REBOOT,
    "not known: no rule speaks of it, so only a config reload is sure to apply it",
    _RELOAD,
)

DIALECTS = (
    frr.dialect(r"frr\.conf"),
    Dialect(file=re.compile(r".*"), read=tables, rules=RULES, unknown=UNKNOWN),
)

_RESTART = Rule(
    where="",
    risk=SESSION,
    why=f"a running FRR takes no such change from the driver, but the container bgp, {_AGAIN}",
    source="no release has frr-reload.py in it: sonic-buildimage rules/docker-fpm-frr.mk",
)


def restart(before: str, after: str) -> Iterator[Change]:
    """Yield the line of frr.conf for which the driver restarts the container bgp."""
    if line := restarts(before, after):
        yield Change(file="frr.conf", where=(line,), kind=Kind.CHANGED, rule=_RESTART, known=True)
