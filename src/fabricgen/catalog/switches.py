"""The switch catalog: a model's name in, its cages, modes and platform facts out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from fabricgen.units import BitsPerSecond

if TYPE_CHECKING:
    from collections.abc import Mapping

_FOLDER = Path(__file__).parent / "data" / "switches"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Mode:
    """How a cage can be used: `count` interfaces of `speed`, `lanes` lanes each."""

    count: int
    speed: BitsPerSecond
    lanes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Cage:
    """One cage of the faceplate; the first mode is its native one."""

    number: int
    lanes: int
    modes: tuple[Mode, ...]
    service: bool

    def mode(self, speed: BitsPerSecond, count: int | None = None) -> Mode | None:
        """Return the mode of that speed and count; without a count, the one with the most."""
        fits = [mode for mode in self.modes if mode.speed == speed and count in (None, mode.count)]
        return max(fits, key=lambda mode: mode.count, default=None)


@dataclass(frozen=True, kw_only=True)
class SwitchModel:
    """One SKU. `platforms` holds the raw facts of each network OS that runs on it."""

    name: str
    vendor: str
    asic: str
    source: str
    cages: tuple[Cage, ...]
    platforms: Mapping[str, Mapping[str, Any]]

    @cached_property
    def usable(self) -> tuple[Cage, ...]:
        """Cages for fabric and servers, in faceplate order."""
        return tuple(cage for cage in self.cages if not cage.service)

    def speeds(self) -> list[BitsPerSecond]:
        """Return the speeds of its usable cages, fastest first."""
        return sorted({mode.speed for cage in self.usable for mode in cage.modes}, reverse=True)

    def has_speed(self, speed: BitsPerSecond) -> bool:
        """Tell whether every usable cage can run at `speed`."""
        return all(cage.mode(speed) for cage in self.usable)


@lru_cache(maxsize=1)
def _files() -> dict[str, Path]:
    return {path.stem.split("-", 1)[1]: path for path in sorted(_FOLDER.glob("*.yaml"))}


@lru_cache(maxsize=1)
def model_names() -> tuple[str, ...]:
    """Return the name of every model in the catalog."""
    return tuple(_names_on_file())


def _names_on_file() -> list[str]:
    names = []
    for path in _files().values():
        line = next(text for text in path.read_text().splitlines() if text.startswith("model:"))
        names.append(line.split(":", 1)[1].split("#")[0].strip().strip("\"'"))
    return names


@lru_cache(maxsize=64)
def switch_model(name: str) -> SwitchModel | None:
    """Return the model of that name, or None when the catalog does not have it."""
    path = _files().get(name.lower())
    if path is None:
        return None
    facts = yaml.load(path.read_text(), Loader=_LOADER)  # noqa: S506 - SafeLoader either way
    if facts["model"] != name:
        return None
    return SwitchModel(
        name=facts["model"],
        vendor=facts["vendor"],
        asic=facts["asic"],
        source=facts["source"],
        cages=tuple(_cages(facts["cages"])),
        platforms=facts["platforms"],
    )


def _cages(rows: list[dict[str, Any]]) -> list[Cage]:
    return [
        Cage(
            number=number,
            lanes=row["lanes"],
            modes=tuple(_mode(text, lanes) for text, lanes in row["modes"].items()),
            service=row.get("service", False),
        )
        for row in rows
        for number in range(row["first"], row["last"] + 1)
    ]


def _mode(text: str, lanes: int) -> Mode:
    count, speed = text.split("x")
    return Mode(int(count), BitsPerSecond.parse(speed), lanes)
