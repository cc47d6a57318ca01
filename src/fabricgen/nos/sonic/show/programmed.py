"""Read QoS and packet memory as orchagent gave them to SAI: maps, PFC, watchdog, ECN and buffers.

ASIC_DB has what orchagent asked of SAI, which is as near to the chip as Redis gets. During a storm
orchagent clears the bit of the priority (sonic-swss orchagent/pfcactionhandler.cpp), so a stormed
queue counts as paused.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from fabricgen.core.tree.facts import Attributes, Facts
from fabricgen.nos.questions import UnreadableError
from fabricgen.nos.sonic.show.tables import OFF, PAUSED, PORT_ATTRIBUTES, WATCHES, Row, Rows

_STATUS, _ACTION, _DETECTION, _RESTORATION = WATCHES
_STORMED = "stormed"
_VALUES = "SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST"
_NULL = "oid:0x0"
_PRIORITIES = range(8)
_MICROSECONDS = 1000

Pairs = Mapping[int, int]


class Maps:
    """QoS maps by OID. Most ports share them, so each is read once."""

    def __init__(self, rows: Rows) -> None:
        """Set the maps of ASIC_DB."""
        self._rows = rows
        self.pairs = cache(self._pairs)

    def _pairs(self, oid: str, key: str, value: str) -> Pairs:
        """Return a map. sonic-sairedis meta/sai_serialize.cpp writes lists of two structures."""
        row = self._rows.get(oid)
        if row is None or _VALUES not in row:
            raise UnreadableError(f"ASIC_DB has no QoS map {oid[:40]}")
        listed = json.loads(row[_VALUES])["list"]
        return {int(each["key"][key]): int(each["value"][value]) for each in listed}


def ports(rows: Rows, maps: Rows, queues: Rows) -> Facts:
    """Return the QoS of each port that has a map, PFC or a watchdog."""
    read, watched = Maps(maps), _by_port(queues)

    @cache
    def classified(oids: tuple[str, ...]) -> Attributes:
        return dict(_classified(read, oids))

    facts: Facts = {}
    for name, row in rows.items():
        own = watched.get(name, {})
        told = dict(classified(tuple(row.get(each, _NULL) for each in PORT_ATTRIBUTES)))
        told |= _paused(row, own)
        numbers = tuple(str(queue) for queue in sorted(own) if _watches(own[queue]))
        told |= {"watched": numbers} if numbers else {}
        if told:
            facts["qos", name] = told
    return facts


def _classified(read: Maps, oids: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield the trust of a port, and the queue and the priority group of each DSCP."""
    classes, queues, groups, _ = oids
    if classes == _NULL:
        return
    yield "trust", "dscp"
    places = (("dscp", queues, "qidx"), ("group", groups, "pg"))
    numbers = {name: read.pairs(oid, "tc", key) for name, oid, key in places if oid != _NULL}
    for code, number in read.pairs(classes, "dscp", "tc").items():
        for name, pairs in numbers.items():
            if number in pairs:
                yield f"{name} {code}", str(pairs[number])


def _paused(row: Row, queues: Mapping[int, Row]) -> Attributes:
    """Return the priorities with PFC in both directions, and the priorities of storms."""
    text = [row[each] for each in (PAUSED, f"{PAUSED}_RX", f"{PAUSED}_TX") if each in row]
    mask = 0
    for each in text:
        mask |= int(each)
    stormed = {number for number, own in queues.items() if own.get(_STATUS) == _STORMED}
    found = {number for number in _PRIORITIES if mask & 1 << number} | stormed
    return {"pause": tuple(map(str, sorted(found)))} if found else {}


def _by_port(rows: Rows) -> dict[str, dict[int, Row]]:
    found: dict[str, dict[int, Row]] = defaultdict(dict)
    for name, row in rows.items():
        port, _, number = name.partition(":")
        found[port][int(number)] = row
    return found


def _watches(row: Row) -> bool:
    """Return whether the watchdog watches a queue. The big red switch turns it off."""
    return _STATUS in row and row.get(OFF, "").lower() not in ("enable", "enabled")


def watchdogs(queues: Rows) -> Facts:
    """Return the timers and the action on the watched queues of each port, in milliseconds.

    CONFIG_DB has milliseconds, COUNTERS_DB has microseconds (sonic-swss orchagent/pfcwdorch.cpp).
    """
    return {
        ("watchdog", port): _watchdog([row for row in own.values() if _watches(row)])
        for port, own in _by_port(queues).items()
        if any(_watches(row) for row in own.values())
    }


