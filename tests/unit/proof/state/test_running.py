"""What a running Linux switch has in addition to its files: EVPN, daemons, clock and counters."""

import json
import subprocess
from dataclasses import replace

import pytest
from tests.unit.proof.state.lab import LEAF, models, planted, sentences, text

from fabricgen.core.tree.facts import FALSE, TRUE
from fabricgen.nos.linux.show import measures, pauses, system
from fabricgen.nos.linux.show.reader import LINUX
from fabricgen.nos.linux.show.sources import SOURCES, UNKNOWN
from fabricgen.nos.measures import BY_NAME
from fabricgen.nos.questions import Answer, UnreadableError
from fabricgen.nos.shared.documents import answers
from fabricgen.nos.shared.frr.evpn_routes import Routes
from fabricgen.nos.show import BUNDLED, Part
from fabricgen.prove.differences import compare

FAR, VNI = "10.65.0.3", "10120"


def test_a_missing_flood_entry_is_named() -> None:
    assert sentences(planted(LEAF, (f"vni{VNI} {FAR}\n", ""))) == [
        "not yet: the flood list of VLAN 120 is missing"
    ]


def test_a_missing_evpn_route_of_a_vni_is_named() -> None:
    assert [each.key for each in planted(LEAF, (f"{VNI} imet {FAR}\n", ""))] == [("evpn", VNI)]


def test_an_endpoint_that_no_leaf_has_is_wrong() -> None:
    entry = f"vni{VNI} {FAR}\n"
    (found,) = planted(LEAF, (entry, f"{entry}vni{VNI} 10.65.0.9\n"))
    assert (found.kind, found.key, found.actual) == ("wrong", ("flood", "120"), f"{FAR}, 10.65.0.9")
    assert found.source == "bridge fdb show: 00:00:00:00:00:00 dst"


def test_a_stopped_daemon_is_wrong() -> None:
    (found,) = planted(LEAF, ("running bfdd\n", ""))
    assert (found.kind, found.key) == ("wrong", ("daemon", "bfdd"))
    assert (found.expected, found.actual) == ("running", "stopped")


def test_an_absent_daemon_is_unknown() -> None:
    seen = LINUX.read(text(LEAF))
    assert seen.unknown["daemon", "state", "chronyd"] == "chronyd is not installed"
    assert seen.unknown["clock", "synchronized"] == "chronyc is not installed"


def test_another_switch_is_named() -> None:
    (found,) = planted(LEAF, (f"hostname {LEAF}\n", "hostname other.example.com\n"))
    assert (found.key, found.actual) == (("identity",), "other")


def test_without_an_evpn_session_missing_routes_are_not_reported_again() -> None:
    seen = LINUX.read(text(LEAF))
    learned = ("flood", "evpn", "evpn-prefix")
    facts = {key: dict(own) for key, own in seen.facts.items() if key[0] not in learned}
    for key, own in facts.items():
        if key[0] == "session" and "evpn" in own["families"]:
            own["state"] = "Active"
    found = compare(models()[LEAF], replace(seen, facts=facts))
    assert {each.key[0] for each in found} == {"session"}


@pytest.mark.parametrize(
    ("line", "right"),
    [
        (
            "C0A80164,10.0.0.1,3,1796058000.1,0.0001,0.0002,0.0003,1.2,0.1,0.2,0.1,0.2,64,Normal",
            TRUE,
        ),
        ("00000000,,0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,1.0,1.0,0.0,Not synchronised", FALSE),
    ],
)
def test_the_leap_status_decides(line: str, right: str) -> None:
    """As `chronyc -c tracking` of chrony 4.3 prints (man chronyc)."""
    assert system.clock(Answer(line)) == {("clock",): {"synchronized": right}}


def test_a_silent_chronyd_leaves_the_clock_unread() -> None:
    with pytest.raises(UnreadableError, match="506"):
        system.clock(Answer("506 Cannot talk to daemon", 1))


def test_a_member_that_lacp_does_not_use() -> None:
    def member(name: str, *states: str) -> dict[str, object]:
        own = {"ad_actor_oper_port_state_str": list(states)}
        link = {"info_slave_kind": "bond", "info_slave_data": own}
        return {"ifname": name, "master": "bond1", "linkinfo": link}

    found = system.bundled([member("swp1", "collecting", "distributing"), member("swp2", "active")])
    assert found["bundle-member", "bond1", "swp1"] == {"state": BUNDLED}
    assert found["bundle-member", "bond1", "swp2"]["state"] == "not collecting and not distributing"


def test_queues_and_ports_are_counted() -> None:
    red = {"kind": "red", "dev": "swp1", "parent": "1:3", "packets": 7, "drops": 1, "marked": 5}
    root = {"kind": "htb", "dev": "swp1", "root": True, "packets": 9, "drops": 9}
    assert measures.of_queues([red, root, {**red, "dev": "eth0"}]) == {
        ("queue-packets", "swp1", "1:3"): 7,
        ("queue-drops", "swp1", "1:3"): 1,
        ("ecn-marked", "swp1", "1:3"): 5,
    }
    stats = {way: {"errors": 1, "bytes": 2} for way in ("rx", "tx")}
    counted = measures.of_ports([{"ifname": "swp1", "stats64": stats}, {"ifname": "swp2"}])
    assert counted["receive-errors", "swp1"] == 1
    assert ("receive-errors", "swp2") not in counted


