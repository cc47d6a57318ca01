"""From the rows vendors ship (rows/*.csv): each with the port it is for and what is computed."""

import csv
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from fabricgen.core.units import BitsPerSecond, Bytes, Meters
from fabricgen.model.lossless.chips import Chip, SonicDynamic, chip
from fabricgen.model.lossless.headroom import Headroom, headroom
from fabricgen.model.lossless.port import Port, SmallPackets, Traffic
from fabricgen.model.lossless.terms import NOTHING

ROWS = Path(__file__).parent / "rows"
FRAME = Bytes(9216)
# Cells of chips that have no model of their own, as in src/fabricgen/model/catalog/data/asics.yaml.
CELLS = {"Trident3-X7": 256, "Tomahawk2": 208, "Tomahawk3": 254, "Teralynx10": 128}


@dataclass(frozen=True, slots=True)
class Case:
    """A shipped row: `headroom` bytes at that speed and cable."""

    device: str
    asic: str
    speed: BitsPerSecond
    length: Meters
    headroom: Bytes
    source: str

    @property
    def chip(self) -> Chip:
        cell = CELLS.get(self.asic)
        return chip(self.asic, None if cell is None else Bytes(cell))

    def port(self, lossless_mtu: Bytes = FRAME) -> Port:
        return Port(
            speed=self.speed, length=self.length, mtu=FRAME, lossless_mtu=lossless_mtu, lanes=4
        )

    def off(self, computed: Bytes) -> Fraction:
        """Return how far computed is from the row, as a part of the row."""
        return Fraction(computed - self.headroom, int(self.headroom))


def cases(name: str) -> list[Case]:
    """Read rows/<name>.csv."""
    with (ROWS / f"{name}.csv").open(encoding="utf-8") as lines:
        return [
            Case(
                row["device"],
                row["asic"],
                BitsPerSecond(int(row["speed_mbps"]) * 10**6),
                Meters(row["cable_m"]),
                Bytes(row["headroom"]),
                row["source"],
            )
            for row in csv.DictReader(lines)
        ]


@dataclass(frozen=True, slots=True)
class Recipe:
    """What NVIDIA computed a file of rows with: the release of the code and the traffic."""

    lossless_mtu: Bytes
    traffic: Traffic
    quanta: bool
    whole_factor: bool
    extra: bool = True

    def compute(self, case: Case) -> Headroom:
        """Compute the row of a case this way."""
        made = case.chip
        assert isinstance(made.model, SonicDynamic)
        model = replace(
            made.model,
            quanta=self.quanta,
            whole_factor=self.whole_factor,
            extra=made.model.extra if self.extra else NOTHING,
        )
        return headroom(case.port(self.lossless_mtu), replace(made, model=model), self.traffic)


_WORST, _SHARE = Traffic(100), Traffic(50)
_HALF = Traffic(50, SmallPackets.PERCENTAGE)
RECIPES = {
    "ACS-MSN2700": Recipe(Bytes(1024), _WORST, quanta=False, whole_factor=False),
    "ACS-MSN3700": Recipe(Bytes(1024), _WORST, quanta=False, whole_factor=False),
    "ACS-MSN4700": Recipe(Bytes(1024), _WORST, quanta=False, whole_factor=False),
    "Mellanox-SN2700-D40C8S8": Recipe(Bytes(1024), _HALF, quanta=False, whole_factor=False),
    "Mellanox-SN4600C-D24C52": Recipe(Bytes(1024), _SHARE, quanta=True, whole_factor=False),
    "ACS-SN5600": Recipe(Bytes(1024), _WORST, quanta=True, whole_factor=True),
    "Mellanox-SN5600-V256": Recipe(Bytes(4096), _HALF, quanta=True, whole_factor=True),
    "Mellanox-SN5640-C448O16": Recipe(Bytes(4096), _SHARE, quanta=True, whole_factor=True),
    "Mellanox-SN5640-C512X2": Recipe(Bytes(4096), _SHARE, quanta=True, whole_factor=True),
    # Shipped before pull request 4797 added 18 KiB; its 800G rows hold 1810 quanta.
    "ACS-SN6600_LD": Recipe(Bytes(4096), _SHARE, quanta=True, whole_factor=True, extra=False),
}
