"""Addresses as arithmetic, beside Python's `ipaddress`; and which end of a pool each tier takes."""

from ipaddress import IPv4Address, IPv4Interface, IPv6Address, IPv6Interface, ip_network
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.fabric.parts import link, switch

from fabricgen.model.fabric.addressing import Addresses, Ip, NicPlan, Pool, host_text
from fabricgen.model.fabric.topology import Role

V4 = st.integers(min_value=0, max_value=2**32 - 1)
V6 = st.integers(min_value=0, max_value=2**128 - 1)


@given(V4, st.integers(min_value=0, max_value=32))
def test_an_ipv4_address_is_spelled_as_python_spells_it(value: int, length: int) -> None:
    own, theirs = Ip(value, length), IPv4Interface((value, length))
    assert (str(own), own.host, own.prefix) == (
        str(theirs),
        str(theirs.ip),
        str(theirs.network),
    )
    net = theirs.network
    assert own.network == (int(net.network_address), int(net.broadcast_address))


@given(V6, st.integers(min_value=0, max_value=128))
def test_an_ipv6_address_is_spelled_as_python_spells_it(value: int, length: int) -> None:
    own, theirs = Ip(value, length, 6), IPv6Interface((value, length))
    assert own.host == str(IPv6Address(value))
    assert (str(own), own.prefix) == (str(theirs), str(theirs.network))
    net = theirs.network
    assert own.network == (int(net.network_address), int(net.broadcast_address))


def test_the_version_of_a_small_number_is_what_it_is_told_to_be() -> None:
    assert (host_text(1, 4), host_text(1, 6)) == ("0.0.0.1", "::1")
    assert Ip(1, 32).version == 4


@pytest.mark.parametrize("text", ["10.0.0.0/8", "10.1.2.0/24", "10.9.9.9/32", "fd00::/64"])
def test_a_pool_is_a_prefix_with_two_ends(text: str) -> None:
    net = ip_network(text)
    pool = Pool(
        name="links",
        first=int(net.network_address),
        size=net.num_addresses,
        version=net.version,
    )
    assert (pool.text, str(pool.whole)) == (text, text)
    assert (pool.low(0), pool.high(0)) == (int(net.network_address), int(net.broadcast_address))
    assert (pool.low(3), pool.high(3)) == (pool.first + 3, pool.high(0) - 3)


def pool(text: str, version: int = 4) -> Pool:
    net = ip_network(text)
    return Pool(name=text, first=int(net.network_address), size=net.num_addresses, version=version)


def addresses(*, links: Pool | None, vteps: Pool | None = None) -> Addresses:
    return Addresses(
        loopbacks=pool("10.0.0.0/24"),
        links=links,
        management=pool("10.255.0.0/24"),
        management_length=22,
        vteps=vteps,
        nics=None,
    )


@pytest.mark.parametrize(
    ("role", "ordinal", "last"),
    [
        (Role.LEAF, 0, 1),
        (Role.LEAF, 1, 2),
        (Role.SPINE, 0, 254),
        (Role.SPINE, 1, 252),
        (Role.SUPERSPINE, 0, 253),
        (Role.SUPERSPINE, 1, 251),
    ],
)
def test_leafs_count_up_and_those_above_count_down_interleaved(
    role: Role, ordinal: int, last: int
) -> None:
    every = addresses(links=None, vteps=pool("10.1.0.0/24"))
    one = switch(role, ordinal)
    assert str(every.loopback(one)) == f"10.0.0.{last}/32"
    assert str(every.management_address(one)) == f"10.255.0.{last}/22"
    vtep = every.vtep(one)
    assert (str(vtep) if vtep else None) == (f"10.1.0.{last}/32" if role is Role.LEAF else None)


def test_without_an_overlay_nothing_has_a_vtep_and_unnumbered_links_have_no_addresses() -> None:
    bare, leaf, spine = addresses(links=None), switch(Role.LEAF, 0), switch(Role.SPINE, 0)
    assert bare.vtep(leaf) is None
    assert bare.link(link(leaf, spine)) is None


@pytest.mark.parametrize(
    ("text", "version", "upper", "ends"),
    [
        ("10.2.0.0/24", 4, Role.SPINE, {0: ("1/31", "0/31"), 3: ("7/31", "6/31")}),
        ("10.2.0.0/24", 4, Role.SUPERSPINE, {0: ("255/31", "254/31"), 3: ("249/31", "248/31")}),
        ("fd00::/120", 6, Role.SPINE, {0: ("1/127", "/127"), 3: ("7/127", "6/127")}),
        ("fd00::/120", 6, Role.SUPERSPINE, {0: ("ff/127", "fe/127"), 3: ("f9/127", "f8/127")}),
    ],
)
def test_a_link_is_a_pair_of_neighbors_the_even_one_above(
    text: str, version: int, upper: Role, ends: dict[int, tuple[str, str]]
) -> None:
    """Links to spines are taken from the bottom, those to superspines from the top."""
    every = addresses(links=pool(text, version))
    lower = switch(Role.LEAF if upper is Role.SPINE else Role.SPINE, 0)
    head = "10.2.0." if version == 4 else "fd00::"
    for slot, words in ends.items():
        pair = every.link(link(lower, switch(upper, 0), slot))
        assert pair is not None
        assert tuple(map(str, pair)) == tuple(f"{head}{word}" for word in words)


def test_no_two_links_of_a_pool_share_an_address_until_both_ends_meet() -> None:
    every, lower = addresses(links=pool("10.2.0.0/27")), switch(Role.LEAF, 0)
    pairs = [
        every.link(link(lower, switch(role, 0), slot))
        for role, slot in product((Role.SPINE, Role.SUPERSPINE), range(8))
    ]
    taken = [ip.value for pair in pairs if pair for ip in pair]
    assert len(taken) == len(set(taken)) == 32
    assert {host_text(value, 4).rpartition(".")[0] for value in taken} == {"10.2.0"}


def test_blocks_of_rails_follow_each_other_plane_by_plane() -> None:
    plan = NicPlan(pool=pool("172.16.0.0/12"), planes=2, block=1 << 18, subnet_length=None)
    places = [(rail, plane) for rail in (1, 2, 3) for plane in (1, 2)]
    prefixes = [str(plan.block_prefix(*place)) for place in places]
    assert prefixes == [f"172.{16 + 4 * number}.0.0/14" for number in range(6)]
    assert [str(IPv4Address(plan.block_first(*place))) for place in places] == [
        prefix.removesuffix("/14") for prefix in prefixes
    ]
