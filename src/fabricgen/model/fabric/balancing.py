"""Defines the load balancing of a switch and computes how evenly it spreads flows.

Three figures decide: the flows that share the uplinks of a leaf, the expected flows of the busiest
uplink, and the links that a tier can still use behind a tier with the same hash.
"""

from enum import StrEnum
from functools import lru_cache
from math import exp, gcd, lgamma, log, log1p

from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond

UNEVEN = 2.0
"""Times its fair share that the busiest uplink may be expected to get.

A collective ends with its slowest flow. On a link with twice its share a flow has half its rate, so
beyond this more than half of what was bought waits.
"""


class Mode(StrEnum):
    """Who chooses the path, and how often."""

    ECMP = "ecmp"  # a hash, once per flow
    FLOWLET = "flowlet"  # the load, after each pause of a flow
    SPRAY = "spray"  # each packet anew
    CLUSTER = "cluster"  # flows are placed one by one


class Field(StrEnum):
    """What a hash may be made of."""

    SOURCE_IP = "source-ip"
    DESTINATION_IP = "destination-ip"
    PROTOCOL = "protocol"
    SOURCE_PORT = "source-port"
    DESTINATION_PORT = "destination-port"
    QUEUE_PAIR = "queue-pair"  # destination QP of the base transport header, UDP port 4791


FIVE_TUPLE = (
    Field.SOURCE_IP,
    Field.DESTINATION_IP,
    Field.PROTOCOL,
    Field.SOURCE_PORT,
    Field.DESTINATION_PORT,
)


@record(kw_only=True)
class Flows:
    """What a leaf spreads when each of its NIC ports sends to one other at line rate."""

    nics: int
    uplinks: int
    queue_pairs: int
    nic_speed: BitsPerSecond
    uplink_speed: BitsPerSecond

    def counted(self, *, queue_pairs: bool) -> int:
        """Return the flows that a hash tells apart, with the queue pair in it or without."""
        return self.nics * (self.queue_pairs if queue_pairs else 1)

    def shares(self, *, queue_pairs: bool) -> float:
        """Return how many times its share the busiest uplink is expected to be offered.

        Its share is what it carries; where less is bought than NICs send, the mean of all uplinks.
        """
        flows = self.counted(queue_pairs=queue_pairs)
        sent = self.nics * self.nic_speed
        offered = busiest(flows, self.uplinks) * sent / flows
        return offered / max(self.uplink_speed, sent / self.uplinks)

    def sentence(self, *, queue_pairs: bool) -> str:
        """Spell the arithmetic."""
        flows = self.counted(queue_pairs=queue_pairs)
        each = f" x {self.queue_pairs} queue pairs" if queue_pairs else ""
        return (
            f"{self.nics} NIC ports{each} are {flows} flows over {self.uplinks} uplinks; the "
            f"busiest is expected to get {self.shares(queue_pairs=queue_pairs):.1f} times its share"
        )


@record(eq=False, kw_only=True)
class LoadBalancing:
    """What one switch is told; all switches of a tier share it.

    wished: fields that are hashed where the platform can. seeded: a person gave a seed. chained:
    somewhere a switch that chooses stands behind another, and with one seed would reach fewer
    links. flows: of a full leaf; None where no NIC of the fabric is known.
    """

    mode: Mode
    fields: tuple[Field, ...]
    wished: tuple[Field, ...]
    seed: int
    seeded: bool
    chained: bool
    flows: Flows | None
    because: Provenance


@lru_cache(maxsize=1024)
def busiest(flows: int, paths: int) -> float:
    """Return the flows that the fullest of `paths` is expected to get when a hash spreads them.

    The paths are taken as independent, each with Binomial(flows, 1/paths): 2 % low with 64 flows
    on 64 paths, 8 % with 2 on 2. The mean of the maximum is the sum of P(maximum > k).
    """
    if paths == 1:
        return float(flows)
    hit, miss = -log(paths), log1p(-1 / paths)
    most = at_most = 0.0
    for k in range(flows):
        ways = lgamma(flows + 1) - lgamma(k + 1) - lgamma(flows - k + 1)
        at_most = min(1.0, at_most + exp(ways + k * hit + (flows - k) * miss))
        most += 1 - at_most**paths
    return most


def reached(paths: int, entering: int, onward: int) -> int:
    """Return how many of `onward` links are used behind a switch that hashed alike.

    It chose hash mod `paths`; `entering` neighboring remainders come in here, and each leaves
    onward / gcd(paths, onward) values of hash mod `onward`.
    """
    return min(onward, entering * onward // gcd(paths, onward))


@record(kw_only=True)
class Choice:
    """What files say: who chooses, from which fields, with which seed.

    can: fields beyond the five-tuple that this switch could be told. faults: lines of no meaning.
    """

    mode: Mode
    fields: frozenset[Field]
    seed: int | None
    can: frozenset[Field] = frozenset()
    faults: tuple[str, ...] = ()
