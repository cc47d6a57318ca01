"""One fault is one incident with the right root; the judge is the fault that was planted."""

import random
from collections.abc import Callable

import pytest
from tests.unit.proof.incidents.simulated import (
    Broken,
    End,
    Simulated,
    finding,
    simulated,
    three_tiers,
    with_findings,
)

from fabricgen.model.fabric.topology import Role
from fabricgen.nos.show import SHUT
from fabricgen.prove.incidents.grouping import incidents
from fabricgen.prove.incidents.model import Incident, Kind

SITES = ("lab", "full")


def found(broken: Broken) -> list[tuple[Kind, tuple[str, ...]]]:
    return [(each.cause.kind, each.cause.root) for each in grouped(broken)]


def grouped(broken: Broken) -> tuple[Incident, ...]:
    network = broken.network
    return incidents(network.site, broken.seen(), broken.silent, network.expected, network.impacts)


def name_of(network: Simulated, end: End) -> str:
    ends = next((a, b) for a, b in network.cables if end in (a, b))
    return " -- ".join(map(":".join, ends))


@pytest.mark.parametrize("site", SITES)
def test_a_right_network_has_no_incident(site: str) -> None:
    assert grouped(Broken(simulated(site))) == ()


@pytest.mark.parametrize("site", SITES)
def test_forty_single_faults_are_forty_incidents_with_the_right_root(site: str) -> None:
    network, lots = simulated(site), random.Random(32)
    wrong = []
    for number in range(40):
        broken, root = SORTS[number % len(SORTS)](network, lots)
        if found(broken) != [root]:
            wrong.append((root, found(broken)))
    assert wrong == []


def any_cable(network: Simulated, lots: random.Random) -> tuple[Broken, object]:
    end = lots.choice(network.cables)[0]
    return Broken(network).cable(end), (Kind.CABLE, (name_of(network, end),))


def any_switch(network: Simulated, lots: random.Random) -> tuple[Broken, object]:
    name = lots.choice(sorted({end[0] for pair in network.cables for end in pair}))
    return Broken(network).switch(name), (Kind.SWITCH_DOWN, (name,))


def any_daemon(network: Simulated, lots: random.Random) -> tuple[Broken, object]:
    name = lots.choice(sorted({end[0] for pair in network.cables for end in pair}))
    daemon = lots.choice(("bgpd", "bfdd", "lldpd"))
    return Broken(network).daemon(name, daemon), (Kind.DAEMON, (name, daemon))


def any_filter(network: Simulated, lots: random.Random) -> tuple[Broken, object]:
    """Drop the packets of a cable: its sessions end, and the link stays up."""
    end = lots.choice(network.cables)[0]
    return Broken(network).sessions(end), (Kind.CABLE_SILENT, (name_of(network, end),))


SORTS: tuple[Callable[[Simulated, random.Random], tuple[Broken, object]], ...] = (
    any_cable,
    any_switch,
    any_daemon,
    any_filter,
)


@pytest.mark.parametrize("site", SITES)
def test_two_dead_cables_of_different_switches_are_two_incidents(site: str) -> None:
    network, lots = simulated(site), random.Random(33)
    for _ in range(12):
        one, other = disjoint(network, lots)
        names = {(name_of(network, one),), (name_of(network, other),)}
        assert {root for _, root in found(Broken(network).cable(one).cable(other))} == names


def disjoint(network: Simulated, lots: random.Random) -> tuple[End, End]:
    """Draw two cables without a common switch."""
    while True:
        one, other = lots.sample(network.cables, 2)
        if {end[0] for end in one}.isdisjoint(end[0] for end in other):
            return one[0], other[0]


def test_a_dead_cable_and_a_dead_daemon_elsewhere_are_two_incidents() -> None:
    network = simulated("lab")
    broken = Broken(network).cable(("fe-leaf01", "swp29")).daemon("fe-leaf03", "bgpd")
    assert set(found(broken)) == {
        (Kind.CABLE, ("fe-leaf01:swp29 -- fe-spine1:swp1",)),
        (Kind.DAEMON, ("fe-leaf03", "bgpd")),
    }


