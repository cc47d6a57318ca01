"""List the facts that eos.cfg states in addition to the facts of every platform.

docs/reference/facts.md lists them. They come from the slice and from what EOS writes for each
design. This module does not use the lowering, so it finds a wrong lowering.
"""

from collections.abc import Iterator
from itertools import groupby

from fabricgen.core.tree.facts import CHOSEN, FALSE, TRUE, Attributes, Key, Value
from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.leaks import taking
from fabricgen.model.fabric.overlay import EvpnRules, Vrf
from fabricgen.model.fabric.pair import PEER_VLAN
from fabricgen.model.fabric.services import Services
from fabricgen.model.fabric.switch import Lag, Session, SwitchSlice
from fabricgen.model.fabric.topology import Switch
from fabricgen.model.fabric.vlans import Carries, Multicast, Vlan
from fabricgen.model.lossless.budget import Alpha
from fabricgen.model.lossless.terms import rounded_up
from fabricgen.model.settings.services import Sflow
from fabricgen.model.settings.setting import facts_of, placeholder
from fabricgen.nos.eos.names import LOOPBACK, MANAGEMENT, PEER_LINK, VTEP, port_name, relay_source
from fabricgen.nos.eos.releases import syslog_word
from fabricgen.nos.shared.announcing import announcement
from fabricgen.nos.spelling import Place

Said = Iterator[tuple[Key, Attributes]]

_GROUPS = {"radius": "group radius", "tacacs": "group tacacs+"}
GLOBAL = "default"
"""Name of the default VRF."""
PROFILE, MOST_CELLS = "LOSSLESS", 131_072
THRESHOLDS = frozenset(["1/128", "1/64", "1/32", "1/16", "1/8", "1/4", "1/2", "1", "2", "4", "8"])
"""Limits of the MMU in the schema of pyavd 6.4.0."""
TLS = "MANAGEMENT"
LEVELS = {"admin": "15", "operator": "1"}
"""EOS's privilege of its built-in roles with such names."""


def more(switch_slice: SwitchSlice) -> Said:
    yield ("switch",), _switch(switch_slice)
    marked = _marked(switch_slice)
    for interface in switch_slice.interfaces:
        key, taken = ("interface", port_name(switch_slice.switch.model, interface.port)), False
        if marked or interface.use is Use.EXTERNAL:
            taken = switch_slice.takes_marks(interface)
        yield key, _port(interface, taken=taken)
        yield key, _isolated(switch_slice, interface)
        if marked and taken:
            yield key, {"ecn-counted": marked}
    yield from _tracking(switch_slice)
    yield from _segments(switch_slice)
    yield from _pair(switch_slice)
    yield from _time(switch_slice)
    yield from _own_interfaces(switch_slice)
    yield from _snooped(switch_slice)
    yield from _relays(switch_slice)
    yield from _diagnostics(switch_slice)
    yield from _services(switch_slice)
    yield from _routing(switch_slice)
    yield from _memory(switch_slice)


def _switch(switch_slice: SwitchSlice) -> Attributes:
    says: Attributes = {"routes": TRUE}
    shared = (
        (PEER_VLAN, *(vrf.vlan for vrf in switch_slice.pair.vrfs))
        if switch_slice.pair is not None
        else ()
    )
    if vlans := {*(vlan.id for vlan in switch_slice.vlans), *shared}:
        says["vlans"] = tuple(sorted(map(str, vlans)))
    if switch_slice.sessions and switch_slice.routing.links != "numbered":
        says |= {"routes-ipv6": TRUE, "ipv4-over-ipv6": TRUE}
    if switch_slice.qos is not None and not switch_slice.qos.lossless:  # bridged ports trust CoS
        says["cos-class"] = str(switch_slice.qos.best_effort.number)
    return says


def _tracking(switch_slice: SwitchSlice) -> Said:
    """Yield link tracking: a leaf without uplinks shuts ports whose servers have another leaf."""
    model, items = switch_slice.switch.model, switch_slice.interfaces
    up = [
        port_name(model, item.port)
        for item in items
        if isinstance(item.peer, Switch) and item.peer.role.tier > switch_slice.switch.role.tier
    ]
    down = [port_name(model, item.port) for item in items if item.spare]
    down += [_bundle(lag) for lag in switch_slice.lags if lag.segment is not None]
    if not up or not down:
        return
    yield ("switch",), {"tracking": "UPLINKS"}
    if not any(item.spare for item in items):
        yield ("switch",), {"recovery-delay": "300"}
    for side, names in (("upstream", up), ("downstream", down)):
        for name in names:
            yield ("interface", name), {"tracked": side}


