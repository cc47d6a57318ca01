"""Through NAPALM's real driver to the stand-in for EOS: what of its answers becomes health."""

from typing import Any

import pytest
from napalm.base.exceptions import CommandErrorException
from tests.deploy.eapi.clients import Bench

from fabricgen.nos.traffic import Bridged, End, Kind, Routed, Station, Traffic

# Shapes as in ANTA's unit tests, NAPALM's driver and facebook/DNE-TaaC; values made up.
SHOWN: dict[str, dict[str, Any]] = {
    "show bgp summary vrf all": {
        "vrfs": {
            "default": {
                "peers": {
                    "10.72.2.0": {
                        "peerState": "Established",
                        "peerAsn": "4294967294",
                        "ipv4Unicast": {"afiSafiState": "negotiated", "nlrisAccepted": 40},
                    },
                    "10.64.255.254": {
                        "peerState": "Established",
                        "l2VpnEvpn": {"afiSafiState": "negotiated", "nlrisAccepted": 7},
                    },
                    "10.72.2.2": {
                        "peerState": "Active",
                        "ipv4Unicast": {"afiSafiState": "advertised", "nlrisAccepted": 0},
                    },
                }
            },
            "training": {"peers": {}},
        }
    },
    "show bfd peers detail": {
        "vrfs": {
            "default": {
                "ipv4Neighbors": {
                    "10.72.2.0": {"peerStats": {"": {"status": "up", "l3intf": "Ethernet29/1"}}},
                    "10.72.2.2": {"peerStats": {"": {"status": "down", "l3intf": ""}}},
                },
                "ipv6Neighbors": {},
            }
        }
    },
    "show interfaces": {
        "interfaces": {
            "Ethernet29/1": {
                "lineProtocolStatus": "up",
                "interfaceStatus": "connected",
            },
            "Ethernet30/1": {"lineProtocolStatus": "down", "interfaceStatus": "notconnect"},
            "Ethernet31/1": {"lineProtocolStatus": "down", "interfaceStatus": "disabled"},
            "Ethernet5/1": {"lineProtocolStatus": "up", "interfaceStatus": "connected"},
            "Ethernet6/1": {"lineProtocolStatus": "down", "interfaceStatus": "notconnect"},
            "Loopback0": {"lineProtocolStatus": "up", "interfaceStatus": "connected"},
        }
    },
    "show interfaces counters errors": {
        "interfaceErrorCounters": {"Ethernet29/1": {"inErrors": 3, "outErrors": 0}}
    },
    "show lldp neighbors detail": {
        "lldpNeighbors": {
            "Ethernet29/1": {
                "lldpNeighborInfo": [
                    {
                        "systemName": "spine1",
                        "neighborInterfaceInfo": {"interfaceId": '"Ethernet5/1"'},
                    }
                ]
            },
            "Ethernet30/1": {"lldpNeighborInfo": []},
        }
    },
    "show priority-flow-control counters watchdog": {
        "interfaces": {
            "Ethernet1/1": {"txQueues": {"3": {"stuckCount": 2, "recoveryCount": 2}, "4": {}}}
        }
    },
    "show port-channel": {
        "portChannels": {
            "Port-Channel5": {
                "activePorts": {"Ethernet5/1": {}},
                "inactivePorts": {"Ethernet6/1": {}},
            }
        }
    },
    "show lacp interface": {
        "portChannels": {
            "Port-Channel5": {
                "interfaces": {
                    "Ethernet5/1": {"actorPortStatus": "bundled"},
                    "Ethernet6/1": {"actorPortStatus": "noAgg"},
                }
            }
        }
    },
    "show mlag": {
        "state": "active",
        "negStatus": "connected",
        "peerLinkStatus": "up",
        "localIntfStatus": "up",
        "configSanity": "consistent",
        "domainId": "leaf1",
    },
    "show mlag config-sanity": {"globalConfiguration": {}, "interfaceConfiguration": {}},
    "show mac address-table": {
        "unicastTable": {"tableEntries": [{"vlanId": 20}, {"vlanId": 20}, {"vlanId": 30}]}
    },
    "show vxlan vni": {
        "vxlanIntfs": {
            "Vxlan1": {
                "vniBindings": {"10020": {"vlan": 20, "dynamicVlan": False, "source": "static"}},
                "vniBindingsToVrf": {"500": {"vrfName": "TEST", "vlan": 1199, "source": "evpn"}},
            }
        }
    },
    "show arp vrf all": {
        "vrfs": {
            "TEST": {
                "ipV4Neighbors": [
                    {
                        "hwAddress": "0200.0000.0001",
                        "address": "10.10.20.10",
                        "age": 1,
                        "interface": "Vlan20, Port-Channel3",
                    },
                    {
                        "hwAddress": "0200.0000.0002",
                        "address": "10.10.20.11",
                        "interface": "Vlan20, Vxlan1",
                    },
                    {
                        "hwAddress": "0200.0000.0003",
                        "address": "10.10.20.12",
                        "interface": "Vlan20, not learned",
                    },
                ]
            },
            "default": {
                "ipV4Neighbors": [
                    {
                        "hwAddress": "dc38.e111.97cf",
                        "address": "10.72.2.0",
                        "interface": "Ethernet29/1",
                    },
                ]
            },
        }
    },
    "show interfaces vxlan 1": {
        "interfaces": {
            "Vxlan1": {
                "srcIpIntf": "Loopback1",
                "srcIpAddr": "10.65.0.1",
                "udpPort": 4789,
                "vlanToVniMap": {"20": {"vni": 10020, "source": ""}},
                "vlanToVtepList": {
                    "20": {"remoteVtepAddr": ["10.65.0.2", "10.65.0.3"], "remoteVtepAddr6": []}
                },
            }
        }
    },
}


