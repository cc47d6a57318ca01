"""List the features that a slice needs and compare them with the capabilities of a platform."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from importlib.resources import files
from typing import Any, ClassVar

import yaml

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.record import record
from fabricgen.model.fabric.balancing import FIVE_TUPLE, Field, Mode
from fabricgen.model.fabric.external import USUAL, ExternalPeer
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.services import Services
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.topology import Nic, Server
from fabricgen.model.settings.ports import PortSet
from fabricgen.model.settings.services import protocols
from fabricgen.model.settings.setting import Resolved, declared


class Feature(StrEnum):
    """Features that every platform must support or refuse with a sentence."""

    NUMBERED = "underlay-numbered"
    NUMBERED_V6 = "underlay-numbered-v6"
    UNNUMBERED = "underlay-unnumbered"
    BFD = "bfd"
    PASSWORD = "underlay-password"  # noqa: S105 - a word of the intent
    BREAKOUT = "breakout"
    RAIL_SUBNET = "rail-subnet-gateway"
    RAIL_VRF = "rail-vrf"
    EVPN_L2 = "evpn-l2vni"
    BUNDLES = "vlan-aware-bundles"
    EVPN_L3 = "evpn-l3vni"
    ANYCAST_GATEWAY = "anycast-gateway"
    EXTERNAL = "external-peers"
    RELAY = "dhcp-relay"
    RELAY_V6 = "dhcpv6-relay"
    DIAGNOSTICS = "diagnostic-addresses"
    ANNOUNCE_SLAAC = "announce-slaac"
    ANNOUNCE_DHCP = "announce-dhcp"
    SNOOPED = "multicast-snooped"
    ROUTED_MULTICAST = "multicast-routed"
    ROUTED_PORT = "routed-server-port"
    HOST_BGP = "bgp-to-servers"
    EXTERNAL_V6 = "external-peers-v6"
    OSPF_INSIDE = "underlay-ospf"
    OSPF = "ospf-outside"
    TAGGED = "tagged-links"
    TUNNELS = "tunnels-between-sites"
    SHAPED = "shaped-ports"
    BORDER = "border-policy"
    ZONES = "zones"
    ISOLATED_PORTS = "isolated-ports"
    STATIC = "static-routes"
    LEAKS = "route-leaks"
    GATEWAYS = "evpn-gateways"
    LAG = "lacp-lag"
    FALLBACK = "lacp-fallback"
    LACP_RATE = "lacp-rate"
    DCBX = "dcbx"
    PORTFAST = "portfast"
    BPDU_GUARD = "bpdu-guard"
    STORM_CONTROL = "storm-control"
    RECOVERY = "errdisable-recovery"
    MULTIHOMING = "evpn-multihoming"
    MLAG = "mlag"
    HASH_FIELDS = "hash-fields"
    QUEUE_PAIR_HASH = "queue-pair-hash"
    HASH_SEED = "hash-seed"
    FLOWLET = "flowlet"
    SPRAY = "packet-spray"
    CLUSTER = "cluster-load-balancing"
    DSCP_MAP = "dscp-to-queue"
    SCHEDULER = "scheduler"
    PFC = "pfc"
    ECN = "ecn"
    WATCHDOG = "pfc-watchdog"
    TRIMMING = "packet-trimming"
    TUNNELED = "tunneled-class"
    MARKS = "class-marks"
    MANAGEMENT_VRF = "management-vrf"
    NTP = "ntp"
    SYSLOG = "syslog"
    DNS = "dns"
    DOMAIN = "dns-domain"
    SNMP = "snmp"
    SNMP_USERS = "snmp-users"
    TRAPS = "snmp-traps"
    SFLOW = "sflow"
    DROPS = "drop-monitor"
    QUEUE_MONITOR = "queue-monitor"
    CLOUDVISION = "cloudvision"
    PTP = "ptp"
    GNMI = "gnmi"
    COLLECTORS = "gnmi-collectors"
    NETCONF = "netconf"
    RESTCONF = "restconf"
    TLS = "tls"
    TACACS = "tacacs"
    RADIUS = "radius"
    LDAP = "ldap"
    ADMITTED = "management-access"
    USERS = "local-users"
    BANNER = "banner"
    DRAIN = "drain"
    DRAINED_LINK = "drained-link"
    DRAINED_UNNUMBERED = "drained-unnumbered-link"


@record(kw_only=True)
class Supported:
    """The platform supports the feature; `how` names the configuration for it.

    Attributes:
        section: The line of a file and the sections above it. `…` is any text. As
            `eos.cfg: router bgp … > neighbor … bfd`, or `config_db.json: TABLE > key > field`.
        but: One sentence if the support is partial, or if no document confirms that the line is
            enough.
        usual: The platform's default value, for which no line is written.
    """

    how: str
    section: str
    but: str = ""
    usual: str = ""

    @property
    def word(self) -> str:
        """Return the text of a table cell."""
        return "part" if self.but else "yes"

    @property
    def lack(self) -> str:
        """The missing part; empty if nothing is missing."""
        return self.but


@record()
class Unsupported:
    """The platform does not support the feature; `why` is one sentence for the user."""

    why: str
    word: ClassVar[str] = "no"

    @property
    def lack(self) -> str:
        """The missing part."""
        return self.why


Capabilities = Mapping[Feature, Supported | Unsupported]

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def answers(room: str) -> Capabilities:
    """Return the answers in capabilities.yaml of a platform's package."""
    text = (files(room) / "capabilities.yaml").read_text(encoding="utf-8")
    told = yaml.load(text, Loader=_LOADER)  # noqa: S506 - SafeLoader
    return {
        Feature(name): Unsupported(**answer) if "why" in answer else Supported(**answer)
        for name, answer in told.items()
    }


