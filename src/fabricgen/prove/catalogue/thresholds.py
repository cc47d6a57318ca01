"""Return the thresholds of lossless traffic of a switch, from the model alone.

A group and a queue have the number of their traffic class, as on EOS and SONiC
(`tests/unit/watch/test_thresholds.py` compares this with rendered files).
"""

from collections.abc import Iterator, Mapping

from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond, Meters
from fabricgen.model.fabric.buffers import SwitchBuffers
from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.qos import Kind
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.topology import Server
from fabricgen.model.lossless.budget import Alpha
from fabricgen.nos.lowering import spell

Number = tuple[str, ...]
"""Name of a threshold, then the names of its object."""

HEADROOM = "headroom"  # port, group: bytes for frames that arrive after a pause
PAUSE_AT = "pause-at"  # port, group: bytes at which it pauses while all groups are congested
ALPHA = "alpha"  # of the switch: a group may hold alpha x the free bytes of the shared pool
KMIN, KMAX, PMAX = "mark-minimum", "mark-maximum", "mark-percent"  # port, queue
SHARED, POOL = "shared", "pool-headroom"  # of the switch: bytes of the two pools
DETECTION, RESTORATION = "watchdog-detection", "watchdog-restoration"  # port: milliseconds
POLLED_DETECTION = "watchdog-detection-polled"  # port: if one process polls all ports, as on SONiC
POLLED_RESTORATION = "watchdog-restoration-polled"


@record(kw_only=True)
class LosslessPort:
    """A port in use.

    Attributes:
        name: Its name on the switch.
        far: Name of the server, switch or external peer behind it.
        far_port: Port at the remote end, empty if unknown.
        to_server: Whether a server is behind it.
        pauses: Whether the design has PFC on it.
    """

    name: str
    far: str
    far_port: str
    to_server: bool
    pauses: bool
    speed: BitsPerSecond
    length: Meters


@record(kw_only=True)
class LosslessPlan:
    """Lossless design of one switch.

    Attributes:
        tier: Height above the servers, from 1.
        ports: Ports in use, by name.
        paused: Priorities that PFC pauses. A group and a queue have the same number.
        marked: Queues with ECN.
        cnp: Queue of congestion notifications, None without one.
        numbers: Thresholds by name and object. An absent one is unknown.
    """

    switch: str
    platform: str
    fabric: str
    tier: int
    ports: Mapping[str, LosslessPort]
    paused: tuple[str, ...]
    marked: tuple[str, ...]
    cnp: str | None
    numbers: Mapping[Number, float]

    @property
    def lossless(self) -> Iterator[LosslessPort]:
        """Yield the ports with PFC."""
        return (port for port in self.ports.values() if port.pauses)


def lossless_plan(switch_slice: SwitchSlice) -> LosslessPlan:
    """Return the lossless design of a switch. Without classes it has ports alone."""
    switch, qos = switch_slice.switch, switch_slice.qos
    classes = qos.classes if qos is not None else ()
    paused = tuple(str(each.paused) for each in classes if each.paused is not None)
    ports = {
        port.name: port
        for item in switch_slice.interfaces
        if not item.silent and item.use is not Use.UNUSED
        for port in (_port(switch_slice, item, pauses=bool(paused)),)
    }
    return LosslessPlan(
        switch=switch.name,
        platform=switch.platform,
        fabric=switch.fabric,
        tier=switch.role.tier,
        ports=ports,
        paused=paused,
        marked=tuple(str(each.number) for each in classes if each.marking),
        cnp=next((str(each.number) for each in classes if each.kind is Kind.CNP), None),
        numbers=dict(_numbers(switch_slice, ports)),
    )


def _port(switch_slice: SwitchSlice, item: Interface, *, pauses: bool) -> LosslessPort:
    peer, there = item.peer, item.peer_port
    return LosslessPort(
        name=spell(switch_slice.switch, item.port),
        far=peer.name if peer is not None else item.outside,
        far_port=spell(peer, there) if peer is not None and there is not None else "",
        to_server=isinstance(peer, Server),
        pauses=pauses and item.use in switch_slice.trusted,
        speed=item.port.speed,
        length=item.length,
    )


def _numbers(
    switch_slice: SwitchSlice, ports: Mapping[str, LosslessPort]
) -> Iterator[tuple[Number, float]]:
    buffers, qos = switch_slice.buffers, switch_slice.qos
    if qos is None:
        return
    lossless = [port for port in ports.values() if port.pauses]
    if qos.watchdog is not None:
        polled = qos.watchdog.polling(switch_slice.switch.laid_out)
        for port in lossless:
            yield (DETECTION, port.name), float(qos.watchdog.detection)
            yield (RESTORATION, port.name), float(qos.watchdog.restoration)
            yield (POLLED_DETECTION, port.name), float(polled.detection)
            yield (POLLED_RESTORATION, port.name), float(polled.restoration)
    for each in qos.classes:
        for port in ports.values() if each.marking else ():
            marking = each.marking.get(port.speed) if each.marking else None
            if marking is not None:
                own = port.name, str(each.number)
                yield (KMIN, *own), float(marking.minimum)
                yield (KMAX, *own), float(marking.maximum)
                yield (PMAX, *own), float(marking.probability)
    if buffers is not None and lossless:
        yield from _memory(buffers, lossless, qos.paused)


def _memory(
    buffers: SwitchBuffers, lossless: list[LosslessPort], paused: tuple[int, ...]
) -> Iterator[tuple[Number, float]]:
    """Yield the thresholds of the memory."""
    yield (SHARED,), float(buffers.shared)
    yield (ALPHA,), float(Alpha(buffers.alpha).ratio)
    if buffers.pool is not None:
        yield (POOL,), float(buffers.pool)
    for port in lossless:
        plan = buffers.port(port.speed, port.length)
        for number in paused:
            own = port.name, str(number)
            if plan is not None:
                yield (HEADROOM, *own), float(plan.headroom)
            if buffers.pause_at is not None:
                yield (PAUSE_AT, *own), float(buffers.pause_at)
