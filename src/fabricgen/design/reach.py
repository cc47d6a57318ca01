"""The cables of a designed fabric in; those longer than any known optic of their cages, said.

Judged are cables beyond what every pair of cages with a known way reaches, so that ordinary sites
read no optics. Cages that nothing known fits, or nothing known joins, are not judged.
"""

from collections.abc import Iterable, Iterator

from fabricgen.catalog.catalog import Catalog
from fabricgen.catalog.optics import Socket, Way, modes_of, ways
from fabricgen.design.findings import Findings
from fabricgen.diagnostics import Code, IntentPath
from fabricgen.fabric.topology import Link, Nic, Port, Switch, Topology
from fabricgen.intent.model.backend import Backend
from fabricgen.intent.model.fabric import FabricWords
from fabricgen.units import Metres

NEAR = Metres(50)
"""Every pair of cages that ships with a way to join it has one of at least so many metres: that is
what multimode reaches at 100G a lane (docs.nvidia.com/networking/display/400g100gpam4ovpub)."""


def judge_reach(words: FabricWords, topology: Topology, findings: Findings) -> None:
    """Look at each sort of cable once."""
    if not words.catalog.own_optics and max(_lengths(topology), default=0) <= NEAR:
        return
    told: set[tuple[object, ...]] = set()
    for link in _apart(topology.links):
        near, far = _of_switch(link.upper, link.upper_port), _other(words, link)
        sort = (near.forms, near.modes, far and far.forms, far and far.modes, link.length)
        if sort in told:
            continue
        told.add(sort)
        best = farthest(near, far, words.catalog)
        if best is not None and best.reach < link.length:
            _say(words, link, best, findings)


def farthest(near: Socket, far: Socket | None, catalog: Catalog) -> Way | None:
    """Return the way that reaches farthest between two sockets; None where none is known."""
    return max(ways(near, far, catalog.optics()), key=lambda way: way.reach, default=None)


def _lengths(topology: Topology) -> set[Metres]:
    return {link.length for link in topology.links}


def _apart(links: Iterable[Link]) -> Iterator[Link]:
    """Yield a link of each pair of ports: switches of a tier share theirs, and so do servers."""
    seen: set[tuple[int, int, int]] = set()
    for link in links:
        pair = (id(link.lower_port), id(link.upper_port), link.length)
        if pair not in seen:
            seen.add(pair)
            yield link


def _of_switch(switch: Switch, port: Port) -> Socket:
    form = switch.model.cages[port.cage - 1].form
    return Socket(forms=(form,), modes=(f"{port.subs}x{port.speed}",))


def _other(words: FabricWords, link: Link) -> Socket | None:
    """Return the lower end; None where nobody says what card a server has, or its cage."""
    if isinstance(link.lower, Switch):
        assert isinstance(link.lower_port, Port)
        return _of_switch(link.lower, link.lower_port)
    assert isinstance(link.lower_port, Nic)
    name, ports = _card(words, link.lower.kind, link.lower_port.network)
    model = words.catalog.nic(name)
    forms = model.cages.get(ports, ()) if model is not None else ()
    return Socket(forms=forms, modes=modes_of(link.speed)) if forms else None


def _card(words: FabricWords, kind: str, network: str) -> tuple[str, int]:
    """Return the NIC model of a set of ports, and how many of its ports are used; on rails only."""
    if not isinstance(words, Backend):
        return "", 1
    for each in words.served:
        if (each.kind, each.network) == (kind, network):
            return each.ports.nic, each.ports.nic_ports
    return words.servers.nic, words.servers.nic_ports


def _place(words: FabricWords, link: Link) -> IntentPath:
    """Return where the length of a cable stands."""
    if not link.to_server:
        return words.at("links", "length")
    if "cable_length" in type(words).model_fields:
        return words.at("cable_length")
    return (*link.because.main, "cable_length")


def _say(words: FabricWords, link: Link, best: Way, findings: Findings) -> None:
    optics = best.near.name if best.near is best.far else f"{best.near.name} to {best.far.name}"
    port = link.upper_port
    form = link.upper.model.cages[port.cage - 1].form
    findings.warn(
        Code.CABLE_BEYOND_REACH,
        f"cables of {link.length:,} m from {link.upper.model} ({form} as {port.subs}x{port.speed}) "
        f"to {_whom(link)}: of all optics known there {optics} reaches farthest, {best.reach:,} m",
        _place(words, link),
        "say the length that is laid, stand the two closer, or bring the optic in "
        "catalog/optics.yaml of the site",
    )


def _whom(link: Link) -> str:
    return str(link.lower.model) if isinstance(link.lower, Switch) else "servers"
