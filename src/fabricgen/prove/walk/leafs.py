"""Finds leafs that may change places without a change of any walk.

Leafs of a class have equal facts, and equal routes and tunnels from and to all other leafs. The
leafs of an MLAG pair change places together.
"""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, cast

from fabricgen.core.record import record
from fabricgen.core.tree.facts import GLOBAL
from fabricgen.nos.hosts.readback.network import Network
from fabricgen.prove.walk.borders import Far, Sessions, share
from fabricgen.prove.walk.exchange import Exchange
from fabricgen.prove.walk.packet import Station, Verdict
from fabricgen.prove.walk.tables import Session, Tables

APART, PARTNER, SAME = range(3)
_ELSEWHERE = frozenset(
    ("name", "rank", "asn", "paths", "ports", "sessions", "connected", "vtep", "subnets", "pair")
)
"""Facts of a switch that a walk reads as routes and tunnels only, or that `_content` adds."""


@record(kw_only=True)
class Scene:
    """All that a walk reads.

    Attributes:
        far: Sessions over links between sites.
        nodes: Stations by server.
        hosts: Network files of servers.
        tunnel: Function that returns the verdict of a tunnel between two switches.
    """

    exchange: Exchange
    far: Mapping[Sessions, Far]
    nodes: Mapping[str, list[Station]]
    hosts: Mapping[str, Network]
    tunnel: Callable[[Tables, Tables], Verdict]

    @property
    def stations(self) -> Iterator[Station]:
        """Yield all stations."""
        return (station for each in self.nodes.values() for station in each)


def relations(
    ones: tuple[str, ...], others: tuple[str, ...], partners: Mapping[str, str]
) -> tuple[int, ...]:
    """Return for each two switches whether they are the same one, an MLAG pair, or neither."""
    return tuple(
        SAME if one == other else PARTNER if partners.get(one) == other else APART
        for one in ones
        for other in others
    )


def is_outer(station: Station) -> bool:
    """Return whether a station is external, or behind a static route."""
    return bool(station.outside or station.behind or station.also)


def leaf_classes(scene: Scene) -> dict[str, int]:
    """Return the class of every switch that has tenants or stations."""
    leafs = {end.switch for each in scene.stations for end in each.ends}
    entered = _entered(scene)
    fixed = _fixed(scene, entered)
    keys: dict[str, Hashable] = {
        name: name if name in fixed else _content(each, scene, entered)
        for name, each in scene.exchange.switches.items()
        if name in leafs or each.vtep or each.gateways or len(each.tables) > 1
    }
    classes, seen, before = _numbered(keys), _Neighborhood(scene), 0
    while len({*classes.values()}) > before:
        before = len({*classes.values()})
        rows = seen.rows(classes)
        classes = _numbered({name: (number, rows.get(name)) for name, number in classes.items()})
        if len({*classes.values()}) == before:
            uneven = {
                classes[name] for name, row in rows.items() if len(row) > len({r[:2] for r in row})
            }
            classes = _numbered(
                {name: (number, number in uneven and name) for name, number in classes.items()}
            )
    return classes


class _Neighborhood:
    """Routes and tunnels between leafs."""

    def __init__(self, scene: Scene) -> None:
        """Find the ASNs whose loops decide about routes between sites."""
        self._exchange, self._tunnel = scene.exchange, scene.tunnel
        self._known: dict[tuple[str, str], int] = {}
        self._numbers: dict[Hashable, int] = {}
        far = [scene.exchange.switches[name] for name, _, _ in scene.far]
        own = (asn for each in far for asn in (each.asn, *(s.local_asn for s in each.sessions)))
        self._asns = frozenset(int(asn) for asn in own if asn)

    def rows(self, classes: Mapping[str, int]) -> dict[str, frozenset[tuple[int, ...]]]:
        """Return the relations of leafs to all classes, for leafs that are not alone in a class."""
        sizes, partners = Counter(classes.values()), self._exchange.partners
        return {
            name: frozenset(
                (
                    number,
                    *relations((name,), (other,), partners),
                    self._relation(name, other),
                    self._relation(other, name),
                )
                for other, number in classes.items()
            )
            for name in classes
            if sizes[classes[name]] > 1
        }

    def _relation(self, hearer: str, teller: str) -> int:
        """Return a number of the routes and the tunnel from one leaf to another."""
        if (hearer, teller) not in self._known:
            heard = self._exchange.evpn.get(teller, {}).get(hearer)
            near, far = (self._exchange.switches[name] for name in (hearer, teller))
            route = heard and (heard.length, heard.marks, self._asns.intersection(heard.path))
            tunnel = self._tunnel(near, far) if far.vtep else None
            key = (route, tunnel and (tunnel.outcome, tunnel.ways))
            self._known[hearer, teller] = self._numbers.setdefault(key, len(self._numbers))
        return self._known[hearer, teller]


def _numbered(keys: Mapping[str, Hashable]) -> dict[str, int]:
    numbers: dict[Hashable, int] = {}
    return {name: numbers.setdefault(key, len(numbers)) for name, key in keys.items()}


