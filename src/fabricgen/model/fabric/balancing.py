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
"""Maximum expected load of the busiest uplink, in multiples of its fair share.

A collective ends with its slowest flow. On a link with twice its share a flow has half its rate, so
beyond this value more than half of the bandwidth is idle.
"""


class Mode(StrEnum):
    """Method that chooses the path."""

    ECMP = "ecmp"  # a hash, once per flow
    FLOWLET = "flowlet"  # the load, after each pause of a flow
    SPRAY = "spray"  # per packet
    CLUSTER = "cluster"  # flows are placed one by one


class Field(StrEnum):
    """Possible fields of a hash."""

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
    """Flows of a leaf when each of its NIC ports sends to one other NIC at line rate."""

    nics: int
    uplinks: int
    queue_pairs: int
    nic_speed: BitsPerSecond
    uplink_speed: BitsPerSecond

    def counted(self, *, queue_pairs: bool) -> int:
        """Return the flows that a hash distinguishes, with or without the queue pair."""
        return self.nics * (self.queue_pairs if queue_pairs else 1)

    def shares(self, *, queue_pairs: bool) -> float:
        """Return the expected load of the busiest uplink, in multiples of its share.

        The share is the uplink's capacity; if uplinks have less capacity than the NICs, it is the
        mean load of all uplinks.
        """
        flows = self.counted(queue_pairs=queue_pairs)
        sent = self.nics * self.nic_speed
        offered = busiest(flows, self.uplinks) * sent / flows
        return offered / max(self.uplink_speed, sent / self.uplinks)

    def sentence(self, *, queue_pairs: bool) -> str:
        """Return the arithmetic as text."""
        flows = self.counted(queue_pairs=queue_pairs)
        each = f" x {self.queue_pairs} queue pairs" if queue_pairs else ""
        return (
            f"{self.nics} NIC ports{each} are {flows} flows over {self.uplinks} uplinks; the "
            f"busiest uplink is expected to carry {self.shares(queue_pairs=queue_pairs):.1f} times "
            "its share"
        )


@record(eq=False, kw_only=True)
class LoadBalancing:
    """Load balancing of one switch; all switches of a tier share it.

    `wished`: fields to hash if the platform supports them. `seeded`: the intent gives a seed.
    `chained`: a choosing switch is behind another, so one seed for both would reach fewer links.
    `flows`: of a full leaf; None if no NIC of the fabric is known.
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
    """Return the expected flows on the fullest of `paths` with a hash.

    The paths count as independent, each with Binomial(flows, 1/paths): 2 % too low with 64 flows on
    64 paths, 8 % with 2 on 2. The mean of the maximum is the sum of P(maximum > k).
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
    """Return how many of `onward` links are used behind a switch with an equal hash.

    It chose hash mod `paths`; `entering` neighboring remainders enter here, and each leaves onward
    / gcd(paths, onward) values of hash mod `onward`.
    """
    return min(onward, entering * onward // gcd(paths, onward))


@record(kw_only=True)
class Choice:
    """Load balancing in files: method, fields and seed.

    `can`: fields beyond the five-tuple that this switch supports. `faults`: lines without meaning.
    """

    mode: Mode
    fields: frozenset[Field]
    seed: int | None
    can: frozenset[Field] = frozenset()
    faults: tuple[str, ...] = ()
