"""Lower packet memory: pools and profiles of a model, priority groups and queues of its ports.

There are two models (DEVICE_METADATA.buffer_model). In the dynamic one, on NVIDIA, the switch
computes pools and the headroom of each lossless priority group from speed, cable length and MTU
(sonic-swss cfgmgr/buffermgrdyn.cpp). In the traditional one, on all others, pools come from the
hwsku, and the headroom is a row of its pg_profile_lookup.ini. There buffermgrd would create the
profile pg_lossless_<speed>_<cable>_profile and its priority groups, if the row is in the switch's
file. It uses an existing profile of that name (cfgmgr/buffermgr.cpp doSpeedUpdateTask). So the
catalog's row is rendered and decides.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from fabricgen.core.provenance import Provenance
from fabricgen.core.units import BitsPerSecond, Bytes, Meters
from fabricgen.model.catalog.skus import (
    EGRESS_LOSSLESS,
    EGRESS_LOSSY,
    INGRESS_LOSSY,
    LOSSLESS_POOL,
    Sku,
)
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.qos import Qos
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.lossless.rows import PortHeadroom, Row
from fabricgen.nos.sonic.names import ONLY
from fabricgen.nos.sonic.qos import LOSSY_GROUP, PRIORITIES
from fabricgen.nos.sonic.view import Entry, Field, Table, Tables

TRIMMED = "q_lossy_trim_profile"  # the name in sonic-net/SONiC packet-trimming-design.md
COMPUTED = "NULL"  # in a priority group: buffermgrdyn finds the profile

# The objects of the dynamic model, as in Mellanox-SN5600-V256 for its chip
# (sonic-net/sonic-buildimage@10ae4708). A threshold n means alpha 2^n. Only the egress lossless
# pool has a size, the complete memory: no lossless packet is dropped at egress. Six hwskus (ACS-*,
# and Mellanox-SN5600-O128) ship a second ingress pool for lossy traffic. It is not written: the
# switch gives each of two ingress pools half of the memory (sonic-swss@1469e8d2
# buffer_pool_mellanox.lua).
_DYNAMIC_POOLS: dict[str, dict[str, Field]] = {
    LOSSLESS_POOL: {"type": "ingress", "mode": "dynamic"},
    "egress_lossless_pool": {"type": "egress", "mode": "dynamic"},
    "egress_lossy_pool": {"type": "egress", "mode": "dynamic"},
}
DYNAMIC_PROFILES: dict[str, dict[str, Field]] = {
    "ingress_lossless_profile": {"pool": LOSSLESS_POOL, "size": "0", "dynamic_th": "7"},
    INGRESS_LOSSY: {"pool": LOSSLESS_POOL, "size": "0", "dynamic_th": "3"},
    EGRESS_LOSSLESS: {"pool": "egress_lossless_pool", "size": "0", "dynamic_th": "7"},
    "egress_lossy_profile": {"pool": "egress_lossy_pool", "size": "9216", "dynamic_th": "7"},
    "q_lossy_profile": {"pool": "egress_lossy_pool", "size": "0", "dynamic_th": "3"},
}
# Headroom is computed for the worst case. 4096 is the largest RoCE payload, and frames of 64 bytes
# fill the most cells. Images have 1024 bytes and 100 % (202405) or 50 % (later) small frames: less
# headroom, which the largest RoCE frames or a burst of small frames can exceed.
_PATTERN: dict[str, Field] = {"mtu": "4096", "small_packet_percentage": "100"}


class PortMemory(NamedTuple):
    """Facts that decide the buffers of one port; unused ports have no cable."""

    name: str
    length: Meters
    used: bool
    row: Row | None


def headroom_rows(
    switch_slice: SwitchSlice, sku: Sku
) -> dict[tuple[BitsPerSecond, Meters], Row | None]:
    """Return the headroom row of each speed and cable of a switch, with the planned threshold."""
    kinds = {(i.port.speed, i.length) for i in switch_slice.interfaces if i.use is not Use.UNUSED}
    dynamic = sku.pools.get(LOSSLESS_POOL, {}).get("mode") == "dynamic"
    chosen: dict[tuple[BitsPerSecond, Meters], Row | None] = {}
    for speed, length in kinds:
        planned = switch_slice.buffers.port(speed, length) if switch_slice.buffers else None
        row = _row(sku.rows, speed, length, planned)
        if row is not None and dynamic and switch_slice.buffers is not None:
            row = replace(row, alpha=switch_slice.buffers.alpha)
        chosen[speed, length] = row
    return chosen


def _row(
    rows: tuple[Row, ...], speed: BitsPerSecond, length: Meters, planned: PortHeadroom | None
) -> Row | None:
    """Return the row of that speed with the shortest cable that is long enough.

    Without such a row, the planned headroom is in a copy of the longest row of that speed.
    """
    mine = [row for row in rows if row.speed == speed]
    fits = [row for row in mine if row.length >= length]
    if fits or not mine or planned is None:
        return min(fits, key=lambda row: row.length, default=None)
    longest = max(mine, key=lambda row: row.length)
    whole = longest.size > longest.headroom  # the size includes the headroom
    size = Bytes(longest.size + (planned.headroom - longest.headroom if whole else 0))
    return replace(longest, length=length, headroom=planned.headroom, size=size)


@lru_cache(maxsize=128)
def buffers(
    sku: Sku, rows: tuple[Row, ...], alpha: int, why: Provenance, *, lossless: bool
) -> Tables:
    """Return pools and profiles; `rows` are the headroom rows of the switch's ports.

    Without over_subscribe_ratio there is no shared headroom pool: each port has its headroom alone.
    """
    if sku.dynamic:
        tables = {
            "BUFFER_POOL": _entries(_dynamic_pools(sku), why),
            "BUFFER_PROFILE": _entries(DYNAMIC_PROFILES, why),
        }
        if lossless:
            tables["DEFAULT_LOSSLESS_BUFFER_PARAMETER"] = _entries(
                {ONLY: {"default_dynamic_th": str(alpha)}}, why
            )
            tables["LOSSLESS_TRAFFIC_PATTERN"] = {ONLY: Entry(_pattern_because(sku, why), _PATTERN)}
        return tables
    pools = {name: _pool(name, dict(row)) for name, row in sku.pools.items()}
    profiles = {name: _text(dict(row)) for name, row in sku.profiles.items()}
    if pools:
        mode = str(sku.pools[LOSSLESS_POOL]["mode"])
        profiles.update((headroom_name(row), _headroom(row, mode)) for row in rows)
    return {"BUFFER_POOL": _entries(pools, why), "BUFFER_PROFILE": _entries(profiles, why)}


def _dynamic_pools(sku: Sku) -> dict[str, dict[str, Field]]:
    """Return the pools, with the size of the complete memory from the hwsku."""
    sizes = {name: {"size": str(row["size"])} for name, row in sku.pools.items()}
    return {name: {**row, **sizes.get(name, {})} for name, row in _DYNAMIC_POOLS.items()}


def _pattern_because(sku: Sku, why: Provenance) -> Provenance:
    """Return why the traffic pattern differs from the image's."""
    shipped = sku.traffic
    beside = f"; the image has {shipped.mtu} bytes and {shipped.small_percent} %" if shipped else ""
    return replace(why, rule=f"worst case: the largest RoCE payload and small frames alone{beside}")


