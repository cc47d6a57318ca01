"""Lists features that a platform lacks, so that the intent accepts switches without them."""

from collections.abc import Iterator

from fabricgen.importer.beside import fabrics
from fabricgen.importer.tree import Fragment, Tree, at
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.features import Unsupported, needs
from fabricgen.nos.registry import nos_of
from fabricgen.prove.foreign.network import Network


def read(network: Network, tree: Tree) -> Fragment:
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
