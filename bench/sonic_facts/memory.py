"""Work out the packet memory of a hwsku: pools, profiles and headroom, or why it has none."""

import json
from typing import Any

from bench.sonic_facts.tables import RELEASES, Row, Tables, at

LOSSLESS = "ingress_lossless_pool"
_POOL = ("size", "xoff", "mode")
_PROFILE = ("pool", "size", "static_th", "dynamic_th")


def headroom(tables: Tables, platform: str, hwsku: str, release: str) -> list[list[int | None]]:
    """Return the rows of pg_profile_lookup.ini, as they stand there."""
    return [
        [
            int(row["speed"]),
            int(row["cable"].removesuffix("m")),
            *(int(row[name]) for name in ("size", "xon", "xoff", "threshold")),
            int(row["xon_offset"]) if row["xon_offset"] else None,
        ]
        for row in at(tables.of("pg_lookup", platform, hwsku), release)
    ]


def memory_facts(
    tables: Tables, platform: str, hwsku: str, release: str, topology: str, *, dynamic: bool
) -> dict[str, Any]:
    """Return pools and profiles of a hwsku at a topology, or the reason why they are lossy."""
    model = "dynamic" if dynamic else "traditional"

    def shipped(name: str) -> list[Row]:
        rows = at(tables.of(name, platform, hwsku), release, topology)
        return [row for row in rows if row["model"] == model]

    pools, groups = shipped("pools"), shipped("buffer_maps")
    paused = any(row["table"] == "BUFFER_PG" and row["value"] == "NULL" for row in groups)
    made: dict[str, dict[str, Any]] = {
        "pools": _sorted({row["pool"]: _fields(row, _POOL) for row in pools}),
        "profiles": _sorted(
            {row["profile"]: _fields(row, _PROFILE) for row in shipped("profiles")}
        ),
    }
    if not pools:
        return {"lacks": "it ships no buffer pool"}
    made["pools"]["source"] = _source(pools, topology)
    if dynamic:
        # The switch sizes the others.
        sized = {
            name: row for name, row in made["pools"].items() if name == "source" or "size" in row
        }
        reason = "its buffers template puts no priority group on a lossless profile"
        return {**({} if paused else {"lacks": reason}), "pools": sized}
    if not any(row["pool"] == LOSSLESS for row in pools):
        return {"lacks": "its buffers template has no lossless pool"}
    if not at(tables.of("pg_lookup", platform, hwsku), release):
        return {"lacks": "it ships no row of headroom (pg_profile_lookup.ini)"}
    return made


def _sorted(rows: dict[str, Any]) -> dict[str, Any]:
    """Put ingress before egress, and of each lossless before lossy."""
    return dict(sorted(rows.items(), key=lambda row: (row[0].startswith("egress"), row[0])))


def _source(pools: list[Row], topology: str) -> str:
    """Return the template. Where each topology has one, the facts may be the same."""
    return f"device/{pools[0]['source']}".replace(f"_{topology}.j2", "_<topology>.j2")


def _fields(row: Row, names: tuple[str, ...]) -> dict[str, int | str]:
    return {name: _number(row[name]) for name in names if row[name]}


def _number(text: str) -> int | str:
    bare = text.removeprefix("[BUFFER_POOL|").removesuffix("]")
    return int(bare) if bare.lstrip("-").isdecimal() else bare


def traffic(tables: Tables, platform: str) -> list[dict[str, Any]]:
    """Return the traffic that the dynamic model of each release computes headroom for."""
    found: dict[tuple[int, int], list[str]] = {}
    for release in RELEASES:
        rows = at(tables.of("dynamic", platform), release)
        values = {row["value"] for row in rows if row["table"] == "LOSSLESS_TRAFFIC_PATTERN"}
        if len(values) > 1:
            raise ValueError(f"{platform} {release}: several traffic patterns")
        for value in values:
            (fields,) = json.loads(value).values()
            key = int(fields["mtu"]), int(fields["small_packet_percentage"])
            found.setdefault(key, []).append(release)
    return [
        {"releases": releases, "mtu": mtu, "small_packets": percent}
        for (mtu, percent), releases in found.items()
    ]
