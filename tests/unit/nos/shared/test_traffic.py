"""The traffic state follows from neutral facts alone, and an unread value is absent in it."""

from typing import Any

import pytest

from fabricgen.core.tree.facts import FALSE, GLOBAL, TRUE, Facts
from fabricgen.nos.shared.health import health, links_of
from fabricgen.nos.shared.traffic import KnownServer, traffic_of
from fabricgen.nos.show import Observed, Part
from fabricgen.nos.traffic import SERVERS, Bridged, Routed, Traffic

VTEP = "10.65.0.2"
FACTS: Facts = {
    ("vni", "10110"): {"vlan": "110", "layer": "2", "source": VTEP, "vrf": "red"},
    ("vni", "50001"): {"vlan": "3001", "layer": "3", "source": VTEP, "vrf": "red"},
    ("flood", "110"): {"vteps": ("10.65.0.1", "10.65.0.3")},
    ("evpn", "10110"): {"imet": ("10.65.0.1", "10.65.0.2", "10.65.0.3")},
    ("evpn-prefix", "red", "10.120.0.0/24"): {"vteps": ("10.65.0.1", "10.65.0.3")},
    ("evpn-prefix", "red", "10.120.0.9/32"): {"vteps": ("10.65.0.1",)},
    ("route", GLOBAL, "10.65.0.3/32"): {"ports": ("Ethernet1", "Ethernet2")},
    ("route", GLOBAL, "10.72.0.0/31"): {"ports": ("Ethernet1",)},
    ("bundle-member", "Port-Channel1", "Ethernet9"): {"state": "bundled"},
    ("bundle-member", "Port-Channel1", "Ethernet10"): {"state": "negotiation"},
    ("interface", "Port-Channel1"): {"vlans": ("110", "120"), "link": "up"},
    ("interface", "Vlan110"): {"address": ("10.110.0.1/24",)},
    ("qos", "Ethernet1"): {"pause": ("3",)},
}


def seen(more: Facts | None = None) -> Observed:
    return Observed(facts={**FACTS, **(more or {})})


def test_the_traffic_follows_from_the_facts() -> None:
    assert traffic_of(seen()) == Traffic(
        vtep=VTEP,
        vlans={
            110: Bridged(vni=10110, far=frozenset({"10.65.0.1", "10.65.0.3"}), routes={3: 3}),
        },
        vrfs={
            "red": Routed(
                vni=50001,
                subnets=frozenset({"10.120.0.0/24"}),
                hosts=1,
                prefixes={"10.65.0.1": 2, "10.65.0.3": 1},
            )
        },
        fib={"10.65.0.3/32": 2},
        bundles={"Port-Channel1 Ethernet9": True, "Port-Channel1 Ethernet10": False},
        trunks={"Port-Channel1": frozenset({110, 120})},
        paused={"Ethernet1": frozenset({3})},
    )


def test_nothing_read_is_nothing_lost() -> None:
    """No mapping has a zero or an empty set in place of an unread value."""
    assert traffic_of(Observed()) == Traffic()


def test_macs_are_counted_and_are_unknown_without_a_count() -> None:
    counted = Observed(facts=FACTS, measures={("macs", "110"): 7.0})
    assert traffic_of(counted).vlans[110].macs == 7
    assert traffic_of(seen()).vlans[110].macs is None


def test_counted_routes_of_a_vni_win_over_the_ends_that_advertise_it() -> None:
    counts: dict[tuple[str, ...], float] = {
        ("evpn-routes", "10110", "2"): 40.0,
        ("evpn-routes", "10110", "imet"): 2.0,
    }
    vlan = traffic_of(Observed(facts=FACTS, measures=counts)).vlans[110]
    assert vlan.routes == {2: 40, 3: 2}


@pytest.mark.parametrize(
    ("hardware", "paths"),
    [
        ({"programmed": TRUE}, 2),
        ({"programmed": FALSE}, 0),
        ({"ports": ("Ethernet1",)}, 1),
    ],
)
def test_a_route_has_the_paths_of_the_hardware(hardware: dict[str, Any], paths: int) -> None:
    """A route that the chip refused carries no packet."""
    own: Facts = {("hardware", GLOBAL, "10.65.0.3/32"): hardware}
    assert traffic_of(seen(own)).fib == {"10.65.0.3/32": paths}


def test_tunnels_with_two_sources_have_no_one_end() -> None:
    other: Facts = {("vni", "10120"): {"vlan": "120", "layer": "2", "source": "10.65.0.9"}}
    assert traffic_of(seen(other)).vtep == ""


def test_a_few_servers_of_a_vlan_are_known_by_address() -> None:
    many = {f"10.110.0.{n}": KnownServer(f"02:00:00:00:00:{n:02x}", "") for n in range(10, 30)}
    local = {110: {"10.110.0.9": KnownServer("02:00:00:00:00:09", "Ethernet9"), **many}}
    vlan = traffic_of(seen(), servers=local, gateways={110: "10.110.0.1 02:fb:00:00:00:01"})
    assert len(vlan.vlans[110].servers) == SERVERS
    assert vlan.vlans[110].ports == {"10.110.0.9": "Ethernet9"}
    assert vlan.vlans[110].gateway == "10.110.0.1 02:fb:00:00:00:01"


def test_only_ports_are_trunks() -> None:
    facts: Facts = {("interface", "Vlan110"): {"vlans": ("110",)}}
    named = traffic_of(seen(facts), is_trunk=lambda name: not name.startswith("Vlan"))
    assert named.trunks == {"Port-Channel1": frozenset({110, 120})}


def test_a_health_follows_from_the_same_snapshot() -> None:
    facts: Facts = {
        ("interface", "Ethernet1"): {"link": "up"},
        ("interface", "Ethernet2"): {"link": "enabled"},
        ("interface", "Ethernet3"): {"link": "shut"},
        ("interface", "Vxlan1"): {"vlans": ("1",)},
        ("pair",): {"domain": "leafs", "state": "formed"},
        ("session", GLOBAL, "10.72.0.0"): {"state": "Established"},
    }
    look = Observed(facts=facts, unread={Part.QOS: "the command was refused"})
    found = health(look, links=links_of(look), traffic=traffic_of(look))
    assert found.links == {"Ethernet1": True, "Ethernet2": False}
    assert found.pairs == {"leafs": True}
    assert found.sessions == {"default 10.72.0.0": True}
    assert found.unread == ("QoS maps and PFC: the command was refused",)
    assert found.observed is look
