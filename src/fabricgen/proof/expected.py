"""The slice of a switch in, every fact that it must show out: the model, in the switch's names."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from fabricgen.checks import ends
from fabricgen.fabric.facts import (
    DEFAULT,
    Announced,
    Device,
    Neighbour,
    PortQueues,
    Route,
    Routed,
    Session,
    Timers,
    Vni,
    Vrf,
)
from fabricgen.fabric.overlay import route_distinguisher
from fabricgen.fabric.switch import Use
from fabricgen.fabric.topology import Switch
from fabricgen.nos.lowering import spell
from fabricgen.proof.expected_interfaces import interfaces
from fabricgen.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fabricgen.fabric import switch as fabric
    from fabricgen.fabric.external import ExternalPeer
    from fabricgen.fabric.facts import Interface
    from fabricgen.fabric.overlay import EvpnRules
    from fabricgen.fabric.switch import SwitchSlice
    from fabricgen.nos.spelling import Spelling
    from fabricgen.proof.underlay import Underlay

    Fact = Interface | Vrf | Session | Vni | Neighbour | PortQueues

IPV4, EVPN = "ipv4 unicast", "l2vpn evpn"


@record(kw_only=True)
class Expected:
    """Everything that one switch must show.

    unknown: ports behind which the model knows nobody, so that anyone may be heard there.
    """

    switch: str
    platform: str
    interfaces: tuple[Interface, ...]
    vrfs: tuple[Vrf, ...]
    sessions: tuple[Session, ...]
    vnis: tuple[Vni, ...]
    neighbours: tuple[Neighbour, ...]
    unknown: tuple[str, ...]
    routes: tuple[Route, ...]
    queues: Mapping[str, PortQueues]

    def as_data(self) -> dict[str, Any]:
        """Return what JSON can say, without what is not said; what is alike stands there once."""
        data: dict[str, Any] = {
            name: [_said(item) for item in getattr(self, name)]
            for name in ("interfaces", "vrfs", "sessions", "vnis", "neighbours")
        }
        plans: dict[PortQueues, list[str]] = {}
        for port, plan in self.queues.items():
            plans.setdefault(plan, []).append(port)
        ways: dict[tuple[str, tuple[str, ...]], list[str]] = {}
        for route in self.routes:
            ways.setdefault((route.origin, route.interfaces), []).append(route.prefix)
        return {
            "switch": self.switch,
            "platform": self.platform,
            **data,
            "unknown": list(self.unknown),
            "routes": [
                {"origin": origin, "interfaces": list(ports), "prefixes": prefixes}
                for (origin, ports), prefixes in ways.items()
            ],
            "queues": [{"ports": ports, **_said(plan)} for plan, ports in plans.items()],
        }


def _said(item: Fact) -> dict[str, Any]:
    return {name: value for name, value in asdict(item).items() if value not in (None, (), "")}


def expected(
    piece: SwitchSlice,
    underlay: Underlay,
    spelling: Spelling,
    *,
    servers_speak: bool = False,
    part: frozenset[str] | None = None,
) -> Expected:
    """Return what a switch must show. servers_speak: whether lldpd runs on the servers, too.

    part: the switches that run and nothing else with them, no external peer either; `underlay` is
    that of the part, then. None: all of the site and of what is around it.
    """
    return Expected(
        switch=piece.switch.name,
        platform=piece.switch.platform,
        interfaces=tuple(interfaces(piece, spelling)),
        vrfs=tuple(_vrfs(piece, spelling)),
        sessions=tuple(_sessions(piece, spelling, _within(piece, underlay, part))),
        vnis=tuple(_vnis(piece, spelling)),
        neighbours=tuple(
            one
            for one in _neighbours(piece, spelling, servers_speak=servers_speak)
            if part is None or one.name in part or not one.required
        ),
        unknown=(
            spelling.management,
            *(spelling.port(i.port) for i in piece.interfaces if i.use is Use.EXTERNAL),
        ),
        routes=tuple(_routes(piece, underlay, spelling)),
        queues=spelling.queues(piece),
    )


def _vrfs(piece: SwitchSlice, spelling: Spelling) -> Iterator[Vrf]:
    yield Vrf(piece.services.vrf, spelling.management_table)
    for vrf in piece.vrfs:
        yield Vrf(vrf.name, spelling.table(vrf))


def _timers(piece: SwitchSlice) -> Timers | None:
    bfd = piece.routing.bfd
    return Timers(int(bfd.interval), bfd.multiplier) if bfd is not None else None


def _within(
    piece: SwitchSlice, underlay: Underlay, part: frozenset[str] | None
) -> frozenset[str] | None:
    """Return the peers that can be reached; a loopback cannot when no way of the part leads there.

    None: all can be.
    """
    return None if part is None else part & underlay.routes.get(piece.switch.name, {}).keys()


def _sessions(
    piece: SwitchSlice, spelling: Spelling, within: frozenset[str] | None
) -> Iterator[Session]:
    timers = _timers(piece)
    for session in piece.sessions:
        outside = within is not None and session.peer.name not in within
        yield replace(_session(session, spelling, timers), outside=outside or None)
    for peer in piece.external:
        yield replace(_external(peer, spelling, timers), outside=within is not None or None)


def _session(session: fabric.Session, spelling: Spelling, timers: Timers | None) -> Session:
    at = session.interface
    port = spelling.port(at.port) if at is not None else None
    peer = session.remote.host if session.remote is not None else port
    assert peer is not None
    return Session(
        vrf=DEFAULT,
        peer=peer,
        asn=session.peer_asn,
        families=(EVPN if session.overlay else IPV4,),
        bfd=None if session.overlay else timers,
        interface=port,
        label=session.peer.name,
    )


def _external(peer: ExternalPeer, spelling: Spelling, timers: Timers | None) -> Session:
    return Session(
        vrf=peer.vrf,
        peer=peer.remote.host,
        asn=peer.peer_asn,
        families=(IPV4,),
        bfd=timers if peer.bfd else None,
        interface=spelling.port(peer.interface.port),
        label=peer.name,
    )


def _vnis(piece: SwitchSlice, spelling: Spelling) -> Iterator[Vni]:
    if piece.vtep is None or piece.overlay is None:
        return
    known = {vrf.name for vrf in piece.vrfs}
    for vlan in piece.vlans:
        if vlan.vni is not None:
            # A VLAN without a gateway has no interface that could place it in a VRF.
            vrf = vlan.vrf if vlan.gateway is not None and vlan.vrf in known else DEFAULT
            yield _vni(piece, spelling, piece.overlay, vlan.vni, vlan.id, Routed(2, vrf))
    for item in piece.vrfs:
        routed = Routed(3, item.name)
        yield _vni(piece, spelling, piece.overlay, item.vni, item.transit_vlan, routed)


def _vni(
    piece: SwitchSlice, spelling: Spelling, rules: EvpnRules, vni: int, vlan: int, routed: Routed
) -> Vni:
    assert piece.vtep is not None
    target = rules.route_target(vni)
    return Vni(
        vni=vni,
        device=Device(spelling.tunnel(vni), vlan, piece.vtep.host),
        routed=routed,
        announced=Announced(route_distinguisher(piece.loopback, vlan), (target,), (target,)),
    )


def _neighbours(
    piece: SwitchSlice, spelling: Spelling, *, servers_speak: bool
) -> Iterator[Neighbour]:
    for item in piece.interfaces:
        if item.peer is not None and item.peer_port is not None:
            required = servers_speak or isinstance(item.peer, Switch)
            far = spell(item.peer, item.peer_port)
            yield Neighbour(
                port=spelling.port(item.port), name=item.peer.name, ports=(far,), required=required
            )


def _routes(piece: SwitchSlice, underlay: Underlay, spelling: Spelling) -> Iterator[Route]:
    names = {ends.key(item.port): spelling.port(item.port) for item in piece.interfaces}
    for origin, ports in underlay.routes.get(piece.switch.name, {}).items():
        leave = tuple(sorted(names[port] for port in ports))
        for prefix in underlay.prefixes[origin]:
            yield Route(prefix, leave, origin)
