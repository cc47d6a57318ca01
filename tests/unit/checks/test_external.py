"""From slices with wrong external peers: that each check which can see the fault turns red."""

from dataclasses import replace
from typing import Any

import pytest
from tests.unit.checks.sites import (
    BOTH,
    FRONTEND,
    Piece,
    cut,
    designed,
    examine,
    first_red,
    piece_of,
    reds,
    told,
)

from fabricgen.compile.checks.addresses import Addresses
from fabricgen.compile.checks.asns import Asns
from fabricgen.compile.checks.cables import Cables
from fabricgen.compile.checks.coverage import Coverage
from fabricgen.compile.checks.isolation import Isolation
from fabricgen.compile.checks.links import Mtu
from fabricgen.compile.checks.registry import CHECKS, Check
from fabricgen.compile.checks.sessions import Sessions
from fabricgen.core.diagnostics import Code
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.external import PrefixRule
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.switch import SwitchSlice

PEERS = """        external:
          isp: {leaf: 2, cage: 30, address: 192.0.2.1/31, peer: 192.0.2.0, asn: 65500}
          lan: {leaf: 3, cage: 31, address: 192.0.2.9/29, peer: 192.0.2.10, asn: 65501}
"""
DB = "          db: {id: 111, subnet: 10.111.0.0/24}\n"
assert DB in FRONTEND
SITE = designed(FRONTEND.replace(DB, DB + PEERS))
TWO = designed(BOTH.replace(DB, DB + PEERS))
LEAF = "fe-leaf02"


def repeered(switch_slice: SwitchSlice, **facts: Any) -> SwitchSlice:
    """Change the external peer of a slice."""
    return replace(switch_slice, external=(replace(switch_slice.external[0], **facts),))


def planted(**facts: Any) -> list[Piece]:
    return told(cut(SITE), LEAF, lambda switch_slice: repeered(switch_slice, **facts))


def reported(switch_slice: SwitchSlice, **facts: Any) -> SwitchSlice:
    """Change the port of the external peer, and the peer with it."""
    old = switch_slice.external[0].interface
    new = replace(old, **facts)
    interfaces = tuple(new if item is old else item for item in switch_slice.interfaces)
    return repeered(replace(switch_slice, interfaces=interfaces), interface=new)


@pytest.mark.parametrize("kind", CHECKS)
@pytest.mark.parametrize("site", [SITE, TWO], ids=["frontend", "both"])
def test_a_designed_site_passes(kind: type[Check], site: Any) -> None:
    assert examine(kind, site).findings == ()


@pytest.mark.parametrize(("kind", "each"), [(Addresses, 2), (Asns, 1), (Coverage, 1)])
def test_external_peers_are_counted(kind: type[Check], each: int) -> None:
    without = examine(kind, designed(FRONTEND)).objects
    assert examine(kind, SITE).objects == without + 2 * each


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"remote": Ip(0xC0000205, 31)}, "which is not in 192.0.2.0/31"),
        ({"remote": Ip(0xC0000201, 31)}, "goes to its own address"),
        ({"local": Ip(0xC0000203, 31)}, "which its port does not have"),
        ({"peer_asn": 4_200_000_001}, "not eBGP"),
        ({"vrf": "blue"}, "not in the VRF of its port"),
        ({"announce": ()}, "announces no prefix"),
        ({"accept": ()}, "accepts no prefix"),
        ({"announce": (PrefixRule(9, Ip(0, 0)),)}, "other subnets than its VRF has: 0.0.0.0/0"),
        (
            {"accept": (PrefixRule(9, Ip(0, 0)), PrefixRule(9, Ip(0, 1)))},
            "with one sequence number",
        ),
    ],
)
def test_a_wrong_session_is_found(facts: dict[str, Any], said: str) -> None:
    found = reds(examine(Sessions, SITE, planted(**facts)), Code.SESSION_ENDS_DISAGREE)
    assert any(said in message for message in found), found
    assert any(f"{LEAF} to isp" in message for message in found)


def test_a_session_over_a_port_of_another_use_is_found() -> None:
    pieces = told(cut(SITE), LEAF, lambda switch_slice: reported(switch_slice, use=Use.NIC))
    said = first_red(examine(Sessions, SITE, pieces), Code.SESSION_ENDS_DISAGREE)
    assert "crosses no external port" in said


def test_an_address_used_twice_in_a_vrf_is_found() -> None:
    pieces = planted(remote=Ip(0xC0000201, 31))
    said = first_red(examine(Addresses, SITE, pieces), Code.ADDRESS_OVERLAP)
    assert "192.0.2.1 is on the external link of fe-leaf02 port 30" in said
    assert "frontend VRF red" in said