_SEGMENT = ("segment", "segment-import", "lacp-system")
"""Attributes of a port-channel that are equal on both leafs of a pair."""


def _segments(switch_slice: SwitchSlice) -> Said:
    """Yield the Ethernet segments: type 0, the pair's MAC, three octets of the LAG's number."""
    for lag in switch_slice.lags:
        if lag.segment is not None:
            mac = lag.segment.system.replace(":", "")
            own = f"00{mac}{lag.segment.number:06x}"
            identifier = ":".join(own[at : at + 4] for at in range(0, len(own), 4))
            system = f"{mac[:4]}.{mac[4:8]}.{mac[8:]}"
            says = dict(zip(_SEGMENT, (identifier, lag.segment.system, system), strict=True))
            rank = {"preference": str(lag.segment.preference)}
            yield ("interface", _bundle(lag)), {**says, **rank}


def _pair(switch_slice: SwitchSlice) -> Said:
    """Yield facts of both leafs of an MLAG pair: of their VLAN, their ports, their tunnels."""
    pair = switch_slice.pair
    if pair is None:
        return
    vlan = str(PEER_VLAN)
    yield ("switch",), {"unspanned": vlan}
    yield ("vlan", vlan), {"name": "MLAG", "group": "MLAG"}
    yield ("interface", f"Vlan{vlan}"), {"note": f"MLAG pair {pair.domain}", "follows": FALSE}
    yield ("interface", PEER_LINK), {"bridged": TRUE, "mode": "trunk", "group": "MLAG"}
    for vrf in pair.vrfs:
        yield (
            ("vlan", str(vrf.vlan)),
            {"exists": TRUE, "name": f"MLAG-{vrf.vlan}", "group": "MLAG"},
        )
        yield ("interface", f"Vlan{vrf.vlan}"), {"note": f"MLAG pair {pair.domain}"}
        if len(vrf.ends) > 1:
            yield ("interface", f"Vlan{vrf.vlan}"), {"ipv6": TRUE, "announced": FALSE}
            yield ("vrf", vrf.name), {"routes-ipv6": TRUE}
    yield ("pair",), {"wait": "300", "others-wait": "330"}
    if switch_slice.vtep is not None:
        yield ("vtep",), {"mac": "pair"}


def own(switch_slice: SwitchSlice) -> list[str]:
    """Return values of this switch alone, in addition to the values of every platform."""
    segments = [str(says[word]) for _, says in _segments(switch_slice) for word in _SEGMENT]
    return segments + [str(relay.source(switch_slice.switch)) for relay in switch_slice.relays]


def places(switch_slice: SwitchSlice) -> list[tuple[Place, ...]]:
    """Return the places of each such value."""
    relays = [((("interface", relay_source(relay)), "address"),) for relay in switch_slice.relays]
    return [*(((key, word),) for key, _ in _segments(switch_slice) for word in _SEGMENT), *relays]


def _bundle(lag: Lag) -> str:
    return f"Port-Channel{lag.number}"


def _time(switch_slice: SwitchSlice) -> Said:
    """Yield PTP: links follow the better clock, and clients follow their leaf."""
    told = switch_slice.ptp
    if told is None:
        return
    far = {"superspine": "200", "spine": "210", "leaf": "220"}[switch_slice.switch.role.value]
    domain = {"domain": str(told.domain)} if told.domain else {}
    yield ("time",), {"mode": "boundary", "priority": far, **domain}
    for item in switch_slice.interfaces:
        if item.time:
            role = {"time-role": "master"} if item.time == "client" else {}
            name = port_name(switch_slice.switch.model, item.port)
            yield ("interface", name), {"timed": TRUE, **role}


def _marked(switch_slice: SwitchSlice) -> tuple[str, ...]:
    """Return the queues that mark. Each port with trusted marks counts them."""
    classes = switch_slice.qos.classes if switch_slice.qos is not None else ()
    return tuple(str(item.number) for item in classes if item.marking)


