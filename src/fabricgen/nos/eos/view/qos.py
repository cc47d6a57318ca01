"""What the templates of QoS profiles, maps and the PFC watchdog may see."""

from typing import ClassVar

from fabricgen.fabric.because import Because
from fabricgen.fabric.qos import Marking
from fabricgen.record import record


@record(eq=False, kw_only=True)
class Queue:
    """One transmit queue of a profile; one that is not strict has its share in percent."""

    because: Because
    block: str
    number: int
    strict: bool
    share: int | None
    marking: Marking | None


@record(eq=False)
class Profile:
    """The QoS profile of ports of one speed."""

    name: str
    queues: tuple[Queue, ...]


@record(eq=False, kw_only=True)
class Profiles:
    """The QoS profiles of the port speeds in use; `paused` are the priorities that PFC pauses.

    weight: how a marking ends where EOS shows the weight of its average.
    """

    shared: ClassVar[bool] = True
    because: Because
    paused: tuple[int, ...]
    watchdog: bool
    weight: str
    profiles: tuple[Profile, ...]


@record(eq=False, kw_only=True)
class Memory:
    """The queue profile of the MMU, its threshold a fraction; headroom and pool in cells."""

    shared: ClassVar[bool] = True
    because: Because
    profile: str
    threshold: str
    headroom: int
    pool: int


@record(eq=False)
class ClassOf:
    """DSCPs or CoS values, and the traffic class they are put into."""

    because: Because
    values: str
    number: int


@record(eq=False, kw_only=True)
class Watchdog:
    """The PFC watchdog; times in seconds."""

    because: Because
    timeout: str
    recovery: str
    polling: str
    action: str


@record(eq=False, kw_only=True)
class Policy:
    """What a port writes into every packet that comes in, and the class that it gets."""

    because: Because
    name: str
    dscp: int
    number: int


@record(eq=False)
class Policies:
    """The policies of a switch, by their DSCPs."""

    policies: tuple[Policy, ...]


@record(eq=False, kw_only=True)
class Maps:
    """From CoS and DSCP to traffic class to queue."""

    shared: ClassVar[bool] = True
    because: Because
    cos: tuple[ClassOf, ...]
    dscps: tuple[ClassOf, ...]
    queues: tuple[ClassOf, ...]
    watchdog: Watchdog | None
