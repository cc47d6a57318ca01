"""Computes what each group of a fabric keeps in every failure and computes equal failures once."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from operator import mul
from typing import NamedTuple

from fabricgen.core.progress import tracked
from fabricgen.core.record import record
from fabricgen.model.fabric.failures import ONE_THING, Fails, Together
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Role
from fabricgen.prove.failures.failures import Failure, singles, together
from fabricgen.prove.failures.groups import KINDS, Group, groups_of
from fabricgen.prove.failures.keep import Keeping
from fabricgen.prove.failures.network import KINDLESS, Damage, Net, damage, net_of
from fabricgen.prove.failures.reach import Paths, Reach
from fabricgen.prove.failures.room import WHOLE
from fabricgen.prove.failures.swaps import Symmetry, symmetry_of

_NOTHING = Fraction()


@record(kw_only=True)
class Outcome:
    """Result of a group in a failure, as shares of its bandwidth without the failure.

    `keeps`: of all servers, by their capacity; a server without network keeps nothing. `each`: the
    minimum of a server that keeps the network. `lost`: names of servers that lose the network.
    `shut_in`: servers that keep it but lose their external connection. `hit`: number of servers
    that keep less than all. `gpus`: GPUs that such servers have.
    """

    keeps: Fraction
    each: Fraction
    lost: tuple[str, ...]
    shut_in: tuple[str, ...]
    hit: int
    gpus: int

    @property
    def numbers(self) -> tuple[Fraction | int, ...]:
        """Return the numbers that equal failures share, without the names."""
        return self.keeps, self.each, len(self.lost), len(self.shut_in), self.hit, self.gpus


@record(eq=False, kw_only=True)
class Row:
    """Failures of one kind with equal results for every group; `outcomes`: of the first, by group.

    A group without an entry keeps all.
    """

    failures: tuple[Failure, ...]
    outcomes: dict[Group, Outcome]


Class = tuple[int, ...]
"""Key of equal failures of one group."""


@dataclass(eq=False, kw_only=True)
class Surveyed:
    """One group and its results: one outcome per class of equal failures.

    `gpus`: of each server without a kind.
    """

    group: Group
    symmetry: Symmetry
    shared: bool
    gpus: int
    _known: dict[Class, tuple[Failure, Outcome | None]] = field(default_factory=dict)

    @cached_property
    def _paths(self) -> Paths:
        symmetry = self.symmetry
        return Paths(damage=Damage(symmetry.net), pods=symmetry.pod, shared=self.shared)

    @property
    def cases(self) -> int:
        """Return the number of classes whose outcome was computed."""
        return len(self._known)

    def single(self, failure: Failure) -> Outcome | None:
        """Return the result of a single failure, possibly with the names of an equal one.

        None if it is outside the group.
        """
        key = self.class_of(failure)
        if key is None:
            return None
        if key not in self._known:
            self._known[key] = failure, self._judged(failure)
        return self._known[key][1]

    def outcome(self, failure: Failure) -> Outcome | None:
        """Return the result of a failure, with its own names; None if it is outside the group."""
        key = self.class_of(failure) if failure.kind in ONE_THING else None
        first, known = self._known.get(key, (None, None)) if key is not None else (None, None)
        if first is failure or (known is not None and not known.lost and not known.shut_in):
            return known
        return self._judged(failure, known)

    def lost(self, failure: Failure) -> tuple[str, ...]:
        """Return the servers that lose the network in a failure, without computing bandwidth."""
        hurt = damage(self.symmetry.net, failure.gone, failure.cut)
        return () if hurt is None else tuple(_servers(hurt.net, {*Reach(hurt, self._paths).lost()}))

    def shares(self, failure: Failure) -> dict[str, Fraction]:
        """Return the share of bandwidth of each server that keeps less than all in a failure."""
        hurt = damage(self.symmetry.net, failure.gone, failure.cut)
        if hurt is None:
            return {}
        lost = frozenset(Reach(hurt, self._paths).lost())
        kept = Keeping(self.symmetry, hurt).shares()
        found = {}
        for nodes, servers in hurt.net.homes().items():
            mine = [_NOTHING if node in lost else kept.get(node, _NOTHING) for node in nodes]
            if any(share is not WHOLE for share in mine):
                capacities = [hurt.net.capacity[node] for node in nodes]
                share = sum(map(mul, capacities, mine), _NOTHING) / sum(capacities)
                found.update(dict.fromkeys(servers, share) if share < 1 else {})
        return found

    def class_of(self, failure: Failure) -> Class | None:
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

    def _judged(self, failure: Failure, known: Outcome | None = None) -> Outcome | None:
        """Compute the result of a failure; of one with a `known` class, only its names."""
        hurt = damage(self.symmetry.net, failure.gone, failure.cut)
        if hurt is None:
            return None
        reach = Reach(hurt, self._paths)
        lost, shut_in = frozenset(reach.lost()), frozenset(reach.shut_in())
        if known is None:
            shares = Keeping(self.symmetry, hurt).shares()
            told = _summed(hurt.net, shares, lost, self.gpus)
        else:
            told = _Sum(known.keeps, known.each, known.hit, known.gpus)
        cut = _servers(hurt.net, lost)
        gone = frozenset(cut)
        shut = _servers(hurt.net, lost | shut_in) if shut_in else ()
        left = tuple(name for name in shut if name not in gone)
        return Outcome(**told._asdict(), lost=tuple(cut), shut_in=left)


def _servers(net: Net, nodes: Collection[int]) -> list[str]:
    """Return the servers whose endpoints are all in some nodes."""
    homes = net.homes().items() if nodes else ()
    return [
        name for home, servers in homes if all(map(nodes.__contains__, home)) for name in servers
    ]


def gpus_each(fabric: Fabric) -> int:
    """Return the GPUs of each server without a kind: of rails, all have the same."""
    kinds = [each.equipment for each in fabric.topology.servers]
    known = sum(each.gpus for each in kinds if each is not None)
    return (fabric.gpus - known) // kinds.count(None) if fabric.gpus and None in kinds else 0


class _Sum(NamedTuple):
    """Numbers of an outcome over all servers of a group."""

    keeps: Fraction
    each: Fraction
    hit: int
    gpus: int


def _summed(net: Net, shares: Mapping[int, Fraction], lost: Collection[int], kindless: int) -> _Sum:
    """Return the share of all servers, the least of one with a network, and who keeps less."""
    kept, less, whole, each = 0, _NOTHING, 0, WHOLE
    hit = gpus = 0
    for nodes, servers in net.homes().items():
        capacities = [net.capacity[node] for node in nodes]
        capacity = sum(capacities)
        whole += len(servers) * capacity
        mine = [_NOTHING if node in lost else shares.get(node, _NOTHING) for node in nodes]
        if all(share is WHOLE for share in mine):
            kept += len(servers) * capacity
            continue
        sums = sum(map(mul, capacities, mine), _NOTHING)
        less += len(servers) * sums
        if sums < capacity:
            hit += len(servers)
            each_has = net.gpus[nodes[0]]
            gpus += len(servers) * (kindless if each_has == KINDLESS else each_has)
        if not all(node in lost for node in nodes):
            each = min(each, sums / capacity)
    return _Sum((kept + less) / whole, each, hit, gpus)


@record(kw_only=True)
class Walked:
    """How much was computed: `failures` in `classes`, by a `case` per class and group."""

    failures: int
    classes: int
    cases: int
    groups: int


@dataclass(eq=False)
class Survey:
    """One fabric with its groups. `walked`: size of the computation, None without groups.

    `kinds`: the analyzed kinds of groups.
    """

    fabric: Fabric
    kinds: frozenset[str] = KINDS
    groups: list[Surveyed] = field(init=False)
    walked: Walked | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        """Build the graph of each group, and prove its symmetries."""
        shared = self.fabric.routing.asns.shares(Role.SPINE)
        self.groups = [
            Surveyed(
                group=group,
                symmetry=symmetry_of(net_of(self.fabric.topology, group)),
                shared=shared,
                gpus=gpus_each(self.fabric),
            )
            for group in groups_of(self.fabric)
            if group.kind in self.kinds
        ]

    @cached_property
    def _of_servers(self) -> dict[str, list[Surveyed]]:
        """Return the groups of each server."""
        found: dict[str, list[Surveyed]] = {}
        for one in self.groups:
            for server in one.symmetry.net.ends:
                found.setdefault(server, []).append(one)
        return found

    def _concerned(self, failure: Failure) -> list[Surveyed]:
        """Return the groups that a failure may concern: for a server link, its server's."""
        if failure.kind is not Fails.SERVER_LINK or failure.idle or failure.dark:
            return self.groups
        return self._of_servers.get(failure.links[0].lower.name, [])

    def rows(self, named: Iterable[Together]) -> list[Row]:
        """Return the result of every single failure, then of the joint failures of the intent."""
        alike: dict[object, list[Failure]] = {}
        classes: set[object] = set()
        for failure in tracked("simulating failures", [*singles(self.fabric)]):
            concerned = self._concerned(failure)
            found = ((one.group, one.single(failure)) for one in concerned)
            costs = ((group, each.numbers) for group, each in found if each is not None)
            key = (failure.kind, *costs)
            alike.setdefault(key, []).append(failure)
            mine = ((id(one), one.class_of(failure)) for one in concerned)
            classes.add((failure.kind, *mine))
        single = [
            Row(failures=tuple(failures), outcomes=self._of(failures[0]))
            for failures in alike.values()
        ]
        if self.groups:
            self.walked = Walked(
                failures=sum(map(len, alike.values())),
                classes=len(classes),
                cases=sum(one.cases for one in self.groups),
                groups=len(self.groups),
            )
        return single + self.together(named)

    def together(self, named: Iterable[Together]) -> list[Row]:
        """Return the results of some joint failures, as far as they concern this fabric."""
        return [
            Row(failures=(failure,), outcomes=self._of(failure))
            for failure in together(self.fabric, named)
        ]

    def _of(self, failure: Failure) -> dict[Group, Outcome]:
        found = {one.group: one.outcome(failure) for one in self._concerned(failure)}
        return {group: each for group, each in found.items() if each is not None}
