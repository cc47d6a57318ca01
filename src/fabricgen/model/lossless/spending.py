"""What a switch's ports take from its memory: memory, ports and headroom pool in; terms out."""

from fabricgen.core.record import record
from fabricgen.core.units import Bytes
from fabricgen.model.lossless.memory import Memory, PortGroup, ShippedPool
from fabricgen.model.lossless.terms import Term, rounded_up


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


def spend(memory: Memory, ports: tuple[PortGroup, ...], pool: ShippedPool | None) -> Spent:
    """Take reservations and headroom from the memory; what is left is shared.

    A shipped table may have less in its pool than there is: the rest is then in none.
    """
    contributions = tuple(_contribution(group, memory.cell) for group in ports)
    demand = sum(item.headroom for item in contributions)
    headroom = _headroom(demand, pool)
    taken = (*_outside(memory, pool), *_reserved(memory, ports), headroom)
    shared = Bytes(memory.total - sum(term.value for term in taken))
    return Spent(
        terms=(*taken, Term("shared pool", shared, "what is left")),
        contributions=contributions,
        headroom=headroom.value,
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


def _outside(memory: Memory, pool: ShippedPool | None) -> tuple[Term, ...]:
    """Return what no pool holds: the bytes short of a last cell, and what a table leaves out."""
    rest, cells = Bytes(memory.total % memory.cell), f"cells of {memory.cell} bytes"
    short = Term("no whole cell", rest, cells)
    if pool is None:
        return (short,)
    beside = memory.total - short.value - pool.size
    return short, Term("in no lossless pool", Bytes(max(0, beside)), "as the model ships")


def _reserved(memory: Memory, ports: tuple[PortGroup, ...]) -> tuple[Term, ...]:
    """Return the reservations, each rounded up to cells."""
    kept, cell = memory.reserved, memory.cell
    up = sum(group.count for group in ports)
    lossless = sum(group.lossless_groups for group in ports)
    own = sum(group.count * rounded_up(group.own, cell) for group in ports)
    below = sum(group.lossless_groups * rounded_up(group.below, cell) for group in ports)
    return (
        Term(f"{up} ports", Bytes(own), kept.source),
        Term(f"{lossless} lossless groups", Bytes(below), kept.source),
        Term("management", rounded_up(kept.management, cell), kept.source),
    )


def _headroom(demand: int, pool: ShippedPool | None) -> Term:
    """Return headroom in full, or the pool that all ports share, as large as it is shipped."""
    if pool is None:
        return Term("headroom", Bytes(demand), "in full for every lossless group")
    asked = f"as the model ships; {demand:,} are asked for, {demand / pool.headroom:.1f} to 1"
    return Term("shared headroom pool", pool.headroom, asked)
