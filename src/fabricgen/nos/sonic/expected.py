"""List the facts that SONiC's files state in addition to the facts of every platform."""

from collections.abc import Iterator

from fabricgen.core.tree.facts import NAME, TRUE, Attributes, Key
from fabricgen.model.catalog.cages import Mode
from fabricgen.model.catalog.skus import Sku
from fabricgen.model.fabric.fec import reed_solomon
from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.qos import Qos
from fabricgen.model.fabric.services import Services
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.topology import Nic, Port, Server, Switch
from fabricgen.model.settings.services import LdapServers
from fabricgen.model.settings.setting import facts_of, placeholder
from fabricgen.nos.registry import nos_of
from fabricgen.nos.shared.description import bundle_text, outside
from fabricgen.nos.shared.frr.expected import UNSAID, frr_facts, timers
from fabricgen.nos.sonic.driver.onswitch.tables import COUNTERS, MARKS
from fabricgen.nos.sonic.expected_access import own_sources, permitted
from fabricgen.nos.sonic.expected_pairs import (
    gateway_facts,
    own_values,
    pair_facts,
    segment_facts,
)
from fabricgen.nos.sonic.expected_zones import acl_tables
from fabricgen.nos.sonic.facts import sku_of, sonic_facts
from fabricgen.nos.sonic.frr_names import frr_names
from fabricgen.nos.sonic.names import (
    MANAGEMENT_PORT,
    MANAGEMENT_VRF,
    ROLES,
    PortNames,
    bundle_name,
    diagnostic_source,
    layout,
    port_names,
    share_name,
)
from fabricgen.nos.sonic.releases import release_of
from fabricgen.nos.spelling import Names, Place

Fact = tuple["Key", "Attributes"]


def more(switch_slice: SwitchSlice) -> Iterator[Fact]:
    """Yield the facts of config_db.json and frr.conf that no other platform has."""
    yield from frr_facts(
        switch_slice, frr_names(switch_slice.switch.model, switch_slice.switch.release)
    )
    yield from _system(switch_slice)
    yield from _services(switch_slice)
    sku = sku_of(switch_slice)
    for interface, names in zip(
        switch_slice.interfaces,
        layout(switch_slice.switch.model, switch_slice.switch.ports),
        strict=True,
    ):
        yield from _port(interface, names)
        if names.name == names.cage and interface.port.subs > 1 and sku.splits:
            yield ("cage", names.cage), {"mode": _mode(sku, interface.port)}
    for lag in switch_slice.lags:
        name = bundle_name(lag.number)
        text = bundle_text(switch_slice, lag, name) or lag.far
        yield ("interface", name), {"description": text, "min-links": "1", "lacp-key": "auto"}
    for item in switch_slice.tagged:
        assert item.tag is not None
        parent = port_names(switch_slice.switch.model, item.port).name
        if item.lag is not None:
            parent = f"PortChannel{item.lag}"
        if len(f"{parent}.{item.tag}") > 15:
            yield ("interface", share_name(parent, item.tag)), {"tag": str(item.tag)}
    yield from _vlans(switch_slice)
    yield from pair_facts(switch_slice)
    yield from segment_facts(switch_slice)
    yield from gateway_facts(switch_slice)
    every = layout(switch_slice.switch.model, switch_slice.switch.ports)
    yield from acl_tables(switch_slice, [port.name for port in every])
    if switch_slice.qos is not None:
        yield from _qos(switch_slice, switch_slice.qos)


def _mode(sku: Sku, port: Port) -> str:
    """Return a split as the catalog has the modes of the hwsku, else in the plain form."""
    plain = f"{port.subs}x{port.speed}"
    return sku.spelled(Mode(count=port.subs, speed=port.speed, lanes=port.lanes)) or plain


def _system(switch_slice: SwitchSlice) -> Iterator[Fact]:
    facts = sonic_facts(switch_slice.switch.model)
    own: Attributes = {
        "hwsku": sku_of(switch_slice).name,
        "platform": facts.platform,
        "type": ROLES[switch_slice.switch.role],
        "asn": str(switch_slice.asn),
        "buffer-model": "dynamic" if facts.dynamic else "traditional",
        "routing-mode": "split-unified",
        "frr-framework": "true" if switch_slice.sessions and switch_slice.routing.bfd else "false",
        "default-watchdog": "disable",
        "synchronous": "enable",
    }
    if switch_slice.services.banner is not None:
        own["banner-shown"] = TRUE
    yield ("switch",), own
    port: Attributes = {
        "alias": MANAGEMENT_PORT,
        "up": TRUE,
        "gateway": switch_slice.services.gateway,
    }
    yield ("interface", MANAGEMENT_PORT), port
    marks = (
        switch_slice.qos is not None
        and switch_slice.qos.marked
        and release_of(switch_slice.switch.release).marks
    )
    for name in (*COUNTERS, MARKS) if marks else COUNTERS:
        yield ("counter", name), {"on": TRUE}


