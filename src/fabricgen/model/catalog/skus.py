"""Chooses the hardware SKU (SONiC: hwsku) of a switch model that offers the needed cages.

One device ships as several SKUs, each with its own ports and packet memory. A switch has the ports
and the memory of the SKU in its configuration, so the ports decide the SKU.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond, Bytes, Meters
from fabricgen.model.catalog.targets import Target, facts_at
from fabricgen.model.lossless.memory import ShippedPool
from fabricgen.model.lossless.rows import Row

if TYPE_CHECKING:
    from fabricgen.model.catalog.cages import Cage, Mode

LOSSLESS_POOL, EGRESS_POOL = "ingress_lossless_pool", "egress_lossless_pool"
INGRESS_LOSSY, EGRESS_LOSSLESS = "ingress_lossy_profile", "egress_lossless_profile"
EGRESS_LOSSY = "egress_lossy_profile"
OWN_POOL = "the site's own figure"

Fields = dict[str, "int | str"]
Layout = tuple[tuple[int, "Mode"], ...]
"""Modes of a switch's cages, by cage number."""

# Vendors write the total lanes before or after the other speeds.
_MODE = re.compile(r"\d+x(?P<speed>\w+)(?:\(\d+\))?(?:\[(?P<more>.*)\])?(?:\(\d+\))?")


@record(kw_only=True)
class Traffic:
    """Parameters of headroom: the largest lossless packet, and the share of small packets."""

    mtu: int
    small_percent: int


@record(eq=False, kw_only=True)
class Sku:
    """One hardware SKU.

    Its facts are those of one release and topology.

    Attributes:
        layout: Shipped mode of each cage.
        modes: The vendor's spelling of the possible splits of a cage.
        splits: Whether its cages can be split. Otherwise they keep the shipped mode.
        dynamic: The switch computes headroom and pools itself.
        lacks: Reason why it has no packet memory for lossless traffic.
        pools, profiles: Content of its buffers template.
        rows: Its headroom.
        releases: Releases that have it; empty for all.
        ships: Whether the release of the target has it.
        topology: Name of the buffers template.
        aliases: Patterns of aliases that do not follow from the port map, by cages and interfaces.
        traffic: Parameters for which its image computes headroom, in the dynamic model.
        own: Source of the figures that the site brings, or empty.
        own_pool: Whether the site brings the lossless pool.
    """

    name: str
    layout: Mapping[int, Mode]
    modes: tuple[str, ...]
    splits: bool
    dynamic: bool
    lacks: str | None
    pools: Mapping[str, Fields]
    profiles: Mapping[str, Fields]
    rows: tuple[Row, ...]
    releases: tuple[str, ...] = ()
    ships: bool = True
    topology: str = ""
    aliases: Mapping[str, str] = field(default_factory=dict)
    traffic: Traffic | None = None
    own: str = ""
    own_pool: bool = False

    @property
    def pool(self) -> ShippedPool | None:
        """The pool that lossless groups share for headroom, if the SKU ships with one."""
        pool = self.pools.get(LOSSLESS_POOL, {})
        if "xoff" not in pool:
            return None
        sizes = Bytes(pool["xoff"]), Bytes(pool["size"])
        return ShippedPool(*sizes, OWN_POOL) if self.own_pool else ShippedPool(*sizes)

    def alias(self, cage: int, subs: int) -> str | None:
        """Return the pattern of the aliases of a cage; None if they follow from its map."""
        return next(
            (
                pattern
                for key, pattern in self.aliases.items()
                if key.endswith(f"/{subs}") and _within(cage, key.partition("/")[0])
            ),
            None,
        )

    @property
    def alpha(self) -> int:
        """The shipped exponent of the dynamic threshold; 0 if unknown."""
        dynamic = self.pools.get(LOSSLESS_POOL, {}).get("mode", "dynamic") == "dynamic"
        return self.rows[0].alpha if self.rows and dynamic else 0

    @property
    def keeps_some(self) -> bool:
        """Return whether it has packet memory for lossless traffic of some speed."""
        return self.lacks is None and (self.dynamic or bool(self.rows))

    def offers(self, cage: int, mode: Mode) -> bool:
        """Return whether a cage supports a mode: as shipped, slower, or split if possible."""
        native = self.layout.get(cage)
        if native is None:
            return False
        if self.splits and self.spelled(mode) is not None:
            return True
        return (mode.count, mode.lanes) == (native.count, native.lanes)

    def spelled(self, mode: Mode) -> str | None:
        """Return the spelling of a mode in breakout_modes: one it leads, or one with its speed."""
        return _spelled(self.modes, mode)

    def keeps(self, speeds: Iterable[BitsPerSecond]) -> bool:
        """Return whether lossless traffic of these speeds has packet memory."""
        asked, known = set(speeds), {row.speed for row in self.rows}
        return not asked or (self.lacks is None and (self.dynamic or known >= asked))

    def differing(self, layout: Layout) -> int:
        """Count the cages that differ from the shipped mode."""
        return sum(self.layout.get(cage) != mode for cage, mode in layout)

    def refused(self, layout: Layout) -> int:
        """Count the cages that do not support the mode."""
        return sum(not self.offers(cage, mode) for cage, mode in layout)


