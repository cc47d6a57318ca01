"""From what frr-reload.py and ifquery print: each line that a reload would change is named."""

import pytest

from fabricgen.operate.lab.client import Result
from fabricgen.operate.lab.reload import (
    interface_differences,
    reload_differences,
    routing_differences,
)

# Printed by frr-reload.py 8.4.4 --test after `no neighbor ABOVE bfd` on a running switch.
MISSING = """
Lines To Add
============
router bgp 4200000000
 neighbor ABOVE bfd
router bgp 4200000000
 neighbor ABOVE bfd profile UNDERLAY
"""
TOO_MUCH = """
Lines To Delete
===============
router bgp 4200000000
 neighbor 10.0.0.9 remote-as 65000
"""
# Printed by ifquery 3.0.0 -a -c after `ip link set swp1 mtu 9000` and the loss of an address.
CHANGED = """\
auto lo
iface lo inet loopback                                              [fail]
\tpre-up [ -e /sys/class/net/vni10020 ] || ip link add vni10020 type vxlan id 10020         []
\taddress 10.64.0.1/32                                        [fail]

auto swp30
iface swp30                                                         [pass]
\tmtu 9214                                                    [pass]

auto swp1
iface swp1                                                          [fail]
\tbridge-access 10                                            [pass]
\tmtu 9000                                                    [fail]
"""

# As ifquery prints an interface that fails by itself: iface.py, _dump_pretty.
TAGGED_ONLY = """\
auto swp2
iface swp2 (bridge pvid error)                                      [fail]
\tbridge-vids 10 20                                           [pass]
\tbridge-allow-untagged no                                    [pass]
"""


def test_a_clean_reload_says_nothing() -> None:
    assert list(routing_differences("leaf1", Result(0, "\n", ""))) == []
    assert (
        list(interface_differences("leaf1", Result(0, CHANGED.replace("fail", "pass"), ""))) == []
    )


@pytest.mark.parametrize(
    ("printed", "said"),
    [
        (MISSING, "leaf1: a reload of frr.conf would add: neighbor ABOVE bfd profile UNDERLAY"),
        (TOO_MUCH, "leaf1: a reload of frr.conf would delete: neighbor 10.0.0.9 remote-as 65000"),
    ],
    ids=["missing", "too much"],
)
def test_lines_that_a_reload_of_frr_would_change_are_named(printed: str, said: str) -> None:
    assert said in list(routing_differences("leaf1", Result(0, printed, "")))


def test_a_reload_that_fails_is_no_empty_diff() -> None:
    (said,) = routing_differences("leaf1", Result(1, "", "no such file"))
    assert said == "leaf1: frr-reload.py failed: no such file"


def test_attributes_that_are_not_as_written_are_named_with_their_interface() -> None:
    assert list(interface_differences("leaf1", Result(1, CHANGED, ""))) == [
        "leaf1: lo differs from its file, according to ifquery: address 10.64.0.1/32",
        "leaf1: swp1 differs from its file, according to ifquery: mtu 9000",
    ]


def test_a_port_for_tagged_frames_only_needs_no_pvid() -> None:
    assert list(interface_differences("leaf1", Result(1, TAGGED_ONLY, ""))) == []


def test_an_interface_that_fails_by_itself_is_named_with_the_reason() -> None:
    printed = TAGGED_ONLY.replace("pvid", "vid")
    (said,) = interface_differences("leaf1", Result(1, printed, ""))
    assert said == "leaf1: swp2 differs from its file, according to ifquery: bridge vid error"


def test_an_ifquery_that_does_not_run_is_no_empty_diff() -> None:
    (said,) = interface_differences("leaf1", Result(127, "", "ifquery: not found"))
    assert said == "leaf1: ifquery failed: ifquery: not found"


def test_each_switch_is_asked_by_both_of_its_tools() -> None:
    asked: list[tuple[str, tuple[str, ...]]] = []

    class Client:
        def execute(self, name: str, command: tuple[str, ...]) -> Result:
            asked.append((name, command))
            if command[0] == "ifquery":
                return Result(1, CHANGED if name == "leaf2" else "iface lo\n", "")
            return Result(0, MISSING if name == "leaf1" else "", "")

    found = reload_differences(Client(), ["leaf2", "leaf1", "leaf3"])  # type: ignore[arg-type]
    assert list(found) == ["leaf2", "leaf1", "leaf3"]
    assert [len(lines) for lines in found.values()] == [2, 4, 0]
    assert found["leaf1"][0] == "leaf1: a reload of frr.conf would add: router bgp 4200000000"
    frr = ("/usr/lib/frr/frr-reload.py", "--test", "--stdout", "--log-level", "warning")
    assert sorted(asked) == sorted(
        (name, command)
        for name in found
        for command in ((*frr, "/etc/frr/frr.conf"), ("ifquery", "-a", "-c"))
    )


def test_the_last_words_of_a_tool_are_told_and_no_more() -> None:
    (said,) = routing_differences("leaf1", Result(1, " out ", ""))
    assert said == "leaf1: frr-reload.py failed: out"
    (said,) = routing_differences("leaf1", Result(1, "out", "x" * 300))
    assert said == f"leaf1: frr-reload.py failed: {'x' * 200}"
    (said,) = interface_differences("leaf1", Result(1, "", "x" * 300))
    assert said == f"leaf1: ifquery failed: {'x' * 200}"