def test_health_says_what_the_switch_answers(bench: Bench) -> None:
    bench.server.switch.shown.update(SHOWN)
    with bench.driver() as driver:
        found = driver.health()
    assert found.sessions == {
        "default 10.72.2.0": True,
        "default 10.64.255.254": True,
        "default 10.72.2.2": False,
    }
    assert found.routes == {"default 10.72.2.0 ipv4": 40, "default 10.64.255.254 evpn": 7}
    assert found.bfd == {"default 10.72.2.0": True, "default 10.72.2.2": False}
    assert found.links == {
        "Ethernet29/1": True,
        "Ethernet30/1": False,
        "Ethernet5/1": True,
        "Ethernet6/1": False,
    }
    assert found.cables == {"Ethernet29/1 spine1 Ethernet5/1"}
    assert found.errors == {}  # all its counters are measures
    assert found.observed is not None
    counted = {
        key: value for key, value in found.observed.measures.items() if value and "rr" in key[0]
    }
    assert counted == {("receive-errors", "Ethernet29/1"): 3}


@pytest.mark.parametrize(
    ("said", "formed"),
    [
        ({}, {"leaf1": True}),
        ({"negStatus": "connecting"}, {"leaf1": False}),
        ({"peerLinkStatus": "down"}, {"leaf1": False}),
        ({"state": "disabled"}, {}),
    ],
)
def test_an_mlag_pair_is_formed_where_all_of_it_is(
    bench: Bench, said: dict[str, str], formed: dict[str, bool]
) -> None:
    bench.server.switch.shown.update({**SHOWN, "show mlag": {**SHOWN["show mlag"], **said}})
    with bench.driver() as driver:
        assert driver.health().pairs == formed


def test_what_carries_traffic_is_what_the_switch_answers(bench: Bench) -> None:
    bench.server.switch.shown.update(SHOWN)
    with bench.driver() as driver:
        carries = driver.health().traffic
    assert carries.vtep == "10.65.0.1"
    assert carries.vlans == {
        20: Bridged(
            vni=10020,
            macs=2,
            far=frozenset({"10.65.0.2", "10.65.0.3"}),
            servers={"10.10.20.10": "0200.0000.0001"},  # at its own ports alone
            ports={"10.10.20.10": "Port-Channel3"},
        )
    }
    assert carries.vrfs == {"TEST": Routed(vni=500)}
    assert carries.bundles == {
        "Port-Channel5 Ethernet5/1": True,
        "Port-Channel5 Ethernet6/1": False,
    }


def test_a_switch_without_vxlan_was_read(bench: Bench) -> None:
    bench.server.switch.shown.update({**SHOWN, "show vxlan vni": {"vxlanIntfs": {}}})
    del bench.server.switch.shown["show interfaces vxlan 1"]
    with bench.driver() as driver:
        found = driver.health()
    assert found.traffic.vlans == {}
    assert not any("flood" in said for said in found.unread)


def test_what_no_source_describes_is_said_to_be_unread(bench: Bench) -> None:
    bench.server.switch.shown.update(SHOWN)
    with bench.driver() as driver:
        said = driver.health().unread
    assert [sentence.partition(":")[0] for sentence in said][:2] == [
        "routes",
        "packets through VLANs",
    ]


def test_a_command_that_the_switch_lacks_costs_only_its_part(bench: Bench) -> None:
    bench.server.switch.shown.update(SHOWN)
    del bench.server.switch.shown["show bfd peers detail"]
    with bench.driver() as driver:
        found = driver.health()
    assert found.bfd == {}
    assert found.sessions
    assert any(said.startswith("BFD sessions: refused: Invalid input") for said in found.unread)


