"""What changes on the switches of a fabric in; what any of them says of an item, was and will, out.

What is not seen to change is as designed; of a switch that was not looked at nothing is known.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from fabricgen.compile.design.slices import Slicer
from fabricgen.model.fabric.topology import Switch
from fabricgen.model.fabric.transition import AS_DESIGNED, Transition
from fabricgen.nos.lowering import spell
from fabricgen.operate.deploy.choreography.agreement import End
from fabricgen.operate.deploy.choreography.terms import LINK, Item, Terms, terms_of, unspelled
from fabricgen.prove.written import judge_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fabricgen.core.tree.facts import Value
    from fabricgen.model.fabric.switch import Fabric
    from fabricgen.operate.deploy.choreography.terms import Changed

Values = tuple["Value | None", "Value | None"]


class Statements:
    """What the switches of one fabric say. looks: what changes. known: who was looked at."""

    def __init__(
        self,
        fabric: Fabric,
        looks: Mapping[str, Changed],
        known: frozenset[str],
        kept: Mapping[str, Transition],
    ) -> None:
        self.looks, self.known = looks, known
        self._designed = designed(fabric, kept)

    def end(self, name: str, item: Item) -> End:
        """Return what a switch says: as looked at, else as designed; nothing where it was not."""
        if name not in self.known:
            return End(switch=name, was=None, will=None, outside=True)
        was, will = self.values(name, item)
        return End(switch=name, was=was, will=will)

    def values(self, name: str, item: Item) -> Values:
        changes = self.looks.get(name, {})
        if item in changes:
            return changes[item]
        value = self._designed(name).get(item)
        return value, value


def designed(fabric: Fabric, kept: Mapping[str, Transition]) -> Callable[[str], Terms]:
    """Return what says the terms of a switch as it is designed, with what it keeps in a step.

    Each is asked for once for every VLAN and neighbour, so all are kept, without ports to servers.
    """
    slicer = Slicer(fabric)
    switches = {switch.name: switch for switch in fabric.topology.switches}
    cabled = {
        (switch.name, spell(switch, port))
        for link in fabric.topology.links
        for switch, port in ((link.lower, link.lower_port), (link.upper, link.upper_port))
        if isinstance(link.lower, Switch)
    }

    @cache
    def of(name: str) -> Terms:
        piece = slicer.slice(switches[name], kept.get(name, AS_DESIGNED))
        judge = judge_of(piece.switch.platform)
        every = terms_of(judge.expectation.of(piece)) if judge is not None else {}
        return {
            item: unspelled(item, value)
            for item, value in every.items()
            if item.kind != LINK or (name, item.name) in cabled
        }

    return of
