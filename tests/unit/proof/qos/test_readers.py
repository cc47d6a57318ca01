"""From rendered files with one thing changed: what each reader makes of it, and what it refuses."""

import re

import pytest
from tests.unit.proof.qos.rendered import RAIL_ONLY, RAIL_OPTIMIZED, Rendered, rendered, state

from fabricgen.model.fabric.port_qos import Lack, Marks, Serving, Watch
from fabricgen.nos.eos.readback.queues import read as read_eos
from fabricgen.nos.registry import OURS

CFG, DB = "eos.cfg", "config_db.json"
TC, DCB, NET = "etc/fabricgen/tc.batch", "etc/fabricgen/dcb.sh", "etc/network/interfaces"
NVIDIA = "  roce: {profile: nvidia-roce}"
STRICT = Serving(strict=True, share=None)
HALF = Serving(strict=False, share=50)


def site(runs: str) -> Rendered:
    model = "7060X6-64PE" if runs == "eos" else "SN4700"
    return rendered(RAIL_OPTIMIZED, runs, model, "400G", NVIDIA)


def shipped() -> Rendered:
    """A SONiC whose headroom stands in the file."""
    return rendered(RAIL_OPTIMIZED, "sonic", "7060X6-64PE", "400G", NVIDIA)


@pytest.mark.parametrize("runs", OURS)
def test_every_platform_comes_to_the_same(runs: str) -> None:
    made = site(runs)
    switch = made.switch("be-su01-leaf1")
    told = state(made.files[switch], switch)
    assert told.faults == ()
    port = next(port for port in told.ports.values() if port.paused)
    assert (port.up, port.mtu, port.trust, sorted(port.paused)) == (True, 9214, "dscp", [3])
    assert [port.classes[dscp] for dscp in (0, 26, 48, 56)] == [0, 3, 6, 7]
    queues = {number: port.queue(number) for number in (0, 3, 6, 7)}
    assert len(set(queues.values())) == 4
    assert [port.serving[queues[n] or 0] for n in (0, 3, 6, 7)] == [HALF, HALF, STRICT, STRICT]
    (marks,) = port.marks.values()
    assert marks[:2] == (150_000, 1_500_000)
    assert marks.percent == pytest.approx(100)
    assert port.marks.keys() == {queues[3]}
    assert (port.stops[3], port.fills[3], port.group(3)) == (queues[3], 3, 3)
    assert list(port.headroom) == [3]


@pytest.mark.parametrize(
    ("runs", "path", "line", "default"),
    [
        ("eos", CFG, r"^ *mtu 9214\n", 1500),
        ("sonic", DB, r'"mtu": "9214",? ?', 9100),
        ("linux", NET, r"^ *mtu 9214\n", 1500),
    ],
)
def test_an_mtu_that_is_not_said_is_the_default_of_the_os(
    runs: str, path: str, line: str, default: int
) -> None:
    """EOS manual; sonic-swss cfgmgr/portmgr.h; linux net/ethernet/eth.c."""
    made = site(runs)
    switch = made.switch("be-su01-leaf1")
    text, count = re.subn(line, "", made.files[switch][path], flags=re.MULTILINE)
    assert count > 0
    ports = state({**made.files[switch], path: text}, switch).ports.values()
    assert {port.mtu for port in ports if port.paused} == {default}


def test_watchdogs_come_to_the_same_where_there_is_one() -> None:
    for runs in ("eos", "sonic"):
        made = site(runs)
        switch = made.switch("be-spine1")
        ports = state(made.files[switch], switch).ports.values()
        watched = {port.watch for port in ports if port.watch is not None}
        software = runs == "sonic"
        assert switch.laid_out <= 32 or not software
        assert watched == {Watch(100, 200, 200, "drop", software)}
    made = site("linux")
    switch = made.switch("be-spine1")
    assert state(made.files[switch], switch).lacks == {Lack.WATCHDOG, Lack.TRIMMING}


