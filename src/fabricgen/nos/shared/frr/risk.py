"""What a change of frr.conf does to the sessions of a switch: rules from FRR's own source.

The change is taken to be applied by frr-reload.py or as it does, by the lines that differ alone.
FRR forwards nothing itself, so the worst it can do is to lose routes and sessions.
"""

import re

from fabricgen.nos.shared import bgp_lines as bgp
from fabricgen.tree.risk import ADDED, CAUTION, CHANGED, STATIC_ROUTES, USE, Dialect, Risk, Rule
from fabricgen.tree.settings import Settings, sections

HITLESS, SESSION, _, _ = Risk

_ENDS = frozenset({"exit", "exit-vrf", "exit-vni", "exit-address-family", "end"})
_BGPD = "FRRouting/frr bgpd/bgpd.c"
_PEER_DOWN = "FRRouting/frr bgpd/bgpd.h, PEER_DOWN_… (changes that reset a session)"
_FLAGS = f"{_BGPD}: peer_flag_action_list, peer_af_flag_action_list"
_RMAP = "FRRouting/frr bgpd/bgpd.h: RMAP_DEFAULT_UPDATE_TIMER; RFC 2918 (route refresh)"
_OPEN = "RFC 5492 (capabilities are said in OPEN only)"

_PROCESS = r"router bgp(?: vrf \S+)?"
_FAMILY = r"(?: > address-family \S+ \S+)?"
_NEIGHBOR = r"neighbor [^ >]+"

RULES = (
    Rule(
        r"(?:frr version|frr defaults|hostname|log|service integrated-vtysh-config)\b.*",
        HITLESS,
        "about the daemons themselves",
        "docs.frrouting.org, Basic Setup",
    ),
    Rule(
        r"(?:no )?zebra nexthop kernel enable",
        SESSION,
        "zebra installs routes another way from then on; taking the line out has left routes "
        "rejected until the next flap",
        "FRRouting/frr issue 19107",
    ),
    Rule(r"(?:no )?fpm .*", SESSION, "zebra gives the hardware its routes another way", CAUTION),
    Rule(r"(?:.* > )?description(?: (?P<value>.*))?", HITLESS, "a remark", USE),
    Rule(
        rf"{_PROCESS} > as (?P<value>.*)",
        SESSION,
        "another ASN is another process of BGP: every session and route of it ends until the new "
        "one has its own",
        f"{_BGPD}: bgp_get; nos/shared/onswitch/frr.py, ending",
    ),
    Rule(
        rf"{_PROCESS} > bgp router-id (?P<value>.*)",
        SESSION,
        "a Cease goes to every neighbour of the process",
        f"{_BGPD}: bgp_router_id_set",
    ),
    Rule(
        rf"{_PROCESS}{_FAMILY} > {_NEIGHBOR}(?: > .*)?",
        HITLESS,
        "a session more; traffic moves to it when it is up",
        USE,
        ADDED,
        when=bgp.new_session,
    ),
    Rule(
        rf"{_PROCESS}{_FAMILY} > {_NEIGHBOR} > route-map (?P<value>\S+) (?:in|out)",
        HITLESS,
        "policy: the session stays, routes are filtered anew after 5 s; traffic may move",
        _RMAP,
    ),
    Rule(
        rf"{_PROCESS} > address-family .* > {_NEIGHBOR}(?: > (?:no )?activate)?",
        SESSION,
        "an address family begins or ends with a new session",
        _OPEN,
    ),
    Rule(
        rf"{_PROCESS} > {_NEIGHBOR} > (?:update-source|ebgp-multihop|remote-as)"
        r"(?: (?P<value>.*))?",
        SESSION,
        "a Cease goes to the neighbour, the session is set up anew",
        f"{_PEER_DOWN}: REMOTE_AS, UPDATE_SOURCE, MULTIHOP",
    ),
    Rule(
        rf"{_PROCESS} > {_NEIGHBOR} > (?:interface )?peer-group(?: (?P<value>.*))?",
        SESSION,
        "the session takes the settings of another group, and is set up anew",
        f"{_PEER_DOWN}: a group's binding",
    ),
    Rule(
        rf"{_PROCESS} > {_NEIGHBOR} > bfd profile (?P<value>.*)",
        HITLESS,
        "BFD takes other timers within its session",
        "measured on FRR 8.4.4: the eight BGP sessions of a spine stayed up",
        CHANGED,
    ),
    Rule(
        rf"{_PROCESS} > {_NEIGHBOR} > bfd(?: profile .*)?",
        SESSION,
        "numbered sessions were seen to be reset once when BFD comes up (FRR 8.4.4)",
        "measured on FRR 8.4.4",
    ),
    Rule(
        rf"{_PROCESS}{_FAMILY} > {_NEIGHBOR} > "
        r"(?:send-community|next-hop-self|attribute-unchanged|as-path|soft-reconfiguration|"
        r"allowas-in|maximum-prefix)\b.*",
        HITLESS,
        "routes are told or learned anew within the session",
        _FLAGS,
    ),
    Rule(
        rf"{_PROCESS}{_FAMILY} > {_NEIGHBOR}(?: > .*)?",
        SESSION,
        "the session ends or is set up anew",
        _FLAGS,
    ),
    Rule(
        rf"{_PROCESS}{_FAMILY} > (?:maximum-paths|redistribute|bgp bestpath|advertise)\b"
        r"(?P<value>.*)",
        HITLESS,
        "routes are chosen or told anew; traffic may move",
        USE,
    ),
    Rule(
        rf"{_PROCESS} > address-family \S+ \S+ > vni \S+",
        HITLESS,
        "a tenant's VNI more",
        USE,
        ADDED,
    ),
    Rule(
        rf"{_PROCESS} > address-family .* > (?:rd|route-target \S+) (?P<value>\S+)",
        SESSION,
        "the tenant's routes are withdrawn, and told anew under another mark",
        "RFC 7432, RFC 9136",
    ),
    Rule(rf"{_PROCESS}", HITLESS, "a process more", USE, ADDED),
    Rule(rf"{_PROCESS}(?: > .*)?", SESSION, "a setting of the whole process, or its end", CAUTION),
    Rule(r"vrf \S+(?: > vni \S+)?", HITLESS, "a tenant more", USE, ADDED),
    Rule(r"vrf \S+(?: > .*)?", SESSION, "the tenant's routes end", USE),
    Rule(
        r"(?:ip|ipv6) prefix-list \S+ .*|bgp (?:large-|ext)?community-list .*|route-map .*",
        HITLESS,
        "policy: sessions stay, routes are filtered anew after 5 s; traffic may move",
        _RMAP,
    ),
    Rule(
        r"bfd(?: > .*)?",
        HITLESS,
        "timers change within the session, by a poll sequence",
        "RFC 5880, 6.5 and 6.8.3",
    ),
    *STATIC_ROUTES,
)
UNKNOWN = Rule(
    r".*",
    SESSION,
    "not known: no rule speaks of it, so sessions may be reset",
    "cautious: FRR has no queues, it can only lose routes and sessions",
)


def _read(text: str) -> Settings:
    return sections(text, fold=bgp.fold, ends=_ENDS)


def dialect(file: str) -> Dialect:
    """Return how frr.conf is judged, for an OS that has it at `file`."""
    return Dialect(file=re.compile(file), read=_read, rules=RULES, unknown=UNKNOWN)
