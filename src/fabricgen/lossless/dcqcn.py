"""Bounds of the DCQCN paper: buffer, ports and bytes in flight in; pause and marking limits out.

Zhu et al., Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015, section 4. The 8
of the paper is the number of priorities; here it is the number of lossless classes.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from fabricgen.units import Bytes


@dataclass(frozen=True, slots=True)
class SharedBuffer:
    """A switch of `ports` ports, each with `flight` bytes of headroom in each of its classes."""

    total: Bytes
    ports: int
    flight: Bytes
    classes: int = 8

    @property
    def free(self) -> Bytes:
        """What headroom leaves: B - classes x ports x t_flight."""
        return Bytes(self.total - self.classes * self.ports * self.flight)


def static_pause(buffer: SharedBuffer) -> Bytes:
    """Return the largest fixed pause threshold: free / (classes x ports), rounded down."""
    return Bytes(buffer.free // (buffer.classes * buffer.ports))


def static_marking(buffer: SharedBuffer) -> Bytes:
    """Return the marking threshold below that: all ports may feed one queue."""
    return Bytes(static_pause(buffer) // buffer.ports)


def dynamic_marking(buffer: SharedBuffer, beta: int) -> Bytes:
    """Return the bound with a dynamic pause threshold: beta x free / (classes x ports x (beta+1)).

    The pause threshold is beta x (free - occupied) / classes.
    """
    return Bytes(int(Fraction(beta * buffer.free, buffer.classes * buffer.ports * (beta + 1))))
