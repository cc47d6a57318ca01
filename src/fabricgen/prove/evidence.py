"""Runs the reachability engine over the files of a site, rendered or in a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.compile.compiler import files, folder_of
from fabricgen.compile.output.server_files import CompleteTree
from fabricgen.core.confined import Folder
from fabricgen.core.diagnostics import Code, Diagnostic, Failure
from fabricgen.model.fabric.topology import Port, Switch
from fabricgen.nos.hosts.readback.files import read
from fabricgen.nos.lowering import spell
from fabricgen.prove.walk.effective import Idle, effective
from fabricgen.prove.walk.exchange import Exchange
from fabricgen.prove.walk.packet import End
from fabricgen.prove.walk.tables import Tables, tables
from fabricgen.prove.walk.values import sound
from fabricgen.prove.walk.walk import Walk
from fabricgen.prove.written import Judge, judge_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from fabricgen.compile.compiler import Owner
    from fabricgen.core.tree.facts import Key
    from fabricgen.model.fabric.switch import Site
    from fabricgen.nos.hosts.readback.network import Network
    from fabricgen.prove.walk.packet import Hop, Station


def rendered(site: Site) -> Iterator[tuple[Owner, Mapping[str, str]]]:
    """Yield the files of every switch and server as they would be rendered."""
    for owner, every in files(site):
        cut = len(folder_of(owner)) + 1
        yield owner, {file.path[cut:]: file.text for file in every}


def standing(site: Site, folder: Path) -> Iterator[tuple[Owner, Mapping[str, str]]]:
    """Yield the files in a folder where `render` writes the files of this site.

    Raises:
        Failure: The folder lacks files of the site, or has files that are not text.
    """
    missing: dict[str, str] = {}
    with Folder(folder) as root:
        tree = CompleteTree(root)
        for owner, own in rendered(site):
            texts = {}
            for path in own:
                place = f"{folder_of(owner)}/{path}"
                try:
                    texts[path] = tree.text(place)
                except OSError as error:
                    missing[place] = error.strerror or str(error)
                except UnicodeDecodeError:
                    missing[place] = "is not UTF-8 text"
            if not missing:
                yield owner, texts
    if missing:
        raise Failure(_missing(folder, missing))


def _missing(folder: Path, missing: Mapping[str, str]) -> Diagnostic:
    """Return the error for files of a site that a folder lacks."""
    first, why = next(iter(missing.items()))
    more = f" (and {len(missing) - 1:,} more)" if len(missing) > 1 else ""
    return Diagnostic(
        Code.UNREADABLE,
        f"{folder} cannot be compared with this site: {first}: {why}{more}",
        hint="render this site into the folder, with the same --as",
    )


class Lines:
    """Finds the line in a switch's files behind a hop of the second engine."""

    def __init__(self, texts: Iterable[tuple[Owner, Mapping[str, str]]]) -> None:
        """Keep the files of every switch."""
        self._texts = {owner.name: (owner, own) for owner, own in texts}

    def of(self, hop: Hop) -> str:
        """Return `file:number line` of the first fact in a file, or nothing."""
        owner, texts = self._texts.get(hop.node, (None, {}))
        judge = judge_of(owner.platform) if isinstance(owner, Switch) else None
        for key in hop.keys if judge is not None else ():
            for path, text in texts.items():
                numbers = _numbers(judge, path, text, key)
                if numbers:
                    return f"{path}:{numbers[0]} `{text.splitlines()[numbers[0] - 1].strip()}`"
        return ""


def _numbers(judge: Judge | None, path: str, text: str, key: Key) -> list[int]:
    """Return the lines of an object, the line of its VNI or route target first."""
    lines = judge.read(path, text, trace=True).lines if judge is not None else {}
    mine = {attribute: numbers for (each, attribute), numbers in lines.items() if each == key}
    for attribute in ("vni", "import", "vrf", "exists"):
        if mine.get(attribute):
            return mine[attribute]
    return next((numbers for numbers in mine.values() if numbers), [])


def walk(
    site: Site, stations: Iterable[Station], texts: Iterable[tuple[Owner, Mapping[str, str]]]
) -> Walk:
    """Read the files, and let the switches in them exchange their routes."""
    return walked(site, stations, texts)[0]


def walked(
    site: Site, stations: Iterable[Station], texts: Iterable[tuple[Owner, Mapping[str, str]]]
) -> tuple[Walk, Exchange]:
    """Return the walk over the files, and the exchanged routes that it uses."""
    switches: dict[str, Tables] = {}
    hosts: dict[str, Network] = {}
    idle: dict[str, tuple[Idle, ...]] = {}
    stations = list(stations)
    asked = {each.node for each in stations}
    for owner, own in texts:
        if isinstance(owner, Switch):
            switches[owner.name], idle[owner.name] = read_switch(owner, own)
        elif owner.name in asked:
            hosts[owner.name] = read(own)
    exchange = Exchange(switches, cables(site), crossings(site))
    return Walk(exchange, stations, hosts, idle), exchange


def read_switch(switch: Switch, texts: Mapping[str, str]) -> tuple[Tables, tuple[Idle, ...]]:
    """Return the tables of a switch from its files, and the facts that have no effect."""
    judge = judge_of(switch.platform)
    if judge is None:
        return tables(switch.name, {}, (f"{switch.platform} has no grammar",)), ()
    facts, strange = judge.facts(texts)
    kept, odd = sound(facts)
    unread = [f"a line of {path}" for path in strange]
    unread += [f"{each.name} cannot be {each.value!r}" for each in odd]
    works = effective(kept, switch.platform)
    return tables(switch.name, works.facts, tuple(unread)), works.idle


def cables(site: Site) -> dict[End, End]:
    """Return the cables between switches from end to end, including gateways of two sites."""
    ends: dict[End, End] = {}
    for fabric in site.fabrics:
        for link in fabric.topology.links:
            if isinstance(link.lower, Switch) and isinstance(link.lower_port, Port):
                lower = End(link.lower.name, spell(link.lower, link.lower_port))
                upper = End(link.upper.name, spell(link.upper, link.upper_port))
                ends |= {lower: upper, upper: lower}
        for leaf, gateway in fabric.overlay.gateways.items() if fabric.overlay is not None else ():
            switch = next(each for each in fabric.topology.switches if each.name == leaf)
            for cable in gateway.links:
                near = End(leaf, spell(switch, cable.interface.port))
                ends[near] = End(cable.peer.name, spell(cable.peer, cable.peer_port))
    return ends


def crossings(site: Site) -> dict[End, End]:
    """Return the links between sites, from the port of each end, without a tag, to the other's."""
    ends: dict[str, dict[End, None]] = {}
    for fabric in site.fabrics:
        names = {switch.name: switch for switch in fabric.topology.switches}
        for leaf, peers in fabric.overlay.external.items() if fabric.overlay is not None else ():
            for peer in peers:
                if peer.joins and peer.interface.tunnel is None:
                    end = End(leaf, spell(names[leaf], peer.interface.port))
                    ends.setdefault(peer.joins, {})[end] = None
    both = [tuple(each) for each in ends.values() if len(each) == 2]
    return {near: far for one, other in both for near, far in ((one, other), (other, one))}
