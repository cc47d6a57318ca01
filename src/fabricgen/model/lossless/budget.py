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
    """alpha = 2 ** exponent: a queue may hold at most alpha times the free memory.

    SONiC writes the exponent (`dynamic_th`), -8 to 7; the intent has the same limits.
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
    """Return the fraction of a shared pool that each of `groups` congested groups reaches.

    A group may hold alpha x free; with all groups at that limit free is 1 / (1 + alpha x groups).
    """
    return alpha.ratio / (1 + alpha.ratio * groups)


def pause_threshold(shared: Bytes, alpha: Alpha, ports: int, classes: int) -> Bytes:
    """Return the occupancy of one group at which pause is sent with all groups congested.

    alpha * shared / (1 + alpha * ports * classes), rounded down: marking must begin below it, so a
    threshold that is too high would let pause come first.
    """
    return Bytes(int(shared * group_limit(alpha, ports * classes)))


@record()
class Contribution:
    """Headroom of one group of ports: count x classes x headroom, in whole cells."""

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
    """Subtract reservations and headroom from the memory; the rest is shared.

    A shipped table may use less than the available memory; no pool then has the rest.
    """
    contributions = tuple(_contribution(group, memory.cell) for group in ports)
    demand = sum(item.headroom for item in contributions)
    headroom = _headroom(demand, pool)
    taken = (*_outside(memory, pool), *_reserved(memory, ports), headroom)
    shared = Bytes(memory.total - sum(term.value for term in taken))
    return Spent(
        terms=(*taken, Term("shared pool", shared, "remaining memory")),
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
    """Return the memory outside all pools: bytes below one cell, and the unused rest of a table."""
    rest, cells = Bytes(memory.total % memory.cell), f"cells of {memory.cell} bytes"
    short = Term("less than one cell", rest, cells)
    if pool is None:
        return (short,)
    beside = memory.total - short.value - pool.size
    return short, Term("in no lossless pool", Bytes(max(0, beside)), pool.source)


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
    """Return the headroom in full, or the shared pool in its shipped size."""
    if pool is None:
        return Term("headroom", Bytes(demand), "in full for every lossless group")
    asked = f"{pool.source}; {demand:,} are needed, {demand / pool.headroom:.1f} to 1"
    return Term("shared headroom pool", pool.headroom, asked)


@record(kw_only=True)
class Budget:
    """Budget of a switch's memory; terms (reservations, headroom, shared) add up to its total.

    `headroom`: all headroom, private and pooled. shared is negative if the headroom does not fit;
    missing is then the shortfall. `pause_at`: occupancy of one lossless group at which pause is
    sent while all groups are congested; None if nothing is shared or lossless.
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
        """Return whether the reservations fit into the memory."""
        return self.missing == 0


def budget(
    memory: Memory, groups: Iterable[PortGroup], alpha: Alpha, pool: ShippedPool | None = None
) -> Budget:
    """Return the budget; without a shipped pool, headroom is reserved in full.

    The size of a shipped pool is fixed: no cable, port or remedy changes it.
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
