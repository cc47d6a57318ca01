"""Patterns of descriptions: what one may be, and what is said of one that may not."""

import pytest
from pydantic_core import PydanticCustomError

from fabricgen.intent.model.descriptions import MOST, checked_text

FAR = "{peer} {peer_port}"


@pytest.mark.parametrize("text", [FAR, "[{site}] {switch}:{port} > {peer} {peer_port}; #1"])
def test_a_pattern_with_both_words_of_the_far_end_will_do(text: str) -> None:
    assert checked_text("link", text) == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "name the remote end; add {peer} and {peer_port}"),
        ("{peer}", "name the remote end; add {peer_port}"),
        (FAR + " {nic}", "unknown placeholder 'nic'; use site, switch, port, peer, peer_port"),
        (FAR + " {peer}", "each placeholder at most once"),
        (FAR + "x" * MOST, "but this one has 41"),
        *((FAR + letter + "x", "use letters") for letter in "\"'`\\?!$%~&^\n\té{}"),
        (FAR + " {port:02}", "use letters"),
        (FAR + " {port!r}", "use letters"),
        ("#" + FAR, "must not begin with #"),
        (" " + FAR, "must not begin with #"),
        (FAR + " ", "must not begin with #"),
    ],
)
def test_what_a_pattern_may_not_be(text: str, said: str) -> None:
    with pytest.raises(PydanticCustomError) as refused:
        checked_text("link", text)
    assert said in refused.value.message()
