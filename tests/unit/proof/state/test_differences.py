"""One fact of a switch that differs, of each kind: how it is named, and if it may still come."""

from collections.abc import Iterable

import pytest

from fabricgen.core.provenance import Provenance
from fabricgen.core.tree.facts import Attributes, Facts, Key, Value
from fabricgen.nos.linux.show.reader import LINUX
from fabricgen.nos.show import ENABLED, ESTABLISHED, SHUT, UP, Observed, Part
from fabricgen.prove.designed import MORE, Designed
from fabricgen.prove.differences import Difference, Kind, compare
from fabricgen.prove.runs import Expected

PORT: Key = ("interface", "swp1")
CABLE: Key = ("cable", "swp1")
PEER: Key = ("session", "default", "10.0.0.2")
TENANT: Key = ("session", "red", "10.1.0.2")
WATCH: Key = ("bfd", "default", "10.0.0.2")
VNI: Key = ("vni", "10100")
VRF: Key = ("vrf", "red")
WAY: Key = ("route", "default", "10.0.0.9/32")
QUEUES: Key = ("queues", "swp1")
WHY = Provenance((("frontend", "underlay"),), "eBGP on every switch link")

FACTS: Facts = {
    PORT: {"link": UP, "mtu": "9214", "address": ("10.0.0.1/31",), "vlans": ("100",)},
    CABLE: {"far": (("spine1", "swp9"),)},
    VRF: {"table": "1001"},
    PEER: {"asn": "65001", "state": ESTABLISHED, "families": ("ipv4Unicast",)},
    TENANT: {"asn": "65009", "state": ESTABLISHED},
    WATCH: {"timers": "300 ms times 3", "state": UP},
    VNI: {
        "device": "vni10100",
        "source": "10.9.0.1",
        "vlan": "100",
        "layer": "2",
        "vrf": "red",
        "rd": "10.0.0.1:100",
        "import": ("64999:10100",),
        "export": ("64999:10100",),
    },
    WAY: {"ports": ("swp1", "swp2")},
    QUEUES: {"scheduler": "ets", "bands": "3 2 1", "default": "1:1", "dscp 4 26": "1:3"},
}
ROLES = {PORT: "port to spine1", PEER: "spine1", WATCH: "spine1", TENANT: "wan"}


def wanted(facts: Facts, optional: Iterable[Key] = ()) -> Expected:
    designs = {
        key: Designed("spine1" if key[0] == "route" else ROLES.get(key, MORE), key, own, WHY)
        for key, own in facts.items()
    }
    return Expected(
        switch="leaf1",
        platform="linux",
        facts=facts,
        designs=designs,
        ports={PEER: "swp1"},
        optional=frozenset(optional),
        about=LINUX.about,
    )


def having(key: Key, **changes: Value | None) -> Facts:
    """Return the facts with other values of one object; None takes one away."""
    own: Attributes = {**FACTS.get(key, {}), **{n: v for n, v in changes.items() if v is not None}}
    left = {name: value for name, value in own.items() if changes.get(name, value) is not None}
    return {**FACTS, key: left}


def without(*keys: Key) -> Facts:
    return {key: own for key, own in FACTS.items() if key not in keys}


def said(found: Iterable[Difference]) -> list[str]:
    return [f"{each.kind}: {each.sentence.removeprefix('leaf1: ')}" for each in found]


def differing(shown: Facts, facts: Facts = FACTS, optional: Iterable[Key] = ()) -> list[str]:
    return said(compare(wanted(facts, optional), Observed(facts=shown)))


def test_a_switch_that_shows_what_it_must_has_no_difference() -> None:
    assert differing(FACTS) == []


