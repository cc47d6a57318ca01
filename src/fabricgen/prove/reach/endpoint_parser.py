"""Parses the ends of a reachability question: a server, VLAN, VRF, prefix or external router."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from ipaddress import ip_address, ip_network

from fabricgen.prove.reach.stand import Stand
from fabricgen.prove.walk.packet import Prefix

MANAGEMENT, OUTSIDE = "management", "outside:"


def named(word: str, stands: Sequence[Stand]) -> list[Stand]:
    """Return the stations that a word means; none if it means nothing here.

    A server or one of its interfaces (`gpu0001`, `gpu0001:eth0`), a kind of servers (two of each
    class of alike servers answer for it), a VLAN or VRF by its name, a
    router outside (`outside:isp1`), `management` (management ports that are cabled), or an address
    or prefix: who stands in it, else a router outside that may announce it.
    """
    prefix = _prefix(word)
    if prefix is not None:
        return list(_within(prefix, stands)) or list(_announced(prefix, stands))
    return [each for each in stands if word and word in _names(each)]


def known_words(stands: Sequence[Stand]) -> list[str]:
    """Return the names that `named` accepts, without those of single interfaces."""
    return sorted({name for each in stands for name in _names(each)[1:] if name})


def _names(each: Stand) -> tuple[str, ...]:
    """Return all names of a station."""
    station, vlan, managed = each.station, each.vlan, each.fabric.managed
    network = each.nic.network if each.nic is not None else ""
    mine = managed is not None and (station.node, network) in managed.ends
    return (
        station.name,
        station.node if not station.outside else f"{OUTSIDE}{station.node}",
        station.network,
        each.kind,
        each.vrf or "",
        vlan.name if vlan is not None else "",
        MANAGEMENT if mine else "",
    )


def _within(prefix: Prefix, stands: Sequence[Stand]) -> Iterator[Stand]:
    """Yield who has an address of a prefix; of one address that nobody has, any of its subnet."""
    near = None
    found = False
    for each in stands:
        own = each.station.address(prefix.version)
        if own is None or each.peer is not None:
            continue
        if own.ip in prefix:
            found = True
            yield each
        elif near is None and prefix.prefixlen == prefix.max_prefixlen:
            near = each if prefix.network_address in own.network else None
    if near is not None and not found:
        own = near.station.address(prefix.version)
        assert own is not None
        text = f"{prefix.network_address}/{own.network.prefixlen}"
        yield replace(near, station=replace(near.station, addresses=(text,)))


def _announced(prefix: Prefix, stands: Sequence[Stand]) -> Iterator[Stand]:
    """Yield who is behind a static route or a router outside to a prefix, with an address of it."""
    for each in stands:
        rules = each.peer.accept if each.peer is not None else ()
        leads = [each.route.prefix] if each.route is not None else [rule.prefix for rule in rules]
        for prefix_ in leads:
            wide = ip_network(prefix_.prefix)
            if wide.version == prefix.version and prefix.network_address in wide:
                text = f"{ip_address(int(prefix.network_address))}/{prefix.prefixlen}"
                yield replace(each, station=replace(each.station, addresses=(text,)))
                break


def _prefix(word: str) -> Prefix | None:
    try:
        return ip_network(word, strict=False)
    except ValueError:
        return None
