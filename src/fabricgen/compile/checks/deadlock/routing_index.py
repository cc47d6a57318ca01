"""Pack the routing configuration of each switch, slice by slice, into numbers.

A site of 100,000 GPUs has 400,000 session ends. Only the last slice decides whether they are
needed. Packed, they take a few megabytes.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from fabricgen.compile.checks import ends
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.state import LONGER
from fabricgen.model.fabric.switch import Session, SwitchSlice
from fabricgen.model.fabric.topology import Port, Switch

_UP, _VALLEY_FREE, _LOOPS, _PEER = 1, 2, 2, 6  # two flags, then the places of two numbers
_FAR = _PEER + 24
_OWN = _FAR + ends.BITS
_DRAINED = _OWN + ends.BITS  # the last of 63 bits
_PORT = (1 << ends.BITS) - 1
_MOST_LOOPS = 15
_LENGTH = 8  # bits below an IPv4 address, for the length of its prefix


class End(NamedTuple):
    """One end of an underlay session: own port, far port, and what it does to routes.

    detour: how many more ASNs it puts before each path, as its switch or its link is drained.
    """

    own: int
    far: int
    peer: int
    loops: int
    up: bool
    valley_free: bool
    detour: int

    @property
    def closed(self) -> bool:
        """Return whether this end marks received routes and does not send marked routes."""
        return self.up and self.valley_free


class Static(NamedTuple):
    """A static route of a switch, and the cable it points to."""

    switch: int
    prefix: Ip
    peer: int
    own: int
    far: int


class RoutingIndex:
    """Routing configuration of the switches of one fabric; a switch is known by a number."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.asns: dict[int, int] = {}
        self.places: dict[int, tuple[int, int, int]] = {}
        self.statics: list[Static] = []
        self._numbers: dict[str, int] = {}
        self._ends: dict[int, array[int]] = {}
        self._prefixes: dict[int, array[int]] = {}

    def __contains__(self, name: object) -> bool:
        """Return whether a slice of the switch was added."""
        return isinstance(name, str) and self._numbers.get(name) in self.places

    def number(self, name: str) -> int:
        """Return the number of a switch, known or not yet."""
        place = self._numbers.setdefault(name, len(self.names))
        if place == len(self.names):
            self.names.append(name)
        return place

    def add(self, switch_slice: SwitchSlice) -> None:
        """Pack one switch."""
        switch = switch_slice.switch
        here = self.number(switch.name)
        self.asns[here] = switch_slice.asn
        self.places[here] = (switch.role.tier, switch.plane, switch.pod)
        self._ends[here] = array("Q", self._packed(switch_slice))
        self._prefixes[here] = array(
            "Q",
            (ip.network[0] << _LENGTH | ip.length for ip in _own(switch_slice) if ip.version == 4),
        )
        for static in switch_slice.statics:
            at = static.interface
            if isinstance(at.peer, Switch) and isinstance(at.peer_port, Port):
                own, far = ends.key(at.port), ends.key(at.peer_port)
                peer = self.number(at.peer.name)
                self.statics.append(Static(here, static.prefix, peer, own, far))

    def _packed(self, switch_slice: SwitchSlice) -> Iterator[int]:
        for session in switch_slice.sessions:
            at = session.interface
            if session.overlay or at is None or not isinstance(at.peer_port, Port):
                continue
            yield (
                (switch_slice.detour_of(session) is not None) << _DRAINED
                | ends.key(at.port) << _OWN
                | ends.key(at.peer_port) << _FAR
                | self.number(session.peer.name) << _PEER
                | _flags(session)
            )

    def ends_of(self, here: int) -> Iterator[End]:
        """Yield the underlay session ends of a switch; none for an unknown switch."""
        for packed in self._ends.get(here, ()):
            yield End(
                packed >> _OWN & _PORT,
                packed >> _FAR & _PORT,
                packed >> _PEER & (1 << 24) - 1,
                packed >> _LOOPS & _MOST_LOOPS,
                bool(packed & _UP),
                bool(packed & _VALLEY_FREE),
                LONGER * (packed >> _DRAINED),
            )

    def prefixes_of(self, here: int) -> Iterator[tuple[int, int]]:
        """Yield (first address, length) of each IPv4 prefix that a switch originates."""
        for packed in self._prefixes[here]:
            yield packed >> _LENGTH, packed & (1 << _LENGTH) - 1


def without_drained_links(switch_slice: SwitchSlice) -> SwitchSlice:
    """Return a slice without the sessions over links that are planned or dead."""
    if not any(item.silent for item in switch_slice.interfaces):
        return switch_slice
    running = (
        it for it in switch_slice.sessions if it.interface is None or not it.interface.silent
    )
    return replace(switch_slice, sessions=tuple(running))


def _flags(session: Session) -> int:
    loops = min(session.own_as, _MOST_LOOPS) << _LOOPS
    return loops | session.valley_free << 1 | session.up


def _own(switch_slice: SwitchSlice) -> Iterator[Ip]:
    """Yield the originated prefixes: loopbacks, and subnets of the local NIC ports.

    Prefixes of a VRF cross the fabric towards the tunnel end of their leaf.
    """
    yield switch_slice.loopback
    if switch_slice.vtep is not None:
        yield switch_slice.vtep
    for interface in switch_slice.interfaces:
        if interface.use is Use.NIC and interface.address is not None and interface.vrf is None:
            yield interface.address
    for vlan in switch_slice.vlans:
        if vlan.vrf is None:
            yield from vlan.gateways
