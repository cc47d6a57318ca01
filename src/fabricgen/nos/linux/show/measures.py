"""Read the counters of a Linux switch: of ports, queues and BGP sessions."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from fabricgen.core.tree.facts import Facts, Key
from fabricgen.nos.measures import Measure
from fabricgen.nos.show import BgpActivity

_PORT = "swp"
_WAYS = (
    *(("receive-errors", "rx", "errors"), ("transmit-errors", "tx", "errors")),
    *(("octets-received", "rx", "bytes"), ("octets-sent", "tx", "bytes")),
    *(("discards-received", "rx", "dropped"), ("discards-sent", "tx", "dropped")),
)
Measures = dict[Measure, float]


def of_ports(devices: Iterable[Mapping[str, Any]]) -> Measures:
    """Return the counters of ports: `stats64` of `ip -s -j` (iproute2 ip/ipaddress.c)."""
    return {
        (metric, str(item["ifname"])): float(item["stats64"][way][field])
        for item in devices
        if str(item["ifname"]).startswith(_PORT) and "stats64" in item
        for metric, way, field in _WAYS
        if field in item["stats64"][way]
    }


def of_queues(qdiscs: Iterable[Mapping[str, Any]]) -> Measures:
    """Return the counters of queues. A queue has the name of its class, as in the fact `queues`.

    RED marks packets and counts them (iproute2 tc/q_red.c: `marked`).
    """
    found: Measures = {}
    for item in qdiscs:
        port, queue = str(item["dev"]), str(item.get("parent", ""))
        if not port.startswith(_PORT) or not queue.startswith("1:") or "packets" not in item:
            continue
        found["queue-packets", port, queue] = float(item["packets"])
        found["queue-drops", port, queue] = float(item["drops"])
        if item["kind"] == "red" and "marked" in item:
            found["ecn-marked", port, queue] = float(item["marked"])
    return found


def of_sessions(pulses: Mapping[Key, BgpActivity]) -> Measures:
    """Return the accepted and sent prefixes of each session."""
    return {
        (metric, *key[1:], family): float(count)
        for key, pulse in pulses.items()
        for family, received, sent in pulse.prefixes
        for metric, count in (("prefixes-received", received), ("prefixes-sent", sent))
    }


def of_vnis(vnis: Sequence[Mapping[str, Any]], facts: Facts) -> Measures:
    """Return the MACs of each VLAN, and the neighbors of each VRF, as zebra counts them."""
    neighbors = Counter[str]()
    found: Measures = {}
    for shown in vnis:
        own = facts.get(("vni", str(shown.get("vni"))), {})
        if shown.get("type") != "L2":
            continue
        if "numMacs" in shown and "vlan" in own:
            found["macs", str(own["vlan"])] = float(shown["numMacs"])
        if "numArpNd" in shown and "vrf" in own:
            neighbors[str(own["vrf"])] += int(shown["numArpNd"])
    return found | {("neighbors", vrf): float(count) for vrf, count in neighbors.items()}


def of_pauses(shown: Iterable[tuple[str, Mapping[str, Any]]]) -> Iterator[tuple[Measure, float]]:
    """Yield PFC frames by port and priority: `requests` were sent (man dcb-pfc)."""
    for port, own in shown:
        for metric, field in (("pause-sent", "requests"), ("pause-received", "indications")):
            for priority, count in enumerate(own.get(field, ())):
                yield (metric, port, str(priority)), float(count)
