"""The cables of a designed fabric in; those longer than any known optic of their cages, said.

Judged are cables beyond what every pair of cages with a known way reaches, so that ordinary sites
read no optics. Cages that nothing known fits, or nothing known joins, are not judged.
"""

from collections.abc import Iterable, Iterator

from fabricgen.catalog.catalog import Catalog
from fabricgen.catalog.optics import Socket, Way, ways
from fabricgen.design.findings import Findings
from fabricgen.diagnostics import Code, IntentPath
from fabricgen.fabric.switch import Fabric
from fabricgen.fabric.topology import Link, Switch, Topology
from fabricgen.intent.model.fabric import FabricWords
from fabricgen.intent.paths import known
from fabricgen.plant.media import far_socket, socket_of
from fabricgen.units import Metres

NEAR = Metres(50)
"""Every pair of cages that ships with a way to join it has one of at least so many metres: that is
what multimode reaches at 100G a lane (docs.nvidia.com/networking/display/400g100gpam4ovpub)."""


def judge_reach(words: FabricWords, fabric: Fabric, findings: Findings) -> None:
    """Look at each sort of cable once."""
    topology = fabric.topology
    if not words.catalog.own_optics and max(_lengths(topology), default=0) <= NEAR:
        return
    told: set[tuple[object, ...]] = set()
    for link in _apart(topology.links):
        near, far = socket_of(link.upper, link.upper_port), far_socket(fabric, link)
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


def length_key(words: FabricWords, link: Link) -> IntentPath:
    """Return where the intent has the length of a cable."""
    if not link.to_server:
        return words.at("links", "length")
    if "cable_length" in type(words).model_fields:
        return words.at("cable_length")
    path = (*link.because.main, "cable_length")
    return path if known(path) else words.at("oob", "cable_length")


def _say(words: FabricWords, link: Link, best: Way, findings: Findings) -> None:
    optics = best.near.name if best.near is best.far else f"{best.near.name} to {best.far.name}"
    port = link.upper_port
    form = link.upper.model.cages[port.cage - 1].form
    findings.warn(
        Code.CABLE_BEYOND_REACH,
        f"cables of {link.length:,} m from {link.upper.model} ({form} as {port.subs}x{port.speed}) "
        f"to {_whom(link)}: of all optics known there {optics} reaches farthest, {best.reach:,} m",
        length_key(words, link),
        "say the length that is laid, stand the two closer, or bring the optic in "
        "catalog/optics.yaml of the site",
    )


def _whom(link: Link) -> str:
    return str(link.lower.model) if isinstance(link.lower, Switch) else "servers"