SPOILED = [
    ("eos", CFG, "qos map dscp 26 to", "qos map dscp 27 to", "does not map DSCP 26"),
    ("eos", CFG, "service-profile BACKEND-400G", "service-profile X", "profile X is not in"),
    ("eos", CFG, "   priority-flow-control on\n", "", "has PFC for nothing; it must be 3"),
    (
        "eos",
        CFG,
        "qos map traffic-class 3 to tx-queue 3\n",
        "",
        "gives class 3 (lossless) no queue",
    ),
    ("eos", CFG, "no-drop\n", "no-drop\n   dcbx mode ieee\n", "EOS line of unknown meaning"),
    ("eos", CFG, "   mtu 9214\n", "", "has MTU 1500; it must be 9214"),
    ("eos", CFG, "bandwidth percent 50", "bandwidth percent 40", "distributes 90 %"),
    ("eos", CFG, "pause watchdog action drop", "pause watchdog action errdisable", "errdisable"),
    ("eos", CFG, "watchdog default timeout 0.20\n", "watchdog default timeout 0.40\n", "/400/"),
    ("sonic", DB, '"26": "3"', '"26": "0"', "puts DSCP 26 into class 0"),
    ("sonic", DB, '"pfc_enable": "3"', '"pfc_enable": "4"', "has PFC for 4; it must be 3"),
    ("sonic", DB, '"profile": "NULL"', '"profile": "ingress_lossy_profile"', "keeps no headroom"),
    ("sonic", DB, '"detection_time": "200"', '"detection_time": "400"', "/400/"),
    (
        "sonic",
        DB,
        '"wred_green_enable": "true"',
        '"wred_green_enable": "false"',
        "other or missing fields of green",
    ),
    ("sonic", DB, '"small_packet_percentage": "100"', '"small_packet_percentage": "50"', "PATTERN"),
    ("sonic", DB, '"5m"', '"3m"', "keeps headroom for 3 m of cable; the cable has 5 m"),
    ("sonic", DB, '"TC_TO_QUEUE_MAP"', '"DOT1P_TO_TC_MAP"', "names nvidia-roce, which"),
    ("sonic", DB, '"buffer_model": "dynamic"', '"buffer_model": "traditional"', "buffer_model is"),
    ("linux", TC, "min 150000", "min 150001", "queue 2 has marking of 150,001 to 1,500,000"),
    ("linux", TC, " ecn nodrop", " ecn", "others dropped; it must have"),
    ("linux", TC, "priomap 3 3 3 2", "priomap 3 3 3 3", "into queue 3, which belongs to the"),
    ("linux", TC, "ip_tos 0x68/0xfc classid 1:3", "ip_tos 0x68/0xfc classid 1:4", "by the filters"),
    ("linux", DCB, "26:3", "26:0", "puts DSCP 26 into class 0"),
    ("linux", DCB, "3:on", "4:on", "has PFC for 4; it must be 3"),
    ("linux", DCB, "port swp1 264192", "port swp1 46016", "keeps 46,016 bytes for a pause"),
    ("linux", NET, "    mtu 9214\n    address 172", "    address 172", "has MTU 1500"),
]


@pytest.mark.parametrize(("runs", "path", "old", "new", "sentence"), SPOILED)
def test_what_is_spoiled_is_said(runs: str, path: str, old: str, new: str, sentence: str) -> None:
    made = site(runs)
    said = made.said(made.switch("be-su01-leaf1"), path, old, new)
    assert any(sentence in text for text in said), said
    assert said[0].startswith("be-su01-leaf1")


def test_shipped_memory_is_compared_with_its_source() -> None:
    made = shipped()
    leaf = made.switch("be-su01-leaf1")
    for old, new, sentence in (
        ('"xoff": "612140"', '"xoff": "12140"', "keeps 12,140 bytes for a pause"),
        ('"xon_offset": "3556"', '"xon_offset": "0"', "pg_profile_lookup.ini has 3556"),
        ('"xoff": "29423360"', '"xoff": "0"', "BUFFER_POOL|ingress_lossless_pool is type ingress"),
        ("400000_40m_profile", "400000_41m_profile", "41m_profile is unused"),
    ):
        said = made.said(leaf, DB, old, new)
        assert any(sentence in text for text in said), said


