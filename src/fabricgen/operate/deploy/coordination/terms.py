"""Derive from a switch's facts the terms on which other switches must agree.

A fact has two ends when the protocol works only if another switch has the same value. Examples are
the ASN that a neighbor expects and the VNI of a VLAN on every leaf. Only those facts are stored,
and of a snapshot only the changing ones: facts of thousands of switches would not fit into memory.
"""

from __future__ import annotations

import threading
from functools import lru_cache
from ipaddress import ip_address, ip_interface
from typing import TYPE_CHECKING, Any, NamedTuple

from fabricgen.core.tree.facts import GLOBAL, TRUE, Facts, Value, add
from fabricgen.prove.written import judge_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from fabricgen.prove.written import Judge


class Item(NamedTuple):
    """Key of a term: `link swp29 asn`, `vlan 100 vni`, `switch  asn`."""

    kind: str
    name: str
    word: str


SWITCH, LINK, EVPN, VLAN, VRF, TUNNEL = "switch", "link", "evpn", "vlan", "vrf", "tunnel"
DRAIN = "drain"
"""Set on a drained switch, for policies towards all peers of a side.
No other switch must match it, but the steps depend on it.
"""
CABLES = "cables"
"""Set on a switch whose sessions move to other ports: the old and the new ports."""
ASN, PASSWORD, PEER, ADDRESS, FAMILIES, BFD, TIMERS, MTU, AREA = (
    "asn",
    "password",
    "peer",
    "address",
    "families",
    "bfd",
    "timers",
    "mtu",
    "area",
)
VNI, IMPORT, EXPORT, PORT, MAC = "vni", "import", "export", "port", "anycast-mac"
Terms = dict[Item, Value]
Changed = dict[Item, tuple[Value | None, Value | None]]
"""Old and new value; None where a side has no value."""

OLD, NEW = "old", "new"
"""Replacements of a password: no switch shows it, and each has its own token or encoding."""
_SESSION = (ASN, FAMILIES, BFD, TIMERS)
_SEGMENT = (VNI, IMPORT, EXPORT)


@lru_cache(maxsize=16384)
def _item(kind: str, name: str, word: str) -> Item:
    """Return one shared object for the same item of thousands of switches."""
    return Item(kind, name, word)


def compared(
    platform: str, before: Mapping[str, str], after: Mapping[str, str]
) -> tuple[Changed, tuple[str, ...]]:
    """Compare the files of both sides; return the changed terms and unreadable lines.

    Of each file, the first line without a grammar is returned. If the changed files contain the
    same facts, no other file is read. An unchanged file is read once.
    """
    judge = judge_of(platform)
    if judge is None:
        return {}, (f"{platform} has no grammar: its files are not read",)
    paths = [path for path in dict.fromkeys((*before, *after)) if _speaks(judge, path)]
    other = [path for path in paths if before.get(path) != after.get(path)]
    with _ONE:
        sides = [_read(judge, other, files) for files in (before, after)]
        unread = sides[0][1]
        was, will = sides[0][0], sides[1][0]
        if was == will:
            return {}, unread
        both, _ = _read(judge, [path for path in paths if path not in other], before)
        for key, attributes in both.items():
            add(was, key, attributes)
            add(will, key, attributes)
        now, then = terms_of(was), terms_of(will)
        homes = _homes(judge, was, now), _homes(judge, will, then)
        return changed(_renumbered(now, *homes), then), unread


def _homes(judge: Judge, facts: Facts, stated: Terms) -> dict[Value, str]:
    """Return the id of each VLAN with a VNI, by its gateway and VRF."""
    found: dict[Value, str] = {}
    for vlan in (item.name for item in stated if item.kind == VLAN and item.word == VNI):
        gateway = facts.get(("interface", judge.names.gateway(int(vlan))), {})
        if ADDRESS in gateway:
            found[(str(gateway.get("vrf")), *map(str, gateway[ADDRESS]))] = vlan
    return found


