"""Lower the interfaces of an EOS switch: ports by purpose, loopbacks, gateways and tunnels."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.core.units import spans
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.overlay import EvpnRules, Vrf
from fabricgen.model.fabric.qos import Qos
from fabricgen.model.fabric.relay import Relay
from fabricgen.model.fabric.routing import OSPF_AREA
from fabricgen.model.fabric.segment import Segment
from fabricgen.model.fabric.services import Services
from fabricgen.model.fabric.switch import Lag, SwitchSlice
from fabricgen.model.fabric.topology import Switch
from fabricgen.model.fabric.vlans import Announce, Carries, Vlan
from fabricgen.model.fabric.zones import Guard
from fabricgen.model.settings.ports import NO_PROFILE, NO_SETTINGS, PortProfile
from fabricgen.model.settings.setting import Resolved
from fabricgen.nos.eos.mlag import peer_link_of, peer_vlans_of
from fabricgen.nos.eos.names import diagnostic_source, relay_source, speed_word
from fabricgen.nos.eos.qos import counted, policy_name, profile_name
from fabricgen.nos.eos.tenancy import vlan_of
from fabricgen.nos.eos.view import interfaces as view
from fabricgen.nos.eos.view.system import Tracking
from fabricgen.nos.eos.view.system import Vrf as VrfName
from fabricgen.nos.eos.zones import at_port, bound
from fabricgen.nos.nos import Spell
from fabricgen.nos.shared.description import describe, describe_bundle, describe_share

KBIT = 1000
_FAMILY = {4: "ip", 6: "ipv6"}
_BEST = view.Timed(None)
_TIMED = {"switch": _BEST, "grandmaster": _BEST, "client": view.Timed("master")}
"""PTP roles of a port: a client is always downstream, elsewhere the better clock decides."""


def ports_of(switch_slice: SwitchSlice, spell: Spell) -> view.Ports:
    """Return every port in running-config order: port-channels, then faceplate order."""
    tracks = tracking_of(switch_slice) is not None
    bundles = [_bundle(switch_slice, lag, tracks=tracks) for lag in switch_slice.lags]
    in_order = sorted(switch_slice.interfaces, key=lambda item: (item.port.cage, item.port.lane))
    taken = {id(item) for item in switch_slice.marked}
    ports = (
        _port(switch_slice, item, spell, tracks=tracks, marked=id(item) in taken)
        for item in in_order
    )
    every = (*bundles, *peer_link_of(switch_slice), *ports)
    return view.Ports(
        every if not switch_slice.tagged else tuple(_with_shares(switch_slice, every, spell))
    )


def _with_shares(
    switch_slice: SwitchSlice, ports: tuple[view.Port, ...], spell: Spell
) -> Iterator[view.Port]:
    """Yield every port, followed by its shares in the order of tags."""
    for port in ports:
        yield port
        shares = [
            item for item in switch_slice.tagged if _parent(switch_slice, item, spell) == port.name
        ]
        for item in sorted(shares, key=lambda item: item.tag or 0):
            name = f"{port.name}.{item.tag}"
            yield view.Port(
                because=item.because,
                name=name,
                description=describe_share(switch_slice, item, name),
                speed=None,
                routed=_routed(switch_slice, item, None),
            )


def _parent(switch_slice: SwitchSlice, share: Interface, spell: Spell) -> str:
    """Spell the parent of a share: its port or LAG."""
    return (
        f"Port-Channel{share.lag}"
        if share.lag is not None
        else spell(switch_slice.switch, share.port)
    )


# AVD's value for every group (pyavd 6.4.0, link_tracking.groups.recovery_delay): a leaf that
# recovers has its sessions and routes before its servers send to it.
_RECOVERY = 300


def tracking_of(switch_slice: SwitchSlice) -> Tracking | None:
    """Return why ports to servers go down with the last uplink: those servers have another leaf.

    A NIC or LAG without another leaf keeps the connectivity of its leaf. The leafs of a collapsed
    pair would both shut their server ports if the link between them fails, so they track nothing.
    """
    if not any(item.use is Use.FABRIC and not _to_leaf(item) for item in switch_slice.interfaces):
        return None
    if any(item.spare for item in switch_slice.interfaces):
        rule = "a NIC leaves a plane whose leaf has lost all uplinks"
        return Tracking(Provenance(((*switch_slice.place, "planes"),), rule), None)
    segments = (lag.segment for lag in switch_slice.lags if lag.segment is not None)
    rule = "a server leaves a leaf that has lost all uplinks for the other of its pair"
    paths = [(*each.because.main, "leafs") for each in segments]
    return Tracking(Provenance((paths[0],), rule), _RECOVERY) if paths else None


def _to_leaf(interface: Interface) -> bool:
    return isinstance(interface.peer, Switch) and interface.peer.is_leaf


def _tracked(interface: Interface) -> str | None:
    if interface.use is Use.FABRIC:
        return "upstream"
    return "downstream" if interface.spare else None


def _port(
    switch_slice: SwitchSlice, interface: Interface, spell: Spell, *, tracks: bool, marked: bool
) -> view.Port:
    """Return one port. A cage that is broken out keeps the speed of its unused ports.

    `marked`: incoming marking is trusted.
    """
    port, lag = interface.port, interface.lag
    idle = interface.use is Use.UNUSED
    bridged = interface.use is Use.EDGE or interface.carries is not None
    routed = not (idle or bridged or lag is not None)
    alone = lag is None or interface.fallback is not None
    timed = _TIMED.get(interface.time) if switch_slice.ptp is not None else None
    return view.Port(
        because=interface.because,
        name=spell(switch_slice.switch, port),
        description=describe(switch_slice, interface, spell),
        speed=speed_word(port.speed, port.lanes) if not idle or port.subs > 1 else None,
        bundle=lag,
        member=interface.settings if lag is not None else NO_SETTINGS,
        exchange=_exchange(interface.settings.dcbx),
        edge=edge_of(interface.carries, timed, at_port(switch_slice.guards, interface.carries))
        if bridged and alone
        else None,
        routed=_routed(switch_slice, interface, timed) if routed else None,
        guarded=_guarded(interface.carries) if bridged and alone else None,
        counted=counted(switch_slice.qos, switch_slice.switch.model)
        if marked and switch_slice.qos
        else None,
        classed=_classed(switch_slice, interface) if marked and alone else None,
        kbps=interface.rate // KBIT if interface.rate is not None else None,
        tracked=_tracked(interface) if tracks else None,
        shut=interface.closed,
    )


@lru_cache(maxsize=8)
def _exchange(mode: str | None) -> view.Exchange | None:
    return view.Exchange(mode) if mode is not None else None


def _area(switch_slice: SwitchSlice, interface: Interface) -> view.Area | None:
    """Return the OSPF area of a port, with cost and BFD on a link to another switch."""
    for each in switch_slice.adjacencies:
        if each.interface is interface:
            watched = switch_slice.routing.bfd is not None
            return view.Area(each.because, OSPF_AREA, str(each.cost), bfd=watched)
    mine = (peer for peer in switch_slice.flooding if peer.interface is interface)
    return next((view.Area(peer.because, peer.area) for peer in mine), None)


def _routed(
    switch_slice: SwitchSlice, interface: Interface, timed: view.Timed | None
) -> view.Routed:
    every = (*switch_slice.external, *switch_slice.speakers)
    peers = [peer.label for peer in every if peer.interface is interface]
    return view.Routed(
        mtu=interface.mtu,
        vrf=interface.vrf,
        outside=interface.use is Use.EXTERNAL
        and interface.tag is None
        and not switch_slice.takes_marks(interface),
        addresses=tuple((_FAMILY[each.version], str(each)) for each in interface.addresses),
        local=interface.link_local,
        timed=timed,
        tag=interface.tag,
        guards=tuple(each for peer in peers for each in bound(switch_slice.guards, peer=peer)),
        area=_area(switch_slice, interface),
    )


def _bundle(switch_slice: SwitchSlice, lag: Lag, *, tracks: bool) -> view.Port:
    name, segment = f"Port-Channel{lag.number}", lag.segment
    return view.Port(
        because=lag.because,
        name=name,
        description=describe_bundle(switch_slice, lag, name),
        speed=None,
        edge=edge_of(lag.carries) if lag.server is not None else None,
        routed=_routed(switch_slice, lag.members[0], None) if lag.server is None else None,
        guarded=_guarded(lag.carries) if lag.server is not None else None,
        segment=_segment(segment) if segment is not None else None,
        settings=lag.settings,
        mlag=lag.number if lag.mlag else None,
        classed=_classed(switch_slice, lag.members[0])
        if switch_slice.takes_marks(lag.members[0])
        else None,
        tracked="downstream" if segment is not None and tracks else None,
    )


def _classed(switch_slice: SwitchSlice, interface: Interface) -> view.Classed | None:
    """Return the QoS of a port; PyAVD 6.4.0 has the same lines at port-channels."""
    if switch_slice.qos is None:
        return None
    profile = profile_name(switch_slice.qos, switch_slice.switch.fabric, interface.port.speed)
    return _told(profile, policy_name(interface.marks))


@lru_cache(maxsize=256)
def _told(profile: str, policy: str | None) -> view.Classed:
    return view.Classed(profile, policy)


def _guarded(carries: Carries | None) -> Resolved[PortProfile]:
    return (carries.profile if carries is not None else None) or NO_PROFILE


def _segment(segment: Segment) -> view.Segment:
    """Spell a segment: its identifier in five groups, and the MAC in each line's form."""
    octets, system = segment.identifier.replace(":", ""), segment.system.replace(":", "")
    return view.Segment(
        identifier=":".join(octets[at : at + 4] for at in range(0, 20, 4)),
        preference=segment.preference,
        target=segment.system,
        system=".".join(system[at : at + 4] for at in range(0, 12, 4)),
    )