def _entries(rows: dict[str, dict[str, Field]], why: Provenance) -> Table:
    return {name: Entry(why, fields) for name, fields in rows.items()}


def _text(row: dict[str, int | str]) -> dict[str, Field]:
    return {name: str(value) for name, value in row.items()}


def _pool(name: str, row: dict[str, int | str]) -> dict[str, Field]:
    """Return a pool; a pool of lossy traffic without a direction is an egress pool.

    Supermicro_sse_t7132s/buffers_defaults_t1.j2 (sonic-net/sonic-buildimage@086b03bd
    device/supermicro): `lossy_pool` has type egress and profiles of both directions.
    """
    way = name.partition("_")[0]
    return {"type": "egress" if way == "lossy" else way, **_text(row)}


def headroom_name(row: Row) -> str:
    """Name a profile as buffermgrd does, so that it uses this one."""
    return f"pg_lossless_{row.speed.megabits}_{row.length}m_profile"


def _headroom(row: Row, mode: str) -> dict[str, Field]:
    """Return the profile of a row; the pool's mode decides the name of the threshold field."""
    fields: dict[str, Field] = {
        "pool": LOSSLESS_POOL,
        "size": str(int(row.size)),
        "xon": str(int(row.resume)),
        "xoff": str(int(row.headroom)),
        f"{mode}_th": str(row.alpha),
    }
    if row.resume_offset is not None:
        fields["xon_offset"] = str(int(row.resume_offset))
    return fields


