"""An answer of an EOS switch that cannot be read makes its parts unread, and fails no check."""

from collections.abc import Mapping
from functools import cache

import pytest
from tests.written.eos.eapi import output
from tests.written.eos.sites import bench, reader
from tests.written.missing import BROKEN, failures

from fabricgen.nos.eos.show.questions import IMET, PREFIX, QUESTIONS, ROUTE
from fabricgen.nos.questions import Answer
from fabricgen.nos.show import Part

SITE = "pairs"
SWITCHES = ("fe-leaf01", "fe-spine1")
SAMPLED = (f"{ROUTE}-1", f"{IMET}-10100", f"{PREFIX}-50001-1")
ASKED = tuple(kind for kind in BROKEN if kind != "missing")
"""The driver answers every sampled question, with a refusal at least (eos/driver/batch.py)."""


@cache
def given(switch: str) -> Mapping[str, Answer]:
    there = bench(SITE)
    request = reader().request(there.wanted[switch].facts)
    return reader().decode(output(there.shown[switch], request))


@pytest.mark.parametrize("key", [*(each.key for each in QUESTIONS), *SAMPLED])
@pytest.mark.parametrize("switch", SWITCHES)
def test_no_check_fails_without_an_answer(switch: str, key: str) -> None:
    if key not in given(switch):
        assert switch == "fe-spine1"  # it has no VNI
        return
    kinds = ASKED if key in SAMPLED else ()
    assert list(failures(bench(SITE).wanted[switch], given(switch), key, *kinds)) == []


@pytest.mark.parametrize(
    ("key", "parts"),
    [
        ("interfaces", {Part.INTERFACES, Part.ADDRESSES, Part.BUNDLES}),
        ("bgp", {Part.BGP, Part.POLICIES}),
        ("vnis", {Part.VNIS, Part.EVPN, Part.FLOOD, Part.PREFIXES, Part.SEGMENTS}),
    ],
)
def test_what_follows_from_an_unread_answer_is_unread(key: str, parts: set[Part]) -> None:
    answers = {name: own for name, own in given("fe-leaf01").items() if name != key}
    assert reader().parse(answers).unread.keys() >= parts
