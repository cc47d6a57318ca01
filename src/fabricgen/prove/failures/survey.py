"""Computes what each group of a fabric keeps in every failure and computes equal failures once."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from fabricgen.core.progress import tracked
from fabricgen.core.record import record
from fabricgen.model.fabric.failures import ONE_THING, Fails, Together
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Role
from fabricgen.prove.failures.failures import Failure, singles, together
from fabricgen.prove.failures.groups import Group, groups_of
from fabricgen.prove.failures.keep import WHOLE, Keeping
from fabricgen.prove.failures.network import Net, damage, net_of
from fabricgen.prove.failures.reach import Reach
from fabricgen.prove.failures.swaps import Symmetry, symmetry_of

_NOTHING = Fraction()


@record(kw_only=True)
class Outcome:
    """Result of a group in a failure, as shares of its bandwidth without the failure.

    `keeps`: of all servers, by their capacity; a server without network keeps nothing. `each`: the
    minimum of a server that keeps the network. `lost`: names of servers that lose the network.
    `shut_in`: servers that keep it but lose their external connection.
    """

    keeps: Fraction
    each: Fraction
    lost: tuple[str, ...]
    shut_in: tuple[str, ...]

    @property
    def numbers(self) -> tuple[Fraction, Fraction, int, int]:
        """Return the numbers that equal failures share, without the names."""
        return self.keeps, self.each, len(self.lost), len(self.shut_in)


@record(eq=False, kw_only=True)
class Row:
    """Failures of one kind with equal results for every group; `outcomes`: of the first, by group.

    A group without an entry keeps all.
    """

    failures: tuple[Failure, ...]
    outcomes: dict[Group, Outcome]


@dataclass(eq=False, kw_only=True)
class Surveyed:
    """One group and its results: one outcome per set of equal failures."""

    group: Group
    symmetry: Symmetry
    shared: bool
    _known: dict[tuple[int, ...], tuple[Failure, Outcome | None]] = field(default_factory=dict)

    def single(self, failure: Failure) -> Outcome | None:
        """Return the result of a single failure, possibly with the names of an equal one.

        None if it is outside the group.
        """
        key = self._key(failure)
        if key is None:
            return None
        if key not in self._known:
            self._known[key] = failure, self._judged(failure)
        return self._known[key][1]

    def outcome(self, failure: Failure) -> Outcome | None:
        """Return the result of a failure, with its own names; None if it is outside the group."""
        key = self._key(failure) if failure.kind in ONE_THING else None
        first, known = self._known.get(key, (None, None)) if key is not None else (None, None)
        if first is failure or (known is not None and not known.lost and not known.shut_in):
            return known
        return self._judged(failure)

    def _key(self, failure: Failure) -> tuple[int, ...] | None:
        """Return a key that failures share if a proven symmetry makes them equal.

        The symmetry concerns the whole fabric: next to idle switches no two failures are equal.
        """
        if failure.idle or failure.dark:
            return (id(failure),)
        net, alike = self.symmetry.net, self.symmetry.failures
        if failure.switches:
            node = net.node.get(failure.switches[0])
            return alike.first((node,)) if node is not None else None
        link = failure.links[0]
        cable = net.cable(link)
        if cable is None:
            return None
        one, other, speed = cable
        if failure.kind is Fails.SERVER_LINK:
            leaf, node = one, other
            if not net.height[leaf]:
                leaf, node = other, one
            return (*alike.first((node, leaf, self.symmetry.home_of(link.lower.name))), speed)
        return (*alike.first((one, other)), speed)

    def _judged(self, failure: Failure) -> Outcome | None:
        hurt = damage(self.symmetry.net, failure.gone, failure.cut)
        if hurt is None:
            return None
        keeping = Keeping(self.symmetry, hurt)
        reach = Reach(hurt, self.symmetry.pod, shared=self.shared)
        lost = frozenset(reach.lost())
        shares = {node: share for node, share in keeping.shares().items() if node not in lost}
        return _summed(hurt.net, shares, lost, frozenset(reach.shut_in()))


def _summed(
    net: Net, shares: Mapping[int, Fraction], lost: Collection[int], shut_in: Collection[int]
) -> Outcome:
    """Return the sum of endpoints for servers, and of servers for the group."""
    kept, whole, each = _NOTHING, 0, WHOLE
    cut: list[str] = []
    shut: list[str] = []
    for nodes, servers in net.homes().items():
        capacity = sum(net.capacity[node] for node in nodes)
        mine = sum((net.capacity[node] * shares.get(node, _NOTHING) for node in nodes), _NOTHING)
        kept += len(servers) * mine
        whole += len(servers) * capacity
        if all(node in lost for node in nodes):
            cut += servers
            continue
        each = min(each, mine / capacity)
        if all(node in lost or node in shut_in for node in nodes):
            shut += servers
    return Outcome(keeps=kept / whole, each=each, lost=tuple(cut), shut_in=tuple(shut))


@dataclass(eq=False)
class Survey:
    """One fabric with its groups."""

    fabric: Fabric
    groups: list[Surveyed] = field(init=False)

    def __post_init__(self) -> None:
        """Build the graph of each group, and prove its symmetries."""
        shared = self.fabric.routing.asns.shares(Role.SPINE)
        self.groups = [
            Surveyed(
                group=group,
                symmetry=symmetry_of(net_of(self.fabric.topology, group)),
                shared=shared,
            )
            for group in groups_of(self.fabric)
        ]

    def rows(self, named: Iterable[Together]) -> list[Row]:
        """Return the result of every single failure, then of the joint failures of the intent."""
        alike: dict[object, list[Failure]] = {}
        for failure in tracked("simulating failures", [*singles(self.fabric)]):
            found = ((one.group, one.single(failure)) for one in self.groups)
            costs = ((group, each.numbers) for group, each in found if each is not None)
            key = (failure.kind, *costs)
            alike.setdefault(key, []).append(failure)
        single = [
            Row(failures=tuple(failures), outcomes=self._of(failures[0]))
            for failures in alike.values()
        ]
        return single + self.together(named)

    def together(self, named: Iterable[Together]) -> list[Row]:
        """Return the results of some joint failures, as far as they concern this fabric."""
        return [
            Row(failures=(failure,), outcomes=self._of(failure))
            for failure in together(self.fabric, named)
        ]

    def _of(self, failure: Failure) -> dict[Group, Outcome]:
        found = {one.group: one.outcome(failure) for one in self.groups}
        return {group: each for group, each in found.items() if each is not None}
