"""From real and broken outputs: what is read from them, and what is said when it cannot be."""

import subprocess

import pytest
from tests.unit.proof.state.lab import BORDER, LEAF, RAIL, UNNUMBERED, edited, look, text

from fabricgen.nos.linux.show.interfaces import interfaces
from fabricgen.nos.linux.show.queues import observed
from fabricgen.nos.linux.show.reader import LINUX, QUESTIONS
from fabricgen.nos.shared.documents import VTYSH
from fabricgen.nos.show import UP, Part

PARSE = LINUX.read
SCRIPT = LINUX.request({})


def test_the_script_is_shell_and_ends_each_output_with_its_key() -> None:
    silent = SCRIPT
    for command in QUESTIONS:
        silent = silent.replace(command.line, "exit 3")
    run = subprocess.run(["sh", "-s"], input=silent, capture_output=True, text=True, check=True)
    assert run.stdout.split("\n\x1e")[1:] == [f"{command.key} 3\n" for command in QUESTIONS]
    subprocess.run(["sh", "-n"], input=SCRIPT, text=True, check=True)


def test_one_vtysh_answers_everything() -> None:
    assert SCRIPT.count("vtysh -E ") == 1
    assert all(f"-c '{asked}'" in SCRIPT for asked in VTYSH)


def test_every_command_is_read_under_its_key() -> None:
    silent = "".join(f"\n\x1e{command.key} 0\n" for command in QUESTIONS)
    assert not [why for why in PARSE(silent).unread.values() if "was not run" in why]
    for left in (each for each in QUESTIONS if each.key != "version"):
        some = "".join(f"\n\x1e{each.key} 0\n" for each in QUESTIONS if each is not left)
        assert any("was not run" in why for why in PARSE(some).unread.values()), left.key


VERSION = "zebra version 8.4.4\nCopyright 1996-2005 Kunihiro Ishiguro, et al.\n"


@pytest.mark.parametrize(
    ("printed", "runs"),
    [
        (f"{VERSION}\n\x1eversion 0\n", "FRR 8.4.4"),
        (f"{VERSION}\n\x1eversion 1\n", ""),
        ("sh: 1: /usr/lib/frr/zebra: not found\n\n\x1eversion 127\n", ""),
        ("zebra version \n\n\x1eversion 0\n", ""),
        ("", ""),
    ],
)
def test_the_version_of_frr_is_read_or_unknown(printed: str, runs: str) -> None:
    found = PARSE(text(LEAF) + printed)
    assert (found.runs, found.unread) == (runs, {})


@pytest.mark.parametrize("switch", [LEAF, BORDER, UNNUMBERED])
def test_a_real_output_is_read_whole(switch: str) -> None:
    assert look(switch).unread == {}


def test_a_switch_without_bgpd_still_shows_all_else() -> None:
    found = look(RAIL)
    assert found.unread == dict.fromkeys((Part.BGP, Part.EVPN, Part.BFD), "bgpd is not running")
    assert found.facts["interface", "swp1"]["link"] == UP
    assert found.of("vni") == {}


def test_red_has_its_probability_and_says_whether_it_drops() -> None:
    queues = look(UNNUMBERED).facts["queues", "swp1"]
    assert {name: own for name, own in queues.items() if name.startswith("marking")} == {
        "marking 1:3": ("150000", "600000", "0.2")
    }
    printed = text(UNNUMBERED).replace('"nodrop":false', '"nodrop":true')
    lossless = PARSE(printed).facts["queues", "swp1"]
    assert lossless["marking 1:3"] == ("150000", "600000", "0.2", "nodrop")


def test_red_that_drops_instead_of_marking_marks_nothing() -> None:
    printed = text(UNNUMBERED).replace('"ecn":true', '"ecn":false')
    assert "marking 1:3" not in PARSE(printed).facts["queues", "swp1"]


def test_a_rate_is_as_exact_as_tc_says_it() -> None:
    printed = text(UNNUMBERED).replace(
        "leaf 24: prio 1 rate 45Gbit", "leaf 24: prio 1 rate 7012Mbit"
    )
    assert PARSE(printed).facts["queues", "swp1"]["service 1:4"] == "shared with weight 7012000000"


