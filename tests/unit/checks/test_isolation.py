"""From fabrics that touch: that frontend and backend share nothing (FG313)."""

from dataclasses import replace

import pytest
from tests.unit.checks.sites import (
    BOTH,
    EVERY,
    FRONTEND,
    RAIL_ONLY,
    changed,
    cut,
    designed,
    examine,
    fabric_of,
    first_red,
    piece_of,
    reds,
    relinked,
    told,
    with_interface,
    with_session,
)

from fabricgen.compile.checks.isolation import Isolation
from fabricgen.core.diagnostics import Code
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.leaks import Taken, TakenPrefix
from fabricgen.model.fabric.routing import AllowedPrefix
from fabricgen.model.fabric.switch import Site
from fabricgen.model.fabric.topology import Nic

CODE = Code.FABRICS_NOT_ISOLATED
SITE = designed(BOTH)
FRONT, BACK = fabric_of(SITE, "frontend"), fabric_of(SITE, "backend")


def allowing(*prefixes: AllowedPrefix) -> Site:
    return changed(SITE, "backend", routing=replace(BACK.routing, allowed=prefixes))


@pytest.mark.parametrize("shape", EVERY)
def test_a_designed_site_passes(shape: str) -> None:
    assert reds(examine(Isolation, designed(EVERY[shape])), CODE) == []


def test_a_single_fabric_is_examined_as_well() -> None:
    assert examine(Isolation, designed(RAIL_ONLY)).objects == 4


def test_a_switch_of_both_fabrics_is_found() -> None:
    shared = (*BACK.topology.switches, FRONT.topology.switches[0])
    site = changed(SITE, "backend", topology=replace(BACK.topology, switches=shared))
    said = reds(examine(Isolation, site, cut(SITE)), CODE)
    assert said == ["the switch fe-spine1 stands in the frontend and in the backend"]


def test_a_cable_between_the_fabrics_is_found() -> None:
    pieces = cut(SITE)
    leaf = piece_of(pieces, "fe-leaf01").switch
    pieces = told(
        pieces,
        "be-spine1",
        lambda switch_slice: with_interface(switch_slice, lambda i: i.use is Use.FABRIC, peer=leaf),
    )
    assert reds(examine(Isolation, SITE, pieces), CODE) == [
        "be-spine1 port 1 of the backend goes to fe-leaf01 of the frontend"
    ]


def test_a_session_between_the_fabrics_is_found() -> None:
    pieces = cut(SITE)
    leaf = piece_of(pieces, "fe-leaf01").switch
    pieces = told(
        pieces,
        "be-spine1",
        lambda switch_slice: with_session(switch_slice, lambda _: True, peer=leaf),
    )
    assert "has a session to fe-leaf01 of the frontend" in first_red(
        examine(Isolation, SITE, pieces), CODE
    )


def test_a_server_may_stand_in_both_fabrics_but_not_with_one_nic() -> None:
    links = BACK.topology.links
    twin = replace(BACK.topology.servers[0], name="fe-leaf01-s01")
    renamed = [replace(link, lower=twin) for link in links[:4]]
    servers = (twin, *BACK.topology.servers[1:])
    topology = replace(BACK.topology, servers=servers, links=(*renamed, *links[4:]))
    site = changed(SITE, "backend", topology=topology)
    assert reds(examine(Isolation, site), CODE) == []
    nic = replace(renamed[0], lower_port=Nic(rail=1, port=1, name="eth0", network="eth"))
    site = relinked(site, "backend", (nic, *renamed[1:], *links[4:]))
    assert first_red(examine(Isolation, site), CODE) == (
        "fe-leaf01-s01 port eth0 is cabled in the frontend and in the backend"
    )


def test_pools_that_overlap_are_found() -> None:
    pool = replace(BACK.addresses.loopbacks, first=0x0A400000, size=1 << 18)
    site = changed(SITE, "backend", addresses=replace(BACK.addresses, loopbacks=pool))
    said = reds(examine(Isolation, site, cut(SITE)), CODE)
    assert any("10.64.0.0/14 of backend loopbacks" in text for text in said)
    assert any("10.65.0.0/16 of frontend vteps" in text for text in said)


def test_a_tenant_subnet_inside_a_backend_pool_is_found() -> None:
    overlay = FRONT.overlay
    assert overlay is not None
    moved = replace(overlay.vlans[111], gateways=(Ip(0xAC100501, 24),))
    vlans = {**overlay.vlans, 111: moved}
    site = changed(SITE, "frontend", overlay=replace(overlay, vlans=vlans))
    assert "172.16.0.0/12 of backend nics and 172.16.5.0/24 of VLAN red-db" in first_red(
        examine(Isolation, site), CODE
    )


def test_a_default_route_is_found() -> None:
    said = first_red(
        examine(Isolation, allowing(AllowedPrefix(prefix=Ip(0, 0), longest=32, shortest=0))), CODE
    )
    assert "the backend may announce 0.0.0.0/0 from /0 on, a default route" in said


def test_a_prefix_shorter_than_its_pool_is_found() -> None:
    site = allowing(AllowedPrefix(prefix=Ip(0x0AC00000, 15), longest=32, shortest=32))
    assert "10.192.0.0/15 from /32 on, more than its pools" in first_red(
        examine(Isolation, site), CODE
    )


def test_lengths_shorter_than_the_prefix_are_found() -> None:
    site = allowing(AllowedPrefix(prefix=Ip(0x0AC00000, 16), longest=32, shortest=8))
    assert "10.192.0.0/16 from /8 on" in first_red(examine(Isolation, site), CODE)


def test_an_allowed_prefix_of_the_other_fabric_is_found() -> None:
    site = allowing(*FRONT.routing.allowed[:1])
    said = reds(examine(Isolation, site), CODE)
    assert any("allowed prefixes of two fabrics overlap" in text for text in said)


def test_diagnostic_addresses_of_a_shared_vrf_may_be_imported() -> None:
    """The source VRF has them without a VLAN."""
    text = FRONTEND.replace(
        "        id: 1\n", "        id: 1\n        diagnostics: {subnet: 10.250.1.0/24}\n"
    ).replace(
        "{id: 2, vlans: {app: {id: 120, subnet: 10.110.0.0/24}}}",
        "{id: 2, diagnostics: {subnet: 10.250.2.0/24}, share_routes: [red],"
        " vlans: {app: {id: 120, subnet: 10.120.0.0/24}}}",
    )
    assert text.count("10.250.") == 2
    assert reds(examine(Isolation, designed(text)), CODE) == []


@pytest.mark.parametrize(
    ("source", "prefix", "said"),
    [
        ("blue", Ip(0x0A780000, 24), "takes from blue a VRF that is not there"),
        ("red", Ip(0x0A630000, 24), "takes from red 10.99.0.0/24, which is not its own"),
    ],
)
def test_a_route_that_a_vrf_cannot_take_is_found(source: str, prefix: Ip, said: str) -> None:
    pieces = cut(SITE)
    name, red = next((p.switch.name, v) for _, p in pieces for v in p.vrfs if v.name == "red")
    rule = TakenPrefix(1, prefix, 32)
    taken = Taken(source=source, id=2, vni=50002, prefixes=(rule,), because=red.because)
    taking = (replace(red, takes=(taken,)),)
    assert f"red on {name} {said}" in first_red(
        examine(
            Isolation,
            SITE,
            told(pieces, name, lambda switch_slice: replace(switch_slice, vrfs=taking)),
        ),
        CODE,
    )
