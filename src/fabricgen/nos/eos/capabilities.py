"""What EOS answers for each feature; what depends on a value of the intent is in gaps.py."""

from fabricgen.nos.features import Capabilities, Feature, Supported, Unsupported

# Highest value of `maximum-paths` and its `ecmp`: schema of pyavd 6.4.0, router_bgp.maximum_paths,
# raised from 512 for AI fabrics by aristanetworks/avd issue 4910. What the ASIC holds may be less.
MAX_ECMP = 600

CAPABILITIES: Capabilities = {
    Feature.NUMBERED: Supported(
        "ip address A/31 and neighbor A", "eos.cfg: router bgp … > neighbor … peer group UNDERLAY-…"
    ),
    Feature.NUMBERED_V6: Supported(
        "ipv6 address A/127 and next-hop address-family ipv6 originate",
        "eos.cfg: router bgp … > … > neighbor … next-hop address-family ipv6 originate",
    ),
    Feature.UNNUMBERED: Supported(
        "ipv6 enable and neighbor interface",
        "eos.cfg: router bgp … > neighbor interface … peer-group … remote-as …",
    ),
    Feature.BFD: Supported(
        "router bfd interval, neighbor bfd", "eos.cfg: router bgp … > neighbor … bfd"
    ),
    Feature.BREAKOUT: Supported(
        "speed on the first lane of each interface", "eos.cfg: interface Ethernet… > speed …"
    ),
    Feature.RAIL_SUBNET: Supported(
        "access ports in one VLAN per rail, ip address on its SVI",
        "eos.cfg: interface Vlan… > ip address …",
    ),
    Feature.EVPN_L2: Supported(
        "vxlan vlan vni, router bgp vlan", "eos.cfg: interface Vxlan1 > vxlan vlan … vni …"
    ),
    Feature.EVPN_L3: Supported(
        "vxlan vrf vni, router bgp vrf", "eos.cfg: interface Vxlan1 > vxlan vrf … vni …"
    ),
    Feature.ANYCAST_GATEWAY: Supported(
        "ip address virtual, ip virtual-router mac-address",
        "eos.cfg: interface Vlan… > ip address virtual …",
    ),
    Feature.EXTERNAL: Supported(
        "router bgp vrf neighbor, with a route-map and prefix-list each way",
        "eos.cfg: router bgp … > vrf … > neighbor … remote-as …",
    ),
    Feature.LAG: Supported(
        "interface Port-Channel, channel-group mode active",
        "eos.cfg: interface Ethernet… > channel-group … mode active",
    ),
    Feature.HASH_FIELDS: Supported(
        "ip load-sharing trident fields, for IPv4 and IPv6",
        "eos.cfg: ip load-sharing trident fields ip …",
        but="it has no word for the protocol beside a part of the addresses and ports",
    ),
    Feature.QUEUE_PAIR_HASH: Supported(
        "port-channel load-balance trident udf, on Tomahawk",
        "eos.cfg: port-channel load-balance trident udf …",
    ),
    # The manual has hash seeds (openconfig/public pull 959 names its port-channel chapter), but no
    # copy that could be read shows the command, nor do PyAVD 6.4.0's schema, which has no such key,
    # annetutil/annet, which has the fields alone, or the list of Arista's TOIs on hashing.
    Feature.HASH_SEED: Unsupported("no public document that was found has the command"),
    Feature.FLOWLET: Supported(
        "ip hardware fib load-balance distribution dynamic, on Tomahawk",
        "eos.cfg: ip hardware fib load-balance distribution dynamic",
    ),
    Feature.SPRAY: Unsupported(
        "EOS 4.35.2F has randomized load balancing, but no public document has its command"
    ),
    # aristanetworks/avd issue 5004 has the commands.
    Feature.CLUSTER: Unsupported(
        "`load-balance cluster` is known, but not which of these models takes it, nor what its "
        "groups and flow limits must be"
    ),
    Feature.DSCP_MAP: Supported(
        "qos map dscp to traffic-class to tx-queue", "eos.cfg: qos map dscp … to traffic-class …"
    ),
    Feature.SCHEDULER: Supported(
        "qos profile: priority strict, bandwidth percent",
        "eos.cfg: qos profile … > uc-tx-queue … > bandwidth percent …",
    ),
    Feature.PFC: Supported(
        "qos profile: priority-flow-control priority no-drop",
        "eos.cfg: qos profile … > priority-flow-control priority … no-drop",
    ),
    Feature.ECN: Supported(
        "qos profile: random-detect ecn",
        "eos.cfg: qos profile … > uc-tx-queue … > random-detect ecn …",
    ),
    Feature.WATCHDOG: Supported(
        "priority-flow-control pause watchdog",
        "eos.cfg: priority-flow-control pause watchdog …",
        but="it watches queues with guaranteed bandwidth only, which no document shows on these "
        "models and which is not written",
    ),
    Feature.MANAGEMENT_VRF: Supported(
        "vrf instance, interface Management1", "eos.cfg: interface Management1 > vrf …"
    ),
    Feature.NTP: Supported("ntp server vrf", "eos.cfg: ntp server vrf …"),
    Feature.SYSLOG: Supported("logging vrf host", "eos.cfg: logging vrf … host …"),
    Feature.DNS: Supported("ip name-server vrf", "eos.cfg: ip name-server vrf …"),
    Feature.DOMAIN: Supported("dns domain", "eos.cfg: dns domain …"),
    Feature.SNMP: Supported(
        "snmp-server community ro, snmp-server vrf", "eos.cfg: snmp-server community …"
    ),
    Feature.GNMI: Supported("management api gnmi", "eos.cfg: management api gnmi > …"),
    Feature.COLLECTORS: Supported(
        "a standard ACL on the gNMI server",
        "eos.cfg: management api gnmi > … > ip access-group GNMI-COLLECTORS",
    ),
    Feature.TLS: Supported(
        "management security, ssl profile, of eAPI and of the gNMI server",
        "eos.cfg: management security > ssl profile … > certificate … key …",
    ),
    Feature.USERS: Supported("username secret sha512, username ssh-key", "eos.cfg: username …"),
    Feature.BANNER: Supported("banner login", "eos.cfg: banner login…"),
}