@lru_cache(maxsize=4096)
def edge_of(
    carries: Carries | None,
    timed: view.Timed | None = None,
    guards: tuple[view.Guard, ...] = (),
) -> view.Edge:
    """Return the VLANs of a bridged port. A port without VLANs admits no traffic."""
    native = carries.untagged.id if carries is not None and carries.untagged else None
    tagged = [vlan.id for vlan in carries.tagged] if carries is not None else []
    if native is not None and not tagged:
        return view.Edge(access=native, native=None, trunk="", timed=timed, guards=guards)
    every = [*tagged, native] if native is not None else tagged
    trunk = spans(every) if every else "none"
    return view.Edge(access=None, native=native, trunk=trunk, guards=guards)


def interfaces_of(switch_slice: SwitchSlice) -> view.Interfaces:
    place, mtu = switch_slice.place, switch_slice.routing.tenant_mtu
    area = OSPF_AREA if switch_slice.adjacencies else None
    overlay = switch_slice.overlay if switch_slice.vtep is not None else None
    return view.Interfaces(
        router_id=view.Loopback(
            switch_slice.why(_reason(place, "loopbacks"), "loopback"),
            str(switch_slice.loopback),
            area,
        ),
        vtep=view.Loopback(
            switch_slice.why(_reason(place, "vteps"), "vtep"), str(switch_slice.vtep), area
        )
        if switch_slice.vtep
        else None,
        relays=tuple(_sources(switch_slice)),
        probing=tuple(_probing(switch_slice)),
        management=view.ManagementPort(
            because=switch_slice.why(_part(switch_slice.services, place), "management"),
            hostname=switch_slice.switch.name,
            vrf=switch_slice.services.vrf,
            address=str(switch_slice.management),
        ),
        rails=() if overlay else gateways_of(switch_slice.vlans, mtu, ()),
        tunnels=tunnels_of(
            overlay,
            switch_slice.vlans,
            switch_slice.tunneled,
            mtu,
            switch_slice.guards,
            mlag=switch_slice.pair is not None,
        )
        if overlay
        else None,
        peers=tuple(peer_vlans_of(switch_slice.pair)),
        marks=marks_of(switch_slice.qos) if overlay and switch_slice.qos is not None else None,
    )


