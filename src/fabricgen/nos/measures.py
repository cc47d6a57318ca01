"""List the measured values of running switches, each with its unit and its object.

A measure is a number that no design sets: a counter, a level, a time. Its key is the name of the
metric and the names of the object: `("pause-sent", "Ethernet0", "3")`. An absent measure is
unknown, never zero.
"""

from typing import NamedTuple

Measure = tuple[str, ...]
"""Name of a metric, then the names of the object."""


class Metric(NamedTuple):
    """One metric. `about`: words for the names of its object. `counter`: whether it only grows.

    Attributes:
        name: First part of the key of a measure.
        about: Object names in the key, as `("port", "priority")`.
        unit: Unit of the number. Empty for a count of objects.
        meaning: One sentence.
        counter: A counter grows and starts again at zero after a restart. Others are levels.
    """

    name: str
    about: tuple[str, ...]
    unit: str
    meaning: str
    counter: bool = False


_PORT, _PRIORITY = ("port",), ("port", "priority")
_QUEUE, _GROUP, _LANE = ("port", "queue"), ("port", "group"), ("port", "lane")
_POOL, _FAMILY = ("pool",), ("vrf", "peer", "family")


def _counter(name: str, about: tuple[str, ...], unit: str, meaning: str) -> Metric:
    return Metric(name, about, unit, meaning, counter=True)


METRICS = (
    _counter("pause-received", _PRIORITY, "frames", "PFC frames that the neighbor sent."),
    _counter("pause-sent", _PRIORITY, "frames", "PFC frames that the switch sent."),
    _counter("paused-time", _PRIORITY, "us", "Time for which the neighbor paused the priority."),
    _counter("port-pause-received", _PORT, "frames", "PFC frames of all priorities, received."),
    _counter("port-pause-sent", _PORT, "frames", "PFC frames of all priorities, sent."),
    _counter("discards-received", _PORT, "packets", "Received packets that were discarded."),
    _counter("discards-sent", _PORT, "packets", "Packets discarded at the egress."),
    _counter("link-pause-received", _PORT, "frames", "802.3x frames that the neighbor sent."),
    _counter("link-pause-sent", _PORT, "frames", "802.3x frames that the switch sent."),
    _counter("ecn-marked", _QUEUE, "packets", "Packets that the queue marked."),
    _counter("queue-packets", _QUEUE, "packets", "Packets that the queue sent."),
    _counter("queue-drops", _QUEUE, "packets", "Packets that the queue dropped."),
    _counter("group-drops", _GROUP, "packets", "Packets that the priority group dropped."),
    _counter("watchdog-storms", _QUEUE, "storms", "Storms that the PFC watchdog detected."),
    _counter("watchdog-restored", _QUEUE, "storms", "Storms that ended."),
    Metric("queue-peak", _QUEUE, "bytes", "Most bytes in the queue within one sample."),
    Metric("group-peak", _GROUP, "bytes", "Most shared bytes of the group within one sample."),
    Metric("headroom-peak", _GROUP, "bytes", "Most bytes in the headroom within one sample."),
    Metric("pool-peak", _POOL, "bytes", "Most bytes in the pool within one sample."),
    Metric("pool-headroom-peak", _POOL, "bytes", "Most bytes in the headroom of the pool."),
    _counter("receive-errors", _PORT, "frames", "Frames with an error at the receiver."),
    _counter("transmit-errors", _PORT, "frames", "Frames with an error at the sender."),
    _counter("fcs-errors", _PORT, "frames", "Received frames with a wrong check sequence."),
    _counter("symbol-errors", _PORT, "errors", "Errors of the line code."),
    _counter("oversize", _PORT, "frames", "Received frames that are longer than the port accepts."),
    _counter("fec-corrected", _PORT, "codewords", "Codewords that FEC repaired."),
    _counter("fec-uncorrected", _PORT, "codewords", "Codewords that FEC could not repair."),
    Metric("pre-fec-ber", _PORT, "", "Share of wrong bits before FEC."),
    _counter("flaps", _PORT, "changes", "Changes of the link state."),
    _counter("octets-received", _PORT, "bytes", "Received bytes."),
    _counter("octets-sent", _PORT, "bytes", "Sent bytes."),
    Metric("rate-received", _PORT, "bit/s", "Mean receive rate of the switch's own interval."),
    Metric("rate-sent", _PORT, "bit/s", "Mean send rate of the switch's own interval."),
    Metric("light-received", _LANE, "dBm", "Received optical power."),
    Metric("light-sent", _LANE, "dBm", "Sent optical power."),
    Metric("light-warning", _PORT, "dBm", "Low warning limit of the module, received power."),
    Metric("light-alarm", _PORT, "dBm", "Low alarm limit of the module, received power."),
    Metric("module-temperature", _PORT, "C", "Temperature of the module."),
    Metric("module-temperature-alarm", _PORT, "C", "High alarm limit of the module."),
    Metric("prefixes-received", _FAMILY, "", "Accepted prefixes of a BGP session."),
    Metric("prefixes-refused", _FAMILY, "", "Received prefixes that policy or a loop refused."),
    Metric("prefixes-sent", _FAMILY, "", "Advertised prefixes of a BGP session."),
    Metric("evpn-routes", ("vni", "type"), "", "EVPN routes of a VNI by type."),
    Metric("macs", ("vlan",), "", "Learned MACs of a VLAN."),
    Metric("neighbors", ("vrf",), "", "ARP and ND entries of a VRF."),
    Metric("capacity-used", ("table",), "", "Used entries of a hardware table."),
    Metric("capacity-free", ("table",), "", "Free entries of a hardware table."),
    Metric("uptime", (), "s", "Time since the start of the switch."),
    Metric("certificate-days", ("file",), "days", "Days until a certificate ends."),
)
BY_NAME = {each.name: each for each in METRICS}
