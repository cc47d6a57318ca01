"""Reads switch models from the catalog: cages, modes, watts, latency and platform facts."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import takewhile
from typing import Any, Self

from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond
from fabricgen.model.catalog.asics import Asic, asic
from fabricgen.model.catalog.cages import Cage, read_cages
from fabricgen.model.catalog.files import FactFile, fact_files
from fabricgen.model.catalog.skus import Sku, read_skus
from fabricgen.model.catalog.targets import UNKNOWN, Target, with_generated


@record(kw_only=True)
class Watts:
    """Power of a switch, as its vendor documents it; None if unknown.

    `typical`: without optics, or with passive copper. `maximum`: with the full load of its cages.
    """

    typical: int | None
    maximum: int | None
    source: str


@record(kw_only=True)
class Latency:
    """Nanoseconds that a packet needs through an idle switch, as its vendor documents them."""

    nanoseconds: int
    source: str


def read_watts(facts: Mapping[str, Any]) -> Watts | None:
    """Read the watts of a model; None if its file has none."""
    said = facts.get("watts")
    if said is None:
        return None
    return Watts(typical=said.get("typical"), maximum=said.get("maximum"), source=said["source"])


def read_latency(facts: Mapping[str, Any]) -> Latency | None:
    """Read the latency of a model; None if its file has none."""
    said = facts.get("latency")
    return None if said is None else Latency(**said)


@dataclass(frozen=True, kw_only=True, eq=False)
class SwitchModel:
    """One model. `platforms` holds the raw facts of each network OS that runs on it.

    `asic`: the name of its chip. `chip`: the facts of the chip; None if unknown. `hwsku`: the SKU
    that the intent names; None if it follows from the ports. `target`: its release and topology.
    `rack_units`, `watts`, `latency`: None if no source states them.
    """

    name: str
    vendor: str
    asic: str
    chip: Asic | None
    source: str
    cages: tuple[Cage, ...]
    platforms: Mapping[str, Mapping[str, Any]]
    hwsku: str | None = None
    target: Target = UNKNOWN
    rack_units: int | None = None
    watts: Watts | None = None
    latency: Latency | None = None

    def __str__(self) -> str:
        """Return its name as text."""
        return self.name

    @cached_property
    def usable(self) -> tuple[Cage, ...]:
        """Cages for fabric and servers, in faceplate order."""
        return tuple(cage for cage in self.cages if not cage.service)

    @cached_property
    def front(self) -> Self:
        """Return a copy with only the leading equal cages; itself if all cages are equal."""
        alike = len([*takewhile(lambda cage: cage.modes == self.usable[0].modes, self.usable)])
        return self if alike == len(self.usable) else replace(self, cages=self.usable[:alike])

    @cached_property
    def back(self) -> Self:
        """Return a copy with only the last equal cages; itself if all cages are equal."""
        last = self.usable[::-1]
        alike = len([*takewhile(lambda cage: cage.modes == last[0].modes, last)])
        return self if alike == len(last) else replace(self, cages=self.usable[-alike:])

    @cached_property
    def skus(self) -> Mapping[str, tuple[Sku, ...]]:
        """Hardware SKUs for its target, by platform."""
        tables = {
            name: read_skus(facts, self.cages, self.target)
            for name, facts in self.platforms.items()
        }
        return {name: skus for name, skus in tables.items() if skus}

    def eligible(self, platform: str) -> tuple[Sku, ...]:
        """Return the SKUs that it may run as on a platform."""
        return tuple(sku for sku in self.skus[platform] if self.hwsku in (None, sku.name))

    def speeds(self) -> list[BitsPerSecond]:
        """Return the speeds of its usable cages, fastest first."""
        return sorted({mode.speed for cage in self.usable for mode in cage.modes}, reverse=True)

    def has_speed(self, speed: BitsPerSecond) -> bool:
        """Return whether every usable cage can run at `speed`."""
        return all(speed in speeds for speeds in self._speeds)

    @cached_property
    def _speeds(self) -> frozenset[frozenset[BitsPerSecond]]:
        """The speeds of each type of its usable cages."""
        return frozenset(frozenset(mode.speed for mode in cage.modes) for cage in self.usable)


@cache
def _files() -> dict[str, list[FactFile]]:
    """Return the files of each model: the file with its cages, and files that add platforms.

    The name of a file is vendor-model.yaml, so the model is found without reading files.
    """
    known: dict[str, list[FactFile]] = {}
    for file in fact_files("switches/*.yaml"):
        model = file.path.stem.partition("-")[2]
        if file.brought and model != _name(file).lower():
            raise file.refused("the file name must be vendor-model.yaml, in lower case")
        known.setdefault(model, []).append(file)
    return known


@cache
def model_names() -> tuple[str, ...]:
    """Return the name of every model in the catalog."""
    return tuple(_name(files[0]) for files in _files().values())


def _name(file: FactFile) -> str:
    with file.reading():
        lines = file.path.read_text().splitlines()
        line = next((text for text in lines if text.startswith("model:")), None)
        if line is None:
            raise KeyError("model")
        return line.split(":", 1)[1].split("#")[0].strip().strip("\"'")


@cache
def switch_model(name: str) -> SwitchModel | None:
    """Return the model of that name; None if it is not in the catalog."""
    first, *more = _files().get(name.lower(), (None,))
    if first is None or _name(first) != name:
        return None
    with first.reading():
        facts = first.read()
        platforms: dict[str, Mapping[str, Any]] = with_generated(facts["platforms"])
        for file in more:
            _add_platforms(platforms, name, file)
        return read_switch({**facts, "platforms": platforms}, asic(facts["asic"]))


@cache
def running_as(model: SwitchModel, hwsku: str | None, target: Target) -> SwitchModel:
    """Return the model with the SKU and target of the intent: one object for all equal switches."""
    return replace(model, hwsku=hwsku, target=target)


@cache
def with_chip(model: SwitchModel, chip: Asic) -> SwitchModel:
    """Return the model with other facts of its chip: one object for all equal switches."""
    return model if model.chip is chip else replace(model, chip=chip)


def read_switch(facts: Mapping[str, Any], chip: Asic | None) -> SwitchModel:
    """Read one model from the facts in its file."""
    return SwitchModel(
        name=facts["model"],
        vendor=facts["vendor"],
        asic=facts["asic"],
        chip=chip,
        source=facts["source"],
        cages=tuple(read_cages(facts["cages"])),
        platforms=facts["platforms"],
        rack_units=facts.get("rack_units"),
        watts=read_watts(facts),
        latency=read_latency(facts),
    )


def _add_platforms(platforms: dict[str, Mapping[str, Any]], name: str, file: FactFile) -> None:
    """Add the facts of a package about a model for the package's platforms."""
    with file.reading():
        facts = file.read()
        if facts.keys() != {"model", "platforms"} or facts["model"] != name:
            raise file.refused(
                f"{name} is already in the catalog; keep only `platforms` in the "
                "file to add platforms"
            )
        for platform, told in facts["platforms"].items():
            if platform in platforms:
                raise file.refused(f"the facts of {name} for {platform} are already in the catalog")
            platforms[platform] = told