_LINKS = {
    "numbered": Feature.NUMBERED,
    "numbered-v6": Feature.NUMBERED_V6,
    "unnumbered": Feature.UNNUMBERED,
}
_MODES = {Mode.FLOWLET: Feature.FLOWLET, Mode.SPRAY: Feature.SPRAY, Mode.CLUSTER: Feature.CLUSTER}


def needs(switch_slice: SwitchSlice) -> dict[Feature, IntentPath]:
    """Return the features that a slice needs, each with the intent path that needs it."""
    switch, services, routing = switch_slice.switch, switch_slice.services, switch_slice.routing
    wanted: dict[Feature, IntentPath] = {Feature.MANAGEMENT_VRF: (*services.path, "vrf")}
    if switch_slice.sessions:
        if routing.ospf:
            wanted[Feature.OSPF_INSIDE] = (*routing.path, "protocol")
        else:
            wanted[_LINKS[routing.links]] = (*routing.path, "links")
        if routing.bfd and not routing.ospf:
            wanted[Feature.BFD] = (*routing.path, "bfd")
        if routing.password:
            wanted[Feature.PASSWORD] = (*routing.path, "password")
    if any(i.port.subs > 1 for i in switch_slice.interfaces):
        wanted[Feature.BREAKOUT] = switch.because.main
    if any(i.use is Use.NIC and i.carries for i in switch_slice.interfaces):
        wanted[Feature.RAIL_SUBNET] = (*switch_slice.place, "nic_addressing", "mode")
    wanted.update(_exchange_needs(switch_slice))
    wanted.update(_bundle_needs(switch_slice))
    wanted.update(_profile_needs(switch_slice))
    wanted.update(_balancing_needs(switch_slice))
    wanted.update(_overlay_needs(switch_slice))
    if switch_slice.routes:
        wanted[Feature.STATIC] = switch_slice.routes[0].because.main
    wanted.update(_qos_needs(switch_slice))
    wanted.update(_service_needs(services))
    wanted.update(_drain_needs(switch_slice))
    if switch_slice.ptp is not None:
        wanted[Feature.PTP] = (*services.path, "ptp")
    return wanted


def _drain_needs(switch_slice: SwitchSlice) -> dict[Feature, IntentPath]:
    wanted: dict[Feature, IntentPath] = {}
    if switch_slice.drained is not None and switch_slice.drained.paths:
        wanted[Feature.DRAIN] = switch_slice.drained.main
    for session in switch_slice.sessions:
        if session.drained is not None:
            bare = session.remote is None
            link = Feature.DRAINED_UNNUMBERED if bare else Feature.DRAINED_LINK
            wanted[link] = session.drained.main
    return wanted


def _exchange_needs(switch_slice: SwitchSlice) -> dict[Feature, IntentPath]:
    """Return the need of DCBX at ports of servers outside of LAGs."""
    told = (item for item in switch_slice.interfaces if item.settings.dcbx and item.lag is None)
    first = next(told, None)
    if first is None or not isinstance(first.peer, Server) or not isinstance(first.peer_port, Nic):
        return {}
    return {Feature.DCBX: ("servers", first.peer.kind, "ports", first.peer_port.network, "dcbx")}


