"""A graph and what fails in it; what is left of a capacity, and who is left, out."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from fabricgen.model.fabric.topology import Link, Server
from fabricgen.prove.failures.network import Net, endpoint


@dataclass(slots=True, eq=False)
class Damage:
    """Nodes that are gone, and capacity that is gone between two others, the smaller first.

    A node with a lost link has one member, so all of a node's members lose alike.
    """

    net: Net
    dead: frozenset[int] = frozenset()
    lost: Counter[tuple[int, int]] = field(default_factory=Counter)

    def left(self, node: int, other: int) -> int:
        """Return what one member of a node has left towards a neighbour."""
        if node in self.dead or other in self.dead:
            return 0
        gone = self.lost[(node, other) if node < other else (other, node)] if self.lost else 0
        return self.net.near[node][other] - gone

    @property
    def touched(self) -> frozenset[int]:
        """Return the nodes that fail or have a link that does."""
        return self.dead.union(*self.lost) if self.lost else self.dead

    def alive(self, node: int) -> bool:
        """Tell whether servers of a node have a port left."""
        return any(self.left(node, leaf) for leaf in self.net.near[node])


def damage(net: Net, switches: Iterable[str], links: Iterable[Link]) -> Damage | None:
    """Return what fails in a graph; None where nothing of it does."""
    cables = [link for link in links if net.cable(link) is not None]
    for link in cables:
        if isinstance(link.lower, Server):
            net = net.apart(endpoint(link))
    dead = frozenset(net.node[name] for name in switches if name in net.node)
    lost: Counter[tuple[int, int]] = Counter()
    for link in cables:
        one, other, speed = net.cable(link) or (0, 0, 0)
        lost[one, other] += speed
    return Damage(net, dead, lost) if dead or lost else None
