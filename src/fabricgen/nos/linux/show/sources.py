"""List the part and the place of every fact and measure of the Linux reader."""

from fabricgen.core.tree.facts import Topic
from fabricgen.nos.shared.documents import VTYSH
from fabricgen.nos.shared.frr.traffic import TABLES
from fabricgen.nos.show import Part, Source

_VNIS, _, _BGP, _EVPN, _BFD = VTYSH
_LINKS, _BRIDGE = "ip -s -j -d address show", "bridge -j vlan show"
_QDISC, _FILTER = "tc -s -j -d qdisc show", "tc -j filter show"
_LLDP, _FDB = "lldpcli -f json0 show neighbors", "bridge fdb show"
_ROUTES = "ip -o -d route show table all"
_PFC = "dcb -s -j pfc show"
_NO_DRIVER = "no recording of a driver with PFC"

_TOPICS: tuple[tuple[Part, str, str, str, str], ...] = (
    (Part.INTERFACES, "interface", "link", _LINKS, "flags"),
    (Part.INTERFACES, "interface", "mtu", _LINKS, "mtu"),
    (Part.INTERFACES, "interface", "mac", _LINKS, "address"),
    (Part.INTERFACES, "interface", "address", _LINKS, "addr_info"),
    (Part.INTERFACES, "interface", "vrf bundle bridge", _LINKS, "master"),
    (Part.INTERFACES, "interface", "local remote key below", _LINKS, "linkinfo.info_data"),
    (Part.BRIDGE, "interface", "vlans untagged", _BRIDGE, "vlans"),
    (Part.BUNDLES, "bundle-member", "state", _LINKS, "ad_actor_oper_port_state_str"),
    (Part.INTERFACES, "vrf", "exists table", _LINKS, "linkinfo.info_data.table"),
    (Part.INTERFACES, "vtep", "port", _LINKS, "linkinfo.info_data.port"),
    (Part.INTERFACES, "vni", "device source", _LINKS, "linkinfo.info_data.id, local"),
    (Part.BRIDGE, "vni", "vlan", _BRIDGE, "vlans"),
    (Part.VNIS, "vni", "layer vrf", _VNIS, "type, vrf"),
    (Part.EVPN, "vni", "rd import export", _EVPN, "rd, importRTs, exportRTs"),
    (Part.FLOOD, "flood", "vteps", _FDB, "00:00:00:00:00:00 dst"),
    (Part.PREFIXES, "evpn", "imet", TABLES[0], "type 3"),
    (Part.PREFIXES, "evpn-prefix", "vteps", TABLES[1], "type 5"),
    (Part.BGP, "session", "asn", _BGP, "remoteAs"),
    (Part.BGP, "session", "families", _BGP, "addressFamilyInfo"),
    (Part.BGP, "session", "state", _BGP, "bgpState"),
    (Part.BFD, "bfd", "timers", _BFD, "receive-interval, detect-multiplier"),
    (Part.BFD, "bfd", "state", _BFD, "status"),
    (Part.LLDP, "cable", "far", _LLDP, "chassis, port"),
    (Part.ROUTES, "route", "ports", "ip -j -4 route show table main", "nexthops"),
    (Part.QUEUES, "queues", "scheduler bands", _QDISC, "kind, priomap"),
    (Part.QUEUES, "queues", "marking", _QDISC, "red: min, max, probability"),
    (Part.FILTERS, "queues", "service", "tc class show", "prio, rate"),
    (Part.FILTERS, "queues", "dscp default", _FILTER, "ip_tos, classid"),
    (Part.QOS, "qos", "pause", _PFC, "prio_pfc"),
    (Part.WAYS, "kernel-route", "way", _ROUTES, ""),
    (Part.WAYS, "fib", "protocols", _ROUTES, "proto"),
    (Part.PATHS, "path", "prefix ports via effect", "ip -j route show match", "dst, nexthops"),
    (Part.RULES, "kernel-rule", "does", "ip rule show", ""),
    (Part.SETTINGS, "setting", "value", "/proc/sys/net", ""),
    (Part.FLAGS, "flag", "value", "bridge -j -d link show", ""),
    (Part.TC, "filter", "does", _FILTER, "actions"),
    (Part.TABLES, "table", "does", "nft -j list table", ""),
    (Part.QUEUES, "qdisc", "kind", _QDISC, "kind"),
    (Part.ENTRIES, "neighbor", "mac", "ip neigh show nud permanent", "lladdr"),
    (Part.ENTRIES, "mac", "to", _FDB, "static, permanent"),
    (Part.IDENTITY, "identity", "hostname", "/proc/sys/kernel/hostname", ""),
    (Part.DAEMONS, "daemon", "state", "/proc/PID/comm", ""),
    (Part.TIME, "clock", "synchronized", "chronyc -c -n tracking", "leap status"),
)
_MEASURES: tuple[tuple[Part, str, str, str], ...] = (
    (Part.INTERFACES, "receive-errors transmit-errors", _LINKS, "stats64.rx, tx: errors"),
    (Part.INTERFACES, "octets-received octets-sent", _LINKS, "stats64.rx, tx: bytes"),
    (Part.INTERFACES, "discards-received discards-sent", _LINKS, "stats64.rx, tx: dropped"),
    (Part.COUNTERS, "flaps", "/sys/class/net/PORT/carrier_changes", ""),
    (Part.QUEUES, "queue-packets queue-drops", _QDISC, "packets, drops"),
    (Part.QUEUES, "ecn-marked", _QDISC, "red: marked"),
    (Part.QOS, "pause-sent pause-received", _PFC, "requests, indications"),
    (Part.BGP, "prefixes-received", _BGP, "acceptedPrefixCounter"),
    (Part.BGP, "prefixes-sent", _BGP, "sentPrefixCounter"),
    (Part.VNIS, "macs", _VNIS, "numMacs"),
    (Part.VNIS, "neighbors", _VNIS, "numArpNd"),
    (Part.PREFIXES, "evpn-routes", TABLES[0], "best paths by type"),
    (Part.IDENTITY, "uptime", "/proc/uptime", ""),
)
_GUESSED = {_PFC: _NO_DRIVER}

