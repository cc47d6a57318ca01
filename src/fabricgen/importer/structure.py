"""Finds the shortest intent whose design has the switches of a network."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial

from fabricgen.core.record import record
from fabricgen.importer import access, evpn, rails, routed
from fabricgen.importer.cabled import cabled
from fabricgen.importer.choices import chosen, measured_once
from fabricgen.importer.draft import Draft, releases
from fabricgen.importer.inventory.model import EMPTY, Inventory
from fabricgen.importer.kinds_of_servers import called, counted
from fabricgen.importer.nearness import NOT_AT_ALL, differences
from fabricgen.importer.parts import Part, parts
from fabricgen.importer.plugs import Plugs
from fabricgen.importer.racks import racks
from fabricgen.importer.switch_numbers import named, numbered
from fabricgen.importer.tree import Tree, merged
from fabricgen.nos.registry import nos
from fabricgen.prove.foreign.network import Network
from fabricgen.prove.foreign.switch import Judged


@record(kw_only=True)
class Structured:
    """The structure of a network. apart: number of different facts by fabric."""

    tree: Tree
    apart: Mapping[str, int] = field(default_factory=dict)


def structure(
    network: Network, inventory: Inventory = EMPTY, models: Mapping[str, str] | None = None
) -> Structured:
    """Find the fabrics of a network. models: models by switch, which precede the inventory."""
    plugs = Plugs(network, inventory, models or {})
    tree, kinds = _site(network, inventory), merged(counted(plugs.servers), plugs.counting.pins())
    own = {name: name for name in plugs.servers} | dict(plugs.counting.names)
    seats = {name: (called(counts).kind, called(counts).number) for name, counts in own.items()}
    apart: dict[str, int] = {}
    known: list[str] = []
    found = parts(plugs)
    for part in found:
        drafts = [] if part.managing else [*_drafts(part, set(apart))]
        if drafts:
            drafts = [_numbered(each, known) for each in drafts]
            draft, own, far = _nearest(drafts, _site(network, inventory), kinds)
            tree, apart[draft.name] = merged(tree, own), far
            known.append(draft.kind)
            seats |= draft.seats
    types, held = racks(plugs, inventory.devices, seats)
    tree = merged(tree, {"racks": types} if types else {})
    for part in found:
        if part.managing:
            name = part.called("oob", set(apart))
            draft, own, far = _nearest([access.draft(part, name, held)], tree, kinds)
            if far == NOT_AT_ALL:  # the slow ports may belong to servers
                others = [_numbered(each, known) for each in _drafts(part, set(apart))]
                draft, own, far = _nearest(others, merged(_site(network, inventory), tree), kinds)
            tree, apart[draft.name] = own, far
            known.append(draft.kind)
    return Structured(tree=tree, apart=apart)


def _numbered(draft: Draft, known: Sequence[str]) -> Draft:
    """Return a draft with a number if the tree has a fabric of its kind already."""
    again = draft.kind in known
    return replace(draft, words={**draft.words, "number": len(known)}) if again else draft


def _nearest(drafts: Iterable[Draft], tree: Tree, kinds: Tree) -> tuple[Draft, Tree, int]:
    """Return the nearest draft, the resulting tree and its distance."""
    best = None
    for draft in drafts:
        distance = measured_once(partial(differences, part=draft.part, name=draft.name))
        own, far = chosen(_tree(draft, tree, kinds), draft.choices, distance)
        if best is None or far < best[2]:
            best = draft, own, far, distance
        if far == 0:
            break
    assert best is not None
    draft, own, far, distance = best
    own = named(draft, own)
    own, _ = chosen(own, releases(draft), distance)
    own, far = numbered(draft, own, distance)
    return (draft, *cabled(draft, own, far, distance))


def _drafts(part: Part, taken: set[str]) -> Iterator[Draft]:
    if part.overlay:
        yield evpn.draft(part, part.called("frontend", taken))
    else:
        found = [*rails.drafts(part, part.called("backend", taken))]
        found += routed.drafts(part, part.called("storage", taken))
        if not found and len(part.tiers) > 1:  # other kinds of fabrics need servers
            found = [evpn.draft(part, part.called("frontend", taken))]
        yield from found


def _tree(draft: Draft, site: Tree, kinds: Tree) -> Tree:
    fabric: Tree = {}
    here = fabric
    for key in draft.path[:-1]:
        here = here.setdefault(key, {})
    kind = {"kind": draft.kind} if len(draft.path) > 1 else {}
    here[draft.path[-1]] = {**kind, **draft.words}
    servers = {kind: {**kinds[kind], "ports": ports} for kind, ports in draft.ports.items()}
    return merged(site, {"servers": servers} if servers else {}, fabric)


def _site(network: Network, inventory: Inventory) -> Tree:
    """Return the name of the site and its management subnet."""
    named = [each.site for each in inventory.devices if each.site]
    subnets = [
        network_of for each in network.switches if (network_of := _management(each)) is not None
    ]
    words: Tree = {"name": (max(named, key=named.count) if named else "site").lower()}
    words["management"] = {"subnet": max(subnets, key=subnets.count) if subnets else UNKNOWN}
    return {"site": words}


UNKNOWN = "10.255.0.0/16"
"""The subnet without management ports, because an intent must have one."""


def _management(switch: Judged) -> str | None:
    names = nos(switch.platform).names
    port = switch.tables.ports.get(names.management) if names is not None else None
    return str(port.addresses[0].network) if port is not None and port.addresses else None
