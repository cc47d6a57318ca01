"""Ports read back and the links between them in; where a lossless path breaks on its way out.

A path is a row of hops and links. By symmetry it is enough to judge each distinct pair of states
once: ingress and egress of a switch (a hop), and the two ends of a link. 100,000 cables of a fabric
come to a handful of pairs.
"""

from functools import lru_cache

from fabricgen.model.fabric.port_qos import DSCPS, PortQos
from fabricgen.model.fabric.qos import Qos

_SHOWN = 3  # of what one pair of ends disagrees on


@lru_cache(maxsize=4096)
def hop(ingress: PortQos, egress: PortQos, qos: Qos) -> tuple[str, ...]:
    """Judge the way through one switch: who stops a class also makes it pause the sender.

    If a pause of priority 3 stops a queue, the packets that then pile up must make this switch send
    pauses of priority 3, and no packets of another class may be stopped.
    """
    faults: dict[str, list[int]] = {}
    for item in qos.classes:
        for dscp in item.dscps:
            queue = egress.queue(ingress.classes[dscp])
            stops, sends = egress.stopped_by(queue), ingress.sent_for(dscp)
            if stops != item.paused or sends not in (item.paused, None):
                text = f"is stopped by a pause of {stops} and sends one of {sends}"
                faults.setdefault(f"{text}; it must be {item.paused}", []).append(dscp)
    return tuple(f"DSCP {dscps[0]} {text}" for text, dscps in faults.items())


@lru_cache(maxsize=4096)
def link(lower: PortQos, upper: PortQos) -> tuple[str, ...]:
    """Judge a cable: what one end pauses the other honours, and both see the same packets alike."""
    faults = []
    if lower.paused != upper.paused:
        one, other = sorted(lower.paused), sorted(upper.paused)
        faults.append(f"has PFC for {one}, the other end for {other}; pauses must go both ways")
    if lower.mtu != upper.mtu:
        faults.append(f"has MTU {lower.mtu}, the other end {upper.mtu}; they must be the same")
    for dscp in DSCPS:
        for sender, receiver in ((lower, upper), (upper, lower)):
            queue = sender.queue(sender.classes[dscp])
            stops, sends = sender.stopped_by(queue), receiver.sent_for(dscp)
            if sends is not None and stops != sends:
                faults.append(
                    f"has DSCP {dscp} in a queue that priority {stops} stops, one end pauses "
                    f"{sends} for it; both must be the same"
                )
    return tuple(faults[:_SHOWN])
