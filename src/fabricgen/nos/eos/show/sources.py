"""Name the command and the field of each fact and measure of EOS, and the part it is read from."""

from collections.abc import Mapping

from fabricgen.core.tree.facts import Topic
from fabricgen.nos.eos.show.questions import QUESTIONS
from fabricgen.nos.show import Part, Source

_LINES = {each.key: each.line for each in QUESTIONS} | {
    "route": "show ip route vrf VRF PREFIX",
    "path": "show ip route vrf VRF ADDRESS",
    "imet": "show bgp evpn route-type imet vni VNI detail",
    "prefix": "show bgp evpn route-type ip-prefix PREFIX vni VNI",
}
NO_QOS = "no public document shows the JSON of trust, DSCP maps, PFC, ECN thresholds and buffers"
NOT_SHOWN = (
    *(("qos", name) for name in ("trust", "dscp", "group", "pause", "watched")),
    *(("watchdog", name) for name in ("detection", "restoration", "action")),
    *(("marking", name) for name in ("minimum", "maximum", "percent")),
    *(("headroom", "bytes"), ("headroom", "alpha"), ("pool", "size"), ("pool", "headroom")),
    ("scheduler", "service"),
)
"""Topics without a public JSON. Drift compares their configuration."""
NO_EVENT = "EOS lists a queue after its first event, and lists none now"
_PRIORITIES = "the form for all ports is a guess; facebook/DNE-TaaC asks port by port"
_GNMI = "no public document shows this text of all releases"
_IFS, _VXLAN = "interfaces.IF", "interfaces.Vxlan1"

