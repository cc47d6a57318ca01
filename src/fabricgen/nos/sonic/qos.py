"""Lower traffic classes to the QoS maps, schedulers and WRED profiles of CONFIG_DB."""

from functools import lru_cache

from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond
from fabricgen.model.fabric.qos import Kind, Marking, Qos, TrafficClass, reason
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.sonic.view import Entry, Field, Table, Tables

PRIORITIES = range(8)
LOSSY_GROUP = 0
AZURE = "AZURE_LOSSLESS"
"""The one profile whose thresholds the config updater of 202405 and 202411 accepts: sonic-utilities
generic_config_updater/gcu_field_operation_validators.conf.json, WRED_PROFILE."""


@lru_cache(maxsize=32)
def qos(design: Qos, *, nvidia: bool) -> Tables:
    """Return the objects that all ports reference: maps, schedulers and WRED profiles."""
    name, why = design.profile, design.because
    lossless = design.lossless
    tables: Tables = {
        # A DSCP without a row would get the traffic class of the SAI, so every DSCP has a row.
        "DSCP_TO_TC_MAP": {
            name: Entry(why, {str(d): str(design.class_of(d).number) for d in range(64)})
        },
        "TC_TO_QUEUE_MAP": {name: _identity(why)},
        "TC_TO_PRIORITY_GROUP_MAP": {name: Entry(why, _groups(lossless))},
    }
    if lossless:
        tables["MAP_PFC_PRIORITY_TO_QUEUE"] = {name: _identity(why)}
        if nvidia:
            # pfc_to_pg_map_supported_asics of sonic-buildimage files/build_templates/qos_config.j2
            pairs: dict[str, Field] = {str(number): str(number) for number in design.paused}
            tables["PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"] = {name: Entry(why, pairs)}
    tables["SCHEDULER"] = {
        scheduler_name(item): Entry(reason(design, item), _scheduler(item))
        for item in design.classes
    }
    tables["WRED_PROFILE"] = _profiles(design)
    return tables


def _profiles(design: Qos) -> Table:
    return {
        wred_name(design, item, speed): Entry(reason(design, item), _wred(marking))
        for item in design.classes
        for speed, marking in (item.marking or {}).items()
    }


def _identity(because: Provenance) -> Entry:
    """Map a number to itself: class n uses queue n, and priority n pauses queue n."""
    return Entry(because, {str(number): str(number) for number in PRIORITIES})


def _groups(lossless: tuple[TrafficClass, ...]) -> dict[str, Field]:
    """Give a lossless class the priority group of its pause frames; the rest share one."""
    groups: dict[str, Field] = {str(number): str(LOSSY_GROUP) for number in PRIORITIES}
    groups.update((str(item.number), str(item.paused)) for item in lossless)
    return groups


def scheduler_name(item: TrafficClass) -> str:
    return f"scheduler.{item.label}"


def _scheduler(item: TrafficClass) -> dict[str, Field]:
    if item.strict or item.share is None:
        return {"type": "STRICT"}
    return {"type": "DWRR", "weight": str(item.share)}


def wred_name(design: Qos, item: TrafficClass, speed: BitsPerSecond) -> str:
    """Name the marking profile of a class and speed, without the dot of 1.6T, which is invalid."""
    if item.kind is Kind.LOSSLESS and speed == max(item.marking or (speed,)):
        return AZURE
    whose = "" if item.kind is Kind.LOSSLESS else f"{item.kind}_"
    if item.kind is Kind.TENANTS:
        whose = f"queue{item.number}_"  # names of classes may exceed the 32 letters of a profile
    return f"{design.profile}_{whose}{speed.gigabits}G"


def _wred(marking: Marking) -> dict[str, Field]:
    """Return a profile that marks green packets: no rendered table gives another color.

    Colors come from policers and from a map of DSCP or PCP to colors, and swss binds no such map
    (sonic-swss orchagent/qosorch.cpp). SAIs mark green alone: Mellanox/SAI-Implementation
    mlnx_sai_wred.c, Broadcom's per color, and FBOSS needs no more (SaiWredManager.cpp). The updater
    of 202405 to 202505 accepts new thresholds of green, and of no other color.
    """
    return {
        "ecn": "ecn_green",
        "wred_green_enable": "true",
        "green_min_threshold": str(int(marking.minimum)),
        "green_max_threshold": str(int(marking.maximum)),
        "green_drop_probability": str(marking.probability),
    }


