"""List the facts of a Linux switch's files in addition to the facts of every platform."""

from collections.abc import Iterator
from operator import attrgetter

from fabricgen.core.tree.facts import CHOSEN, TRUE, Attributes, Key
from fabricgen.model.fabric.balancing import LoadBalancing
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.services import Services
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.vlans import Multicast
from fabricgen.model.settings.setting import facts_of, placeholder
from fabricgen.nos.linux.names import (
    BRIDGE,
    LOOPBACK,
    MANAGEMENT_PORT,
    below,
    bond_name,
    device_of,
    frr_names,
    gre_name,
    port_name,
    tunnel_name,
    vlan_name,
)
from fabricgen.nos.shared.description import describe_bundle
from fabricgen.nos.shared.frr.expected import UNSAID, frr_facts, timers
from fabricgen.nos.spelling import Names, Place

Fact = tuple["Key", "Attributes"]
VXLAN_PORT = "4789"
"""IANA's port, RFC 7348 section 5. Tunnel devices set it, so a leaf without them does not."""


def more(switch_slice: SwitchSlice) -> Iterator[Fact]:
    """Yield the facts of this platform's files alone."""
    yield from frr_facts(switch_slice, frr_names(switch_slice.switch.release))
    yield from _management(switch_slice)
    yield from _ports(switch_slice)
    if switch_slice.vlans or switch_slice.tunneled:
        yield from _vlans(switch_slice)
    yield from _vrfs(switch_slice)
    yield from _host(switch_slice)
    yield from _units(switch_slice)


def own(switch_slice: SwitchSlice) -> list[str]:
    """Return values of this switch alone, in addition to the values of every platform."""
    macs = [switch_slice.router_mac] if switch_slice.vlans or switch_slice.tunneled else []
    pairs = (lag.segment for lag in switch_slice.lags if lag.segment is not None)
    return macs + [value for each in pairs for value in (each.system, each.identifier)]


def places(switch_slice: SwitchSlice) -> list[tuple[Place, ...]]:
    """Return the places of each such value."""
    where: list[tuple[Place, ...]] = []
    if switch_slice.vlans or switch_slice.tunneled:
        where.append(((("interface", BRIDGE), "mac"),))
    for lag in switch_slice.lags:
        if lag.segment is not None:
            port = ("interface", bond_name(lag.number))
            where += [((port, "lacp-system"),), ((port, "segment"),)]
    return where


def _management(switch_slice: SwitchSlice) -> Iterator[Fact]:
    services = switch_slice.services
    port: Attributes = {"auto": TRUE, "gateway": services.gateway}
    yield ("interface", MANAGEMENT_PORT), port
    own: Attributes = {"auto": TRUE, "table": CHOSEN, "address": ("127.0.0.1/8",)}
    rules = [
        f"6 {host}/128" if ":" in host else f"4 {host}/32"
        for host in sorted({*services.dns, *services.trapped})
    ]
    if rules:
        own |= {"rules": tuple(sorted(rules)), "rule-table": CHOSEN}
    yield ("interface", services.vrf), own


def _ports(switch_slice: SwitchSlice) -> Iterator[Fact]:
    for item in switch_slice.interfaces:
        if item.use is Use.UNUSED:
            yield ("interface", port_name(item.port)), {"mtu": str(switch_slice.routing.mtu)}
        elif switch_slice.qos is not None and not _has_driver(switch_slice):
            yield ("interface", port_name(item.port)), {"sends": str(int(item.sends))}
    for lag in switch_slice.lags:
        name = bond_name(lag.number)
        own: Attributes = {
            "description": describe_bundle(switch_slice, lag, name),
            "members": tuple(sorted(port_name(member.port) for member in lag.members)),
            "bond-lacp-rate": "0" if facts_of(lag.settings).get("lacp-rate") == "slow" else "1",
        }
        if lag.segment is not None:
            own["lacp-system"] = lag.segment.system
        yield ("interface", name), own
    for item in switch_slice.tagged:
        device = bond_name(item.lag) if item.lag is not None else port_name(item.port)
        yield ("interface", f"{device}.{item.tag}"), {"vlan": str(item.tag), "device": device}
    for item in switch_slice.tunnels:
        assert item.tunnel is not None
        ends = {"local": item.tunnel.local.host, "remote": item.tunnel.remote.host}
        way: Attributes = {**ends, "key": str(item.tag), "below": below(item)}
        made = {"tunnel": "gre", "outer-ttl": "64", "outer-device": below(item)}
        made |= {f"outer-{end}": address for end, address in ends.items()}
        made |= {"inner-mtu": str(item.mtu)}
        yield ("interface", device_of(item)), {**way, **made}
    split = {
        item.port.cage: item.port.subs for item in switch_slice.interfaces if item.port.subs > 1
    }
    if _has_driver(switch_slice):
        for cage, subs in split.items():
            yield ("cage", f"swp{cage}"), {"parts": str(subs)}


