"""What the compiler reserves, and the traffic it does so for: model, speed, cable in, a case out.

Every figure comes from fabricgen.model.lossless. Each model is tried with the peer it counts on
(its response time, its interfaces), on the chip whose cells it counts, with the frames it was made
for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.incast.simulation import BYTE_ACCOUNTING, Case
from bench.incast.switch import Memory

from fabricgen.core.units import BitsPerSecond, Bytes
from fabricgen.model.lossless.budget import Alpha
from fabricgen.model.lossless.chips import Chip, chip
from fabricgen.model.lossless.headroom import headroom, wire_minimum
from fabricgen.model.lossless.port import WORST_CASE, PauseResponse, Port, Traffic, response_bytes
from fabricgen.model.lossless.wire import interface_delay

if TYPE_CHECKING:
    from fabricgen.core.units import Meters

SPEEDS = tuple(BitsPerSecond.parse(speed) for speed in ("100G", "200G", "400G", "800G"))
ONE = Alpha(0)
SMALLEST, FRAME = Bytes(64), Bytes(9216)
SHIPPED, CONSERVATIVE = PauseResponse.SHIPPED, PauseResponse.CONSERVATIVE


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A way to compute headroom, with what it counts on; without a chip it counts bytes."""

    name: str
    frames: tuple[int, ...]
    lossless_mtu: Bytes = FRAME
    chip: Chip | None = None
    traffic: Traffic = WORST_CASE
    response: PauseResponse = SHIPPED
    interfaces: bool = False

    @property
    def cell(self) -> int:
        return self.chip.cell if self.chip else BYTE_ACCOUNTING

    def headroom(self, speed: BitsPerSecond, cable: Meters) -> Bytes:
        """Return the bytes the compiler computes."""
        port = Port(speed=speed, length=cable, mtu=FRAME, lossless_mtu=self.lossless_mtu, lanes=4)
        if self.chip is None:
            return wire_minimum(port, self.response).total
        return headroom(port, self.chip, self.traffic, self.response).total

    def peer(self, speed: BitsPerSecond) -> Bytes:
        """Return what the peer still sends after a pause, and what both interfaces hold."""
        found = response_bytes(speed, self.response)
        assert found
        return Bytes(found[0] + (interface_delay(speed)[0] if self.interfaces else 0))


WIRE = Model(name="wire minimum", frames=(FRAME,))
SONIC_MIX = Model(
    name="SONiC, half small",
    frames=(SMALLEST, 4096),
    lossless_mtu=Bytes(4096),
    chip=chip("Spectrum-4", None),
    traffic=Traffic(50),
)
SONIC_WORST = Model(name="SONiC, all small", frames=(SMALLEST,), chip=chip("Spectrum-4", None))
GENERAL = Model(
    name="802.1Qbb, worst cells",
    frames=(SMALLEST,),
    chip=chip("Trident3-X7", Bytes(256)),
    response=CONSERVATIVE,
    interfaces=True,
)
BROADCOM = Model(
    name="Tomahawk 5 fit",
    frames=(SMALLEST,),
    chip=chip("Tomahawk5", None),
    response=CONSERVATIVE,
)
MODELS = (WIRE, SONIC_MIX, SONIC_WORST, GENERAL, BROADCOM)


def blocked(model: Model, speed: BitsPerSecond, cable: Meters, senders: int) -> Case:
    """Return the case that needs most headroom: nothing leaves the switch."""
    room = model.headroom(speed, cable)
    return Case(
        speed=speed,
        cable=cable,
        senders=senders,
        memory=Memory(pool=Bytes(4 * FRAME * (senders + 1)), alpha=ONE, headroom=room),
        response=model.peer(speed),
        frames=model.frames,
        largest_frame=FRAME,
        cell=model.cell,
        egress_blocked=True,
    )