def test_an_ets_is_read_as_iproute2_prints_it() -> None:
    # Keys as in iproute2 tc/q_ets.c ets_print_opt; the kernel of the lab has no ets.
    qdisc = {
        "kind": "ets",
        "handle": "1:",
        "dev": "swp1",
        "root": True,
        "options": {"bands": 3, "strict": 1, "quanta": [5000, 4000], "priomap": [2, 1, 0]},
    }
    assert observed([qdisc], {}) == {
        ("queues", "swp1"): {
            "scheduler": "ets",
            "bands": "2 1 0",
            "service 1:1": "strict",
            "service 1:2": "shared with weight 5000",
            "service 1:3": "shared with weight 4000",
        }
    }


def test_a_dead_next_hop_carries_nothing() -> None:
    hop = '"dev":"swp29","weight":1,"flags":[]'
    printed = text(LEAF).replace(hop, hop.replace("[]", '["dead","linkdown"]'))
    assert PARSE(printed).facts["route", "default", "10.64.0.1/32"] == {"ports": ("swp30",)}


def test_a_range_of_vlans_is_every_vlan_of_it() -> None:
    member = '{"ifname":"br0","vlans":['
    more = edited(text(LEAF), (member, f'{member}{{"vlan":200,"vlanEnd":202}},'))
    assert {*PARSE(more).facts["interface", "br0"]["vlans"]} >= {"200", "201", "202"}


@pytest.mark.parametrize(
    ("edit", "part", "why"),
    [
        (("\n\x1elldp 0", "\n\x1elldp 127"), None, ""),
        (('{\n  "lldp"', "sh: lldpcli: not found\n{"), Part.LLDP, "sh: lldpcli: not found"),
        (('[{"dst":"10.64.0.1"', '[{"dst":'), Part.ROUTES, "invalid JSON"),
        (
            ('[{"dst":"10.64.0.1"', '[{"to":"10.64.0.1"'),
            Part.ROUTES,
            "unexpected shape of the output",
        ),
        (("\n\x1evlans 0\n", "\nmore\n\x1evlans 0\n"), Part.BRIDGE, "text after the JSON: 'more'"),
    ],
)
def test_what_cannot_be_read_is_a_value(edit: tuple[str, str], part: Part | None, why: str) -> None:
    unread = PARSE(edited(text(LEAF), edit)).unread
    assert list(unread) == ([part] if part else [])
    assert not part or unread[part].startswith(why)


def test_output_that_was_cut_off() -> None:
    whole = text(LEAF)
    unread = PARSE(whole[: whole.index("\n\x1equeues")]).unread
    assert Part.INTERFACES not in unread
    assert unread[Part.BGP] == "the command was not run, or its output was truncated"


def test_a_batch_of_tc_that_stopped_early() -> None:
    whole = text(UNNUMBERED)
    start = whole.index("class htb")
    end = whole.index("\n\x1efilters 0")
    cut = whole[:start] + 'Cannot find device "swp1"\n' + whole[end:]
    assert PARSE(cut).unread == {
        Part.FILTERS: 'swp1 and later ports are missing: Cannot find device "swp1"'
    }


def test_no_output_says_so_of_everything() -> None:
    every = {*LINUX.about.values(), *LINUX.measured.values()} - {Part.PATHS}  # asked on demand
    assert set(PARSE("").unread) == every
    assert set(PARSE("sh: permission denied\n").unread) == every


def test_a_tunnel_is_read_with_its_ends_and_its_key() -> None:
    """As `ip -d -j address` of Linux 6.1 prints one."""
    said = {
        "ifname": "gre19-101",
        "link": "swp19.31",
        "flags": ["POINTOPOINT", "NOARP", "UP", "LOWER_UP"],
        "mtu": 1472,
        "address": "198.51.100.1",
        "linkinfo": {
            "info_kind": "gre",
            "info_data": {
                "remote": "203.0.113.1",
                "local": "198.51.100.1",
                "ttl": 64,
                "ikey": "0.0.0.101",
                "okey": "0.0.0.101",
            },
        },
    }
    own = interfaces([said])["interface", "gre19-101"]
    ends = {"local": "198.51.100.1", "remote": "203.0.113.1", "key": "101", "below": "swp19.31"}
    assert own.items() >= ends.items()
