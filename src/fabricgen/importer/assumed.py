"""A network and the intent found in it in; values of it that stand in no file, said, out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.core.diagnostics import Code, Diagnostic, Severity
from fabricgen.core.units import counted
from fabricgen.importer.beside import fabrics
from fabricgen.importer.management import UNNAMED
from fabricgen.importer.models import ports
from fabricgen.importer.structure import UNKNOWN
from fabricgen.importer.tree import at
from fabricgen.model.fabric.interface import Use
from fabricgen.nos.lowering import spell

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabricgen.importer.beside import Beside
    from fabricgen.importer.tree import Tree
    from fabricgen.importer.written import Notes
    from fabricgen.prove.foreign.network import Network
    from fabricgen.prove.foreign.switch import Judged

NOBODY = "nobody says it"


def notes(tree: Tree) -> Notes:
    """Return comments for what an intent must have, and nobody says."""
    values = {("site", "name"): UNNAMED, ("site", "management", "subnet"): UNKNOWN}
    return {path: NOBODY for path, value in values.items() if at(tree, *path) == value}


def assumed(network: Network, tree: Tree) -> list[Diagnostic]:
    """Say what of an intent stands in no file: its management subnet, and how fast ports are."""
    findings = []
    if at(tree, "site", "management", "subnet") == UNKNOWN:
        what = f"no switch has a management address: {UNKNOWN} stands in site.management.subnet"
        findings.append(_finding(f"{what}, since an intent must have one", network.switches[0]))
    found = [each for beside in fabrics(network, tree) for each in _unsaid(beside)]
    if found:
        switch, name, speed = found[0]
        more = f" and {counted(len(found) - 1, 'other port')}" if found[1:] else ""
        what = f"no file says how fast `{name}` of {switch.name}{more} run"
        findings.append(_finding(f"{what}: of the speeds of their cages {speed} is taken", switch))
    return findings


def _finding(what: str, switch: Judged) -> Diagnostic:
    return Diagnostic(
        Code.ADOPT_ASSUMED,
        what,
        hint="change it in the intent where it is otherwise",
        position=switch.top,
        severity=Severity.WARNING,
    )


def _unsaid(beside: Beside) -> Iterator[tuple[Judged, str, str]]:
    """Yield the ports in use whose cages may be split so at several speeds, with the one taken."""
    for piece, read in beside.pieces():
        known = ports(piece.switch.model.name, piece.switch.platform)
        for item in piece.interfaces:
            name = spell(piece.switch, item.port)
            own = read.own(("interface", name))
            may = {each.speed for each in known.get(name, ()) if each.subs == item.port.subs}
            if item.use is not Use.UNUSED and own and not own.get("speed") and len(may) > 1:
                yield read, name, str(item.port.speed)