def _renumbered(before: Terms, was: Mapping[Value, str], will: Mapping[Value, str]) -> Terms:
    """Rename a VLAN that gets another id: the servers in its subnet are the same."""
    ids = {old: will[home] for home, old in was.items() if will.get(home, old) != old}
    if not ids:
        return before
    taken = {*ids.values()}
    return {
        item._replace(name=ids.get(item.name, item.name)) if item.kind == VLAN else item: value
        for item, value in before.items()
        if item.kind != VLAN or item.name in ids or item.name not in taken
    }


_ONE = threading.Lock()
"""Facts of a switch take megabytes, so only one of many simultaneous snapshots is read at a time.
"""
_KINDS = frozenset(
    {"bgp", "ospf", "session", "interface", "vlan", "vni", "vrf", "vtep", "bfd", "switch"}
)


def _speaks(judge: Judge, path: str) -> bool:
    """Check whether a file contains facts with two ends."""
    return any(kind in _KINDS for kind, _ in judge.witness(path).about)


def _read(
    judge: Judge, paths: Iterable[str], files: Mapping[str, str]
) -> tuple[Facts, tuple[str, ...]]:
    """Return the facts of some files, and the first line per file without a grammar."""
    facts, strange = judge.facts({path: files.get(path, "") for path in paths})
    unread = []
    for path in filter(files.__contains__, strange):  # a new switch has no files yet
        (number, line), *more = judge.witness(path).trace(files[path]).unclaimed
        unread.append(
            f"{path}:{number} {line.strip()}" + (f" and {len(more)} more" if more else "")
        )
    return {key: own for key, own in facts.items() if key[0] in _KINDS}, tuple(unread)


def terms_of(facts: Facts) -> Terms:
    """Return the terms of a switch's facts."""
    return dict(_terms(facts))


def _terms(facts: Facts) -> Iterator[tuple[Item, Value]]:
    ports = _ports(facts)
    for key, attributes in facts.items():
        if key[0] == "session" and key[1] == GLOBAL and "template" not in attributes:
            yield from _session(key[2], attributes, facts, ports)
        elif key[0] == "interface":
            for word in (MTU, ADDRESS):
                if word in attributes:
                    yield _item(LINK, key[1], word), attributes[word]
            if AREA in attributes and "vrf" not in attributes:
                yield _item(LINK, key[1], AREA), attributes[AREA]
    yield from _own(facts)
    yield from _segments(facts)


def _own(facts: Facts) -> Iterator[tuple[Item, Value]]:
    bgp, tunnel = facts.get(("bgp", GLOBAL), {}), facts.get(("vtep",), {})
    if ASN in bgp:
        yield _item(SWITCH, "", ASN), bgp[ASN]
    if PORT in tunnel:
        yield _item(TUNNEL, "", PORT), tunnel[PORT]
    gateways = (each for key, each in facts.items() if key[0] == "interface" and _anycast(each))
    macs = {str(each["mac"]) for each in gateways}
    if mac := facts.get(("switch",), {}).get(MAC):
        macs.add(str(mac))
    if macs:
        yield _item(TUNNEL, "", MAC), tuple(sorted(macs))
    if _drains(facts):
        yield _item(DRAIN, "", DRAIN), TRUE


def _drains(facts: Facts) -> bool:
    """Check whether a switch advertises longer paths in a session template or on each link.

    With OSPF, its links have the highest metric.

    FRR's peers include the settings of their groups.
    """
    if facts.get(("ospf", GLOBAL), {}).get("avoided") == TRUE:
        return True
    sessions = [own for key, own in facts.items() if key[:2] == ("session", GLOBAL)]
    told = [own["out"] for own in sessions if "out" in own and "source" not in own]
    groups = [own["out"] for own in sessions if "out" in own and "template" in own]
    return any(map(longer, groups)) or (bool(told) and all(map(longer, told)))


def is_drained(terms: Terms) -> bool:
    """Check whether the terms of a switch make its neighbors avoid it."""
    return _item(DRAIN, "", DRAIN) in terms


def longer(policy: Any) -> bool:
    """Check whether a policy, as clauses of words and values, makes paths longer."""
    return any("prepend" in dict(clause) for clause in policy or ())


