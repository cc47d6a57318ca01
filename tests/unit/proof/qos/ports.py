"""One port that does what is designed, and what it must do; a test changes either."""

from dataclasses import replace

from fabricgen.core.provenance import Provenance
from fabricgen.core.units import BitsPerSecond, Bytes, Meters, Milliseconds
from fabricgen.model.fabric.port_qos import Marks, PortQos, Serving, Watch
from fabricgen.model.fabric.qos import Kind, Marking, Qos, TrafficClass, Watchdog
from fabricgen.prove.qos.expected import Wanted

SPEED = BitsPerSecond.parse("400G")
_REST = tuple(dscp for dscp in range(64) if dscp not in (26, 48, 56))
QOS = Qos(
    profile="test",
    source="",
    classes=(
        TrafficClass(kind=Kind.BEST_EFFORT, number=0, dscps=_REST, share=40),
        TrafficClass(
            kind=Kind.LOSSLESS,
            number=3,
            dscps=(26,),
            share=60,
            paused=3,
            marking={SPEED: Marking(Bytes(1000), Bytes(2000), 5)},
        ),
        TrafficClass(kind=Kind.CNP, number=6, dscps=(48,), strict=True),
        TrafficClass(kind=Kind.CONTROL, number=7, dscps=(56,), strict=True),
    ),
    watchdog=Watchdog(
        poll=Milliseconds(100),
        detection=Milliseconds(200),
        restoration=Milliseconds(300),
        action="drop",
        because=Provenance((), ""),
    ),
    because=Provenance((("backend", "roce"),), ""),
)
WANTED = Wanted(
    qos=QOS,
    mtu=9000,
    speed=SPEED,
    length=Meters(5),
    least=500,
    alpha=0,
    buffer=600,
    to_server=False,
    ports=33,
)
STRICT = Serving(strict=True, share=None)
CLASSES = tuple({26: 3, 48: 6, 56: 7}.get(dscp, 0) for dscp in range(64))
GOOD = PortQos(
    up=True,
    mtu=9000,
    trust="dscp",
    classes=CLASSES,
    queues=tuple(range(8)),
    groups=(0, 0, 0, 3, 0, 0, 0, 0),
    paused=frozenset({3}),
    stops=tuple(range(8)),
    fills=tuple(range(8)),
    headroom={3: 500},
    alpha={3: 0},
    serving={0: Serving(strict=False, share=40), 3: Serving(strict=False, share=60)}
    | {6: STRICT, 7: STRICT},
    marks={3: Marks(1000, 2000, 5)},
    keeps=frozenset({3}),
    watch=Watch(100, 200, 300, "drop"),
    watched=frozenset({3}),
    cable=5,
    rate=int(SPEED),
)


# The same with storage in class 4, which has other points and another threshold of its own.
QOS_STORAGE = replace(
    QOS,
    classes=(
        replace(QOS.classes[0], dscps=tuple(dscp for dscp in _REST if dscp != 4), share=20),
        QOS.classes[1],
        TrafficClass(
            kind=Kind.STORAGE,
            number=4,
            dscps=(4,),
            share=20,
            paused=4,
            marking={SPEED: Marking(Bytes(3000), Bytes(4000), 7)},
        ),
        *QOS.classes[2:],
    ),
)
WANTED_STORAGE = replace(WANTED, qos=QOS_STORAGE)
GOOD_STORAGE = replace(
    GOOD,
    classes=(*CLASSES[:4], 4, *CLASSES[5:]),
    groups=(0, 0, 0, 3, 4, 0, 0, 0),
    paused=frozenset({3, 4}),
    headroom={3: 500, 4: 500},
    alpha={3: 0, 4: 0},
    serving={
        **GOOD.serving,
        0: Serving(strict=False, share=20),
        4: Serving(strict=False, share=20),
    },
    marks={**GOOD.marks, 4: Marks(3000, 4000, 7)},
    keeps=frozenset({3, 4}),
    watched=frozenset({3, 4}),
)


def other(values: tuple[int | None, ...], at: int, value: int | None) -> tuple[int | None, ...]:
    """Return the values with another one at a place."""
    return (*values[:at], value, *values[at + 1 :])
