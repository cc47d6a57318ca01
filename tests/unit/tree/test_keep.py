"""Patterns of what others own: what they fit, what is refused, and what becomes of a text."""

import time

import pytest

from fabricgen.core.tree.keep import Contradiction, Keep, fits, patterns, shown
from fabricgen.core.tree.outline import Misplaced, OutlineSyntax

MANNER = OutlineSyntax(
    step=3, comment="!", separator="!", shuts=frozenset({"shutdown"}), texts={"banner motd": 1}
)
OURS = """\
hostname leaf01
!
interface Ethernet1
   mtu 9214
!
router bgp 65001
   router-id 10.0.0.1
"""
BARE = OURS.replace("!\n", "")


def keep(text: str) -> Keep:
    return Keep.of(text, MANNER)


@pytest.mark.parametrize(
    ("pattern", "line", "whether"),
    [
        ("daemon TerminAttr", "daemon TerminAttr", True),
        ("daemon TerminAttr", "daemon TerminAttr more", False),
        ("daemon *", "daemon TerminAttr", True),
        ("daemon *", "daemon", False),
        ("interface Ethernet*/1", "interface Ethernet29/1", True),
        ("interface Ethernet*/1", "interface Ethernet/", False),
        ("logging host ~", "logging host 192.0.2.9 port 514", True),
        ("logging host ~", "logging host", False),
        ("~", "anything", True),
        ("a.c", "abc", False),
        ("(a+)+$", "aaaa", False),
    ],
)
def test_what_a_pattern_fits(pattern: str, line: str, whether: bool) -> None:  # noqa: FBT001
    assert fits(pattern, line) is whether


@pytest.mark.parametrize(
    ("text", "number", "why"),
    [
        ("a ~ b", 1, "matches the rest"),
        ("ok\na*b*c", 2, r"only one `\*`"),
        ("# said", 1, "a remark"),
        ("a ~\n  b", 1, "with lines below it"),
        ("  a", 1, "no line is above"),
        ("a\n" * 300, 201, "more than 200 lines"),
        ("a" * 400, 1, "300 ASCII letters"),
        ("ü", 1, "ASCII"),
        ("\n".join(" " * depth + "a" for depth in range(9)), 7, "more than 6 levels"),
    ],
)
def test_what_is_no_pattern(text: str, number: int, why: str) -> None:
    with pytest.raises(Misplaced, match=why) as refused:
        patterns(text)
    assert refused.value.number == number


def test_no_pattern_takes_longer_than_the_text_is_long() -> None:
    begun = time.monotonic()
    for pattern in ("a*" + "a" * 290, "* " * 140 + "~", "*a"):
        fits(pattern, "a" * 100_000 + "b")
        fits(pattern, "a " * 50_000)
    assert time.monotonic() - begun < 1


def test_lines_of_others_stay_where_they_are_and_ours_are_replaced() -> None:
    theirs = keep("daemon *\nrouter bgp *\n   neighbor 192.0.2.1 ~\n")
    running = (
        "hostname old\n!\ndaemon Agent\n   exec /mnt/agent\n   no shutdown\n!\n"
        "router bgp 65001\n   neighbor 192.0.2.1 remote-as 1\n   neighbor 10.0.0.9 remote-as 2\n"
    )
    assert theirs.into(OURS, running) == OURS.replace(
        "   router-id 10.0.0.1\n", "   router-id 10.0.0.1\n   neighbor 192.0.2.1 remote-as 1\n"
    ) + ("!\ndaemon Agent\n   exec /mnt/agent\n   no shutdown\n")
    assert theirs.without(theirs.into(OURS, running)) == BARE
    assert theirs.without(running).count("neighbor") == 1


def test_a_section_of_which_only_kept_lines_are_there_goes_with_them() -> None:
    theirs = keep("interface *\n   description ~\n")
    running = OURS + "!\ninterface Ethernet9\n   description cable tool\n"
    assert theirs.without(running) == BARE
    assert theirs.into(OURS, running) == running


def test_what_was_kept_gives_way_to_what_is_kept_now() -> None:
    theirs = keep("logging host ~")
    old, now = OURS + "logging host 1\n", OURS + "logging host 2\n"
    again = theirs.again(old, now)
    assert theirs.kept(again) == "logging host 2\n"
    assert theirs.without(again) == BARE
    assert theirs.moved(old, now)
    assert not theirs.moved(old, old)


def test_where_a_kept_line_stands_makes_no_difference() -> None:
    theirs = keep("logging host ~")
    assert theirs.same("logging host 1\n" + OURS, OURS + "logging host 1\n")
    assert not theirs.same(OURS, OURS.replace("9214", "1500"))


def test_a_text_of_several_lines_is_one_line() -> None:
    theirs = keep("logging host ~")
    text = "banner motd\nlogging host 1\nEOF\n"
    assert theirs.without(text) == text


@pytest.mark.parametrize(
    ("pattern", "line", "why"),
    [
        ("interface *\n   shutdown", "   shutdown", "shuts line 3 `interface Ethernet1`"),
        ("no hostname *", None, "contradicts line 1 `hostname leaf01`"),
    ],
)
def test_what_contradicts_ours_is_refused(pattern: str, line: str | None, why: str) -> None:
    running = OURS.replace("   mtu", f"{line}\n   mtu") if line else OURS + "no hostname leaf01\n"
    with pytest.raises(Contradiction, match=why):
        keep(pattern).into(OURS, running)


def test_a_rendered_line_is_none_of_others() -> None:
    with pytest.raises(Contradiction, match="line 4 `mtu 9214` is both rendered and unmanaged"):
        keep("interface *\n   mtu *").into(OURS, "")


def test_what_people_see_has_nothing_of_what_the_rest_stood_for() -> None:
    said = {"eos": "daemon *\nsnmp-server community ~\nrouter bgp *\n   neighbor * ~\n"}
    runs = {
        "eos": "daemon Agent\n   exec -key hush\nsnmp-server community hush ro\n"
        "router bgp 1\n   neighbor 192.0.2.1 password hush\n",
        "files": "/etc/issue.net\n",
    }
    assert list(shown(said, runs)) == [
        "eos: daemon Agent and 1 line below",
        "eos: snmp-server community …",
        "eos: router bgp 1 > neighbor 192.0.2.1 …",
        "files: /etc/issue.net",
    ]
