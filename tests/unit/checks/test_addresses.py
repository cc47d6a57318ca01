"""From slices with wrong addresses: that no address or subnet is used twice unnoticed (FG301)."""

from dataclasses import replace

import pytest
from tests.unit.checks.sites import (
    EVERY,
    FRONTEND,
    RAIL_OPTIMIZED,
    THREE_TIER,
    TWO_PLANES,
    changed,
    cut,
    designed,
    examine,
    fabric_of,
    first_red,
    piece_of,
    reds,
    told,
    with_interface,
)

from fabricgen.compile.checks.addresses import (
    APART,
    OVERLAP,
    TWICE,
    TWO_GATEWAYS,
    Addresses,
    Kind,
    RoutingTable,
)
from fabricgen.core.diagnostics import Code
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.interface import Interface, Use

CODE = Code.ADDRESS_OVERLAP
SITE = designed(RAIL_OPTIMIZED)


def fabric_port(interface: Interface) -> bool:
    return interface.use is Use.FABRIC


@pytest.mark.parametrize("shape", EVERY)
def test_a_designed_site_passes(shape: str) -> None:
    assert reds(examine(Addresses, designed(EVERY[shape])), CODE) == []


def test_every_address_is_counted() -> None:
    # 8 leafs, 2 spines: loopback and management each; 24 NIC ports; 2 ends of 32 links; the router
    assert len(SITE.fabrics[0].topology.switches) == 10
    links = sum(not link.to_server for link in SITE.fabrics[0].topology.links)
    assert examine(Addresses, SITE).objects == 2 * 10 + 24 + 2 * links + 1


def test_a_loopback_of_two_switches_is_found() -> None:
    pieces = cut(SITE)
    taken = piece_of(pieces, "be-su01-leaf2").loopback
    pieces = told(
        pieces, "be-su01-leaf1", lambda switch_slice: replace(switch_slice, loopback=taken)
    )
    said = first_red(examine(Addresses, SITE, pieces), CODE)
    assert f"{taken.host} is on the loopback of" in said
    assert "be-su01-leaf1" in said
    assert "be-su01-leaf2" in said


def test_a_loopback_inside_a_link_is_found() -> None:
    pieces = cut(SITE)
    link = next(i.address for i in piece_of(pieces, "be-spine1").interfaces if i.address)
    pieces = told(
        pieces,
        "be-su01-leaf1",
        lambda switch_slice: replace(switch_slice, loopback=Ip(link.value, 32)),
    )
    assert "loopback of be-su01-leaf1" in first_red(examine(Addresses, SITE, pieces), CODE)


def test_two_leafs_with_the_same_addresses_towards_one_spine_are_found() -> None:
    """Catch a defect of a published frontend: 14 of its 16 links worked."""
    pieces = cut(SITE)
    taken = next(i for i in piece_of(pieces, "be-su01-leaf1").interfaces if fabric_port(i)).address
    pieces = told(
        pieces,
        "be-su01-leaf2",
        lambda switch_slice: with_interface(switch_slice, fabric_port, address=taken),
    )
    said = first_red(examine(Addresses, SITE, pieces), CODE)
    assert str(taken).split("/", maxsplit=1)[0] in said
    assert "be-su01-leaf1 port" in said
    assert "be-su01-leaf2 port" in said


def test_link_ends_in_two_subnets_are_found() -> None:
    pieces = told(
        cut(SITE),
        "be-su01-leaf1",
        lambda switch_slice: with_interface(switch_slice, fabric_port, address=Ip(0x0AC90001, 31)),
    )
    assert "the other end has an address of another subnet" in first_red(
        examine(Addresses, SITE, pieces), CODE
    )


@pytest.mark.parametrize("length", [29, 20])
def test_a_wider_link_subnet_swallows_others(length: int) -> None:
    def widen(interface: Interface) -> bool:
        return interface.use is Use.NIC

    pieces = cut(SITE)
    old = next(i for i in piece_of(pieces, "be-su01-leaf1").interfaces if widen(i)).address
    assert old is not None
    pieces = told(
        pieces,
        "be-su01-leaf1",
        lambda switch_slice: with_interface(switch_slice, widen, address=Ip(old.value, length)),
    )
    said = first_red(examine(Addresses, SITE, pieces), CODE)
    assert "overlapping subnets" in said
    assert f"/{length}" in said


