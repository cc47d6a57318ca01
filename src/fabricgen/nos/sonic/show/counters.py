"""Read measures of a SONiC switch: counters, peaks, rates and light.

A group of counters that is off keeps its last values, and a release may lack a counter. Such a
metric is unknown with the reason, never zero.
"""

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from fabricgen.nos.measures import Measure
from fabricgen.nos.questions import UnreadableError
from fabricgen.nos.show import OFF
from fabricgen.nos.sonic.names import MANAGEMENT_PORT
from fabricgen.nos.sonic.show import tables
from fabricgen.nos.sonic.show.tables import Row, Rows

Measures = dict[Measure, float]
_BITS = 8
_DARK = -40.0
"""dBm of a lane without light: `-inf` has no number. The lowest value of SFF-8472 is -40."""
_CRM_SECONDS = 300.0
_SOON = 300.0


class Group(NamedTuple):
    """A group of counters. `seconds`: default time between two polls on the switch.

    sonic-swss orchagent/flexcounterorch.h and sonic-utilities counterpoll/main.py have the names
    and times.
    """

    name: str
    seconds: float


_PORT, _QUEUE = Group("PORT", 1), Group("QUEUE", 10)
_MARKS, _WATCHDOG = Group("WRED_ECN_QUEUE", 10), Group("PFCWD", 0.2)
_DROPS, _GROUP_PEAKS = Group("PG_DROP", 10), Group("PG_WATERMARK", 60)
_QUEUE_PEAKS, _POOL_PEAKS = Group("QUEUE_WATERMARK", 60), Group("BUFFER_POOL_WATERMARK", 60)
GROUPS: Mapping[str, Group] = {
    **dict.fromkeys((*tables.PORT_STATS, "pause-received", "pause-sent"), _PORT),
    "paused-time": _WATCHDOG,
    **dict.fromkeys(("queue-packets", "queue-drops"), _QUEUE),
    "ecn-marked": _MARKS,
    "queue-peak": _QUEUE_PEAKS,
    "group-drops": _DROPS,
    **dict.fromkeys(("group-peak", "headroom-peak"), _GROUP_PEAKS),
    **dict.fromkeys(tables.POOL_STATS, _POOL_PEAKS),
    **dict.fromkeys(("rate-received", "rate-sent", "pre-fec-ber"), _PORT),
}
"""The group of each metric that flex counters poll. The watchdog writes its own counters."""


def number(text: str | None) -> float | None:
    """Return a finite number. The SAI may answer `N/A`, and an estimate may be -1."""
    try:
        value = float(text) if text is not None else math.nan
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _counted(rows: Rows, metrics: Mapping[str, str]) -> Iterator[tuple[Measure, float]]:
    """Yield the values of objects; the parts of an object's name are separated by a colon."""
    for name, row in rows.items():
        for metric, field in metrics.items():
            value = number(row.get(field))
            if value is not None and value >= 0:
                yield (metric, *name.split(":")), value


def of_ports(rows: Rows) -> Measures:
    """Return the counters of ports and of their priorities."""
    if not rows:
        raise UnreadableError("COUNTERS_DB has no counters of ports")
    found = dict(_counted(rows, tables.PORT_STATS))
    for metric, form in tables.PRIORITY_STATS.items():
        for priority in map(str, range(8)):
            for name, row in rows.items():
                value = number(row.get(form.format(priority)))
                if value is not None and value >= 0:
                    found[metric, name, priority] = value
    return found


def of_queues(rows: Rows) -> Measures:
    return dict(_counted(rows, tables.QUEUE_STATS))


def of_groups(rows: Rows) -> Measures:
    return dict(_counted(rows, tables.GROUP_STATS))


def of_pools(rows: Rows) -> Measures:
    return dict(_counted(rows, tables.POOL_STATS))


def rates(rows: Rows) -> Measures:
    """Return rates, which COUNTERS_DB has in bytes, and bit errors. -1 is unknown.

    sonic-swss orchagent/port_rates.lua.
    """
    found: Measures = {}
    for name, row in rows.items():
        for metric, field in (("rate-received", "RX_BPS"), ("rate-sent", "TX_BPS")):
            value = number(row.get(field))
            if value is not None and value >= 0:
                found[metric, name] = value * _BITS
        ratio = number(row.get("FEC_PRE_BER"))
        if ratio is not None and ratio >= 0:
            found["pre-fec-ber", name] = ratio
    return found


