"""Asks one pair of each two classes of stations, and counts the pairs with the same result.

No engine distinguishes the stations of a class. The kind of a pair is both classes, and the
relations of their switches. The first pair of a kind answers for all pairs of this kind.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace

from fabricgen.core.record import record
from fabricgen.prove.reach.matrix import Case, cases
from fabricgen.prove.reach.model import Model
from fabricgen.prove.reach.stand import Stand
from fabricgen.prove.walk.leafs import relations
from fabricgen.prove.walk.walk import Walk

Kind = tuple[int, int, tuple[int, ...]]
"""The classes of sender and receiver, and the relations of their switches; empty if all differ."""
Pair = tuple[int, int]


@record(kw_only=True)
class Places:
    """Stations at the same switches, by class. `near`: relations to places with a common switch."""

    switches: tuple[str, ...]
    members: dict[int, list[int]]
    near: dict[tuple[str, ...], tuple[int, ...]]


class Classes:
    """The classes of some stations."""

    def __init__(self, stands: Sequence[Stand], model: Model, walk: Walk) -> None:
        """Sort the stations into classes that both engines agree on."""
        likeness, numbers = walk.likeness(), dict[Hashable, int]()
        self._stands, self._model, self._walk = stands, model, walk
        self._partners = likeness.partners
        self._nodes: dict[str, list[int]] = defaultdict(list)
        self._classes: list[int] = []
        self._at: list[Places] = []
        self._members: dict[int, list[int]] = defaultdict(list)
        self._places: dict[tuple[str, ...], Places] = {}
        for index, stand in enumerate(stands):
            kin, (own, leafs) = likeness.kin(stand.station), model.likeness(stand)
            every = (*leafs, *kin.places)
            places = tuple(dict.fromkeys(every))
            inner = relations(places, places, self._partners)
            order = tuple(map(places.index, every))
            key = (kin.key, own, stand.station.network, order, len(leafs), inner)
            number = numbers.setdefault(key, len(numbers))
            here = self._places.setdefault(places, Places(switches=places, members={}, near={}))
            here.members.setdefault(number, []).append(index)
            self._at.append(here)
            self._classes.append(number)
            self._members[number].append(index)
            self._nodes[stand.station.node].append(index)
        self._join()

    def __len__(self) -> int:
        """Return the number of classes."""
        return len(self._members)

    def cases(self, proto: tuple[str, int] = ("", 0)) -> Iterator[Case]:
        """Yield one case of each kind of pairs and IP version, with its number of pairs."""
        for (one, other), count in self._kinds():
            ends = [self._stands[one]], [self._stands[other]]
            for case in cases(*ends, self._model, self._walk, proto):
                yield replace(case, pairs=count)

    def _join(self) -> None:
        """Find places that share a switch or an MLAG pair."""
        at: dict[str, list[Places]] = defaultdict(list)
        for each in self._places.values():
            for switch in each.switches:
                at[switch].append(each)
        for one in self._places.values():
            beside = (self._partners.get(switch, "") for switch in one.switches)
            for switch in dict.fromkeys((*one.switches, *beside)):
                for other in at.get(switch, ()):
                    found = relations(one.switches, other.switches, self._partners)
                    one.near[other.switches] = found

    def _kinds(self) -> Iterator[tuple[Pair, int]]:
        """Yield the first pair of each kind, and the number of its pairs, in the order of pairs."""
        counts, first = self._near()
        own = self._own()
        nearby: Counter[tuple[int, int]] = Counter()
        for kind, count in counts.items():
            nearby[kind[:2]] += count
        found = [
            (first[kind], count - own[kind]) for kind, count in counts.items() if kind in first
        ]
        for one, ones in self._members.items():
            for other, others in self._members.items():
                count = len(ones) * len(others) - nearby[one, other] - own[one, other, ()]
                if count:
                    found.append((self._apart(ones, others), count))
        yield from sorted(found)

    def _near(self) -> tuple[Counter[Kind], dict[Kind, Pair]]:
        """Return the number and the first pair of each kind of pairs with a switch in common."""
        counts: Counter[Kind] = Counter()
        first: dict[Kind, Pair] = {}
        for here in self._places.values():
            for switches, relation in here.near.items():
                there = self._places[switches].members
                for one, ones in here.members.items():
                    for other, others in there.items():
                        kind = (one, other, relation)
                        counts[kind] += len(ones) * len(others)
                        if kind not in first or ones[0] <= first[kind][0]:
                            pair = self._first(ones, others)
                            if pair is not None:
                                first[kind] = min(pair, first.get(kind, pair))
        return counts, first

    def _own(self) -> Counter[Kind]:
        """Return the number of pairs of each kind inside one server."""
        return Counter(
            self.kind(a, b) for every in self._nodes.values() for a in every for b in every
        )

    def kind(self, one: int, other: int) -> Kind:
        """Return the kind of a pair of stations."""
        relation = self._at[one].near.get(self._at[other].switches, ())
        return self._classes[one], self._classes[other], relation

    def _apart(self, ones: list[int], others: list[int]) -> Pair:
        """Return the first pair without a common switch."""
        return next(
            (a, b)
            for a in ones
            for b in others
            if self._at[b].switches not in self._at[a].near and not self._are_one(a, b)
        )

    def _first(self, ones: list[int], others: list[int]) -> Pair | None:
        return next(((a, b) for a in ones for b in others if not self._are_one(a, b)), None)

    def _are_one(self, one: int, other: int) -> bool:
        """Return whether two stations are of one server."""
        return self._stands[one].station.node == self._stands[other].station.node
