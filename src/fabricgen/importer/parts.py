"""Divides the ports of a network into fabrics and their tiers.

A fabric is a set of switches that cables join, or that have ports of the same set of the same
servers. Examples of the latter are the planes of one backend and leafs without spines. Management
ports join nothing.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from fabricgen.core.tree.facts import GLOBAL
from fabricgen.core.units import BitsPerSecond, natural
from fabricgen.importer.kinds_of_servers import Plug
from fabricgen.importer.plugs import Plugs
from fabricgen.prove.foreign.switch import Judged

SLOW = BitsPerSecond.parse("1G")
"""The speed of management ports without a `speed` key."""
_TIERS = ("leaf", "spine", "superspine")
_OWN = re.compile(r"(?i)management|ma\d|eth0|lo")
_NAMED = re.compile(r"([a-z][a-z0-9-]*?)-(?:.*-)?(?:leaf|spine|superspine)\d+$")
_SHORT = {"fe": "frontend", "be": "backend"}


@dataclass(frozen=True, kw_only=True, eq=False)
class Part:
    """One fabric of the network. tiers: its switches from the leafs up, by name."""

    plugs: Plugs
    tiers: tuple[tuple[Judged, ...], ...]

    @property
    def leafs(self) -> tuple[Judged, ...]:
        """Return the lowest tier."""
        return self.tiers[0]

    @property
    def switches(self) -> tuple[Judged, ...]:
        """Return all switches."""
        return tuple(each for tier in self.tiers for each in tier)

    @property
    def roles(self) -> Iterator[tuple[str, tuple[Judged, ...]]]:
        """Yield each tier with its role in the intent."""
        yield from zip(_TIERS, self.tiers, strict=False)

    @cached_property
    def below(self) -> tuple[Plug, ...]:
        """Return the ports of leafs to servers, leaf by leaf."""
        return tuple(
            plug
            for leaf in self.leafs
            for plug in self.plugs.of[leaf]
            if plug.to is None and not plug.management
        )

    @cached_property
    def overlay(self) -> bool:
        """Check whether its leafs have tunnels."""
        return any(("vtep",) in each.facts or each.tables.vtep for each in self.leafs)

    @cached_property
    def out_of_band(self) -> bool:
        """Check whether its ports connect management ports of switches, or are all slow."""
        plugs = [plug for leaf in self.leafs for plug in self.plugs.of[leaf] if plug.to is None]
        few = sum(plug.management or plug.speed <= SLOW for plug in plugs)
        return bool(plugs) and few * 2 > len(plugs)

    @property
    def managing(self) -> bool:
        """Check whether it is an out-of-band network over tunnels."""
        return self.overlay and self.out_of_band

    @property
    def prefix(self) -> str:
        """Return the common prefix of all switch names, if they follow the default pattern."""
        found = {match[1] if (match := _NAMED.match(each.name)) else "" for each in self.switches}
        shortest = min(found, key=len)
        return shortest if all(each.startswith(shortest) for each in found) else ""

    def called(self, kind: str, taken: set[str]) -> str:
        """Return its name in the intent, from its switches or else its kind."""
        name = _SHORT.get(self.prefix, self.prefix) or kind
        numbers = (f"{kind}{number}" for number in range(2, len(taken) + 3))
        return name if name not in taken else next(each for each in numbers if each not in taken)


def parts(plugs: Plugs) -> list[Part]:
    """Return the fabrics, the largest first."""
    groups = _joined(plugs)
    found = [Part(plugs=plugs, tiers=_tiers(plugs, group)) for group in groups]
    return sorted(found, key=lambda part: (-len(part.switches), part.switches[0].name))


def _joined(plugs: Plugs) -> list[list[Judged]]:
    above: dict[object, object] = {}

    def top(each: object) -> object:
        while (higher := above.setdefault(each, each)) is not each:
            each = higher
        return each

    for switch, own in plugs.of.items():
        for plug in own:
            if plug.to is not None:
                above[top(switch)] = top(plug.to)
    for alike in _sharing(plugs):
        first, *others = alike
        for other in others:
            above[top(other)] = top(first)
    groups: dict[object, list[Judged]] = defaultdict(list)
    for switch in plugs.of:
        groups[top(switch)].append(switch)
    return list(groups.values())


def _sharing(plugs: Plugs) -> Iterator[list[Judged]]:
    """Yield leafs without tunnels that share a set of ports: of one server, or without spines."""
    alike: dict[tuple[str, str], list[Judged]] = defaultdict(list)
    for switch, own in plugs.of.items():
        alone = all(plug.to is None for plug in own)
        if switch.tables.vtep or ("vtep",) in switch.facts:
            continue
        for plug in own:
            if plug.to is None and not plug.management:
                alike[plug.far, plug.network].append(switch)
                if alone:
                    alike["", plug.network].append(switch)
    for switches in alike.values():
        yield list(dict.fromkeys(switches))


def _tiers(plugs: Plugs, group: list[Judged]) -> tuple[tuple[Judged, ...], ...]:
    """Return switches with servers or tunnels, then their neighbors, then the next tier."""
    over = any(each.tables.vtep for each in group)
    left = {each for each in group if not (over and _bridges(each))} or set(group)
    tier = {each for each in left if _is_leaf(plugs, each)} or _lowest(plugs, left)
    tiers = []
    while tier:
        order = natural([each.name for each in tier])
        tiers.append(tuple(sorted(tier, key=lambda each: order.index(each.name))))
        left -= tier
        tier = {plug.to for each in tier for plug in plugs.of[each] if plug.to in left}
    return tuple(tiers)


def _is_leaf(plugs: Plugs, switch: Judged) -> bool:
    own = plugs.of[switch]
    return any(plug.to is None for plug in own) or bool(switch.tables.vtep)


def _lowest(plugs: Plugs, group: set[Judged]) -> set[Judged]:
    """Return the leafs without known servers: with VLANs or VRFs, or one of two sides.

    This side has more switches or more ASNs.
    """
    serving = {each for each in group if each.tables.gateways or _tenant(each)}
    if serving:
        return serving
    near = {min(group, key=lambda each: each.name)}
    far = {plug.to for each in near for plug in plugs.of[each] if plug.to in group}
    for _ in group:
        near |= {plug.to for each in far for plug in plugs.of[each] if plug.to in group}
        far |= {plug.to for each in near for plug in plugs.of[each] if plug.to in group}
    if not far or near & far:
        return group
    return max((near, far), key=lambda side: (len(side), len({each.asn for each in side})))


def _tenant(switch: Judged) -> bool:
    """Check whether a port of a switch is in a VRF other than the management VRF."""
    ports = switch.tables.ports.items()
    return any(port.vrf != GLOBAL for name, port in ports if not _OWN.match(name))


def _bridges(switch: Judged) -> bool:
    """Check whether a switch routes nothing. Below a leaf with tunnels it is not a leaf.

    Its management port and its VLANs may have addresses.
    """
    inner = {port.name for port in switch.tables.gateways.values()}
    routed = (
        port.addresses or switch.own(("interface", port.name)).get("link-local")
        for port in switch.tables.ports.values()
        if port.vrf == GLOBAL and port.name not in inner and not _OWN.match(port.name)
    )
    return switch.asn is None and not switch.tables.sessions and not any(routed)
