"""A list decides as its rules stand; what the lists of a fabric allow is what the flows say."""

import random
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from ipaddress import ip_address, ip_network
from typing import NamedTuple

import pytest
from tests.nos.eos.sites import SITES

from fabricgen.compile.design.site import design_site
from fabricgen.core.diagnostics import has_errors
from fabricgen.core.provenance import Provenance
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.zones import AccessList, Guard, Packet, Rule, Zones

NET, OTHER = Ip(0x0A000000, 24), Ip(0x0A000100, 24)
TCP = Rule(
    permit=True,
    protocol="tcp",
    source=NET,
    target=OTHER,
    target_ports=(80, 90),
    because=Provenance((), ""),
)
ANSWER = replace(TCP, answers=True)
SENT = Packet(Ip(0x0A000005, 32), Ip(0x0A000109, 32), "tcp", 40_000, 85)


@pytest.mark.parametrize(
    ("rule", "packet", "fits"),
    [
        (TCP, SENT, True),
        (TCP, SENT._replace(target_port=91), False),
        (TCP, SENT._replace(protocol="udp"), False),
        (TCP, SENT._replace(source=OTHER), False),
        (TCP, SENT._replace(target=Ip(SENT.target.value, 128, 6)), False),
        (ANSWER, SENT, False),
        (ANSWER, SENT._replace(answer=True), True),
        (replace(TCP, protocol="icmp", message=3), SENT._replace(protocol="icmp"), False),
        (
            replace(TCP, protocol="icmp", message=3),
            SENT._replace(protocol="icmp", message=3),
            True,
        ),
    ],
)
def test_a_rule_fits_what_it_names(rule: Rule, packet: Packet, *, fits: bool) -> None:
    assert rule.fits(packet) is fits


def test_the_first_rule_that_fits_decides_and_the_end_drops() -> None:
    drop = replace(TCP, permit=False)
    made = AccessList(name="L", version=4, rules=(drop, TCP), because=Provenance((), ""))
    assert made.decides(SENT) is drop
    assert made.decides(SENT._replace(protocol="udp")) is None


@pytest.mark.parametrize(
    ("other", "covered"),
    [
        (replace(TCP, target_ports=(80, 80)), True),
        (replace(TCP, target_ports=(80, 91)), False),
        (ANSWER, True),
        (replace(TCP, source=Ip(0x0A000000, 25)), True),
        (replace(TCP, source=Ip(0x0A000000, 23)), False),
        (replace(TCP, protocol="udp"), False),
    ],
)
def test_a_rule_covers_what_is_narrower(other: Rule, *, covered: bool) -> None:
    assert TCP.covers(other) is covered
    assert not ANSWER.covers(TCP)


# The policy of the site `zones` by hand: where a packet may come in, and which zone is whose.
WAYS = {110: "web", 112: "web", 111: "db"}
BEHIND = {
    "web": ("10.110.0.0/24", "2001:db8:112::/64"),
    "db": ("10.111.0.0/24", "10.200.0.0/16", "2001:db8:200::/48"),
    "partner": ("198.51.100.0/24",),
    "outside": ("203.0.113.0/24", "0.0.0.0/0"),
}
MAY = {
    ("web", "db"): {("tcp", 8000, 8100), ("udp", 53, 53)},
    ("outside", "web"): {("tcp", 443, 443), ("tcp", 8443, 8443)},
    ("web", "outside"): {("tcp", 0, 65535), ("udp", 123, 123)},
    ("partner", "db"): {("tcp", 22, 22)},
}
INSIDE = {"red": ("10.110.0.0/24", "10.111.0.0/24", "2001:db8:111::/64", "2001:db8:112::/64")}
PORTS = (22, 53, 80, 123, 443, 8000, 8100, 8101, 8443, 40_000)


class Told(NamedTuple):
    """A packet with the way in that it takes."""

    way: int | str
    packet: Packet


@cache
def zones() -> Zones:
    loaded = load_texts({"site.yaml": SITES["zones"]})
    assert loaded.intent is not None
    site, findings = design_site(loaded.intent)
    assert not has_errors(findings)
    (fabric,) = site.fabrics
    assert fabric.overlay is not None
    return fabric.overlay.zones


def zone_of(address: Ip, among: Mapping[str, tuple[str, ...]]) -> str | None:
    """Return the zone of the longest prefix that holds an address."""
    value = ip_address(address.host)
    nets = [(ip_network(text), zone) for zone, texts in among.items() for text in texts]
    holding = [(net.prefixlen, zone) for net, zone in nets if value in net]
    return max(holding)[1] if holding else None


def allowed(told: Told) -> bool:
    """Judge a packet by the words of the policy alone."""
    packet, way = told.packet, told.way
    if isinstance(way, int):
        mine = WAYS[way]
        own = {mine: tuple(t for t in BEHIND[mine] if t in _behind(way))}
        if zone_of(packet.source, own) is None:
            return False
    else:
        if zone_of(packet.source, INSIDE) is not None:
            return False  # a forged source
        mine = zone_of(packet.source, {k: BEHIND[k] for k in ("partner", "outside")}) or ""
    theirs = zone_of(packet.target, BEHIND)
    if theirs is None or mine == theirs:
        return mine == theirs and mine != "outside" and isinstance(way, int)
    for protocol, first, last in MAY.get((mine, theirs), ()):
        if packet.protocol == protocol and first <= packet.target_port <= last:
            return True
    for protocol, first, last in MAY.get((theirs, mine), ()):
        answer = protocol == "udp" or packet.answer
        if packet.protocol == protocol and first <= packet.source_port <= last and answer:
            return True
    return False


def _behind(way: int) -> tuple[str, ...]:
    subnet = {110: "10.110.0.0/24", 111: "10.111.0.0/24", 112: "2001:db8:112::/64"}[way]
    return (subnet, *(("10.200.0.0/16", "2001:db8:200::/48") if way == 111 else ()))


def drawn(rng: random.Random) -> Told:
    """Draw a packet that is near some prefix of the policy, and a way in."""
    ways: list[int | str] = [110, 111, 112, "red_isp", "red_dmz"]
    way = rng.choice(ways)
    version = 6 if way == 112 or rng.random() < 0.2 else 4
    nets = [ip_network(text) for texts in BEHIND.values() for text in texts]
    some = [net for net in nets if net.version == version]
    ends = [int(net.network_address) + rng.randrange(4, 200) for net in rng.choices(some, k=2)]
    bits = 32 if version == 4 else 128
    source, target = (Ip(value, bits, version) for value in ends)
    packet = Packet(
        source,
        target,
        rng.choice(["tcp", "udp"]),
        rng.choice(PORTS),
        rng.choice(PORTS),
        answer=rng.random() < 0.5,
    )
    return Told(way, packet)


def test_lists_allow_what_flows_say_and_nothing_else() -> None:
    rng, made = random.Random(7), zones()
    ways: dict[int | str, Guard] = {}
    ways.update((way, guard) for way, guard in made.vlans.items())
    ways.update((way, guard) for way, guard in made.peers.items())
    results = []
    for told in (drawn(rng) for _ in range(8000)):
        result, rule = ways[told.way].allows(told.packet)
        assert result is allowed(told), (told, rule)
        results.append(result)
    assert 800 < sum(results) < 7200
