"""List the commands that read an EOS switch, with the revision of each answer.

A revision fixes the shape of an answer in every release. Public data of real switches shows each
shape: ANTA (aristanetworks/anta, tests/units/anta_tests), NAPALM (napalm-automation/napalm,
test/eos/mocked_data) and suzieq (netenglabs/suzieq, tests/integration/sqcmds/eos-input). Text
commands have no public JSON, but public text.
"""

from collections.abc import Iterator

from fabricgen.core.tree.facts import GLOBAL, Facts
from fabricgen.nos.questions import PATH, Question, asked_paths
from fabricgen.nos.sample import sampled
from fabricgen.nos.show import Part

ROUTE, IMET, PREFIX = "route", "imet", "prefix"
"""First words of the keys of sampled questions: `route-3`, `imet-10010`, `prefix-50001-2`."""

QUESTIONS = (
    Question("hostname", "show hostname", 1, parts=(Part.IDENTITY,)),
    Question("version", "show version", 1),
    Question("interfaces", "show interfaces", 1, parts=(Part.INTERFACES,)),
    Question("ipv6", "show ipv6 interface", 1, parts=(Part.ADDRESSES,)),
    Question("virtual", "show ip virtual-router", 2, parts=(Part.ADDRESSES,)),
    Question("errors", "show interfaces counters errors", 1, parts=(Part.COUNTERS,)),
    Question("discards", "show interfaces counters discards", 1, parts=(Part.COUNTERS,)),
    Question("rates", "show interfaces counters rates", 1, parts=(Part.COUNTERS,)),
    Question("flow", "show interfaces flow-control", 1, parts=(Part.COUNTERS,)),
    Question("errdisabled", "show interfaces status errdisabled", 1, parts=(Part.ERRDISABLED,)),
    Question("inventory", "show inventory", 2, parts=(Part.OPTICS,)),
    Question(
        "dom", "show interfaces transceiver dom thresholds", 1, slow=True, parts=(Part.OPTICS,)
    ),
    Question("phy", "show interfaces phy detail", 2, slow=True, parts=(Part.CODEWORDS,)),
    Question("lldp", "show lldp neighbors detail", 1, parts=(Part.LLDP,)),
    Question("bundles", "show port-channel", 1, parts=(Part.BUNDLES,)),
    Question("lacp", "show lacp interface", 1, parts=(Part.BUNDLES,)),
    Question("mlag", "show mlag", 2, parts=(Part.PAIR,)),
    Question("sanity", "show mlag config-sanity", 1, parts=(Part.PAIR,)),
    Question("vlans", "show vlan", 1, parts=(Part.VLANS,)),
    Question("switchports", "show interfaces switchport", 1, parts=(Part.BRIDGE,)),
    Question("vrfs", "show vrf", 1, parts=(Part.VRFS,)),
    Question("vnis", "show vxlan vni", 1, parts=(Part.VNIS,)),
    Question("vxlan", "show interfaces vxlan 1", 1, parts=(Part.FLOOD,)),
    Question("vxlansanity", "show vxlan config-sanity", 1, parts=(Part.VNIS,)),
    Question("macs", "show mac address-table", 1, slow=True, parts=(Part.ENTRIES,)),
    Question("arp", "show arp vrf all", 1, parts=(Part.ENTRIES,)),
    Question("bgp", "show bgp summary vrf all", 1, parts=(Part.BGP,)),
    Question("peers", "show bgp neighbors vrf all", 2, slow=True, parts=(Part.POLICIES,)),
    Question("bfd", "show bfd peers detail", 1, parts=(Part.BFD,)),
    Question("models", "show ip route summary", 3, parts=(Part.RELOAD,)),
    Question("tcam", "show hardware tcam profile", 1, parts=(Part.TCAM,)),
    Question("acls", "show ip access-lists", 1, parts=(Part.ACLS,)),
    Question("acls6", "show ipv6 access-lists", 1, parts=(Part.ACLS,)),
    Question("pfc", "show priority-flow-control counters", 3, parts=(Part.QUEUE_COUNTERS,)),
    Question(
        "priorities",
        "show interfaces priority-flow-control counters detail",
        1,
        parts=(Part.PRIORITIES,),
    ),
    Question("storms", "show priority-flow-control counters watchdog", 1, parts=(Part.WATCHDOG,)),
    Question("marks", "show qos interfaces ecn counters queue", 1, parts=(Part.MARKS,)),
    Question("queues", "show interfaces counters queue detail", 1, parts=(Part.DROPS,)),
    Question("voqs", "show interfaces counters queue drops", 1, parts=(Part.DROPS,)),
    Question("capacity", "show hardware capacity", 1, slow=True, parts=(Part.CAPACITY,)),
    Question("power", "show system environment power", 1, parts=(Part.ENVIRONMENT,)),
    Question("cooling", "show system environment cooling", 1, parts=(Part.ENVIRONMENT,)),
    Question("temperature", "show system environment temperature", 1, parts=(Part.ENVIRONMENT,)),
    Question("ptp", "show ptp", 2, parts=(Part.TIME,)),
    Question("ntp", "show ntp associations", 1, parts=(Part.TIME,)),
    Question("dns", "show ip name-server", 1, parts=(Part.SERVICES,)),
    Question("tacacs", "show tacacs", 1, parts=(Part.SERVICES,)),
    Question("api", "show management api http-commands", 1, parts=(Part.SERVICES,)),
    Question(
        "certificates", "show management security ssl certificate", 1, parts=(Part.CERTIFICATES,)
    ),
    Question("cores", "show system coredump", 1, parts=(Part.DAEMONS,)),
    Question("sessions", "show configuration sessions detail", 1, parts=(Part.PENDING,)),
    Question("gnmi", "show management api gnmi", text=True, parts=(Part.SERVICES,)),
    Question("instances", "show bgp evpn instance", text=True, parts=(Part.EVPN,)),
    Question("unsaved", "show running-config diffs", text=True, parts=(Part.SAVED,)),
)


