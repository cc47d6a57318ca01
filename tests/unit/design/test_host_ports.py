"""Routed ports of servers: their links follow from numbers, and what does not fit is refused."""

from typing import Any

import pytest
import yaml

from fabricgen.compile.compiler import Compiled, compile_site, slices
from fabricgen.core.diagnostics import Code
from fabricgen.intent.load import load_texts

_ROLE = {"model": "7050CX3-32S", "platform": "eos"}
_HOSTS = {"nodes": {"asn": 65101, "accept": ["10.112.0.0/14"]}}
_ROUTED = {"servers": "node", "port": "front", "vrf": "red", "links": "10.96.0.0/24"}
_VLANS = {"web": {"id": 110, "subnet": "10.110.0.0/24"}}


def compiled(
    *attachments: dict[str, Any], count: int = 4, hosts: object = None, **ports: object
) -> Compiled:
    """Compile a frontend whose servers have two sets of two ports on two leafs."""
    front = {"fabric": "frontend", "ports": 2, "leafs": 2, "speed": "25G", "per_leaf": 16, **ports}
    sets = {"front": front, "other": {**front, "first": 33, "bond": "none"}}
    words = {"id": 1, "vlans": _VLANS, "hosts": hosts or _HOSTS}
    site = {
        "site": {"name": "t", "management": {"subnet": "10.255.0.0/20"}},
        "servers": {"node": {"count": count, "ports": sets}},
        "frontend": {"leaf": _ROLE, "spine": {**_ROLE, "count": 2}},
        "tenants": {"red": {"vrfs": {"red": words}, "attachments": list(attachments)}},
    }
    return compile_site(load_texts({"site.yaml": yaml.safe_dump(site)}))


def links(made: Compiled) -> dict[str, str]:
    """Return the address of the leaf by each port of a server."""
    assert made.ok, made.findings
    assert made.site is not None
    return {
        f"{each.peer.name} {each.peer_port.label}": str(each.address)
        for _, switch_slice in slices(made.site)
        for each in switch_slice.interfaces
        if each.vrf == "red" and each.peer is not None and each.peer_port is not None
    }


def test_a_port_has_its_link_by_the_numbers_of_server_and_port() -> None:
    few, more = links(compiled(_ROUTED)), links(compiled(_ROUTED, count=9))
    assert few["node0001 front0"] == "10.96.0.0/31"
    assert few["node0003 front1"] == "10.96.0.10/31"
    assert {port: more[port] for port in few} == few
    some = links(compiled({**_ROUTED, "numbers": "3"}))
    assert some == {port: few[port] for port in some}
    assert set(some) == {"node0003 front0", "node0003 front1"}


REFUSED: list[tuple[list[dict[str, Any]], dict[str, Any], Code, str]] = [
    ([{**_ROUTED, "links": None}], {}, Code.MISSING_KEY, "no pool is set"),
    ([{**_ROUTED, "links": "10.96.0.0/29"}], {}, Code.POOL_TOO_SMALL, "need 8"),
    ([{**_ROUTED, "links": "2001:db8::/64"}], {}, Code.UNSUPPORTED, "IPv4"),
    ([{**_ROUTED, "vrf": "blue"}], {}, Code.UNKNOWN_REFERENCE, "no VRF 'blue'"),
    ([{**_ROUTED, "bgp": "node"}], {}, Code.UNKNOWN_REFERENCE, "no 'node' in `hosts`"),
    ([_ROUTED], {"bond": "lacp"}, Code.BOND_ROUTED, "are a bond"),
    ([{**_ROUTED, "numbers": "1-2"}, _ROUTED], {}, Code.PORT_USED_TWICE, "another attachment"),
    (
        [{"servers": "node", "port": "front", "access": "web"}, _ROUTED],
        {},
        Code.PORT_USED_TWICE,
        "another attachment",
    ),
    (
        [{**_ROUTED, "numbers": "1"}, {**_ROUTED, "port": "other", "numbers": "2"}],
        {},
        Code.ADDRESS_OVERLAP,
        "node front in the same VRF",
    ),
    ([{**_ROUTED, "links": "10.110.0.0/24"}], {}, Code.ADDRESS_OVERLAP, "10.110.0"),
    (
        [_ROUTED, {**_ROUTED, "port": "other", "links": "10.97.0.0/24"}],
        {},
        Code.BAD_VALUE,
        "in two sets",
    ),
    (
        [_ROUTED, {"servers": "node", "port": "other", "access": "web", "default_route": "web"}],
        {},
        Code.BAD_VALUE,
        "uses the routed port",
    ),
]


@pytest.mark.parametrize(("attachments", "ports", "code", "words"), REFUSED)
def test_what_does_not_fit_is_refused(
    attachments: list[dict[str, Any]], ports: dict[str, Any], code: Code, words: str
) -> None:
    made = compiled(*attachments, **ports)
    assert any(each.code is code and words in each.message for each in made.findings), made.findings
    assert not made.ok


@pytest.mark.parametrize(
    ("told", "code", "words"),
    [
        ({"speaker": "cilium", "bfd": True}, Code.UNSUPPORTED, "Cilium has no BFD"),
        ({"asn": 4200000000}, Code.ASN_CLASH, "also used by fe-leaf01"),
        ({"asn": 65535}, Code.BAD_VALUE, "reserved"),
        ({"accept": ["10.110.0.128/25"]}, Code.ADDRESS_OVERLAP, "VLAN red-web"),
        ({"accept": ["2001:db8::/32"]}, Code.UNSUPPORTED, "not IPv4"),
    ],
)
def test_what_servers_may_not_say_is_refused(told: dict[str, Any], code: Code, words: str) -> None:
    made = compiled({**_ROUTED, "bgp": "nodes"}, hosts={"nodes": {**_HOSTS["nodes"], **told}})
    assert any(each.code is code and words in each.message for each in made.findings), made.findings
