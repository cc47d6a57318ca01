"""Computes the loss of servers by an incident with the failure analysis of the same parts."""

from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property

from fabricgen.model.fabric.failures import Fails, Together
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.topology import Link
from fabricgen.prove.failures.failures import Failure, named, singles
from fabricgen.prove.failures.groups import RAIL, TENANT, Group
from fabricgen.prove.failures.survey import Outcome, Survey
from fabricgen.prove.incidents.graph import Cable
from fabricgen.prove.incidents.model import Cause, Impact

_Parts = tuple[tuple[str, ...], tuple[str, ...]]


class Impacts:
    """The failure analysis of a site. It computes equal failures once."""

    def __init__(self, site: Site) -> None:
        """Set the site; graphs are built when the first failure needs them."""
        self._site = site
        self._surveys: dict[str, Survey] = {}
        self._known: dict[_Parts, Impact] = {}

    def of(self, cause: Cause) -> Impact:
        """Return the loss of servers by a cause."""
        if not (cause.dead_switches or cause.dead_cables):
            return Impact(tenants=self._tenants(cause.networks))
        key = (
            tuple(sorted(cause.dead_switches)),
            tuple(sorted(cable.name for cable in cause.dead_cables)),
        )
        if key not in self._known:
            self._known[key] = self._simulated(cause.dead_switches, cause.dead_cables)
        return self._known[key]

    def _simulated(self, gone: tuple[str, ...], cut: tuple[Cable, ...]) -> Impact:
        outcomes: list[tuple[Group, Outcome]] = []
        name = " and ".join((*gone, *(named(cable.link) for cable in cut)))
        for fabric in self._site.fabrics:
            mine = tuple(each for each in gone if each in self._switches[fabric.name])
            links = tuple(
                it.link for it in cut if it.link.upper.name in self._switches[fabric.name]
            )
            if mine or links:
                outcomes += self._outcomes(fabric, mine, links, name)
        return self._impact(name, outcomes)

    def _outcomes(
        self, fabric: Fabric, gone: tuple[str, ...], links: tuple[Link, ...], name: str
    ) -> Iterator[tuple[Group, Outcome]]:
        """Yield the results of the groups of a fabric, of a single failure by its class."""
        survey = self._survey(fabric)
        single = self._singles[fabric.name].get(name) if len(gone) + len(links) == 1 else None
        if single is not None:
            for one in survey.groups:
                one.single(single)  # the result of equal failures, which `outcome` reuses
                outcome = one.outcome(single)
                if outcome is not None:
                    yield one.group, outcome
            return
        ports = tuple((each.upper.name, each.upper_port.label) for each in links)
        joint = Together(kind=Fails.DOUBLE, name=name, switches=gone, ports=ports)
        for row in survey.together([joint]):
            yield from row.outcomes.items()

    def _impact(self, name: str, outcomes: list[tuple[Group, Outcome]]) -> Impact:
        hit = [(group, outcome) for group, outcome in outcomes if outcome.hit]
        tenants = tuple(sorted({group.name for group, _ in hit if group.kind == TENANT}))
        jobs = {each.name for each in self._site.jobs}
        lost = {name for _, outcome in hit for name in outcome.lost}
        return Impact(
            failure=name,
            outcomes=tuple(outcomes),
            servers=max((outcome.hit for _, outcome in hit), default=0),
            gpus=max((outcome.gpus for _, outcome in hit), default=0),
            lost=tuple(sorted(lost)),
            tenants=tenants,
            rails=tuple(group.name for group, _ in hit if group.kind == RAIL),
            jobs=tuple(each for each in tenants if each in jobs),
        )

    def _tenants(self, networks: tuple[str, ...]) -> tuple[str, ...]:
        """Return the tenants of VRFs."""
        found = {
            fabric.overlay.vrfs[name].tenant
            for fabric in self._site.fabrics
            if fabric.overlay is not None
            for name in networks
            if name in fabric.overlay.vrfs
        }
        return tuple(sorted(found))

    def _survey(self, fabric: Fabric) -> Survey:
        if fabric.name not in self._surveys:
            self._surveys[fabric.name] = Survey(fabric)
        return self._surveys[fabric.name]

    @cached_property
    def _switches(self) -> dict[str, frozenset[str]]:
        return {
            fabric.name: frozenset(each.name for each in fabric.topology.switches)
            for fabric in self._site.fabrics
        }

    @cached_property
    def _singles(self) -> dict[str, dict[str, Failure]]:
        """Return the single failures of each fabric by their names."""
        found: dict[str, dict[str, Failure]] = defaultdict(dict)
        for fabric in self._site.fabrics:
            found[fabric.name] = {each.name: each for each in singles(fabric)}
        return found
