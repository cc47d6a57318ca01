"""DHCP passes between zones only where a relay needs it, by lists and by the files read back."""

import random
from functools import cache
from typing import NamedTuple

import pytest
from tests.nos.read_lists import facts_of, files_of, permits, pieces

from fabricgen.core.tree.facts import Facts
from fabricgen.model.fabric.addressing import Ip, address_of
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.zones import Packet

SITE = """
site: {name: lab, management: {subnet: 10.255.0.0/22, ntp: [10.255.3.1]}}
frontend:
  leaf: {model: 7050CX3-32S, platform: PLATFORM}
  spine: {model: 7050CX3-32S, platform: PLATFORM, count: 2}
  leaf_groups: {racks: {leafs: 1-2, servers: {per_leaf: 4, speed: 100G}}}
tenants:
  red:
    vrfs:
      red:
        id: 1
        RELAY
        vlans:
          db: {id: 110, subnet: 10.1.0.0/24, subnet6: "2001:db8:1::/64", announce: dhcp}
          dmz: {id: 111, subnet: 10.1.1.0/24, subnet6: "2001:db8:2::/64"}
          infra: {id: 112, subnet: 10.1.2.0/24, subnet6: "2001:db8:3::/64"}
        external:
          isp: {leaf: 1, cage: 24, address: 192.0.2.1/31, peer: 192.0.2.0, asn: 64496,
                max_prefixes: {count: 10, action: end}}
    attachments: [{group: racks, trunk: [db, dmz, infra]}]
zones:
  db: {vlans: [red/db]}
  dmz: {vlans: [red/dmz]}
  infra: {vlans: [red/infra]}
  isp: {outside: [red/red/isp]}
flows: [{clients: [db], servers: [isp], services: [tcp/443]}]
"""
SERVERS = {4: "10.1.2.5", 6: "2001:db8:3::5"}
RELAY = (
    f'dhcp_relay: {{servers: [{SERVERS[4]}, "{SERVERS[6]}"], sources: 10.98.1.0/24, '
    'sources6: "2001:db8:98::/64"}'
)
RELAYED = SITE.replace("RELAY", RELAY)
PLAIN = SITE.replace("        RELAY\n", "").replace(", announce: dhcp", "")
WAYS = {110: ("10.1.0.9", "2001:db8:1::9"), 111: ("10.1.1.9", "2001:db8:2::9")}
WAYS[112] = (SERVERS[4], SERVERS[6])
ANYWHERE = "0.0.0.0"  # noqa: S104 - the source of a client without a lease
OTHERS = (ANYWHERE, "255.255.255.255", "10.98.1.1", "10.1.2.6", "203.0.113.9", "10.1.0.9")
OTHERS6 = ("fe80::9", "ff02::1:2", "2001:db8:98::1", "2001:db8:3::6", "2001:db8:1::9")
PORTS = {4: (67, 68, 69, 40_000), 6: (546, 547, 548, 40_000)}


class Sent(NamedTuple):
    way: int
    packet: Packet


def drawn(rng: random.Random) -> Sent:
    """Draw a UDP packet near DHCP, and the VLAN by which it comes."""
    way, version = rng.choice([*WAYS]), rng.choice([4, 6])
    mine = [own[version == 6] for own in WAYS.values()]
    every = [*mine, *(OTHERS if version == 4 else OTHERS6)]
    source, target = (address_of(rng.choice(every)) for _ in range(2))
    ports = PORTS[version]
    return Sent(way, Packet(source, target, "udp", rng.choice(ports), rng.choice(ports)))


def needed(sent: Sent) -> bool:
    """Tell whether DHCP with a relay needs a packet, from the words of its RFCs."""
    packet = sent.packet
    version = packet.source.version
    client, server = (68, 67) if version == 4 else (546, 547)
    source, target, own = packet.source.host, packet.target.host, WAYS[sent.way][version == 6]
    ports = (packet.source_port, packet.target_port)
    asks = sent.way in ((110, 111, 112) if version == 4 else (110,))
    if ports == (client, server) and asks:
        start = ANYWHERE if version == 4 else "fe80::9"
        many = "255.255.255.255" if version == 4 else "ff02::1:2"
        mine = _net(source) == _net(own)
        if target == many:
            return source == start or (version == 4 and mine)
        if target == SERVERS[version] and mine:
            return True
    if sent.way != 112 or source != SERVERS[version]:
        return False
    if ports == (server, server):
        return target in ("10.98.1.1", "2001:db8:98::1")
    clients = [ways[version == 6] for way, ways in WAYS.items() if version == 4 or way == 110]
    return ports == (server, client) and _net(target) in map(_net, clients)


