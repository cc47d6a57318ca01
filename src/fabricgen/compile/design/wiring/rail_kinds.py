"""Assign the kinds of servers on a rail fabric to scalable units and leaf ports.

A unit contains one kind. The kind in the lowest unit sets the maximum number of servers in a unit,
and of uplinks of a leaf. So kinds that are added later move nothing of it, nor of each other.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import ceil

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.wiring.backend_counts import BackendSize, ports_per_plane
from fabricgen.compile.design.wiring.faceplate import (
    Bank,
    Faceplate,
    faceplate,
    find_model,
    per_cage,
)
from fabricgen.compile.design.wiring.fitting import sized
from fabricgen.compile.design.wiring.tiers import Tier
from fabricgen.core.diagnostics import Code, Stop
from fabricgen.core.record import record
from fabricgen.intent.model.backend import Backend


@record(kw_only=True)
class RailKind:
    """Servers of one kind: `units` units from `first` on, and the ports of their leafs.

    words: the fabric with this kind as its servers. group: group of its leafs; empty for the
    fabric's own key.
    """

    words: Backend
    group: str
    first: int
    units: int
    per_unit: int
    face: Faceplate

    @property
    def ports_per_plane(self) -> int:
        """Return the ports of a NIC in each plane."""
        return self.words.servers.nic_ports // self.words.planes

    @property
    def ports_per_leaf(self) -> int:
        """Return the ports of a NIC on one leaf."""
        return self.ports_per_plane // self.words.leafs_per_nic

    @property
    def last(self) -> int:
        """Return its last unit."""
        return self.first + self.units - 1


def sized_kinds(kinds: Sequence[Backend], findings: Findings) -> tuple[BackendSize, list[RailKind]]:
    """Size a fabric for its kinds, by their units, or stop where something does not fit."""
    lowest, *others = kinds
    size = sized(lowest, findings)
    if not others and lowest.unit == 1:
        return size, [_whole(lowest, size)]
    if size.spines is None:
        raise findings.stop(
            Code.BAD_VALUE,
            "a rail-only fabric is one scalable unit with one kind of servers",
            kinds[-1].at("servers", "unit"),
            "use the rail-optimized design",
        )
    if lowest.scalable_unit and lowest.scalable_unit.shared:
        raise findings.stop(
            Code.BAD_VALUE,
            "only a fabric with one kind of servers can share leafs between more rails in some "
            "units",
            lowest.at("scalable_unit", "shared"),
        )
    for other in others:
        _judge_rails(lowest, other, findings)
    laid = [_whole(lowest, size)]
    laid += [_laid(each, size, size.spines, findings) for each in others]
    _judge_units(laid, findings)
    last = max(kind.last for kind in laid)
    count, wish = last * size.per_unit, lowest.growth.servers
    if wish is not None and wish < count:
        raise findings.stop(
            Code.GROWTH_TOO_SMALL,
            f"units 1 to {last}, of {size.per_unit} servers each, are {count}, but growth "
            f"reserves {wish}",
            lowest.at("growth", "servers"),
            f"set `growth: {{servers: {count}}}`, or a lower `unit`",
        )
    servers = lowest.servers.model_copy(update={"count": count})
    return sized(lowest.model_copy(update={"servers": servers}), findings), laid


def _whole(words: Backend, size: BackendSize) -> RailKind:
    units = ceil(words.servers.count / size.per_unit)
    return RailKind(
        words=words,
        group=words.kind_name,
        first=words.unit,
        units=units,
        per_unit=size.per_unit,
        face=size.leaf,
    )


def _judge_rails(one: Backend, other: Backend, findings: Findings) -> None:
    """Stop where a further kind has not as many rails."""
    mine, theirs = (words.servers.nics or words.servers.gpus for words in (other, one))
    if not mine or not theirs:
        raise Stop  # it is reported
    if mine != theirs:
        raise findings.stop(
            Code.BAD_VALUE,
            f"{other.kind_name} has {mine} NICs, but {one.kind_name} {theirs}: NIC k is rail k, "
            "and kinds of one fabric have the same rails",
            other.at("servers", "nics"),
            "give it its own rail fabric in `fabrics`",
        )


def _laid(words: Backend, size: BackendSize, spines: Tier, findings: Findings) -> RailKind:
    """Lay out the leafs of a further kind: as many servers as cages and uplinks are for."""
    model = find_model(words, words.leaf.model, words.at("leaf", "model"), findings)
    nic, path = words.servers.nic_speed, words.at("servers", "nic_speed")
    down = per_cage(model, nic, path, findings, words.leaf.breakout)
    far = [words.catalog.known(words.spine.model)] if words.spine else []
    up = per_cage(model, spines.speed, words.at("links", "speed"), findings, far=far)
    ports_of = ports_per_plane(words, findings)
    each = size.servers.rails_per_leaf * (ports_of // words.leafs_per_nic)
    cages = ceil(size.uplinks / up)
    ratio = (words.spine.ratio if words.spine else None) or words.oversubscription
    ports = (len(model.usable) - cages - words.leaf.reserve) * down
    carried = int(size.uplinks * spines.speed * ratio / nic)
    addressed = size.per_unit * size.servers.ports_per_plane // ports_of
    per_unit = min(size.per_unit, addressed, ports // each, carried // each)
    if not per_unit:
        raise findings.stop(
            Code.PORTS_EXHAUSTED,
            f"a leaf with {size.uplinks} uplinks and {ports} ports of {nic} has no room for a "
            f"server's {each}",
            path,
            "give it its own rail fabric in `fabrics`",
        )
    return RailKind(
        words=words,
        group=words.kind_name,
        first=words.unit,
        units=ceil(words.servers.count / per_unit),
        per_unit=per_unit,
        face=faceplate(
            model, Bank(nic, down, ceil(per_unit * each / down)), Bank(spines.speed, up, cages)
        ),
    )


def _judge_units(laid: Sequence[RailKind], findings: Findings) -> None:
    for kind, after in pairwise(laid):
        if after.first <= kind.last:
            findings.spoil(
                Code.PORT_USED_TWICE,
                f"{kind.words.servers.count} servers of {kind.group}, {kind.per_unit} in a unit, "
                f"are units {kind.first} to {kind.last}, but {after.group} begins at "
                f"{after.first}",
                after.words.at("servers", "unit"),
                f"this fits: `unit: {max(one.last for one in laid) + 1}`",
            )
    if not findings.whole:
        raise Stop