def _anycast(attributes: Mapping[str, Value]) -> bool:
    """Distinguish a gateway from the bridge, which has a MAC of its own."""
    return "mac" in attributes and ("anycast" in attributes or "vlan" in attributes)


def _session(
    peer: str, attributes: Mapping[str, Value], facts: Facts, ports: Mapping[str, str]
) -> Iterator[tuple[Item, Value]]:
    """Yield the terms of a session, named by its port; by its peer between loopbacks."""
    port = peer if ("interface", peer) in facts else ports.get(peer, "")
    kind, name = (LINK, port) if port else (EVPN, peer)
    for word in _SESSION:
        if word in attributes:
            yield _item(kind, name, word), attributes[word]
    yield _item(kind, name, PASSWORD), attributes.get(PASSWORD, "")
    timers = facts.get(("bfd",))
    if timers and BFD in attributes and TIMERS not in attributes:
        yield _item(kind, name, TIMERS), tuple(sorted(timers.items()))
    if port and port != peer:
        yield _item(LINK, name, PEER), peer
    if not port:
        source = facts.get(("interface", str(attributes.get("source", ""))), {})
        yield _item(EVPN, name, ADDRESS), source.get("address", ())


def _ports(facts: Facts) -> dict[str, str]:
    """Map the address of each neighbor on a numbered link to the local port."""
    found = {}
    for key, attributes in facts.items():
        if key[0] == "interface" and "vrf" not in attributes:
            for address in attributes.get(ADDRESS, ()):
                other = _other_end(str(address))
                if other:
                    found[other] = key[1]
    return found


@lru_cache(maxsize=16384)
def _other_end(address: str) -> str:
    """Return the other address of a point-to-point link; empty for other prefix lengths."""
    try:
        interface = ip_interface(address)
    except ValueError:
        return ""
    if interface.network.num_addresses != 2:
        return ""
    return str(ip_address(int(interface.ip) ^ 1))


def _segments(facts: Facts) -> Iterator[tuple[Item, Value]]:
    """Yield VNI and route targets of each VLAN and VRF for all platforms."""
    routed = {each[VNI] for key, each in facts.items() if key[0] == VRF and VNI in each}
    for key, attributes in facts.items():
        if key[0] in (VLAN, VRF):
            name = key[1]
        elif key[0] == "interface" and VNI in attributes:
            name = str(attributes.get("untagged", ""))
        else:
            continue
        kind = VRF if key[0] == VRF else VLAN
        if VNI not in attributes or (kind == VLAN and attributes[VNI] in routed):
            continue
        targets = facts.get(("vni", str(attributes[VNI])), attributes)
        for word, value in (
            (VNI, attributes[VNI]),
            *((it, targets.get(it)) for it in _SEGMENT[1:]),
        ):
            if value is not None:
                yield _item(kind, name, word), value


def changed(before: Terms, after: Terms) -> Changed:
    """Return the changed terms; of links, VLANs and VRFs only those that existed before.

    A new object interrupts nothing, because it starts with the values of all others.
    """
    found: Changed = {}
    kept = {value for item, value in after.items() if item.word == PASSWORD}
    for item in before.keys() | after.keys():
        was, will = before.get(item), after.get(item)
        if was != will and (was is not None or _stood(item, before)):
            found[item] = (
                was and unspelled(item, was, NEW if was in kept else OLD),
                will and unspelled(item, will),
            )
    had, has = (
        tuple(sorted(item.name for item in terms if item.kind == LINK and item.word == ASN))
        for terms in (before, after)
    )
    if {*had} - {*has} and {*has} - {*had}:
        found[_item(CABLES, "", CABLES)] = had, has
    return found


def unspelled(item: Item, value: Value, meant: str = NEW) -> Value:
    """Return the value as the other end sees it; `meant` for a password."""
    return meant if item.word == PASSWORD and value else value


def _stood(item: Item, before: Terms) -> bool:
    """Check whether a new value belongs to an existing session, or may be its new name."""
    if item.kind == LINK and item.word in (PEER, ADDRESS, BFD):
        return _item(LINK, item.name, ASN) in before
    return item.kind == EVPN