def _services(switch_slice: SwitchSlice) -> Iterator[Fact]:
    services = switch_slice.services
    if services.ntp:
        clock: Attributes = {"admin-state": "enabled", "source": MANAGEMENT_PORT}
        yield (
            ("clock",),
            clock | {"vrf": MANAGEMENT_VRF, "dhcp": "disabled", "server-role": "disabled"},
        )
    if services.gnmi is not None and release_of(switch_slice.switch.release).gnmi_vrf:
        yield ("gnmi",), {"vrf": MANAGEMENT_VRF}
    if services.snmp:
        where: Attributes = {"address": switch_slice.management.host, "port": "161"}
        yield ("snmp",), {**where, **({"type": "RO"} if services.snmp.community else {})}
    yield from _sampled(switch_slice)
    yield from _login(services)
    if services.admitted:
        yield from permitted(switch_slice)


def _sampled(switch_slice: SwitchSlice) -> Iterator[Fact]:
    """Yield the sampling of every port in use."""
    wanted = switch_slice.services.sflow
    if wanted is None:
        return
    yield ("sampling",), {"state": "up", "counters": "20", "source": MANAGEMENT_PORT}
    for host in wanted.collectors:
        yield ("sflow", host), {"address": host}
    names = layout(switch_slice.switch.model, switch_slice.switch.ports)
    for item, port in zip(switch_slice.interfaces, names, strict=True):
        if item.use is not Use.UNUSED:
            yield ("sampled", port.name), {"state": "up", "rate": str(wanted.rate)}


def _login(services: Services) -> Iterator[Fact]:
    """Yield the login servers, the first with the highest priority, then local accounts."""
    source: Attributes = {"source": MANAGEMENT_PORT}
    for protocol, each in services.login.items():
        if isinstance(each, LdapServers):
            yield ("switch",), {"login": "ldap,local"}
            yield ("login", protocol), {"key": placeholder(each.key), **facts_of(each)}
            for place, host in enumerate(each.servers):
                yield ("login", protocol, host), {"priority": str(8 - place)}
            continue
        tacacs = protocol == "tacacs"
        methods = "tacacs+,local" if tacacs else "radius,local"
        yield ("switch",), {"login": methods, "failthrough": "False"}
        key: Attributes = {"key": placeholder(each.key)}
        yield ("login", protocol), {**key, **source} if tacacs else key
        for place, host in enumerate(each.servers):
            own: Attributes = {"priority": str(64 - place), **({} if tacacs else source)}
            yield ("login", protocol, host), own


def _port(interface: Interface, names: PortNames) -> Iterator[Fact]:
    """Yield the hardware side of a port, and its expected neighbor."""
    port, key = interface.port, ("interface", names.name)
    own: Attributes = {"alias": names.alias, "index": names.index, "lanes": names.lanes}
    if reed_solomon(port):
        own["fec"] = "rs"
    if port.subs > 1:
        own["subport"] = str(port.sub + 1)
    if not interface.closed:
        own |= _UP
    if interface.use is Use.UNUSED:
        own |= {"mtu": str(interface.mtu), "speed": str(port.speed)}
    yield key, own
    peer, there = interface.peer, interface.peer_port
    if interface.outside:
        name = outside(interface.outside)
        yield ("neighbor", names.name), {"name": name}
        yield ("peer", name), {"type": "External"}
    if peer is not None and there is not None:
        yield ("neighbor", names.name), {"name": peer.name, "port": _spelled(peer, there)}
        role = ROLES[peer.role] if isinstance(peer, Switch) else "Server"
        yield ("peer", peer.name), {"type": role}


def own(switch_slice: SwitchSlice) -> list[str]:
    """Return values of this switch alone, in addition to the values of every platform."""
    values = [str(switch_slice.asn), switch_slice.management.host]
    for item in switch_slice.interfaces:
        if item.peer is not None and item.peer_port is not None:
            values += item.peer.name, _spelled(item.peer, item.peer_port)
    values += (value for value, _ in own_values(switch_slice))
    return values + [value for value, _ in own_sources(switch_slice)]


def places(switch_slice: SwitchSlice) -> list[tuple[Place, ...]]:
    """Return the places of each such value."""
    where: list[tuple[Place, ...]] = [((("switch",), "asn"),), ((("snmp",), "address"),)]
    for item in switch_slice.interfaces:
        if item.peer is not None and item.peer_port is not None:
            at = ("neighbor", port_names(switch_slice.switch.model, item.port).name)
            where += ((at, "name"), (("peer", item.peer.name), NAME)), ((at, "port"),)
    where += (places for _, places in own_values(switch_slice))
    return where + [places for _, places in own_sources(switch_slice)]


def _spelled(owner: Switch | Server, port: Port | Nic) -> str:
    if isinstance(owner, Switch) and isinstance(port, Port):
        return nos_of(owner).port_name(owner.model, port)
    return port.label


