"""Define one row of an acceptance test: the measured quantity, its program and its limit."""

from enum import StrEnum

from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Ip


class Tool(StrEnum):
    """Program that measures."""

    LATENCY = "ib_write_lat"
    BANDWIDTH = "ib_write_bw"
    ALL_REDUCE = "all_reduce_perf"
    ALL_TO_ALL = "alltoall_perf"
    COUNTERS = "switch counters"
    FAILURE = "a failure by hand"


@record(kw_only=True)
class Pair:
    """A client and a server of one test, with the addresses of their NICs. `port`: of the test."""

    client: str
    server: str
    source: Ip
    target: Ip
    port: int


@record(kw_only=True)
class Measure:
    """One row of the sheet.

    Attributes:
        name: Identifier, which is also the folder of its results.
        what: The measured quantity.
        unit: Unit of the value and of the limit.
        least: The value must not be below it.
        most: The value must not be above it.
        basis: The arithmetic of the limit, or why there is none.
        pairs: Pairs of NICs that run at the same time.
        of: The other row whose test gives this value, too.
    """

    name: str
    fabric: str
    what: str
    tool: Tool
    unit: str
    least: float | None = None
    most: float | None = None
    basis: str
    pairs: tuple[Pair, ...] = ()
    of: str = ""

    @property
    def judged(self) -> bool:
        """Return whether the model has a limit."""
        return self.least is not None or self.most is not None