def flaps(rows: Rows) -> Measures:
    return dict(_counted(rows, {"flaps": "flap_count"}))


def capacity(rows: Rows) -> Measures:
    """Return used and free entries of hardware tables."""
    row: Row = next(iter(rows.values()), {})
    found: Measures = {}
    for table in tables.RESOURCES:
        for metric, side in (("capacity-used", "used"), ("capacity-free", "available")):
            value = number(row.get(f"crm_stats_{table}_{side}"))
            if value is not None and value >= 0:
                found[metric, table] = value
    return found


def optics(light: Rows, limits: Rows, warmth: Rows) -> Measures:
    """Return the light of each lane and its limits, and the temperature of each module."""
    found: Measures = {}
    for port, row in light.items():
        for metric, form in (("light-received", "rx{}power"), ("light-sent", "tx{}power")):
            for lane in map(str, range(1, 9)):
                power = _power(row.get(form.format(lane)))
                if power is not None:
                    found[metric, port, lane] = power
    heat = {"module-temperature": "temperature"}
    limited = {
        "light-warning": "rxpowerlowwarning",
        "light-alarm": "rxpowerlowalarm",
        "module-temperature-alarm": "temphighalarm",
    }
    for rows, metrics in ((light, heat), (warmth, heat), (limits, limited)):
        for port, row in rows.items():
            for metric, field in metrics.items():
                value = number(row.get(field))
                if value is not None:
                    found[metric, port] = value
    return found


def _power(text: str | None) -> float | None:
    return _DARK if text is not None and text.strip().lower() == "-inf" else number(text)


def polls(rows: Rows) -> dict[str, float | None]:
    """Return the seconds between two polls of each group, None for a group that is off."""
    found: dict[str, float | None] = {}
    for group in set(GROUPS.values()):
        row = rows.get(group.name, {})
        every = number(row.get("POLL_INTERVAL"))
        seconds = every / 1000 if every else group.seconds
        found[group.name] = seconds if row.get("FLEX_COUNTER_STATUS") == "enable" else None
    return found


def sampled(polled: Mapping[str, float | None]) -> dict[str, float]:
    """Return the seconds between two samples of each metric."""
    known = {metric: polled.get(group.name) for metric, group in GROUPS.items()}
    return {
        **{metric: seconds for metric, seconds in known.items() if seconds is not None},
        **dict.fromkeys(("capacity-used", "capacity-free"), _CRM_SECONDS),
    }


def trusted(
    found: Measures, polled: Mapping[str, float | None], *, marks: bool | None, uptime: float | None
) -> tuple[Measures, dict[tuple[str, ...], str]]:
    """Return the measures that the switch still counts, and why the others are unknown.

    Args:
        found: Values of all fields.
        polled: Seconds between two polls of each group, None if it is off. Empty if unread.
        marks: Whether the release counts marked packets. None if the release is unknown.
        uptime: Seconds since the start of the switch. None if unread.
    """
    unknown: dict[tuple[str, ...], str] = {}
    present = {measure[0] for measure in found}
    young = uptime is not None and uptime < _SOON
    for metric, group in GROUPS.items():
        if metric == "ecn-marked" and marks is False:
            unknown[metric,] = "the release does not count marked packets"
        elif polled and polled.get(group.name) is None:
            unknown[metric,] = f"the counters of the group {group.name} are {OFF}"
        elif metric not in present:
            later = (
                f"the switch started {uptime:.0f} s ago and has not counted yet" if young else ""
            )
            unknown[metric,] = later or "COUNTERS_DB has no such counter on this switch"
    if not present & {"watchdog-storms"}:
        why = "no queue has a PFC watchdog"
        unknown |= {("watchdog-storms",): why, ("watchdog-restored",): why}
    if "flaps" not in present:
        unknown["flaps",] = "APPL_DB has no flap_count in this release"
    for metric in ("flaps", *tables.PORT_STATS):
        unknown[metric, MANAGEMENT_PORT] = "the databases count front ports only"
    kept = {measure: value for measure, value in found.items() if (measure[0],) not in unknown}
    return kept, unknown