def _sources(switch_slice: SwitchSlice) -> Iterator[view.RelaySource]:
    """Yield the loopback of each VRF with relays of any IP version."""
    for _, relays in groupby(switch_slice.relays, key=lambda relay: relay.number):
        every = tuple(relays)
        yield view.RelaySource(
            because=every[0].because,
            name=relay_source(every[0]),
            vrf=every[0].vrf,
            addresses=tuple(
                (_FAMILY[each.version], str(each.source(switch_slice.switch))) for each in every
            ),
        )


def _probing(switch_slice: SwitchSlice) -> Iterator[view.DiagnosticSource]:
    """Yield the loopback of each VRF with diagnostic addresses."""
    for vrf in switch_slice.vrfs:
        if vrf.diagnostics is not None:
            address = vrf.diagnostics.address(switch_slice.switch)
            yield view.DiagnosticSource(
                because=vrf.diagnostics.because,
                name=diagnostic_source(vrf),
                vrf=vrf.name,
                address=str(address),
                host=address.host,
            )


_RULES = {"loopbacks": "one router ID per switch", "vteps": "one tunnel endpoint per leaf"}


@lru_cache(maxsize=16)
def _reason(place: IntentPath, pool: str) -> Provenance:
    return Provenance(((*place, "addressing", pool),), _RULES[pool])


