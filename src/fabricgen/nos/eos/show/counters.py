"""Read counters and levels of ports, queues, optics and tables from answers of eAPI."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from fabricgen.core.tree.ranges import between
from fabricgen.nos.measures import Measure

Measures = dict[Measure, float]
Read = Callable[[Mapping[str, Any]], Measures]

_ERRORS = {
    "inErrors": "receive-errors",
    "outErrors": "transmit-errors",
    "fcsErrors": "fcs-errors",
    "symbolErrors": "symbol-errors",
    "frameTooLongs": "oversize",
}
_CLASSES = re.compile(r"(?:TC)?(\d{1,2})(?:-(\d{1,2}))?")


def number(value: Any) -> float:
    """Return a number. Raises TypeError or ValueError for others, and for text and infinities."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"no number: {type(value).__name__}")
    if value != value or abs(value) > 1e30:  # noqa: PLR0124 - NaN differs from itself
        raise ValueError("the number is not finite")
    return float(value)


def _named(metric: str, own: Mapping[str, Any], key: str, *names: str) -> Measures:
    """Return a measure if its key is present: an absent counter is unknown, not zero."""
    return {(metric, *names): number(own[key])} if key in own else {}


def _of_ports(at: str, metrics: Mapping[str, str], within: str = "") -> Read:
    """Return a reader of counters by port: the key of each counter, and its metric.

    Args:
        at: Key of the ports in the answer.
        metrics: Metrics by the key of the counter.
        within: Key of the counters in a port. Empty: the port has them itself.
    """

    def read(answer: Mapping[str, Any]) -> Measures:
        found: Measures = {}
        for port, own in answer[at].items():
            counted = own.get(within, {}) if within else own
            for key, metric in metrics.items():
                found |= _named(metric, counted, key, port)
        return found

    return read


errors = _of_ports("interfaceErrorCounters", _ERRORS)
discards = _of_ports(
    "interfaces", {"inDiscards": "discards-received", "outDiscards": "discards-sent"}
)
rates = _of_ports("interfaces", {"inBpsRate": "rate-received", "outBpsRate": "rate-sent"})
"""Mean rates of the switch's own interval, which is 300 s by default."""
flow = _of_ports(
    "interfaceFlowControls", {"rxPause": "link-pause-received", "txPause": "link-pause-sent"}
)
"""802.3x pause frames."""
traffic = _of_ports(
    "interfaces",
    {
        "inOctets": "octets-received",
        "outOctets": "octets-sent",
        "linkStatusChanges": "flaps",
    },
    within="interfaceCounters",
)
"""Octets and link changes of `show interfaces`."""
pauses = _of_ports(
    "interfaceCounters", {"rxFrames": "port-pause-received", "txFrames": "port-pause-sent"}
)
"""PFC frames of ports, which are the sum of all priorities."""


def priorities(answer: Mapping[str, Any]) -> Measures:
    """Return the PFC frames by priority."""
    found: Measures = {}
    for port, shown in answer["interfaces"].items():
        for priority, own in shown.get("priorities", {}).items():
            found |= _named("pause-received", own, "rxFrames", port, priority)
            found |= _named("pause-sent", own, "txFrames", port, priority)
    return found


def storms(answer: Mapping[str, Any]) -> Measures:
    """Return the events of the PFC watchdog. A port without one is not listed."""
    found: Measures = {}
    for port, shown in answer["interfaces"].items():
        for queue, own in shown.get("txQueues", {}).items():
            found["watchdog-storms", port, queue] = number(own.get("stuckCount", 0))
            found["watchdog-restored", port, queue] = number(own.get("recoveryCount", 0))
    return found


def marks(answer: Mapping[str, Any]) -> Measures:
    """Return the marked packets. `-` is a queue that does not count: unknown, not zero."""
    return {
        ("ecn-marked", port, queue): number(int(count))
        for port, shown in answer["intfQueueCounters"].items()
        for queue, count in shown["queueCounters"].items()
        if count != "-"
    }


def queues(answer: Mapping[str, Any]) -> Measures:
    """Return drops and packets of the unicast queues of a shared-buffer chip."""
    found: Measures = {}
    for port, shown in answer["egressQueueCounters"]["interfaces"].items():
        for name, own in shown["ucastQueues"]["trafficClasses"].items():
            levels = own["dropPrecedences"].values()
            dropped = sum(number(each["droppedPackets"]) for each in levels)
            sent = sum(number(each.get("enqueuedPackets", 0)) for each in levels)
            for queue in _queues(name):
                found["queue-drops", port, queue] = dropped
                found["queue-packets", port, queue] = sent
    return found