def _segments(switch_slice: SwitchSlice) -> Iterator[tuple[int, int, bool]]:
    """Yield VNI and VLAN of each tunnel, and whether it is a segment of hosts."""
    if switch_slice.vtep is not None:
        yield from (
            (vlan.vni, vlan.id, True) for vlan in switch_slice.vlans if vlan.vni is not None
        )
        yield from ((vrf.vni, vrf.transit_vlan, False) for vrf in switch_slice.tunneled)


def _vlans(switch_slice: SwitchSlice) -> Iterator[Fact]:
    mtu, segments = str(switch_slice.routing.tenant_mtu), list(_segments(switch_slice))
    ports = [
        port_name(i.port)
        for i in switch_slice.interfaces
        if i.carries is not None and i.lag is None
    ]
    bonds = [bond_name(lag.number) for lag in switch_slice.lags if lag.carries is not None]
    tunnels = [tunnel_name(vni) for vni, _, _ in segments]
    numbers = {vlan.id for vlan in switch_slice.vlans} | {vlan for _, vlan, _ in segments}
    bridge: Attributes = {
        "auto": TRUE,
        "mac": switch_slice.router_mac,
        "mtu": mtu,
        "vlan-aware": "yes",
        "stp": "off",
        "mcsnoop": "no",
        "vlans": tuple(sorted(map(str, numbers))),
    }
    asked = {vlan.id for vlan in switch_slice.vlans if vlan.multicast is Multicast.SNOOPED}
    if asked:
        flooded = tuple(sorted(map(str, numbers - asked)))
        said: Attributes = {"mcsnoop": "yes", "by-vlan": TRUE, "ipv6-addrgen": "off"}
        bridge |= {**said, "asked": tuple(sorted(map(str, asked)))}
        bridge |= {"flooded": flooded} if flooded else {}
    if members := tuple(sorted((*ports, *bonds, *tunnels))):
        bridge["members"] = members
    yield ("interface", BRIDGE), bridge
    remarks = {vlan.vni: vlan.description for vlan in switch_slice.vlans if not vlan.gateways}
    for vni, vlan, hosts in segments:
        assert switch_slice.vtep is not None
        own: Attributes = {
            "vni": str(vni),
            "vlans": (str(vlan),),
            "untagged": str(vlan),
            "mtu": mtu,
            "suppress": "on" if hosts else "off",
        }
        if vlan in asked:
            own["heard"] = (str(vlan),)
        if text := remarks.get(vni):
            own["description"] = text
        yield ("interface", tunnel_name(vni)), {**own, **_TUNNEL}
        host = switch_slice.vtep.host
        yield ("vtep",), {"devices": (f"{vni} {vni} {vni} {host}",), "locals": (host,)}
    if segments:
        yield ("vtep",), {"port": VXLAN_PORT}


def _vrfs(switch_slice: SwitchSlice) -> Iterator[Fact]:
    """Yield the routed interfaces of VLANs, and their VRFs."""
    mac = switch_slice.overlay.anycast_mac if switch_slice.overlay is not None else None
    for vlan in switch_slice.vlans:
        if vlan.gateways:
            own: Attributes = {"vlan": str(vlan.id), "device": BRIDGE}
            if mac is not None:
                own |= {"mac": mac, "arp-accept": "on"}
                own["ipv6-addrgen"] = "on" if vlan.gateway(6) else "off"
            if vlan.description is not None:
                own["description"] = vlan.description
            yield ("interface", vlan_name(vlan.id)), own
    for vrf in switch_slice.vrfs:
        device: Attributes = {"auto": TRUE, "table": CHOSEN}
        if vrf.description is not None:
            device["description"] = vrf.description
        yield ("interface", vrf.name), device
    for vrf in switch_slice.tunneled:
        own = {"auto": TRUE, "vlan": str(vrf.transit_vlan), "device": BRIDGE, "vrf": vrf.name}
        own["mtu"] = str(switch_slice.routing.tenant_mtu)
        yield ("interface", vlan_name(vrf.transit_vlan)), own


