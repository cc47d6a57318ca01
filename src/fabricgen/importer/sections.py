"""Runs the readers of all intent sections and adds their results to a tree.

A reader finds one section of the intent. It sees the results of the readers before it.
"""

from collections.abc import Callable, Iterator

from fabricgen.importer import (
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
from fabricgen.importer.beside import fabrics
from fabricgen.importer.tree import Fragment, Tree, at, merged
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.features import Unsupported, needs
from fabricgen.nos.registry import nos_of
from fabricgen.prove.foreign.network import Network


def read_gaps(network: Network, tree: Tree) -> Fragment:
    """Return the tree with accepted gaps: switches that lack what other switches have."""
    lacking = {
        feature
        for each in fabrics(network, tree)
        for switch_slice, _ in each.pieces()
        for feature in _lacking(switch_slice)
    }
    accepted = at(tree, "site", "accept_unsupported") or []
    more = sorted(lacking - {*accepted})
    return {"site": {"accept_unsupported": [*accepted, *more]}} if more else {}


def _lacking(switch_slice: SwitchSlice) -> Iterator[str]:
    runs, release = nos_of(switch_slice.switch), switch_slice.switch.release
    for feature in needs(switch_slice):
        if isinstance(runs.answer(feature, release), Unsupported):
            yield feature.value


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
    read_gaps,
)


def sections(network: Network, tree: Tree) -> Tree:
    """Return the tree with the results of all readers."""
    for read in READERS:
        tree = merged(tree, read(network, tree))
    return tree
