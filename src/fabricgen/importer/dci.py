"""Ways out of two fabrics in; those that lead to one another, as one link between sites, out."""

from __future__ import annotations

from ipaddress import ip_address, ip_interface, ip_network
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fabricgen.importer.tree import Fragment

_ROOM = {4: (19,), 6: (112, 115)}
"""Lengths of pools with a pair of addresses for every tag: `intent/model/dci.py`."""

Links = dict[str, "Fragment"]
Peers = dict[str, dict[str, "Fragment"]]
"""By VRF and name."""


def joined(one: tuple[str, Links, Peers], other: tuple[str, Links, Peers]) -> Fragment:
    """Return the links between two fabrics, and take them from the ways out of both."""
    made: Fragment = {}
    for name in [each for each in one[1] if each in other[1]]:
        ends = [dict(_on(name, side[2])) for side in (one, other)]
        words = _link(name, one, other, ends[0], ends[1])
        if words is not None:
            made[name] = words
            for _, links, peers in (one, other):
                del links[name]
                for vrf in ends[0]:
                    del peers[vrf][name]
    return made


def _on(name: str, peers: Peers) -> Iterator[tuple[str, Fragment]]:
    """Yield the VRFs that have a share of a link, which is called as the link is."""
    for vrf, every in peers.items():
        if every.get(name, {}).get("link") == name:
            yield vrf, every[name]


def _link(
    name: str,
    one: tuple[str, Links, Peers],
    other: tuple[str, Links, Peers],
    near: Mapping[str, Fragment],
    far: Mapping[str, Fragment],
) -> Fragment | None:
    """Return the words of a link; None where its ends are not those of one."""
    if not near or near.keys() != far.keys():
        return None
    if not all(_meet(near[vrf], far[vrf]) and _meet(far[vrf], near[vrf]) for vrf in near):
        return None
    first, second = next(iter(near.values())), next(iter(far.values()))
    pools = [dict(_pools(near[vrf], far[vrf])) for vrf in near]
    if any(each != pools[0] for each in pools) or "pool" not in pools[0]:
        return None
    sides = [(one, first), (other, second)]
    sides.sort(key=lambda side: ip_interface(side[1]["address"]).ip)
    said: Fragment = {
        "ends": {
            fabric: {key: links[name][key] for key in ("leaf", "cages")} | {"asn": own["local_asn"]}
            for (fabric, links, _), own in sides
        },
        "vrfs": {vrf: own["vlan"] for vrf, own in near.items()},
    }
    both = {key: one[1][name][key] for key in ("mtu", "rate") if key in one[1][name]}
    more = {key: first[key] for key in ("bfd", "password") if key in first}
    return said | pools[0] | both | more


def _meet(one: Fragment, other: Fragment) -> bool:
    """Tell whether the peer of one end is the other."""
    ends = [(one[key], str(ip_interface(other[of]).ip)) for key, of in _ENDS if key in one]
    return (
        bool(ends)
        and all(peer == address for peer, address in ends)
        and one["vlan"] == other["vlan"]
        and one["asn"] == other.get("local_asn")
    )


_ENDS = (("peer", "address"), ("peer6", "address6"))


def _pools(near: Fragment, far: Fragment) -> Iterator[tuple[str, Any]]:
    """Yield the pools of which the pair of this tag is a part."""
    for key, word in (("address", "pool"), ("address6", "pool6")):
        if key not in near:
            continue
        low = min(ip_interface(each[key]).ip for each in (near, far))
        first, bits = int(low) - 2 * near["vlan"], low.max_prefixlen
        for length in _ROOM[low.version]:
            if first >= 0 and first % (1 << (bits - length)) == 0:
                base = ip_address(first.to_bytes(bits // 8, "big"))
                yield word, str(ip_network(f"{base}/{length}"))
                break
