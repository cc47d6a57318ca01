"""Distributes the buffer memory of a chip and checks that its demands fit."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from fabricgen.core.record import record
from fabricgen.core.units import Bytes
from fabricgen.model.lossless.memory import Memory, PortGroup, Remedy, ShippedPool, remedies
from fabricgen.model.lossless.terms import Term, rounded_up


@dataclass(frozen=True, slots=True, order=True)
class Alpha:
    """alpha = 2 ** exponent: a queue may hold at most alpha times what is free.

    SONiC writes the exponent (`dynamic_th`), -8 to 7; the intent takes no other.
    """

    exponent: int

    @property
    def ratio(self) -> Fraction:
        """Alpha itself."""
        return Fraction(2) ** self.exponent

    def __str__(self) -> str:
        """Return 8, 1 or 1/16."""
        return str(self.ratio)


def group_limit(alpha: Alpha, groups: int) -> Fraction:
    """Return the part of a shared pool each of `groups` congested groups settles at.

    A group may hold alpha x free; with all of them at that limit free is 1 / (1 + alpha x groups).
    """
    return alpha.ratio / (1 + alpha.ratio * groups)


def pause_threshold(shared: Bytes, alpha: Alpha, ports: int, classes: int) -> Bytes:
    """Return the occupancy of one group at which pause is sent with all of them congested.

    alpha * shared / (1 + alpha * ports * classes), rounded down: marking has to begin below it,
    so a threshold promised too high would let pause come first.
    """
    return Bytes(int(shared * group_limit(alpha, ports * classes)))


@record()
class Contribution:
    """The headroom that one group of ports needs: count x classes x headroom, in whole cells."""

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


@record(kw_only=True)
class Budget:
    """terms (reservations, headroom, shared) add up to the memory's total.

    headroom: all of it that is set aside, private and pooled. shared is negative when even that
    does not fit; missing is what lacks then. pause_at: occupancy of one
    lossless group at which pause is sent when all of them are congested; None where nothing is
    shared or nothing is lossless.
    """

    memory: Memory
    terms: tuple[Term, ...]
    contributions: tuple[Contribution, ...]
    headroom: Bytes
    shared: Bytes
    missing: Bytes
    alpha: Alpha
    pause_at: Bytes | None
    remedies: tuple[Remedy, ...]

    @property
    def fits(self) -> bool:
        """Tell whether the memory holds what is set aside."""
        return self.missing == 0


def budget(
    memory: Memory, groups: Iterable[PortGroup], alpha: Alpha, pool: ShippedPool | None = None
) -> Budget:
    """Add up the budget; without a pool that the model ships, headroom is reserved in full.

    A shipped pool is what it is: no cable and no port changes it, so no remedy does.
    """
    ports = tuple(groups)

    def fits(changed: tuple[PortGroup, ...]) -> bool:
        return spend(memory, changed, pool).shared >= 0

    spent = spend(memory, ports, pool)
    missing = Bytes(max(0, -spent.shared))
    congested = sum(group.lossless_groups for group in ports)
    may_pause = spent.shared > 0 and congested > 0
    return Budget(
        memory=memory,
        terms=spent.terms,
        contributions=spent.contributions,
        headroom=spent.headroom,
        shared=spent.shared,
        missing=missing,
        alpha=alpha,
        pause_at=pause_threshold(spent.shared, alpha, congested, 1) if may_pause else None,
        remedies=remedies(ports, fits) if missing and pool is None else (),
    )
