"""Place servers of a kind and resolve attachments that name a kind."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import starmap
from typing import NamedTuple

from netaddr import IPAddress

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.share import tables_of
from fabricgen.compile.design.wiring.naming import Namer, say_alike
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.intent.model import tenants as words
from fabricgen.intent.model.backend import Backend
from fabricgen.intent.model.fabric import FabricWords, KindPorts
from fabricgen.intent.model.intent import AnyFabric, Intent
from fabricgen.intent.model.routed import Routed
from fabricgen.intent.model.servers import ServerKind
from fabricgen.intent.model.vocabulary import expanded
from fabricgen.intent.paths import at
from fabricgen.model.fabric.overlay import Overlay
from fabricgen.model.fabric.pins import ServerPin
from fabricgen.model.fabric.state import Standing, State
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Equipment, Link, Nic, Server, Switch, Topology


def attached_set(
    fabric: FabricWords, item: words.Attachment, path: IntentPath, findings: Findings
) -> KindPorts | None:
    """Return the set of ports of the kind on this fabric, or report a fault."""
    kind = str(item.servers)
    sets = {each.network: each for each in fabric.served if each.kind == kind}
    if not sets and not fabric.all_served:
        return None
    if not sets:
        findings.unknown(
            f"no kind {kind!r} with ports on the {fabric.name}",
            (*path, "servers"),
            kind,
            {each.kind for each in fabric.served},
        )
        return None
    network = item.port or next(iter(sets))
    if network not in sets or (item.port is None and len(sets) > 1):
        findings.error(
            Code.UNKNOWN_REFERENCE if item.port else Code.MISSING_KEY,
            f"{kind} has no ports {network!r} on the {fabric.name}"
            if item.port
            else f"{kind} has several sets of ports on the {fabric.name}",
            (*path, "port") if item.port else path,
            f"set `port:` to one of {', '.join(sets)}",
        )
        return None
    known = numbers_known(item, sets[network].servers.count, f"servers of {kind}", path, findings)
    return sets[network] if known else None


def numbers_known(
    item: words.Attachment, count: int, what: str, path: IntentPath, findings: Findings
) -> bool:
    """Return whether there are servers of all these numbers, or say which is not there."""
    beyond = [number for number in item.numbers or () if number > count]
    if beyond:
        findings.error(
            Code.UNKNOWN_REFERENCE,
            f"there are {count} {what}, but no number {beyond[0]}",
            (*path, "numbers"),
        )
    return not beyond


def cables_of(
    topology: Topology, kind: str, network: str, numbers: Collection[int] | None
) -> Iterator[tuple[Server, Link]]:
    """Yield the cables of a set of ports, of all servers of the kind or of some by number."""
    for link in topology.links:
        server, nic = link.lower, link.lower_port
        if (
            isinstance(server, Server)
            and isinstance(nic, Nic)
            and (server.kind, nic.network) == (kind, network)
            and (numbers is None or server.number in numbers)
        ):
            yield server, link


_STATE = "a planned or dead server is not connected"


def servers_of(of: KindPorts, site: str) -> tuple[Server, ...]:
    """Return the servers of a kind: whichever fabric asks, they are the same objects."""
    words = of.servers
    pins = (
        _Pinned(int(number), pin.hostname or "", tuple(pin.addresses or ()))
        for number, pin in words.pins.items()
    )
    roster = _Roster(
        site=site,
        kind=of.kind,
        size=words.count,
        equipment=_equipment(words),
        names=words.names,
        tool=words.network,
        states=tuple(starmap(_Stated, sorted(words.states.items()))),
        pins=tuple(pins),
    )
    return _servers(roster)


def _equipment(words: ServerKind) -> Equipment | None:
    """Return the equipment of the servers of a kind; None after an error."""
    if not words.whole:
        return None
    return Equipment(words.gpus, frozenset(ports.fabric for ports in words.ports.values()))


def group_of(
    words: FabricWords, each: KindPorts, groups: Sequence[str], noun: str, findings: Findings
) -> str:
    """Return which of several groups, by their noun, a set of ports goes to, or stop."""
    said = each.ports.group
    if said in groups:
        return str(said)
    if said is None and len(groups) == 1:
        return groups[0]
    raise findings.stop(
        Code.MISSING_KEY if said is None else Code.UNKNOWN_REFERENCE,
        f"the {words.name} has {len(groups)} {noun}s: name one"
        if said is None
        else f"no {noun} {said!r} in the {words.name}",
        each.at() if said is None else each.at("group"),
        f"set `group:` to one of {', '.join(groups)}",
    )


class _Stated(NamedTuple):
    """The state of some servers of a kind."""

    numbers: str
    state: str


class _Pinned(NamedTuple):
    """The pins of one server of a kind."""

    number: int
    hostname: str
    addresses: tuple[IPAddress, ...]


class _Roster(NamedTuple):
    """The words that decide the servers of a kind."""

    site: str
    kind: str
    size: int
    equipment: Equipment | None
    names: str
    tool: str
    states: tuple[_Stated, ...]
    pins: tuple[_Pinned, ...]


@lru_cache(maxsize=64)
def _servers(of: _Roster) -> tuple[Server, ...]:
    kind, name = of.kind, Namer(of.names, of.site)
    because = Provenance((at("servers", kind),), f"server n of {kind}")
    said = {
        pin.number: ServerPin(
            path=at("servers", kind, "pins", str(pin.number)),
            hostname=pin.hostname,
            addresses=tuple((each.version, int(each)) for each in pin.addresses),
        )
        for pin in of.pins
    }
    stands = {
        number: Standing(
            state=State(state), because=Provenance((at("servers", kind, "states", key),), _STATE)
        )
        for key, state in of.states
        for number in expanded(key)
    }
    servers = []
    for n in range(1, of.size + 1):
        pin = said.get(n)
        called = pin.hostname if pin is not None else ""
        servers.append(
            Server(
                name=called or name(kind=kind, number=n),
                kind=kind,
                number=n,
                because=_as_pinned(because, pin) if pin is not None and called else because,
                tool=of.tool,
                standing=stands.get(n),
                pin=pin,
                equipment=of.equipment,
            )
        )
    return tuple(servers)


def _as_pinned(because: Provenance, pin: ServerPin) -> Provenance:
    return Provenance(
        (*because.paths, (*pin.path, "hostname")), f"{because.rule}; the name is pinned"
    )


def judge_sets(intent: Intent, fabrics: Sequence[AnyFabric], findings: Findings) -> None:
    """Report fabrics that are not there, and keys that do nothing on theirs."""
    _ = intent.frontend, intent.backend, intent.fabrics  # stops where one was refused
    named = {words.name: words for words in fabrics}
    tables: dict[tuple[str, int], KindPorts] = {}
    sites: dict[str, tuple[str, KindPorts]] = {}
    for each in intent.each_set():
        fabric = each.ports.unless_refused("fabric")
        if fabric in named and isinstance(named[fabric], Backend | Routed):
            first = tables_of(named[fabric])
            _judge_tables(tables.setdefault((each.kind, first), each), each, findings)
        if fabric in named:
            _judge_keys(each, named[fabric], findings)
            site = named[fabric].stands(intent.site)
            _judge_sites(sites.setdefault(each.kind, (site, each)), site, each, findings)
        elif fabric is not None:
            findings.unknown(f"no fabric {fabric!r} in the site", each.at("fabric"), fabric, named)


def _judge_tables(one: KindPorts, other: KindPorts, findings: Findings) -> None:
    """Report a kind whose servers would have the same routing tables for two fabrics."""
    if one.ports.fabric != other.ports.fabric:
        findings.error(
            Code.BAD_VALUE,
            f"{other.kind} has routed ports on {one.ports.fabric} and {other.ports.fabric}, but "
            "neither has a `number`: its servers would have the same routing tables for both",
            other.at("fabric"),
            f"set a `number` for {other.ports.fabric}, which determines its routing tables",
        )


def _judge_sites(
    first: tuple[str, KindPorts], site: str, each: KindPorts, findings: Findings
) -> None:
    """Report a kind whose servers would have cables to two sites."""
    other, ports = first
    if other != site:
        findings.error(
            Code.BAD_VALUE,
            f"{each.ports.fabric} is at {site}, but {each.kind} has ports at {other}: on "
            f"{ports.ports.fabric}",
            each.at("fabric"),
            "keep all ports of a server at one site",
        )


def _judge_keys(each: KindPorts, words: FabricWords, findings: Findings) -> None:
    keys = words.keys_of(each.ports)
    for key in sorted(each.ports.model_fields_set - keys):
        takes = ", ".join(sorted(keys))
        findings.error(
            Code.BAD_VALUE,
            f"{words.name} is of kind {words.kind}, where `{key}` has no effect",
            each.at(key),
            f"a set of ports there supports {takes}" if takes else "it has no ports of servers",
        )


def judge_boot(topology: Topology, overlay: Overlay, findings: Findings) -> None:
    """Report bundles that fall back to single ports and have no VLAN to boot in."""
    told: set[int] = set()
    for link in topology.links:
        nic, server = link.lower_port, link.lower
        if not isinstance(nic, Nic) or not isinstance(server, Server):
            continue
        if nic.settings.lacp_fallback is None:
            continue
        index = topology.places[server.name, nic.network].index
        carries = overlay.ports.get(link.upper.name, {}).get(index)
        if carries is None or carries.untagged is not None or id(carries) in told:
            continue
        told.add(id(carries))
        findings.error(
            Code.BAD_VALUE,
            f"{server.name} boots over the ports of {nic.network}, which carry no untagged VLAN, "
            "but firmware sends no tags",
            carries.because.main,
            "set `native:` to one of the trunk, or remove `lacp_fallback`",
        )


def judge_servers(fabrics: Iterable[Fabric], findings: Findings) -> None:
    """Report names of servers that others of the site have; one in two fabrics is one object."""
    fabrics = tuple(fabrics)
    known: dict[str, Switch | Server] = {
        switch.name: switch for fabric in fabrics for switch in fabric.topology.switches
    }
    told: set[tuple[object, ...]] = set()
    for fabric in fabrics:
        for server in fabric.topology.servers:
            other = known.setdefault(server.name, server)
            pair = (other.because.main, server.because.main)
            if other is server or pair in told:
                continue
            told.add(pair)
            say_alike(other, server, findings.error)
