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
"""The rule of what is a VRF's own, above all VRF ids, which number what it takes of IPv4; those of
IPv6 are above it by as much."""


def imports_of(rules: EvpnRules, vrf: Vrf) -> tuple[str, ...]:
    """Return every route target that a VRF imports, in the order of text."""
    taken = (target for each in vrf.takes for target in rules.given(each))
    return tuple(sorted({*rules.imported(vrf), *taken}))


@lru_cache(maxsize=256)
def targets_of(rules: EvpnRules, vrfs: tuple[Vrf, ...]) -> tuple[view.ListedTarget, ...]:
    """Return the route targets of VRFs that take, and of those from which they do, by name."""
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
    """Return the rules of the route map of each VRF that takes, by name and number."""
    takers = sorted((vrf for vrf in vrfs if vrf.takes), key=lambda vrf: vrf.name)
    return tuple(clause for vrf in takers for clause in _clauses(vrf))


def _clauses(vrf: Vrf) -> Iterator[view.TakenClause]:
    """Yield the rules of a map: a route of the other family is in no list, so each has its own."""
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
