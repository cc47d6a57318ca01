"""VRFs that take routes of others in; the lists and the route map of what each imports, out.

EOS imports what carries a route target, and its route map may only narrow that (Arista, Inter-VRF
Local Route Leaking, "Exporting and Importing Routes using Route Map"; what was imported is not
exported again, same page). So a VRF imports the targets of its sources, and the map lets through
what is listed of them, and all that is the VRF's own.
"""

from collections.abc import Iterator
from functools import lru_cache

from fabricgen.fabric.leaks import TakenPrefix, taken_by
from fabricgen.fabric.overlay import EvpnRules, Vrf
from fabricgen.nos.eos.view import routing as view
from fabricgen.nos.eos.view.system import Entry

OWN = 1000
"""The last rule of each map, above all VRF ids, which number the others."""


def imports_of(rules: EvpnRules, vrf: Vrf) -> tuple[str, ...]:
    """Return every route target that a VRF imports, in the order of text."""
    taken = (target for each in vrf.takes for target in rules.imported(each.vni))
    return tuple(sorted({*rules.imported(vrf.vni), *taken}))


@lru_cache(maxsize=256)
def targets_of(rules: EvpnRules, vrfs: tuple[Vrf, ...]) -> tuple[view.ListedTarget, ...]:
    """Return the route targets of VRFs that take, and of those from which they do, by name."""
    takers = [vrf for vrf in vrfs if vrf.takes]
    named = {vrf.name: (vrf.vni, vrf.because) for vrf in takers}
    for each in (taken for vrf in takers for taken in vrf.takes):
        named.setdefault(each.source, (each.vni, each.because))
    return tuple(
        view.ListedTarget(why, _targets(name), target)
        for name, (vni, why) in sorted(named.items())
        for target in rules.imported(vni)
    )


@lru_cache(maxsize=256)
def lists_of(vrfs: tuple[Vrf, ...]) -> tuple[view.PrefixList, ...]:
    """Return what each VRF takes of each other as prefix lists, by name."""
    return tuple(
        view.PrefixList(each.because, each.list_of(vrf.name), _entries(each.prefixes))
        for vrf in sorted(vrfs, key=lambda vrf: vrf.name)
        for each in sorted(vrf.takes, key=lambda each: each.source)
    )


def _targets(vrf: str) -> str:
    return f"TARGETS-{vrf}"


def _entries(prefixes: tuple[TakenPrefix, ...]) -> tuple[Entry, ...]:
    return tuple(
        Entry(
            rule.sequence,
            rule.prefix.prefix
            + (f" le {rule.longest}" if rule.longest > rule.prefix.length else ""),
        )
        for rule in prefixes
    )


@lru_cache(maxsize=256)
def clauses_of(vrfs: tuple[Vrf, ...]) -> tuple[view.TakenClause, ...]:
    """Return the rules of the route map of each VRF that takes, by name and number."""
    takers = sorted((vrf for vrf in vrfs if vrf.takes), key=lambda vrf: vrf.name)
    return tuple(clause for vrf in takers for clause in _clauses(vrf))


def _clauses(vrf: Vrf) -> Iterator[view.TakenClause]:
    for each in sorted(vrf.takes, key=lambda each: each.id):
        yield view.TakenClause(
            because=each.because,
            map=taken_by(vrf.name),
            sequence=each.id,
            prefixes=each.list_of(vrf.name),
            targets=_targets(each.source),
        )
    yield view.TakenClause(
        because=vrf.because,
        map=taken_by(vrf.name),
        sequence=OWN,
        prefixes=None,
        targets=_targets(vrf.name),
    )
