"""Build the route targets and the route map of each VRF that imports routes of other VRFs.

EOS imports the routes that carry a route target, and its route map can only narrow that (Arista,
Inter-VRF Local Route Leaking, "Exporting and Importing Routes using Route Map"). An imported route
is not exported again (same page). So a VRF imports the targets of its sources. The map permits the
listed routes of the sources and all routes of the VRF itself.
"""

from collections.abc import Iterator
from functools import lru_cache

from fabricgen.model.fabric.leaks import taken_by, taking
from fabricgen.model.fabric.overlay import EvpnRules, Vrf
from fabricgen.nos.eos.view import routing as view

OWN = 1000
"""Rank of the rule for a VRF's own routes, above all VRF ids, which rank the IPv4 imports. IPv6
imports have their ids plus this number."""


def imports_of(rules: EvpnRules, vrf: Vrf) -> tuple[str, ...]:
    """Return every route target that a VRF imports, sorted as text."""
    taken = (target for each in vrf.takes for target in rules.given(each))
    return tuple(sorted({*rules.imported(vrf), *taken}))


@lru_cache(maxsize=256)
def targets_of(rules: EvpnRules, vrfs: tuple[Vrf, ...]) -> tuple[view.ListedTarget, ...]:
    """Return the route targets of importing VRFs and of their sources, by name."""
    takers = [vrf for vrf in vrfs if vrf.takes]
    named = {vrf.name: (rules.known(vrf), vrf.because) for vrf in takers}
    for each in (taken for vrf in takers for taken in vrf.takes):
        named.setdefault(each.source, (rules.known(each), each.because))
    return tuple(
        view.ListedTarget(why, _targets(name), target)
        for name, (targets, why) in sorted(named.items())
        for target in targets
    )


def _targets(vrf: str) -> str:
    return f"TARGETS-{vrf}"


@lru_cache(maxsize=256)
def clauses_of(vrfs: tuple[Vrf, ...]) -> tuple[view.TakenClause, ...]:
    """Return the rules of the route map of each importing VRF, by name and number."""
    takers = sorted((vrf for vrf in vrfs if vrf.takes), key=lambda vrf: vrf.name)
    return tuple(clause for vrf in takers for clause in _clauses(vrf))


def _clauses(vrf: Vrf) -> Iterator[view.TakenClause]:
    """Yield the rules of a map, separate by family, because a list has one family."""
    own = view.TakenClause(
        because=vrf.because,
        map=taken_by(vrf.name),
        sequence=OWN,
        prefixes=None,
        targets=_targets(vrf.name),
    )
    yield from _taken(vrf, 4)
    yield own
    yield from _taken(vrf, 6)


def _taken(vrf: Vrf, version: int) -> Iterator[view.TakenClause]:
    for each in taking(vrf.takes, version):
        yield view.TakenClause(
            because=each.because,
            map=taken_by(vrf.name),
            sequence=each.id if version == 4 else OWN + each.id,
            prefixes=each.list_of(vrf.name, version),
            targets=_targets(each.source),
            family="ip" if version == 4 else "ipv6",
        )
