"""List the gNMI paths of SONiC: counters of ports and queues, and the power of optics.

An answer about all ports names each port by its alias, and the values are text.
"""

import re

from fabricgen.model.fabric.topology import Port, Switch
from fabricgen.nos.sonic.names import alias_of
from fabricgen.nos.sonic.releases import RELEASES
from fabricgen.nos.telemetry import (
    MARKED,
    RECEIVED,
    SENT,
    TRIMMED,
    Metric,
    Subscription,
    Telemetry,
)

_VIRTUAL = "sonic-net/sonic-gnmi sonic_data_client/virtual_db.go, pathTransFuncTbl"
_PORT = r"COUNTERS_Ethernet__(.+)_SAI_PORT_STAT_"
_QUEUE = r"COUNTERS_Ethernet__Queues_(.+)_([0-9]+)_SAI_QUEUE_STAT_"
_ON_QUEUE = ("port", "queue")


def _spelled(switch: Switch, port: Port) -> str:
    """Spell a port in the name of a metric: its alias, with `_` for special characters."""
    return re.sub(r"\W", "_", alias_of(switch.model, switch.ports, port))


TELEMETRY = Telemetry(
    subscriptions=(
        Subscription(
            name="sonic-ports", target="COUNTERS_DB", paths=("COUNTERS/Ethernet*",), source=_VIRTUAL
        ),
        Subscription(
            name="sonic-queues",
            target="COUNTERS_DB",
            paths=("COUNTERS/Ethernet*/Queues",),
            source=_VIRTUAL,
        ),
        Subscription(
            name="sonic-optics",
            target="STATE_DB",
            paths=("TRANSCEIVER_DOM_SENSOR",),
            source="sonic-net/SONiC doc/system-telemetry/grpc_telemetry.md; xcvrd writes the table",
        ),
    ),
    metrics=(
        Metric(f"{_PORT}PFC_([0-7])_RX_PKTS", "port_pfc_received", ("port", "priority")),
        Metric(f"{_PORT}PFC_([0-7])_TX_PKTS", "port_pfc_sent", ("port", "priority")),
        Metric(f"{_PORT}IF_IN_OCTETS", RECEIVED, ("port",)),
        Metric(f"{_PORT}IF_OUT_OCTETS", SENT, ("port",)),
        Metric(f"{_PORT}IF_IN_FEC_CORRECTABLE_FRAMES", "port_fec_corrected", ("port",)),
        Metric(f"{_PORT}IF_IN_FEC_NOT_CORRECTABLE_FRAMES", "port_fec_uncorrected", ("port",)),
        Metric(f"{_QUEUE}PACKETS", "queue_packets", _ON_QUEUE),
        Metric(f"{_QUEUE}DROPPED_PACKETS", "queue_dropped", _ON_QUEUE),
        Metric(f"{_QUEUE}WRED_ECN_MARKED_PACKETS", MARKED, _ON_QUEUE),
        # sonic-net/SONiC packet-trimming-design.md, SAI_QUEUE_STAT_TRIM_PACKETS
        Metric(f"{_QUEUE}TRIM_PACKETS", TRIMMED, _ON_QUEUE),
        Metric(f"{_QUEUE}SHARED_WATERMARK_BYTES", "queue_watermark_bytes", _ON_QUEUE),
        Metric(
            "TRANSCEIVER_DOM_SENSOR_(.+)_rx([0-9]+)power", "optic_received_dbm", ("port", "lane")
        ),
    ),
    spelled=_spelled,
    uncounted={name: (MARKED,) for name, release in RELEASES.items() if not release.marks},
)