# Part, kind, attributes, key of the question, field, reason of a guess
_TOPICS = (
    (Part.IDENTITY, "identity", "hostname", "hostname", "hostname", ""),
    (Part.IDENTITY, "identity", "model", "version", "modelName", ""),
    (Part.IDENTITY, "identity", "serial", "version", "serialNumber", ""),
    (Part.IDENTITY, "identity", "version", "version", "version", ""),
    (
        *(Part.INTERFACES, "interface", "link", "interfaces"),
        *(f"{_IFS}.interfaceStatus, lineProtocolStatus", ""),
    ),
    (Part.INTERFACES, "interface", "mtu", "interfaces", f"{_IFS}.mtu", ""),
    (Part.INTERFACES, "interface", "speed", "interfaces", f"{_IFS}.bandwidth", ""),
    (Part.ADDRESSES, "interface", "address", "interfaces", f"{_IFS}.interfaceAddress", ""),
    (
        Part.ADDRESSES,
        "interface",
        "anycast",
        "interfaces",
        f"{_IFS}.interfaceAddress.virtualIp",
        "",
    ),
    (Part.ADDRESSES, "switch", "anycast-mac", "virtual", "virtualMacs.macAddress", ""),
    (Part.VRFS, "interface", "vrf", "vrfs", "vrfs.VRF.interfaces", ""),
    (Part.BRIDGE, "interface", "vlans", "switchports", "switchports.IF.switchportInfo", ""),
    (Part.BRIDGE, "interface", "untagged", "switchports", "switchports.IF.switchportInfo", ""),
    (Part.BUNDLES, "interface", "bundle", "bundles", "portChannels.PO.activePorts", ""),
    (
        Part.ERRDISABLED,
        "interface",
        "errdisabled",
        "errdisabled",
        "interfaceStatuses.IF.causes",
        "",
    ),
    (
        *(Part.BUNDLES, "bundle-member", "state", "lacp"),
        *("portChannels.PO.interfaces.IF.actorPortStatus", ""),
    ),
    (Part.PAIR, "pair", "state", "mlag", "state, negStatus, peerLinkStatus, localIntfStatus", ""),
    (Part.PAIR, "pair", "domain", "mlag", "domainId", ""),
    (Part.PAIR, "pair", "consistent", "sanity", "globalConfiguration, interfaceConfiguration", ""),
    (Part.SEGMENTS, "segment", "esi forwarder", "instances", "Local ethernet segment", ""),
    (Part.LLDP, "cable", "far", "lldp", "lldpNeighbors.IF.lldpNeighborInfo", ""),
    (Part.VLANS, "vlan", "name", "vlans", "vlans.ID.name", ""),
    (Part.VLANS, "vlan", "state", "vlans", "vlans.ID.status", ""),
    (Part.VNIS, "vlan", "vni", "vnis", "vxlanIntfs.Vxlan1.vniBindings", ""),
    (Part.VRFS, "vrf", "exists rd", "vrfs", "vrfs.VRF.routeDistinguisher", ""),
    (Part.VNIS, "vni", "vlan layer vrf", "vnis", "vxlanIntfs.Vxlan1", ""),
    (Part.FLOOD, "vni", "source", "vxlan", f"{_VXLAN}.srcIpAddr", ""),
    (Part.EVPN, "vni", "rd import export", "instances", "Route distinguisher, Route target", ""),
    (Part.FLOOD, "vtep", "source port", "vxlan", f"{_VXLAN}.srcIpIntf, udpPort", ""),
    (Part.VNIS, "vtep", "sane", "vxlansanity", "categories.allCheckPass", ""),
    (Part.FLOOD, "flood", "vteps", "vxlan", f"{_VXLAN}.vlanToVtepList", ""),
    (Part.EVPN, "evpn", "imet", "imet", "BGP routing table entry", ""),
    (Part.PREFIXES, "evpn-prefix", "vteps", "prefix", "evpnRoutes.evpnRoutePaths.nextHop", ""),
    (Part.BGP, "session", "state", "bgp", "vrfs.VRF.peers.PEER.peerState", ""),
    (Part.BGP, "session", "asn", "bgp", "vrfs.VRF.peers.PEER.peerAsn", ""),
    (Part.BGP, "session", "families", "bgp", "vrfs.VRF.peers.PEER.AFI.afiSafiState", ""),
    (Part.POLICIES, "session", "policies", "peers", "routeMapInbound, routeMapOutbound", ""),
    (Part.BFD, "bfd", "state", "bfd", "vrfs.VRF.ipv4Neighbors.PEER.peerStats.status", ""),
    (Part.BFD, "bfd", "timers", "bfd", "peerStatsDetail.operTxInterval, detectMult", ""),
    (Part.ROUTES, "route", "ports", "route", "vrfs.VRF.routes.PREFIX.vias.interface", ""),
    (Part.PATHS, "path", "prefix ports via effect", "path", "vrfs.VRF.routes.PREFIX", ""),
    (
        *(Part.HARDWARE, "hardware", "programmed", "route"),
        *("vrfs.VRF.routes.PREFIX.hardwareProgrammed", ""),
    ),
    (
        *(Part.ACLS, "rule", "action protocol source target from to only", "acls"),
        *("aclList.sequence.text", ""),
    ),
    (Part.SAVED, "saved", "state", "unsaved", "", ""),
    (Part.PENDING, "pending", "who", "sessions", "sessions.NAME.instances", ""),
    (Part.RELOAD, "reload", "routing", "models", "protoModelStatus", ""),
    (Part.TCAM, "reload", "tcam", "tcam", "pmfProfiles.config, status", ""),
    (Part.DAEMONS, "daemon", "state", "cores", "coreFiles", ""),
    (Part.ENVIRONMENT, "component", "state", "cooling", "systemStatus, status", ""),
    (Part.OPTICS, "module", "model vendor serial", "inventory", "xcvrSlots.SLOT", ""),
    (Part.TIME, "clock", "synchronized", "ntp", "peers.NAME.condition", ""),
    (Part.TIME, "ptp", "locked", "ptp", "ptpClockSummary.lastSyncTime", ""),
    (Part.TIME, "ntp", "used", "ntp", "peers", ""),
    (Part.SERVICES, "dns", "used vrf", "dns", "nameServerConfigs", ""),
    (Part.SERVICES, "login", "vrf", "tacacs", "tacacsServers.serverInfo", ""),
    (Part.SERVICES, "tls", "secure", "api", "httpsServer.running, httpServer.running", ""),
    (Part.SERVICES, "gnmi", "port vrf", "gnmi", "Server: running on port", _GNMI),
)
_COUNTED = "interfaceErrorCounters.IF"
_DOM = "interfaces.IF.parameters"
_PHY = "interfacePhyStatuses.IF.phyStatuses"
_TC = "trafficClasses.TC"
_METRICS = (
    (Part.COUNTERS, "receive-errors", "errors", f"{_COUNTED}.inErrors", ""),
    (Part.COUNTERS, "transmit-errors", "errors", f"{_COUNTED}.outErrors", ""),
    (Part.COUNTERS, "fcs-errors", "errors", f"{_COUNTED}.fcsErrors", ""),
    (Part.COUNTERS, "symbol-errors", "errors", f"{_COUNTED}.symbolErrors", ""),
    (Part.COUNTERS, "oversize", "errors", f"{_COUNTED}.frameTooLongs", ""),
    (Part.COUNTERS, "discards-received", "discards", f"{_IFS}.inDiscards", ""),
    (Part.COUNTERS, "discards-sent", "discards", f"{_IFS}.outDiscards", ""),
    (Part.COUNTERS, "rate-received", "rates", f"{_IFS}.inBpsRate", ""),
    (Part.COUNTERS, "rate-sent", "rates", f"{_IFS}.outBpsRate", ""),
    (Part.COUNTERS, "link-pause-received", "flow", "interfaceFlowControls.IF.rxPause", ""),
    (Part.COUNTERS, "link-pause-sent", "flow", "interfaceFlowControls.IF.txPause", ""),
    (Part.INTERFACES, "octets-received", "interfaces", f"{_IFS}.interfaceCounters.inOctets", ""),
    (Part.INTERFACES, "octets-sent", "interfaces", f"{_IFS}.interfaceCounters.outOctets", ""),
    (Part.INTERFACES, "flaps", "interfaces", f"{_IFS}.interfaceCounters.linkStatusChanges", ""),
    (Part.QUEUE_COUNTERS, "port-pause-received", "pfc", "interfaceCounters.IF.rxFrames", ""),
    (Part.QUEUE_COUNTERS, "port-pause-sent", "pfc", "interfaceCounters.IF.txFrames", ""),
    (
        *(Part.PRIORITIES, "pause-received", "priorities"),
        *("interfaces.IF.priorities.N.rxFrames", _PRIORITIES),
    ),
    (
        *(Part.PRIORITIES, "pause-sent", "priorities"),
        *("interfaces.IF.priorities.N.txFrames", _PRIORITIES),
    ),
    (Part.WATCHDOG, "watchdog-storms", "storms", "interfaces.IF.txQueues.Q.stuckCount", ""),
    (Part.WATCHDOG, "watchdog-restored", "storms", "interfaces.IF.txQueues.Q.recoveryCount", ""),
    (Part.MARKS, "ecn-marked", "marks", "intfQueueCounters.IF.queueCounters.Q", ""),
    (Part.DROPS, "queue-drops", "queues", f"{_TC}.dropPrecedences.DP.droppedPackets", ""),
    (Part.DROPS, "queue-packets", "queues", f"{_TC}.dropPrecedences.DP.enqueuedPackets", ""),
    (Part.OPTICS, "light-received", "dom", f"{_DOM}.rxPower.channels", ""),
    (Part.OPTICS, "light-sent", "dom", f"{_DOM}.txPower.channels", ""),
    (Part.OPTICS, "light-warning", "dom", f"{_DOM}.rxPower.threshold.lowWarn", ""),
    (Part.OPTICS, "light-alarm", "dom", f"{_DOM}.rxPower.threshold.lowAlarm", ""),
    (Part.OPTICS, "module-temperature", "dom", f"{_DOM}.temperature.channels", ""),
    (Part.OPTICS, "module-temperature-alarm", "dom", f"{_DOM}.temperature.threshold", ""),
    (Part.CODEWORDS, "fec-corrected", "phy", f"{_PHY}.fec.correctedCodewords", ""),
    (Part.CODEWORDS, "fec-uncorrected", "phy", f"{_PHY}.fec.uncorrectedCodewords", ""),
    (Part.CODEWORDS, "pre-fec-ber", "phy", f"{_PHY}.preFecBer", ""),
    (Part.BGP, "prefixes-received", "bgp", "vrfs.VRF.peers.PEER.AFI.nlrisAccepted", ""),
    (Part.BGP, "prefixes-refused", "bgp", "nlrisReceived - nlrisAccepted", ""),
    (Part.EVPN, "evpn-routes", "imet", "BGP routing table entry", ""),
    (Part.ENTRIES, "macs", "macs", "unicastTable.tableEntries", ""),
    (Part.ENTRIES, "neighbors", "arp", "vrfs.VRF.totalEntries", ""),
    (Part.CAPACITY, "capacity-used", "capacity", "tables.used", ""),
    (Part.CAPACITY, "capacity-free", "capacity", "tables.free", ""),
    (Part.IDENTITY, "uptime", "version", "uptime", ""),
    (Part.CERTIFICATES, "certificate-days", "certificates", "certificates.FILE.notAfter", ""),
)

ABOUT: Mapping[Topic, Part] = {
    (kind, name): part for part, kind, names, *_ in _TOPICS for name in names.split()
}
MEASURED: Mapping[str, Part] = {name: part for part, name, *_ in _METRICS}
SOURCES: Mapping[tuple[str, ...], Source] = {
    (kind, name): Source(_LINES[asked], at, guess)
    for _, kind, names, asked, at, guess in _TOPICS
    for name in names.split()
} | {(name,): Source(_LINES[asked], at, guess) for _, name, asked, at, guess in _METRICS}