def _host(switch_slice: SwitchSlice) -> Iterator[Fact]:
    services, speaks = switch_slice.services, bool(switch_slice.sessions)
    own: Attributes = {
        "own-name": switch_slice.switch.name,
        "lldp-name": switch_slice.switch.name,
        "bgpd": "yes" if speaks else "no",
        "bfdd": "yes" if speaks and switch_slice.routing.bfd is not None else "no",
        "ospfd": "yes" if switch_slice.flooding or switch_slice.adjacencies else "no",
    }
    if services.banner:
        own["banner-shown"] = TRUE
    yield ("switch",), own
    if services.ntp:
        yield ("clock",), {"vrf": services.vrf}
    if services.snmp is not None and services.snmp.community is not None:
        yield ("snmp",), {"community-v6": placeholder(services.snmp.community)}
    yield from _snmp_users(services)
    yield from _restricted(services)
    for user in services.users:
        account: Attributes = {"home": user.name, "folder": f"{user.name} {user.name}"}
        yield ("user", user.name), account
    for path in _secrets(switch_slice):
        yield ("secret", path), {"hidden": TRUE}
    if switch_slice.balancing is not None:
        paths: Attributes = {
            f"v{version}-{word}": value
            for word, value in _hashed(switch_slice.balancing)
            for version in (4, 6)
        }
        if switch_slice.balancing.seed:
            paths["seed"] = str(switch_slice.balancing.seed)
        yield ("paths",), paths


_HASHED = ("source-ip", "destination-ip", "protocol", "", "source-port", "destination-port")
"""Fields of a hash by the bits of the kernel, from the lowest: ip-sysctl.rst."""


def _hashed(told: LoadBalancing) -> Iterator[tuple[str, str]]:
    """Yield the hash of ECMP paths: the five-tuple (1), or the fields of a mask (3)."""
    bits = [2**place for place, name in enumerate(_HASHED) if name and name in told.fields]
    if 0 < len(bits) < len(list(filter(None, _HASHED))):
        yield "policy", "3"
        yield "fields", f"0x{sum(bits):04x}"
    else:
        yield "policy", "1"


def _has_driver(switch_slice: SwitchSlice) -> bool:
    """Return whether the kernel has a driver for the ASIC."""
    return "driver" in switch_slice.switch.model.platforms.get("linux", {})


def _restricted(services: Services) -> Iterator[Fact]:
    """Yield the services that only permitted sources may use."""
    if services.admitted:
        doors = ("ssh", "snmp") if services.snmp is not None else ("ssh",)
        yield ("switch",), {f"{door}-restricted": TRUE for door in doors}


def _snmp_users(services: Services) -> Iterator[Fact]:
    """Yield users with encryption, and traps with the passphrases of their user."""
    snmp = services.snmp
    for user in snmp.users if snmp is not None else ():
        yield ("snmp-user", user.name), {"reads": "priv"}
        if snmp is not None and snmp.traps is not None and snmp.traps.user == user.name:
            for host in snmp.traps.targets:
                yield ("trap", host), facts_of(user)


def _secrets(switch_slice: SwitchSlice) -> Iterator[str]:
    if any(user.password_hash for user in switch_slice.services.users):
        yield "etc/fabricgen/passwords"
    if switch_slice.services.snmp:
        yield "etc/snmp/snmpd.conf"


def _units(switch_slice: SwitchSlice) -> Iterator[Fact]:
    paths = set(files(switch_slice))
    commands = [
        command
        for path, command in (
            ("etc/sysusers.d/fabricgen.conf", "/usr/bin/systemd-sysusers fabricgen.conf"),
            ("etc/tmpfiles.d/fabricgen.conf", "/usr/bin/systemd-tmpfiles --create fabricgen.conf"),
            (
                "etc/fabricgen/passwords",
                "/bin/sh -c 'exec chpasswd --encrypted < /etc/fabricgen/passwords'",
            ),
            ("etc/fabricgen/management.nft", "/usr/sbin/nft -f /etc/fabricgen/management.nft"),
            ("etc/fabricgen/zones.nft", "/usr/sbin/nft -f /etc/fabricgen/zones.nft"),
            ("etc/fabricgen/marks.nft", "/usr/sbin/nft -f /etc/fabricgen/marks.nft"),
            ("etc/fabricgen/tc.batch", "/usr/sbin/tc -force -batch /etc/fabricgen/tc.batch"),
            ("etc/fabricgen/dcb.sh", "/etc/fabricgen/dcb.sh"),
        )
        if path in paths
    ]
    once: Attributes = {"type": "oneshot", "remains": "yes", "sections": ("Service", "Unit")}
    own: Attributes = {**once, "after": "networking.service"}
    own["description"] = "Accounts and queues of this switch"
    if commands:
        own["commands"] = tuple(sorted(commands))
    yield ("unit", "fabricgen"), own
    wanted = ("fabricgen-breakout.service", "fabricgen.service")
    yield ("unit", "networking"), {"wants": wanted, "sections": ("Unit",)}
    if "etc/fabricgen/breakout.sh" in paths:
        run: Attributes = {"commands": ("/etc/fabricgen/breakout.sh",)}
        run |= {"description": "Split the cages that fabricgen breaks out"}
        yield ("unit", "breakout"), {**once, **run, "before": "networking.service"}