def _content(switch: Tables, scene: Scene, entered: Mapping[str, set[str]]) -> Hashable:
    """Return the facts of a switch that a walk reads, and of the other leaf of its pair."""
    exchange = scene.exchange
    beside = exchange.switches.get(exchange.partners.get(switch.name, ""))
    vrfs = set[str]()
    for each in (switch, beside) if beside is not None else (switch,):
        vrfs |= {port.vrf for port in each.gateways.values()} | entered.get(each.name, set())
        vrfs |= {session.vrf for session in each.sessions}
        for name, table in each.tables.items():
            vrfs |= {name} if table.vni or table.exports else set()
            vrfs |= {source for _, source in table.takes}
    vrfs -= {GLOBAL}
    pair = beside and (switch.vtep == beside.vtep, _facts(beside, switch.asn, vrfs))
    own = _facts(switch, beside.asn if beside else "", vrfs)
    return own, pair, switch.name in exchange.unsure


def _facts(switch: Tables, partner: str, vrfs: Collection[str]) -> Hashable:
    """Return the facts of one switch. `partner`: the ASN of the other leaf."""
    link = switch.ports.get(switch.pair.link) if switch.pair is not None else None
    names = {partner: "partner", switch.asn: "own"}
    under = Counter(_rules(each) for each in switch.sessions if each.vrf == GLOBAL)
    return (
        frozen(switch, _ELSEWHERE),
        frozen(link, frozenset({"name", "bundle"})),
        tuple(
            (names.get(each.asn, each.asn), frozen(each, frozenset({"asn"})))
            for each in switch.sessions
            if each.vrf in vrfs
        ),
        tuple(frozen(each) for each in switch.ports.values() if each.vrf in vrfs),
        frozenset(under.items()),
    )


def _rules(session: Session) -> Hashable:
    """Return the facts of a session outside VRFs, without its neighbor."""
    flags = session.multihop, session.keeps_next_hop, session.over_ipv6, session.communities
    rest = session.families, session.default, session.remote, session.preference
    return frozen(session.policies), flags, rest


def _fixed(scene: Scene, entered: Mapping[str, set[str]]) -> set[str]:
    """Return the switches that keep their place.

    External stations name them, they join sites, or a walk enters their default VRF. A walk in a
    default VRF reads the routes of all switches that cables join.
    """
    exchange, far = scene.exchange, scene.far
    fixed = {
        *exchange.across,
        *(name for name, _, _ in far),
        *(f.switch.name for f in far.values()),
    }
    fixed |= {each.teller.name for every in exchange.across.values() for each in every}
    fixed |= {one for one, two in exchange.partners.items() if exchange.partners.get(two) != one}
    for station in filter(is_outer, scene.stations):
        hops = [own for hop in station.behind for own in (hop, *scene.nodes.get(hop.node, ()))]
        fixed |= {end.switch for each in (station, *hops) for end in each.ends}
        fixed |= {end.switch for end, _ in station.also}
    return fixed | _by_default_vrf(scene, entered)


def _by_default_vrf(scene: Scene, entered: Mapping[str, set[str]]) -> set[str]:
    """Return the switches that a walk may meet in a default VRF, with all that cables join."""
    exchange, switches = scene.exchange, scene.exchange.switches
    waiting = [
        name
        for name, each in switches.items()
        if (own := each.tables.get(GLOBAL)) and (own.vni or own.imports or own.exports)
    ]
    far = [(each.switch, each.port) for each in scene.far.values()]
    waiting += [switch.name for switch, port in far if port is not None and port.vrf == GLOBAL]
    waiting += [name for name, vrfs in entered.items() if GLOBAL in vrfs]
    joined: dict[str, set[str]] = {}
    for near, there in (*exchange.cables.items(), *exchange.crossings.items()):
        joined.setdefault(near.switch, set()).add(there.switch)
    found: set[str] = set()
    while waiting:
        here = waiting.pop()
        waiting += () if here in found else joined.get(here, ())
        found.add(here)
    return found


def _entered(scene: Scene) -> dict[str, set[str]]:
    """Return by switch the VRFs in which it routes packets of its stations."""
    found: dict[str, set[str]] = {}
    for station in (own for each in scene.stations for own in (each, *each.behind)):
        for end in station.ends:
            switch = scene.exchange.switches[end.switch]
            port = share(switch, end)
            if port is not None and port.vlans:
                port = switch.gateways.get(station.tag or port.untagged)
            if port is not None and port.addresses:
                found.setdefault(switch.name, set()).add(port.vrf)
    return found


def frozen(value: Any, without: frozenset[str] = frozenset()) -> Hashable:
    """Return a record as a value that compares and hashes, without some fields."""
    if isinstance(value, Mapping):
        return tuple((key, frozen(own)) for key, own in value.items())
    if isinstance(value, tuple):
        return tuple(map(frozen, value))
    if is_dataclass(value):
        names = (each.name for each in fields(value) if each.name not in without)
        return tuple(frozen(getattr(value, name)) for name in names)
    return cast("Hashable", value)