def _watchdog(rows: list[Row]) -> Attributes:
    times = {"detection": _DETECTION, "restoration": _RESTORATION}
    own: Attributes = {
        name: _joined({str(int(row[field]) // _MICROSECONDS) for row in rows if field in row})
        for name, field in times.items()
    }
    return own | {"action": _joined({row[_ACTION] for row in rows if _ACTION in row})}


def _joined(values: set[str]) -> str:
    return ", ".join(sorted(values)) or "unknown"


def marking(queues: Rows, profiles: Rows) -> Facts:
    """Return the ECN points of each queue, in bytes and percent. RED that drops does not count."""
    facts: Facts = {}
    for name, row in queues.items():
        oid = row.get("SAI_QUEUE_ATTR_WRED_PROFILE_ID", _NULL)
        points = profiles.get(oid)
        if oid == _NULL:
            continue
        if points is None:
            raise UnreadableError(f"ASIC_DB has no WRED profile {oid[:40]}")
        if "GREEN" in points.get("SAI_WRED_ATTR_ECN_MARK_MODE", "") or _marks_all(points):
            port, _, number = name.partition(":")
            facts["marking", port, number] = {
                word: points[f"SAI_WRED_ATTR_GREEN_{field}"]
                for word, field in _POINTS.items()
                if f"SAI_WRED_ATTR_GREEN_{field}" in points
            }
    return facts


_POINTS = {
    "minimum": "MIN_THRESHOLD",
    "maximum": "MAX_THRESHOLD",
    "percent": "DROP_PROBABILITY",
}


def _marks_all(points: Row) -> bool:
    return points.get("SAI_WRED_ATTR_ECN_MARK_MODE") == "SAI_ECN_MARK_MODE_ALL"


def headroom(groups: Rows, profiles: Rows) -> Facts:
    """Return the headroom of each lossless priority group, and the exponent of its threshold."""
    facts: Facts = {}
    for name, row in groups.items():
        own = profiles.get(row.get("SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE", _NULL), {})
        size = own.get("SAI_BUFFER_PROFILE_ATTR_XOFF_TH", "0")
        if size != "0":
            port, _, number = name.partition(":")
            alpha = own.get("SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH")
            told: Attributes = {"bytes": size}
            facts["headroom", port, number] = told | ({"alpha": alpha} if alpha else {})
    return facts


def pools(rows: Rows) -> Facts:
    """Return the size of each pool, and its part that is shared headroom."""
    names = {"size": "SAI_BUFFER_POOL_ATTR_SIZE", "headroom": "SAI_BUFFER_POOL_ATTR_XOFF_SIZE"}
    return {
        ("pool", pool): {word: row[field] for word, field in names.items() if field in row}
        for pool, row in rows.items()
    }


def schedulers(queues: Rows, asked: Rows, made: Rows) -> Facts:
    """Return how each queue is served.

    orchagent binds schedulers to groups of the chip, not to queues (sonic-swss
    orchagent/qosorch.cpp, applySchedulerToQueueSchedulerGroup). So the scheduler of a queue is the
    one of CONFIG_DB, and ASIC_DB must have such a scheduler.
    """
    known = {_served(*_of_asic(row)) for row in made.values()}
    facts: Facts = {}
    for key, row in queues.items():
        port, _, number = key.partition("|")
        own = asked.get(row.get("scheduler", "").rpartition("|")[2])
        if own is not None:
            service = _served(own.get("type", ""), own.get("weight"))
            missing = "" if service in known else ", which is not in ASIC_DB"
            facts["scheduler", port, number] = {"service": f"{service}{missing}"}
    return facts


def _of_asic(row: Row) -> tuple[str, str | None]:
    kind = row.get("SAI_SCHEDULER_ATTR_SCHEDULING_TYPE", "")
    weight = row.get("SAI_SCHEDULER_ATTR_SCHEDULING_WEIGHT")
    return kind.removeprefix("SAI_SCHEDULING_TYPE_"), weight


def _served(kind: str, weight: str | None) -> str:
    if kind == "STRICT":
        return "strict"
    return f"shared with weight {weight or '1'}" if kind in ("DWRR", "WRR") else kind.lower()


def routes(shown: Mapping[str, Any]) -> Facts:
    """Return whether each sampled prefix of the global VRF is in the ASIC."""
    return {
        ("hardware", "default", prefix): {"programmed": "true" if there is True else "false"}
        for prefix, there in shown.items()
    }
