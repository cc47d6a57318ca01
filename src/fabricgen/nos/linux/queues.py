"""Lower traffic classes and ports to the schedulers, RED and filters of `tc -batch`."""

from functools import lru_cache

from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.qos import Marking, Qos, TrafficClass, reason
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.linux.names import port_name
from fabricgen.nos.linux.view_queues import Ets, Filter, Filters, Htb, HtbClass, Leaves, Queues, Red

PRIORITIES = 16  # of packets in the kernel (tc-ets(8)); a port can set 0 to 7
QUANTUM = 100  # bytes per percent of share: 5 % of a round is less than one jumbo frame, not none
AVERAGE_PACKET = 1000  # tc-red(8): "a value of 1000 is reasonable"
STRICT_RATE = 5  # % guaranteed to a strict HTB class; above it borrows like the rest
# tc stores the probability in 32 bits and 1.0 overflows to zero (tc_red.c: max_P = p * pow(2, 32)).
CERTAIN = "0.99999"
# tc red keeps `bandwidth` in 32 bits of bytes per second (iproute2 6.1 tc/q_red.c). It only
# decides how fast the average decays on an idle port.
FASTEST = 34 * 10**9
IPV4, IPV6 = "ip", "ipv6"


@record()
class Port:
    """A port with queues. `sends`: its maximum rate, the port speed or the contracted rate."""

    name: str
    speed: BitsPerSecond
    sends: BitsPerSecond


def bands(qos: Qos) -> tuple[TrafficClass, ...]:
    """Return the classes in the order of their bands; ets requires strict ones first."""
    return tuple(sorted(qos.classes, key=lambda item: (not item.strict, -item.number)))


def ports_of(switch_slice: SwitchSlice) -> tuple[Port, ...]:
    used = (item for item in switch_slice.interfaces if item.use is not Use.UNUSED)
    return tuple(Port(port_name(item.port), item.port.speed, item.sends) for item in used)


@lru_cache(maxsize=64)
def queues(qos: Qos, ports: tuple[Port, ...], *, asic: bool) -> Queues:
    """Return the queues of every port; switches with the same used ports share them."""
    return Queues(
        ets=ets(qos, ports) if asic else None,
        htb=None if asic else htb(qos, ports),
        leaves=leaves(qos, ports),
        filters=filters(qos, ports),
    )


def ets(qos: Qos, ports: tuple[Port, ...]) -> Ets:
    """Return the scheduler that an ASIC's driver offloads."""
    order = bands(qos)
    band_of = {item.number: place for place, item in enumerate(order)}
    last = order.index(qos.best_effort)
    return Ets(
        ports=tuple(port.name for port in ports),
        bands=len(order),
        strict=sum(item.strict for item in order),
        quanta=tuple(QUANTUM * (item.share or 0) for item in order if not item.strict),
        priomap=tuple(band_of.get(priority, last) for priority in range(PRIORITIES)),
        because=qos.because,
    )


def htb(qos: Qos, ports: tuple[Port, ...]) -> Htb:
    """Return the scheduler of a kernel that forwards, the only rate limit of a veth."""
    order = bands(qos)
    shared = 100 - STRICT_RATE * sum(item.strict for item in order)
    classes = tuple(
        HtbClass(
            port=port.name,
            minor=minor,
            rate=port.sends * STRICT_RATE // 100
            if item.strict
            else port.sends * shared * (item.share or 0) // 10_000,
            ceiling=int(port.sends),
            priority=0 if item.strict else 1,
        )
        for port in ports
        for minor, item in enumerate(order, 1)
    )
    rates = tuple((port.name, int(port.sends)) for port in ports)
    return Htb(
        ports=rates, default=1 + order.index(qos.best_effort), classes=classes, because=qos.because
    )


def leaves(qos: Qos, ports: tuple[Port, ...]) -> Leaves:
    """Return the queue type in each band of each port."""
    fifos: list[tuple[str, int]] = []
    marked: list[Red] = []
    for port in ports:
        for minor, item in enumerate(bands(qos), 1):
            marking = item.marking.get(port.speed) if item.marking else None
            if marking is None:
                fifos.append((port.name, minor))
            else:
                marked.append(red(port, minor, marking, qos, item))
    return Leaves(tuple(fifos), tuple(marked), qos.because)


def red(port: Port, minor: int, marking: Marking, qos: Qos, item: TrafficClass) -> Red:
    """Return the marking of one band.

    The limit is a few times the maximum (tc-red(8)). The burst is tc's minimum, 1 + min/avpkt, so
    that the average follows the queue closely, as DCQCN marks by the queue itself. The option
    nodrop keeps packets that cannot be marked (kernel 5.7), as a lossless class loses none before
    PFC acts.
    """
    chance = f"{marking.probability / 100:g}" if marking.probability < 100 else CERTAIN
    return Red(
        port=port.name,
        minor=minor,
        limit=4 * marking.maximum,
        minimum=int(marking.minimum),
        maximum=int(marking.maximum),
        burst=1 + marking.minimum // AVERAGE_PACKET,
        bandwidth=min(int(port.sends), FASTEST),
        probability=chance,
        mode="ecn nodrop" if item.paused is not None else "ecn",
        because=reason(qos, item),
    )


def filters(qos: Qos, ports: tuple[Port, ...]) -> Filters:
    """Return the filters that find the band of a DSCP, for IPv4 and IPv6."""
    order = bands(qos)
    default = qos.best_effort
    codes = [
        (dscp, minor, reason(qos, item))
        for minor, item in enumerate(order, 1)
        if item is not default
        for dscp in item.dscps
    ]
    rules = tuple(
        Filter(
            protocol=protocol,
            priority=priority,
            handle=handle,
            tos=f"0x{dscp << 2:02x}",
            minor=minor,
            because=why,
        )
        for priority, protocol in enumerate((IPV4, IPV6), 1)
        for handle, (dscp, minor, why) in enumerate(codes, 1)
    )
    names = tuple(port.name for port in ports)
    return Filters(ports=names, rules=rules, default=1 + order.index(default), because=qos.because)