def test_the_settled_leaf_has_its_measures() -> None:
    found = LINUX.read(text(LEAF)).measures
    assert found["macs", "120"] == 2
    assert found["evpn-routes", VNI, "imet"] == 2
    assert found["prefixes-received", "default", "10.72.0.128", "ipv4"] > 0
    assert found[("uptime",)] > 0
    assert found["flaps", "swp1"] >= 0


class TestPauses:
    SHOWN = json.dumps({"prio_pfc": [False] * 3 + [True] + [False] * 4, "requests": [0] * 8})

    def test_protected_priorities_and_frames_are_read(self) -> None:
        shown = json.loads(self.SHOWN) | {"requests": [0, 0, 0, 5], "indications": [0, 0, 0, 6]}
        facts, counted, unknown = pauses.read(Answer(f"swp1\n{json.dumps(shown)}"))
        assert facts == {("qos", "swp1"): {"pause": ("3",)}}
        assert counted["pause-sent", "swp1", "3"] == 5
        assert counted["pause-received", "swp1", "3"] == 6
        assert unknown == {}

    @pytest.mark.parametrize(
        "said", ["RTNETLINK answers: Operation not supported", "sh: 1: dcb: not found"]
    )
    def test_a_driver_without_pfc_is_unknown_and_not_zero(self, said: str) -> None:
        facts, counted, unknown = pauses.read(Answer(f"swp1 swp2\n{said}", 1))
        assert (facts, counted) == ({}, {})
        assert said in unknown["qos", "pause"]

    def test_a_port_without_an_answer_is_unread(self) -> None:
        with pytest.raises(UnreadableError, match="swp2 and later ports"):
            pauses.read(Answer(f"swp1 swp2\n{self.SHOWN}\nCannot find device", 1))


def test_every_topic_and_metric_has_a_place() -> None:
    assert LINUX.about.keys() <= SOURCES.keys()
    assert {(name,) for name in LINUX.measured} <= SOURCES.keys()
    assert all(source.asks for source in SOURCES.values())


def test_every_metric_is_measured_or_has_a_reason() -> None:
    named = {*LINUX.measured, *(key[0] for key in UNKNOWN if len(key) == 1)}
    assert BY_NAME.keys() - named == set()
    assert named <= BY_NAME.keys()
    assert not {(name,) for name in LINUX.measured} & UNKNOWN.keys()


class TestRoutes:
    LINES = "10120 imet 10.65.0.3\n64999:50001 prefix 10.110.0.0/24 10.65.0.3\n10120 count 2 4\n"

    def test_routes_of_the_switch_itself_are_left_out(self) -> None:
        vnis = [
            {"vni": 50001, "type": "L3", "vrf": "red", "localVtepIp": "10.65.0.2"},
            {"vni": 10120, "type": "L2", "vrf": "blue", "vtepIp": "10.65.0.2"},
        ]
        own = "10120 imet 10.65.0.2\n64999:50001 prefix 10.111.0.0/24 10.65.0.2\n"
        routes = Routes(Answer(self.LINES + own))
        assert routes.facts(vnis, {"50001": {"importRTs": ["64999:50001"]}}) == {
            ("evpn", "10120"): {"imet": ("10.65.0.3",)},
            ("evpn-prefix", "red", "10.110.0.0/24"): {"vteps": ("10.65.0.3",)},
        }
        assert routes.measures() == {("evpn-routes", "10120", "mac-ip"): 4.0}

    @pytest.mark.parametrize("line", ["x", "10120 imet", "10120 count 2 many", "a b c d e"])
    def test_another_line_is_unread(self, line: str) -> None:
        with pytest.raises(UnreadableError):
            Routes(Answer(self.LINES + line))


@pytest.mark.parametrize(
    "listed",
    [
        "",
        "installed zebra\ninstalled bgpd\n",
        "installed zebra\ninstalled bgpd\nrunning bgpd\n",
        "installed zebra\nend\nrunning ze",
    ],
)
def test_a_list_of_processes_without_its_end_is_unread(listed: str) -> None:
    given = answers(text(LEAF)) | {"system": Answer(f"hostname {LEAF}\n{listed}")}
    seen = LINUX.parse(given)
    assert seen.unread == {Part.DAEMONS: "the list of processes is empty or truncated"}
    assert not [key for key in seen.facts if key[0] == "daemon"]
    assert not [names for names in seen.unknown if names[0] == "daemon"]
    assert seen.facts["identity",] == {"hostname": LEAF}


@pytest.mark.parametrize(
    ("shown", "ends"),
    [
        ("echo bgpd; false", True),
        ("echo bgpd; kill -9 $(sh -c 'echo $PPID')", False),
        ("true", False),
    ],
)
def test_the_shell_ends_only_a_whole_list(shown: str, *, ends: bool) -> None:
    """In a real shell. `cat` of /proc is a stand-in, which a signal may end."""
    fake = f'cat() {{ case "$*" in */comm*) ({shown});; *) command cat "$@";; esac; }}'
    script = f"{fake}\n{system.SYSTEM}"
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    seen = system.System(Answer(done.stdout))
    assert seen.complete is ends
    assert seen.lines.get("running", []) == ["bgpd"] * ends
