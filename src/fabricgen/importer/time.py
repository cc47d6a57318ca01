"""Configurations and a tree with its fabrics in; who has precise time out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.importer.beside import fabrics
from fabricgen.importer.told import most, said
from fabricgen.prove.walk.values import text

if TYPE_CHECKING:
    from fabricgen.importer.tree import Fragment, Tree
    from fabricgen.prove.foreign.network import Network
    from fabricgen.prove.foreign.switch import Judged


def read(network: Network, tree: Tree) -> Fragment:
    """Read it: the fabrics whose switches are boundary clocks, and their domain."""
    timed = [
        each.fabric.name
        for each in fabrics(network, tree)
        if most((there for _, there in each.switches), _mode) == "boundary"
    ]
    if not timed:
        return {}
    domain = most(network.switches, lambda each: text(each.own(("time",)).get("domain")))
    ptp = said(domain=int(domain) if domain and domain != "0" else None, fabrics=timed)
    return {"site": {"management": {"ptp": ptp}}}


def _mode(switch: Judged) -> str:
    return text(switch.own(("time",)).get("mode"))
