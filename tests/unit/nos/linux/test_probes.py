"""How a Linux switch asks each end; what of its answer is believed."""

from dataclasses import replace
from typing import Any

import pytest
from napalm.base.exceptions import CommandErrorException

from fabricgen.nos.linux.driver import probes
from fabricgen.nos.linux.driver.driver import LinuxDriver
from fabricgen.nos.sonic.driver import traffic as sonic
from fabricgen.nos.traffic import Bridged, End, Kind, Routed, Station, Traffic

VLAN = Bridged(
    vni=10010, gateway="10.10.10.1 00:1c:73:00:00:99", servers={"10.10.10.10": "02:00:00:00:00:0a"}
)
SEEN = Traffic(
    vtep="10.65.0.1",
    vlans={10: VLAN},
    vrfs={"red": Routed(vni=50001, hops={"10.65.0.2": "02:fb:0a:41:00:02"})},
)
TO_VLAN, TO_VRF = End(Kind.VLAN, "10", "10.65.0.2"), End(Kind.VRF, "red", "10.65.0.2")
TO_VTEP, TO_SERVER = End(Kind.VTEP, "", "10.65.0.2"), End(Kind.SERVER, "10", "10.10.10.10")
ENDS = (TO_VLAN, TO_VRF, TO_VTEP, TO_SERVER)
SERVER = {
    "way": "server",
    "device": "vlan10",
    "source": "10.10.10.1",
    "own": "00:1c:73:00:00:99",
    "mac": "02:00:00:00:00:0a",
    "far": "10.10.10.10",
}


def test_each_end_is_asked_by_the_tables_of_now() -> None:
    assert probes.asked(ENDS, SEEN) == {
        TO_VLAN: {
            "way": "vlan",
            "tunnel": "vni10010",
            "vni": 10010,
            "source": "10.65.0.1",
            "address": "10.10.10.1",
            "mac": "00:1c:73:00:00:99",
            "far": "10.65.0.2",
        },
        TO_VRF: {"way": "vrf", "vrf": "red", "tunnel": "vni50001", "mac": "02:fb:0a:41:00:02"},
        TO_VTEP: {"way": "ping", "source": "10.65.0.1", "far": "10.65.0.2"},
        TO_SERVER: SERVER,
    }


HOST = Station("h1", "10.10.20.12", 20, "red", "fe-leaf03", "swp1")
TO_HOST = End(Kind.ROUTED, "red", HOST.address, HOST, "10.250.1.1")
APART = End(Kind.APART, "blue", HOST.address, HOST, "10.250.2.1")


def test_a_server_is_pinged_through_a_vrf_whatever_the_tables_say() -> None:
    assert probes.asked((TO_HOST, APART), Traffic()) == {
        TO_HOST: {"way": "echo", "vrf": "red", "source": "10.250.1.1", "far": "10.10.20.12"},
        APART: {"way": "echo", "vrf": "blue", "source": "10.250.2.1", "far": "10.10.20.12"},
    }


def test_sonic_pings_through_a_vrf_beside_what_it_pings_otherwise() -> None:
    assert sonic.asked((TO_HOST, APART, TO_VTEP), SEEN) == {
        TO_VTEP: {"source": "10.65.0.1", "far": "10.65.0.2"},
        TO_HOST: {"source": "Vrf_red 10.250.1.1", "far": "10.10.20.12"},
        APART: {"source": "Vrf_blue 10.250.2.1", "far": "10.10.20.12"},
    }
    many = [TO_HOST._replace(far=f"10.10.20.{host}") for host in range(200)]
    assert list(sonic.asked((*many, TO_VTEP), SEEN)) == [TO_VTEP, *many[: sonic.PINGED]]


def test_a_server_that_the_switch_forgot_is_asked_by_a_broadcast() -> None:
    forgot = replace(SEEN, vlans={10: replace(VLAN, servers={})})
    assert probes.asked([TO_SERVER], forgot) == {TO_SERVER: SERVER | {"mac": "ff:ff:ff:ff:ff:ff"}}


def test_what_the_tables_do_not_have_any_more_is_not_asked() -> None:
    assert probes.asked(ENDS, Traffic(vtep="10.65.0.1")).keys() == {TO_VTEP}
    bare = replace(SEEN, vlans={10: replace(VLAN, gateway="")}, vrfs={"red": Routed(vni=50001)})
    assert probes.asked(ENDS, bare).keys() == {TO_VTEP}


def test_sonic_pings_vteps_and_servers_and_no_more_of_them_than_it_has_time_for() -> None:
    assert sonic.asked(ENDS, SEEN) == {
        TO_VTEP: {"source": "10.65.0.1", "far": "10.65.0.2"},
        TO_SERVER: {"source": "Vlan10", "far": "10.10.10.10"},
    }
    many = [End(Kind.SERVER, "10", f"10.10.10.{host}") for host in range(200)]
    assert list(sonic.asked(many, SEEN)) == many[: sonic.PINGED]


class Telling(LinuxDriver):
    """One whose switch answers anything."""

    said: Any = None

    def _ask(self, do: str, seconds: float = 0.0, **words: Any) -> Any:
        assert (do, seconds, len(words["asked"])) == ("probe", 30, len(ENDS))
        return self.said


def reach(said: Any) -> dict[End, bool]:
    driver = Telling("leaf", "root", "")
    driver.said = said
    return dict(driver.reach(ENDS, SEEN))


def test_answers_are_of_those_who_were_asked_in_their_order() -> None:
    assert reach([True, False, True, False]) == dict(
        zip(ENDS, (True, False, True, False), strict=True)
    )
    assert reach([1, "yes", True, {"a": 1}]) == dict(
        zip(ENDS, (False, False, True, False), strict=True)
    )


@pytest.mark.parametrize("said", [None, "TTTT", [True], [True] * 5, {"0": True}, 4])
def test_an_answer_of_another_shape_is_unread(said: Any) -> None:
    with pytest.raises(CommandErrorException, match="the agent returned no probe results"):
        reach(said)


def test_nobody_is_asked_without_anybody_to_ask() -> None:
    assert LinuxDriver("leaf", "root", "").reach((), SEEN) == {}
