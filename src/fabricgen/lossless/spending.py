"""What a switch's ports take from its memory: memory, ports and headroom pool in; terms out."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from fabricgen.lossless.memory import HeadroomPool, ShippedPool
from fabricgen.lossless.terms import Term, rounded_up
from fabricgen.record import record
from fabricgen.units import Bytes

if TYPE_CHECKING:
    from fabricgen.lossless.memory import Memory, PortGroup


@record()
class Contribution:
    """What one group of ports asks for: count x classes x headroom, in whole cells."""

    group: PortGroup
    headroom: Bytes
    arithmetic: str


@record(kw_only=True)
class Spent:
    """The parts of the memory; `terms` add up to its total, `shared` is the last of them."""

    terms: tuple[Term, ...]
    contributions: tuple[Contribution, ...]
    headroom: Bytes
    shared: Bytes


def spend(
    memory: Memory, ports: tuple[PortGroup, ...], pool: HeadroomPool | ShippedPool | None
) -> Spent:
    """Take reservations and headroom from the memory; what is left is shared.

    A shipped table may share less than is left: the rest is then in none of its pools.
    """
    contributions = tuple(_contribution(group, memory.cell) for group in ports)
    demand = sum(item.headroom for item in contributions)
    headroom = _headroom(memory, ports, demand, pool)
    taken = (*_reserved(memory, ports), *headroom)
    left = memory.total - sum(term.value for term in taken)
    if isinstance(pool, ShippedPool) and left > pool.shared:
        beside = Term("in no lossless pool", Bytes(left - pool.shared), "as the model ships")
        taken, left = (*taken, beside), int(pool.shared)
    shared = Bytes(left)
    return Spent(
        terms=(*taken, Term("shared pool", shared, "what is left")),
        contributions=contributions,
        headroom=Bytes(sum(term.value for term in headroom)),
        shared=shared,
    )


def _contribution(group: PortGroup, cell: Bytes) -> Contribution:
    each = rounded_up(group.headroom, cell)
    total = Bytes(group.lossless_groups * each)
    return Contribution(
        group,
        total,
        f"{group.count} ports {group.speed} at {group.length} m x {group.classes} lossless "
        f"x {each:,} = {total:,} bytes",
    )


def _reserved(memory: Memory, ports: tuple[PortGroup, ...]) -> tuple[Term, ...]:
    """Return the reservations, each rounded up to cells, and the bytes short of a last cell."""
    kept, cell = memory.reserved, memory.cell
    up = sum(group.count for group in ports)
    lossless = sum(group.lossless_groups for group in ports)
    return (
        Term("no whole cell", Bytes(memory.total % cell), f"cells of {cell} bytes"),
        Term(f"{up} ports", Bytes(up * rounded_up(kept.per_port, cell)), kept.source),
        Term(
            f"{lossless} lossless groups",
            Bytes(lossless * rounded_up(kept.per_group, cell)),
            kept.source,
        ),
        Term("management", rounded_up(kept.management, cell), kept.source),
    )


def _headroom(
    memory: Memory,
    ports: tuple[PortGroup, ...],
    demand: int,
    pool: HeadroomPool | ShippedPool | None,
) -> tuple[Term, ...]:
    """Return headroom in full, or what is private to each port and the pool all of them share.

    A shipped pool is as large as it is shipped; any other as sonic-swss
    cfgmgr/buffer_pool_mellanox.lua sizes it: ceil((sum - ports x private) / over_subscribe_ratio).
    """
    if pool is None:
        return (Term("headroom", Bytes(demand), "in full for every lossless group"),)
    if isinstance(pool, ShippedPool):
        asked = f"as the model ships; {demand:,} are asked for, {demand / pool.headroom:.1f} to 1"
        return (Term("shared headroom pool", pool.headroom, asked),)
    lossless = sum(group.lossless_ports for group in ports)
    private = lossless * rounded_up(pool.private, memory.cell)
    pooled = Fraction(max(0, demand - private), pool.over_subscription)
    return (
        Term("private headroom", Bytes(private), f"{lossless} lossless ports x {pool.private}"),
        Term(
            "shared headroom pool",
            rounded_up(pooled, memory.cell),
            f"({demand:,} - {private:,}) / {pool.over_subscription}",
        ),
    )