ONE: dict[str, tuple[Facts, str]] = {
    "an MTU": (
        having(PORT, mtu="1500"),
        "wrong: swp1 (port to spine1) has MTU 1500, but the model has 9214",
    ),
    "an address too many": (
        having(PORT, address=("10.0.0.1/31", "10.0.0.5/31")),
        (
            "wrong: swp1 (port to spine1) has address 10.0.0.1/31, 10.0.0.5/31, but the model has "
            "10.0.0.1/31"
        ),
    ),
    "no address": (
        having(PORT, address=None),
        "wrong: swp1 (port to spine1) has address nothing, but the model has 10.0.0.1/31",
    ),
    "no link": (
        having(PORT, link=ENABLED),
        "not yet: swp1 (port to spine1) is not shut, but has no link",
    ),
    "a port that is shut": (
        having(PORT, link=SHUT),
        "wrong: swp1 (port to spine1) is shut, but in the model it is up",
    ),
    "a port in a VRF": (
        having(PORT, vrf="blue"),
        "wrong: swp1 (port to spine1) is in VRF blue, but the model has nothing",
    ),
    "a VLAN too few": (
        having(PORT, vlans=()),
        "wrong: swp1 (port to spine1) carries VLAN nothing, but the model has 100",
    ),
    "nobody heard": (
        without(CABLE),
        "not yet: swp1 has not received spine1 swp9 by LLDP",
    ),
    "another neighbor": (
        having(CABLE, far=(("spine2", "swp9"),)),
        "wrong: swp1 is cabled to spine2 swp9, but the model has spine1 swp9",
    ),
    "another port of the neighbor": (
        having(CABLE, far=(("spine1", "swp8"),)),
        "wrong: swp1 is cabled to spine1 swp8, but the model has spine1 swp9",
    ),
    "a VRF of another table": (
        having(VRF, table="1002"),
        "wrong: VRF red has routing table 1002, but the model has 1001",
    ),
    "a VRF of nobody": (
        {**FACTS, ("vrf", "blue"): {"table": "1002"}},
        "wrong: there is a VRF blue, which is not in the model",
    ),
    "a session that is down": (
        having(TENANT, state="Active"),
        "not yet: BGP neighbor 10.1.0.2 (wan) in VRF red is not up: the session is Active",
    ),
    "another ASN": (
        having(TENANT, asn="1"),
        "wrong: BGP neighbor 10.1.0.2 (wan) in VRF red has remote ASN 1, but the model has 65009",
    ),
    "a session that is missing": (
        without(TENANT),
        "wrong: BGP neighbor 10.1.0.2 (wan) in VRF red is not configured",
    ),
    "a session of nobody": (
        {**FACTS, ("session", "default", "10.7.7.7"): {"asn": "7", "state": ESTABLISHED}},
        "wrong: there is a BGP neighbor 10.7.7.7 with remote ASN 7, which is not in the model",
    ),
    "other timers": (
        having(WATCH, timers="50 ms times 3"),
        (
            "wrong: BFD of BGP neighbor 10.0.0.2 (spine1) has 50 ms times 3, but the model has "
            "300 ms times 3"
        ),
    ),
    "BFD that is down": (
        having(WATCH, state="down"),
        "not yet: BFD of BGP neighbor 10.0.0.2 (spine1) is not up",
    ),
    "no BFD": (
        without(WATCH),
        "wrong: BGP neighbor 10.0.0.2 (spine1) has no BFD session",
    ),
    "BFD of nobody": (
        {**FACTS, ("bfd", "red", "10.7.7.7"): {"timers": "1 ms times 3", "state": UP}},
        "wrong: there is a BFD session with 10.7.7.7 in VRF red, which is not in the model",
    ),
    "no device of a VNI": (
        having(VNI, device=None),
        "wrong: VNI 10100 (VLAN 100) has no VXLAN device vni10100",
    ),
    "another source": (
        having(VNI, source="10.9.0.2"),
        "wrong: VNI 10100 starts its tunnels at 10.9.0.2, but the model has 10.9.0.1",
    ),
    "another VLAN": (
        having(VNI, vlan="101"),
        "wrong: VNI 10100 has VLAN 101, but the model has 100",
    ),
    "not known to routing": (
        having(VNI, layer=None),
        "wrong: the routing daemon does not know VNI 10100",
    ),
    "not announced": (
        having(VNI, rd=None),
        "wrong: VNI 10100 is not advertised in EVPN",
    ),
    "another target": (
        having(VNI, export=("64999:1",)),
        "wrong: VNI 10100 exports route target 64999:1, but the model has 64999:10100",
    ),
    "a VNI of nobody": (
        {**FACTS, ("vni", "7"): {"device": "vni7"}},
        "wrong: there is a VNI 7, which is not in the model",
    ),
    "a way less": (
        having(WAY, ports=("swp1",)),
        "not yet: packets to spine1 (10.0.0.9/32) leave by swp1, but the model has swp1, swp2",
    ),
    "another way": (
        having(WAY, ports=("swp1", "swp3")),
        "wrong: packets to spine1 (10.0.0.9/32) leave by swp1, swp3, but the model has swp1, swp2",
    ),
    "no way": (
        without(WAY),
        "not yet: packets to spine1 (10.0.0.9/32) have no route, but the model has swp1, swp2",
    ),
    "a route of nobody": (
        {**FACTS, ("route", "default", "10.7.0.0/24"): {"ports": ("swp1",)}},
        "wrong: BGP has a route to 10.7.0.0/24, which is not in the model",
    ),
    "another scheduler": (
        having(QUEUES, scheduler="prio"),
        "wrong: on swp1 the scheduler is prio, but the model has ets",
    ),
    "other bands": (
        having(QUEUES, bands="1 1 1"),
        "wrong: on swp1 the band of each priority is 1 1 1, but the model has 3 2 1",
    ),
    "another default": (
        having(QUEUES, default="1:2"),
        "wrong: on swp1 the queue of all other packets is 1:2, but the model has 1:1",
    ),
    "another queue of a DSCP": (
        {**FACTS, QUEUES: {**FACTS[QUEUES], "dscp 4 26": "1:2"}},
        "wrong: on swp1 the queue of DSCP 26 in IPv4 is 1:2, but the model has 1:3",
    ),
    "a DSCP without a filter": (
        {**FACTS, QUEUES: {n: v for n, v in FACTS[QUEUES].items() if n != "dscp 4 26"}},
        "wrong: on swp1 the queue of DSCP 26 in IPv4 is 1:1, but the model has 1:3",
    ),
    "a filter of nobody": (
        {**FACTS, QUEUES: {**FACTS[QUEUES], "dscp 6 7": "1:3"}},
        "wrong: on swp1 the queue of DSCP 7 in IPv6 is 1:3, but the model has 1:1",
    ),
    "a marking of nobody": (
        {**FACTS, QUEUES: {**FACTS[QUEUES], "marking 1:3": ("10", "20", "5 %", "spared")}},
        (
            "wrong: on swp1 the ECN marking of queue 1:3 is 10 to 20 bytes with 5 %, spared, but "
            "the model has none"
        ),
    ),
}


