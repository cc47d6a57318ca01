"""Computes the servers that lose a network or bandwidth by the interruptions of one switch.

It uses the symmetry classes of the failure analysis. The result of a class is computed once. Other
switches of the class get it if the position of its servers describes them (forms.py).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from fabricgen.core.record import record
from fabricgen.model.fabric.failures import Fails
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Link, Switch
from fabricgen.prove.failures.failures import Failure, dark_of
from fabricgen.prove.failures.groups import FABRIC, TENANT, Group
from fabricgen.prove.failures.survey import Survey, Surveyed
from fabricgen.review.forms import NOBODY, Forms, Pattern
from fabricgen.review.touched import Touched

_NODES = 60_000
"""Nodes of the graphs that are computed without a class, over all switches of a fabric."""
_LEAST = 8
WHOLE, COMPLETE, BUNDLE, LINK, SOME = "whole", "complete", "bundle", "link", "some"
"""Failed parts of a switch: itself, all its links, all or one to one switch, other links."""
Names = frozenset[str]


@record(eq=False, kw_only=True)
class Harm:
    """Servers of one group that one failure hits.

    Attributes:
        group: Fabric or network of a tenant.
        lost: Servers that lose the network.
        shut_in: Servers that lose only their external connection.
        shares: Servers by the remaining share of their bandwidth, None for an unknown share.
        keeps: Remaining share of the bandwidth of the group, None if unknown.
    """

    group: Group
    lost: Names
    shut_in: Names
    shares: Mapping[Fraction | None, Names]
    keeps: Fraction | None


@record(eq=False, kw_only=True)
class Case:
    """Failure of a part of one switch. `lower`: the lower switch of the failed links."""

    part: str
    failure: Failure
    switch: Switch
    lower: Switch


@dataclass(eq=False, kw_only=True)
class Outages:
    """Results for one fabric."""

    fabric: Fabric
    _known: dict[tuple[object, ...], tuple[Harm, list[Pattern]]] = field(default_factory=dict)
    _by_group: dict[int, Forms] = field(default_factory=dict)
    _below: dict[str, Names] = field(default_factory=dict)
    _unions: dict[frozenset[str], Names] = field(default_factory=dict)
    _spent: int = 0

    @cached_property
    def survey(self) -> Survey:
        """Return the failure analysis without rails: a port of a rail is lost with its leaf."""
        return Survey(self.fabric, frozenset({FABRIC, TENANT}))

    def harms(self, case: Case) -> list[Harm]:
        """Return the harm of a failure for each group with a hit server."""
        found = (self._harm(one, case) for one in self.survey.groups)
        return [harm for harm in found if harm is not None]

    def whole(self, switch: Switch) -> Case:
        """Return the failure of a complete switch."""
        failure = self._failure(Fails(switch.role.value), switch.name, switches=(switch.name,))
        return Case(part=WHOLE, failure=failure, switch=switch, lower=switch)

    def cases(self, touched: Touched) -> Iterator[Case]:
        """Yield the failures that the interruptions of a switch amount to."""
        switch, links = touched.switch, touched.uplinks
        if touched.whole is not None:
            yield self.whole(switch)
        if touched.down is not None:
            return
        every = self._links(switch)
        if touched.reset is not None:
            if switch.is_leaf and every:
                yield self._joint(COMPLETE, switch, every)
        elif links:
            yield self._of_links(switch, links, every)

    def lost_together(self, touched: Iterable[Touched]) -> Names:
        """Return the servers that lose the fabric if all interruptions happen at once."""
        switches, links = dict[str, None](), dict[Link, None]()
        for each in touched:
            if each.whole is not None:
                switches[each.switch.name] = None
            links.update(dict.fromkeys(each.uplinks))
        if not switches and not links:
            return NOBODY
        failure = self._failure(Fails.DOUBLE, "all", switches=tuple(switches), links=tuple(links))
        groups = (one for one in self.survey.groups if one.group.kind == FABRIC)
        return NOBODY.union(*(one.lost(failure) for one in groups))

    def below(self, switch: Switch) -> Names:
        """Return the servers whose paths up lead over a switch."""
        if switch.name not in self._below:
            lower: dict[str, Switch] = {}
            mine: list[str] = []
            for link in self.fabric.topology.links_at.get(switch.name, ()):
                if isinstance(link.lower, Switch):
                    if link.upper is switch and link.lower.role is not switch.role:
                        lower[link.lower.name] = link.lower
                elif link.lower.standing is None and link.standing is None:
                    mine.append(link.lower.name)
            key = frozenset(lower)
            if mine or not lower:
                found = frozenset(mine).union(*map(self.below, lower.values()))
            elif key in self._unions:
                found = self._unions[key]
            else:
                found = self._unions[key] = NOBODY.union(*map(self.below, lower.values()))
            self._below[switch.name] = found
        return self._below[switch.name]

    def _links(self, switch: Switch) -> list[Link]:
        """Return the links of a switch to others that carry traffic."""
        idle = self.fabric.idle
        return [
            link
            for link in self.fabric.topology.links_at.get(switch.name, ())
            if not link.to_server and not link.of_pair and link.standing is None
            if idle.isdisjoint((link.lower.name, link.upper.name))
        ]

    def _of_links(self, switch: Switch, links: Sequence[Link], every: Sequence[Link]) -> Case:
        """Return the failure of some links of a switch."""
        failed = set(links)
        if failed.issuperset(every):
            return self._joint(COMPLETE, switch, every)
        ends = {(link.lower.name, link.upper.name) for link in links}
        if len(ends) == 1:
            bundle = [it for it in every if (it.lower.name, it.upper.name) in ends]
            part = BUNDLE if failed.issuperset(bundle) else LINK if len(links) == 1 else SOME
            return self._joint(part, switch, links)
        return self._joint(SOME, switch, links)

    def _joint(self, part: str, switch: Switch, links: Sequence[Link]) -> Case:
        kind = Fails.LINK if len(links) == 1 else Fails.DOUBLE
        failure = self._failure(kind, switch.name, links=tuple(links))
        lower = links[0].lower if part in (BUNDLE, LINK) else switch
        assert isinstance(lower, Switch)
        return Case(part=part, failure=failure, switch=switch, lower=lower)

    @cached_property
    def _dark(self) -> tuple[Link, ...]:
        return dark_of(self.fabric)

    def _failure(
        self,
        kind: Fails,
        name: str,
        *,
        switches: tuple[str, ...] = (),
        links: tuple[Link, ...] = (),
    ) -> Failure:
        idle = tuple(sorted(self.fabric.idle.difference(switches)))
        return Failure(
            kind=kind, name=name, switches=switches, links=links, idle=idle, dark=self._dark
        )

    def _key(self, one: Surveyed, case: Case) -> tuple[object, ...] | None:
        """Return the key that equal failures share; None if a failure shares its result with none.

        An automorphism of the graph maps a switch with all its links, or all links of two switches.
        """
        if case.part == SOME or case.failure.idle or case.failure.dark:
            return None
        single = case.failure
        if case.part == COMPLETE:
            single = self.whole(case.switch).failure
        elif case.part == BUNDLE:
            single = self._failure(Fails.LINK, "", links=case.failure.links[:1])
        return id(one), case.part, one.class_of(single)

    def _harm(self, one: Surveyed, case: Case) -> Harm | None:
        key = self._key(one, case)
        if key is not None and key[-1] is None:
            return None
        if key is None or key not in self._known:
            harm = self._computed(one, case, shared=key is not None)
            if harm is not None and key is not None:
                sets = (harm.lost, harm.shut_in, *harm.shares.values())
                forms = self._forms(one)
                found = [forms.pattern(names, case.lower.name) for names in sets]
                self._known[key] = harm, [it for it in found if it is not None]
            return harm
        harm, patterns = self._known[key]
        return self._moved(one, harm, patterns, case)

    def _computed(self, one: Surveyed, case: Case, *, shared: bool) -> Harm | None:
        """Compute the harm of a failure; without a class only while the effort is limited."""
        nodes = len(one.symmetry.net.names)
        if not shared:
            self._spent += 1
            if self._spent > max(_LEAST, _NODES // nodes):
                return self._unknown(one, case)
        outcome = one.outcome(case.failure)
        if outcome is None:
            return None
        lost, shares = frozenset(outcome.lost), dict[Fraction | None, set[str]]()
        if one.group.kind == FABRIC:
            for name, share in one.shares(case.failure).items():
                if name not in lost:
                    shares.setdefault(share, set()).add(name)
        return Harm(
            group=one.group,
            lost=lost,
            shut_in=frozenset(outcome.shut_in),
            shares={share: frozenset(names) for share, names in shares.items()},
            keeps=outcome.keeps,
        )

    def _unknown(self, one: Surveyed, case: Case) -> Harm | None:
        """Return a harm without figures: of more links it is known, of other cases it is not."""
        if case.part == SOME:
            return self._harm(one, self._joint(COMPLETE, case.switch, self._links(case.switch)))
        every = self._forms(one).every
        return Harm(group=one.group, lost=NOBODY, shut_in=NOBODY, shares={None: every}, keeps=None)

    def _moved(
        self, one: Surveyed, harm: Harm, patterns: Sequence[Pattern], case: Case
    ) -> Harm | None:
        """Return the harm of an equal failure, which hits servers in the same positions."""
        if len(patterns) < 2 + len(harm.shares):
            return self._computed(one, case, shared=False)
        forms = self._forms(one)
        lost, shut_in, *shares = (forms.names(it, case.lower.name) for it in patterns)
        return Harm(
            group=harm.group,
            lost=lost,
            shut_in=shut_in,
            shares=dict(zip(harm.shares, shares, strict=True)),
            keeps=harm.keeps,
        )

    def _forms(self, one: Surveyed) -> Forms:
        if id(one) not in self._by_group:
            self._by_group[id(one)] = Forms(symmetry=one.symmetry)
        return self._by_group[id(one)]