ABOUT: dict[Topic, Part] = {
    (kind, name): part for part, kind, names, _, _ in _TOPICS for name in names.split()
}
MEASURED = {name: part for part, names, _, _ in _MEASURES for name in names.split()}
SOURCES: dict[tuple[str, ...], Source] = {
    **{
        (kind, name): Source(asks, at, _GUESSED.get(asks, ""))
        for _, kind, names, asks, at in _TOPICS
        for name in names.split()
    },
    **{
        (name,): Source(asks, at, _GUESSED.get(asks, ""))
        for _, names, asks, at in _MEASURES
        for name in names.split()
    },
}

_ASIC = "the kernel does not report the memory of a switch chip"
_MODULE = "the reader does not ask modules: a virtual switch has none"
_DRIVER = "the name of the counter depends on the driver (ethtool -S)"
UNKNOWN: dict[tuple[str, ...], str] = {
    ("identity", "model"): "Linux does not name the model of a switch",
    ("identity", "serial"): "the serial number needs dmidecode, which the reader does not run",
    ("headroom", "bytes"): _ASIC,
    ("headroom", "alpha"): _ASIC,
    ("pool", "size"): _ASIC,
    ("hardware", "programmed"): "the kernel does not report routes of the chip",
    ("watchdog", "detection"): "Linux has no PFC watchdog",
    ("saved", "state"): "files and running state are compared, there is no saved copy",
    ("module", "model"): _MODULE,
    ("ptp", "locked"): "ptp4l is not rendered for Linux",
    **dict.fromkeys([("queue-peak",), ("group-peak",), ("headroom-peak",), ("pool-peak",)], _ASIC),
    **dict.fromkeys([("pool-headroom-peak",), ("group-drops",)], _ASIC),
    **dict.fromkeys([("capacity-used",), ("capacity-free",)], _ASIC),
    **dict.fromkeys([("watchdog-storms",), ("watchdog-restored",)], "Linux has no PFC watchdog"),
    **dict.fromkeys([("light-received",), ("light-sent",), ("light-warning",)], _MODULE),
    **dict.fromkeys([("light-alarm",), ("module-temperature",)], _MODULE),
    ("module-temperature-alarm",): _MODULE,
    **dict.fromkeys([("link-pause-received",), ("link-pause-sent",)], _DRIVER),
    **dict.fromkeys([("fcs-errors",), ("symbol-errors",), ("oversize",)], _DRIVER),
    **dict.fromkeys([("rate-received",), ("rate-sent",)], "the kernel counts bytes and no rates"),
    ("prefixes-refused",): "FRR 8.4.4 counts accepted prefixes only",
    **dict.fromkeys([("port-pause-received",), ("port-pause-sent",)], "dcb counts by priority"),
    ("certificate-days",): "no certificate is rendered for Linux",
    **dict.fromkeys(
        [("pre-fec-ber",), ("fec-corrected",), ("fec-uncorrected",)],
        "the kernel counts no FEC codewords of virtual ports",
    ),
    ("paused-time",): "the kernel counts frames and not the time of a pause",
}
"""Topics and metrics that Linux does not report, with the reason."""