def choose(skus: Iterable[Sku], layout: Layout, lossless: Iterable[BitsPerSecond]) -> Sku | None:
    """Return the SKU that offers a layout, or None.

    Among several, prefer one in the release, then one with memory for these lossless speeds, then
    the one whose shipped layout differs least.
    """
    return _chosen(tuple(skus), layout, frozenset(lossless))


@lru_cache(maxsize=256)  # most switches of a tier are identical
def _chosen(skus: tuple[Sku, ...], layout: Layout, speeds: frozenset[BitsPerSecond]) -> Sku | None:
    fits = [sku for sku in skus if all(sku.offers(cage, mode) for cage, mode in layout)]
    best = lambda sku: (not sku.ships, not sku.keeps(speeds), sku.differing(layout))  # noqa: E731
    return min(fits, key=best, default=None)


def nearest(skus: Iterable[Sku], layout: Layout) -> list[Sku]:
    """Return the SKUs, ordered by the number of cages that do not support the layout."""
    best = lambda sku: (sku.refused(layout), not sku.ships, sku.differing(layout))  # noqa: E731
    return sorted(skus, key=best)


def told(layout: Layout) -> str:
    """Return a layout as text: 24 x 4x25G and 8 x 1x100G."""
    counted: dict[str, int] = {}
    for _, mode in layout:
        name = f"{mode.count}x{mode.speed}"
        counted[name] = counted.get(name, 0) + 1
    return " and ".join(f"{count} x {name}" for name, count in counted.items())


def read_skus(facts: Mapping[str, Any], cages: Iterable[Cage], target: Target) -> tuple[Sku, ...]:
    """Read the SKUs of one model.

    Args:
        facts: Facts of its platform `sonic`.
        cages: Its faceplate.
        target: The release and topology that it runs.
    """
    numbered = {cage.number: cage for cage in cages}
    dynamic = facts.get("buffer_model") == "dynamic"
    modes, shared = tuple(facts.get("breakouts", ())), facts.get("pools", {}) if dynamic else {}
    traffic = _traffic(facts.get("traffic", ()), target.release)
    return tuple(
        Sku(
            name=name,
            layout=dict(_layout(raw["layout"], numbered)),
            modes=modes,
            dynamic=dynamic,
            pools=_pools(raw.get("pools", shared)),
            traffic=traffic,
            topology=target.topology_of(raw),
            ships=target.release in raw.get("releases", (target.release,)),
            **_own(raw, f"{name}/pg_profile_lookup.ini"),
        )
        for name, each in facts.get("skus", {}).items()
        for raw in (with_own(facts_at(each, target), target, dynamic=dynamic),)
    )


def _traffic(rows: Iterable[Mapping[str, Any]], release: str) -> Traffic | None:
    found = (row for row in rows if release in row.get("releases", (release,)))
    return next((Traffic(mtu=r["mtu"], small_percent=r["small_packets"]) for r in found), None)