def test_queues_of_a_kernel_that_forwards_by_itself() -> None:
    made = rendered(RAIL_OPTIMIZED, "linux", "LAB-64", "100G", NVIDIA)
    leaf = made.switch("be-su01-leaf1")
    told = state(made.files[leaf], leaf)
    assert told.lacks == {Lack.WATCHDOG, Lack.HEADROOM, Lack.TRIMMING}
    port = told.ports["swp1"]
    assert port.marks == {2: Marks(150_000, 1_500_000, 100.0, spares=True)}
    assert port.serving == {0: STRICT, 1: STRICT, 2: HALF, 3: HALF}
    said = made.said(leaf, TC, "rate 45000000000bit", "rate 40000000000bit")
    assert any("can borrow the complete line rate" in text for text in said)


def test_a_gateway_s_mtu_is_that_of_its_ports() -> None:
    subnets = "  nic_addressing: {mode: subnet}"
    made = rendered(RAIL_ONLY, "eos", "7060X6-64PE", "400G", subnets)
    leaf = next(iter(made.files))
    said = made.said(leaf, CFG, "mtu 9214", "mtu 9000")
    assert said == [f"{leaf.name}:Ethernet1/1 has MTU 9000; it must be 9214 (and 2 more)"]


@pytest.mark.parametrize("runs", OURS)
def test_without_its_file_nothing_is_known_of_a_switch(runs: str) -> None:
    made = site(runs)
    leaf = made.switch("be-su01-leaf1")
    said = [finding.message for finding in made.verified({leaf: {}}).findings]
    assert any(f"{leaf.name} has no" in text for text in said)
    assert any("is not in the file, but a path runs over it" in text for text in said)


def test_a_file_that_is_not_json_is_said() -> None:
    made = site("sonic")
    leaf = made.switch("be-su01-leaf1")
    assert "is not JSON" in made.said(leaf, DB, '"26": "3",', '"26": ,')[0]
    assert made.said(leaf, DB, "{\n", "{") == []  # another layout is the same database


def test_a_banner_is_no_configuration() -> None:
    banner = "banner login\n!\nqos map dscp 26 to traffic-class 0\n!\nEOF\n!\n"
    made = site("eos")
    leaf = made.switch("be-su01-leaf1")
    assert made.said(leaf, CFG, "interface Ethernet1/1\n", f"{banner}interface Ethernet1/1\n") == []


def test_a_table_or_port_that_nobody_has_is_said() -> None:
    made = site("sonic")
    leaf = made.switch("be-su01-leaf1")
    said = made.said(leaf, DB, '"QUEUE": {', '"QUEUE": {"Ethernet9|3": {},')
    assert any("names the port Ethernet9" in text for text in said)
    said = made.said(leaf, DB, '"QUEUE": {', '"DOT1P_TO_TC_MAP": {\n    },\n    "QUEUE": {')
    assert any("DOT1P_TO_TC_MAP is not rendered" in text for text in said)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("service-profile ONE", "service-profile TWO"),
        ("mtu 9214", "mtu 9000"),
        ("speed 400g-8", "speed 100g-4"),
        ("mtu 9214", "mtu 9214\n   shutdown"),
        ("mtu 9214", "mtu 9214\n   no qos trust"),
    ],
    ids=["profile", "MTU", "speed", "shutdown", "trust"],
)
def test_a_port_is_read_by_all_of_its_lines_whatever_was_read_before(old: str, new: str) -> None:
    """A second port that differs in one line only is read as if it were alone."""
    top = "qos profile ONE\n   qos trust dscp\n!\nqos profile TWO\n   qos trust cos\n!\n"
    first = "interface Ethernet1/1\n   mtu 9214\n   speed 400g-8\n   service-profile ONE\n!\n"
    second = first.replace("1/1", "2/1").replace(old, new)
    both = read_eos(None, {"eos.cfg": top + first + second}).ports
    alone = read_eos(None, {"eos.cfg": top + second}).ports
    assert repr(both["Ethernet2/1"]) == repr(alone["Ethernet2/1"])
    assert repr(both["Ethernet2/1"]) != repr(both["Ethernet1/1"])
