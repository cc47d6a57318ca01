"""The guards of a switch in, the rules of nftables out: a chain for each way in.

They stand in the hook prerouting, where a packet still has the interface that it came by; with VRFs
the hook is passed a second time, as of the VRF's own device, which no rule names (kernel.org,
networking/vrf). What is bridged inside a VLAN does not meet it.
"""

from collections.abc import Iterator, Mapping

from fabricgen.model.fabric.because import Because
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.zones import ANY_PORT, ICMP, IP, AccessList, Ports, Rule
from fabricgen.nos.linux.names import device_of, vlan_name
from fabricgen.nos.linux.view_nftables import Chain, Entry, Way, Zones

FILE = "etc/fabricgen/zones.nft"
COMMAND = "/usr/sbin/nft -f /etc/fabricgen/zones.nft"
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


def zones(piece: SwitchSlice) -> Zones | None:
    """Return the view of the file; None where a switch has no guards."""
    if not piece.guards:
        return None
    lists = [each for guard in piece.guards for each in guard.lists]
    paths = tuple(dict.fromkeys(each.because.main for each in lists))
    because = Because(paths, "between zones nothing passes but what flows say")
    chains = tuple(map(_chain, lists))
    return Zones(because=because, ways=tuple(_ways(piece)), chains=chains)


def _ways(piece: SwitchSlice) -> Iterator[Way]:
    ports = {peer.label: device_of(peer.interface) for peer in piece.external}
    for guard in piece.guards:
        port = vlan_name(guard.vlan) if guard.vlan is not None else ports[guard.peer]
        for each in guard.lists:
            family = f"ipv{each.version}"
            yield Way(because=each.because, port=port, family=family, chain=each.name)


def _chain(each: AccessList) -> Chain:
    rules = tuple(Entry(rule.because, spelled(rule)) for rule in each.rules)
    return Chain(because=each.because, name=each.name, entries=rules)


def spelled(rule: Rule) -> str:
    """Spell a rule: what must be so, then what becomes of the packet."""
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
