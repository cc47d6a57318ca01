"""External peers: what the design makes of them, and what it refuses, at the key to change."""

from typing import Any

import pytest
from pydantic import ValidationError
from tests.unit.design.sites import Keys, fabric, findings, frontend, only

from fabricgen.compile.design.edge.peers import BACKBONE
from fabricgen.compile.design.slices import Slicer
from fabricgen.core.diagnostics import Code, Severity
from fabricgen.intent.model.edge import ExternalPeer
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.switch import SwitchSlice

HERE = ("tenants", "red", "vrfs", "red", "external")
ISP: Keys = {
    "leaf": 2,
    "cage": 20,
    "address": "192.0.2.1/31",
    "peer": "192.0.2.0",
    "asn": 65500,
}
WEB = {"web": {"id": 110, "subnet": "10.110.0.0/24"}}
OTHER = {"cage": 21, "address": "192.0.2.3/31", "peer": "192.0.2.2"}


def keys(vlans: Keys | None = None, *, more: Keys | None = None, **words: Any) -> Keys:
    """A tenant with servers on leaf 1, and an external peer on leaf 2 unless told otherwise."""
    peers = {"isp": {**ISP, **words}, **(more or {})}
    own = vlans or WEB
    vrf = {"id": 1, "vlans": own, "external": peers}
    attachment = {"group": "racks", "leafs": "1-1", "access": next(iter(own))}
    return {**frontend(), "tenants": {"red": {"vrfs": {"red": vrf}, "attachments": [attachment]}}}


def pieces(words: Keys) -> dict[str, SwitchSlice]:
    return {
        switch_slice.switch.name: switch_slice for switch_slice in Slicer(fabric(words)).slices()
    }


def test_the_border_leaf_has_the_port_the_vrf_and_the_session() -> None:
    found = pieces(keys({**WEB, "db": {"id": 111, "subnet": "10.111.0.0/24"}}))
    leaf = found["fe-leaf02"]
    (peer,) = leaf.external
    port = next(i for i in leaf.interfaces if i.port.cage == 20)
    assert peer.interface is port
    assert (port.use, port.vrf, port.outside, str(port.address)) == (
        Use.EXTERNAL,
        "red",
        "isp",
        "192.0.2.1/31",
    )
    assert (port.port.subs, str(port.port.speed), port.mtu) == (1, "100G", 1500)
    assert (str(peer.remote), peer.peer_asn, peer.bfd) == ("192.0.2.0/31", 65500, True)
    assert [(r.sequence, r.prefix.prefix) for r in peer.accept] == [(10, "0.0.0.0/0")]
    assert [(r.sequence, r.prefix.prefix) for r in peer.announce] == [
        (110, "10.110.0.0/24"),
        (111, "10.111.0.0/24"),
    ]
    assert peer.because.main == (*HERE, "isp")


def test_the_vrf_is_there_without_a_vlan_of_it_and_nowhere_else() -> None:
    found = pieces(keys())
    assert [vrf.name for vrf in found["fe-leaf02"].vrfs] == ["red"]
    assert found["fe-leaf02"].vlans == ()
    assert [name for name, switch_slice in found.items() if switch_slice.external] == ["fe-leaf02"]
    assert [vlan.id for vlan in found["fe-leaf01"].vlans] == [110]


def test_peers_of_a_leaf_are_in_order_of_their_cages() -> None:
    third = {"cage": 19, "address": "192.0.2.5/31", "peer": "192.0.2.4"}
    words = keys(more={"aaa": {**ISP, **OTHER}, "zzz": {**ISP, **third}})
    assert [p.interface.port.cage for p in pieces(words)["fe-leaf02"].external] == [19, 20, 21]


def test_bfd_follows_the_underlay() -> None:
    words = keys()
    words["frontend"]["underlay"] = {"bfd": {"enabled": False}}
    assert not pieces(words)["fe-leaf02"].external[0].bfd
    assert not pieces(keys(bfd=False))["fe-leaf02"].external[0].bfd


@pytest.mark.parametrize(("underlay", "wished", "mtu"), [(9214, 9000, 9000), (1500, None, 1450)])
def test_the_mtu_fits_into_a_tunnel(underlay: int, wished: int | None, mtu: int) -> None:
    words = keys() if wished is None else keys(mtu=wished)
    words["frontend"]["underlay"] = {"mtu": underlay}
    assert pieces(words)["fe-leaf02"].external[0].interface.mtu == mtu


