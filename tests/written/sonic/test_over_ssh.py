"""A written switch over real SSH, with redis-cli, vtysh's words and all programs of a look."""

from collections.abc import Iterator

import pytest
from tests.deploy.sonic.conftest import Ground
from tests.written.sonic.databases import APPL, CANARY, STATE
from tests.written.sonic.planting import NEIGHBORS, Plant, asic, count, down, put, stopped
from tests.written.sonic.served import Written, written
from tests.written.sonic.site import BONDED, LOSSLESS
from tests.written.sonic.standing import put as store
from tests.written.sonic.standing import reachable

from fabricgen.nos.sonic.driver.health import SCRIPT
from fabricgen.nos.sonic.show.reader import SONIC
from fabricgen.prove.differences import compare

RELEASE = "202505"


@pytest.fixture(scope="module")
def bonded() -> Iterator[tuple[Ground, Written]]:
    switch = written(BONDED, RELEASE)
    with reachable(switch) as ground:
        yield ground, switch


@pytest.fixture(scope="module")
def lossless() -> Iterator[tuple[Ground, Written]]:
    switch = written(LOSSLESS, RELEASE)
    with reachable(switch) as ground:
        yield ground, switch


def said(ground: Ground, switch: Written) -> list[str]:
    """Return the differences of a look over SSH."""
    output = ground.driver().read(SONIC.request(switch.expected.facts))
    return [each.sentence for each in compare(switch.expected, SONIC.read(output))]


@pytest.mark.parametrize("where", ["bonded", "lossless"])
def test_a_right_switch_has_no_difference(where: str, request: pytest.FixtureRequest) -> None:
    ground, switch = request.getfixturevalue(where)
    assert said(ground, switch) == []


@pytest.mark.parametrize(
    ("plant", "says"),
    [
        (asic("PORT", "Ethernet0", SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL="24"), "paused priorities"),
        (count("queue Ethernet0:3", PFC_WD_DETECTION_TIME="200000"), "detection time"),
        (stopped("bgp", "bfdd"), "daemon bfdd is fatal"),
        (down("Ethernet504"), "is not up: the session is Active"),
        (put(APPL, "PORT_TABLE:Ethernet0", mtu="1500"), "has MTU 1500"),
        (put(STATE, "PORT_TABLE|Ethernet504", fec="none"), "has FEC none"),
    ],
)
def test_a_fault_is_found(lossless: tuple[Ground, Written], plant: Plant, says: str) -> None:
    ground, right = lossless
    broken = right.copy()
    plant(broken)
    store(ground, broken)
    try:
        assert [each for each in said(ground, broken) if says in each]
    finally:
        store(ground, right)


def test_a_look_writes_nothing_and_shows_no_secret(lossless: tuple[Ground, Written]) -> None:
    ground, switch = lossless
    before = ground.switch.image()
    output = ground.driver().read(SCRIPT)
    assert CANARY not in output
    assert ground.switch.image() == before
    assert ground.switch.changes() == []
    assert not any("sudo" in line for line in ground.switch.commands())
    assert len(output) < 400_000
    assert switch.data.of[4][f"SNMP_COMMUNITY|{CANARY}"]


def test_health_is_of_the_same_look(bonded: tuple[Ground, Written]) -> None:
    ground, switch = bonded
    health = ground.driver().health()
    assert health.observed is not None
    assert [each.sentence for each in compare(switch.expected, health.observed)] == []
    assert health.sessions["default 10.64.255.254"]
    assert health.bfd["red 192.0.2.2"]
    assert health.links["PortChannel1"]
    assert not health.links.get("eth0")
    assert health.routes["default 10.64.255.254 evpn"] == 5
    assert {each.split()[1] for each in health.cables} == {"fe-spine1", "fe-spine2"}
    assert health.traffic.vtep == "10.65.0.2"
    assert health.traffic.vlans[110].far == {"10.65.0.1"}
    assert health.traffic.vlans[110].routes == {3: 2}
    assert health.traffic.bundles["PortChannel1 Ethernet0"]
    assert health.traffic.trunks["PortChannel1"] == {110, 111}
    assert health.traffic.fib["10.64.255.254/32"] == 1


KERNEL = {
    "ip -4 -o route show table all proto bgp": (
        "10.10.20.11 via 10.65.0.1 dev Vlan3001 table Vrf_red metric 20 onlink \n"
        "10.10.30.0/24 via 10.65.0.1 dev Vlan3001 table Vrf_red metric 20 onlink \n"
        "10.65.0.1 via 10.72.0.0 dev Ethernet0 metric 20 \n"
    ),
    "bridge fdb show": "d2:2d:45:73:79:44 dev vtep-110 vlan 110 extern_learn master Bridge \n",
    "ip -4 neigh show": (
        "10.110.0.11 dev Vlan110 lladdr 02:00:00:00:00:0b REACHABLE \n"
        "10.110.0.12 dev Vlan110 lladdr 02:00:00:00:00:0c extern_learn NOARP proto zebra \n"
    ),
}


def test_what_carries_traffic_of_vrfs_is_read(bonded: tuple[Ground, Written]) -> None:
    ground, right = bonded
    switch = right.copy()
    switch.texts |= KERNEL
    store(ground, switch)
    red = ground.driver().health().traffic.vrfs["red"]
    assert (red.vni, red.up, red.hosts) == (50001, True, 1)
    assert red.subnets == {"10.10.30.0/24"}
    assert red.servers == {"10.10.20.11": "10.65.0.1"}
    assert red.prefixes["10.65.0.1"] == 3
    web = ground.driver().health().traffic.vlans[110]
    assert web.servers == {"10.110.0.11": "02:00:00:00:00:0b"}
    store(ground, right)


@pytest.mark.parametrize("status", ["up", "down", None])
def test_a_pair_is_formed_when_its_leafs_have_a_session(
    bonded: tuple[Ground, Written], status: str | None
) -> None:
    ground, _ = bonded
    db = ground.switch.database()
    db("HSET", "MCLAG_DOMAIN|3", "peer_ip", "169.254.0.1")
    db("SELECT", "6")
    db("DEL", "MCLAG_TABLE|3")
    if status is not None:
        db("HSET", "MCLAG_TABLE|3", "oper_status", status)
    try:
        assert ground.driver().health().pairs == {"3": status == "up"}
    finally:
        db("DEL", "MCLAG_TABLE|3")
        db("SELECT", "4")
        db("DEL", "MCLAG_DOMAIN|3")
        db.close()


def test_what_a_switch_does_not_answer_is_unread_and_no_zero(
    bonded: tuple[Ground, Written],
) -> None:
    ground, right = bonded
    broken = right.copy()
    broken.documents = {NEIGHBORS: None}  # bgpd stops vtysh
    db = ground.switch.database()
    for number in ("0", "2"):
        db("SELECT", number)
        db("FLUSHDB")
    db.close()
    broken.data.of[0], broken.data.of[2] = {}, {}
    store(ground, broken)
    try:
        health = ground.driver().health()
        said = {each.partition(":")[0] for each in health.unread}
        assert {"counters of ports", "interfaces", "BFD sessions"} <= said
        assert health.sessions == {}
        assert health.links == {}
        assert health.observed is not None
        assert not [each for each in health.observed.measures if each[0] == "receive-errors"]
    finally:
        store(ground, right)
