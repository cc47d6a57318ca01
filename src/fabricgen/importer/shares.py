"""Configurations and a tree with its fabrics in; the management addresses of each fabric out."""

from __future__ import annotations

from collections import Counter
from ipaddress import IPv4Address, IPv4Network, summarize_address_range
from typing import TYPE_CHECKING

from fabricgen.importer.beside import fabrics
from fabricgen.importer.told import management
from fabricgen.importer.tree import merged
from fabricgen.prove.walk.packet import interface
from fabricgen.prove.walk.values import words

if TYPE_CHECKING:
    from fabricgen.importer.beside import Beside
    from fabricgen.importer.tree import Fragment, Tree
    from fabricgen.prove.foreign.network import Network
    from fabricgen.prove.foreign.switch import Judged


def read(network: Network, tree: Tree) -> Fragment:
    """Read the part of the management subnet that each has, where it is not its usual one."""
    found: Tree = {}
    for each in fabrics(network, tree):
        part = _part(each)
        found = merged(found, each.fragment(management=str(part))) if part is not None else found
    return found


def _part(beside: Beside) -> IPv4Network | None:
    """Return where leafs count up from and others down from, as one prefix."""
    addresses, moved = beside.fabric.addresses, {True: Counter[int](), False: Counter[int]()}
    for switch, there in beside.switches:
        usual = addresses.management_address(switch).value
        moved[switch.is_leaf].update(each - usual for each in _addresses(there)[:1])
    ends = {leaf: count.most_common(1)[0][0] for leaf, count in moved.items() if count}
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