def questions(expected: Facts) -> tuple[Question, ...]:
    """Return the questions, with those for a sample of the expected routes."""
    sampled_routes = (*_routes(expected), *_multicast(expected), *_prefixes(expected))
    return (*QUESTIONS, *sampled_routes, *_paths(expected))


def _paths(expected: Facts) -> Iterator[Question]:
    """Yield a question for each asked address; the answer has its longest prefix.

    ANTA asks so for single addresses (anta/tests/routing/generic.py, VerifyRoutingTableEntry).
    """
    for vrf, address in asked_paths(expected):
        line = f"show ip route vrf {vrf} {address}"
        if address.version == 4:
            yield Question(f"{PATH}-{vrf}-{address}", line, 4, parts=(Part.PATHS,))


def _routes(expected: Facts) -> Iterator[Question]:
    """Yield a question for each sampled route of the underlay."""
    for number, (_, vrf, prefix) in enumerate(sampled(expected, "route"), 1):
        yield Question(f"{ROUTE}-{number}", f"show ip route vrf {vrf} {prefix}", 4)


def _multicast(expected: Facts) -> Iterator[Question]:
    for _, vni in sampled(expected, "evpn"):
        line = f"show bgp evpn route-type imet vni {vni} detail"
        yield Question(f"{IMET}-{vni}", line, text=True)


def _prefixes(expected: Facts) -> Iterator[Question]:
    """Yield a question for each sampled subnet of a VRF, by its VNI."""
    vnis = {
        own["vrf"]: key[1]
        for key, own in expected.items()
        if key[0] == "vni" and own.get("layer") == "3" and own.get("vrf") != GLOBAL
    }
    for number, (_, vrf, prefix) in enumerate(sampled(expected, "evpn-prefix"), 1):
        if vrf in vnis:
            line = f"show bgp evpn route-type ip-prefix {prefix} vni {vnis[vrf]}"
            yield Question(f"{PREFIX}-{vnis[vrf]}-{number}", line, 2)
