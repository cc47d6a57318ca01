"""Parses the ends of a reachability question: a server, VLAN, VRF, prefix or external router."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from ipaddress import ip_address, ip_network

from fabricgen.prove.reach.stand import Stand
from fabricgen.prove.walk.packet import Prefix

MANAGEMENT, OUTSIDE = "management", "outside:"


def named(word: str, stands: Sequence[Stand]) -> list[Stand]:
    """Return the stations of a word; none if it has no meaning here.

    The word is a server or one of its interfaces (`gpu0001`, `gpu0001:eth0`), a kind of servers
    (two of each class of equal servers represent it), a VLAN or VRF by its name, an external router
    (`outside:isp1`), `management` (cabled management ports), or an address or prefix. A prefix
    means the stations in it, else an external router that may advertise it.
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
    """Yield stations with an address of a prefix; for an unused address any of its subnet."""
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
    """Yield stations behind a static route or external router to a prefix."""
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
