"""List the OpenConfig paths of the EOS gNMI server, as far as Arista publishes support."""

from fabricgen.nos.telemetry import RECEIVED, SENT, Metric, Subscription, Telemetry

_YANG = "aristanetworks/yang EOS-4.30.1F/release/openconfig/models/not-supported"
_QUEUE = "qos_interfaces_interface_output_queues_queue_state_"
_COUNTERS = "interfaces_interface_state_counters_"

TELEMETRY = Telemetry(
    subscriptions=(
        Subscription(
            name="eos-ports",
            paths=("/interfaces/interface/state/counters",),
            source=f"{_YANG}/arista-interfaces-notsupported-deviations.yang: does not list octets",
        ),
        Subscription(
            name="eos-queues",
            paths=("/qos/interfaces/interface/output/queues/queue/state",),
            source=f"{_YANG}/arista-qos-notsupported-deviations.yang: excludes only queue lengths",
        ),
        Subscription(
            name="eos-optics",
            paths=(
                "/components/component/transceiver/physical-channels/channel/state/input-power",
            ),
            source=f"{_YANG}/arista-platform-notsupported-deviations.yang: the present value",
        ),
    ),
    metrics=(
        Metric(f"{_COUNTERS}in_octets", RECEIVED),
        Metric(f"{_COUNTERS}out_octets", SENT),
        Metric(f"{_QUEUE}transmit_pkts", "queue_packets"),
        Metric(f"{_QUEUE}dropped_pkts", "queue_dropped"),
        Metric(
            "components_component_transceiver_physical_channels_channel_state_input_power_instant",
            "optic_received_dbm",
        ),
    ),
    port_label="interface_name",
    # LANZ: influxdata/telegraf plugins/inputs/lanz; PyAVD 6.4.0 eos/queue-monitor-streaming.j2.
    lacks="PFC frames, ECN marking, queue depth and FEC: Arista's published models omit "
    "queue lengths and FEC, and have no PFC. `queue-monitor streaming` sends queue depths over "
    "TCP, but its lines have no login and no TLS, so no file turns it on",
)
