"""Build the nftables rules of a Linux switch: zones, DSCPs of ports and sources of management."""

from collections.abc import Iterator, Mapping

from fabricgen.core.provenance import Block, Provenance
from fabricgen.core.record import record
from fabricgen.model.fabric.classes import Marks as PortMarks
from fabricgen.model.fabric.services import Services
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.zones import ANY_PORT, ICMP, IP, AccessList, Ports, Rule
from fabricgen.nos.linux.names import bond_name, device_of, port_name, vlan_name


@record(kw_only=True)
class Way(Block):
    """An ingress interface, and the chain that filters it. `family`: ipv4 or ipv6."""

    port: str
    family: str
    chain: str


@record()
class Entry(Block):
    text: str


@record(kw_only=True)
class Chain(Block):
    """The rules of one ingress interface, or of the port or bond that is its name."""

    name: str
    entries: tuple[Entry, ...]


@record(kw_only=True)
class Zones(Block):
    """Ingress interfaces of VRFs with zones. A packet without a rule in its chain is dropped."""

    ways: tuple[Way, ...]
    chains: tuple[Chain, ...]


@record(kw_only=True)
class Marks(Block):
    """Ports that write DSCPs into incoming packets."""

    chains: tuple[Chain, ...]


# The rules of zones are in the hook prerouting, where a packet still has its input interface.
# With VRFs a packet passes the hook a second time, with the VRF's device as its interface. No rule
# names that device (kernel.org, networking/vrf). Traffic bridged inside a VLAN does not pass it.

ZONES_FILE = "etc/fabricgen/zones.nft"
ZONES_COMMAND = "/usr/sbin/nft -f /etc/fabricgen/zones.nft"
FAMILY = {4: "ip", 6: "ip6"}
# nft(8): the names of icmp and icmpv6 types.
MESSAGES = {
    "unreachable": "destination-unreachable",
    "router-solicitation": "nd-router-solicit",
    "neighbor-solicitation": "nd-neighbor-solicit",
    "neighbor-advertisement": "nd-neighbor-advert",
}
_PROTOCOLS = {(4, ICMP): "icmp", (6, ICMP): "ipv6-icmp"}
ESTABLISHED = "tcp flags & (ack | rst) != 0x0"


def zones(switch_slice: SwitchSlice) -> Zones | None:
    """Return the view of the file; None for a switch without guards."""
    if not switch_slice.guards:
        return None
    lists = [each for guard in switch_slice.guards for each in guard.lists]
    paths = tuple(dict.fromkeys(each.because.main for each in lists))
    because = Provenance(paths, "between zones only configured flows pass")
    chains = tuple(map(_chain, lists))
    return Zones(because=because, ways=tuple(_ways(switch_slice)), chains=chains)


def _ways(switch_slice: SwitchSlice) -> Iterator[Way]:
    ports: dict[str, list[str]] = {}
    for peer in (*switch_slice.external, *switch_slice.speakers):
        ports.setdefault(peer.label, []).append(device_of(peer.interface))
    for guard in switch_slice.guards:
        mine = [vlan_name(guard.vlan)] if guard.vlan is not None else ports[guard.peer]
        for port in dict.fromkeys(mine):
            for each in guard.lists:
                family = f"ipv{each.version}"
                yield Way(because=each.because, port=port, family=family, chain=each.name)


def _chain(each: AccessList) -> Chain:
    rules = tuple(Entry(rule.because, spelled(rule)) for rule in each.rules)
    return Chain(because=each.because, name=each.name, entries=rules)


def spelled(rule: Rule) -> str:
    """Spell a rule: its conditions, then its verdict."""
    family = FAMILY[rule.source.version]
    words = [
        f"{family} {word} {end.prefix}"
        for word, end in (("saddr", rule.source), ("daddr", rule.target))
        if end.length
    ]
    words += _protocol(rule)
    return " ".join([*words, "accept" if rule.permit else "drop"])


def _protocol(rule: Rule) -> Iterator[str]:
    if rule.protocol == IP:
        return
    version = rule.source.version
    if rule.message is not None:
        word = "icmp" if version == 4 else "icmpv6"
        yield f"{word} type {MESSAGES.get(rule.only, rule.only)}"
        return
    ports = {"sport": rule.source_ports, "dport": rule.target_ports}
    if set(ports.values()) == {ANY_PORT}:
        yield f"meta l4proto {_PROTOCOLS.get((version, rule.protocol), rule.protocol)}"
    yield from _ports(rule.protocol, ports)
    if rule.established:
        yield ESTABLISHED


def _ports(protocol: str, ports: Mapping[str, Ports]) -> Iterator[str]:
    for word, (first, last) in ports.items():
        if (first, last) != ANY_PORT:
            yield f"{protocol} {word} {first}" + (f"-{last}" if last != first else "")


# They are in the hook ingress of the family netdev (nft(8)), which a packet passes before it is
# bridged, routed or put into a tunnel; the tunnel then copies the DSCP (`tos inherit`).

MARKS_FILE = "etc/fabricgen/marks.nft"
MARKS_COMMAND = "/usr/sbin/nft -f /etc/fabricgen/marks.nft"
_FAMILIES = ("ip", "ip6")


def marks(switch_slice: SwitchSlice) -> Marks | None:
    """Return the view of the file; None if no port writes a DSCP."""
    if not switch_slice.marks or switch_slice.qos is None:
        return None
    devices = {
        bond_name(item.lag) if item.lag is not None else port_name(item.port): item.marks
        for item in switch_slice.interfaces
        if item.marks is not None
    }
    chains = tuple(
        Chain(because=told.rest.because, name=name, entries=tuple(_entries(told)))
        for name, told in devices.items()
    )
    because = Provenance(
        (switch_slice.qos.asked,), "ports of servers that are not trusted write the DSCP"
    )
    return Marks(because=because, chains=chains)


def _entries(marks: PortMarks) -> Iterator[Entry]:
    """Yield the rules for RoCE, then for VLANs with another DSCP, then for all others."""
    rest = marks.rest
    if marks.kept:
        kept = ", ".join(map(str, marks.kept))
        yield from (Entry(rest.because, f"{ip} dscp {{ {kept} }} accept") for ip in _FAMILIES)
    for vlan, mark in marks.tagged:
        for ip in _FAMILIES:
            yield Entry(mark.because, f"vlan id {vlan} {ip} dscp set {mark.dscp} accept")
    yield from (Entry(rest.because, f"{ip} dscp set {rest.dscp}") for ip in _FAMILIES)


# Packets to the switch itself pass the hook input, also those that an ASIC sends to the kernel.

MANAGEMENT_FILE = "etc/fabricgen/management.nft"
MANAGEMENT_COMMAND = "/usr/sbin/nft -f /etc/fabricgen/management.nft"
_SSH, _SNMP = "tcp dport 22", "udp dport 161"


@record(kw_only=True)
class Management(Block):
    """The services with a restriction, and the sources that may use them."""

    doors: tuple[str, ...]
    sources: tuple[str, ...]


def management(services: Services) -> Management | None:
    """Return the view of the file; None if every source may manage the switch."""
    if not services.admitted:
        return None
    why = Provenance(((*services.path, "admitted"),), "only these sources manage the switch")
    doors = (_SSH, _SNMP) if services.snmp is not None else (_SSH,)
    return Management(because=why, doors=doors, sources=services.admitted)
