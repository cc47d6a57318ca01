"""List faults of identity, ports, cables, port-channels and VLANs."""

from tests.written.eos.planting import (
    _MEMBER,
    _OTHER,
    BUNDLES,
    EDGE,
    INSTANCES,
    LACP,
    LEAF,
    LLDP,
    MLAG,
    PAIR,
    PORTS,
    RAIL,
    SANITY,
    SEGMENT,
    UP,
    Fault,
    added,
    address,
    both,
    lose,
    neighbor,
    port,
    put,
    swapped,
    text,
)

FAULTS = (
    # identity and release
    Fault("another switch", LEAF, put("show hostname", "hostname", "leaf9"), "Identity", "leaf9"),
    Fault(
        *("another model", LEAF, put("show version", "modelName", "DCS-7060X6-64PE-F")),
        *("Identity", "is a 7060X6-64PE"),
    ),
    Fault(
        *("another release", ("released", "fe-leaf01"), put("show version", "version", "4.32.5M")),
        *("Release", "runs EOS 4.32.5M"),
    ),
    Fault(
        *("a restart", LEAF, put("show version", "uptime", 30.0), "Restarts", "started again"),
    ),
    # ports
    Fault(
        *("a port is shut", LEAF, port(UP, interfaceStatus="disabled", lineProtocolStatus="down")),
        *("PortLink", "is shut, but in the model it is up"),
    ),
    Fault(
        *("a dead link", LEAF, port(UP, interfaceStatus="notconnect", lineProtocolStatus="down")),
        *("PortLink", "has no link"),
    ),
    Fault(
        "an unused port is open",
        LEAF,
        port("Ethernet28/1", interfaceStatus="connected", lineProtocolStatus="up"),
        "PortLink",
        "is up, but in the model it is shut",
    ),
    Fault(
        "the loopback is down",
        *(LEAF, port("Loopback0", lineProtocolStatus="down"), "PortLink", "Loopback0"),
    ),
    Fault(
        "a gateway is down",
        *(LEAF, port("Vlan100", lineProtocolStatus="lowerLayerDown"), "PortLink", "Vlan100"),
    ),
    Fault("a small MTU of a link", LEAF, port(UP, mtu=1500), "PortMtu", "has MTU 1500"),
    Fault("a small MTU of a gateway", LEAF, port("Vlan100", mtu=1500), "PortMtu", "Vlan100"),
    Fault("a small MTU of a NIC", RAIL, port(EDGE, mtu=9000), "PortMtu", "has MTU 9000"),
    Fault("a slow link", LEAF, port(UP, bandwidth=40 * 10**9), "PortSpeed", "has speed 40G"),
    Fault("a slow server", LEAF, port(EDGE, bandwidth=10**10), "PortSpeed", "has speed 10G"),
    Fault("a slow NIC", RAIL, port(EDGE, bandwidth=10**11), "PortSpeed", "has speed 100G"),
    Fault(
        "a port was taken down",
        LEAF,
        added(
            "show interfaces status errdisabled",
            *("interfaceStatuses", EDGE, {"status": "errdisabled", "causes": ["bpduguard"]}),
        ),
        "ErrDisabled",
        "bpduguard",
    ),
    # addresses
    Fault("another address", LEAF, address(UP, primaryIp=_OTHER), "Addresses", "10.9.9.9/31"),
    Fault(
        "another mask",
        LEAF,
        address(UP, primaryIp={"address": "10.72.0.1", "maskLen": 30}),
        "Addresses",
        "10.72.0.1/30",
    ),
    Fault(
        "no address", LEAF, put(PORTS, "interfaces", UP, "interfaceAddress", []), "Addresses", UP
    ),
    Fault(
        "one more address",
        *(LEAF, address(UP, secondaryIpsOrderedList=[_OTHER]), "Addresses", "10.9.9.9"),
    ),
    Fault(
        "another router ID",
        *(LEAF, address("Loopback0", primaryIp=_OTHER), "Addresses", "Loopback0"),
    ),
    Fault(
        "another gateway",
        *(LEAF, address("Vlan100", virtualIp=_OTHER), "Addresses", "10.9.9.9"),
    ),
    Fault(
        "a gateway of one leaf alone",
        LEAF,
        both(
            address("Vlan100", primaryIp={"address": "10.100.0.1", "maskLen": 22}),
            address("Vlan100", virtualIp={"address": "0.0.0.0", "maskLen": 0}),  # noqa: S104
        ),
        "AnycastGateway",
        "anycast",
    ),
    Fault(
        "another anycast MAC",
        LEAF,
        put("show ip virtual-router", "virtualMacs", 0, "macAddress", "00:1c:73:00:00:98"),
        "AnycastGateway",
        "00:1c:73:00:00:98",
    ),
    Fault(
        "no anycast MAC",
        *(LEAF, put("show ip virtual-router", "virtualMacs", []), "AnycastGateway", "anycast"),
    ),
    Fault(
        "the management port has another address",
        *(LEAF, address("Management1", primaryIp=_OTHER), "Addresses", "Management1"),
    ),
    # cables
    Fault("swapped cables", LEAF, swapped("Ethernet29/1", "Ethernet30/1"), "Cables", UP),
    Fault(
        "a cable to another leaf's port",
        *(LEAF, neighbor(UP, "fe-spine1", "Ethernet9/1"), "Cables", "Ethernet9/1"),
    ),
    Fault("a cable to a stranger", LEAF, neighbor(UP, "rogue", "eth0"), "Cables", "rogue"),
    Fault(
        "a neighbor is silent",
        *(LEAF, lose(LLDP, "lldpNeighbors", UP), "Cables", "has not received"),
    ),
    Fault(
        "swapped servers",
        *(RAIL, swapped("Ethernet1/1", "Ethernet1/5"), "Cables", "Ethernet1/1"),
    ),
    Fault(
        "a server at another leaf's port",
        *(LEAF, neighbor(EDGE, "gpu0099", "eth0"), "Cables", "gpu0099"),
    ),
    # port-channels, MLAG, segments
    Fault(
        "a member is not bundled",
        *(SEGMENT, put(*_MEMBER, "negotiation"), "BundleMembers", "negotiation"),
    ),
    Fault(
        "a member without LACP",
        *(SEGMENT, put(*_MEMBER, "noAgg"), "BundleMembers", "noAgg"),
    ),
    Fault(
        "a port is in no port-channel",
        SEGMENT,
        lose(BUNDLES, "portChannels", "Port-Channel1", "activePorts", "Ethernet1/1"),
        "BundlePorts",
        "Ethernet1/1",
    ),
    Fault(
        "a port is in another port-channel",
        SEGMENT,
        both(
            lose(BUNDLES, "portChannels", "Port-Channel1", "activePorts", "Ethernet1/1"),
            added(BUNDLES, "portChannels", "Port-Channel2", "activePorts", "Ethernet1/1", {}),
        ),
        "BundlePorts",
        "is in port-channel 2",
    ),
    Fault(
        "a member of the peer link is not bundled",
        PAIR,
        put(
            *(LACP, "portChannels", "Port-Channel1000", "interfaces"),
            *("Ethernet27/1", "actorPortStatus", "negotiation"),
        ),
        "BundleMembers",
        "Ethernet27/1",
    ),
    Fault(
        "the pair is not formed",
        *(PAIR, put(MLAG, "negStatus", "connecting"), "MlagPair", "connecting"),
    ),
    Fault("the pair is inactive", PAIR, put(MLAG, "state", "inactive"), "MlagPair", "inactive"),
    Fault(
        "the peer link is down",
        *(PAIR, put(MLAG, "peerLinkStatus", "down"), "MlagPair", "peerLinkStatus down"),
    ),
    Fault(
        "the pair's VLAN is down",
        *(PAIR, put(MLAG, "localIntfStatus", "down"), "MlagPair", "localIntfStatus down"),
    ),
    Fault("MLAG is off", PAIR, put(MLAG, "state", "disabled"), "MlagPair", "is missing"),
    Fault("another domain", PAIR, put(MLAG, "domainId", "other"), "MlagPair", "other"),
    Fault(
        "the pair is inconsistent",
        *(PAIR, put(MLAG, "configSanity", "inconsistent"), "MlagPair", "consistent"),
    ),
    Fault(
        "the pair has another setting",
        PAIR,
        added(SANITY, "globalConfiguration", "mlag", {"globalParameters": {}}),
        "MlagPair",
        "consistent",
    ),
    Fault(
        "an interface of the pair has another setting",
        PAIR,
        added(SANITY, "interfaceConfiguration", "bridging", {}),
        "MlagPair",
        "consistent",
    ),
    Fault(
        "another segment",
        *(SEGMENT, text(INSTANCES, "ESI: 0002", "ESI: 0009"), "Segments", "00:09"),
    ),
    Fault(
        "the other leaf forwards",
        SEGMENT,
        text(INSTANCES, "Designated forwarder: 10.65.0.1", "Designated forwarder: 10.65.9.9"),
        "Segments",
        "forwarder",
    ),
)
