"""Read the buffers, scheduling and marking of one port from config_db.json, each with its lines.

In the dynamic buffer model the switch computes headroom and pool. This module repeats the
computation with the values of the file and the parameters of the chip.
"""

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from fabricgen.core.units import BitsPerSecond, Bytes, Meters
from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.model.fabric.memory_value import MemoryValue, PortTold
from fabricgen.model.fabric.qos import TrafficClass
from fabricgen.model.lossless.chips import Chip, SonicDynamic, chip
from fabricgen.model.lossless.headroom import headroom
from fabricgen.model.lossless.port import Port, Traffic
from fabricgen.model.lossless.sonic import MANAGEMENT, below_pause, port_reserve
from fabricgen.nos.sonic.readback.memory import COMPUTED, INGRESS_POOL, ONLY
from fabricgen.nos.sonic.readback.tables import run_of

FILE = "config_db.json"
_MAPS = {
    "tc_to_pg_map": "TC_TO_PRIORITY_GROUP_MAP",
    "tc_to_queue_map": "TC_TO_QUEUE_MAP",
    "pfc_to_queue_map": "MAP_PFC_PRIORITY_TO_QUEUE",
}
Row = dict[str, Any]


def read(
    model: SwitchModel | None, files: Mapping[str, str], port: str, item: TrafficClass
) -> PortTold:
    return _Port(_Db(_tables(files[FILE])), model, port, item).told()


@lru_cache(maxsize=8)
def _tables(text: str) -> dict[str, dict[str, Row]]:
    tables: dict[str, dict[str, Row]] = json.loads(text)
    return tables


class _Db:
    def __init__(self, tables: Mapping[str, Mapping[str, Row]]) -> None:
        self.tables = tables

    def row(self, table: str, key: str) -> Row:
        return self.tables.get(table, {}).get(key, {})

    def number(self, table: str, key: str, field: str, unit: str = "") -> MemoryValue | None:
        """Return a numeric field. `unit`: the text after the number."""
        text = str(self.row(table, key).get(field, "")).removesuffix(unit)
        if not text.lstrip("-").isdecimal():
            return None
        return MemoryValue(int(text), (line(table, key, field),))

    def of(self, table: str, port: str, number: int) -> tuple[str, Row]:
        """Return the row of a port and of a range of queues or groups that includes this number."""
        for key, row in self.tables.get(table, {}).items():
            name, _, span = key.partition("|")
            if name == port and number in run_of(span):
                return key, row
        return "", {}


def line(table: str, key: str, field: str) -> str:
    return f"{FILE}: {table} > {key} > {field}"


def joined(value: int, *parts: MemoryValue | str) -> MemoryValue:
    """Return a value with the lines of all its inputs, and of additional ones."""
    lines = (one for part in parts for one in ((part,) if isinstance(part, str) else part.lines))
    return MemoryValue(value, tuple(dict.fromkeys(lines)))


