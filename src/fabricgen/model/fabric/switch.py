"""Defines the slice of one switch: everything that its configuration needs, vendor-neutral."""

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.own_templates import OwnTemplates
from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Addresses, Ip
from fabricgen.model.fabric.applications import Application
from fabricgen.model.fabric.balancing import LoadBalancing
from fabricgen.model.fabric.buffers import Lossless, SwitchBuffers
from fabricgen.model.fabric.circuits import Circuit
from fabricgen.model.fabric.classes import Marks
from fabricgen.model.fabric.demand import Demand
from fabricgen.model.fabric.descriptions import BOTH_ENDS, Descriptions
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.model.fabric.failures import NO_FAILURES, FailureModel
from fabricgen.model.fabric.floor import NO_FLOOR, Floor
from fabricgen.model.fabric.gateways import Gateway
from fabricgen.model.fabric.hosts import HostPlan
from fabricgen.model.fabric.identity import Identity
from fabricgen.model.fabric.interface import Interface, Use, between_sites
from fabricgen.model.fabric.jobs import JobPlan
from fabricgen.model.fabric.managed import ManagedPorts
from fabricgen.model.fabric.overlay import EvpnRules, Overlay, Vrf
from fabricgen.model.fabric.own_lines import NO_OWN_LINES, OwnPlan, OwnText
from fabricgen.model.fabric.pair import Pair
from fabricgen.model.fabric.pins import Pin
from fabricgen.model.fabric.qos import Qos
from fabricgen.model.fabric.relay import Relay
from fabricgen.model.fabric.routing import OSPF_AVOIDED, OSPF_COST, PEER_GROUPS, Routing
from fabricgen.model.fabric.segment import Segment
from fabricgen.model.fabric.services import Services
from fabricgen.model.fabric.state import LONGER, Detour, Standing, State
from fabricgen.model.fabric.topology import Role, Server, Switch, Topology
from fabricgen.model.fabric.transition import ANY_ASN
from fabricgen.model.fabric.vlans import Carries, Vlan
from fabricgen.model.fabric.vrfs import VrfRoute
from fabricgen.model.fabric.zones import Guard
from fabricgen.model.settings.ports import Errdisable, PortSet
from fabricgen.model.settings.services import Ptp
from fabricgen.model.settings.setting import PLACEHOLDER, Resolved

if TYPE_CHECKING:  # loaded by the sites that have limits
    from fabricgen.model.settings.watching import WatchLimits

_TRUSTED = frozenset({Use.FABRIC, Use.NIC})
_SERVED = _TRUSTED | {Use.EDGE}


@record(eq=False, kw_only=True)
class Lag:
    """An LACP port-channel of this switch to one server, or to the outside.

    `server`: None if it leads outside; outside is then the name of the link. `segment`: the
    server's bond has ports on another leaf as well. `mlag`: the same, and that leaf is the other
    one of an MLAG pair.
    """

    number: int
    server: Server | None
    members: tuple[Interface, ...]
    carries: Carries | None
    mtu: int
    because: Provenance
    segment: Segment | None = None
    mlag: bool = False
    outside: str = ""

    @property
    def far(self) -> str:
        """Return the name of its remote end."""
        return self.server.name if self.server is not None else f"outside:{self.outside}"

    @property
    def settings(self) -> PortSet:
        """Return the settings of the server ports."""
        return self.members[0].settings


@record(eq=False, kw_only=True)
class Session:
    """One BGP session, or with `ospf` one OSPF adjacency on a link.

    `up`: the peer is nearer to the core. Overlay sessions carry only EVPN.

    Unnumbered underlay sessions have no addresses; their interface identifies them. `valley_free`:
    routes from an upper peer are marked, and no marked route is sent to it. `own_as`: how often the
    local ASN may appear in an accepted path. The design sets neither otherwise. `stranger`: in a
    transition, the peer may have any ASN. `drained`: reason why its link is avoided, if so.
    `one_platform`: all switches of both tiers run one platform.
    """

    overlay: bool
    up: bool
    peer: Switch
    peer_asn: int
    interface: Interface | None
    local: Ip | None
    remote: Ip | None
    because: Provenance
    valley_free: bool = True
    own_as: int = 0
    stranger: bool = False
    drained: Provenance | None = None
    one_platform: bool = False
    ospf: bool = False

    @property
    def cost(self) -> int:
        """Return the OSPF cost of its link."""
        return OSPF_COST if self.drained is None else OSPF_AVOIDED

    @property
    def group(self) -> str:
        """Return the peer group of the session."""
        return f"{'EVPN' if self.overlay else 'UNDERLAY'}-{'ABOVE' if self.up else 'BELOW'}"

    @property
    def remote_as(self) -> str:
        """The ASN that the peer must have."""
        return ANY_ASN if self.stranger else str(self.peer_asn)


