"""Reads load balancing and bandwidth shares."""

from collections import Counter
from ipaddress import IPv4Address, IPv4Network, summarize_address_range
from typing import Any

from fabricgen.importer.beside import Beside, beside, drawn, fabrics
from fabricgen.importer.keys import management
from fabricgen.importer.tree import Fragment, Tree, at, merged, said, usual
from fabricgen.intent.model.backend import Backend
from fabricgen.model.fabric.balancing import Choice, Field
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.registry import nos
from fabricgen.prove.foreign.network import Network
from fabricgen.prove.foreign.switch import Judged
from fabricgen.prove.walk.packet import interface
from fabricgen.prove.walk.values import words

_KIND = Backend.model_fields["kind"].default
QUEUE_PAIRS = tuple(2**n for n in range(8))
"""The queue pair in a hash may follow from its number, which no switch file shows."""
Both = dict[str, tuple["Choice", "Choice"]]
"""The values of the files and of the design, by tier."""


def read(network: Network, tree: Tree) -> Fragment:
    """Return the tree with load balancing. Only fabrics of rails have these keys."""
    found: Tree = {}
    for each in fabrics(network, tree):
        place = tuple(map(str, each.fabric.place))
        if (len(place) > 1 and at(tree, *place, "kind") != _KIND) or place == ("frontend",):
            continue
        words = _words(network, tree, each)
        found = merged(found, each.fragment(load_balancing=words)) if words else found
    return found


def _words(network: Network, tree: Tree, there: Beside) -> dict[str, Any]:
    """Return the shortest keys that leave no difference, or all keys."""
    both = _both(there)
    words = _said(both)
    if not any(Field.QUEUE_PAIR in theirs.fields ^ ours.fields for theirs, ours in both.values()):
        return words
    rest = {key: value for key, value in words.items() if key != "hash"}
    for number in QUEUE_PAIRS:
        other = {**rest, "queue_pairs": number}
        trial = merged(tree, there.fragment(load_balancing=other))
        ours = beside(network, trial, there.fabric.place)
        if ours is not None and not _said(_both(ours)):
            return other
    return words


def _both(ours: Beside) -> Both:
    both: Both = {}
    for switch_slice, there in ours.pieces():
        role = str(switch_slice.switch.role)
        if switch_slice.balancing is not None and role not in both:
            choices = _choice(switch_slice, there), _choice(switch_slice, drawn(switch_slice))
            if None not in choices:
                both[role] = choices
    return both


def _choice(switch_slice: SwitchSlice, there: Judged) -> Any:
    late = nos(there.platform).paths
    return (
        late.load().read(switch_slice.switch.model, there.found.texts) if late is not None else None
    )


def _said(both: Both) -> dict[str, Any]:
    """Return the choices that differ."""
    modes = {str(theirs.mode) for theirs, ours in both.values() if theirs.mode is not ours.mode}
    hashed = [theirs.fields for theirs, ours in both.values() if theirs.fields != ours.fields]
    seeds = {
        role: theirs.seed or 0  # without a line, or with 0, the kernel chooses one
        for role, (theirs, ours) in both.items()
        if theirs.seed != ours.seed
    }
    fields = [str(field) for field in Field if hashed and field in hashed[0]]
    return said(mode=next(iter(modes), None), hash=fields, seeds=seeds)


def read_shares(network: Network, tree: Tree) -> Fragment:
    """Return the tree with unusual shares of the management subnet."""
    found: Tree = {}
    for each in fabrics(network, tree):
        part = _part(each)
        found = merged(found, each.fragment(management=str(part))) if part is not None else found
    return found


def _part(beside: Beside) -> IPv4Network | None:
    """Return the prefix from which leafs count up and other switches count down."""
    addresses, moved = beside.fabric.addresses, {True: Counter[int](), False: Counter[int]()}
    for switch, there in beside.switches:
        own = addresses.management_address(switch).value
        moved[switch.is_leaf].update(each - own for each in _addresses(there)[:1])
    ends = {leaf: by for leaf, count in moved.items() if (by := usual(count)) is not None}
    if not any(ends.values()):
        return None
    pool = addresses.management
    up, down = (ends.get(leaf, ends.get(not leaf, 0)) for leaf in (True, False))
    first, last = pool.first - 1 + up, pool.first + pool.size + down
    if not 0 < first < last:
        return None
    parts = list(summarize_address_range(IPv4Address(first), IPv4Address(last)))
    return parts[0] if len(parts) == 1 else None


def _addresses(there: Judged) -> list[int]:
    every = (
        interface(str(each)) for _, own in management(there) for each in words(own.get("address"))
    )
    return [int(each.ip) for each in every if each.version == 4]
