"""A network and the intent found in it in; ports in use of which nobody says the far end, out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.compile.design.slices import Slicer
from fabricgen.core.diagnostics import Code, Diagnostic, Severity
from fabricgen.core.tree.facts import TRUE
from fabricgen.core.units import counted, natural
from fabricgen.importer.beside import fabrics
from fabricgen.importer.models import ports
from fabricgen.model.fabric.interface import Use
from fabricgen.nos.lowering import spell

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabricgen.importer.beside import Beside
    from fabricgen.importer.tree import Tree
    from fabricgen.prove.foreign.network import Network
    from fabricgen.prove.foreign.switch import Judged

_USED = ("address", "link-local", "bundle", "mode", "untagged", "vlans")
_HINT = (
    "say it by texts on ports, by LLDP of servers, or by an inventory with cables; "
    "of a switch that is there, its configuration"
)


def unsaid(network: Network, tree: Tree) -> list[Diagnostic]:
    """Say how many ports do something that no key says, since nobody says what is behind them."""
    found = [port for beside in fabrics(network, tree) for port in _ports(beside)]
    if not found:
        return []
    switch, name = found[0]
    more = f" and {counted(len(found) - 1, 'other port')}" if found[1:] else ""
    what = f"nobody says what is behind `{name}` of {switch.name}{more} in use"
    return [
        Diagnostic(
            Code.ADOPT_UNSAID,
            f"{what}: the intent has nothing there",
            hint=_HINT,
            position=switch.top,
            severity=Severity.WARNING,
        )
    ]


def _ports(beside: Beside) -> Iterator[tuple[Judged, str]]:
    slicer = Slicer(beside.fabric)
    for switch, read in beside.switches:
        interfaces = slicer.slice(switch).interfaces
        known = {spell(switch, port.port) for port in interfaces if port.use is not Use.UNUSED}
        for name in natural(ports(switch.model.name, switch.platform).keys() - known):
            own = read.own(("interface", name))
            if own.get("shut") != TRUE and any(own.get(each) for each in _USED):
                yield read, name
