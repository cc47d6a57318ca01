"""The slice of a switch and the routes of its fabric in; every fact that must show as it runs out.

To what its files must say come facts that only a running switch has: that links and sessions are
up, who is at the other end of each cable, and by which ports packets leave.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from fabricgen.checks import ends
from fabricgen.fabric.overlay import route_distinguisher
from fabricgen.fabric.switch import Use
from fabricgen.fabric.topology import Switch
from fabricgen.nos.lowering import spell
from fabricgen.nos.registry import reader_of
from fabricgen.nos.show import ESTABLISHED, UP
from fabricgen.proof.designed import Designed, Expectation
from fabricgen.record import record
from fabricgen.tree.facts import GLOBAL, merged

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fabricgen.fabric.because import Because
    from fabricgen.fabric.switch import SwitchSlice
    from fabricgen.nos.show import Part, Reader
    from fabricgen.proof.underlay import Underlay
    from fabricgen.tree.facts import Attributes, Facts, Key, Topic, Value


@record(kw_only=True)
class Expected:
    """Everything that one switch must show.

    designs: of each object what it is for, and why. ports: by which port a session's packets
    leave. optional: objects that need not be there. about: where each topic is read.
    """

    switch: str
    platform: str
    facts: Facts
    designs: Mapping[Key, Designed]
    ports: Mapping[Key, str]
    optional: frozenset[Key]
    about: Mapping[Topic, Part]

    def of(self, kind: str) -> dict[Key, Attributes]:
        """Return the objects of a kind that have to be there."""
        return {
            key: own
            for key, own in self.facts.items()
            if key[0] == kind and key not in self.optional
        }

    def role(self, key: Key) -> str:
        """Return what an object is for, in words; empty for one that is not in the design."""
        return self.designs[key].role if key in self.designs else ""

    def because(self, key: Key) -> Because | None:
        """Return why an object is there."""
        return self.designs[key].because if key in self.designs else None

    def waits_for(self, session: Key) -> bool:
        """Tell whether a session must come up: its peer is among what runs."""
        return "state" in self.facts.get(session, {"state": UP})


def topic(key: Key, attribute: str) -> Topic:
    """Return what a fact is about: `marking 1:3` of queues is about their marking."""
    return key[0], attribute.partition(" ")[0]


def strangers(designed: Value | None, heard: Value | None) -> list[tuple[str, ...]]:
    """Return who was heard behind a cable and should not be there; `designed` has whoever may."""
    right = {(end[0], port) for end in designed or () for port in end[1:]}
    ends = [tuple(end) for end in heard or ()]
    return [end for end in ends if not any((end[0], port) in right for port in end[1:])]


class Meeting(NamedTuple):
    """A BGP session. outside: its peer is not among what runs, so it is there but cannot be up."""

    key: Key
    peer: str
    port: str | None
    bfd: bool
    outside: bool
    because: Because | None


@cache
def _expectation(platform: str) -> Expectation:
    reader = reader_of(platform)
    assert reader is not None
    return Expectation(reader.names, frozenset(reader.about))


def expected(
    piece: SwitchSlice, ways: Underlay, reader: Reader, part: frozenset[str] | None = None
) -> Expected:
    """Return what a switch must show.

    part: the switches that run and nothing else with them, no external peer either; `ways` are
    those of the part, then. None: all of the site and of what is around it.
    """
    meetings = tuple(_meetings(piece, ways, part))
    objects = [Designed(*each) for each in reader.own(piece)]
    objects += [*_vnis(piece), *_sessions(piece, meetings)]
    objects += [*_ports(piece), *_cables(piece, reader, part), *_routes(piece, ways)]
    facts: Facts = {}
    designs: dict[Key, Designed] = {}
    for each in (*_expectation(piece.switch.platform).objects(piece), *objects):
        own = {n: v for n, v in each.attributes.items() if topic(each.key, n) in reader.about}
        old = designs.get(each.key)
        facts[each.key] = own if old is None else merged(facts[each.key], own)
        why = each.because or (old and old.because)
        designs[each.key] = each._replace(because=why)
    return Expected(
        switch=piece.switch.name,
        platform=piece.switch.platform,
        facts=facts,
        designs=designs,
        ports={each.key: each.port for each in meetings if each.port is not None},
        optional=frozenset(each.key for each in objects if each.role in _OPTIONAL),
        about=reader.about,
    )


_OPTIONAL = ("server", "anyone")
"""Who is behind these cables need not speak LLDP."""


def _ports(piece: SwitchSlice) -> Iterator[Designed]:
    """Yield of each port who is behind it."""
    for item in piece.interfaces:
        far = item.peer.name if item.peer is not None else item.outside
        role = "unused port" if item.use is Use.UNUSED else f"port to {far}"
        yield Designed(role, ("interface", spell(piece.switch, item.port)), {}, item.because)


def _meetings(piece: SwitchSlice, ways: Underlay, part: frozenset[str] | None) -> Iterator[Meeting]:
    """Yield every session. A loopback is outside, too, when no way of the part leads there."""
    reached = part and part & ways.routes.get(piece.switch.name, {}).keys()
    bfd = piece.routing.bfd is not None
    for session in piece.sessions:
        port = spell(piece.switch, session.interface.port) if session.interface else None
        peer = session.remote.host if session.remote is not None else port
        assert peer is not None
        yield Meeting(
            ("session", GLOBAL, peer),
            session.peer.name,
            port,
            bfd and not session.overlay,
            reached is not None and session.peer.name not in reached,
            session.because,
        )
    for each in piece.external:
        port = spell(piece.switch, each.interface.port)
        key = ("session", each.vrf, each.remote.host)
        yield Meeting(key, each.name, port, bfd and each.bfd, part is not None, each.because)


def _sessions(piece: SwitchSlice, meetings: tuple[Meeting, ...]) -> Iterator[Designed]:
    timers = piece.routing.bfd
    for each in meetings:
        state: Attributes = {} if each.outside else {"state": ESTABLISHED}
        yield Designed(each.peer, each.key, state, each.because)
        if timers is not None and each.bfd:
            spelled = f"{int(timers.interval)} ms times {timers.multiplier}"
            key = ("bfd", *each.key[1:])
            yield Designed(each.peer, key, {"timers": spelled, "state": UP}, each.because)


def _vnis(piece: SwitchSlice) -> Iterator[Designed]:
    if piece.vtep is None or piece.overlay is None:
        return
    known = {vrf.name for vrf in piece.vrfs}
    rows: list[tuple[int | None, int, str, str | None, Because]] = [
        # A VLAN without a gateway has no interface that could place it in a VRF.
        (
            each.vni,
            each.id,
            "2",
            each.vrf if each.gateway and each.vrf in known else GLOBAL,
            each.because,
        )
        for each in piece.vlans
    ]
    rows += [(each.vni, each.transit_vlan, "3", each.name, each.because) for each in piece.vrfs]
    for vni, vlan, layer, vrf, why in rows:
        if vni is not None:
            target = (piece.overlay.route_target(vni),)
            own: Attributes = {
                "vlan": str(vlan),
                "source": piece.vtep.host,
                "layer": layer,
                "vrf": vrf or GLOBAL,
                "rd": route_distinguisher(piece.loopback, vlan),
                "import": target,
                "export": target,
            }
            yield Designed("VNI", ("vni", str(vni)), own, why)


def _cables(piece: SwitchSlice, reader: Reader, part: frozenset[str] | None) -> Iterator[Designed]:
    """Yield who must be heard behind each port; nobody is known at an external one's far end."""
    yield Designed("anyone", ("cable", reader.names.management), {"far": ()})
    for item in piece.interfaces:
        key, peer = ("cable", spell(piece.switch, item.port)), item.peer
        if item.use is Use.EXTERNAL:
            yield Designed("anyone", key, {"far": ()})
        elif peer is not None and item.peer_port is not None:
            role = "switch" if isinstance(peer, Switch) else "server"
            if part is None or peer.name in part or role == "server":
                far: Attributes = {"far": ((peer.name, spell(peer, item.peer_port)),)}
                yield Designed(role, key, far, item.because)


def _routes(piece: SwitchSlice, ways: Underlay) -> Iterator[Designed]:
    names = {ends.key(item.port): spell(piece.switch, item.port) for item in piece.interfaces}
    for origin, ports in ways.routes.get(piece.switch.name, {}).items():
        leave: Attributes = {"ports": tuple(sorted(names[port] for port in ports))}
        for prefix in ways.prefixes[origin]:
            yield Designed(origin, ("route", GLOBAL, prefix), leave)
