"""Faults of classification, PFC, ECN, scheduling and packet memory."""

from tests.written.sonic.databases import CONFIG
from tests.written.sonic.planting import (
    MASK,
    SERVER,
    WEIGHT,
    WRED,
    Fault,
    all_of,
    asic,
    count,
    headroom,
    lose,
    mapped,
    put,
    uncount,
    unset,
)
from tests.written.sonic.site import LOSSLESS, RAIL

FAULTS = (
    # classification
    Fault(
        "DscpMaps",
        "no trust",
        LOSSLESS,
        unset("PORT", SERVER, "SAI_PORT_ATTR_QOS_DSCP_TO_TC_MAP"),
        f"on {SERVER} the trusted marking is nothing",
    ),
    Fault(
        "DscpMaps",
        "DSCP of RoCE in another queue",
        LOSSLESS,
        mapped("DSCP_TO_TC_MAP", "dscp", "tc", _26="0"),
        "the queue of DSCP 26 is 0, but the model has 3",
    ),
    Fault(
        "DscpMaps",
        "DSCP of the rest in the lossless queue",
        LOSSLESS,
        mapped("DSCP_TO_TC_MAP", "dscp", "tc", _10="3"),
        "the queue of DSCP 10 is 3, but the model has 0",
    ),
    Fault(
        "DscpMaps",
        "DSCP of CNPs in another queue",
        LOSSLESS,
        mapped("DSCP_TO_TC_MAP", "dscp", "tc", _48="0"),
        "the queue of DSCP 48 is 0",
    ),
    Fault(
        "DscpMaps",
        "class in another queue",
        LOSSLESS,
        mapped("TC_TO_QUEUE_MAP", "tc", "qidx", _3="4"),
        "the queue of DSCP 26 is 4",
    ),
    Fault(
        "DscpMaps",
        "class in another priority group",
        LOSSLESS,
        mapped("TC_TO_PRIORITY_GROUP_MAP", "tc", "pg", _3="0"),
        "the priority group of DSCP 26 is 0",
    ),
    Fault(
        "DscpMaps",
        "other class in the lossless group",
        LOSSLESS,
        mapped("TC_TO_PRIORITY_GROUP_MAP", "tc", "pg", _0="3"),
        "the priority group of DSCP 0 is 3",
    ),
    Fault(
        "DscpMaps",
        "map of one port removed",
        LOSSLESS,
        asic("PORT", SERVER, SAI_PORT_ATTR_QOS_TC_TO_QUEUE_MAP="oid:0x0"),
        f"on {SERVER} the queue of DSCP 26 is nothing",
    ),
    # PFC
    Fault(
        "PfcPriorities",
        "PFC off",
        LOSSLESS,
        unset("PORT", SERVER, MASK),
        "paused priorities is nothing",
    ),
    Fault(
        "PfcPriorities",
        "PFC of another priority",
        LOSSLESS,
        asic("PORT", SERVER, **{MASK: "16"}),
        "is 4, but",
    ),
    Fault(
        "PfcPriorities",
        "PFC of two priorities",
        LOSSLESS,
        asic("PORT", SERVER, **{MASK: "24"}),
        "is 3, 4, but",
    ),
    Fault(
        "PfcPriorities",
        "PFC on an unused port",
        LOSSLESS,
        asic("PORT", "Ethernet8", **{MASK: "8"}),
        "Ethernet8",
    ),
    # watchdog
    Fault(
        "PfcWatchdog",
        "queue not watched",
        LOSSLESS,
        uncount(f"queue {SERVER}:3", "PFC_WD_STATUS"),
        f"on {SERVER} the set of queues with a PFC watchdog is nothing",
    ),
    Fault(
        "PfcWatchdog",
        "another queue watched",
        LOSSLESS,
        count(f"queue {SERVER}:4", PFC_WD_STATUS="operational"),
        "is 3, 4, but the model has 3",
    ),
    Fault(
        "PfcWatchdog",
        "big red switch",
        LOSSLESS,
        count(f"queue {SERVER}:3", BIG_RED_SWITCH_MODE="enable"),
        "PFC watchdog is nothing",
    ),
    Fault(
        "PfcWatchdog",
        "detection time",
        LOSSLESS,
        count(f"queue {SERVER}:3", PFC_WD_DETECTION_TIME="200000"),
        "the detection time of the PFC watchdog in ms is 200",
    ),
    Fault(
        "PfcWatchdog",
        "detection time in milliseconds",
        LOSSLESS,
        count(f"queue {SERVER}:3", PFC_WD_DETECTION_TIME="800"),
        "the detection time of the PFC watchdog in ms is 0",
    ),
    Fault(
        "PfcWatchdog",
        "restoration time",
        LOSSLESS,
        count(f"queue {SERVER}:3", PFC_WD_RESTORATION_TIME="60000000"),
        "the restoration time of the PFC watchdog in ms is 60000",
    ),
    Fault(
        "PfcWatchdog",
        "action of the watchdog",
        LOSSLESS,
        count(f"queue {SERVER}:3", PFC_WD_ACTION="alert"),
        "the action of the PFC watchdog is alert",
    ),
    # ECN
    Fault(
        "EcnThresholds",
        "Kmin",
        LOSSLESS,
        asic("WRED", "WRED|AZURE_LOSSLESS", **{f"{WRED}MIN_THRESHOLD": "1000"}),
        "the queue length of the first ECN mark in bytes of queue 3 is 1000",
    ),
    Fault(
        "EcnThresholds",
        "Kmax",
        LOSSLESS,
        asic("WRED", "WRED|AZURE_LOSSLESS", **{f"{WRED}MAX_THRESHOLD": "10000000"}),
        "the queue length of the last unmarked packet in bytes of queue 3 is 10000000",
    ),
    Fault(
        "EcnThresholds",
        "Pmax",
        LOSSLESS,
        asic("WRED", "WRED|AZURE_LOSSLESS", **{f"{WRED}DROP_PROBABILITY": "5"}),
        "in percent of queue 3 is 5, but the model has 20",
    ),
    Fault(
        "EcnThresholds",
        "RED drops instead of marking",
        LOSSLESS,
        asic("WRED", "WRED|AZURE_LOSSLESS", SAI_WRED_ATTR_ECN_MARK_MODE="SAI_ECN_MARK_MODE_NONE"),
        "of queue 3 is nothing",
    ),
    Fault(
        "EcnThresholds",
        "no marking on one port",
        LOSSLESS,
        unset("QUEUE", f"queue {SERVER}:3", "SAI_QUEUE_ATTR_WRED_PROFILE_ID"),
        f"on {SERVER} the queue length of the first ECN mark in bytes of queue 3 is nothing",
    ),
    Fault(
        "EcnThresholds",
        "marking of the rest",
        LOSSLESS,
        lambda switch: switch.asic("QUEUE", f"queue {SERVER}:0").update(
            SAI_QUEUE_ATTR_WRED_PROFILE_ID=switch.data.oids["WRED|AZURE_LOSSLESS"]
        ),
        "of queue 0 is",
    ),
    # scheduling
    Fault(
        "Schedulers",
        "weight",
        LOSSLESS,
        put(CONFIG, "SCHEDULER|scheduler.lossless", weight="10"),
        "the scheduling of queue 3 is shared with weight 10, which is not in ASIC_DB",
    ),
    Fault(
        "Schedulers",
        "strict instead of shared",
        LOSSLESS,
        put(CONFIG, "SCHEDULER|scheduler.best-effort", type="STRICT"),
        "the scheduling of queue 0 is strict",
    ),
    Fault(
        "Schedulers",
        "queue without scheduler",
        LOSSLESS,
        lose(CONFIG, f"QUEUE|{SERVER}|3", "scheduler"),
        f"on {SERVER} the scheduling of queue 3 is nothing",
    ),
    Fault(
        "Schedulers",
        "scheduler not in the ASIC",
        LOSSLESS,
        all_of(
            *(
                asic("SCHEDULER", f"SCHEDULER|scheduler.{name}", **{WEIGHT: "1"})
                for name in ("lossless", "best-effort")
            )
        ),
        "which is not in ASIC_DB",
    ),
    # packet memory
    Fault(
        "Headroom",
        "less headroom",
        LOSSLESS,
        lambda switch: headroom(switch, SERVER, SAI_BUFFER_PROFILE_ATTR_XOFF_TH="1000"),
        "the headroom in bytes of group 3 is 1000",
    ),
    Fault(
        "Headroom",
        "no headroom",
        LOSSLESS,
        lambda switch: headroom(switch, SERVER, SAI_BUFFER_PROFILE_ATTR_XOFF_TH="0"),
        "of group 3 is nothing",
    ),
    Fault(
        "Headroom",
        "headroom of an unused port",
        LOSSLESS,
        lambda switch: switch.asic("INGRESS_PRIORITY_GROUP", "group Ethernet8:3").update(
            switch.asic("INGRESS_PRIORITY_GROUP", f"group {SERVER}:3")
        ),
        "on Ethernet8 the headroom",
    ),
    Fault(
        "Headroom",
        "lossless group with a lossy profile",
        LOSSLESS,
        lambda switch: switch.asic("INGRESS_PRIORITY_GROUP", f"group {SERVER}:3").update(
            switch.asic("INGRESS_PRIORITY_GROUP", f"group {SERVER}:0")
        ),
        "of group 3 is nothing",
    ),
    Fault(
        "Headroom",
        "alpha",
        LOSSLESS,
        lambda switch: headroom(switch, SERVER, SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH="-3"),
        "the exponent of the shared threshold of group 3 is -3",
    ),
    Fault(
        "Headroom",
        "less headroom where the switch computes it",
        RAIL,
        lambda switch: headroom(switch, SERVER, SAI_BUFFER_PROFILE_ATTR_XOFF_TH="1000"),
        "the headroom in bytes of group 3 is 1000",
    ),
    Fault(
        "Headroom",
        "alpha where the switch computes it",
        RAIL,
        lambda switch: headroom(switch, SERVER, SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH="5"),
        "the exponent of the shared threshold of group 3 is 5",
    ),
    Fault(
        "Headroom",
        "pool size",
        LOSSLESS,
        asic("BUFFER_POOL", "pool ingress_lossless_pool", SAI_BUFFER_POOL_ATTR_SIZE="1"),
        "has size 1",
    ),
    Fault(
        "Headroom",
        "shared headroom",
        LOSSLESS,
        asic("BUFFER_POOL", "pool ingress_lossless_pool", SAI_BUFFER_POOL_ATTR_XOFF_SIZE="0"),
        "has headroom 0",
    ),
    Fault(
        "Headroom",
        "pool missing",
        LOSSLESS,
        lose(2, "COUNTERS_BUFFER_POOL_NAME_MAP", "egress_lossless_pool"),
        "egress_lossless_pool",
    ),
)
