"""Counts the facts in which the design of a tree differs from the switches that were read.

It compares the design and renders nothing. Names, ports, cables, addresses and ASNs are the same in
the design and in the files. Other modules compare tenants, services and queues.
"""

from functools import cache, lru_cache

from fabricgen.compile.compiler import designed
from fabricgen.compile.design.slices import Slicer
from fabricgen.core.tree.facts import GLOBAL, Attributes, Facts
from fabricgen.core.units import natural
from fabricgen.importer.parts import Part
from fabricgen.importer.plugs import OUTSIDE
from fabricgen.importer.tree import Tree, loaded
from fabricgen.model.fabric.switch import Fabric, SwitchSlice
from fabricgen.model.fabric.topology import Role, Switch
from fabricgen.nos.registry import nos
from fabricgen.prove.designed import Expectation
from fabricgen.prove.foreign.switch import Judged

ABOUT = {
    "switch": ("frr",),
    "interface": ("description", "address", "link-local", "speed", "lanes", "bundle"),
    "bgp": ("asn", "router-id"),
    "vtep": ("address",),
    "pair": ("domain", "other"),
}
"""The facts that follow from the structure alone, by kind."""
NOT_AT_ALL = 10**9
"""The distance of a tree that cannot be designed."""
_SAMPLE = 8
"""Compared switches per tier."""
_MISSING = 1_000
"""The distance for a switch that exists only in the design or only in the files."""


def differences(tree: Tree, part: Part, name: str) -> int:
    """Count the different facts of the design of one fabric and its switches.

    Of a large tier, some switches are compared, and the others are counted. Switches with unknown
    names match designed ones by order.
    """
    fabric = fabric_of(tree, name)
    if fabric is None:
        return NOT_AT_ALL
    found, both = len(part.switches), facing(fabric, part)
    far = _MISSING * (len(fabric.topology.switches) + found - 2 * len(both))
    slicer = Slicer(fabric)
    for role in Role:
        tier = [pair for pair in both if pair[0].role is role]
        for designed_one, read in tier[:: -(-len(tier) // _SAMPLE) or 1]:
            far += _apart(_kept(_of(slicer.slice(designed_one))), read)
    return far


def fabric_of(tree: Tree, name: str) -> Fabric | None:
    design = designed(loaded(tree))
    if not design.ok or design.site is None:
        return None
    return next((each for each in design.site.fabrics if each.name == name), None)


def facing(fabric: Fabric, part: Part) -> list[tuple[Switch, Judged]]:
    """Match designed switches with given ones, by name or else by order."""
    every: list[tuple[Switch, Judged]] = []
    for role, tier in part.roles:
        here = {each.name: each for each in fabric.topology.switches if each.role.value == role}
        if here.keys() & {each.name for each in tier}:
            every += [(here[each.name], each) for each in tier if each.name in here]
        else:
            order = [here[name] for name in natural(here)]
            every += zip(order, tier, strict=False)
    return every


def _apart(one: Facts, read: Judged) -> int:
    other = _found(read)
    if one == other:
        return 0
    return sum(
        _unlike(one.get(key, {}), other.get(key, {}), ABOUT[key[0]])
        for key in one.keys() | other.keys()
        if not _of_others(read.facts.get(key, {}))
    )


@lru_cache(maxsize=64)
def _found(read: Judged) -> Facts:
    return _kept(read.facts)


def _unlike(one: Attributes, other: Attributes, names: tuple[str, ...]) -> int:
    return sum(one.get(name) != other.get(name) for name in names)


def _of(switch_slice: SwitchSlice) -> Facts:
    return _expectation(switch_slice.switch.platform).of(switch_slice)


@cache
def _expectation(platform: str) -> Expectation:
    runs = nos(platform)
    assert runs.grammar is not None
    assert runs.names is not None
    about = (item for grammar in runs.grammar.load().values() for item in grammar.about)
    return Expectation(runs.names, frozenset(about))


def _kept(facts: Facts) -> Facts:
    """Keep the compared facts. VRFs of tenants are excluded, which Linux has among its ports."""
    kept: Facts = {}
    for key, own in facts.items():
        shared = (key[0] == "bgp" and key[1] != GLOBAL) or ("vrf", key[-1]) in facts
        if key[0] in ABOUT and not shared and not _of_others(own):
            told = {name: own[name] for name in ABOUT[key[0]] if name in own}
            if told:
                kept[key] = told
    return kept


def _of_others(own: Attributes) -> bool:
    """Check whether a fact belongs to a tenant or an external interface, which others read."""
    outside = f":{OUTSIDE}" in f"{own.get('description', '')}".replace(" ", ":")
    return outside or any(name in own for name in ("vrf", "anycast", "vlan"))