def test_the_management_gateway_belongs_to_no_switch() -> None:
    pieces = told(
        cut(SITE),
        "be-spine1",
        lambda switch_slice: replace(switch_slice, management=Ip(0x0AFF0001, 22)),
    )
    said = first_red(examine(Addresses, SITE, pieces), CODE)
    assert "10.255.0.1 is on the management" in said
    assert "the management port of be-spine1" in said
    assert "the management gateway" in said


def test_links_of_three_tiers_that_meet_in_the_middle_of_a_pool_are_found() -> None:
    site = designed(THREE_TIER)
    addresses = fabric_of(site, "backend").addresses
    assert addresses.links is not None
    small = replace(addresses, links=replace(addresses.links, size=64))
    said = reds(examine(Addresses, changed(site, "backend", addresses=small)), CODE)
    assert "is on the cable be-" in said[0]
    assert "more addresses used twice" in said[-1]
    assert len(said) == 6


def test_one_subnet_in_two_vrfs_is_fine_and_twice_in_one_is_not() -> None:
    site = designed(FRONTEND)
    overlay = fabric_of(site, "frontend").overlay
    assert overlay is not None
    assert overlay.vlans[110].gateways == overlay.vlans[120].gateways
    moved = replace(overlay.vlans[111], gateways=(Ip(0x0A6E0011, 28),))
    vlans = {**overlay.vlans, 111: moved}
    site = changed(site, "frontend", overlay=replace(overlay, vlans=vlans))
    said = first_red(examine(Addresses, site), CODE)
    assert "overlapping subnets: 10.110.0.1/24 on red-web VLAN 110" in said
    assert "VRF red" in said


def test_an_anycast_gateway_is_the_same_on_every_leaf() -> None:
    site = designed(FRONTEND)
    pieces = cut(site)
    vlans = piece_of(pieces, "fe-leaf01").vlans
    odd = (replace(vlans[0], gateways=(Ip(0x0A6E0002, 24),)), *vlans[1:])
    pieces = told(pieces, "fe-leaf01", lambda switch_slice: replace(switch_slice, vlans=odd))
    assert TWO_GATEWAYS in first_red(examine(Addresses, site, pieces), CODE)


def test_a_vtep_is_not_the_loopback() -> None:
    site = designed(FRONTEND)
    pieces = told(
        cut(site),
        "fe-leaf01",
        lambda switch_slice: replace(switch_slice, vtep=switch_slice.loopback),
    )
    assert "VTEP of fe-leaf01" in first_red(examine(Addresses, site, pieces), CODE)


def test_the_rail_subnets_of_two_leafs_differ() -> None:
    site = designed(TWO_PLANES)
    pieces = cut(site)
    leafs = [switch_slice.switch.name for _, switch_slice in pieces if switch_slice.vlans]
    taken = piece_of(pieces, leafs[0]).vlans
    pieces = told(pieces, leafs[1], lambda switch_slice: replace(switch_slice, vlans=taken))
    said = first_red(examine(Addresses, site, pieces), CODE)
    assert f"{leafs[0]} VLAN 101" in said
    assert f"{leafs[1]} VLAN 101" in said


def test_a_table_sweeps_ipv6_as_well() -> None:
    table = RoutingTable("global", 6, ("frontend",))
    base = 0x20010DB8 << 96
    table.add(Ip(base, 127, 6), Kind.LINK, 0, 64)
    table.add(Ip(base + 1, 127, 6), Kind.LINK, 0, 64)
    assert [wrong for wrong, _, _ in table.clashes()] == []
    table.add(Ip(base + 4, 127, 6), Kind.LINK, 1, 64)
    table.add(Ip(base + 9, 127, 6), Kind.LINK, 1, 64)
    table.add(Ip(base + (1 << 64), 64, 6), Kind.GATEWAY, 2, 10)
    table.add(Ip(base + (1 << 64) + 9, 128, 6), Kind.LOOPBACK, 3)
    table.add(Ip(base + (1 << 64) + 9, 128, 6), Kind.VTEP, 3)
    assert [wrong for wrong, _, _ in table.clashes()] == [APART, OVERLAP, TWICE]
