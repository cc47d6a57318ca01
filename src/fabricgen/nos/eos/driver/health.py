"""Read the health of an EOS switch with show commands.

Sources of the shapes: ANTA (anta/tests and its unit tests) for `show bgp
summary vrf all`, `show bfd peers` (both in revision 1) and `show mlag`. napalm/eos/eos.py has
`show interfaces` and `show lldp neighbors`. facebook/DNE-TaaC has the PFC watchdog's counters.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from napalm.base.exceptions import CommandErrorException

from fabricgen.nos.eos.driver import traffic
from fabricgen.nos.health import Health
from fabricgen.nos.traffic import Traffic

Run = Callable[[list[Any]], list[dict[str, Any]]]

_PORTS = ("Ethernet", "Port-Channel", "Management")

# No source shows their JSON. A guessed key would read as a counter that never grows.
NO_SOURCE = (
    "PFC pause frames: the JSON of `show priority-flow-control counters` is not documented",
    "drops of lossless classes: the JSON of `show interfaces counters queue` is not documented",
)


def sessions(answer: Mapping[str, Any]) -> dict[str, bool]:
    return {
        f"{vrf} {peer}": state.get("peerState") == "Established"
        for vrf, peer, state in _peers(answer)
    }


def routes(answer: Mapping[str, Any]) -> dict[str, int]:
    """Return received prefixes by family, including EVPN (l2VpnEvpn)."""
    return {
        f"{vrf} {peer} {family}": int(table["nlrisReceived"])
        for vrf, peer, state in _peers(answer)
        if state.get("peerState") == "Established"
        for family, table in state.items()
        if isinstance(table, dict) and "nlrisReceived" in table
    }


def _peers(answer: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    for vrf, shown in answer["vrfs"].items():
        for peer, state in shown.get("peers", {}).items():
            yield vrf, peer, state


def bfd(answer: Mapping[str, Any]) -> dict[str, bool]:
    up = {}
    for vrf, shown in answer["vrfs"].items():
        for family in ("ipv4Neighbors", "ipv6Neighbors"):
            for peer, neighbor in shown.get(family, {}).items():
                for source, stats in neighbor["peerStats"].items():
                    words = (vrf, peer, stats.get("l3intf") or source)
                    up[" ".join(filter(None, words))] = stats["status"] == "up"
    return up


_FORMED = {
    "state": "active",
    "negStatus": "connected",
    "peerLinkStatus": "up",
    "localIntfStatus": "up",
}


def pairs(answer: Mapping[str, Any]) -> dict[str, bool]:
    if answer["state"] == "disabled":
        return {}
    return {str(answer["domainId"]): all(answer[key] == well for key, well in _FORMED.items())}


def links(answer: Mapping[str, Any]) -> dict[str, bool]:
    return {
        name: port["lineProtocolStatus"] == "up"
        for name, port in _ports(answer)
        if port["interfaceStatus"] != "disabled"
    }


def errors(answer: Mapping[str, Any]) -> dict[str, int]:
    counted = {}
    for name, port in _ports(answer):
        counters = port.get("interfaceCounters", {})
        for word, key in (("receive", "totalInErrors"), ("transmit", "totalOutErrors")):
            if key in counters:
                counted[f"{name} {word} errors"] = int(counters[key])
    return counted


def _ports(answer: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name, shown in answer["interfaces"].items():
        if name.startswith(_PORTS) and "." not in name:
            yield name, shown


def cables(answer: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(
        f"{shown['port']} {shown['neighborDevice']} {shown['neighborPort']}"
        for shown in answer["lldpNeighbors"]
    )


def storms(answer: Mapping[str, Any]) -> dict[str, int]:
    """Return queues that the watchdog found stuck; a port is absent until its first event."""
    return {
        f"{port} queue {queue} stuck": int(counts.get("stuckCount", 0))
        for port, shown in answer.get("interfaces", {}).items()
        for queue, counts in shown.get("txQueues", {}).items()
    }


# EOS rejects the command without BGP (as users of ANTA report); that is a valid answer.
_NO_BGP = "BGP inactive"
_NONE: dict[str, Any] = {"vrfs": {}}


def look(run: Run) -> Health:
    """Run the commands one by one, so that an unsupported command affects only its own part."""
    unread = [*NO_SOURCE, *traffic.UNREAD]

    def ask(command: str, parts: tuple[Callable[[Any], Any], ...], revision: int = 0) -> list[Any]:
        """Return what each part reads from the answer; None for each if it is unreadable."""
        try:
            (answer,) = run([{"cmd": command, "revision": revision} if revision else command])
            return [part(answer) for part in parts]
        except CommandErrorException as error:
            if _NO_BGP in str(error):
                return [part(_NONE) for part in parts]
            unread.append(f"{command}: {error}")
        except (KeyError, TypeError, ValueError, OverflowError, AttributeError) as error:
            unread.append(f"{command}: unexpected shape of the answer ({type(error).__name__})")
        return [None] * len(parts)

    up, received = ask("show bgp summary vrf all", (sessions, routes), revision=1)
    (watched,) = ask("show bfd peers", (bfd,), revision=1)
    (formed,) = ask("show mlag", (pairs,))
    ports, counted = ask("show interfaces", (links, errors))
    (neighbors,) = ask("show lldp neighbors", (cables,))
    (stuck,) = ask("show priority-flow-control counters watchdog", (storms,))
    (members,) = ask("show lacp interface", (traffic.bundles,))
    vnis, vrfs = ask("show vxlan vni", (traffic.vnis, traffic.vrfs))
    bound = bool(vnis or vrfs)
    tunnels = ask("show interfaces vxlan 1", (traffic.source, traffic.flooding)) if bound else ()
    vtep, far = tunnels or (None, None)
    (known,) = ask("show arp vrf all", (traffic.servers,)) if bound else (None,)
    return Health(
        sessions=up or {},
        bfd=watched or {},
        pairs=formed or {},
        links=ports or {},
        cables=neighbors or frozenset(),
        routes=received or {},
        errors={**(counted or {}), **(stuck or {})},
        unread=tuple(unread),
        traffic=Traffic(
            vtep=vtep or "",
            vlans=traffic.vlans(vnis or {}, far or {}, known or {}),
            vrfs=vrfs or {},
            bundles=members or {},
        ),
    )