class _Port:
    """One port of one file, for one lossless class, which has the number of its priority."""

    def __init__(self, db: _Db, model: SwitchModel | None, port: str, item: TrafficClass) -> None:
        self.db, self.port, self.priority, self.dscps = db, port, item.number, item.dscps
        facts = model.chip if model else None
        self.chip = chip(facts.name, facts.cell) if facts else None
        self.memory = facts.packet_buffer if facts else None
        where = db.row("DEVICE_METADATA", "localhost")
        self.dynamic = where.get("buffer_model") == "dynamic"
        self.hwsku = str(where.get("hwsku"))
        self.key, self.group = db.of("BUFFER_PG", port, item.number)
        self.profile = str(self.group.get("profile", ""))

    def told(self) -> PortTold:
        queue, row = self.db.of("QUEUE", self.port, self.priority)
        mark = str(row.get("wred_profile", ""))
        computed = self.dynamic and self.profile == COMPUTED
        return PortTold(
            instead=f"hwsku {self.hwsku} has no such line",
            mtu=self.db.number("PORT", self.port, "mtu"),
            pause=self.pause(),
            headroom=self.computed() if computed else self.shipped("xoff"),
            pool=None if self.dynamic else self.db.number("BUFFER_POOL", INGRESS_POOL, "xoff"),
            shared=self.computed_pool() if self.dynamic else self.shipped_pool(),
            alpha=self.threshold() if computed else self.shipped("dynamic_th"),
            groups=self.groups(),
            minimum=self.mark(queue, mark, "min_threshold"),
            maximum=self.mark(queue, mark, "max_threshold"),
            percent=self.mark(queue, mark, "drop_probability"),
            cut=self.cut(),
            poll=self.db.number("PFC_WD", "GLOBAL", "POLL_INTERVAL"),
            detection=self.db.number("PFC_WD", self.port, "detection_time"),
            restoration=self.db.number("PFC_WD", self.port, "restoration_time"),
        )

    def pause(self) -> MemoryValue | None:
        """Return the priority if the port pauses it, and its DSCPs have that group and queue."""
        row, number = self.db.row("PORT_QOS_MAP", self.port), str(self.priority)
        if number not in str(row.get("pfc_enable", "")).split(","):
            return None
        lines = [line("PORT_QOS_MAP", self.port, "pfc_enable")]
        dscps = [("dscp_to_tc_map", "DSCP_TO_TC_MAP", str(dscp)) for dscp in self.dscps]
        for field, table, key in (*dscps, *((*pair, number) for pair in _MAPS.items())):
            name = str(row.get(field))
            if self.db.row(table, name).get(key) != number:
                return None
            lines += [line("PORT_QOS_MAP", self.port, field), line(table, name, key)]
        return MemoryValue(self.priority, tuple(lines))

    def mark(self, queue: str, name: str, field: str) -> MemoryValue | None:
        """Return WRED's value for green packets; without ECN it would drop instead of mark."""
        row = self.db.row("WRED_PROFILE", name)
        green = self.db.number("WRED_PROFILE", name, f"green_{field}")
        if row.get("ecn") != "ecn_green" or row.get("wred_green_enable") != "true" or not green:
            return None
        words = ("ecn", "wred_green_enable")
        lines = (line("WRED_PROFILE", name, word) for word in words)
        return joined(green.value, line("QUEUE", queue, "wred_profile"), *lines, green)

    def cut(self) -> MemoryValue | None:
        """Return the size of trimmed packets, if the profile of the queue trims."""
        queue, row = self.db.of("BUFFER_QUEUE", self.port, self.priority)
        profile, field = str(row.get("profile", "")), "packet_discard_action"
        size = self.db.number("SWITCH_TRIMMING", "GLOBAL", "size")
        if self.db.row("BUFFER_PROFILE", profile).get(field) != "trim" or size is None:
            return None
        words = (line("SWITCH_TRIMMING", "GLOBAL", word) for word in ("dscp_value", "queue_index"))
        where = (line("BUFFER_QUEUE", queue, "profile"), line("BUFFER_PROFILE", profile, field))
        return joined(size.value, *where, size, *words)

    def lossless(self) -> Iterable[tuple[str, str, int]]:
        """Yield the port and profile of each lossless row of groups, and its number of groups."""
        for key, row in self.db.tables.get("BUFFER_PG", {}).items():
            name, _, span = key.partition("|")
            profile = str(row.get("profile"))
            if profile == COMPUTED or "xoff" in self.db.row("BUFFER_PROFILE", profile):
                yield name, profile, len(run_of(span))

    def groups(self) -> MemoryValue | None:
        count = sum(number for _, _, number in self.lossless())
        return MemoryValue(count, (line("BUFFER_PG", self.key, "profile"),)) if self.key else None

    # the traditional model

    def shipped(self, field: str) -> MemoryValue | None:
        """Return a field of the profile of its group."""
        value = self.db.number("BUFFER_PROFILE", self.profile, field)
        at = line("BUFFER_PG", self.key, "profile")
        return joined(value.value, at, value) if value is not None and self.key else None

    def shipped_pool(self) -> MemoryValue | None:
        """Return the pool without its headroom and the reservations of its groups."""
        size = self.db.number("BUFFER_POOL", INGRESS_POOL, "size")
        xoff = self.db.number("BUFFER_POOL", INGRESS_POOL, "xoff")
        if size is None or xoff is None or self.chip is None:
            return None
        taken, sizes = 0, []
        for _, profile, count in self.lossless():
            each = self.db.number("BUFFER_PROFILE", profile, "size")
            if each is None:
                return None
            taken += count * -(-each.value // self.chip.cell) * self.chip.cell
            sizes.append(each)
        return joined(size.value - xoff.value - taken, size, xoff, *sizes)

    # the dynamic model

    def threshold(self) -> MemoryValue | None:
        return self.db.number("DEFAULT_LOSSLESS_BUFFER_PARAMETER", ONLY, "default_dynamic_th")

    def asked(self, name: str) -> tuple[Port, Traffic, list[MemoryValue]] | None:
        """Return the inputs of a port's headroom, and the numbers of its lines."""
        parts = [
            self.db.number("PORT", name, "speed"),
            self.db.number("CABLE_LENGTH", ONLY, name, "m"),
            self.db.number("PORT", name, "mtu"),
            self.db.number("LOSSLESS_TRAFFIC_PATTERN", ONLY, "mtu"),
            self.db.number("LOSSLESS_TRAFFIC_PATTERN", ONLY, "small_packet_percentage"),
        ]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        speed, length, mtu, payload, small = known
        port = Port(
            speed=BitsPerSecond(speed.value * 10**6),
            length=Meters(length.value),
            mtu=Bytes(mtu.value),
            lossless_mtu=Bytes(payload.value),
            lanes=len(str(self.db.row("PORT", name).get("lanes")).split(",")),
        )
        return port, Traffic(small.value), known

    def computed(self) -> MemoryValue | None:
        """Return the headroom that buffermgrdyn computes for the port's own group."""
        asked = self.asked(self.port)
        if asked is None or self.chip is None:
            return None
        port, traffic, parts = asked
        at = line("BUFFER_PG", self.key, "profile")
        return joined(headroom(port, self.chip, traffic).total, at, *parts)

    def computed_pool(self) -> MemoryValue | None:
        """Return the pool as buffer_pool_mellanox.lua sizes it, for the ports that are up."""
        size = self.db.number("BUFFER_POOL", "egress_lossless_pool", "size")
        if size is None or self.chip is None or not isinstance(self.chip.model, SonicDynamic):
            return None
        taken, lines = int(MANAGEMENT), [size]
        for name, row in self.db.tables.get("PORT", {}).items():
            if row.get("admin_status") == "up":
                asked = self.asked(name)
                if asked is None:
                    return None
                taken += int(port_reserve(asked[0], self.chip.model))
        for name, _, count in self.lossless():
            asked = self.asked(name)
            if asked is None:
                return None
            taken += count * _size(asked[0], self.chip, self.chip.model, asked[1])
        own = self.asked(self.port)
        return joined(size.value - taken, *lines, *(own[2] if own else ()))


def _size(port: Port, silicon: Chip, model: SonicDynamic, traffic: Traffic) -> int:
    """Return the complete size of a lossless group, which is reserved."""
    xoff = headroom(port, silicon, traffic).total
    return int(xoff + below_pause(port, model, xoff))
