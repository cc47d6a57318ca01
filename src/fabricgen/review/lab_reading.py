"""Reads the state of a lab from the output of one script per switch."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from fabricgen.nos.questions import Answer
from fabricgen.nos.shared.documents import answers, script
from fabricgen.nos.show import ESTABLISHED
from fabricgen.operate.lab.refused import refused_lines
from fabricgen.review.lab_snapshot import LabRoute, LabSession, Names, Snapshot

_COMMANDS = (
    ("routes", 'vtysh -c "show ip route vrf all json" -c "show ipv6 route vrf all json"'),
    ("bgp", 'vtysh -c "show bgp vrf all summary json"'),
    ("bfd", 'vtysh -c "show bfd peers json"'),
    ("running", 'vtysh -c "show running-config"'),
    ("file", "cat /etc/frr/frr.conf"),
    ("boot", "cat /run/frr/start.log"),
)
SCRIPT, STATE_SCRIPT = script(_COMMANDS), script(_COMMANDS[:3])
"""Shell scripts for a switch, complete and for its state alone. They write nothing."""
_ABSENT = re.compile(r"(bgpd|bfdd) is not running")
_ODD = (AttributeError, LookupError, TypeError, ValueError)
"""Errors of an answer with an unexpected shape."""
_NO_FACT = frozenset({"", "!", "end", "exit"})


def read_snapshot(outputs: Mapping[str, str], names: Names) -> Snapshot:
    """Return the state in the outputs of the script, without reachability."""
    found = Snapshot(switches=frozenset(outputs), sessions={}, routes={}, pairs={})
    sessions: dict[LabSession, str] = {}
    routes: dict[LabRoute, tuple[str, ...]] = {}
    unread: list[str] = []
    for switch, output in outputs.items():
        got = answers(output)
        try:
            routes |= _routes(switch, _documents(got["routes"]), names)
            sessions |= _bgp(switch, _documents(got["bgp"]), names)
            sessions |= _bfd(switch, _documents(got["bfd"]), names)
        except _ODD as error:
            unread.append(f"the state of {switch} could not be read: {error!r}")
    return replace(found, sessions=sessions, routes=routes, unread=tuple(unread))


def read_start(outputs: Mapping[str, str], names: Names) -> Snapshot:
    """Return the state in the outputs of the complete script, with the lines of the boot."""
    found = read_snapshot(outputs, names)
    refused: list[str] = []
    ignored: set[tuple[str, str]] = set()
    unread: list[str] = []
    for switch, output in outputs.items():
        got = answers(output)
        if lost := [
            key for key in ("running", "file", "boot") if key not in got or got[key].status
        ]:
            unread.append(f"{switch}: not known which lines FRR refused, without {', '.join(lost)}")
            continue
        refused += (f"{switch}: FRR refused {line}" for line in refused_lines(got["boot"].text))
        lines = ignored_lines(got["file"].text, got["running"].text)
        ignored |= {(switch, line) for line in lines}
    return replace(
        found,
        refused=tuple(refused),
        ignored=frozenset(ignored),
        unread=(*found.unread, *unread),
    )


def ignored_lines(file: str, running: str) -> Iterator[str]:
    """Yield the lines of frr.conf that the running configuration lacks."""
    known = {line.strip() for line in running.splitlines()}
    for line in dict.fromkeys(map(str.strip, file.splitlines())):
        if line not in known and line not in _NO_FACT and not line.startswith(("!", "#")):
            yield line


def _documents(answer: Answer) -> list[Any]:
    """Return the JSON documents of an answer; none if the daemon is not part of the design."""
    text, found = answer.text.strip(), []
    if _ABSENT.search(text):
        return []
    if answer.status:
        raise ValueError(text.splitlines()[0] if text else f"exit status {answer.status}")
    decoder = json.JSONDecoder()
    while text:
        document, end = decoder.raw_decode(text)
        found.append(document)
        text = text[end:].lstrip()
    return found


def _routes(switch: str, documents: Iterable[Any], names: Names) -> dict[LabRoute, tuple[str, ...]]:
    found: dict[LabRoute, set[str]] = {}
    for document in documents:
        for prefix, entries in document.items():
            for entry in entries:
                if not entry.get("selected") or prefix.startswith("fe80:"):
                    continue
                key = LabRoute(switch, entry["vrfName"], _prefix(prefix, entry["vrfName"], names))
                hops = (hop for hop in entry.get("nexthops", ()) if hop.get("fib"))
                found.setdefault(key, set()).update(_hop(switch, hop, names) for hop in hops)
    return {key: tuple(sorted(hops)) for key, hops in found.items()}


def _prefix(prefix: str, vrf: str, names: Names) -> str:
    address, _, length = prefix.partition("/")
    if vrf != "default" and length in {"32", "128"} and address in names.hosts:
        return f"host route of {names.hosts[address]}"
    return prefix


def _hop(switch: str, hop: Mapping[str, Any], names: Names) -> str:
    """Name a next hop: neighbor and port, tunnel endpoint, or the interface alone."""
    port = hop.get("interfaceName", "")
    address = hop.get("ip", "")
    neighbor = names.ports.get((switch, port)) or names.switches.get(address) or address
    if hop.get("directlyConnected") or not neighbor:
        return port or ("blackhole" if hop.get("blackhole") else "unknown")
    return f"{neighbor} by {port}" if port else neighbor


def _bgp(switch: str, documents: Iterable[Any], names: Names) -> dict[LabSession, str]:
    """Return the sessions by VRF; one that is not established has one state for all."""
    found: dict[LabSession, str] = {}
    for document in documents:
        for vrf, families in document.items():
            for family in families.values():
                for address, peer in family.get("peers", {}).items():
                    key = _session(switch, "BGP", (vrf, address), names)
                    found[key] = ESTABLISHED if peer["state"] == ESTABLISHED else "down"
    return found


def _bfd(switch: str, documents: Iterable[Any], names: Names) -> dict[LabSession, str]:
    return {
        _session(switch, "BFD", (peer.get("vrf", "default"), peer["peer"]), names): peer["status"]
        for document in documents
        for peer in document
    }


def _session(switch: str, kind: str, place: tuple[str, str], names: Names) -> LabSession:
    vrf, address = place
    peer = names.ports.get((switch, address)) or names.switches.get(address) or address
    return LabSession(switch, kind, vrf, peer, address)
