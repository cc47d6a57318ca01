"""From links whose ends were told different things: that they are found (FG306)."""

from dataclasses import replace
from typing import Any

import pytest
from tests.unit.checks.sites import (
    EVERY,
    RAIL_OPTIMIZED,
    SUPERSPINES,
    TWO_PLANES,
    cut,
    designed,
    examine,
    first_red,
    piece_of,
    reds,
    relinked,
    told,
    with_interface,
)

from fabricgen.compile.checks.links import Links
from fabricgen.core.diagnostics import Code
from fabricgen.core.units import BitsPerSecond
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.switch import Site

CODE = Code.LINK_ENDS_DISAGREE
SITE = designed(RAIL_OPTIMIZED)
LEAF = "be-su01-leaf1"


def up(interface: Interface) -> bool:
    return interface.use is Use.FABRIC


def said_after(site: Site, leaf: str, **facts: Any) -> str:
    pieces = told(cut(site), leaf, lambda switch_slice: with_interface(switch_slice, up, **facts))
    return first_red(examine(Links, site, pieces), CODE)


@pytest.mark.parametrize("shape", EVERY)
def test_a_designed_site_passes(shape: str) -> None:
    assert reds(examine(Links, designed(EVERY[shape])), CODE) == []


def test_both_ends_are_counted_where_there_are_two() -> None:
    links = SITE.fabrics[0].topology.links
    assert examine(Links, SITE).objects == sum(1 if link.to_server else 2 for link in links)


def test_different_mtus_are_found() -> None:
    said = said_after(SITE, LEAF, mtu=1500)
    assert f"cable {LEAF} port" in said
    assert "one end has MTU 9214, the other 1500" in said


def test_an_end_that_is_shut_is_found() -> None:
    assert f"{LEAF} has no interface in use" in said_after(SITE, LEAF, use=Use.UNUSED)


def test_an_end_told_another_peer_is_found() -> None:
    other = next(s for s in SITE.fabrics[0].topology.switches if s.name == "be-spine2")
    assert "expects the peer be-spine2 port" in said_after(SITE, LEAF, peer=other)


@pytest.mark.parametrize(
    ("address", "part"),
    [
        (None, "neither address nor link-local"),
        (Ip(0x0AC80003, 31), "10.200.0.3/31 are not the two hosts of one subnet"),
        (Ip(0x0AC80000, 31), "are not the two hosts"),
        (Ip(0x0AC80001, 30), "not"),
    ],
)
def test_addresses_that_do_not_meet_are_found(address: Ip | None, part: str) -> None:
    assert part in said_after(SITE, LEAF, address=address)


def test_a_link_with_a_wide_subnet_at_both_ends_is_found() -> None:
    pieces = cut(SITE)
    port = next(i for i in piece_of(pieces, LEAF).interfaces if up(i))
    assert port.address is not None
    assert port.peer is not None
    for name, value in ((LEAF, port.address.value), (port.peer.name, port.address.value ^ 1)):
        pieces = told(
            pieces,
            name,
            lambda switch_slice, v=value: with_interface(switch_slice, up, address=Ip(v, 30)),  # type: ignore[misc]
        )
    assert "its subnet 10.200.0.0/30 is not point-to-point" in first_red(
        examine(Links, SITE, pieces), CODE
    )


def test_two_ends_with_the_same_host_of_a_v6_link_are_found() -> None:
    site = designed(SUPERSPINES)
    pieces = cut(site)
    ports = [i for _, switch_slice in pieces for i in switch_slice.interfaces if up(i)]
    wrong = {
        id(i): replace(i, address=Ip(i.address.value & ~1, 127, 6)) for i in ports if i.address
    }
    assert len(wrong) == len(ports)
    pieces = [
        (
            fabric,
            replace(
                switch_slice, interfaces=tuple(wrong.get(id(i), i) for i in switch_slice.interfaces)
            ),
        )
        for fabric, switch_slice in pieces
    ]
    assert "2001:db8:" in first_red(examine(Links, site, pieces), CODE)


def test_one_end_link_local_and_the_other_not_is_found() -> None:
    site = designed(TWO_PLANES)
    leaf = next(s.name for s in site.fabrics[0].topology.switches if s.is_leaf)
    said = said_after(site, leaf, link_local=False, address=Ip(0x0AC80001, 31))
    assert "one end is link-local, the other not" in said


@pytest.mark.parametrize("place", [0, -1])
def test_a_cable_of_another_speed_is_found(place: int) -> None:
    links = list(SITE.fabrics[0].topology.links)
    links[place] = replace(links[place], speed=BitsPerSecond(10**11))
    said = reds(examine(Links, relinked(SITE, "backend", links)), CODE)
    assert "but the cable at 100G" in said[0]
    assert len(said) == (1 if place == 0 else 2)


def test_a_cable_told_to_one_end_only_is_found() -> None:
    pieces = [item for item in cut(SITE) if item[1].switch.name != LEAF]
    assert "its other end has no configuration" in first_red(examine(Links, SITE, pieces), CODE)
