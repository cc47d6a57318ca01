"""What a kernel has beside the design, in answers of real switches with a line more: named once."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.unit.proof.state.lab import FRONTEND, LEAF, edited, models, models_of, sentences, text

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_site, load_texts
from fabricgen.nos.linux.show.reader import LINUX
from fabricgen.nos.shared.documents import SEPARATOR
from fabricgen.nos.show import Part
from fabricgen.prove.differences import compare
from fabricgen.prove.left import concerns
from fabricgen.prove.verifier import expectations

MODEL = models()[LEAF]
ROOT = Path(__file__).resolve().parents[4]
# As `tc -j filter show dev swp1 ingress` of iproute2 6.1 has it, cut to what is read.
DROP = {
    "protocol": "ip",
    "kind": "matchall",
    "options": {"actions": [{"kind": "gact", "control_action": {"type": "drop"}}]},
}


def more(key: str, *lines: str) -> str:
    """Return the look at the leaf with more lines in the answer of a command."""
    end = f"\n{SEPARATOR}{key} 0\n"
    return edited(text(LEAF), (end, "\n" + "\n".join(lines) + end))


def said(printed: str) -> list[str]:
    return sentences(compare(MODEL, LINUX.read(printed)))


LEFT = {
    "a blackhole route": (
        more("ways", "route red 4 boot blackhole 10.110.0.12 table red metric 1"),
        "VRF red has a route to 10.110.0.12/32 (blackhole, of protocol boot)",
    ),
    "by the number of the table": (
        more("ways", "route 1001 6 boot unreachable 2001:db8::/64 dev lo table 1001"),
        "VRF red has a route to 2001:db8::/64 (unreachable, of protocol boot)",
    ),
    "a wrong next hop": (
        more("ways", "route red 4 boot 10.110.0.12 via 10.111.0.9 dev vlan111 table red"),
        "VRF red has a route to 10.110.0.12/32 (via 10.111.0.9, of protocol boot)",
    ),
    "a default route of the underlay": (
        more("ways", "route main 4 boot default dev swp29 scope link"),
        "the main table has a route to 0.0.0.0/0 (by swp29, of protocol boot)",
    ),
    "a static route of FRR": (
        more("ways", "route red 4 static 192.0.2.0/24 via 10.110.0.12 dev vlan110 proto static"),
        "VRF red has a route to 192.0.2.0/24 (static)",
    ),
    "a subnet that is not routed": (
        edited(text(LEAF), ("connected red 10.110.0.0/24 vlan110\n", "")),
        "the route to 10.110.0.0/24 by vlan110 is missing",
    ),
    "a rule": (
        more("rules", "4 500:\tfrom all iif vlan110 lookup main"),
        "IPv4 rule 500 is from all iif vlan110 lookup main",
    ),
    "no rule of VRFs": (
        edited(text(LEAF), ("6 1000:\tfrom all lookup [l3mdev-table]\n", "")),
        "IPv6 rule 1000 is no rule sends packets of VRFs to their tables",
    ),
    "a gateway that does not forward": (
        more("settings", "ipv4/conf/vlan110/forwarding:0"),
        "net.ipv4.conf.vlan110.forwarding is 0",
    ),
    "a filter of all interfaces": (
        more("settings", "ipv4/conf/all/rp_filter:1"),
        "net.ipv4.conf.all.rp_filter is 1",
    ),
    "a fixed neighbor": (
        more("entries", "neighbor vlan110 10.110.0.12 02:00:00:00:00:99"),
        "vlan110 has neighbor 10.110.0.12 as a static entry for 02:00:00:00:00:99",
    ),
    "a fixed MAC": (
        more("entries", "mac swp1 02:00:00:00:00:99 "),
        "swp1 has MAC 02:00:00:00:00:99 as a static entry for swp1",
    ),
    "a port that is isolated": (
        edited(
            text(LEAF),
            (
                '"ifname":"swp1","master":"br0","learning":true,"isolated":false',
                '"ifname":"swp1","master":"br0","learning":true,"isolated":true',
            ),
        ),
        "bridge port swp1 has isolated on",
    ),
    "a drop of tc": (
        more("tc", "swp1 ingress", json.dumps([{**DROP, "options": {}}, DROP])),
        "tc ingress of swp1: drop of ip packets",
    ),
    "a packet filter of iptables": (
        more("nft", "*filter", ":FORWARD DROP [0:0]", "-A FORWARD -i swp1 -j REJECT", "COMMIT"),
        "iptables: chain FORWARD drops by default; chain FORWARD has a reject",
    ),
}


@pytest.mark.parametrize(("printed", "says"), LEFT.values(), ids=LEFT)
def test_it_is_named_and_nothing_else_is(printed: str, says: str) -> None:
    assert said(printed) == [f"wrong: {says}, but it is not in the design"]


def test_routes_of_another_daemon_are_named() -> None:
    assert said(more("ways", "protocol red ospf", "protocol red bgp")) == [
        "wrong: VRF red has routes of bgp; ospf, but the model has bgp"
    ]


QDISC = '[{"kind":"noqueue","handle":"0:","dev":"lo"'


@pytest.mark.parametrize(
    ("item", "says"),
    [
        ({"kind": "netem", "handle": "8001:", "dev": "vlan110", "root": True}, "netem at its root"),
        ({"kind": "tbf", "handle": "99:", "dev": "swp1", "parent": "1:2"}, "tbf at its 1:2"),
    ],
)
def test_a_queue_that_is_not_of_the_design_is_named(item: dict[str, object], says: str) -> None:
    printed = edited(text(LEAF), (QDISC, f"[{json.dumps(item)},{QDISC[1:]}"))
    device = item["dev"]
    assert said(printed) == [
        f"wrong: {device} has queue {says}, but it is not in the design",
    ]


RIGHT = {
    "management is people's own": more(
        "ways", "route mgmt 4 boot blackhole 192.0.2.1 table mgmt", "protocol mgmt ospf"
    ),
    "a table that no VRF has": more("ways", "route 77 4 boot blackhole default table 77"),
    "a host that management looks up": more("rules", "4 900:\tfrom all to 10.255.0.53 lookup mgmt"),
    "containers": more(
        "settings", "ipv4/conf/docker0/forwarding:0", "ipv4/conf/veth1a2b/rp_filter:1"
    ).replace(
        f"\n{SEPARATOR}entries 0", f"\nmac veth1a2b 02:00:00:00:00:77 \n{SEPARATOR}entries 0"
    ),
    "samples": more(
        "tc", "swp1 ingress", json.dumps([{**DROP, "options": {"actions": [{"kind": "sample"}]}}])
    ),
    "a policy of iptables for the switch itself": more("nft", "*filter", ":INPUT DROP [0:0]"),
}


@pytest.mark.parametrize("printed", RIGHT.values(), ids=RIGHT)
def test_what_touches_no_tenant_is_not_named(printed: str) -> None:
    assert said(printed) == []


def test_a_static_route_of_the_design_is_missed_until_the_daemon_brings_it() -> None:
    """Which next hop zebra chose does not matter: a host behind another leaf is reached by it."""
    site = FRONTEND.replace(
        "    attachments:\n      - {group: cpu, servers: 1-2",
        "        routes: [{to: 192.0.2.0/24, by: 10.110.0.12}]\n"
        "    attachments:\n      - {group: cpu, servers: 1-2",
    )
    model = models_of(site)[LEAF]
    missing = "not yet: VRF red has no route to 192.0.2.0/24, but the model has static"
    assert missing in sentences(compare(model, LINUX.read(text(LEAF))))
    for way in ("10.110.0.12 dev vlan110", "10.65.0.3 dev vlan3001"):
        line = f"route red 4 static 192.0.2.0/24 via {way} table red proto static metric 20"
        found = sentences(compare(model, LINUX.read(more("ways", line))))
        assert not [each for each in found if "192.0.2.0/24" in each]


def test_what_own_lines_speak_of_is_not_named() -> None:
    own = """  switches:
    fe-leaf02:
      custom_config:
        frr: |
          vrf red
           ip route 198.51.100.0/24 10.110.0.12
