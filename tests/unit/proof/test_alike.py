"""Lines of a proven switch with its own values; the lines that another of its sort must have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fabricgen.proof.alike import Alike

if TYPE_CHECKING:
    from fabricgen.tree.grammar import Span

    Fact = tuple[tuple[str, ...], str]

HOST: Fact = (("switch",), "hostname")
ASN: Fact = (("bgp",), "asn")
PLACES: dict[tuple[tuple[str, ...], str, str], int] = {(*HOST, "leaf1"): 0, (*ASN, "65001"): 1}


def spans(line: str, *words: tuple[str, Fact]) -> tuple[str, list[Span]]:
    """Return a line with the places of some words in it, and the fact each says."""
    return line, [(line.index(word), line.index(word) + len(word), [fact]) for word, fact in words]


LINES = [
    spans("hostname leaf1", ("leaf1", HOST)),
    spans("router bgp 65001 # 100% of leaf1", ("65001", ASN), ("leaf1", HOST)),
    spans("mtu 9214", ("9214", (("port",), "mtu"))),
]


def test_own_values_are_put_in_and_all_else_stays() -> None:
    alike = Alike.of(LINES, PLACES, 7)
    assert alike is not None
    assert alike.objects == 7
    assert alike.lines(["leaf1", "65001"]) == [line for line, _ in LINES]
    assert alike.lines(["leaf2", "65002"]) == [
        "hostname leaf2",
        "router bgp 65002 # 100% of leaf2",
        "mtu 9214",
    ]


@pytest.mark.parametrize(
    "places",
    [
        {**PLACES, (("bgp",), "router_id", "10.0.0.1"): 2},  # stands in no line
        {(*HOST, "leaf1"): 0},  # one value alone
        {(*HOST, "leaf2"): 0, (*ASN, "65001"): 1},  # of another switch
        {},
    ],
)
def test_nothing_is_learned_where_an_own_value_is_in_no_line(
    places: dict[tuple[tuple[str, ...], str, str], int],
) -> None:
    assert Alike.of(LINES, places, 7) is None
