"""Read BGP, BFD, routes and access lists from answers of eAPI."""

import re
from collections.abc import Mapping
from ipaddress import ip_network
from typing import Any

from fabricgen.core.tree.facts import FALSE, TRUE, Attributes, Facts
from fabricgen.nos.eos.grammar import GRAMMAR
from fabricgen.nos.questions import path_key
from fabricgen.nos.show import ESTABLISHED

FAMILIES = {"ipv4Unicast": "ipv4", "ipv6Unicast": "ipv6", "l2VpnEvpn": "evpn"}
_PORT = re.compile(r"fe80:[0-9a-fA-F:]*%Et(\d[\d/]*)$")
_NEGOTIATED = "negotiated"


def peer_name(peer: str) -> str:
    """Return the name of a session in the model: for a link-local peer of a port, that port.

    EOS writes `fe80::1%Et29/1` (napalm-automation/napalm, test_get_bgp_neighbors/issue1759).
    """
    match = _PORT.match(peer)
    return f"Ethernet{match[1]}" if match else peer


def plain_asn(asn: Any) -> str:
    """Return an ASN as a number; `asn notation asdot` shows `65002.2048`."""
    high, dot, low = str(asn).partition(".")
    return str((int(high) << 16) + int(low)) if dot else high


def sessions(answer: Mapping[str, Any]) -> Facts:
    """Return the BGP sessions with their state, remote ASN and address families."""
    return {
        ("session", vrf, peer_name(peer)): _session(own)
        for vrf, shown in answer["vrfs"].items()
        for peer, own in shown.get("peers", {}).items()
    }


def _session(own: Mapping[str, Any]) -> Attributes:
    """Return one session, with its ASN first: that names a session outside the model.

    Families of an established session are the negotiated ones.
    """
    state = str(own["peerState"])
    found: Attributes = {"asn": plain_asn(own["peerAsn"])} if "peerAsn" in own else {}
    return found | {"families": _families(own, up=state == ESTABLISHED), "state": state}


def _families(own: Mapping[str, Any], *, up: bool) -> tuple[str, ...]:
    told = {name: own[word] for word, name in FAMILIES.items() if isinstance(own.get(word), dict)}
    return tuple(
        sorted(
            name
            for name, table in told.items()
            if not up or table.get("afiSafiState", _NEGOTIATED) == _NEGOTIATED
        )
    )


def named(answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return a BGP summary whose peers have the names of the model."""
    return {
        "vrfs": {
            vrf: {"peers": {peer_name(peer): own for peer, own in shown.get("peers", {}).items()}}
            for vrf, shown in answer["vrfs"].items()
        }
    }


def policies(answer: Mapping[str, Any]) -> Facts:
    """Return the directions in which each session has a route map."""
    facts: Facts = {}
    for vrf, shown in answer["vrfs"].items():
        for own in shown.get("peerList", ()):
            bound = [
                way
                for way, key in (("in", "routeMapInbound"), ("out", "routeMapOutbound"))
                if own.get(key)
            ]
            facts["session", vrf, peer_name(own["peerAddress"])] = {"policies": tuple(bound)}
    return facts


def bfd(answer: Mapping[str, Any]) -> Facts:
    """Return the BFD sessions with their timers, which are in microseconds."""
    facts: Facts = {}
    for vrf, shown in answer["vrfs"].items():
        for family in ("ipv4Neighbors", "ipv6Neighbors"):
            for peer, neighbor in shown.get(family, {}).items():
                for own in neighbor["peerStats"].values():
                    facts["bfd", vrf, peer_name(peer)] = _watched(own)
    return facts


def _watched(own: Mapping[str, Any]) -> Attributes:
    detail = own.get("peerStatsDetail", {})
    found: Attributes = {"state": str(own["status"])}
    if "operTxInterval" in detail and "detectMult" in detail:
        interval = int(detail["operTxInterval"]) // 1000
        found["timers"] = f"{interval} ms times {int(detail['detectMult'])}"
    return found


def routes(answer: Mapping[str, Any]) -> Facts:
    """Return the ports of routes, and whether the chip has them."""
    facts: Facts = {}
    for vrf, shown in answer["vrfs"].items():
        for prefix, own in shown["routes"].items():
            ports = {str(via["interface"]) for via in own["vias"] if "interface" in via}
            facts["route", vrf, prefix] = {"ports": tuple(sorted(ports))}
            chip = own.get("hardwareProgrammed")
            if chip is not None:
                facts["hardware", vrf, prefix] = {"programmed": TRUE if chip is True else FALSE}
    return facts


def path(answer: Mapping[str, Any], vrf: str, address: str) -> Facts:
    """Return the route to one address: the longest prefix of the answer.

    A packet that is dropped has another `routeAction` than `forward` (ANTA's data of
    VerifyRoutingTableEntry has both keys).
    """
    found = answer["vrfs"].get(vrf, {}).get("routes", {})
    if not found:
        return {path_key(vrf, address): {"ports": (), "via": (), "effect": "no route"}}
    prefix = max(found, key=lambda each: ip_network(each).prefixlen)
    own = found[prefix]
    vias = own.get("vias", ())
    ends = {str(end) for via in vias if (end := via.get("vtepAddr") or via.get("nexthopAddr"))}
    shown: Attributes = {
        "prefix": prefix,
        "ports": tuple(sorted({str(via["interface"]) for via in vias if "interface" in via})),
        "via": tuple(sorted(ends)),
    }
    action = str(own.get("routeAction", "forward"))
    if action != "forward":
        shown |= {"ports": (), "effect": action}
    return {path_key(vrf, address): shown}


_LISTS = ("ZONE-", "ZONE6-")


def rules(answer: Mapping[str, Any], family: str) -> Facts:
    """Return the rules of access lists between zones, with the grammar of the rendered lines.

    Raises ValueError if a rule has no known form, since its meaning is then unknown.
    """
    facts: Facts = {}
    for own in answer["aclList"]:
        name = str(own["name"])
        lines = [f"   {int(each['sequenceNumber'])} {each['text']}" for each in own["sequence"]]
        if name.startswith(_LISTS) and lines:
            head = f"{family} access-list {name}"
            reading = GRAMMAR["eos.cfg"].read("\n".join((head, *map(_line, lines), "")))
            if reading.unclaimed:
                raise ValueError(f"access list {name}: unknown rule")
            facts |= {key: told for key, told in reading.facts.items() if key[0] == "rule"}
    return facts


def _line(line: str) -> str:
    return " " * 3 + " ".join(line.split())
