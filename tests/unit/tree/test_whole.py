"""Files without a grammar of lines: a text that is one fact, and lines that others judge."""

import pytest

from fabricgen.core.tree.whole import Judged, Whole

BANNER = Whole("host", "banner")
QUEUES = Judged("qdisc ", "class ", "#")


def test_a_text_is_one_fact_without_its_last_line_end() -> None:
    text = "one\n\ntwo\n"
    assert BANNER.about == {("host", "banner")}
    assert BANNER.always == {}
    assert BANNER.read(text).facts == {("host",): {"banner": "one\n\ntwo"}}
    assert BANNER.read(text).unclaimed == []


def test_the_key_of_a_text_may_have_several_words() -> None:
    key = Whole("account", "admin", "keys")
    assert key.about == {("account", "keys")}
    assert key.read("ssh-ed25519 A").facts == {("account", "admin"): {"keys": "ssh-ed25519 A"}}


def test_a_traced_text_stands_from_its_first_line() -> None:
    reading = BANNER.trace("one\ntwo\n")
    assert reading.facts == BANNER.read("one\ntwo\n").facts
    assert reading.lines == {(("host",), "banner"): [1]}


def test_a_whole_text_may_be_a_switchs_own_and_lines_of_others_never_are() -> None:
    own = frozenset(("one\ntwo", "class"))
    assert list(BANNER.spans("one\ntwo\n", own)) == [(0, 7, ("host",), "banner")]
    assert list(BANNER.spans("one\n", own)) == []
    assert list(QUEUES.spans("class\n", own)) == []


@pytest.mark.parametrize(
    ("text", "unclaimed"),
    [
        ("qdisc add\n# why\nclass add\n", []),
        ("", []),
        ("qdisc add\n\nclass add\n", []),
        ("filter add\n", [(1, "filter add")]),
        ("qdisc add\n\nqdiscs\n  class add\nclass add\n", [(3, "qdiscs"), (4, "  class add")]),
        ("qdisc add\nfilter", [(2, "filter")]),
    ],
)
def test_lines_of_other_beginnings_are_unclaimed(
    text: str, unclaimed: list[tuple[int, str]]
) -> None:
    for read in (QUEUES.read, QUEUES.trace):
        assert read(text).unclaimed == unclaimed
        assert read(text).facts == {}
    assert QUEUES.about == frozenset()
    assert QUEUES.always == {}