@lru_cache(maxsize=16)
def _part(services: Services, place: IntentPath) -> Provenance:
    paths = (*services.path, "subnet"), (*place, "management")
    return Provenance(paths, "each fabric has its part of the subnet")


def gateways_of(
    vlans: tuple[Vlan, ...], mtu: int, guards: tuple[Guard, ...]
) -> tuple[view.Gateway, ...]:
    """Return the gateways of the VLANs that have one."""
    return tuple(
        view.Gateway(
            because=vlan.because,
            vlan=vlan.id,
            description=vlan.text,
            mtu=mtu,
            vrf=vlan.vrf,
            ipv4=_spelled(vlan.gateway(4)),
            ipv6=_spelled(vlan.gateway(6)),
            guards=bound(guards, vlan=vlan.id),
            relay=next((_helpers(each) for each in vlan.relays if each.version == 4), None),
            relay6=next((_helpers6(each, vlan) for each in vlan.relays if each.version == 6), None),
            announced=_announced(vlan) if vlan.announce is not None else None,
        )
        for vlan in vlans
        if vlan.gateways
    )


@lru_cache(maxsize=1024)
def _helpers(relay: Relay) -> view.Helpers:
    return view.Helpers(relay.because, relay_source(relay), relay.servers)


def _helpers6(relay: Relay, vlan: Vlan) -> view.Helpers6:
    return view.Helpers6(
        because=relay.because,
        source=relay_source(relay),
        link=vlan.subnet6.host,
        servers=relay.servers,
    )


def _announced(vlan: Vlan) -> view.Announced:
    return view.Announced(
        because=vlan.because, prefix=vlan.subnet6.prefix, managed=vlan.announce is Announce.DHCP
    )


def _spelled(gateway: Ip | None) -> str | None:
    return str(gateway) if gateway is not None else None


@lru_cache(maxsize=16)
def marks_of(qos: Qos) -> view.Marks | None:
    """Return why tunnels carry DSCP and ECN; None if servers have no class."""
    rule = "tunnels preserve the DSCP of servers and report congestion to them"
    because = Provenance((qos.asked,), rule)
    return view.Marks(because, ecn=qos.marked) if qos.serves else None


@lru_cache(maxsize=128)
def tunnels_of(
    rules: EvpnRules,
    vlans: tuple[Vlan, ...],
    vrfs: tuple[Vrf, ...],
    mtu: int,
    guards: tuple[Guard, ...],
    *,
    mlag: bool,
) -> view.Tunnels:
    """Return anycast gateways and the tunnel interface, which every leaf has."""
    return view.Tunnels(
        because=Provenance(
            (rules.asked, rules.path) if vlans else (rules.path,), "one VNI per VLAN and per VRF"
        ),
        gateways=tuple(
            gateway for gateway in gateways_of(vlans, mtu, guards) if gateway.vrf is not None
        ),
        vlans=tuple(vlan_of(vlan) for vlan in vlans if vlan.vni is not None),
        vrfs=tuple(
            VrfName(vrf.because, vrf.name, vrf.vni) for vrf in sorted(vrfs, key=lambda v: v.name)
        ),
        mlag=mlag,
    )