@lru_cache(maxsize=1024)
def port_buffers(sku: Sku, design: Qos, ports: tuple[PortMemory, ...]) -> Tables:
    """Return priority groups, queues and cable lengths; equal on switches with equal wiring."""
    why = design.because
    lengths: dict[str, Field] = {}
    cut = tuple(item.number for item in design.classes if item.cut is not None)
    tables: Tables = {
        name: {}
        for name in (
            "BUFFER_PG",
            "BUFFER_QUEUE",
            "BUFFER_PORT_INGRESS_PROFILE_LIST",
            "BUFFER_PORT_EGRESS_PROFILE_LIST",
        )
    }
    for port in ports:
        keeps = design.paused if port.used else ()
        row = port.row
        lengths[port.name] = _length(sku, port, row, lossless=bool(keeps))
        # The dynamic model reclaims the memory of shut ports, but only of those configured here.
        if (sku.dynamic or port.used) and sku.pools:
            _fill(tables, sku, port, keeps, row, why)
            for numbers, profile in _queues(sku, keeps, cut if port.used else ()):
                key = f"{port.name}|{numbers}"
                tables["BUFFER_QUEUE"][key] = Entry(why, {"profile": profile})
    return {**tables, "CABLE_LENGTH": {ONLY: Entry(why, lengths)}}


def _length(sku: Sku, port: PortMemory, row: Row | None, *, lossless: bool) -> str:
    """Return the cable length; 0m means no lossless group. The traditional model looks rows up."""
    if not lossless:
        return "0m"
    return f"{port.length if sku.dynamic or row is None else row.length}m"


def _fill(
    tables: Tables,
    sku: Sku,
    port: PortMemory,
    lossless: tuple[int, ...],
    row: Row | None,
    why: Provenance,
) -> None:
    """Add the rows of one port. Like buffermgrd it joins neighboring lossless groups: 3-4."""
    groups = tables["BUFFER_PG"]
    groups[f"{port.name}|{LOSSY_GROUP}"] = Entry(why, {"profile": INGRESS_LOSSY})
    if sku.dynamic or row is not None:
        profile = COMPUTED if row is None or sku.dynamic else headroom_name(row)
        for numbers in (numbers for numbers, is_lossless in _runs(lossless) if is_lossless):
            groups[f"{port.name}|{numbers}"] = Entry(why, {"profile": profile})
    if sku.dynamic:
        ingress, egress = "ingress_lossless_profile", f"{EGRESS_LOSSLESS},egress_lossy_profile"
        lists = "BUFFER_PORT_INGRESS_PROFILE_LIST", "BUFFER_PORT_EGRESS_PROFILE_LIST"
        tables[lists[0]][port.name] = Entry(why, {"profile_list": ingress})
        tables[lists[1]][port.name] = Entry(why, {"profile_list": egress})


def lossy_profile(sku: Sku) -> str:
    """Return the name of the profile of queues that drop."""
    return "q_lossy_profile" if sku.dynamic else EGRESS_LOSSY


def _queues(sku: Sku, lossless: tuple[int, ...], cut: tuple[int, ...]) -> Iterator[tuple[str, str]]:
    """Yield ranges of queues with their profile: kept, trimmed or dropped when full."""
    lossy = lossy_profile(sku)
    profiles = dict.fromkeys(PRIORITIES, lossy)
    profiles |= dict.fromkeys(cut, TRIMMED) | dict.fromkeys(lossless, EGRESS_LOSSLESS)
    for profile, run in groupby(PRIORITIES, profiles.__getitem__):
        yield _span(run), profile


def _runs(lossless: tuple[int, ...]) -> Iterator[tuple[str, bool]]:
    """Yield ranges of all numbers in SONiC's form, and whether they are lossless: 0-2, 3-4, 5-7.

    buffermgrd makes the same keys of pfc_enable "3,4" (sonic-swss cfgmgr/buffermgr.cpp
    generateIdListFromMap; tests/test_buffer_traditional.py).
    """
    for is_lossless, run in groupby(PRIORITIES, lambda number: number in lossless):
        yield _span(run), is_lossless


def _span(run: Iterable[int]) -> str:
    """Return the name of neighboring numbers: 3, or 0-2."""
    first, *more = run
    return f"{first}-{more[-1]}" if more else str(first)
