"""Reads the state of a lab that both sides of a change are compared by."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from fabricgen.compile.compiler import slices
from fabricgen.core.record import record
from fabricgen.model.fabric.switch import Site
from fabricgen.nos.shared.documents import Answer, answers, script
from fabricgen.operate.lab.plan import LabPlan


class LabSession(NamedTuple):
    """One session of one switch. `peer`: name of the neighbor, or its address if unknown."""

    switch: str
    kind: str
    vrf: str
    peer: str
    address: str


class LabRoute(NamedTuple):
    """One prefix in one routing table. A host route of a server has the server's name."""

    switch: str
    vrf: str
    prefix: str


@record(kw_only=True)
class Snapshot:
    """State of one side.

    Attributes:
        switches: Names of switches and external routers.
        sessions: State of each session.
        routes: Next hops of each selected route, sorted.
        pairs: Whether packets arrive, by source and target.
        refused: Sentences about lines that FRR refused at boot.
        ignored: Lines that FRR does not show after the boot, by switch.
        unread: Sentences about state that could not be read.
    """

    switches: frozenset[str] = frozenset()
    sessions: Mapping[LabSession, str]
    routes: Mapping[LabRoute, tuple[str, ...]]
    pairs: Mapping[tuple[str, str], bool]
    refused: tuple[str, ...] = ()
    ignored: frozenset[tuple[str, str]] = frozenset()
    unread: tuple[str, ...] = ()


NOTHING = Snapshot(sessions={}, routes={}, pairs={})
"""Snapshot of a side without any of the switches."""
ESTABLISHED = "Established"
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
_REFUSED = re.compile(r"(?m)^(?:line \d+: .*|% .*)$")
"""Messages of `vtysh -b` (FRR vtysh/vtysh.c, vtysh_config_from_file), and of the daemons."""
_ABSENT = re.compile(r"(bgpd|bfdd) is not running")
_NO_FACT = frozenset({"", "!", "end", "exit"})


@record(kw_only=True)
class Names:
    """Names for addresses and ports of one side.

    Attributes:
        switches: Switch by address of its loopback, tunnel endpoint or session.
        hosts: Server by its address, in the VRFs.
        ports: Neighbor by switch and port.
    """

    switches: Mapping[str, str]
    hosts: Mapping[str, str]
    ports: Mapping[tuple[str, str], str]


def names_of(site: Site, plan: LabPlan) -> Names:
    """Return the names of one side."""
    found: dict[str, set[str]] = {}
    for _, one in slices(site):
        for own in (one.loopback, one.vtep):
            if own is not None:
                found.setdefault(own.host, set()).add(one.switch.name)
        for session in one.sessions:
            if session.remote is not None:
                found.setdefault(session.remote.host, set()).add(session.peer.name)
        for peer in one.peers:
            found.setdefault(peer.remote.host, set()).add(peer.name)
    ports = {(each.a, each.a_port): each.b for each in plan.cables}
    ports |= {(each.b, each.b_port): each.a for each in plan.cables}
    return Names(
        switches={address: " or ".join(sorted(names)) for address, names in found.items()},
        hosts={each.address: each.name for each in (*plan.endpoints, *plan.beyond)},
        ports=ports,
    )


def read_snapshot(outputs: Mapping[str, str], names: Names) -> Snapshot:
    """Return the state in the outputs of the script, without reachability."""
    sessions: dict[LabSession, str] = {}
    routes: dict[LabRoute, tuple[str, ...]] = {}
    refused: list[str] = []
    ignored: set[tuple[str, str]] = set()
    unread: list[str] = []
    for switch, output in outputs.items():
        got = answers(output)
        refused += (f"{switch}: FRR refused {line}" for line in refused_lines(_text(got, "boot")))
        ignored |= {(switch, line) for line in ignored_lines(_text(got, "file"), got)}
        for what, read in (("routes", _routes), ("bgp", _bgp), ("bfd", _bfd)):
            try:
                found = read(switch, _documents(got[what]), names)
            except (LookupError, TypeError, ValueError, AttributeError) as error:
                unread.append(
                    f"{switch}: {what} could not be read: {error or type(error).__name__}"
                )
                continue
            (routes if what == "routes" else sessions).update(found)  # type: ignore[arg-type]
    return Snapshot(
        switches=frozenset(outputs),
        sessions=sessions,
        routes=routes,
        pairs={},
        refused=tuple(refused),
        ignored=frozenset(ignored),
        unread=tuple(unread),
    )


def refused_lines(log: str) -> list[str]:
    """Return the messages about refused lines in the output of the start of FRR."""
    return [found[0].strip() for found in _REFUSED.finditer(log)]


def ignored_lines(file: str, got: Mapping[str, Answer]) -> Iterator[str]:
    """Yield the lines of frr.conf that the running configuration lacks."""
    running = {line.strip() for line in _text(got, "running").splitlines()}
    for line in dict.fromkeys(map(str.strip, file.splitlines())):
        if line not in running and line not in _NO_FACT and not line.startswith(("!", "#")):
            yield line


def _text(got: Mapping[str, Answer], what: str) -> str:
    return got[what].text if what in got else ""


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
