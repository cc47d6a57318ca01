"""Designs each fabric of a tree and pairs it with the switches that were read."""

import json
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from fabricgen.compile.compiler import Designed, File, designed, files_of, folder_of
from fabricgen.compile.design.slices import Slicer
from fabricgen.compile.sandbox import renderer
from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.record import record
from fabricgen.importer.tree import Fragment, Tree, below, loaded
from fabricgen.model.fabric.switch import Fabric, SwitchSlice
from fabricgen.model.fabric.topology import Switch
from fabricgen.prove.foreign.folder import Found
from fabricgen.prove.foreign.network import Network
from fabricgen.prove.foreign.switch import Judged

MOST = 24
"""Switches that are compared one by one. A larger fabric is sampled by kind."""
_EACH = 2


@record(eq=False, kw_only=True)
class Beside:
    """One fabric, and the switches of its files."""

    fabric: Fabric
    switches: list[tuple[Switch, Judged]]

    @property
    def serves_tenants(self) -> bool:
        """Check whether it has VLANs of tenants. Rails have VRFs of jobs alone."""
        return self.fabric.overlay is not None and self.fabric.addresses.nics is None

    def fragment(self, **words: Any) -> Fragment:
        """Return keys of this fabric as a part of the tree."""
        return dict(below(self.fabric.place, words))

    def pieces(self) -> Iterator[tuple[SwitchSlice, Judged]]:
        """Yield the slices of its switches, or of a sample in a large fabric."""
        slicer = Slicer(self.fabric)
        for switch, judged in self._few():
            yield slicer.slice(switch), judged

    def _few(self) -> Iterator[tuple[Switch, Judged]]:
        counts: dict[object, int] = {}
        for switch, judged in self.switches:
            sort = switch.role, switch.platform, switch.model
            counts[sort] = counts.get(sort, 0) + 1
            if len(self.switches) <= MOST or counts[sort] <= _EACH:
                yield switch, judged


def fabrics(network: Network, tree: Tree) -> list[Beside]:
    """Return the fabrics of a tree that can be designed."""
    site = design(tree).site
    return [
        Beside(
            fabric=fabric,
            switches=[
                (switch, there)
                for switch in fabric.topology.switches
                if (there := network.named.get(switch.name.lower())) is not None
                and there.platform == switch.platform
            ],
        )
        for fabric in (site.fabrics if site is not None else ())
    ]


def design(tree: Tree) -> Designed:
    """Return the design of a tree."""
    return _design(json.dumps(tree, sort_keys=True))


@lru_cache(maxsize=4)
def _design(text: str) -> Designed:
    return designed(loaded(json.loads(text)))


def beside(network: Network, tree: Tree, place: IntentPath) -> Beside | None:
    """Return the fabric at a path, or None if it cannot be designed."""
    every = fabrics(network, tree)
    return next((each for each in every if each.fabric.place == place), None)


def drawn(switch_slice: SwitchSlice, files: Iterable[File] | None = None) -> Judged:
    """Return a designed switch as it is read from its files. files: rendered before."""
    folder = folder_of(switch_slice.switch)
    files = files_of(switch_slice, renderer(())) if files is None else files
    texts = {each.path.removeprefix(f"{folder}/"): each.text for each in files}
    found = Found(
        name=switch_slice.switch.name,
        platform=switch_slice.switch.platform,
        texts=texts,
        places={path: path for path in texts},
    )
    return Judged(found, wide=True)
