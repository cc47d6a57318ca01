"""Named sets of ECN and scheduler numbers as their owners publish them, each with its source."""

from __future__ import annotations

from dataclasses import dataclass

from fabricgen.fabric.qos import Marking
from fabricgen.units import BitsPerSecond, Bytes

REFERENCE = BitsPerSecond(25 * 10**9)


@dataclass(frozen=True, slots=True)
class RoceProfile:
    """Kmin and Kmax in bytes; with `scales` they are for 25G and grow with the port's speed.

    lossless and best_effort are shares in percent of what strict classes leave over.
    """

    minimum: int
    maximum: int
    probability: int
    lossless: int
    best_effort: int
    source: str
    scales: bool = False

    def marking(self, speed: BitsPerSecond) -> Marking:
        """Return the marking points for a port of that speed."""
        if not self.scales:
            return Marking(Bytes(self.minimum), Bytes(self.maximum), self.probability)
        factor = speed / REFERENCE
        return Marking(
            Bytes(round(self.minimum * factor)),
            Bytes(round(self.maximum * factor)),
            self.probability,
        )


PROFILES = {
    "computed": RoceProfile(
        0,
        0,
        0,
        50,
        50,
        "marking computed from speed, distance and memory (docs/lossless.md); shares as NVIDIA's",
    ),
    "nvidia-roce": RoceProfile(
        150_000,
        1_500_000,
        100,
        50,
        50,
        "NVIDIA Cumulus Linux 5.x, `nv set qos roce`: ECN 150000-1500000 bytes, DWRR 50/50",
    ),
    "sonic-default": RoceProfile(
        1_048_576,
        2_097_152,
        5,
        52,
        48,
        "sonic-buildimage files/build_templates/qos_config.j2, AZURE_LOSSLESS; shares from its "
        "scheduler weights 15 and 14",
    ),
    "arista-ai-leaf": RoceProfile(
        256_000,
        512_000,
        100,
        95,
        5,
        "Arista AI network deployment guide, leaf values, quoted second-hand",
    ),
    "hpcc-scaled": RoceProfile(
        100_000,
        400_000,
        20,
        50,
        50,
        "alibaba-edu/High-Precision-Congestion-Control run.py (DCQCN, per 25G of port speed); "
        "shares as in nvidia-roce",
        scales=True,
    ),
}
