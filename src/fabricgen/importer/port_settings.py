"""Reads port profiles and the `errdisable` settings of fabrics from the ports of servers.

Ports of one set have one profile, the most frequent one. Other values remain differences.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import partial
from typing import Any

from fabricgen.importer.keys import flat, keys_of, most, nested
from fabricgen.importer.seats import Floor, Seat, floors
from fabricgen.importer.tree import Fragment, Tree, at, merged
from fabricgen.model.settings.ports import Errdisable, PortProfile, PortSet
from fabricgen.nos.registry import supports
from fabricgen.prove.foreign.network import Network
from fabricgen.prove.foreign.switch import Judged


def read(network: Network, tree: Tree) -> Fragment:
    """Return the tree with both, on fabrics with tenants. Existing profiles stay."""
    fragment: Fragment = {}
    for floor in floors(network, tree):
        if floor.kind == "evpn":
            errdisable = _recovery([read for _, read in floor.leafs])
            words = floor.beside.fragment(errdisable=errdisable) if errdisable else {}
            sets = {} if "port_profiles" in tree else _sets(floor, PortProfile)
            fragment = merged(fragment, words, *_profiles(floor, sets, fragment))
            fragment = merged(fragment, *_of_kinds(floor))
    return fragment


def _recovery(leafs: list[Judged]) -> Fragment:
    """Return the causes after which ports recover, and the time."""
    return nested(most(leafs, lambda leaf: flat(keys_of(Errdisable, [leaf.own(("switch",))]))))


def _of_kinds(floor: Floor) -> Iterator[Fragment]:
    """Yield the settings of the sets of ports of each kind of servers."""
    for (kind, name), settings in _sets(floor, PortSet).items():
        if kind:
            yield {"servers": {kind: {"ports": {name: settings}}}}


def _sets(floor: Floor, record: type[Any]) -> dict[tuple[str, str], Fragment]:
    """Return the unusual settings of each set of ports with VLANs."""
    votes: dict[tuple[str, str], Counter[Any]] = defaultdict(Counter)
    for seat in floor.seats:
        if seat.port.vlans:
            votes[seat.set_of_ports][_settings(seat, record)] += 1
    found = {ports: nested(count.most_common(1)[0][0]) for ports, count in votes.items()}
    return {ports: own for ports, own in found.items() if own}


def _settings(seat: Seat, record: type[Any]) -> tuple[tuple[str, Any], ...]:
    """Return the settings of one port or its bundle as a countable value."""
    places = [each for each in (seat.port.name, seat.port.bundle) if each]
    own = [seat.judged.own(("interface", each)) for each in places]
    return flat(keys_of(record, own, partial(supports, seat.leaf)))


def _profiles(
    floor: Floor, sets: dict[tuple[str, str], Fragment], known: Fragment
) -> Iterator[Fragment]:
    """Yield profiles with their sets of ports. A profile is named after its first set."""
    named = dict(at(known, "port_profiles") or {})
    for (kind, name), settings in sets.items():
        same = [each for each, own in named.items() if own == settings]
        profile = same[0] if same else _name(kind or name, named)
        named[profile] = settings
        yield {"port_profiles": {profile: settings}}
        if kind:
            yield {"servers": {kind: {"ports": {name: {"profile": profile}}}}}
        else:
            yield floor.beside.fragment(leaf_groups={name: {"servers": {"profile": profile}}})


def _name(wish: str, taken: Fragment) -> str:
    numbers = (f"{wish}-{number}" for number in range(2, len(taken) + 3))
    return wish if wish not in taken else next(each for each in numbers if each not in taken)