tenants:"""
    printed = more("ways", "route red 4 static 198.51.100.0/24 via 10.110.0.12 dev vlan110")
    assert said(printed) != []
    site = compile_site(load_texts({"site.yaml": FRONTEND.replace("tenants:", own, 1)})).site
    assert site is not None
    model = expectations(site, {LEAF})[LEAF]
    found = sentences(compare(model, LINUX.read(printed)))
    assert not [each for each in found if "198.51.100.0" in each]


@pytest.mark.parametrize(
    ("key", "part"),
    [
        ("ways", Part.WAYS),
        ("rules", Part.RULES),
        ("settings", Part.SETTINGS),
        ("entries", Part.ENTRIES),
        ("tc", Part.TC),
        ("nft", Part.TABLES),
    ],
)
def test_an_answer_of_another_shape_is_unread_and_said(key: str, part: Part) -> None:
    assert said(more(key, "Operation not permitted")) == [
        f"unread: {part} could not be read: Operation not permitted"
    ]


def test_filters_of_queues_of_another_shape_are_unread() -> None:
    first = '"options":{"handle":1,'
    printed = text(LEAF).replace(first, f'{first}"actions":7,', 1)
    (found,) = said(printed)
    assert found.startswith("unread: DSCP filters and classes could not be read")


def test_a_kernel_without_packet_filters_has_none() -> None:
    printed = more("nft", "mnl.c:60: Unable to initialize Netlink socket: Protocol not supported")
    assert said(printed) == []


def test_macs_that_evpn_fixes_on_a_bundle_of_two_leafs_are_not_named() -> None:
    site = compile_site(load_site(ROOT / "intent" / "pairs"), "linux").site
    assert site is not None
    leaf = expectations(site, ["fe-leaf03"])["fe-leaf03"]
    assert not concerns(("mac", "bond1", "02:00:00:00:00:01"), leaf)
    alone = replace(leaf, segments=frozenset())
    assert concerns(("mac", "bond1", "02:00:00:00:00:01"), alone)
