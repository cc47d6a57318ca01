"""Finds addresses on two switches and subnets on several links."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations

from fabricgen.core.diagnostics import Code, Diagnostic, Examined, Severity, shortened
from fabricgen.prove.foreign.network import Held, Network
from fabricgen.prove.foreign.switch import finding
from fabricgen.prove.invariants.switch import plain
from fabricgen.prove.walk.packet import Address, Prefix, interface
from fabricgen.prove.walk.values import words

NAME, NOUN = "addresses", "addresses"
_LINK = 4
"""Maximum addresses of a link subnet: a /30, /31, /126 or /127."""


def judge(network: Network) -> Examined:
    """Check the addresses of all switches."""
    crowded = {each for held in network.subnets.values() if _crowded(held) for each in held}
    found = [*_links(network), *_twice(network, crowded), *_within(network), *_told(network)]
    return Examined(
        check=NAME,
        objects=len(network.held),
        noun=NOUN,
        findings=shortened(found, "faults of addresses"),
    )


def _spelled(held: list[Held]) -> str:
    names = [each.end for each in held[:6]]
    return ", ".join(names) + (f" and {len(held) - 6} more" if len(held) > 6 else "")


def _where(vrf: str) -> str:
    return "" if vrf == "default" else f" of VRF {vrf}"


def _crowded(held: list[Held]) -> bool:
    """Return whether a link subnet is on more than two ports."""
    return held[0].address.network.num_addresses <= _LINK and any(
        len(group) > 2 for group in _apart(held).values()
    )


def _apart(held: list[Held]) -> dict[str, list[Held]]:
    """Return the holders by MLAG pair; several pairs may repeat an internal address."""
    groups: dict[str, list[Held]] = defaultdict(list)
    for each in held:
        if not each.shared:
            groups[each.pair].append(each)
    return groups


def _said(code: Code, sentence: str, held: list[Held]) -> Diagnostic:
    places = [each.switch.place(each.key, "address") for each in held]
    return finding(code, sentence, *places)


def _links(network: Network) -> Iterator[Diagnostic]:
    """Yield link subnets on more than one link."""
    for (vrf, subnet), held in network.subnets.items():
        for group in _apart(held).values() if _crowded(held) else ():
            links = -(-len(group) // 2)
            said = f"{subnet}{_where(vrf)} is on {links} links: {_spelled(group)}"
            if len(group) > 2:
                yield _said(Code.JUDGED_SUBNET, said, group)


def _twice(network: Network, crowded: set[Held]) -> Iterator[Diagnostic]:
    """Yield addresses on several ports, except gateways and tunnel endpoints of pairs."""
    every: dict[tuple[str, Address, str], list[Held]] = defaultdict(list)
    for each in network.held:
        if each not in crowded and not each.address.is_link_local and not each.shared:
            tunnel = str(each.address.ip) == each.switch.tables.vtep
            if not tunnel and not each.address.ip.is_loopback:
                every[each.vrf, each.address.ip, each.pair].append(each)
    for (vrf, address, _), held in every.items():
        if len(held) > 1 and not _lent(held):
            said = f"{address}{_where(vrf)} is configured on {_spelled(held)}"
            yield _said(Code.JUDGED_ADDRESS, said, held)


def _lent(held: list[Held]) -> bool:
    """Return whether a Linux switch uses its loopback's address on its unnumbered ports."""
    alone = all(h.address.network.prefixlen == h.address.max_prefixlen for h in held)
    return alone and len({h.switch for h in held}) == 1 and any(h.port.name == "lo" for h in held)


def _told(network: Network) -> Iterator[Diagnostic]:
    """Yield single addresses that a switch advertises but only another switch has."""
    for switch in network.switches:
        for key, own in switch.facts.items():
            told = words(own.get("network", ())) if key[0] == "bgp" else ()
            for address in map(interface, told):
                held = [h for h in network.having.get(address.ip, ()) if h.vrf == plain(key[1])]
                alone = address.network.prefixlen == address.max_prefixlen
                if alone and held and all(h.switch is not switch for h in held):
                    said = f"{switch.name} advertises {address.ip}, which belongs to {held[0].end}"
                    places = (
                        switch.place(key, "network"),
                        held[0].switch.place(held[0].key, "address"),
                    )
                    yield finding(Code.JUDGED_ADDRESS, said, *places, severity=Severity.WARNING)


def _within(network: Network) -> Iterator[Diagnostic]:
    """Yield overlapping subnets, and those on two ports of one switch or in two VLANs."""
    by_vrf: dict[tuple[str, int], list[Prefix]] = defaultdict(list)
    for vrf, subnet in network.subnets:
        by_vrf[vrf, subnet.version].append(subnet)
    for (vrf, _), every in by_vrf.items():
        open_: list[Prefix] = []
        for subnet in sorted(every, key=lambda each: (int(each.network_address), each.prefixlen)):
            while open_ and int(subnet.network_address) > int(open_[-1].broadcast_address):
                open_.pop()
            if open_:
                pair = [network.subnets[vrf, each][0] for each in (subnet, open_[-1])]
                said = (
                    f"{subnet}{_where(vrf)} on {pair[0].end} is inside {open_[-1]} on {pair[1].end}"
                )
                yield _said(Code.JUDGED_SUBNET, said, pair)
            open_.append(subnet)
    for (vrf, subnet), held in network.subnets.items():
        pair = _one_place(held)
        if pair and not _crowded(held):
            said = f"{subnet}{_where(vrf)} is on {pair[0].end} and on {pair[1].end}"
            yield _said(Code.JUDGED_SUBNET, said, pair)


def _one_place(held: list[Held]) -> list[Held]:
    """Return two ports of one switch with one subnet, or two gateways of different VLANs."""
    ports: dict[int, Held] = {}
    for each in held:
        other = ports.setdefault(id(each.switch), each)
        if other.port is not each.port:
            return [other, each]
    vlans = [each for each in held if each.vlan and not each.pair]
    for one, other in combinations(vlans[:64], 2):
        if one.vlan != other.vlan and (not _vni(one) or _vni(one) != _vni(other)):
            return [one, other]
    return []


def _vni(held: Held) -> int:
    bridge = held.switch.tables.bridges.get(held.vlan)
    return bridge.vni if bridge is not None else 0
