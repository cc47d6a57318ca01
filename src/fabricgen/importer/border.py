"""Reads border leafs: peers, static routes and data-center interconnects."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from ipaddress import ip_address, ip_interface, ip_network
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from fabricgen.core.tree.facts import TRUE, Attributes, Value
from fabricgen.importer.keys import keys_of
from fabricgen.importer.tree import said
from fabricgen.model.fabric.external import USUAL_LIMIT
from fabricgen.model.settings.sessions import MaxPrefixes
from fabricgen.prove.foreign.switch import number
from fabricgen.prove.invariants.switch import plain
from fabricgen.prove.walk.values import text, words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabricgen.importer.seats import Floor
    from fabricgen.importer.tree import Fragment
    from fabricgen.prove.foreign.switch import Judged
    from fabricgen.prove.walk.packet import Address


_DEFAULTS = {4: "0.0.0.0/0", 6: "::/0"}
_PREFER = {"200": "primary", "50": "backup"}
_REFERENCE = re.compile(r"<<secret:(?:bgp7:\S*@)?((?:env|file|vault):[^>]+)>>")
"""The place of a secret in rendered files. Other files have its text, which stays there."""


def border(sessions: Iterable[Attributes], *, watched: bool, secret: str) -> Fragment:
    """Return the session settings of a peer, from the first address family that has each.

    The argument `watched` means that sessions of the fabric have BFD. `secret` is the reference for
    a password in clear text.
    """
    own: Attributes = {}
    for each in sessions:
        own = {**each, **own}
    into, out = clause(own.get("in")), clause(own.get("out"))
    return said(
        origins=[
            int(each[1:-1]) for each in permitted(into.get("origins")) if each[1:-1].isdigit()
        ],
        communities=said(
            require=permitted(into.get("community")),
            mark=list(words(into.get("communities"))),
            send=list(words(out.get("communities"))),
        ),
        max_prefixes=limit(own, USUAL_LIMIT),
        prefer=_PREFER.get(text(into.get("preference"))),
        local_asn=number(text(own.get("local-as"))),
        private_asns="remove" if own.get("hides-private") == TRUE else None,
        password=reference(text(own["password"]), secret) if "password" in own else None,
        bfd=False if watched and own.get("bfd") != TRUE else None,
    )


def limit(own: Attributes, usual: MaxPrefixes) -> Fragment:
    """Return the prefix limit of a session with its action, if it is unusual."""
    most = keys_of(MaxPrefixes, [own]) if own.get("most") != "0" else {}
    return most if most != {"count": usual.count, "action": usual.action} else {}


def reference(written: str, otherwise: str) -> str:
    """Return the reference of a secret from the file, or a new one to fill in."""
    match = _REFERENCE.search(written)
    return match[1] if match else otherwise


def clause(policy: Value | None) -> Mapping[str, Value]:
    """Return the content of the only clause of a policy. None for several clauses."""
    clauses = policy if isinstance(policy, tuple) else ()
    return dict(clauses[0]) if len(clauses) == 1 else {}


def accepted(policies: Iterable[Value | None]) -> list[Any]:
    """Return accepted prefixes: the first of each address family, then the second, and so on."""
    lists = [prefixes(clause(policy).get("prefixes")) for policy in policies]
    rows = zip_longest(*lists)
    return [each for row in rows for each in row if each is not None]


def defaults(versions: Iterable[int]) -> list[str]:
    """Return the default of accepted prefixes."""
    return [_DEFAULTS[version] for version in sorted(versions)]


def prefixes(listed: Value | None) -> list[Any]:
    """Return the prefixes of a list as intent keys: plain, or with their lengths."""
    made: list[Any] = []
    for spelled in permitted(listed):
        prefix, _, lengths = spelled.partition(",")
        least, _, most = lengths.partition("-")
        made.append(_range(prefix, int(least), int(most)))
    return made


def _range(prefix: str, least: int, most: int) -> Any:
    network = ip_network(prefix)
    if least == most == network.prefixlen:
        return prefix
    longer = least != network.prefixlen
    le = most if most != network.max_prefixlen or not longer else None
    return said(prefix=prefix, ge=least if longer else None, le=le)


def permitted(entries: Value | None) -> list[str]:
    """Return the prefixes that the lists of a match permit."""
    lists: tuple[Any, ...] = entries if isinstance(entries, tuple) else ()
    return [text for each in lists for action, text in each if action == "permit"]


def routes(floor: Floor, vrf: str) -> Fragment:
    """Return the static routes of a VRF by hosts in its VLANs, without routes of external peers.

    The design has them on each leaf where the host may be. Routes on fewer leafs are custom.
    """
    found: Counter[tuple[str, str]] = Counter()
    told: dict[str, None] = {}
    for _, judged in floor.leafs:
        for key, own in judged.facts.items():
            if key[0] == "route" and plain(key[1]) == vrf:
                near = [via for via in words(own.get("via")) if _inside(judged, via, vrf)]
                found.update((key[2], via) for via in near)
            if key[0] == "session" and plain(key[1]) == vrf:
                listed = permitted(clause(own.get("out")).get("prefixes"))
                told |= dict.fromkeys(each.partition(",")[0] for each in listed)
    place = {prefix: number for number, prefix in enumerate(told)}
    ordered = sorted(
        (route for route, many in found.items() if 2 * many > _able(floor, route[1], vrf)),
        key=lambda route: place.get(route[0], len(place)),
    )
    return said(
        routes=[
            said(to=prefix, by=via, announce=True if prefix in told else None)
            for prefix, via in ordered
        ]
    )


def _able(floor: Floor, via: str, vrf: str) -> int:
    """Return the number of leafs that have a next hop in a VLAN of the VRF."""
    return sum(_inside(judged, via, vrf) for _, judged in floor.leafs)


def _inside(judged: Judged, via: str, vrf: str) -> bool:
    """Check whether a next hop is in a VLAN of the VRF on this leaf, or a server on a port."""
    try:
        address: Address = ip_address(via)
    except ValueError:
        return False
    gateways = {id(port) for port in judged.tables.gateways.values()}
    return any(
        address in own.network
        for port in judged.tables.ports.values()
        if plain(port.vrf) == vrf and id(port) in gateways
        for own in port.addresses
    )


_ROOM = {4: (19,), 6: (112, 115)}
"""Lengths of pools with a pair of addresses per tag: `intent/model/dci.py`."""

Links = dict[str, "Fragment"]
Peers = dict[str, dict[str, "Fragment"]]
"""Interfaces by VRF and name."""


def joined(one: tuple[str, Links, Peers], other: tuple[str, Links, Peers]) -> Fragment:
    """Return the links between two fabrics, and remove them from the exits of both."""
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
    """Yield the VRFs that share a link and its name."""
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
    """Return the keys of a link. None if its ends do not match."""
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
    made: Fragment = {
        "ends": {
            fabric: {key: links[name][key] for key in ("leaf", "cages")} | {"asn": own["local_asn"]}
            for (fabric, links, _), own in sides
        },
        "vrfs": {vrf: own["vlan"] for vrf, own in near.items()},
    }
    both = {key: one[1][name][key] for key in ("mtu", "rate") if key in one[1][name]}
    more = {key: first[key] for key in ("bfd", "password") if key in first}
    return made | pools[0] | both | more


def _meet(one: Fragment, other: Fragment) -> bool:
    """Check whether the peers at both ends match."""
    ends = [(one[key], str(ip_interface(other[of]).ip)) for key, of in _ENDS if key in one]
    return (
        bool(ends)
        and all(peer == address for peer, address in ends)
        and one["vlan"] == other["vlan"]
        and one["asn"] == other.get("local_asn")
    )


_ENDS = (("peer", "address"), ("peer6", "address6"))


def _pools(near: Fragment, far: Fragment) -> Iterator[tuple[str, Any]]:
    """Yield the pools that contain the pair of this tag."""
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
