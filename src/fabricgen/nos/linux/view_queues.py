"""Define the views of the templates of tc.batch and dcb.sh."""

from typing import ClassVar

from fabricgen.core.provenance import Block, Provenance, SharedBlock
from fabricgen.core.record import record


@record(eq=False, kw_only=True)
class Ets(Block):
    """The scheduler of an ASIC: strict bands first, then bands that share by their quanta."""

    ports: tuple[str, ...]
    bands: int
    strict: int
    quanta: tuple[int, ...]
    priomap: tuple[int, ...]


@record(kw_only=True)
class HtbClass:
    """One class of one port: `priority` 0 is served first, `rate` in bit/s is guaranteed."""

    port: str
    minor: int
    rate: int
    ceiling: int
    priority: int


@record(eq=False, kw_only=True)
class Htb(Block):
    """The scheduler of a kernel that forwards itself, with the line rate of each port."""

    ports: tuple[tuple[str, int], ...]
    default: int
    classes: tuple[HtbClass, ...]


@record(kw_only=True)
class Red(Block):
    """ECN marking of one band of one port, in bytes; `mode` is `ecn` or `ecn nodrop`."""

    port: str
    minor: int
    limit: int
    minimum: int
    maximum: int
    burst: int
    bandwidth: int
    probability: str
    mode: str


@record(eq=False)
class Leaves:
    """The queue in each band: RED with marking, otherwise a plain FIFO."""

    fifos: tuple[tuple[str, int], ...]
    marked: tuple[Red, ...]
    because: Provenance


@record(kw_only=True)
class Filter(Block):
    """One DSCP as its TOS byte, and its band."""

    protocol: str
    priority: int
    handle: int
    tos: str
    minor: int


@record(eq=False, kw_only=True)
class Filters(Block):
    """Bands of packets that the kernel sends or forwards, by DSCP; the rest in `default`."""

    ports: tuple[str, ...]
    rules: tuple[Filter, ...]
    default: int


@record(eq=False, kw_only=True)
class Queues:
    """The sections of tc.batch; exactly one of the two schedulers exists."""

    shared: ClassVar[bool] = True
    ets: Ets | None
    htb: Htb | None
    leaves: Leaves
    filters: Filters


@record(eq=False, kw_only=True)
class Dcb(SharedBlock):
    """DCB settings of an ASIC's ports, in the words of dcb(8).

    Attributes:
        groups: Buffer of each priority, None without a lossless class.
        sizes: Bytes of each buffer, "$2" for a lossless one.
        ports: Name and bytes of a lossless buffer.
    """

    dscp_priorities: str
    default_priority: int
    pauses: str
    groups: str | None
    sizes: str
    ports: tuple[tuple[str, int], ...]
