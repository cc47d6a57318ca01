"""Runs the readers of all intent sections and adds their results to a tree.

A reader finds one section of the intent. It sees the results of the readers before it.
"""

from collections.abc import Callable

from fabricgen.importer import (
    accepted,
    balancing,
    classes,
    descriptions,
    edge,
    management,
    port_settings,
    roce,
    tenants,
    underlay,
    watching,
)
from fabricgen.importer.tree import Fragment, Tree, merged
from fabricgen.prove.foreign.network import Network

Reader = Callable[["Network", "Tree"], "Fragment"]
READERS: tuple[Reader, ...] = (
    management.read,
    balancing.read_shares,
    watching.read,
    management.read_logins,
    management.read_time,
    underlay.read,
    classes.read,
    roce.read,
    balancing.read,
    tenants.read,
    port_settings.read,
    edge.read,
    descriptions.read,
    accepted.read,
)


def sections(network: Network, tree: Tree) -> Tree:
    """Return the tree with the results of all readers."""
    for read in READERS:
        tree = merged(tree, read(network, tree))
    return tree
