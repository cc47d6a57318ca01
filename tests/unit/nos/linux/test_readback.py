"""From the lines about one port with one thing changed: what the readers of tc and dcb refuse."""

import pytest

from fabricgen.model.fabric.port_qos import Marks, Serving
from fabricgen.nos.linux.readback.dcb import read_dcb
from fabricgen.nos.linux.readback.tc import read_program

STRICT, HALF = Serving(strict=True, share=None), Serving(strict=False, share=50)
LEAVES = """\
qdisc replace parent 1:1 handle 21: pfifo limit 1000
qdisc replace parent 1:2 handle 22: pfifo limit 1000
qdisc replace parent 1:4 handle 24: pfifo limit 1000
qdisc replace parent 1:3 handle 33: red limit 6000000 min 150000 max 1500000 avpkt 1000 burst 151 \
bandwidth 34000000000bit probability 0.99999 ecn nodrop
filter del parent 1:
filter add parent 1: protocol ip prio 1 handle 1 flower ip_tos 0xc0/0xfc classid 1:2
filter add parent 1: protocol ip prio 1 handle 2 flower ip_tos 0x68/0xfc classid 1:3
filter add parent 1: protocol ipv6 prio 2 handle 1 flower ip_tos 0xc0/0xfc classid 1:2
filter add parent 1: protocol ipv6 prio 2 handle 2 flower ip_tos 0x68/0xfc classid 1:3
filter add parent 1: protocol all prio 9 handle 1 matchall classid 1:4
"""
ETS = f"""\
qdisc replace root handle 1: ets bands 4 strict 2 quanta 5000 5000 priomap \
3 3 3 2 3 3 1 0 3 3 3 3 3 3 3 3
{LEAVES}"""
CLASS = "class replace parent 1:100 classid 1:{} htb rate {}bit ceil 100000000000bit prio {} "
HTB = f"""\
qdisc replace root pfifo
qdisc replace root handle 1: htb default 4
class replace parent 1: classid 1:100 htb rate 100000000000bit quantum 18000
{CLASS.format(1, 5 * 10**9, 0)}quantum 18000
{CLASS.format(2, 5 * 10**9, 0)}quantum 18000
{CLASS.format(3, 45 * 10**9, 1)}quantum 18000
{CLASS.format(4, 45 * 10**9, 1)}quantum 18000
{LEAVES}"""
UNKNOWN = "unknown, repeated or inconsistent tc line: "


@pytest.mark.parametrize("text", [ETS, HTB])
def test_both_schedulers_serve_alike(text: str) -> None:
    read = read_program(text.splitlines())
    assert read.faults == []
    assert read.serving() == {0: STRICT, 1: STRICT, 2: HALF, 3: HALF}
    assert read.marks == {2: Marks(150_000, 1_500_000, 100.0, spares=True)}
    faults: list[str] = []
    bands = read.bands(faults)
    assert ([bands[dscp] for dscp in (0, 26, 48)], faults, read.filtered) == ([3, 2, 1], [], True)


def test_a_port_of_which_nothing_is_said_has_no_fault() -> None:
    read = read_program([])
    assert (read.faults, read.filtered, read.serving()) == ([], False, {})


@pytest.mark.parametrize("text", [ETS, HTB])
@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("handle 21: pfifo limit 1000", "handle 22: pfifo limit 1000", UNKNOWN),
        ("handle 21: pfifo limit 1000", "handle 21: pfifo limit 1001", UNKNOWN),
        ("parent 1:1 handle 21: pfifo limit 1000\n", "", "bands [0, 1, 2, 3] have queues for"),
        ("parent 1:1 handle 21:", "parent 1:5 handle 25:", "have queues for [1, 2, 3, 4]"),
        ("handle 33: red", "handle 34: red", UNKNOWN),
        ("red limit 6000000", "red limit 6000001", UNKNOWN),
        ("avpkt 1000", "avpkt 1500", UNKNOWN),
        ("burst 151", "burst 150", UNKNOWN),
        ("bandwidth 34000000000bit", "bandwidth 35000000000bit", UNKNOWN),
        ("ecn nodrop", "ecn harddrop", UNKNOWN),
        ("tos 0x68/0xfc classid 1:3", "tos 0x69/0xfc classid 1:3", UNKNOWN),
        ("tos 0x68/0xfc classid 1:3", "tos 0xc0/0xfc classid 1:3", UNKNOWN),
        ("ip prio 1 handle 2", "ip prio 1 handle 3", UNKNOWN),
        ("ip prio 1 handle 2", "ip prio 3 handle 2", UNKNOWN),
        ("filter del parent 1:\n", "", "old filters are not removed first"),
        ("filter del parent 1:\n", "filter del parent 1:\n" * 2, "old filters are not removed"),
        (
            "filter add parent 1: protocol all prio 9 handle 1 matchall classid 1:4\n",
            "",
            "the default filter is missing",
        ),
        ("protocol ipv6 prio 2", "protocol ipv6 prio 3", "have the prios [1, 3], not 1 and 2"),
        ("filter add parent 1: protocol ip ", "filter add parent 1: protocol arp ", UNKNOWN),
    ],
)
def test_leaves_and_filters(text: str, old: str, new: str, fault: str) -> None:
    assert old in text
    faults = read_program(text.replace(old, new).splitlines()).faults
    assert any(fault in each for each in faults), faults


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("ets bands 4 strict 2", "ets bands 5 strict 2", UNKNOWN),
        ("ets bands 4 strict 2", "ets bands 4 strict 1", UNKNOWN),
        ("priomap 3 3 3 2", "priomap 3 3 3 4", UNKNOWN),
        ("priomap 3 3 3 2", "priomap 3 3 2", UNKNOWN),
    ],
)
def test_the_scheduler_of_an_asic(old: str, new: str, fault: str) -> None:
    faults = read_program(ETS.replace(old, new).splitlines()).faults
    assert any(each.startswith(fault) for each in faults), faults


