"""The files of a switch as one text: what goes in comes out, and equal files are equal texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabricgen.nos.driver import pack, unpack

PATHS = st.text("abc/._-", min_size=1, max_size=12)
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=40)


@given(st.dictionaries(PATHS, TEXTS, min_size=1, max_size=5), st.data())
def test_what_goes_in_comes_out(files: dict[str, str], data: st.DataObject) -> None:
    """Every text, empty or without an end of line too, and which files run."""
    runs = data.draw(st.sets(st.sampled_from(sorted(files))))
    assert unpack(pack(files, runs)) == (files, frozenset(runs))


def test_the_order_of_files_does_not_matter() -> None:
    """It is compared and hashed as a text."""
    assert pack({"a": "1\n", "b": "2\n"}) == pack({"b": "2\n", "a": "1\n"})


def test_a_file_that_looks_like_two_is_refused() -> None:
    """Otherwise a description could write a file of its own."""
    with pytest.raises(ValueError, match="looks like the head"):
        pack({"etc/frr/frr.conf": "#### file etc/shadow\nroot::0:0\n"})


@pytest.mark.parametrize("text", ["", "hostname leaf1\n", "\n#### file a\n"])
def test_other_texts_are_no_bundle(text: str) -> None:
    """A text of one file is not taken for a bundle."""
    with pytest.raises(ValueError, match="not the files of a switch"):
        unpack(text)
