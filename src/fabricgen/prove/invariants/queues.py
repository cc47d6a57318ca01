"""Checks the laws of queues: pauses, DSCP maps, lossless memory and ECN thresholds."""

from collections.abc import Iterator
from itertools import islice
from operator import itemgetter

from fabricgen.core.diagnostics import Code
from fabricgen.model.fabric.port_qos import DSCPS, Lack, PortQos
from fabricgen.prove.invariants.law import Breach, Law, Spot, breach, odd
from fabricgen.prove.invariants.network import AnyNetwork
from fabricgen.prove.invariants.switch import Switch

NOTHING = frozenset[tuple[str, str]]()
"""Every platform reads queues with a separate reader, and no grammar row."""


def _spot(switch: Switch, port: str) -> Spot:
    return Spot(switch, ("interface", port), ("mtu",))


def _ends(network: AnyNetwork) -> Iterator[Breach]:
    """Yield links where the paused and stopped classes of both ends differ."""
    for near, far in network.pairs:
        one, other = (switch.qos.ports.get(port) for switch, port in (near, far))
        if one is None or other is None or not one.up or not other.up:
            continue
        said = ""
        if one.paused != other.paused:
            said = f"has PFC for priority {_list(one)}, but the other end for {_list(other)}"
        elif one.paused:
            said = next(_astray(one, other), "") or next(_astray(other, one), "")
        if said:
            name = f"{near[0].name}:{near[1]} to {far[0].name}:{far[1]}"
            yield breach(f"{name}: {said}", _spot(*near), _spot(*far))


def _astray(sender: PortQos, receiver: PortQos) -> Iterator[str]:
    """Yield DSCPs for which a receiver's pause stops another queue than theirs."""
    for dscp in DSCPS:
        sends, number = receiver.sent_for(dscp), sender.classes[dscp]
        queue = sender.queue(number)
        if queue is None:  # no setting: a pause of a class stops it
            stops = number if number in sender.paused else None
        else:
            stops = sender.stopped_by(queue)
        if sends is not None and sends != stops:
            yield (
                f"one end pauses DSCP {dscp} by priority {_word(sends)}, but the other end stops "
                f"it by {_word(stops)}"
            )


def _inside(network: AnyNetwork) -> Iterator[Breach]:
    """Yield a switch whose lossless ports to other switches classify differently."""
    for switch in network.switches:
        ports = [
            (name, (port.paused, port.classes))
            for name, port in switch.qos.ports.items()
            if (switch, name) in network.links and port.paused
        ]
        for (name, _), (usual, _), _ in islice(odd(ports, itemgetter(1)), 1):
            said = f"{switch.name}: {name} pauses or classifies differently from {usual}"
            yield breach(said, _spot(switch, name), _spot(switch, usual))


def _distinct(switch: Switch) -> Iterator[tuple[str, PortQos]]:
    """Yield ports whose queues differ: equal ports of a file are one object."""
    seen: set[int] = set()
    for name, port in switch.qos.ports.items():
        if port.up and id(port) not in seen:
            seen.add(id(port))
            yield name, port


def _memory(network: AnyNetwork) -> Iterator[Breach]:
    """Yield ports that pause a priority without lossless memory."""
    for switch in network.switches:
        if Lack.HEADROOM in switch.qos.lacks:
            continue
        for name, port in _distinct(switch):
            bare = [p for p in sorted(port.paused) if port.fills[p] not in port.headroom]
            if bare:
                numbers = ", ".join(map(str, bare))
                said = f"{switch.name}:{name} has PFC for priority {numbers}, but no lossless group"
                yield breach(said, _spot(switch, name))


def _marking(network: AnyNetwork) -> Iterator[Breach]:
    """Yield queues whose marking starts at or above its end."""
    for switch in network.switches:
        for name, port in _distinct(switch):
            for queue, marks in port.marks.items():
                if not 0 <= marks.minimum < marks.maximum:
                    said = (
                        f"{switch.name}:{name}: queue {queue} marks from {marks.minimum} bytes to "
                        f"{marks.maximum}; the first must be smaller"
                    )
                    yield breach(said, _spot(switch, name))


def _list(port: PortQos) -> str:
    return ", ".join(map(str, sorted(port.paused))) or "none"


def _word(priority: int | None) -> str:
    return "none" if priority is None else str(priority)


LAWS = (
    Law(
        name="both ends of a link pause and stop the same classes",
        code=Code.JUDGED_QUEUES,
        source="IEEE 802.1Q clause 36: PFC is per priority, on both ends",
        needs=NOTHING,
        breaches=_ends,
    ),
    Law(
        name="lossless ports of a switch classify equally",
        code=Code.JUDGED_QUEUES,
        source="IEEE 802.1Q clause 36; RFC 2474: a DSCP means one treatment",
        needs=NOTHING,
        breaches=_inside,
    ),
    Law(
        name="each PFC port has a lossless group",
        code=Code.LAW_MEMORY,
        source="sonic-swss cfgmgr/buffermgr.cpp; Linux dcb-buffer(8): headroom holds packets in "
        "flight after a pause",
        needs=NOTHING,
        breaches=_memory,
        alone=True,
    ),
    Law(
        name="ECN marks from a smaller queue than it ends at",
        code=Code.LAW_MEMORY,
        source="RFC 3168; sonic-wred-profile.yang: the minimum threshold is below the maximum",
        needs=NOTHING,
        breaches=_marking,
        alone=True,
    ),
)
