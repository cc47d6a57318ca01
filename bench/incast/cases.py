"""The cases of page and picture: four 400G senders into one 400G port, and variations.

The pool of 12 MB is that of the switch in the DCQCN paper; Kmin, Kmax and Pmax are those of the
HPCC paper's runs, 100 KB and 400 KB per 25 Gb/s and 20 %. Alpha 1/64 instead of 1/16 is what made
pauses spread in Microsoft's network (Guo et al., "RDMA over Commodity Ethernet at Scale",
SIGCOMM 2016).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from bench.incast.dcqcn import MICROSECOND, Dcqcn
from bench.incast.demand import ONE, SONIC_MIX, SPEEDS
from bench.incast.simulation import Case, Outcome, simulate
from bench.incast.switch import Marking, Memory

from fabricgen.core.units import Bytes, Meters
from fabricgen.model.lossless.budget import Alpha

MB = 10**6
_400G, _40_METERS = SPEEDS[2], Meters(40)
ROCE_FRAME = 4158  # 4096 of data; Ethernet 18, IPv4 20, UDP 8, BTH 12, ICRC 4


@dataclass(frozen=True, slots=True)
class Story:
    """A case and what it shows."""

    title: str
    case: Case

    @property
    def seen(self) -> Outcome:
        """What happens; the same story is simulated once."""
        return _watch(self.case)

    @property
    def port_pauses_at(self) -> Bytes:
        return self.case.memory.pause_at(self.case.senders)

    @property
    def queue_at_pause(self) -> int:
        """The egress queue when all ingress groups together reach the threshold."""
        return self.case.senders * self.port_pauses_at


@cache
def _watch(case: Case) -> Outcome:
    return simulate(case)


def incast(senders: int, pool: int, alpha: Alpha) -> Case:
    """Return DCQCN senders at 400G over 40 m into one switch with everything switched on."""
    room = SONIC_MIX.headroom(_400G, _40_METERS)
    return Case(
        speed=_400G,
        cable=_40_METERS,
        senders=senders,
        memory=Memory(pool=Bytes(pool), alpha=alpha, headroom=room),
        response=SONIC_MIX.peer(_400G),
        frames=(ROCE_FRAME,),
        cell=SONIC_MIX.cell,
        marking=Marking(lowest=1_600_000, highest=6_400_000, probability=0.2),
        dcqcn=Dcqcn(),
        duration=200 * MICROSECOND,
    )


def without_pause(case: Case) -> Case:
    """Return the case without PFC and headroom, and with senders that ignore marks."""
    memory = replace(case.memory, headroom=0)
    return replace(case, memory=memory, pause=False, dcqcn=None)


_GOOD = incast(4, 12 * MB, ONE)
PICTURE = (
    Story("4 senders, alpha 1: marks speak first", _GOOD),
    Story("4 senders, alpha 1/64: pauses come first, marks never", incast(4, 12 * MB, Alpha(-6))),
    Story("4 senders, alpha 1, no PFC, no headroom, ECN ignored", without_pause(_GOOD)),
)

RULE = (
    *PICTURE[:2],
    Story("8 senders, alpha 1", incast(8, 12 * MB, ONE)),
    Story("8 senders, alpha 1/8", incast(8, 12 * MB, Alpha(-3))),
    Story("8 senders, alpha 1/32", incast(8, 12 * MB, Alpha(-5))),
    Story("8 senders, alpha 1/64", incast(8, 12 * MB, Alpha(-6))),
    Story("8 senders, alpha 1, 32 MB", incast(8, 32 * MB, ONE)),
    Story("16 senders, alpha 1, 32 MB", incast(16, 32 * MB, ONE)),
    PICTURE[2],
)
