"""List the part and the place of every fact and measure that the reader of SONiC reads."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fabricgen.core.tree.facts import Topic
from fabricgen.nos.shared.documents import VTYSH
from fabricgen.nos.shared.frr.traffic import TABLES
from fabricgen.nos.show import Part, Source
from fabricgen.nos.sonic.show import tables

if TYPE_CHECKING:
    from fabricgen.nos.sonic.show.tables import Table

_VNIS, _, _BGP, _EVPN, _BFD = VTYSH
_GREEN = "SAI_WRED_ATTR_GREEN_{MIN_THRESHOLD,MAX_THRESHOLD,DROP_PROBABILITY}"
_MAPS = "SAI_PORT_ATTR_QOS_{DSCP_TO_TC,TC_TO_QUEUE,TC_TO_PRIORITY_GROUP}_MAP"
_ROOT = "the image asks with sudo, and no document shows the answer without it"

Row = tuple[Part, str, str, str, str]
"""Part, kind of fact, attributes, command or table, field."""
_TOPICS: tuple[Row, ...] = (
    (Part.IDENTITY, "identity", "hostname model", tables.METADATA.place, "hostname, hwsku"),
    (Part.IDENTITY, "switch", "hwsku", tables.METADATA.place, "hwsku"),
    (Part.IDENTITY, "identity", "serial", tables.EEPROM.place, "Serial Number"),
    (Part.INTERFACES, "interface", "link", tables.PORTS.place, "admin_status, oper_status"),
    (Part.INTERFACES, "interface", "mtu", tables.PORTS.place, "mtu"),
    (Part.INTERFACES, "interface", "mac", "ip -j link show type vlan", "address"),
    (Part.INTERFACES, "interface", "speed fec", tables.AGREED.place, "speed, fec"),
    (Part.ADDRESSES, "interface", "address vrf", tables.ADDRESSES.place, "vrf_name"),
    (Part.VLANS, "interface", "vlans untagged", tables.CARRIED.place, "tagging_mode"),
    (Part.BUNDLES, "interface", "bundle", tables.MEMBERS.place, "status"),
    (Part.BUNDLES, "bundle-member", "state", tables.LACP.place, "runner.selected"),
    (Part.PAIR, "pair", "domain state", tables.PAIRS.place, "oper_status"),
    (Part.LLDP, "cable", "far", "lldpctl -f json0", "chassis, port"),
    (Part.VLANS, "vlan", "state", tables.VLANS.place, "state"),
    (Part.VLANS, "vlan", "vni", tables.MAPPED.place, "vlan, vni"),
    (Part.VRFS, "vrf", "exists", tables.VRF_OBJECTS.place, "state"),
    (Part.VNIS, "vtep", "address", tables.TUNNELS.place, "src_ip"),
    (Part.VNIS, "vni", "vlan source", tables.MAPPED.place, "vlan, vni"),
    (Part.VNIS, "vni", "layer vrf", _VNIS, "type, tenantVrf"),
    (Part.EVPN, "vni", "rd import export", _EVPN, "rd, importRTs, exportRTs"),
    (Part.FLOOD, "flood", "vteps", tables.FLOODS.place, "vni"),
    (Part.PREFIXES, "evpn", "imet", TABLES[0], "type 3"),
    (Part.PREFIXES, "evpn-prefix", "vteps", TABLES[1], "RT"),
    (Part.BGP, "session", "asn families state", _BGP, "remoteAs, addressFamilyInfo, bgpState"),
    (Part.BFD, "bfd", "timers state", _BFD, "receive-interval, detect-multiplier, status"),
    (Part.ROUTES, "route", "ports", "ip -j -4 route show table main", "nexthops"),
    (Part.HARDWARE, "hardware", "programmed", "ASIC_DB SAI_OBJECT_TYPE_ROUTE_ENTRY", "dest"),
    (Part.PATHS, "path", "prefix ports via effect", "ip -j route show match", "dst, nexthops"),
    (Part.ACLS, "acl", "state", tables.ACLS.place, "status"),
    (Part.QOS, "qos", "trust dscp group", tables.ASIC_PORTS.place, _MAPS),
    (Part.QOS, "qos", "pause", tables.ASIC_PORTS.place, tables.PAUSED),
    (Part.QOS, "qos", "watched", tables.QUEUE_COUNTERS.place, tables.WATCHES[0]),
    (
        Part.WATCHDOG,
        "watchdog",
        "detection restoration action",
        tables.QUEUE_COUNTERS.place,
        ", ".join(tables.WATCHES[1:]),
    ),
    (Part.MARKING, "marking", "minimum maximum percent", tables.ASIC_WRED.place, _GREEN),
    (
        Part.BUFFERS,
        "headroom",
        "bytes alpha",
        tables.ASIC_PROFILES.place,
        "SAI_BUFFER_PROFILE_ATTR_{XOFF_TH,SHARED_DYNAMIC_TH}",
    ),
    (
        Part.BUFFERS,
        "pool",
        "size headroom",
        tables.ASIC_POOLS.place,
        "SAI_BUFFER_POOL_ATTR_{SIZE,XOFF_SIZE}",
    ),
    (Part.QUEUES, "scheduler", "service", tables.QUEUES.place, "scheduler"),
    (Part.DAEMONS, "daemon", "state", "supervisorctl status, docker ps", ""),
    (Part.ENVIRONMENT, "component", "state", tables.FANS.place, "presence, status"),
    (Part.OPTICS, "module", "model vendor serial", tables.MODULES.place, "model, serial"),
    (Part.TIME, "clock", "synchronized", "chronyc tracking, ntpq -pn", "leap status"),
    (Part.SERVICES, "ntp", "vrf used", tables.CLOCK_SERVERS.place, ""),
    (Part.SERVICES, "syslog", "vrf used", tables.LOGS.place, "vrf"),
    (Part.SERVICES, "dns", "used", tables.RESOLVERS.place, ""),
    (Part.SAVED, "saved", "state", "/etc/sonic/config_db.json", ""),
    (Part.PENDING, "pending", "who", "/etc/sonic/checkpoints", ""),
)
_GUESSES = {
    ("clock", "synchronized"): _ROOT,
    ("hardware", "programmed"): "no recording shows the virtual routers of ASIC_DB",
    ("module", "model"): "the model of a module is the vendor's own word",
}


def _topics() -> Iterator[tuple[Topic, Part, Source]]:
    for part, kind, names, place, at in _TOPICS:
        for name in names.split():
            source = Source(place, at, _GUESSES.get((kind, name), ""))
            yield (kind, name), part, source


def _metrics() -> Iterator[tuple[str, Part, Source]]:
    named: tuple[tuple[Part, Table, dict[str, str]], ...] = (
        (Part.COUNTERS, tables.PORT_COUNTERS, tables.PORT_STATS),
        (
            Part.COUNTERS,
            tables.PORT_COUNTERS,
            {name: form.format("n") for name, form in tables.PRIORITY_STATS.items()},
        ),
        (Part.QUEUE_COUNTERS, tables.QUEUE_COUNTERS, tables.QUEUE_STATS),
        (Part.QUEUE_COUNTERS, tables.GROUP_COUNTERS, tables.GROUP_STATS),
        (Part.WATERMARKS, tables.POOL_COUNTERS, tables.POOL_STATS),
        (
            Part.COUNTERS,
            tables.RATES,
            {"rate-received": "RX_BPS", "rate-sent": "TX_BPS", "pre-fec-ber": "FEC_PRE_BER"},
        ),
        (Part.INTERFACES, tables.PORTS, {"flaps": "flap_count"}),
        (
            Part.CAPACITY,
            tables.CAPACITY,
            {"capacity-used": "crm_stats_*_used", "capacity-free": "crm_stats_*_available"},
        ),
        (
            Part.OPTICS,
            tables.LIGHT,
            {
                "light-received": "rxNpower",
                "light-sent": "txNpower",
                "module-temperature": "temperature",
            },
        ),
        (
            Part.OPTICS,
            tables.LIMITS,
            {
                "light-warning": "rxpowerlowwarning",
                "light-alarm": "rxpowerlowalarm",
                "module-temperature-alarm": "temphighalarm",
            },
        ),
    )
    for part, table, fields in named:
        for name, at in fields.items():
            yield name, part, Source(table.place, at)
    for name, at in (("prefixes-received", "accepted"), ("prefixes-sent", "sent")):
        yield name, Part.BGP, Source(_BGP, f"{at}PrefixCounter")
    yield "evpn-routes", Part.PREFIXES, Source(TABLES[0], "best paths by type")
    yield "macs", Part.VNIS, Source(_VNIS, "numMacs")
    yield "uptime", Part.TIME, Source("/proc/uptime", "")


ABOUT = {topic: part for topic, part, _ in _topics()}
MEASURED = {name: part for name, part, _ in _metrics()}
SOURCES: dict[tuple[str, ...], Source] = {
    **{topic: source for topic, _, source in _topics()},
    **{(name,): source for name, _, source in _metrics()},
}
