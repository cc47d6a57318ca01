"""A table of rules as text: what its blocks say, and that nothing in it is passed over."""

import pytest

from fabricgen.core.tree.risk import ADDED, ANY, CAUTION, USE, Risk, Rule, grows
from fabricgen.core.tree.rules import rules

TABLE = r"""
# A remark.

PORT = interface \S+
SOURCE = a book with
    two lines

{PORT} > shutdown
  session-reset added: the link of {WHO}
    goes down
  from {SOURCE}, page 7

== queues

queue (?:\d+|
[a-z]+)
  hitless if grows: more room
  from {USE}

.*
  reboot: nobody knows
  from {CAUTION}
"""


def test_each_block_is_a_rule_of_its_section() -> None:
    down = Rule(
        r"interface \S+ > shutdown",
        Risk.SESSION_RESET,
        "the link of a port goes down",
        "a book with two lines, page 7",
        ADDED,
    )
    room = Rule(r"queue (?:\d+|[a-z]+)", Risk.HITLESS, "more room", USE, ANY, grows)
    rest = Rule(".*", Risk.REBOOT, "nobody knows", CAUTION)
    assert rules(TABLE, {"grows": grows}, WHO="a port") == {
        "": (down,),
        "queues": (room, rest),
    }


@pytest.mark.parametrize(
    ("block", "refused"),
    [
        (".*\n  hitless: no source", ValueError),
        (".*\n  hitless sometimes: no such kind\n  from {USE}", ValueError),
        (".*\n  harmless: no such class\n  from {USE}", ValueError),
        (".*\n  hitless if grows: no such condition\n  from {USE}", KeyError),
        ("{WORD}\n  hitless: no such word\n  from {USE}", KeyError),
    ],
)
def test_what_is_no_rule_is_refused(block: str, refused: type[Exception]) -> None:
    with pytest.raises(refused):
        rules(block, {})