def _bundle_needs(switch_slice: SwitchSlice) -> dict[Feature, IntentPath]:
    wanted: dict[Feature, IntentPath] = {}
    for lag in switch_slice.lags[:1]:
        inside = lag.server is not None
        wanted[Feature.LAG] = (*switch_slice.place, "leaf_groups") if inside else lag.because.main
    for lag in switch_slice.lags:
        nic = lag.members[0].peer_port
        if isinstance(nic, Nic) and lag.server is not None:
            set_of = (*lag.server.because.main, "ports", nic.network)
            chosen = (each for each in declared(PortSet) if each.value(nic.settings))
            wanted |= {Feature(each.setting.feature): (*set_of, each.key) for each in chosen}
        if lag.segment is not None:
            wanted[Feature.MULTIHOMING] = (*lag.segment.because.main, "leafs")
    if switch_slice.pair is not None:
        wanted[Feature.MLAG] = (*switch_slice.pair.because.main, "kind")
    return wanted


def _service_needs(services: Services) -> dict[Feature, IntentPath]:
    snmp, login = services.snmp, services.login
    wanted: tuple[tuple[Feature, object, IntentPath], ...] = (
        (Feature.SNMP, snmp and snmp.community, ("snmp",)),
        (Feature.SNMP_USERS, snmp and snmp.users, ("snmp", "users")),
        (Feature.TRAPS, snmp and snmp.traps, ("snmp", "traps")),
        (Feature.COLLECTORS, services.collectors, ("gnmi", "collectors")),
        (Feature.DROPS, services.sflow and services.sflow.drops, ("sflow", "drops")),
        *((Feature(each), each in login, ("aaa",)) for each in protocols()),
        (Feature.ADMITTED, services.admitted, ("admitted",)),
    )
    asked_for = {feature: services.at(*keys) for feature, value, keys in wanted if value}
    return asked_for | settings_needs(services.carried)


def _profile_needs(switch_slice: SwitchSlice) -> dict[Feature, IntentPath]:
    """Return the features that port settings need. Defaults need none."""
    wanted: dict[Feature, IntentPath] = {}
    profiles = (
        item.carries.profile for item in switch_slice.interfaces if item.carries is not None
    )
    every: list[Resolved[Any] | None] = [*profiles, switch_slice.recovery]
    for settings in dict.fromkeys(every):
        wanted |= settings_needs(settings) if settings is not None else {}
    return wanted


def settings_needs(settings: Resolved[Any]) -> dict[Feature, IntentPath]:
    """Return the features that a settings record needs because the intent set its values."""
    chosen = (
        (each, settings.chosen[each.key])
        for each in reversed(declared(type(settings.values)))  # of a feature the first is cited
        if each.key in settings.chosen and each.setting.feature and each.value(settings.values)
    )
    return {Feature(each.setting.feature): because.main for each, because in chosen}


def _balancing_needs(switch_slice: SwitchSlice) -> dict[Feature, IntentPath]:
    """Return the required features. Preferred features are for each platform to report."""
    spread = switch_slice.balancing
    if spread is None:
        return {}
    here = spread.because.main
    wanted = {_MODES[spread.mode]: (*here, "mode")} if spread.mode in _MODES else {}
    if set(spread.fields) - {Field.QUEUE_PAIR} != set(FIVE_TUPLE):
        wanted[Feature.HASH_FIELDS] = (*here, "hash")
    if Field.QUEUE_PAIR in spread.fields:
        wanted[Feature.QUEUE_PAIR_HASH] = (*here, "hash")
    if spread.seeded:
        wanted[Feature.HASH_SEED] = (*here, "seeds", switch_slice.switch.role.value)
    return wanted


def _evpn_needs(switch_slice: SwitchSlice) -> dict[Feature, IntentPath]:
    wanted: dict[Feature, IntentPath] = {}
    if switch_slice.overlay is not None and switch_slice.vlans:
        wanted[Feature.EVPN_L2] = switch_slice.overlay.asked
    if any(vlan.bundle is not None for vlan in switch_slice.vlans):
        wanted[Feature.BUNDLES] = (*switch_slice.place, "overlay", "service")
    if switch_slice.overlay is not None and switch_slice.tunneled:
        wanted[Feature.EVPN_L3] = switch_slice.overlay.asked
        if switch_slice.overlay.anycast_mac is not None and any(
            vlan.gateways for vlan in switch_slice.vlans
        ):
            wanted[Feature.ANYCAST_GATEWAY] = switch_slice.overlay.asked
    return wanted