def files(switch_slice: SwitchSlice) -> Iterator[str]:
    yield from _ALWAYS
    services, asic = switch_slice.services, _has_driver(switch_slice)
    users = services.users
    keyed = [user.name for user in users if user.ssh_key]
    split = asic and any(item.port.subs > 1 for item in switch_slice.interfaces)
    lossless = switch_slice.qos is not None and bool(switch_slice.qos.lossless)
    for path, wanted in (
        ("etc/sysctl.d/90-fabricgen-paths.conf", switch_slice.balancing is not None),
        ("etc/chrony/chrony.conf", services.ntp),
        ("etc/rsyslog.d/90-fabricgen.conf", services.syslog),
        ("etc/resolv.conf", services.dns or services.domain),
        ("etc/snmp/snmpd.conf", services.snmp),
        ("etc/issue.net", services.banner),
        ("etc/ssh/sshd_config.d/fabricgen.conf", services.banner or keyed),
        ("etc/sysusers.d/fabricgen.conf", users),
        ("etc/fabricgen/passwords", any(user.password_hash for user in users)),
        ("etc/tmpfiles.d/fabricgen.conf", users or services.snmp),
        ("etc/fabricgen/management.nft", services.admitted),
        ("etc/fabricgen/zones.nft", switch_slice.guards),
        ("etc/fabricgen/marks.nft", switch_slice.marks),
        ("etc/fabricgen/tc.batch", switch_slice.qos is not None),
        ("etc/fabricgen/dcb.sh", lossless or (asic and switch_slice.qos is not None)),
        ("etc/udev/rules.d/10-fabricgen.rules", asic),
        ("etc/fabricgen/breakout.sh", split),
        ("etc/systemd/system/fabricgen-breakout.service", split),
    ):
        if wanted:
            yield path
    for name in keyed:
        yield f"etc/ssh/authorized_keys.d/{name}"


_ALWAYS = (
    "etc/frr/frr.conf",
    "etc/frr/daemons",
    "etc/network/interfaces",
    "etc/sysctl.d/90-fabricgen.conf",
    "etc/hostname",
    "etc/lldpd.d/fabricgen.conf",
    "etc/systemd/system/fabricgen.service",
    "etc/systemd/system/networking.service.d/fabricgen.conf",
)
_AUTO: Attributes = {"auto": TRUE}
_ROLES = (
    "fabric",
    "nic",
    "edge",
    "rail",
    "member",
    "external",
    "unused",
    "loopback",
    "gateway",
    "share",
    "shared port",
)
_TUNNEL: Attributes = {"auto": TRUE, "vxlan-learning": "no", "ttl": "64", "learning": "off"}
_BOND: Attributes = {
    "bond-mode": "802.3ad",
    "bond-miimon": "100",
    "bond-min-links": "1",
    "bond-xmit-hash-policy": "layer3+4",
}
NAMES = Names(
    loopback=LOOPBACK,
    tunnel=LOOPBACK,
    management=MANAGEMENT_PORT,
    gateway=vlan_name,
    bundle=bond_name,
    through=gre_name,
    diagnostic=attrgetter("name"),
    unsaid=UNSAID | {("management", "description"), ("vtep", "port"), ("diagnostic", "vrf")},
    fixed={
        **dict.fromkeys(_ROLES, _AUTO),
        "bundle": {**_AUTO, **_BOND},
        "shared bundle": {**_AUTO, **_BOND},
    },
    more=more,
    timers=timers,
    numbers_rules=False,
    withheld=True,
    files=files,
    own=own,
    places=places,
)
