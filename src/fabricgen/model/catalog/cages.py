"""Lists the cages of a switch model and the split modes of each."""

from typing import Any

from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond


@record()
class Mode:
    """A mode of a cage: `count` interfaces of `speed`, `lanes` lanes each."""

    count: int
    speed: BitsPerSecond
    lanes: int


@record(kw_only=True)
class Cage:
    """One cage of the faceplate; its first mode is the native one. `form`: form factor."""

    number: int
    lanes: int
    modes: tuple[Mode, ...]
    service: bool
    form: str = ""

    def mode(self, speed: BitsPerSecond, count: int | None = None) -> Mode | None:
        """Return the mode of that speed and count; by default the largest count."""
        fits = [mode for mode in self.modes if mode.speed == speed and count in (None, mode.count)]
        return max(fits, key=lambda mode: mode.count, default=None)


def read_cages(rows: list[dict[str, Any]]) -> list[Cage]:
    """Read the cages of a faceplate, in order."""
    return [
        Cage(
            number=number,
            lanes=row["lanes"],
            modes=tuple(_mode(text, lanes) for text, lanes in row["modes"].items()),
            service=row.get("service", False),
            form=row["form"],
        )
        for row in rows
        for number in range(row["first"], row["last"] + 1)
    ]


def _mode(text: str, lanes: int) -> Mode:
    count, speed = text.split("x")
    return Mode(int(count), BitsPerSecond.parse(speed), lanes)
