"""From a slice with one thing changed: that its signature is another, whatever it is."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.proof.test_written import READ_BACK, rendered

from fabricgen.core.units import BitsPerSecond, Meters
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.descriptions import Description, Descriptions
from fabricgen.model.fabric.interface import Interface, Tunnel, Use
from fabricgen.model.fabric.pair import JoinedVrf, Pair
from fabricgen.model.fabric.segment import Segment
from fabricgen.model.fabric.switch import Lag, Session, SwitchSlice
from fabricgen.model.fabric.topology import PortNote
from fabricgen.model.settings.setting import Address
from fabricgen.prove.signature import places, signature
from fabricgen.prove.written import judge_of

if TYPE_CHECKING:
    from fabricgen.nos.spelling import Names

PIECE = next(
    switch_slice for switch_slice, _ in rendered("full", "eos").values() if switch_slice.lags
)
SERVER = PIECE.lags[0].server
assert SERVER is not None
OTHER = rendered("full", "eos")["be-spine1"][0]
PORT = next(port for port in PIECE.interfaces if port.address is not None and port.peer)
EDGE = next(port for port in PIECE.interfaces if port.carries is not None)
NOT_WRITTEN = {"because"}
"""Why, which no file says."""
MEMBERS = {"members"}
"""Of a bundle: each port says which one it is in."""
NOT_EXPECTED = {*NOT_WRITTEN, "local", "valley_free", "own_as"}
"""Of a session: what no expectation is made of, so a file that says it is read as a whole."""


def names_of(platform: str) -> Names:
    judge = judge_of(platform)
    assert judge is not None
    return judge.names


def changed(kind: type[Any], changes: dict[str, Any], left_out: set[str]) -> list[Any]:
    assert set(changes) | left_out == {field.name for field in fields(kind)}
    return [
        pytest.param(name, value, id=f"{kind.__name__}.{name}") for name, value in changes.items()
    ]


PAIR = Pair(
    domain="be-leaf01",
    peer=OTHER.switch,
    members=(PORT,),
    local=Ip(1, 31),
    remote=Ip(2, 31),
    mtu=9214,
    because=OTHER.switch.because,
)
JOINED = JoinedVrf(
    name="red", vlan=3001, ends=((Ip(1, 31), Ip(2, 31)),), because=OTHER.switch.because
)
PAIRS = {
    "domain": "another",
    "peer": PIECE.switch,
    "local": Ip(3, 31),
    "remote": Ip(4, 31),
    "mtu": 1500,
    "vrfs": (JOINED,),
}
VRFS = {
    "name": "blue",
    "vlan": 3002,
    "ends": ((Ip(3, 31), Ip(2, 31)),),
}
SLICE = {
    **{name: getattr(OTHER, name) for name in ("switch", "routing", "qos", "buffers", "balancing")},
    **dict.fromkeys(("interfaces", "lags", "sessions", "vlans", "vrfs"), ()),
    "services": replace(PIECE.services, ntp=(Address("192.0.2.1"),)),
    "overlay": None,
    "asn": 1,
    "loopback": Ip(1, 32),
    "router_id": Ip(1, 32),
    "vtep": Ip(1, 32),
    "management": Ip(1, 24),
    "external": (object(),),
    "speakers": (object(),),
    "recovery": object(),
    "statics": (object(),),
    "routes": (object(),),
    "guards": (object(),),
    "drained": OTHER.switch.because,
    "pair": PAIR,
    "gateway": object(),
    "own": (object(),),
    "descriptions": Descriptions(bundle=Description("{peer}", OTHER.switch.because)),
}
PORTS = {
    "port": EDGE.port,
    "use": Use.UNUSED,
    "mtu": 1234,
    "peer": EDGE.peer,
    "peer_port": EDGE.port,
    "address": None,
    "link_local": True,
    "carries": EDGE.carries,
    "lag": 7,
    "length": Meters(77),
    "vrf": "red",
    "outside": "isp",
    "address6": Ip(1, 127, 6),
    "tag": 30,
    "tunnel": Tunnel(vrf="transport", local=Ip(1, 31), remote=Ip(5, 32), below=None),
    "spare": True,
    "marks": object(),
    "rate": BitsPerSecond(10**9),
    "shut": True,
    "dark": True,
    "note": PortNote("dead", "laser gone", OTHER.switch.because),
}
SESSIONS = {
    "overlay": True,
    "up": False,
    "peer": OTHER.switch,
    "peer_asn": 1,
    "stranger": True,
    "one_platform": not PIECE.sessions[0].one_platform,
    "ospf": not PIECE.sessions[0].ospf,
    "drained": OTHER.switch.because,
    "interface": EDGE,
    "remote": None,
}
SEGMENT = Segment(
    system="02:fc:00:00:00:01",
    number=1,
    preference=200,
    peer=OTHER.switch,
    because=OTHER.switch.because,
)
SEGMENTS = {"system": "02:fc:00:00:00:02", "number": 2, "preference": 100}
ELSEWHERE = {"peer"}
"""Of a segment: the other leaf, which no file names."""
LAGS = {
    "number": 99,
    "server": replace(SERVER, name="another"),
    "carries": None,
    "mtu": 1500,
    "segment": SEGMENT,
    "mlag": True,
    "outside": "isp",
}


@pytest.mark.parametrize("platform", READ_BACK)
@pytest.mark.parametrize(("name", "value"), changed(SwitchSlice, SLICE, {"pin"}))
def test_each_part_of_a_slice_is_in_its_signature(platform: str, name: str, value: Any) -> None:
    names = names_of(platform)
    other = replace(PIECE, **{name: value})
    assert signature(other, names) != signature(PIECE, names)


@pytest.mark.parametrize(("name", "value"), changed(Interface, PORTS, NOT_WRITTEN))
def test_each_part_of_a_port_is_in_the_signature(name: str, value: Any) -> None:
    other = replace(PORT, **{name: value})
    ports = tuple(other if port is PORT else port for port in PIECE.interfaces)
    names = names_of("eos")
    assert signature(replace(PIECE, interfaces=ports), names) != signature(PIECE, names)


@pytest.mark.parametrize(("name", "value"), changed(Session, SESSIONS, NOT_EXPECTED))
def test_each_part_of_a_session_is_in_the_signature(name: str, value: Any) -> None:
    first, *rest = PIECE.sessions
    sessions = (replace(first, **{name: value}), *rest)
    names = names_of("eos")
    assert signature(replace(PIECE, sessions=sessions), names) != signature(PIECE, names)


@pytest.mark.parametrize(("name", "value"), changed(Lag, LAGS, NOT_WRITTEN | MEMBERS))
def test_each_part_of_a_bundle_is_in_the_signature(name: str, value: Any) -> None:
    first, *rest = PIECE.lags
    names = names_of("eos")
    lags = (replace(first, **{name: value}), *rest)
    assert signature(replace(PIECE, lags=lags), names) != signature(PIECE, names)


@pytest.mark.parametrize("platform", ["eos", "linux"])
@pytest.mark.parametrize(("name", "value"), changed(Segment, SEGMENTS, NOT_WRITTEN | ELSEWHERE))
def test_each_part_of_a_segment_is_in_the_signature(platform: str, name: str, value: Any) -> None:
    first, *rest = PIECE.lags
    one, other = (
        replace(PIECE, lags=(replace(first, segment=segment), *rest))
        for segment in (SEGMENT, replace(SEGMENT, **{name: value}))
    )
    names = names_of(platform)
    assert signature(one, names) != signature(other, names)


@pytest.mark.parametrize(("name", "value"), changed(Pair, PAIRS, NOT_WRITTEN | MEMBERS))
def test_each_part_of_a_pair_is_in_the_signature(name: str, value: Any) -> None:
    one, other = (replace(PIECE, pair=pair) for pair in (PAIR, replace(PAIR, **{name: value})))
    names = names_of("eos")
    assert signature(one, names) != signature(other, names)
    assert len(places(one, names)) == len(signature(one, names).own)


@pytest.mark.parametrize(("name", "value"), changed(JoinedVrf, VRFS, NOT_WRITTEN))
def test_each_part_of_a_vrf_of_a_pair_is_in_the_signature(name: str, value: Any) -> None:
    one, other = (
        replace(PIECE, pair=replace(PAIR, vrfs=(vrf,)))
        for vrf in (JOINED, replace(JOINED, **{name: value}))
    )
    names = names_of("eos")
    assert signature(one, names) != signature(other, names)
    assert len(places(one, names)) == len(signature(one, names).own)


@pytest.mark.parametrize("platform", READ_BACK)
def test_each_own_value_has_its_places(platform: str) -> None:
    names = names_of(platform)
    for switch_slice, _ in rendered("full", platform).values():
        where = places(switch_slice, names)
        assert len(where) == len(signature(switch_slice, names).own)
        assert all(where)