def with_own(raw: dict[str, Any], target: Target, *, dynamic: bool) -> dict[str, Any]:
    """Add the figures of the site to the facts of a hwsku at a target.

    Its headroom rows go to `own_rows`. The hwsku then lacks nothing if the memory is complete.
    """
    mine = own_at(raw, target)
    if mine is None:
        return raw
    source, own_pools = raw["own"]["source"], mine.get("pools", {})
    if own_pools and own_pools["source"] != source:
        source = f"{source}; pools: {own_pools['source']}"
    pools = {**raw.get("pools", {}), **own_pools}
    rows = [*raw.get("headroom", ()), *mine.get("headroom", ())]
    complete = EGRESS_POOL in pools if dynamic else LOSSLESS_POOL in pools and rows
    return {
        **raw,
        "pools": pools,
        "profiles": {**raw.get("profiles", {}), **mine.get("profiles", {})},
        "own_rows": mine.get("headroom", ()),
        "own_pool": LOSSLESS_POOL in own_pools,
        "lacks": None if complete else raw.get("lacks"),
        "own_source": source,
    }


def own_at(raw: Mapping[str, Any], target: Target) -> dict[str, Any] | None:
    """Return the site's figures of a hwsku that hold for a target; None if there are none."""
    own, topology = raw.get("own"), target.topology_of(raw)
    if own is None or target.release not in own.get("releases", (target.release,)):
        return None
    if topology not in own.get("topologies", (topology,)):
        return None
    figures = facts_at({**own, "topologies": (topology,)}, Target(target.release, topology))
    return figures if figures.keys() & {"pools", "profiles", "headroom"} else None


def _pools(raw: Mapping[str, Any]) -> Mapping[str, Fields]:
    return {name: row for name, row in raw.items() if name != "source"}


def _own(raw: Mapping[str, Any], source: str) -> dict[str, Any]:
    own = str(raw.get("own_source", ""))
    whole = bool(own) and "own" not in raw  # the site brings the complete hwsku
    return {
        "splits": raw["splits"],
        "lacks": raw.get("lacks"),
        "profiles": raw.get("profiles", {}),
        "rows": (
            *(_row(row, source, own=whole) for row in raw.get("headroom", ())),
            *(_row(row, own, own=True) for row in raw.get("own_rows", ())),
        ),
        "own": own,
        "own_pool": whole or raw.get("own_pool", False),
        "releases": tuple(raw.get("releases", ())),
        "aliases": raw.get("aliases", {}),
    }


def _within(cage: int, span: str) -> bool:
    first, _, last = span.partition("-")
    return int(first) <= cage <= int(last or first)


def _layout(raw: Mapping[object, str], cages: Mapping[int, Cage]) -> Iterable[tuple[int, Mode]]:
    for span, text in raw.items():
        first, _, last = str(span).partition("-")
        count, speed = text.split("x")
        for number in range(int(first), int(last or first) + 1):
            mode = cages[number].mode(BitsPerSecond.parse(speed), int(count))
            if mode is None:
                raise ValueError(f"cage {number} has no mode {text}")
            yield number, mode


def _row(row: list[Any], source: str, *, own: bool = False) -> Row:
    megabits, length, size, xon, xoff, threshold, xon_offset = row
    return Row(
        speed=BitsPerSecond(megabits * 10**6),
        length=Meters(length),
        headroom=Bytes(xoff),
        source=source,
        size=Bytes(size),
        resume=Bytes(xon),
        resume_offset=None if xon_offset is None else Bytes(xon_offset),
        alpha=threshold,
        own=own,
    )


@cache
def _spelled(modes: tuple[str, ...], mode: Mode) -> str | None:
    alike = [text for text in modes if text.startswith(f"{mode.count}x")]
    return next((text for text in alike if str(mode.speed) == _speeds(text)[0]), None) or next(
        (text for text in alike if str(mode.speed) in _speeds(text)), None
    )


def _speeds(text: str) -> list[str]:
    """Return the speeds of a mode in the spelling of breakout_modes, its own first."""
    match = _MODE.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a breakout mode")
    speeds = [match["speed"], *(match["more"] or "").split(",")]
    return [_speed(speed) for speed in speeds]


def _speed(text: str) -> str:
    """Return a speed with its unit: NVIDIA writes 1000 for 1G."""
    return str(BitsPerSecond(int(text) * 10**6)) if text.isdecimal() else text
