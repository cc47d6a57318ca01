"""What a change of tenants and routing of eos.cfg does to traffic: rules, each with its source."""

from fabricgen.nos.shared import bgp_lines as bgp
from fabricgen.tree.risk import ADDED, CAUTION, STATIC_ROUTES, USE, Risk, Rule

HITLESS, SESSION, _, _ = Risk

_REFRESH = "RFC 2918 (route refresh)"
_OPEN = "RFC 5492 (capabilities are said in OPEN only)"
_BGP = "RFC 4271 (what OPEN says holds for the session); FRRouting bgpd/bgpd.c resets on the same"

_PROCESS = r"router bgp(?: > vrf \S+)?"
_FAMILY = r"(?: > address-family \S+(?: \S+)?)?"

OVERLAY = (
    Rule(r"(?:vlan|vrf instance) \S+", HITLESS, "it did not exist", USE, ADDED),
    Rule(r"vlan \S+ > name (?P<value>.*)", HITLESS, "a remark", USE),
    Rule(r"(?:vlan|vrf instance) \S+(?: > .*)?", SESSION, "its traffic ends", USE),
    Rule(
        r"interface Vxlan1 > vxlan (?:vlan|vrf) \S+ vni (?P<value>\d+)",
        HITLESS,
        "a tenant's VNI more",
        USE,
        ADDED,
    ),
    Rule(
        r"interface Vxlan1 > vxlan (?:vlan|vrf) \S+ vni (?P<value>\d+)",
        SESSION,
        "the VNI's traffic ends",
        USE,
    ),
    Rule(
        r"interface Vxlan1 > vxlan (?P<value>.*)",
        SESSION,
        "every tunnel of the leaf is built anew",
        USE,
    ),
    Rule(
        r"ip virtual-router mac-address (?P<value>.*)",
        SESSION,
        "hosts hold the old MAC of their gateway until they ask again",
        USE,
    ),
    Rule(r"(?:ip routing|ipv6 unicast-routing)\b.*", HITLESS, "routing begins", USE, ADDED),
    Rule(r"(?:ip routing|ipv6 unicast-routing)\b.*", SESSION, "routing ends", USE),
)
ROUTING = (
    Rule(
        r"(?:ip|ipv6) (?:prefix-list|community-list|extcommunity-list)\b.*",
        HITLESS,
        "policy: sessions stay, routes are learned or told anew, traffic may move",
        _REFRESH,
    ),
    Rule(
        r"route-map .*",
        HITLESS,
        "policy: sessions stay, routes are learned or told anew, traffic may move",
        _REFRESH,
    ),
    Rule(
        r"router bfd > (?:multihop )?interval (?P<value>.*)",
        HITLESS,
        "timers change within the session, by a poll sequence",
        "RFC 5880, 6.5 and 6.8.3",
    ),
    *STATIC_ROUTES,
    Rule(
        r"router bgp > as (?P<value>.*)",
        SESSION,
        "another ASN is another process: every session ends",
        _BGP,
    ),
    Rule(
        rf"{_PROCESS} > router-id (?P<value>.*)",
        SESSION,
        "every session is reset; routes carry the new ID",
        _BGP,
    ),
    Rule(
        rf"{_PROCESS}{_FAMILY} > neighbor .*",
        HITLESS,
        "a session more; traffic moves to it when it is up",
        USE,
        ADDED,
        when=bgp.new_session,
    ),
    Rule(
        rf"{_PROCESS}{_FAMILY} > neighbor (?:interface )?[^ >]+ > route-map (?P<value>.*)",
        HITLESS,
        "policy: the session stays, routes are learned or told anew, traffic may move",
        _REFRESH,
    ),
    Rule(
        rf"{_PROCESS}{_FAMILY} > neighbor (?:interface )?[^ >]+ > maximum-routes (?P<value>.*)",
        HITLESS,
        "a limit; the session ends only when more routes come",
        USE,
    ),
    Rule(
        rf"{_PROCESS} > address-family .*neighbor [^>]*(?: > (?:no )?activate)?",
        SESSION,
        "an address family begins or ends with a new session",
        _OPEN,
    ),
    Rule(
        rf"{_PROCESS}{_FAMILY} > neighbor (?:interface )?[^ >]+"
        r"(?: > (?:remote-as|update-source|ebgp-multihop|bfd|peer.group .* remote-as|"
        r"peer.group)(?: (?P<value>.*))?)?",
        SESSION,
        "the session ends or is set up anew",
        _BGP,
    ),
    Rule(
        rf"{_PROCESS}{_FAMILY} > neighbor .*",
        SESSION,
        "an attribute of a standing session",
        CAUTION,
    ),
    Rule(r"router bgp > (?:vlan|vrf) \S+", HITLESS, "a tenant's routes more", USE, ADDED),
    Rule(
        r"router bgp > (?:vlan|vrf) \S+"
        r"(?: > (?:rd|route-target(?: \S+)*) (?P<value>\S+))?(?: > redistribute .*)?",
        SESSION,
        "the tenant's routes are withdrawn, and told anew under another mark",
        "RFC 7432, RFC 9136",
    ),
    Rule(
        rf"{_PROCESS}{_FAMILY} > (?:maximum-paths|redistribute|update|bgp bestpath)(?P<value>.*)",
        HITLESS,
        "routes are chosen or told anew; traffic may move",
        USE,
    ),
    Rule(r"router bgp", HITLESS, "BGP begins", USE, ADDED),
    Rule(r"router bgp(?: > .*)?", SESSION, "a setting of the whole process", CAUTION),
    Rule(r"router bfd(?: > .*)?", SESSION, "BFD sessions are set up anew", CAUTION),
)