FIFO = "htb does not replace a FIFO, or its default is not band 3"
SHARE = "not every class can borrow the complete line rate 100000000000 bit/s"


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("qdisc replace root pfifo\n", "", FIFO),
        ("htb default 4", "htb default 3", FIFO),
        (
            "classid 1:100 htb rate 100000000000bit quantum 18000",
            "",
            "class of the line rate is missing",
        ),
        ("rate 5000000000bit", "rate 5000000001bit", SHARE),
        ("1:4 htb rate 45000000000bit ceil 10", "1:4 htb rate 45000000000bit ceil 20", SHARE),
        ("prio 0 quantum 18000", "prio 0 quantum 18001", "another quantum than 18000"),
        ("quantum 18000", "quantum 17999", "another quantum than 17999"),
        ("prio 0 quantum", "prio 2 quantum", "neither strict (prio 0) nor share (prio 1)"),
        ("classid 1:2 htb", "classid 1:1 htb", UNKNOWN),
    ],
)
def test_the_scheduler_of_the_kernel(old: str, new: str, fault: str) -> None:
    assert old in HTB
    faults = read_program(HTB.replace(old, new).splitlines()).faults
    assert any(fault in each for each in faults), faults


def test_one_class_that_may_not_borrow_all_is_enough() -> None:
    odd = HTB.replace(
        "45000000000bit ceil 100000000000bit", "45000000000bit ceil 90000000000bit", 1
    )
    assert read_program(odd.splitlines()).faults == [SHARE]


def test_a_dscp_that_the_two_versions_treat_otherwise_is_said() -> None:
    odd = ETS.replace(
        "ipv6 prio 2 handle 2 flower ip_tos 0x68", "ipv6 prio 2 handle 2 flower ip_tos 0x6c"
    )
    faults: list[str] = []
    read_program(odd.splitlines()).bands(faults)
    assert faults == [
        "DSCP 26 has band 2 in IPv4 and 3 in IPv6",
        "DSCP 27 has band 3 in IPv4 and 2 in IPv6",
    ]


TABLE = " ".join(f"{dscp}:{ {26: 3, 48: 6}.get(dscp, 0) }" for dscp in range(64))
DCB = f"""\
#!/bin/sh
failed=0

refused() {{
    echo "fabricgen: $1 has no $2: its driver refused it" >&2
    failed=1
}}

port() {{ # interface, bytes of each lossless buffer (0: none)
    dcb app replace dev "$1" default-prio 0 || refused "$1" "default priority"
    dcb app replace dev "$1" dscp-prio {TABLE} || refused "$1" "DSCP table"
    dcb pfc set dev "$1" prio-pfc all:off 3:on || refused "$1" "PFC"
    [ "$2" -eq 0 ] || dcb buffer set dev "$1" prio-buffer all:0 3:3 buffer-size \
all:0 0:36856 3:"$2" || refused "$1" "lossless buffer"
}}

port swp1 86016
port swp2 0

exit $failed
"""


def test_what_a_port_is_told_through_dcb() -> None:
    read = read_dcb(DCB)
    assert read.faults == []
    assert (read.default, read.paused, read.ports) == (
        0,
        frozenset({3}),
        {"swp1": 86016, "swp2": 0},
    )
    assert [read.classes[dscp] for dscp in (0, 26, 48)] == [0, 3, 6]
    assert (read.groups, read.sizes) == ((0, 0, 0, 3, 0, 0, 0, 0), {0: 36856, 3: None})


MEANING = "dcb.sh line of unknown meaning: "


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("default-prio 0", "default-prio x", "dcb.sh has no priority for packets without DSCP"),
        ("26:3", "26:8", MEANING),
        ("26:3", "64:3", MEANING),
        ("26:3", "25:3", MEANING),
        ("all:off 3:on", "3:on", MEANING),
        ("all:off 3:on", "all:off 8:on", MEANING),
        ("all:off 3:on", "all:off 4:on", "dcb.sh pauses [4] and sizes [3]"),
        ('0:36856 3:"$2"', "0:36856 3:9000", "dcb.sh pauses [3] and sizes [3]"),
        ("prio-buffer all:0 3:3", "prio-buffer all:0 3:3 4:4", "priorities in the buffers (0, 0, "),
        ("prio-buffer all:0 3:3", "prio-buffer all:0 3:2", "has priorities in the buffers (0, 0, "),
        ("buffer-size all:0 0:36856", "buffer-size 0:36856", MEANING),
        ("port swp2 0", "port swp1 0", MEANING),
        ("exit $failed", "reboot", f"{MEANING}reboot"),
        ('[ "$2" -eq 0 ] || dcb buffer', "dcb buffer", MEANING),
        ("    dcb pfc", '    [ "$2" -eq 0 ] || dcb pfc', MEANING),
    ],
)
def test_a_script_that_says_something_else(old: str, new: str, fault: str) -> None:
    assert old in DCB
    faults = read_dcb(DCB.replace(old, new)).faults
    assert any(each.startswith(fault) or fault in each for each in faults), faults