def test_an_answer_of_another_shape_is_unread_and_not_empty(bench: Bench) -> None:
    bench.server.switch.shown.update({**SHOWN, "show lldp neighbors detail": {"neighbors": []}})
    with bench.driver() as driver:
        said = driver.health().unread
    assert "LLDP neighbors: unexpected shape of the output: KeyError('lldpNeighbors')" in said


@pytest.mark.parametrize(
    ("command", "answer", "part"),
    [
        (
            "show priority-flow-control counters watchdog",
            {"interfaces": {"Ethernet1/1": {"txQueues": {"3": {"stuckCount": float("inf")}}}}},
            "PFC watchdog",
        ),
        (
            "show vxlan vni",
            {"vxlanIntfs": {"Vxlan1": {"vniBindings": {"10020": {}}}}},
            "VNIs",
        ),
        ("show arp vrf all", {"vrfs": {"TEST": {"ipV4Neighbors": [None]}}}, "servers"),
    ],
)
def test_no_answer_ends_the_look(
    bench: Bench, command: str, answer: dict[str, Any], part: str
) -> None:
    bench.server.switch.shown.update({**SHOWN, command: answer})
    with bench.driver() as driver:
        unread = driver.health().unread
    assert any(said.startswith(f"{part}: unexpected shape") for said in unread)


def test_a_switch_without_bgp_has_no_sessions_and_was_read(bench: Bench) -> None:
    bench.server.switch.shown.update(SHOWN)
    bench.server.switch.faults.inactive = "show bgp summary vrf all"
    with bench.driver() as driver:
        found = driver.health()
    assert found.sessions == {}
    assert not any(said.startswith("BGP sessions") for said in found.unread)


def test_the_look_of_a_push_is_compared_with_the_model(bench: Bench) -> None:
    """The gate compares what the reader observed, so the health must have it."""
    bench.server.switch.shown.update(SHOWN)
    with bench.driver() as driver:
        seen = driver.health().observed
    assert seen is not None
    assert seen.facts["interface", "Ethernet31/1"]["link"] == "shut"
    assert seen.facts["vni", "500"]["vrf"] == "TEST"


FAR = tuple(End(Kind.VTEP, "", f"10.65.0.{number}") for number in (2, 3))
SEEN = Traffic(vtep="10.65.0.1")


def pinged(bench: Bench, *answers: object) -> dict[End, bool]:
    bench.server.switch.shown.update(
        {
            f"ping vrf default {end.far} source 10.65.0.1 size 100 repeat 2": {"messages": answer}
            for end, answer in zip(FAR, answers, strict=True)
        }
    )
    with bench.driver() as driver:
        return dict(driver.reach((*FAR, End(Kind.VLAN, "10", "10.65.0.2")), SEEN))


HOST = Station("h1", "10.10.20.12", 20, "red", "leaf3", "Ethernet5/1")
PING = f"ping vrf red {HOST.address} source 10.250.1.1 size 100 repeat 2"
TO_HOST = End(Kind.ROUTED, "red", HOST.address, HOST, "10.250.1.1")


@pytest.mark.parametrize(("received", "answers"), [(2, True), (1, True), (0, False)])
def test_a_server_is_pinged_in_its_vrf_and_may_lose_the_first_packet(
    bench: Bench, received: int, *, answers: bool
) -> None:
    said = [f"2 packets transmitted, {received} received, {100 - 50 * received}% packet loss"]
    bench.server.switch.shown[PING] = {"messages": said}
    with bench.driver() as driver:
        assert driver.reach([TO_HOST], SEEN) == {TO_HOST: answers}


@pytest.mark.parametrize("answer", [[], ["Network is unreachable"], [None]])
def test_a_ping_of_a_server_that_says_nothing_is_unread(bench: Bench, answer: object) -> None:
    bench.server.switch.shown[PING] = {"messages": answer}
    with bench.driver() as driver, pytest.raises(CommandErrorException, match="unexpected shape"):
        driver.reach([TO_HOST], SEEN)


def test_vteps_are_pinged_and_nobody_else(bench: Bench) -> None:
    heard = ["2 packets transmitted, 2 received, 0% packet loss, time 1ms"]
    lost = ["2 packets transmitted, 1 received, 50% packet loss, time 10ms"]
    assert pinged(bench, heard, lost) == dict(zip(FAR, (True, False), strict=True))


@pytest.mark.parametrize("answer", [[], 7, {"2 received": 1}, [None]])
def test_a_ping_that_says_nothing_is_unread(bench: Bench, answer: object) -> None:
    with pytest.raises(CommandErrorException, match="unexpected shape"):
        pinged(bench, answer, answer)


def test_a_ping_that_is_refused_is_unread(bench: Bench) -> None:
    with bench.driver() as driver, pytest.raises(CommandErrorException, match="Invalid input"):
        driver.reach(FAR, SEEN)