@record(eq=False)
class StaticRoute:
    """A static route out of an interface. The design creates none; checks read it from files."""

    prefix: Ip
    interface: Interface
    because: Provenance


@record(eq=False, kw_only=True)
class SwitchSlice:
    """One switch, complete; it contains only the needed facts of other switches.

    `drained`: reason for which it lengthens every path, if it does. `speakers`: servers on its
    ports with BGP sessions. `guards`: access lists, if there are zones. `routes`: static routes of
    VRFs, in the order of VRF, prefix and next hop. `gateway`: what it stretches to another site.
    `pin`: overrides of its numbers, used only as provenance. `own`: custom config.
    """

    switch: Switch
    services: Services
    routing: Routing
    qos: Qos | None
    overlay: EvpnRules | None
    asn: int
    loopback: Ip
    router_id: Ip
    vtep: Ip | None
    management: Ip
    interfaces: tuple[Interface, ...]
    lags: tuple[Lag, ...]
    sessions: tuple[Session, ...]
    vlans: tuple[Vlan, ...]
    vrfs: tuple[Vrf, ...]
    external: tuple[ExternalPeer, ...] = ()
    speakers: tuple[ExternalPeer, ...] = ()
    statics: tuple[StaticRoute, ...] = ()
    routes: tuple[VrfRoute, ...] = ()
    buffers: SwitchBuffers | None = None
    balancing: LoadBalancing | None = None
    drained: Provenance | None = None
    pair: Pair | None = None
    guards: tuple[Guard, ...] = ()
    recovery: Resolved[Errdisable] | None = None
    gateway: Gateway | None = None
    descriptions: Descriptions = BOTH_ENDS
    pin: Pin | None = None
    own: tuple[OwnText, ...] = ()

    def why(self, computed: Provenance, *keys: str) -> Provenance:
        """Return the provenance of a line with some of its numbers: an override comes first."""
        return computed if self.pin is None else self.pin.why(computed, *keys)

    @property
    def detour(self) -> Detour | None:
        """Return the ASNs that it prepends to advertised paths while drained."""
        return self._detour(self.drained)

    def detour_of(self, session: Session) -> Detour | None:
        """Return the prepended ASNs for one peer, whose link may be drained alone."""
        return self._detour(session.drained or self.drained)

    def _detour(self, why: Provenance | None) -> Detour | None:
        return None if why is None else Detour(" ".join([str(self.asn)] * LONGER), why)

    @property
    def withheld(self) -> Provenance | None:
        """Return the reason why it withdraws its Ethernet segments: drained, it shut them."""
        shut = {item.lag for item in self.interfaces if item.shut}
        closed = any(lag.segment is not None and lag.number in shut for lag in self.lags)
        return self.drained if closed else None

    @property
    def bgp_sessions(self) -> tuple[Session, ...]:
        """Return the sessions that are BGP's."""
        if not self.routing.ospf:
            return self.sessions
        return tuple(each for each in self.sessions if not each.ospf)

    @property
    def adjacencies(self) -> tuple[Session, ...]:
        """Return the OSPF adjacencies with other switches of the fabric."""
        return tuple(each for each in self.sessions if each.ospf)

    @property
    def peers(self) -> tuple[ExternalPeer, ...]:
        """Return all BGP peers in VRFs: external ones, and servers."""
        return (*(peer for peer in self.external if peer.speaks), *self.speakers)

    @property
    def flooding(self) -> tuple[ExternalPeer, ...]:
        """Return the external OSPF routers."""
        return tuple(peer for peer in self.external if peer.floods)

    @property
    def router_mac(self) -> str:
        """The MAC of its bridge, which EVPN uses as its router MAC (RFC 9135 section 8.1).

        Locally administered, and unique by the address of the tunnel endpoint or the loopback.
        """
        endpoint = self.vtep or self.loopback
        return "02:fb:" + endpoint.value.to_bytes(4, "big").hex(":")

    @property
    def ptp(self) -> Ptp | None:
        """Return the PTP domain of its fabric."""
        told = self.services.ptp
        return told if told is not None and self.switch.fabric in told.fabrics else None

    @property
    def place(self) -> IntentPath:
        """Place of the fabric in the intent."""
        return self.routing.place

    @property
    def tagged(self) -> tuple[Interface, ...]:
        """Return the tagged shares of ports and port-channels, each for one VRF."""
        return tuple(each for each in self._tagged if each.tunnel is None)

    @property
    def tunnels(self) -> tuple[Interface, ...]:
        """Return the tunnels behind its ports, each for one VRF."""
        return tuple(each for each in self._tagged if each.tunnel is not None)

    @property
    def _tagged(self) -> Iterator[Interface]:
        shares = (peer.interface for peer in self.external if peer.interface.tag is not None)
        yield from dict.fromkeys(shares)

    @property
    def trusted(self) -> frozenset[Use]:
        """Uses of ports with trusted DSCPs: a bridged server's, if it has a class."""
        return _SERVED if self.qos is not None and self.qos.serves else _TRUSTED

    @property
    def marked(self) -> list[Interface]:
        """Return the interfaces with trusted DSCPs."""
        taken = self.trusted
        return [
            item
            for item in self.interfaces
            if item.use in taken or (item.use is Use.EXTERNAL and self.takes_marks(item))
        ]

    def takes_marks(self, port: Interface) -> bool:
        """Return whether DSCPs of packets on a port are trusted, also from another site.

        Not with a lossless class: its traffic does not leave the site, and the other site must not
        pause.
        """
        if port.use is not Use.EXTERNAL:
            return port.use in self.trusted
        qos = self.qos
        return between_sites(port) and qos is not None and qos.serves and not qos.lossless

    @property
    def marks(self) -> tuple[Marks, ...]:
        """Return the DSCP marks of its server ports, each once."""
        if self.qos is None or not self.qos.shared:
            return ()
        return tuple(dict.fromkeys(item.marks for item in self.interfaces if item.marks))

    @property
    def tunneled(self) -> tuple[Vrf, ...]:
        """Return the VRFs that other leafs also have, with a VNI."""
        return tuple(vrf for vrf in self.vrfs if not vrf.local)

    @property
    def relays(self) -> tuple[Relay, ...]:
        """Return the DHCP relays of its VLANs, by the number of their VRF, IPv4 first."""
        every = {relay for vlan in self.vlans for relay in vlan.relays}
        return tuple(sorted(every, key=lambda relay: (relay.number, relay.version)))