def voqs(answer: Mapping[str, Any]) -> Measures:
    """Return the drops of the queues of a VOQ chip: at the ingress chip, and at the port."""
    found: Measures = {}
    for port, shown in answer["interfaces"].items():
        for name, own in shown["trafficClasses"].items():
            sides = (own.get(side) for side in ("ingressVoqCounters", "egressQueueCounters"))
            dropped = sum(number(each["countersSum"]["droppedPackets"]) for each in sides if each)
            for queue in _queues(name):
                found["queue-drops", port, queue] = dropped
    return found


def _queues(name: str) -> Iterator[str]:
    """Yield the queues of a class, or of a range `TC0-2`. Each class has the count of its range."""
    match = _CLASSES.fullmatch(name)
    if match is None:
        raise ValueError(f"no traffic class: {name!r}")
    first, last = int(match[1]), int(match[2] or match[1])
    yield from map(str, between(first, last))


def optics(answer: Mapping[str, Any]) -> Measures:
    """Return light, temperature and limits of the modules."""
    found: Measures = {}
    for name, own in answer["interfaces"].items():
        port, parameters = own.get("displayName", name), own.get("parameters", {})
        for key, metric in (("rxPower", "light-received"), ("txPower", "light-sent")):
            for lane, light in parameters.get(key, {}).get("channels", {}).items():
                found[metric, port, lane] = number(light)
        limits = parameters.get("rxPower", {}).get("threshold", {})
        found |= _named("light-warning", limits, "lowWarn", port)
        found |= _named("light-alarm", limits, "lowAlarm", port)
        warm = parameters.get("temperature", {})
        for degrees in warm.get("channels", {}).values():  # one, with the name `-`
            found["module-temperature", port] = number(degrees)
        found |= _named("module-temperature-alarm", warm.get("threshold", {}), "highAlarm", port)
    return found


def codewords(answer: Mapping[str, Any]) -> Measures:
    """Return FEC counters and the worst BER of the PHYs of a port. A port without FEC has none."""
    found: Measures = {}
    for port, shown in answer["interfacePhyStatuses"].items():
        for own in shown["phyStatuses"]:
            fec = own.get("fec", {})
            for key, metric in (
                ("correctedCodewords", "fec-corrected"),
                ("uncorrectedCodewords", "fec-uncorrected"),
            ):
                if key in fec:
                    before = found.get((metric, port), 0)
                    found[metric, port] = before + number(fec[key]["value"])
            if "preFecBer" in own:
                before = found.get(("pre-fec-ber", port), 0)
                found["pre-fec-ber", port] = max(before, number(own["preFecBer"]["value"]))
    return found


def capacity(answer: Mapping[str, Any]) -> Measures:
    """Return the used and free entries of each hardware table, feature and chip."""
    found: Measures = {}
    for own in answer["tables"]:
        names = (own["table"], own.get("feature"), own.get("chip"))
        name = " ".join(each for each in names if each)
        found |= _named("capacity-used", own, "used", name)
        found |= _named("capacity-free", own, "free", name)
    return found


def macs(answer: Mapping[str, Any]) -> Measures:
    """Return the number of MACs of each VLAN."""
    found: Measures = {}
    for own in answer["unicastTable"]["tableEntries"]:
        key = ("macs", str(int(own["vlanId"])))
        found[key] = found.get(key, 0) + 1
    return found


def neighbors(answer: Mapping[str, Any]) -> Measures:
    return {
        ("neighbors", vrf): number(own["totalEntries"])
        for vrf, own in answer["vrfs"].items()
        if "totalEntries" in own
    }


def prefixes(answer: Mapping[str, Any], families: Mapping[str, str]) -> Measures:
    """Return accepted and refused prefixes of sessions, by the names of their address families."""
    found: Measures = {}
    for vrf, shown in answer["vrfs"].items():
        for peer, own in shown.get("peers", {}).items():
            for word, family in families.items():
                told = own.get(word)
                if isinstance(told, dict) and "nlrisAccepted" in told:
                    accepted = number(told["nlrisAccepted"])
                    names = (vrf, peer, family)
                    found["prefixes-received", *names] = accepted
                    refused = number(told.get("nlrisReceived", accepted)) - accepted
                    found["prefixes-refused", *names] = refused
    return found


def certificates(answer: Mapping[str, Any], clock: float) -> Measures:
    """Return the days until each certificate ends, by the clock of the switch."""
    return {
        ("certificate-days", name): (number(own["notAfter"]) - clock) / 86_400
        for name, own in answer["certificates"].items()
    }
