"""Describe the limits and the effect of a batch in the sentences of a plan."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from fabricgen.core.units import counted, shortened
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Nic, Server

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fabricgen.model.fabric.between import SiteConnection
    from fabricgen.model.fabric.topology import Role
    from fabricgen.operate.deploy.batches.groups import Group
    from fabricgen.operate.deploy.batches.sizes import Size

    Touched = Sequence[tuple[Group, int]]


_NAMES = 8


def outage(fabric: Fabric, gone: Iterable[str]) -> tuple[str, ...]:
    """Describe the servers and VRFs that lose paths while a switch is down."""
    return tuple(
        f"while {name} is down, {sentence}"
        for name in gone
        for part in (_servers(fabric, name), _ways_out(fabric, name))
        for sentence in part
    )


def _servers(fabric: Fabric, name: str) -> Iterator[str]:
    links = fabric.topology.links_at
    mine = [it for it in links[name] if isinstance(it.lower, Server) and it.standing is None]
    below = {link.lower.name for link in mine}
    kept = {server for server in below if any(link.upper.name != name for link in links[server])}
    rails = {link.lower_port.rail for link in mine if isinstance(link.lower_port, Nic)} - {0}
    nics = f"NICs on rail {', '.join(map(str, sorted(rails)))}" if rails else "links to it"
    if cut := below - kept:
        yield f"no other switch of {fabric.name} reaches {_named(cut)}"
    if kept:
        yield f"{_named(kept)} lose their {nics} and keep other links"


def _ways_out(fabric: Fabric, name: str) -> Iterator[str]:
    out = fabric.overlay.external if fabric.overlay else {}
    others = {peer.vrf for other in out if other != name for peer in out[other]}
    for vrf in sorted({peer.vrf for peer in out.get(name, ())} - others):
        yield f"VRF {vrf} has no exit"


def _named(servers: Collection[str]) -> str:
    every = sorted(servers)
    return f"{counted(len(every), 'server')} ({shortened(every, _NAMES)})"


RELOADED = "by a reload, alone in its batch"


def canary(role: Role, changing: int) -> str:
    """Return why the first batch of a tier is one switch."""
    return f"the only changing {role}" if changing == 1 else f"the first of {changing} {role}s"


def sized(size: Size, role: Role, changing: int) -> str:
    """Return the requested size of a batch."""
    return f"{size} of {changing} {role}s" if size.percent else f"{size} at a time"


def held(group: Group | None, floor: int) -> str:
    """Return the group that limited the batch; a fixed sentence without a limit."""
    if group is None:
        return "all remaining switches"
    limit = group.limit(floor)
    if group.capacity:
        return f"{limit} of the {group.total} {group.name} at once (--min-available {floor} %)"
    return f"one at a time of the {group.total} {group.name}"


def stays(touched: Touched) -> tuple[str, ...]:
    """Describe the remaining capacity of each group; equal places share a sentence."""
    alike: dict[tuple[str, int, int], list[str]] = defaultdict(list)
    for group, gone in touched:
        alike[group.noun, group.total - gone, group.total].append(group.place)
    return tuple(
        f"{noun}{_places(places)}: {left} of {total} stay"
        for (noun, left, total), places in alike.items()
    )


def alone(touched: Touched, names: Iterable[str]) -> tuple[str, ...]:
    """Warn of groups that are completely unavailable during the batch."""
    return tuple(
        f"no redundancy for the {group.name} while {' and '.join(mine)} changes"
        for group, gone in touched
        if gone == group.total
        for mine in [[name for name in names if name in group.parts]]
    )


def sites_apart(ways: Sequence[SiteConnection], names: Sequence[str]) -> tuple[str, ...]:
    """Warn of networks that a batch disconnects between two sites."""
    carry: dict[tuple[str, str, str], list[tuple[str, str]]] = defaultdict(list)
    for way in ways:
        for network, _ in way.networks:
            carry[(*way.fabrics, network)].append(way.leafs)
    cut: dict[tuple[str, str], list[str]] = defaultdict(list)
    for (one, other, network), leafs in sorted(carry.items()):
        if all({*ends} & {*names} for ends in leafs):
            cut[one, other].append(network)
    return tuple(
        f"{', '.join(networks)}: no path between {one} and {other} during this batch"
        for (one, other), networks in cut.items()
    )


def _places(places: list[str]) -> str:
    if len(places) == 1:
        return f" of {places[0]}" if places[0] else ""
    return f" of {places[0]} and {len(places) - 1} more, each"