def test_two_cables_that_cut_a_leaf_off_share_its_lost_routes_and_stay_two() -> None:
    network = simulated("lab")
    broken = Broken(network).cable(("fe-leaf01", "swp29")).cable(("fe-leaf01", "swp30"))
    roots = {root for kind, root in found(broken) if kind is Kind.CABLE}
    assert roots == {
        ("fe-leaf01:swp29 -- fe-spine1:swp1",),
        ("fe-leaf01:swp30 -- fe-spine2:swp1",),
    }
    assert len(found(broken)) == 2


def test_a_shut_port_explains_the_other_end() -> None:
    network = simulated("lab")
    broken = Broken(network).cable(("fe-leaf01", "swp29"))
    broken.facts["fe-leaf01"]["interface", "swp29"]["link"] = SHUT
    assert found(broken) == [(Kind.SHUT, ("fe-leaf01", "swp29"))]


def test_a_wrong_speed_explains_a_dark_cable() -> None:
    network = simulated("full")
    end = network.cables[0][0]
    broken = Broken(network).cable(end)
    broken.facts[end[0]]["interface", end[1]]["speed"] = "10G"
    assert found(broken) == [(Kind.MISMATCH, end)]


def test_an_err_disabled_port_explains_a_dark_cable() -> None:
    network = simulated("full")
    end = network.cables[0][0]
    broken = Broken(network).cable(end)
    network.expected[end[0]].facts["interface", end[1]]["errdisabled"] = "false"
    try:
        broken.facts[end[0]]["interface", end[1]]["errdisabled"] = "link-flap"
        assert found(broken) == [(Kind.ERR_DISABLED, end)]
    finally:
        del network.expected[end[0]].facts["interface", end[1]]["errdisabled"]


def test_a_switch_that_answers_without_any_link_is_the_root() -> None:
    network = simulated("full")
    spine = "fe-spine1"
    broken = Broken(network)
    for pair in network.cables:
        for end in pair:
            if end[0] == spine:
                broken.cable(end)
    assert found(broken) == [(Kind.SWITCH_ISOLATED, (spine,))]


def test_a_switch_whose_neighbors_see_it_is_unreachable_and_not_down() -> None:
    network = simulated("lab")
    broken = Broken(network)
    broken.silent["fe-leaf01"] = "timeout"
    (incident,) = grouped(broken)
    assert (incident.cause.kind, incident.findings) == (Kind.SWITCH_UNREACHABLE, ())


def test_swapped_cables_are_one_incident() -> None:
    network = simulated("lab")
    one, other = ("fe-leaf01", "swp29"), ("fe-leaf02", "swp29")
    broken = Broken(network)
    for here, there in ((one, other), (other, one)):
        far = network.far(there)
        broken.sessions(here)
        broken.facts[here[0]]["cable", here[1]] = {"far": (far,)}
        broken.facts[far[0]]["cable", far[1]] = {"far": (here,)}
    assert found(broken) == [
        (
            Kind.SWAPPED,
            ("fe-leaf01:swp29 -- fe-spine1:swp1", "fe-leaf02:swp29 -- fe-spine1:swp2"),
        )
    ]


def test_a_wrong_asn_explains_the_sessions_at_both_ends() -> None:
    network = simulated("lab")
    end = ("fe-leaf01", "swp29")
    broken = Broken(network).sessions(end)
    key = next(k for k, port in network.expected[end[0]].ports.items() if port == end[1])
    broken.facts[end[0]][key]["asn"] = "65001"
    assert found(broken) == [(Kind.SESSION, (end[0], *key))]


def test_a_wrong_address_explains_the_sessions_at_both_ends() -> None:
    network = simulated("lab")
    end = ("fe-leaf01", "swp29")
    broken = Broken(network).sessions(end)
    broken.facts[end[0]]["interface", end[1]]["address"] = ("192.0.2.1/31",)
    assert found(broken) == [(Kind.ADDRESS, end)]


def test_a_wrong_map_at_every_port_is_one_incident() -> None:
    network = simulated("full")
    broken = Broken(network)
    for key, own in broken.facts["be-su01-leaf1"].items():
        if key[0] == "qos":
            own["dscp 26"] = "1"
    assert found(broken) == [(Kind.QUEUES, ("be-su01-leaf1", "qos", "dscp 26"))]


