"""Compares the switches and servers of two sites."""

from collections.abc import Iterator

from fabricgen.core.record import record
from fabricgen.core.units import natural
from fabricgen.model.fabric.switch import Site
from fabricgen.review.model import Act, Effect


@record()
class CableChanges:
    """Names of the switches and servers that one side lacks, with their kind."""

    added: dict[str, str]
    removed: dict[str, str]

    @property
    def names(self) -> frozenset[str]:
        """Return the names of all that differ."""
        return frozenset((*self.added, *self.removed))


def cable_changes(before: Site, after: Site) -> CableChanges:
    """Return what one of two sites lacks."""
    one, other = _named(before), _named(after)
    return CableChanges(
        {name: kind for name, kind in other.items() if name not in one},
        {name: kind for name, kind in one.items() if name not in other},
    )


def _named(site: Site) -> dict[str, str]:
    shapes = [fabric.topology for fabric in site.fabrics]
    servers = {each.name: "server" for shape in shapes for each in shape.servers}
    return servers | {each.name: "switch" for shape in shapes for each in shape.switches}


def topology_effects(changes: CableChanges) -> Iterator[Effect]:
    """Yield the switches and servers that come and go."""
    for act, names in ((Act.ADDED, changes.added), (Act.REMOVED, changes.removed)):
        for name in natural(names):
            text = f"{names[name]} {name} {act}"
            yield Effect(act=act, kind=names[name], name=name, text=text)