def _net(host: str) -> Ip:
    known = address_of(host)
    return Ip(known.value, 24 if known.version == 4 else 64, known.version).subnet


def inside(sent: Sent) -> bool:
    """Tell whether a packet stays in its zone, whatever it is."""
    own = _net(WAYS[sent.way][sent.packet.source.version == 6])
    return own.holds(sent.packet.source) and own.holds(sent.packet.target)


@cache
def leaf(text: str, platform: str) -> tuple[SwitchSlice, Facts]:
    (switch_slice, *_) = (each for each in pieces(text, platform) if each.guards)
    return switch_slice, facts_of(switch_slice, files_of(switch_slice))


@pytest.mark.parametrize("text", [PLAIN, RELAYED], ids=["plain", "relayed"])
def test_a_gateway_lets_through_the_dhcp_that_a_relay_needs_and_no_other(text: str) -> None:
    switch_slice, _ = leaf(text, "eos")
    guards = {guard.vlan: guard for guard in switch_slice.guards}
    rng, passed = random.Random(11), 0
    for sent in (drawn(rng) for _ in range(6000)):
        expected = inside(sent) or (text is RELAYED and needed(sent))
        result, rule = guards[sent.way].allows(sent.packet)
        assert result is expected, (sent, rule)
        passed += result
    assert passed > 100


@pytest.mark.parametrize("text", [PLAIN, RELAYED], ids=["plain", "relayed"])
@pytest.mark.parametrize("platform", ["eos", "linux"])
def test_the_rules_in_a_file_judge_dhcp_as_the_design_does(platform: str, text: str) -> None:
    switch_slice, facts = leaf(text, platform)
    guards = {guard.vlan: guard for guard in switch_slice.guards}
    rng = random.Random(12)
    for way, packet in (drawn(rng) for _ in range(1500)):
        version = packet.source.version
        judge = guards[way].of(version)
        assert judge is not None
        assert permits(facts, judge.name, packet) is guards[way].allows(packet)[0], (way, packet)


@pytest.mark.parametrize("text", [PLAIN, RELAYED], ids=["plain", "relayed"])
def test_the_tables_of_sonic_judge_dhcp_as_the_design_does(text: str) -> None:
    """A port carries all VLANs; what is for many, and is not routed, passes first."""
    switch_slice, facts = leaf(text, "sonic")
    guards = [guard for guard in switch_slice.guards if guard.vlan is not None]
    names = {4: "ZONE-110-111-112", 6: "ZONE6-110-111-112"}
    many = (Ip(0xE0000000, 4), Ip(0xFFFFFFFF, 32), Ip(0xFF << 120, 8, 6), Ip(0xFE80 << 112, 10, 6))
    rng = random.Random(13)
    for _, packet in (drawn(rng) for _ in range(1500)):
        expected = any(guard.allows(packet)[0] for guard in guards)
        expected |= any(group.holds(packet.target) for group in many)
        assert permits(facts, names[packet.source.version], packet) is expected, packet


def test_no_dhcp_of_one_zone_reaches_another_where_nothing_relays() -> None:
    """The reproduction: db:68 to dmz:67 passed, above every deny of the list."""
    switch_slice, _ = leaf(PLAIN, "eos")
    guard = next(guard for guard in switch_slice.guards if guard.vlan == 110)
    sent = Packet(address_of("10.1.0.9"), address_of("10.1.1.9"), "udp", 68, 67)
    assert not guard.allows(sent)[0]
    judge = guard.of(4)
    assert judge is not None
    assert not [rule for rule in judge.rules if rule.source_ports == (68, 68)]


def test_the_answers_of_a_dhcp_server_behind_a_router_pass_its_list() -> None:
    beyond = RELAYED.replace(SERVERS[4], "203.0.113.9")
    switch_slice = next(each for each in pieces(beyond, "eos") if any(g.peer for g in each.guards))
    guard = next(guard for guard in switch_slice.guards if guard.peer)
    server = address_of("203.0.113.9")
    for target, port, passes in (("10.98.1.1", 67, True), ("10.1.0.9", 68, True)):
        sent = Packet(server, address_of(target), "udp", 67, port)
        assert guard.allows(sent)[0] is passes
        assert not guard.allows(sent._replace(source=address_of("203.0.113.8")))[0]