@pytest.mark.parametrize(
    ("words", "code", "said", "key"),
    [
        ({"leaf": 9}, Code.UNKNOWN_REFERENCE, "no leaf 9", ("leaf",)),
        ({"cage": 40}, Code.PORTS_EXHAUSTED, "no cage 40: a 7050CX3-32S has 34", ("cage",)),
        ({"cage": 34}, Code.PORT_USED_TWICE, "already a service port of 10G", ("cage",)),
        ({"cage": 4}, Code.PORT_USED_TWICE, "already for the servers of group racks", ("cage",)),
        ({"cage": 29}, Code.PORT_USED_TWICE, "already reserved for uplinks", ("cage",)),
        ({"peer": "192.0.2.2"}, Code.BAD_VALUE, "not a host address of 192.0.2.0/31", ("peer",)),
        ({"peer": "192.0.2.1"}, Code.BAD_VALUE, "both ends", ("peer",)),
        ({"peer": "2001:db8::1"}, Code.BAD_VALUE, "runs over IPv4", ("peer",)),
        (
            {"address": "192.0.2.1/30", "peer": "192.0.2.3"},
            Code.BAD_VALUE,
            "not a host address of 192.0.2.0/30",
            ("peer",),
        ),
        ({"asn": 4_200_000_001}, Code.ASN_CLASH, "also used by fe-leaf02", ("asn",)),
        ({"asn": 4_294_967_294}, Code.ASN_CLASH, "also used by fe-spine1", ("asn",)),
        ({"asn": 23_456}, Code.BAD_VALUE, "is reserved (AS_TRANS", ("asn",)),
        ({"mtu": 9164}, None, "", ()),
        ({"accept": ["2001:db8::/32"]}, Code.BAD_VALUE, "is not IPv4", ("accept", 0)),
        (
            {"accept": ["0.0.0.0/0", "10.0.0.0/8", "0.0.0.0/0"]},
            Code.DUPLICATE_ID,
            "0.0.0.0/0 is accepted twice",
            ("accept", 2),
        ),
        (
            {"accept": ["10.110.0.128/25"]},
            Code.ADDRESS_OVERLAP,
            "is inside the subnet of VLAN red-web",
            ("accept", 0),
        ),
        (
            {"address": "10.110.0.9/31", "peer": "10.110.0.8"},
            Code.ADDRESS_OVERLAP,
            "10.110.0.8/31 overlaps 10.110.0.0/24 of VLAN red-web",
            ("address",),
        ),
        (
            {"address": "10.0.0.9/8", "peer": "10.0.0.8"},
            Code.ADDRESS_OVERLAP,
            "10.0.0.0/8 overlaps 10.110.0.0/24",
            ("address",),
        ),
    ],
)
def test_what_cannot_be_is_refused_where_it_stands(
    words: Keys, code: Code | None, said: str, key: tuple[str | int, ...]
) -> None:
    if code is None:
        assert findings(keys(**words)) == []
        return
    found = only(keys(**words))
    assert (found.code, found.path) == (code, (*HERE, "isp", *key))
    assert said in found.message


def test_a_free_cage_is_named() -> None:
    assert only(keys(cage=1)).hint == "free cages: 5-28"
    assert only(keys(more={"other": {**ISP, **OTHER, "cage": 3}})).hint == "free cages: 5-19,21-28"
    assert "1, 2" in only(keys(leaf=9)).hint


def test_an_mtu_that_no_tunnel_carries_is_refused() -> None:
    words = keys(mtu=2000)
    words["frontend"]["underlay"] = {"mtu": 2000}
    found = only(words)
    assert (found.code, found.path) == (Code.BAD_VALUE, (*HERE, "isp", "mtu"))


def test_a_cage_takes_one_peer() -> None:
    found = only(keys(more={"other": {**ISP, **OTHER, "cage": 20}}))
    assert (found.code, found.path) == (Code.PORT_USED_TWICE, (*HERE, "other", "cage"))
    assert "tenants.red.vrfs.red.external.isp" in found.message
    assert findings(keys(more={"other": {**ISP, **OTHER, "cage": 20, "leaf": 1}})) == []


def test_two_peers_of_a_vrf_have_two_subnets() -> None:
    found = only(keys(more={"other": {**ISP, "leaf": 1}}))
    assert (found.code, found.path) == (Code.ADDRESS_OVERLAP, (*HERE, "other", "address"))
    assert "of external peer isp" in found.message


def test_another_vrf_may_use_the_same_subnet() -> None:
    words = keys()
    vrf = {"id": 2, "vlans": {"app": {"id": 120, "subnet": "10.120.0.0/24"}}}
    vrf["external"] = {"isp": {**ISP, "cage": 21}}
    words["tenants"]["blue"] = {"vrfs": {"blue": vrf}}
    assert findings(words) == []