def test_a_wrong_route_target_is_an_incident_of_its_network() -> None:
    network = simulated("lab")
    broken = Broken(network)
    broken.facts["fe-leaf04"]["vni", "10010"]["import"] = ("64999:10099",)
    (incident,) = grouped(broken)
    assert (incident.cause.kind, incident.cause.root) == (
        Kind.NETWORK,
        ("fe-leaf04", "vni", "10010"),
    )
    assert incident.impact.tenants == ("red",)


def test_an_unsynchronized_clock_is_an_incident_of_time() -> None:
    network = simulated("lab")
    broken = Broken(network)
    broken.facts["fe-leaf04"]["clock",]["synchronized"] = "false"
    assert found(broken) == [(Kind.TIME, ("fe-leaf04", "clock"))]


@pytest.mark.parametrize("role", list(Role))
def test_a_daemon_of_any_tier_explains_routes_over_several_tiers(role: Role) -> None:
    network = three_tiers()
    (fabric,) = network.site.fabrics
    name = next(each.name for each in fabric.topology.switches if each.role is role)
    assert found(Broken(network).daemon(name, "bgpd")) == [(Kind.DAEMON, (name, "bgpd"))]


@pytest.mark.parametrize("role", [Role.SPINE, Role.SUPERSPINE])
def test_a_dead_cable_of_any_tier_explains_routes_over_several_tiers(role: Role) -> None:
    network = three_tiers()
    (fabric,) = network.site.fabrics
    names = {each.name for each in fabric.topology.switches if each.role is role}
    end = next(end for pair in network.cables for end in pair if end[0] in names)
    assert found(Broken(network).cable(end)) == [(Kind.CABLE, (name_of(network, end),))]


def test_a_wrong_loopback_address_explains_lost_routes_and_sessions_everywhere() -> None:
    network = simulated("lab")
    broken = Broken(network)
    broken.facts["fe-leaf01"]["interface", "lo"]["address"] = ("192.0.2.9/32",)
    for name, each in network.expected.items():
        for key in each.of("route"):
            if each.role(key) == "fe-leaf01":
                del broken.facts[name][key]
        for key in each.of("session"):
            peer = name if each.role(key) == "fe-leaf01" else each.role(key)
            if "fe-leaf01" in (name, each.role(key)) and peer and key not in each.ports:
                broken.facts[name][key]["state"] = "Active"
    roots = found(broken)
    assert roots == [(Kind.ADDRESS, ("fe-leaf01", "lo"))]


def test_a_cut_path_explains_no_tunnel_that_has_another_path() -> None:
    network = simulated("lab")
    broken = Broken(network).cable(("fe-leaf01", "swp29"))
    broken.facts["fe-leaf02"]["flood", "10"]["vteps"] = ("10.65.0.3", "10.65.0.4")
    assert set(found(broken)) == {
        (Kind.CABLE, ("fe-leaf01:swp29 -- fe-spine1:swp1",)),
        (Kind.PAIR, ("tunnel", "fe-leaf01")),
    }


def test_two_dead_daemons_that_cut_the_pods_apart_together_stay_two() -> None:
    network = three_tiers()
    (fabric,) = network.site.fabrics
    above = [each.name for each in fabric.topology.switches if each.role is Role.SUPERSPINE]
    broken = Broken(network)
    for name in above:
        broken.daemon(name, "bgpd")
    assert set(found(broken)) == {(Kind.DAEMON, (name, "bgpd")) for name in above}


def test_lost_prefixes_of_a_session_follow_from_the_cause_of_lost_routes() -> None:
    """A leaf refuses all routes: its neighbors count fewer prefixes, and others lose routes."""
    network = simulated("lab")
    broken = Broken(network)
    for name, each in network.expected.items():
        for key in each.of("route"):
            if "fe-leaf01" in (name, each.role(key)) and key in broken.facts[name]:
                del broken.facts[name][key]
    session = next(iter(network.expected["fe-leaf01"].ports))
    fewer = finding("fe-leaf01", session, "prefixes-received", "7", "0")
    seen = with_findings(broken.seen(), "fe-leaf01", fewer)
    (incident,) = incidents(network.site, seen, {}, network.expected, network.impacts)
    assert (incident.cause.kind, incident.cause.root) == (Kind.ROUTES, ("fe-leaf01", "routes"))
    assert fewer in incident.findings
