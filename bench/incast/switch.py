"""One switch's shared buffer and marking law: bytes in and out → admit, pause, resume, mark.

The buffer is a pool that the ingress priority groups share under a dynamic threshold, and a
headroom that each of them has for itself. A piece of a frame (one cell) is charged when its first
byte arrives: to the pool while the group is below alpha times what is free, else to the group's
headroom, else its frame is lost. Headroom empties before the pool's share does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabricgen.model.lossless.budget import Alpha, pause_threshold

if TYPE_CHECKING:
    from fabricgen.core.units import Bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """How much there is: the pool, the share one group may take, and each group's headroom."""

    pool: Bytes
    alpha: Alpha
    headroom: int = 0
    # Resume when a group is this far below the threshold: at least two frames, so that the
    # threshold moving by one frame does not toggle the pause.
    resume_offset: int = 2 * 9216

    def pause_at(self, congested: int) -> Bytes:
        """Return the occupancy at which the compiler expects so many congested groups to pause."""
        return pause_threshold(self.pool, self.alpha, congested, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Marking:
    """The RED law of the egress queue: never below `lowest`, always above `highest`."""

    lowest: int
    highest: int
    probability: float

    def chance(self, queue: int) -> float:
        """Return the probability that a frame which finds so many bytes queued is marked."""
        if queue < self.lowest:
            return 0.0
        if queue > self.highest:
            return 1.0
        return self.probability * (queue - self.lowest) / (self.highest - self.lowest)


class Buffer:
    """The ingress accounting of one lossless priority over all ports."""

    def __init__(self, memory: Memory, ports: int) -> None:
        self.memory = memory
        self.alpha = float(memory.alpha.ratio)  # exact: a power of two
        self.used = 0
        self.shared = [0] * ports
        self.headroom = [0] * ports
        self.peak_headroom = 0
        self.open = list(range(ports))
        self.paused: list[int] = []

    def limit(self) -> float:
        """Return what one group may hold of the pool now."""
        return self.alpha * (self.memory.pool - self.used)

    def admit(self, port: int, size: int) -> bool:
        """Charge a piece of a frame; False when there is no place left for it."""
        if self.shared[port] < self.limit() and self.used + size <= self.memory.pool:
            self.shared[port] += size
            self.used += size
            return True
        taken = self.headroom[port] + size
        if taken > self.memory.headroom:
            return False
        self.headroom[port] = taken
        self.peak_headroom = max(self.peak_headroom, taken)
        return True

    def release(self, port: int, size: int) -> None:
        """Give back what a frame held."""
        spare = min(size, self.headroom[port])
        self.headroom[port] -= spare
        self.shared[port] -= size - spare
        self.used -= size - spare

    def newly_paused(self) -> list[int]:
        """Pause every open group that has reached the threshold; return those."""
        limit = self.limit()
        full = [port for port in self.open if self.shared[port] >= limit]
        for port in full:
            self.open.remove(port)
        self.paused += full
        return full

    def newly_resumed(self) -> list[int]:
        """Resume every paused group with empty headroom, well below the threshold."""
        if not self.paused:
            return []
        limit = self.limit() - self.memory.resume_offset
        calm = [p for p in self.paused if not self.headroom[p] and self.shared[p] <= max(0, limit)]
        for port in calm:
            self.paused.remove(port)
        self.open += calm
        return calm