@record(kw_only=True)
class Fabric:
    """One fabric, designed: topology, addresses, routing, overlay and traffic classes.

    `balancing`: by tier; None if no two switches have more than one path between them. `qos_above`:
    the classes of spines and superspines, if leafs mark differently. `identities`: by switch, if
    given; for access to switches, and in no file. `states`: of switches that are not active, by
    name. `ratios`: bandwidth of a tier to its uplink bandwidth, if it is not `oversubscription`.
    `sides`: the same ratio for the leafs of each side, in a fabric of two sides. `managed`: the
    management ports of an access fabric. `hosts`: plans of server NICs, by the place of the servers
    in the intent and the set of their ports. `demand`: bandwidth that it must carry. `site`: its
    site.
    """

    name: str
    design: str
    topology: Topology
    addresses: Addresses
    routing: Routing
    qos: Qos | None
    overlay: Overlay | None
    services: Services
    gpus: int
    oversubscription: float
    hosts: Mapping[tuple[IntentPath, str], HostPlan] = field(default_factory=dict)
    lossless: Lossless | None = None
    balancing: Mapping[Role, LoadBalancing] | None = None
    qos_above: Qos | None = None
    ratios: Mapping[Role, float] = field(default_factory=dict)
    sides: Mapping[str, float] = field(default_factory=dict)
    managed: ManagedPorts | None = None
    identities: Mapping[str, Identity] = field(default_factory=dict)
    recovery: Resolved[Errdisable] | None = None
    descriptions: Descriptions = BOTH_ENDS
    states: Mapping[str, Standing] = field(default_factory=dict)
    own: OwnPlan = NO_OWN_LINES
    unmanaged: OwnPlan = NO_OWN_LINES
    demand: Demand | None = None
    site: str = ""

    @property
    def idle(self) -> frozenset[str]:
        """Return the switches that carry no traffic: absent or drained."""
        return frozenset(self.states)

    @property
    def absent(self) -> frozenset[str]:
        """Return the absent switches: planned or dead."""
        return frozenset(name for name, own in self.states.items() if not own.runs)

    @property
    def present(self) -> Iterator[Switch]:
        """Yield the present switches, including drained ones."""
        return (each for each in self.topology.switches if each.name not in self.absent)

    def in_state(self, name: str, state: State) -> Standing | None:
        """Return the standing of a switch if it is in that state."""
        own = self.states.get(name)
        return own if own is not None and own.state is state else None

    @property
    def place(self) -> IntentPath:
        """Place of the fabric in the intent: its own key, or one of `fabrics`."""
        return self.routing.place

    @property
    def secrets(self) -> frozenset[str]:
        """Return every reference to a secret that rendered files of its switches may hold."""
        peers = self.overlay.external.values() if self.overlay is not None else ()
        gateways = self.overlay.gateways.values() if self.overlay is not None else ()
        inside = [
            *((group, self.routing.password) for group in PEER_GROUPS),
            *((group, each.password) for each in gateways for group in each.groups),
        ]
        kept = {(group, password) for group, password in inside if password is not None} | {
            (peer.remote.host, peer.border.password)
            for each in peers
            for peer in each
            if peer.border.password is not None
        }
        spelled = {f"bgp7:{peer}@{password}" for peer, password in kept}
        own = frozenset(PLACEHOLDER.findall("\n".join(each.text for each in self.own.every())))
        return self.services.secrets | spelled | {password for _, password in kept} | own

    def plan_of(self, server: Server, network: str) -> HostPlan | None:
        """Return the plan of one set of a server's ports."""
        return self.hosts.get((server.because.main, network))

    def allowed(self, switch: Switch) -> float:
        """Return the maximum ratio of downlink to uplink bandwidth of a switch."""
        tier = self.ratios.get(switch.role, self.oversubscription)
        return self.sides.get(switch.group, tier)

    @property
    def is_pair(self) -> bool:
        """Return whether it is two leafs without spines, joined to one another."""
        return self.design == "collapsed"

    def above(self, switch: Switch, other: Switch) -> bool:
        """Return whether a switch is above another: a higher tier, or the second of a pair."""
        higher = switch.role.tier - other.role.tier
        return higher > 0 or (self.is_pair and not higher and switch.ordinal > other.ordinal)

    def qos_of(self, role: Role) -> Qos | None:
        """Return the classes of the switches of a role: they differ only in marking."""
        return self.qos if self.qos_above is None or role is Role.LEAF else self.qos_above


@record(kw_only=True)
class Site:
    """A site: its fabrics, the services they share, and its running jobs. `templates`: own ones.

    `failures`: joint failures and requirements of the intent. `floor`: racks and cabling.
    `circuits`: the lines of links between its fabrics, by name. `applications`: those with an
    address. `limits`: of measured values of its running switches, None for the usual ones.
    """

    name: str
    services: Services
    fabrics: tuple[Fabric, ...]
    templates: OwnTemplates = ()
    failures: FailureModel = NO_FAILURES
    floor: Floor = NO_FLOOR
    circuits: Mapping[str, Circuit] = field(default_factory=dict)
    applications: tuple[Application, ...] = ()
    jobs: tuple[JobPlan, ...] = ()
    limits: "WatchLimits | None" = None