def _overlay_needs(switch_slice: SwitchSlice) -> dict[Feature, IntentPath]:
    wanted = _evpn_needs(switch_slice)
    for taken in (taken for vrf in switch_slice.tunneled for taken in vrf.takes):
        wanted.setdefault(Feature.LEAKS, taken.because.main)
    wanted.update(_address_needs(switch_slice))
    wanted.update(_border_needs(switch_slice))
    if switch_slice.tunnels:
        wanted[Feature.TUNNELS] = switch_slice.tunnels[0].because.main[:2]
    routed = next(
        (i for i in switch_slice.interfaces if i.use is Use.NIC and i.vrf is not None), None
    )
    if routed is not None:
        feature = Feature.RAIL_VRF if switch_slice.switch.rails else Feature.ROUTED_PORT
        wanted[feature] = routed.because.main
    if switch_slice.speakers:
        wanted[Feature.HOST_BGP] = switch_slice.speakers[0].because.main
    zoned = next((guard for guard in switch_slice.guards if guard.zone), None)
    if zoned is not None:
        wanted[Feature.ZONES] = zoned.lists[0].because.main
    isolated = next((guard for guard in switch_slice.guards if guard.isolated), None)
    if isolated is not None:
        wanted[Feature.ISOLATED_PORTS] = (*isolated.lists[-1].because.main, "isolated")
    return wanted


def _address_needs(switch_slice: SwitchSlice) -> dict[Feature, IntentPath]:
    """Return the features that VLANs need: self-assigned addresses and multicast groups."""
    wanted: dict[Feature, IntentPath] = {}
    for relay in switch_slice.relays:
        wanted[Feature.RELAY if relay.version == 4 else Feature.RELAY_V6] = relay.because.main
    for vrf in switch_slice.vrfs:
        if vrf.diagnostics is not None:
            wanted.setdefault(Feature.DIAGNOSTICS, vrf.diagnostics.because.main)
    for vlan in switch_slice.vlans:
        if vlan.announce is not None:
            asked = Feature(f"announce-{vlan.announce}")
            wanted.setdefault(asked, (*vlan.because.main, "announce"))
        if vlan.multicast is not None:
            asked = Feature(f"multicast-{vlan.multicast}")
            wanted.setdefault(asked, (*vlan.because.main, "multicast"))
    return wanted


def _border_needs(switch_slice: SwitchSlice) -> dict[Feature, IntentPath]:
    """Return the features of external connections: to external routers and to another site."""
    gateway = switch_slice.gateway
    asked: tuple[tuple[Feature, Callable[[ExternalPeer], bool]], ...] = (
        (Feature.EXTERNAL, lambda peer: peer.speaks),
        (Feature.EXTERNAL_V6, lambda peer: peer.speaks and peer.version == 6),
        (Feature.OSPF, lambda peer: peer.floods),
        (Feature.TAGGED, lambda peer: peer.interface in switch_slice.tagged),
        (Feature.BORDER, lambda peer: peer.speaks and peer.border != USUAL),
    )
    wanted = {
        feature: peer.because.main
        for feature, does in asked
        for peer in reversed(switch_slice.external)
        if does(peer)
    }
    held = [each.because.main for each in switch_slice.interfaces if each.rate is not None]
    wanted |= {Feature.SHAPED: held[0]} if held else {}
    return wanted | ({Feature.GATEWAYS: gateway.because.main} if gateway is not None else {})


def _qos_needs(switch_slice: SwitchSlice) -> dict[Feature, IntentPath]:
    qos = switch_slice.qos
    if qos is None:
        return {}
    here = qos.because.main
    wanted = {Feature.DSCP_MAP: here, Feature.SCHEDULER: here}
    if qos.lossless:
        wanted[Feature.PFC] = (*here, "pfc")
    if qos.marked:
        first = next(item for item in qos.classes if item.marking)
        wanted[Feature.ECN] = (*(first.because.main if first.because else here), "ecn")
    if qos.trimmed is not None:
        wanted[Feature.TRIMMING] = (*here, "trimming")
    if qos.watchdog is not None:
        wanted[Feature.WATCHDOG] = qos.watchdog.because.main
    if (
        qos.serves
        and switch_slice.vtep is not None
        and (switch_slice.vlans or switch_slice.tunneled)
    ):
        wanted[Feature.TUNNELED] = qos.asked
    if switch_slice.marks:
        named = (mark.because.main for marks in switch_slice.marks for mark in marks if mark.number)
        wanted[Feature.MARKS] = next(named, qos.asked)
    return wanted