def shapers(switch_slice: SwitchSlice) -> Table:
    """Return the schedulers of ports with a maximum rate.

    SAI uses only the maximum at a port (SAI inc/saiport.h, SAI_PORT_ATTR_QOS_SCHEDULER_PROFILE_ID).
    sonic-scheduler.yang requires `cir` with `pir`, in bytes per second.
    """
    held = {item.rate: item.because for item in switch_slice.interfaces if item.rate is not None}
    return {shaper_name(rate): Entry(why, _shaper(rate)) for rate, why in sorted(held.items())}


def shaper_name(rate: BitsPerSecond) -> str:
    """Name the scheduler of ports with a maximum rate, by its bytes per second."""
    return f"scheduler.port.{rate // 8}"


def _shaper(rate: BitsPerSecond) -> dict[str, Field]:
    return {"meter_type": "bytes", "cir": str(rate // 8), "pir": str(rate // 8)}


@record()
class Used:
    """A port in use. `rate`: its maximum rate, if below its speed."""

    name: str
    speed: BitsPerSecond
    rate: BitsPerSecond | None


@lru_cache(maxsize=1024)
def port_qos(design: Qos, ports: tuple[Used, ...], *, nvidia: bool, laid_out: int) -> Tables:
    """Return maps, queues and watchdog of the ports in use; equal on switches with equal wiring.

    `laid_out`: the number of ports that the switch may ever use.
    """
    table: Table = {"global": Entry(design.because, {"dscp_to_tc_map": design.profile})}
    fields = _port_fields(design, nvidia=nvidia)
    queues: Table = {}
    for port in ports:
        held = {"scheduler": shaper_name(port.rate)} if port.rate is not None else {}
        table[port.name] = Entry(design.because, {**fields, **held})
        for item in design.classes:
            told = _queue(design, item, port.speed)
            queues[f"{port.name}|{item.number}"] = Entry(reason(design, item), told)
    return {"PORT_QOS_MAP": table, "QUEUE": queues, "PFC_WD": _watchdog(design, ports, laid_out)}


def _port_fields(design: Qos, *, nvidia: bool) -> dict[str, Field]:
    """Return the row of a port; `pfcwd_sw_enable` lists the watchdog's priorities."""
    name, paused = design.profile, ",".join(map(str, design.paused))
    fields: dict[str, Field] = {
        "dscp_to_tc_map": name,
        "tc_to_queue_map": name,
        "tc_to_pg_map": name,
    }
    if paused:
        fields["pfc_to_queue_map"] = name
        if nvidia:
            fields["pfc_to_pg_map"] = name
        fields["pfc_enable"] = paused
        if design.watchdog is not None:
            fields["pfcwd_sw_enable"] = paused
    return fields


def _queue(design: Qos, item: TrafficClass, speed: BitsPerSecond) -> dict[str, Field]:
    fields: dict[str, Field] = {"scheduler": scheduler_name(item)}
    if item.marking is not None and speed in item.marking:
        fields["wred_profile"] = wred_name(design, item, speed)
    return fields


def _watchdog(design: Qos, ports: tuple[Used, ...], laid_out: int) -> Table:
    """Return PFC_WD, in milliseconds; every lossless port has a watchdog.

    One process polls all ports. `pfcwd start_default` of 202405 to 202605 multiplies the timers by
    the rows of PORT over 32. Here the ports laid out for the fabric count, in use or not, so no new
    cable changes a timer. Service ports are rows, too, but they have no PFC and are not polled.
    """
    if design.watchdog is None or not design.lossless:
        return {}
    watch = design.watchdog.polling(laid_out)
    why = watch.because
    fields: dict[str, Field] = {
        "action": watch.action,
        "detection_time": str(int(watch.detection)),
        "restoration_time": str(int(watch.restoration)),
    }
    table: Table = {"GLOBAL": Entry(why, {"POLL_INTERVAL": str(int(watch.poll))})}
    table.update((port.name, Entry(why, fields)) for port in ports)
    return table