def _vlans(switch_slice: SwitchSlice) -> Iterator[Fact]:
    mtu = str(switch_slice.routing.tenant_mtu)
    tunneled = switch_slice.overlay is not None and switch_slice.vtep is not None
    for vlan in switch_slice.vlans:
        own: Attributes = {"number": str(vlan.id), "mtu": mtu}
        if tunneled and vlan.vni is not None:
            own |= {"inner": str(vlan.id), "mapped": str(vlan.vni)}
        yield ("vlan", str(vlan.id)), own
    for vrf in switch_slice.tunneled:
        number, vni = str(vrf.transit_vlan), str(vrf.vni)
        own = {"number": number, "mtu": mtu, "up": TRUE}
        more_text = f": {vrf.description}" if vrf.description else ""
        own["name"] = f"L3VNI of {vrf.name}{more_text}"
        if tunneled:
            own |= {"inner": number, "mapped": vni, "vni": vni}
        yield ("vlan", number), own
        yield ("interface", f"Vlan{number}"), {"routed": TRUE, "vrf": vrf.name}


def _qos(switch_slice: SwitchSlice, design: Qos) -> Iterator[Fact]:
    """Yield the maps and cable lengths; a separate reader checks the rest of QoS."""
    facts, name = sonic_facts(switch_slice.switch.model), design.profile
    paused = {str(item.number): str(item.paused) for item in design.lossless}
    for number in map(str, range(8)):
        yield ("queues", name, number), {"number": number}
        yield ("groups", name, number), {"number": paused.get(number, "0")}
        if paused:
            yield ("paused", name, number), {"number": number}
    maps: Attributes = {"classes": name, "queues": name, "groups": name}
    if paused:
        numbers = ",".join(map(str, design.paused))
        maps |= {"paused-queues": name, "paused": numbers}
        maps |= {"paused-groups": name} if facts.nvidia else {}
        maps |= {"watched": numbers} if design.watchdog is not None else {}
    yield ("maps", "global"), {"classes": name}
    rows = sku_of(switch_slice).rows
    names = layout(switch_slice.switch.model, switch_slice.switch.ports)
    for item, port in zip(switch_slice.interfaces, names, strict=True):
        cable = 0
        if item.use is not Use.UNUSED:
            held = {"shaper": str(item.rate // 8)} if item.rate is not None else {}
            yield ("maps", port.name), {**maps, **held}
            fits = [
                r.length for r in rows if r.speed == item.port.speed and r.length >= item.length
            ]
            # Traditional buffers use the vendor's row of the next longer cable.
            cable = item.length if facts.dynamic else min(fits, default=item.length)
        yield ("interface", port.name), {"cable": f"{cable if paused else 0}m"}


_UP: Attributes = {"up": TRUE}
NAMES = Names(
    profile_of_members=True,
    withheld=True,
    loopback="Loopback0",
    tunnel="Loopback1",
    diagnostic=diagnostic_source,
    management=MANAGEMENT_PORT,
    gateway="Vlan{}".format,
    bundle="PortChannel{}".format,
    tagged=share_name,
    vrf=MANAGEMENT_VRF,
    unsaid=UNSAID
    | {
        ("gateway", "mtu"),  # it has its VLAN's MTU
        ("gateway", "mac"),  # it is the VLAN's, or of the table SAG
        ("switch", "anycast-mac"),
        ("pair", "mtu"),
        ("pair", "domain"),  # a number
        ("shared port", "routed"),
        ("shared bundle", "routed"),
        ("share", "mtu"),  # it has its port's MTU
        ("share", "description"),
        ("share", "tag"),  # in its name, or in a field next to a short one
        ("management", "description"),
        ("management", "vrf"),  # eth0 is always in the management VRF
        ("gnmi", "vrf"),  # only a newer release has the field
    },
    fixed={
        "share": _UP,
        "bundle": _UP,
        "shared bundle": _UP,
        "vlan": _UP,
        "loopback": {"routed": TRUE},
        "diagnostic": {"routed": TRUE},
        "gateway": {"routed": TRUE},
        "vtep": {"evpn": TRUE},
        "ntp": {"association": "server", "iburst": "on", "version": "4"},
        "sflow": {"port": "6343"},
        "snmp-user": {
            "type": "Priv",
            "permission": "RO",
            "auth-type": "SHA",
            "privacy-type": "AES",
        },
        "syslog": {"port": "514", "protocol": "udp", "severity": "info"},
        "gnmi": {
            "client-auth": "true",
            "log-level": "2",
            # SONiC's paths; the operator places the files.
            "certificate": "/etc/sonic/telemetry/streamingtelemetryserver.cer",
            "key": "/etc/sonic/telemetry/streamingtelemetryserver.key",
            "authority": "/etc/sonic/telemetry/dsmsroot.cer",
        },
    },
    more=more,
    timers=timers,
    own=own,
    places=places,
)