def _port(interface: Interface, *, taken: bool) -> Attributes:
    port, says = interface.port, dict[str, "str | tuple[str, ...]"]()
    if interface.use is not Use.UNUSED or port.subs > 1:
        says["lanes"] = str(port.lanes)
    if interface.use is Use.EXTERNAL and interface.lag is None and not taken:
        says["trust"] = "none"
    if interface.rate is not None:
        says["kbps"] = str(interface.rate // 1000)
    bridged = interface.use is Use.EDGE or interface.carries is not None
    if bridged and interface.lag is None:
        says |= _bridged(interface.carries)
    elif bridged and interface.fallback is not None:
        says |= _bridged(interface.carries)
        says |= _vlans_of(interface.carries)
    return says


def _isolated(switch_slice: SwitchSlice, interface: Interface) -> Attributes:
    """Return the lists of a port in an isolated VLAN, which also filter packets inside it."""
    carries = interface.carries
    vlan = carries.untagged if carries is not None else None
    for guard in switch_slice.guards if vlan is not None else ():
        if guard.isolated and vlan is not None and guard.vlan == vlan.id:
            return {"guarded": tuple(sorted(each.name for each in guard.lists))}
    return {}


def _vlans_of(carries: Carries | None) -> Attributes:
    """Return the VLANs of a LAG member, for the time when it is no member."""
    if carries is None:
        return {}
    every = tuple(sorted(str(vlan.id) for vlan in carries.vlans))
    untagged = {"untagged": str(carries.untagged.id)} if carries.untagged is not None else {}
    return {"vlans": every, **untagged}


def _bridged(carries: Carries | None) -> Attributes:
    access = carries is not None and carries.untagged is not None and not carries.tagged
    says: Attributes = {"bridged": TRUE, "mode": "access" if access else "trunk"}
    return {**says, "carries": "nothing"} if carries is None else says


def _trusting(switch_slice: SwitchSlice, lag: Lag) -> Attributes:
    """Return the trust of a LAG: to a server, outside, or to another site."""
    if lag.server is not None:
        return _bridged(lag.carries)
    return {} if switch_slice.takes_marks(lag.members[0]) else {"trust": "none"}


def _own_interfaces(switch_slice: SwitchSlice) -> Said:
    yield ("interface", LOOPBACK), {"note": "router ID"}
    if switch_slice.vtep is not None:
        yield ("interface", VTEP), {"note": "VXLAN tunnel endpoint"}
        if switch_slice.qos is not None and switch_slice.qos.serves:
            ecn: Attributes = {"ecn": "copied"} if switch_slice.qos.marked else {}
            yield ("vtep",), {"dscp": "copied", "class": "outer", **ecn}
    for lag in switch_slice.lags:
        yield ("interface", _bundle(lag)), _trusting(switch_slice, lag)
        if waits := lag.settings.lacp_fallback:
            yield ("interface", _bundle(lag)), {"fallback": "individual", **facts_of(waits)}
    for vlan in switch_slice.vlans:
        if vlan.gateways:
            version = {"ipv6": TRUE, **_announced(vlan)} if vlan.gateway(6) else {}
            yield ("interface", f"Vlan{vlan.id}"), {"note": vlan.text, **version, **_asks(vlan)}
            if version and vlan.vrf is not None:
                yield ("vrf", vlan.vrf), {"routes-ipv6": TRUE}
    for vrf in switch_slice.vrfs:
        if vrf.description:
            yield ("vrf", vrf.name), {"note": vrf.description}


def _snooped(switch_slice: SwitchSlice) -> Said:
    """Yield IGMP snooping of VLANs: the querier, and the exchange of groups between leafs."""
    for vlan in switch_slice.vlans:
        gateway = vlan.gateway(4)
        if vlan.multicast is Multicast.SNOOPED and gateway is not None:
            told = {"joins": "told"} if switch_slice.vtep is not None else {}
            yield ("vlan", str(vlan.id)), {"asks": TRUE, "asks-from": gateway.host, **told}


def _relays(switch_slice: SwitchSlice) -> Said:
    for _, relays in groupby(switch_slice.relays, key=relay_source):
        every = tuple(relays)
        own: Attributes = {"relays": every[0].vrf, "vrf": every[0].vrf}
        own["address"] = tuple(sorted(str(each.source(switch_slice.switch)) for each in every))
        yield ("interface", relay_source(every[0])), own
        if every[0].version == 4:
            yield ("relay",), {"told": TRUE}


def _diagnostics(switch_slice: SwitchSlice) -> Said:
    """Yield the source of probes. The loopback of a VRF has its id plus 1000."""
    for vrf in switch_slice.vrfs:
        if vrf.diagnostics is not None:
            yield ("interface", f"Loopback{1000 + vrf.id}"), {"probes": vrf.name}
            yield (
                ("vrf", vrf.name),
                {"source-nat": vrf.diagnostics.address(switch_slice.switch).host},
            )


def _announced(vlan: Vlan) -> Attributes:
    """Return the router advertisement, because EOS advertises each router by default."""
    return announcement(vlan) or {"announced": FALSE}


def _asks(vlan: Vlan) -> Attributes:
    """Return the relay targets of a gateway, and its source."""
    if not vlan.relays:
        return {}
    servers = tuple(sorted(server for relay in vlan.relays for server in relay.servers))
    asks: Attributes = {"relayed": servers, "asks-from": relay_source(vlan.relays[0])}
    if vlan.relays[-1].version == 6:
        asks["asks-for"] = vlan.subnet6.host
    return asks


def _services(switch_slice: SwitchSlice) -> Said:
    services = switch_slice.services
    used = {
        "lldp": True,
        "syslog": services.syslog,
        "dns": services.dns,
        "ntp": services.ntp,
        "snmp": services.snmp,
        "sflow": services.sflow,
        **dict.fromkeys(services.login.keys() & _GROUPS.keys(), True),
    }
    for service in (name for name, on in used.items() if on):
        yield ("source", service), {"port": MANAGEMENT, "vrf": services.vrf}
    if services.syslog:
        yield ("source", "syslog"), {"word": syslog_word(switch_slice.switch.release)}
    yield from _tls(services)
    yield from _login(services)
    yield from _watched(services)
    for user in services.users:
        yield ("user", user.name), {"level": LEVELS[user.role]}
    if services.gnmi is not None:
        gnmi: Attributes = {"transport": services.vrf, "provider": "eos-native"}
        listed = "GNMI-COLLECTORS" if services.collectors else "MANAGEMENT"
        restricted = services.collectors or services.admitted
        yield ("gnmi",), {**gnmi, "listed": listed} if restricted else gnmi
    for server in ("netconf", "restconf"):
        if getattr(services, server) is not None:
            limits: Attributes = {"listed": "MANAGEMENT"} if services.admitted else {}
            yield (server,), {"transport": services.vrf, **limits}
    if services.admitted:
        for door in ("api", "ssh"):
            yield (door, services.vrf), {"restricted": TRUE}
        if services.snmp:
            yield ("snmp",), {"restricted": services.vrf}


def _dropped(told: Sflow) -> Said:
    """Yield the report of dropped packets, which goes to the collectors of sFlow."""
    if told.drops is not None:
        where: Attributes = {"format": "sflow", "collector": "sflow", "source": MANAGEMENT}
        yield ("drops",), {**where, "limit": str(told.drops), "runs": TRUE}


def _watched(services: Services) -> Said:
    """Yield SNMP with encryption and all objects, and the targets of samples and streams."""
    snmp = services.snmp
    if snmp is not None and snmp.users:
        yield ("snmp",), {"reads": "iso", "level": "priv"}
    if snmp is not None and snmp.traps is not None:
        yield ("snmp",), {"traps": TRUE}
    if services.sflow is not None:
        counted = {"rate": str(services.sflow.rate), "counters": "20"}
        yield ("sampling",), {**counted, "runs": TRUE}
        yield from _dropped(services.sflow)
    to = services.cloudvision
    if to is not None:
        hosts = [f"[{host}]" if ":" in host else host for host in to.servers]
        servers = ",".join(f"{host}:{to.port}" for host in hosts)
        options = (
            f"-cvaddr={servers} -cvauth=token,/tmp/token -cvvrf={services.vrf} "
            "-smashexcludes=ale,flexCounter,hardware,kni,pulse,strata "
            "-ingestexclude=/Sysdb/cell/1/agent,/Sysdb/cell/2/agent "
            f"-taillogs -cvsourceintf={MANAGEMENT}"
        )
        yield ("streaming",), {"options": options, "runs": TRUE}


def _login(services: Services) -> Said:
    """Yield servers in order, then local accounts, for authentication and authorization."""
    login = {name: each for name, each in services.login.items() if name in _GROUPS}
    methods = " ".join((*(_GROUPS[each] for each in login), "local"))
    asked: Attributes = {"login": methods, "console": "local"} if login else {}
    yield ("switch",), {"exec": methods, **asked}
    for protocol, servers in login.items():
        for host in servers.servers:
            yield ("login", protocol, host), {"key": placeholder(f"type7:{servers.key}")}


def _tls(services: Services) -> Said:
    """Yield HTTPS alone, with the certificate of the intent or of the switch."""
    yield ("tls",), {"secure": TRUE}
    tls = services.tls
    if tls is not None:
        yield ("tls",), {"profile": TLS, "api": TLS, **facts_of(tls)}
        if services.gnmi is not None:
            yield ("tls",), {"gnmi": TLS}
        if services.restconf is not None:
            yield ("tls",), {"restconf": TLS}


def _routing(switch_slice: SwitchSlice) -> Said:
    if not switch_slice.sessions:
        return
    yield ("bgp", GLOBAL), {"ecmp": str(switch_slice.routing.ecmp)}
    for vrf in switch_slice.tunneled if switch_slice.vtep is not None else ():
        yield ("vrf", vrf.name), {"wait-install": TRUE}
        if any(route.vrf == vrf.name for route in switch_slice.routes):
            yield ("vrf", vrf.name), {"statics": TRUE}
        if vrf.takes and switch_slice.overlay is not None:
            yield ("vrf", vrf.name), _leaks(vrf, switch_slice.overlay)
    yield from _evpn_bfd(switch_slice)
    if switch_slice.adjacencies:
        paths = str(min(switch_slice.routing.ecmp, 128))
        yield ("ospf", GLOBAL), {"number": CHOSEN, "most": "12000", "paths": paths}
    for peer in switch_slice.flooding:
        yield ("ospf", peer.vrf), {"number": CHOSEN, "most": "12000"}
    for peer in switch_slice.external:
        if peer.speaks:
            yield ("session", peer.vrf, peer.remote.host), {"outside": peer.name}
        if peer.version == 6:
            yield ("vrf", peer.vrf), {"routes-ipv6": TRUE}


def _leaks(vrf: Vrf, rules: EvpnRules) -> Attributes:
    """Return the import targets of a VRF: listed routes of its sources, and all its own routes."""
    four, six = (
        [
            (rules.known(each), (("prefixes", each.listed(version)),))
            for each in taking(vrf.takes, version)
        ]
        for version in (4, 6)
    )
    return {
        "import": tuple(sorted({target for each in vrf.takes for target in rules.given(each)})),
        "taken": tuple(
            tuple(sorted((("action", "permit"), ("targets", _listed(targets)), *more)))
            for targets, more in (*four, (rules.known(vrf), ()), *six)
        ),
    }


def _listed(targets: tuple[str, ...]) -> Value:
    return ((("permit", targets),),)


def watched_in_evpn(switch_slice: SwitchSlice) -> Iterator[Session]:
    """Yield the EVPN sessions with BFD, only if all switches of both tiers run EOS."""
    if switch_slice.routing.bfd is None:
        return
    evpn = [session for session in switch_slice.sessions if session.overlay]
    for side in {session.up for session in evpn}:
        peers = [session for session in evpn if session.up is side]
        if all(peer.one_platform for peer in peers):
            yield from peers


def _evpn_bfd(switch_slice: SwitchSlice) -> Said:
    """Yield BFD of EVPN sessions."""
    bfd = switch_slice.routing.bfd
    for session in watched_in_evpn(switch_slice):
        assert bfd is not None
        assert session.remote is not None
        yield ("bfd",), {"loopbacks": f"{bfd.interval}/{bfd.interval}x{bfd.multiplier}"}
        yield ("session", GLOBAL, session.remote.host), {"bfd": TRUE}


def _memory(switch_slice: SwitchSlice) -> Said:
    """Yield threshold, headroom and pool in cells, if the model is known to support them."""
    plan = switch_slice.buffers
    told = switch_slice.switch.model.platforms.get("eos", {}).get("memory")
    if (
        plan is None
        or plan.cell is None
        or not told
        or switch_slice.qos is None
        or not switch_slice.qos.lossless
    ):
        return
    headroom = max(rounded_up(port.headroom, plan.cell) for port, _ in plan.ports) * plan.classes
    pool = rounded_up(plan.headroom, plan.cell) // plan.cell
    threshold = str(Alpha(plan.alpha))
    if threshold not in THRESHOLDS or pool > MOST_CELLS:
        return
    yield (
        ("memory",),
        {
            "profile": PROFILE,
            "applied": PROFILE,
            "threshold": threshold,
            "headroom": str(headroom // plan.cell),
            "pool": str(pool),
        },
    )
