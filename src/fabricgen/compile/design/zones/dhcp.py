"""Rules by which DHCP passes the lists of zones: of clients, and of the servers that answer.

DHCP meets a gateway's list only where a relay leads it out of its VLAN. Without a relay clients and
servers share a VLAN, and their packets are bridged.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from fabricgen.model.fabric.addressing import Ip, address_of
from fabricgen.model.fabric.overlay import Overlay
from fabricgen.model.fabric.relay import Relay
from fabricgen.model.fabric.vlans import Vlan
from fabricgen.model.fabric.zones import UDP, Member, Rule

_PORTS = {4: (68, 67), 6: (546, 547)}
"""Ports of clients and of servers: RFC 2131, 4.1; RFC 8415, 7.2."""
_START = {4: Ip(0, 32), 6: Ip(0xFE80 << 112, 10, 6)}
"""Sources of clients without a lease: RFC 2131, 4.1; link-local addresses, RFC 8415, 17.1."""
_EVERYONE = {4: Ip(0xFFFFFFFF, 32), 6: Ip((0xFF02 << 112) + 0x10002, 128, 6)}
"""The broadcast address, and All_DHCP_Relay_Agents_and_Servers (RFC 8415, 7.1)."""


def client_rules(vlan: Vlan) -> Iterator[Rule]:
    """Yield what clients of a VLAN send to its relays.

    A broadcast has no source before a lease, and the client's address when it rebinds. A renewal
    goes to the server itself (RFC 2131, 4.3.6; RFC 8415, 21.12).
    """
    for relay in vlan.relays:
        leased = _subnets(vlan, relay.version)
        plain = _rule(relay, "a DHCP client asks its relay", _PORTS[relay.version])
        for source in (_START[relay.version], *(leased if relay.version == 4 else ())):
            yield replace(plain, source=source, target=_EVERYONE[relay.version])
        for server in _servers(relay):
            for source in leased:
                why = replace(plain.because, rule="a DHCP client renews its lease")
                yield replace(plain, source=source, target=server, because=why)


def server_rules(overlay: Overlay, vrf: str, sources: Sequence[Member]) -> Iterator[Rule]:
    """Yield what the DHCP servers behind a way in answer: to relays, and to who renews."""
    for relay in overlay.vrfs[vrf].relays:
        client, port = _PORTS[relay.version]
        to_relay = _rule(relay, "a DHCP server answers a relay", (port, port))
        to_client = _rule(relay, "a DHCP server answers a renewal", (port, client))
        pool = relay.sources.whole
        vlans = [vlan for vlan in overlay.vlans.values() if relay in vlan.relays]
        subnets = [net for vlan in vlans for net in _subnets(vlan, relay.version)]
        for server in _servers(relay):
            if not any(source.prefix.holds(server) for source in sources):
                continue
            yield replace(to_relay, source=server, target=pool)
            for subnet in subnets:
                yield replace(to_client, source=server, target=subnet)


def _rule(relay: Relay, sentence: str, ports: tuple[int, int]) -> Rule:
    """Return a rule of a relay that still lacks its ends. ports: of the source and the target."""
    source, target = ports
    everything = Ip(0, 0, relay.version)
    return Rule(
        permit=True,
        protocol=UDP,
        source=everything,
        target=everything,
        source_ports=(source, source),
        target_ports=(target, target),
        because=replace(relay.because, rule=sentence),
    )


def _servers(relay: Relay) -> list[Ip]:
    return list(map(address_of, relay.servers))


def _subnets(vlan: Vlan, version: int) -> list[Ip]:
    gateway = vlan.gateway(version)
    return [gateway.subnet] if gateway is not None else []