@pytest.mark.parametrize("case", ONE)
def test_a_difference_is_named_once(case: str) -> None:
    shown, sentence = ONE[case]
    assert differing(shown) == [sentence]


NONE: dict[str, tuple[Facts, Facts]] = {
    "a link where none is asked for": (
        having(PORT, link=UP),
        having(PORT, link=ENABLED),
    ),
    "an attribute of a port that the model leaves open": (
        having(PORT, mac="00:00:00:00:00:01"),
        FACTS,
    ),
    "a DSCP that goes where all go": (
        {**FACTS, QUEUES: {**FACTS[QUEUES], "dscp 6 7": "1:1"}},
        FACTS,
    ),
    "queues of a port that has none": (
        {**FACTS, ("queues", "eth0"): {"scheduler": "fq"}},
        FACTS,
    ),
    "a topic that is not read": (having(PORT, color="red"), FACTS),
}


@pytest.mark.parametrize("case", NONE)
def test_what_is_as_good_or_what_the_model_does_not_speak_of_is_none(case: str) -> None:
    shown, facts = NONE[case]
    assert differing(shown, facts) == []


def test_who_need_not_speak_lldp_is_not_missed_and_a_stranger_there_is() -> None:
    server: Facts = {**FACTS, CABLE: {"far": (("gpu1", "rdma0"),)}}
    assert differing(without(CABLE), server, [CABLE]) == []
    nameless: Facts = {**FACTS, CABLE: {"far": (("", "00:00:00:00:00:01"),)}}
    assert differing(nameless, server, [CABLE]) == []
    other: Facts = {**FACTS, CABLE: {"far": (("gpu2", "rdma0"),)}}
    assert differing(other, server, [CABLE]) == [
        "wrong: swp1 is cabled to gpu2 rdma0, but the model has gpu1 rdma0"
    ]
    assert differing(nameless) == [
        (
            "wrong: swp1 is cabled to a nameless neighbor 00:00:00:00:00:01, but the model has "
            "spine1 swp9"
        )
    ]


