"""Read from config_db.json how SONiC queues, pauses and marks at each port.

The text is split at its tables. The QoS tables of switches with equal wiring are the same text
without port descriptions, so they are parsed once.
"""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from fabricgen.core.tree.database import printed
from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.model.fabric.port_qos import (
    DSCPS,
    IDENTITY,
    PRIORITIES,
    UNKNOWN,
    Marks,
    PortQos,
    QosState,
    Serving,
    Watch,
    unreadable,
)
from fabricgen.nos.sonic.readback.memory import Memory
from fabricgen.nos.sonic.readback.tables import Tables, bits, by_port, number

FILE = "config_db.json"
DEFAULT_MTU = 9100  # DEFAULT_MTU_STR, sonic-swss cfgmgr/portmgr.h
# Priorities and groups are the same numbers on chips without a map. NVIDIA's chips have one
# (pfc_to_pg_map_supported_asics, sonic-buildimage files/build_templates/qos_config.j2).

_READ = frozenset(
    {"PORT", "DSCP_TO_TC_MAP", "TC_TO_QUEUE_MAP", "TC_TO_PRIORITY_GROUP_MAP"}
    | {"MAP_PFC_PRIORITY_TO_QUEUE", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", "SCHEDULER"}
    | {"WRED_PROFILE", "PORT_QOS_MAP", "QUEUE", "PFC_WD", "BUFFER_POOL", "BUFFER_PROFILE"}
    | {"BUFFER_PG", "BUFFER_QUEUE", "BUFFER_PORT_INGRESS_PROFILE_LIST", "CABLE_LENGTH"}
    | {"BUFFER_PORT_EGRESS_PROFILE_LIST", "DEFAULT_LOSSLESS_BUFFER_PARAMETER"}
    | {"LOSSLESS_TRAFFIC_PATTERN", "SWITCH_TRIMMING"}
)
# Tables that would change a chain too (sonic-yang-models); fabricgen does not write them.
_FOREIGN = frozenset(
    {"DOT1P_TO_TC_MAP", "TC_TO_DSCP_MAP", "TC_TO_DOT1P_MAP", "DSCP_TO_FC_MAP", "EXP_TO_FC_MAP"}
    | {"MPLS_TC_TO_TC_MAP", "TUNNEL", "PFC_PRIORITY_TO_QUEUE_MAP"}
)
_PORT_FIELDS = {
    "dscp_to_tc_map": "DSCP_TO_TC_MAP",
    "tc_to_queue_map": "TC_TO_QUEUE_MAP",
    "tc_to_pg_map": "TC_TO_PRIORITY_GROUP_MAP",
    "pfc_to_queue_map": "MAP_PFC_PRIORITY_TO_QUEUE",
    "pfc_to_pg_map": "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
}
_DESCRIPTION = re.compile(r',\n +"description": "(?:[^"\\\n]|\\.)*"')
_MODEL = re.compile(r'"buffer_model": "([a-z]*)"')
_HWSKU = re.compile(r'"hwsku": "([^"\\]*)"')


def read(model: SwitchModel | None, files: Mapping[str, str]) -> QosState:
    text = files.get(FILE)
    if text is None:
        return unreadable(f"has no {FILE}")
    try:
        text = printed(text)
    except (RecursionError, ValueError) as error:
        return unreadable(f"{FILE} is not JSON of tables: {error}")
    kept, buffer_model, hwsku = [], "", ""
    for table in text[7:-9].split('\n    },\n    "'):
        name = table[: table.find('"')]
        if name in _READ or name in _FOREIGN:
            kept.append(_DESCRIPTION.sub("", table) if name == "PORT" else table)
        elif name == "DEVICE_METADATA":
            dynamic, named = _MODEL.search(table), _HWSKU.search(table)
            buffer_model, hwsku = dynamic[1] if dynamic else "", named[1] if named else ""
    cut = '{"' + '\n},"'.join(kept) + "\n}}" if kept else "{}"
    return _parsed(model, hwsku, buffer_model, cut)


@lru_cache(maxsize=16)
def _parsed(model: SwitchModel | None, hwsku: str, buffer_model: str, text: str) -> QosState:
    try:
        tables = json.loads(text)
    except ValueError as error:
        return unreadable(f"{FILE} is not JSON: {error}")
    if not all(isinstance(row, dict) for table in tables.values() for row in table.values()):
        return unreadable(f"{FILE} has a table whose entries are not fields")
    skus = model.skus.get("sonic", ()) if model else ()
    sku = next((one for one in skus if one.name == hwsku), None)
    db = Tables(tables)
    return _Reader(db, Memory(db, model, sku, buffer_model)).state()


class _Reader:
    """Joins the tables of one file, port by port."""

    def __init__(self, db: Tables, memory: Memory) -> None:
        self.db = db
        self.memory = memory
        self.queues = by_port(db, "QUEUE")
        self.made: dict[str, PortQos] = {}

    def state(self) -> QosState:
        ports = self.db["PORT"]
        read = {name: self.port(name, row) for name, row in ports.items()}
        for table in ("QUEUE", "BUFFER_PG", "BUFFER_QUEUE"):
            named = by_port(self.db, table).keys()
            for name in named - ports.keys():
                self.db.say(f"{table} names the port {name}, which is not in PORT")
            used = {name for name, row in ports.items() if row.get("admin_status") == "up"}
            for name in used - named if named and table != "QUEUE" else ():
                self.db.say(f"{table} has no row of the port {name}, only of other ports")
        for table in ("PORT_QOS_MAP", "PFC_WD"):
            for name in self.db[table].keys() - ports.keys() - {"global", "GLOBAL"}:
                self.db.say(f"{table} names the port {name}, which is not in PORT")
        for name in _FOREIGN & self.db.keys():
            self.db.say(f"the table {name} is not rendered")
        self.everywhere()
        self.memory.judge()
        return QosState(read, tuple(self.db.faults))

    def everywhere(self) -> None:
        """Compare settings of the switch with its ports'."""
        row = self.db["PORT_QOS_MAP"].get("global", {})
        told = {
            str(port.get("dscp_to_tc_map"))
            for name, port in self.db["PORT_QOS_MAP"].items()
            if name != "global"
        }
        if told and row != {"dscp_to_tc_map": min(told)}:
            self.db.say(f"PORT_QOS_MAP|global is {row}, but ports use {', '.join(sorted(told))}")
        if self.db["PFC_WD"].get("GLOBAL", {}).keys() - {"POLL_INTERVAL"}:
            self.db.say("PFC_WD|GLOBAL has more fields than POLL_INTERVAL")

    def port(self, name: str, row: Mapping[str, str]) -> PortQos:
        """Return one port; ports with equal settings are one object."""
        told = self.db["PORT_QOS_MAP"].get(name, {})
        queues = self.queues.get(name, {})
        watch = self.db["PFC_WD"].get(name)
        port = (row.get("mtu"), row.get("admin_status"), row.get("speed"))
        key = repr((port, told, queues, watch, self.memory.told(name)))
        if key not in self.made:
            self.made[key] = self.made_port(name, row, told, queues, watch)
        return self.made[key]

    def made_port(
        self,
        name: str,
        port: Mapping[str, str],
        told: Mapping[str, str],
        queues: Mapping[int, Mapping[str, str]],
        watch: Mapping[str, str] | None,
    ) -> PortQos:
        faults: list[str] = []
        paused = bits(told.get("pfc_enable"))
        headroom, alpha = self.memory.headroom(name, port.get("speed", ""), faults)
        odd = told.keys() - _PORT_FIELDS.keys() - {"pfc_enable", "pfcwd_sw_enable", "scheduler"}
        faults += [f"PORT_QOS_MAP has {field}, which is not rendered" for field in sorted(odd)]
        faults += self.shaper(told.get("scheduler"))
        return PortQos(
            up=port.get("admin_status") == "up",
            mtu=number(port.get("mtu"), DEFAULT_MTU),
            # with a DSCP map and no 802.1p map a port classifies by DSCP
            trust="dscp" if "dscp_to_tc_map" in told else None,
            classes=self.map(told, "dscp_to_tc_map", len(DSCPS), faults),
            queues=self.map(told, "tc_to_queue_map", len(PRIORITIES), faults),
            groups=self.map(told, "tc_to_pg_map", len(PRIORITIES), faults),
            paused=paused,
            stops=self.map(told, "pfc_to_queue_map", len(PRIORITIES), faults)
            if paused
            else UNKNOWN,
            fills=self.fills(told, paused, faults),
            headroom=headroom,
            alpha=alpha,
            serving={queue: share for queue, row in queues.items() if (share := self.serving(row))},
            marks={queue: points for queue, row in queues.items() if (points := self.marks(row))},
            keeps=self.memory.keeps(name, faults),
            watch=self.watch(watch) if watch is not None else None,
            watched=bits(told.get("pfcwd_sw_enable")),
            cable=self.memory.cable(name),
            cuts=self.memory.cuts(name),
            rate=megabits * 10**6 if (megabits := number(port.get("speed"))) else None,
            faults=tuple(faults),
        )

    def shaper(self, name: str | None) -> list[str]:
        """Report a port scheduler whose rate differs from its name, which has another check."""
        rate = (name or "").removeprefix("scheduler.port.")
        row = self.db["SCHEDULER"].get(name or "")
        if name is None or row == {"meter_type": "bytes", "cir": rate, "pir": rate}:
            return []
        return [f"the scheduler {name} does not limit a port to {rate} bytes per second: {row}"]

    def map(
        self, told: Mapping[str, str], field: str, size: int, faults: list[str]
    ) -> tuple[int | None, ...]:
        """Follow a port's reference to a map."""
        name = told.get(field)
        if name is None:
            return (None,) * size
        rows = self.db[_PORT_FIELDS[field]].get(name)
        if rows is None:
            faults.append(f"{field} names {name}, which is not in {_PORT_FIELDS[field]}")
            return (None,) * size
        beyond = rows.keys() - {str(key) for key in range(size)}
        faults += [f"{_PORT_FIELDS[field]} has a row {key}" for key in sorted(beyond)]
        return tuple(number(rows.get(str(key))) for key in range(size))

    def fills(
        self, told: Mapping[str, str], paused: frozenset[int], faults: list[str]
    ) -> tuple[int | None, ...]:
        if "pfc_to_pg_map" not in told:
            return UNKNOWN if self.memory.mapped else IDENTITY
        groups = self.map(told, "pfc_to_pg_map", len(PRIORITIES), faults)
        odd = [key for key in PRIORITIES if groups[key] is not None and key not in paused]
        faults += [
            f"PFC_PRIORITY_TO_PRIORITY_GROUP_MAP has priority {key}, unpaused" for key in odd
        ]
        return groups

    def serving(self, fields: Mapping[str, str]) -> Serving | None:
        name = fields.get("scheduler")
        row = self.db["SCHEDULER"].get(name) if name is not None else None
        if row is None:
            if name is not None:
                self.db.say(f"a queue names the scheduler {name}, which is not in SCHEDULER")
            return None
        if row == {"type": "STRICT"}:
            return Serving(strict=True, share=None)
        if row.keys() == {"type", "weight"} and row["type"] == "DWRR":
            return Serving(strict=False, share=number(row["weight"]))
        self.db.say(f"the scheduler {name} is neither STRICT nor DWRR with a weight: {dict(row)}")
        return None

    def marks(self, fields: Mapping[str, str]) -> Marks | None:
        """Return the marking of a queue. Every packet is green, as no rendered table colors one."""
        for field in fields.keys() - {"scheduler", "wred_profile"}:
            self.db.say(f"QUEUE has {field}, which is not rendered")
        name = fields.get("wred_profile")
        if name is None:
            return None
        row = dict(self.db["WRED_PROFILE"].get(name, {}))
        if row.pop("ecn", None) != "ecn_green":
            self.db.say(f"the WRED profile {name} does not mark green, or is missing")
            return None
        green = _green(row)
        if row or green is None:
            self.db.say(f"the WRED profile {name} has other or missing fields of green: {row}")
        return green

    def watch(self, row: Mapping[str, str]) -> Watch:
        if row.keys() - {"action", "detection_time", "restoration_time"}:
            self.db.say(f"PFC_WD has {dict(row)}, which is not rendered")
        return Watch(
            number(self.db["PFC_WD"].get("GLOBAL", {}).get("POLL_INTERVAL")),
            number(row.get("detection_time")),
            number(row.get("restoration_time")),
            row.get("action"),
            by_software=True,
        )


def _green(row: dict[str, Any]) -> Marks | None:
    on = row.pop("wred_green_enable", None)
    words = ("min_threshold", "max_threshold", "drop_probability")
    low, high, chance = (number(row.pop(f"green_{word}", None)) for word in words)
    if on != "true" or low is None or high is None or chance is None:
        return None
    return Marks(low, high, chance)
