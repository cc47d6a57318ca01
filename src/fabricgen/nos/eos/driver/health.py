"""What eAPI answers to show commands in; the parts of Health out.

Shapes: ANTA (aristanetworks/anta, anta/tests and its unit tests) for `show bgp summary vrf all` and
`show bfd peers`, both in revision 1 as it asks for them; napalm/eos/eos.py for `show interfaces`
and `show lldp neighbors`; facebook/DNE-TaaC for the PFC watchdog's counters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_PORTS = ("Ethernet", "Port-Channel", "Management")

# No source shows the JSON of these; a guessed key would read as a counter that stands still.
NO_SOURCE = (
    "PFC pause frames: the JSON of `show priority-flow-control counters` is not documented",
    "drops of lossless classes: the JSON of `show interfaces counters queue` is not documented",
)


def sessions(answer: Mapping[str, Any]) -> dict[str, bool]:
    return {
        f"{vrf} {peer}": said.get("peerState") == "Established"
        for vrf, peer, said in _peers(answer)
    }


def routes(answer: Mapping[str, Any]) -> dict[str, int]:
    """Received prefixes by family, EVPN's (l2VpnEvpn) among them."""
    return {
        f"{vrf} {peer} {family}": int(table["nlrisReceived"])
        for vrf, peer, said in _peers(answer)
        if said.get("peerState") == "Established"
        for family, table in said.items()
        if isinstance(table, dict) and "nlrisReceived" in table
    }


def _peers(answer: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    for vrf, said in answer["vrfs"].items():
        for peer, state in said.get("peers", {}).items():
            yield vrf, peer, state


def bfd(answer: Mapping[str, Any]) -> dict[str, bool]:
    found = {}
    for vrf, said in answer["vrfs"].items():
        for family in ("ipv4Neighbors", "ipv6Neighbors"):
            for peer, neighbour in said.get(family, {}).items():
                for source, stats in neighbour["peerStats"].items():
                    words = (vrf, peer, stats.get("l3intf") or source)
                    found[" ".join(filter(None, words))] = stats["status"] == "up"
    return found


def links(answer: Mapping[str, Any]) -> dict[str, bool]:
    return {
        name: said["lineProtocolStatus"] == "up"
        for name, said in _ports(answer)
        if said["interfaceStatus"] != "disabled"
    }


def errors(answer: Mapping[str, Any]) -> dict[str, int]:
    found = {}
    for name, said in _ports(answer):
        counters = said.get("interfaceCounters", {})
        for word, key in (("receive", "totalInErrors"), ("transmit", "totalOutErrors")):
            if key in counters:
                found[f"{name} {word} errors"] = int(counters[key])
    return found


def _ports(answer: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name, said in answer["interfaces"].items():
        if name.startswith(_PORTS) and "." not in name:
            yield name, said


def cables(answer: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(
        f"{said['port']} {said['neighborDevice']} {said['neighborPort']}"
        for said in answer["lldpNeighbors"]
    )


def storms(answer: Mapping[str, Any]) -> dict[str, int]:
    """Queues that the watchdog found stuck; a port is absent until its first event."""
    return {
        f"{port} queue {queue} stuck": int(counts.get("stuckCount", 0))
        for port, said in answer.get("interfaces", {}).items()
        for queue, counts in said.get("txQueues", {}).items()
    }
