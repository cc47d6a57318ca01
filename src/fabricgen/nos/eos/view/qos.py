"""Define the views of the templates of QoS profiles, maps and the PFC watchdog."""

from fabricgen.core.provenance import Block, SharedBlock
from fabricgen.core.record import record
from fabricgen.model.fabric.qos import Marking


@record(eq=False, kw_only=True)
class Queue(Block):
    """One transmit queue of a profile; a queue that is not strict has its share in percent."""

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
class Profiles(SharedBlock):
    """The QoS profiles of the port speeds in use. `paused` has the priorities of PFC.

    `weight`: end of a marking line if EOS shows the weight of its average.
    """

    paused: tuple[int, ...]
    watchdog: bool
    weight: str
    profiles: tuple[Profile, ...]


@record(eq=False, kw_only=True)
class Memory(SharedBlock):
    """The queue profile of the MMU with its threshold as a fraction; headroom and pool in cells."""

    profile: str
    threshold: str
    headroom: int
    pool: int


@record(eq=False)
class ClassOf(Block):
    """DSCPs or CoS values, and their traffic class."""

    values: str
    number: int


@record(eq=False, kw_only=True)
class Watchdog(Block):
    """The PFC watchdog; times in seconds."""

    detection: str
    restoration: str
    polling: str
    action: str


@record(eq=False, kw_only=True)
class Policy(Block):
    """DSCP that a port writes into every incoming packet, and the class of the packet."""

    name: str
    dscp: int
    number: int


@record(eq=False)
class Policies:
    """The policies of a switch, by their DSCPs."""

    policies: tuple[Policy, ...]


@record(eq=False, kw_only=True)
class Maps(SharedBlock):
    """Maps from CoS and DSCP to traffic class to queue."""

    cos: tuple[ClassOf, ...]
    dscps: tuple[ClassOf, ...]
    queues: tuple[ClassOf, ...]
    watchdog: Watchdog | None