def test_ipv6_subnets_are_not_announced_and_that_is_said() -> None:
    six = {"six": {"id": 112, "subnet": "2001:db8:112::/64"}}
    found = only(keys({**WEB, **six}))
    assert (found.code, found.severity) == (Code.UNSUPPORTED, Severity.WARNING)
    assert "red-six" in found.message
    found = only(keys(six))
    assert (found.code, found.path) == (Code.BAD_VALUE, (*HERE, "isp"))


def test_a_router_without_a_session_is_a_static_route_by_its_port() -> None:
    """What it has to know by itself is kept, for whoever plays it."""
    old = {**OTHER, "leaf": 2, "protocol": "static", "accept": ["198.51.100.0/24"]}
    leaf = pieces(keys(more={"old": old}))["fe-leaf02"]
    isp, static = leaf.external
    assert (isp.speaks, static.speaks, static.peer_asn, static.bfd) == (True, False, 0, False)
    assert leaf.peers == (isp,)
    (route,) = leaf.routes
    assert (route.prefix.prefix, route.by.host, route.vrf) == (
        "198.51.100.0/24",
        "192.0.2.2",
        "red",
    )
    assert route.port is static.interface
    assert [rule.prefix.prefix for rule in static.announce] == ["10.110.0.0/24"]
    assert pieces(keys(more={"old": old}))["fe-leaf01"].routes == ()


FLOODED = {**OTHER, "leaf": 2, "protocol": "ospf", "accept": ["198.51.100.0/24"]}


def test_a_router_that_speaks_ospf_is_no_session_and_is_told_the_subnets() -> None:
    leaf = pieces(keys(more={"old": {**FLOODED, "area": "0.0.0.5"}}))["fe-leaf02"]
    isp, old = leaf.external
    assert (leaf.peers, leaf.flooding, leaf.routes) == ((isp,), (old,), ())
    assert (old.area, old.bfd, old.peer_asn) == ("0.0.0.5", False, 0)
    assert [rule.prefix.prefix for rule in old.announce] == ["10.110.0.0/24"]
    assert pieces(keys(more={"old": FLOODED}))["fe-leaf02"].flooding[0].area == BACKBONE


def test_what_ospf_may_tell_no_session_may_tell_as_well() -> None:
    """A leaf goes by its own OSPF first, and never by the session of another."""
    wide = [{"prefix": "198.0.0.0/8", "le": 24}]
    found = only(keys(more={"old": {**FLOODED, "accept": [*wide, "0.0.0.0/0"]}}))
    assert (found.code, "0.0.0.0/0" in found.message) == (Code.STATIC_ROUTE, True)


def test_a_vrf_has_one_neighbor_in_ospf_on_a_leaf() -> None:
    more = {
        "old": FLOODED,
        "older": {**FLOODED, "cage": 24, "address": "192.0.2.9/31", "peer": "192.0.2.8"},
    }
    found = only(keys(more=more))
    assert (found.code, found.path[-1]) == (Code.BAD_VALUE, "protocol")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"asn": 65501}, "`asn` needs a session"),
        ({"prefer": "backup"}, "`prefer` needs a session"),
        ({"password": "env:P"}, "`password` needs a session"),
        (
            {"address6": "2001:db8::1/127", "peer6": "2001:db8::"},
            "is OSPFv2 and supports IPv4 only",
        ),
        ({"area": "2001:db8::"}, "as an IPv4 address"),
        ({"protocol": "static", "area": "0.0.0.1"}, "`area` needs `protocol: ospf`"),
    ],
)
def test_words_that_ospf_does_not_have_are_refused(words: Keys, said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        ExternalPeer.model_validate({**FLOODED, **words})


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"asn": 65501}, "`asn` needs a session"),
        ({"bfd": False}, "`bfd` needs a session"),
        ({"prefer": "backup"}, "`prefer` needs a session"),
        ({"password": "env:P"}, "`password` needs a session"),
        ({"accept": [{"prefix": "10.0.0.0/8", "le": 24}]}, "a static route has exactly one prefix"),
        ({"protocol": "bgp"}, "needs the `asn`"),
    ],
)
def test_words_of_a_session_are_refused_without_one(words: Keys, said: str) -> None:
    peer = {**OTHER, "protocol": "static", "leaf": 2, **words}
    with pytest.raises(ValidationError, match=said):
        ExternalPeer.model_validate(peer)