def test_ends_in_two_subnets_are_found() -> None:
    said = first_red(
        examine(Addresses, SITE, planted(remote=Ip(0xC0000202, 31))), Code.ADDRESS_OVERLAP
    )
    assert "the other end has an address of another subnet" in said


def test_a_link_inside_a_vlan_of_its_vrf_is_found() -> None:
    inside, peer = Ip(0x0A6E0009, 31), Ip(0x0A6E0008, 31)
    pieces = told(
        cut(SITE),
        LEAF,
        lambda switch_slice: repeered(
            reported(switch_slice, address=inside), local=inside, remote=peer
        ),
    )
    said = first_red(examine(Addresses, SITE, pieces), Code.ADDRESS_OVERLAP)
    assert "VLAN 110" in said
    assert "the external link of fe-leaf02 port 30" in said


@pytest.mark.parametrize(
    ("asn", "said"), [(65_535, "the reserved ASN"), (4_294_967_294, "isp of VRF red and fe-spine1")]
)
def test_an_asn_that_cannot_be_outside_is_found(asn: int, said: str) -> None:
    found = first_red(examine(Asns, SITE, planted(peer_asn=asn)), Code.ASN_CLASH)
    assert said in found


def test_a_port_without_its_peer_is_found() -> None:
    pieces = told(cut(SITE), LEAF, lambda switch_slice: replace(switch_slice, external=()))
    said = first_red(examine(Cables, SITE, pieces), Code.CABLE_WITHOUT_INTERFACE)
    assert "fe-leaf02 port 30 has 0 external peer(s)" in said
    said = first_red(examine(Coverage, SITE, pieces), Code.INTENT_WITHOUT_LINES)
    assert "fe-leaf02 has no session with its external peer isp" in said


def test_two_peers_on_a_port_are_found() -> None:
    pieces = told(
        cut(SITE),
        LEAF,
        lambda switch_slice: replace(switch_slice, external=switch_slice.external * 2),
    )
    said = first_red(examine(Cables, SITE, pieces), Code.CABLE_WITHOUT_INTERFACE)
    assert "has 2 external peer(s)" in said


def test_an_external_port_with_a_cable_of_the_site_is_found() -> None:
    def cabled(switch_slice: SwitchSlice) -> SwitchSlice:
        old = next(item for item in switch_slice.interfaces if item.use is Use.EDGE)
        new = replace(old, use=Use.EXTERNAL, vrf="red", outside="isp")
        interfaces = tuple(new if item is old else item for item in switch_slice.interfaces)
        return replace(switch_slice, interfaces=interfaces)

    found = examine(Cables, SITE, told(cut(SITE), LEAF, cabled))
    assert any("no interface in use" in m for m in reds(found, Code.CABLE_WITHOUT_INTERFACE))


def test_an_mtu_that_no_tunnel_carries_is_found() -> None:
    pieces = told(cut(SITE), LEAF, lambda switch_slice: reported(switch_slice, mtu=9214))
    said = first_red(examine(Mtu, SITE, pieces), Code.MTU_BROKEN)
    assert "(external) has MTU 9214, but it must be at most 9164" in said


def test_a_way_out_of_a_backend_is_found() -> None:
    pieces = cut(TWO)
    (peer,) = piece_of(pieces, LEAF).external

    def opened(switch_slice: SwitchSlice) -> SwitchSlice:
        old = next(item for item in switch_slice.interfaces if item.use is Use.UNUSED)
        new = replace(old, use=Use.EXTERNAL, outside="isp", because=peer.because)
        interfaces = tuple(new if item is old else item for item in switch_slice.interfaces)
        mine = replace(peer, interface=new)
        return replace(switch_slice, interfaces=interfaces, external=(mine,))

    leaf = "be-su01-leaf1"
    found = reds(examine(Isolation, TWO, told(pieces, leaf, opened)), Code.FABRICS_NOT_ISOLATED)
    assert any(f"{leaf} of the backend connects to isp in red" in message for message in found)
    assert any(
        "leads to the external peer isp, but is not in a VRF of a tenant" in message
        for message in found
    )


def test_an_external_subnet_in_the_pools_of_another_fabric_is_found() -> None:
    inside = BOTH.replace(DB, DB + PEERS.replace("192.0.2.", "172.16.0."))
    said = first_red(examine(Isolation, designed(inside)), Code.FABRICS_NOT_ISOLATED)
    assert "172.16.0.0/31 of fe-leaf02 to the outside (frontend)" in said