def test_what_follows_from_a_difference_is_not_named_again() -> None:
    """A VRF that is missing has no session, no ports and no VNI of its own."""
    gone: Facts = {**without(VRF, TENANT), VNI: {**FACTS[VNI], "vrf": "default"}}
    assert differing(gone) == ["wrong: VRF red is missing"]


def test_a_session_over_a_wrong_cable_is_not_named_again() -> None:
    down: Facts = {
        **having(PEER, state="Active"),
        CABLE: {"far": (("spine2", "swp9"),)},
        WATCH: {"timers": "300 ms times 3", "state": "down"},
        WAY: {"ports": ("swp2",)},
    }
    assert differing(down) == [
        "wrong: swp1 is cabled to spine2 swp9, but the model has spine1 swp9"
    ]


def test_what_needs_a_session_that_is_down_is_not_named_again() -> None:
    down: Facts = {**having(PEER, state="Active"), WAY: {"ports": ("swp2",)}}
    down[WATCH] = {"timers": "300 ms times 3", "state": "down"}
    assert differing(down) == [
        "not yet: BGP neighbor 10.0.0.2 (spine1) is not up: the session is Active"
    ]


def test_a_wrong_asn_says_why_the_session_is_down() -> None:
    assert differing(having(PEER, asn="1", state="Idle")) == [
        (
            "wrong: BGP neighbor 10.0.0.2 (spine1) has remote ASN 1, but the model has 65001, and "
            "the session is Idle"
        )
    ]


def test_queues_that_are_alike_are_named_once() -> None:
    ports = [("queues", f"swp{number}") for number in range(1, 7)]
    facts: Facts = {key: {"scheduler": "ets", "default": "1:1"} for key in ports}
    shown: Facts = {key: {"scheduler": "prio", "default": "1:1"} for key in ports}
    assert differing(shown, facts) == [
        "wrong: on swp1, swp2, swp3, swp4 and 2 more the scheduler is prio, but the model has ets"
    ]


def test_routes_of_one_switch_are_named_once() -> None:
    ways: list[Key] = [("route", "default", f"10.0.0.{number}/32") for number in (1, 2, 3)]
    facts: Facts = {key: {"ports": ("swp1", "swp2")} for key in ways}
    shown: Facts = {key: {"ports": ("swp9",)} for key in ways}
    assert differing(shown, facts) == [
        (
            "wrong: packets to spine1 (10.0.0.1/32, 10.0.0.2/32 and 1 more) leave by swp9, "
            "but the model has swp1, swp2"
        )
    ]


def test_what_could_not_be_read_is_said_once_for_each_cause_and_not_compared() -> None:
    unread = {Part.BGP: "no vtysh", Part.BFD: "no vtysh", Part.LLDP: "no lldpcli"}
    shown = Observed(facts=without(PEER, TENANT, WATCH, CABLE), unread=unread)
    found = compare(wanted(FACTS), shown)
    assert {each.kind for each in found} == {Kind.UNREAD}
    assert sorted(each.sentence for each in found) == [
        "leaf1: BGP sessions, BFD sessions could not be read: no vtysh",
        "leaf1: LLDP neighbors could not be read: no lldpcli",
    ]
    only = wanted({PORT: FACTS[PORT]})
    assert compare(only, Observed(facts={PORT: FACTS[PORT]}, unread=unread)) == ()


def test_a_difference_leads_to_the_intent() -> None:
    (found,) = compare(wanted(FACTS), Observed(facts=having(PORT, mtu="1500")))
    assert found.as_data() == {
        "switch": "leaf1",
        "kind": "wrong",
        "what": "interface swp1",
        "said": "leaf1: swp1 (port to spine1) has MTU 1500, but the model has 9214",
        "intent": "frontend.underlay",
        "expected": "9214",
        "actual": "1500",
        "source": "",
    }
    assert (found.key, found.because) == (PORT, WHY)
    nobody = Observed(facts={**FACTS, ("vrf", "blue"): {"table": "1"}})
    (found,) = compare(wanted(FACTS), nobody)
    assert found.as_data()["intent"] == ""
