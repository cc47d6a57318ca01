"""Two addresses of one table, beside what Python's `ipaddress` says of their subnets."""

from ipaddress import ip_interface
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.fabric.parts import port

from fabricgen.compile.checks import ends
from fabricgen.compile.checks.addresses import (
    APART,
    OVERLAP,
    TWICE,
    TWO_GATEWAYS,
    Kind,
    RoutingTable,
)
from fabricgen.model.fabric.addressing import Ip


class Entry(NamedTuple):
    ip: Ip
    kind: Kind
    owner: int
    detail: int

    @property
    def segment(self) -> tuple[int, int, int]:
        return self.kind, self.owner, self.detail


def table(*entries: Entry, version: int = 4) -> RoutingTable:
    made = RoutingTable("frontend", version, ("frontend", "addressing"))
    for each in entries:
        made.add(each.ip, each.kind, each.owner, each.detail)
    return made


def clashes(made: RoutingTable) -> list[tuple[str, str, str]]:
    return [
        (wrong, str(made.ip(one)), str(made.ip(other)) if other >= 0 else "")
        for wrong, one, other in made.clashes()
    ]


def judged(one: Entry, other: Entry) -> list[tuple[str, str, str]]:
    """Say what is wrong with two entries by the words of what can be wrong."""
    first, second = sorted(
        (one, other), key=lambda each: (each.ip, each.owner, each.kind, each.detail)
    )
    nets = [ip_interface(str(each.ip)).network for each in (first, second)]
    both = str(first.ip), str(second.ip)
    if first.ip.value == second.ip.value:
        return [(TWICE, *both)]
    if first.segment == second.segment:
        narrow = max(nets, key=lambda net: net.prefixlen)
        together = all(ip_interface(str(each.ip)).ip in narrow for each in (first, second))
        if not together:
            return [(APART, *both)]
        return [(TWO_GATEWAYS, *both)] if first.kind is Kind.GATEWAY else []
    if nets[0].overlaps(nets[1]) and first.kind not in (Kind.MANAGEMENT, Kind.ROUTER):
        return [(OVERLAP, *both)]
    return [(APART, str(e.ip), "") for e in (first, second) if e.kind is Kind.LINK]


ADDRESSES = st.tuples(
    st.integers(min_value=0x0A000000, max_value=0x0A00001F),
    st.integers(min_value=27, max_value=32),
    st.just(4),
).map(Ip._make)
ENTRIES = st.builds(Entry, ADDRESSES, st.sampled_from(Kind), st.integers(1, 2), st.integers(64, 65))


@given(ENTRIES, ENTRIES)
def test_two_addresses_clash_by_their_subnets_and_what_they_are_on(
    one: Entry, other: Entry
) -> None:
    found, wanted = clashes(table(one, other)), judged(one, other)
    assert [each[0] for each in found] == [each[0] for each in wanted]
    assert {frozenset(each[1:]) for each in found} == {frozenset(each[1:]) for each in wanted}


@pytest.mark.parametrize(
    ("lengths", "wrong"), [((31, 31), []), ((31, 30), []), ((30, 30), []), ((30, 32), [APART])]
)
def test_ends_of_a_cable_share_the_narrower_of_their_subnets(
    lengths: tuple[int, int], wrong: list[str]
) -> None:
    low, high = (Ip(0x0A000000 + end, length) for end, length in enumerate(lengths))
    made = table(Entry(low, Kind.LINK, 1, 64), Entry(high, Kind.LINK, 1, 64))
    assert [each[0] for each in clashes(made)] == wrong


def test_an_ipv6_address_has_128_bits() -> None:
    first = 0xFD00 << 112
    pair = [Entry(Ip(first + end, 127, 6), Kind.LINK, 1, 64) for end in (0, 1)]
    assert clashes(table(*pair, version=6)) == []
    far = pair[1]._replace(ip=Ip(first + 2, 127, 6))
    assert clashes(table(pair[0], far, version=6)) == [(APART, "fd00::/127", "fd00::2/127")]


@given(ENTRIES)
def test_what_is_packed_is_unpacked(entry: Entry) -> None:
    made = table(entry)
    (packed,) = made.entries
    assert made.ip(packed) == entry.ip
    assert made.host(packed) == entry.ip.host
    assert made.segment(packed) == entry.segment


@pytest.mark.parametrize(
    ("cage", "sub", "subs", "label"),
    [(1, 0, 1, "1"), (64, 0, 2, "64/1"), (64, 1, 2, "64/2"), (512, 7, 8, "512/8")],
)
def test_a_port_has_a_key_that_spells_it(cage: int, sub: int, subs: int, label: str) -> None:
    one = port(cage, sub, subs)
    assert ends.label(ends.key(one)) == one.label == label
    assert ends.key(one) < 1 << ends.BITS
