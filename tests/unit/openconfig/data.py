"""The OpenConfig data of sites, and a walk over its lists and leafs."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from tests.nos.eos.sites import BEHIND, EDGE, SITES, slices
from tests.nos.tenants import paired, spoken

from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.registry import nos_of
from fabricgen.operate.export.openconfig.files import data
from fabricgen.operate.export.openconfig.tree import Piece

OSPF = SITES["front"].replace("\nfrontend:\n", "\nfrontend:\n  underlay: {protocol: ospf}\n")
EVERY = {
    **SITES,
    "ospf": OSPF,
    "edge": EDGE,
    "firewalls": BEHIND,
    "sonic": paired("SN3700", "sonic"),
    "sonic peers": spoken("SN3700", "sonic"),
}


def piece_of(switch_slice: SwitchSlice) -> Piece:
    """Return a switch with the names of its platform."""
    names = nos_of(switch_slice.switch).names
    assert names is not None
    return Piece(switch_slice=switch_slice, names=names)


@lru_cache(maxsize=8)
def written(text: str) -> dict[str, tuple[Piece, dict[str, Any]]]:
    """Return each switch of a site with its data."""
    pieces = {name: piece_of(each) for name, each in slices(text).items()}
    return {name: (each, data(each)) for name, each in pieces.items()}


def walk(tree: Any, above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield every path of names without modules, and its value; a list's entries share one."""
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield from walk(value, (*above, key.rpartition(":")[2]))
    elif isinstance(tree, list):
        for each in tree:
            yield from walk(each, above)
    yield above, tree


def leafs(tree: Any, *ending: str) -> set[Any]:
    """Return the values of all leafs whose path ends so."""
    found = walk(tree)
    return {
        value
        for path, value in found
        if path[-len(ending) :] == ending and not isinstance(value, dict | list)
    }


def part(tree: dict[str, Any], name: str) -> Any:
    """Return one part of the data of a switch, by its name without the module."""
    return next((value for key, value in tree.items() if key.endswith(f":{name}")), {})
