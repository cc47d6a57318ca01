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
    """What a switch draws, as its maker prints it; None where that is not known.

    typical: without optics, or with passive copper. maximum: with all that its cages may draw.
    """

    typical: int | None
    maximum: int | None
    source: str


@record(kw_only=True)
class Latency:
    """Nanoseconds that a packet takes through an idle switch, as its maker prints it."""

    nanoseconds: int
    source: str


def read_watts(facts: Mapping[str, Any]) -> Watts | None:
    """Read the watts of a model, None where its file has none."""
    said = facts.get("watts")
    if said is None:
        return None
    return Watts(typical=said.get("typical"), maximum=said.get("maximum"), source=said["source"])


def read_latency(facts: Mapping[str, Any]) -> Latency | None:
    """Read the latency of a model, None where its file has none."""
    said = facts.get("latency")
    return None if said is None else Latency(**said)


@dataclass(frozen=True, kw_only=True, eq=False)
class SwitchModel:
    """One model. `platforms` holds the raw facts of each network OS that runs on it.

    asic: the name of its chip; chip: what is known of that, None where nothing is. hwsku: the one
    of its SKUs that the intent names; None where it follows from the ports. target: the release and
    topology that it runs. rack_units, watts, latency: None where no source gives them.
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
        """Return its name, as people read it."""
        return self.name

    @cached_property
    def usable(self) -> tuple[Cage, ...]:
        """Cages for fabric and servers, in faceplate order."""
        return tuple(cage for cage in self.cages if not cage.service)

    @cached_property
    def front(self) -> Self:
        """Return it with the leading cages that are alike alone; itself where all cages are."""
        alike = len([*takewhile(lambda cage: cage.modes == self.usable[0].modes, self.usable)])
        return self if alike == len(self.usable) else replace(self, cages=self.usable[:alike])

    @cached_property
    def back(self) -> Self:
        """Return it with the last cages that are alike alone; itself where all cages are."""
        last = self.usable[::-1]
        alike = len([*takewhile(lambda cage: cage.modes == last[0].modes, last)])
        return self if alike == len(last) else replace(self, cages=self.usable[-alike:])

    @cached_property
    def skus(self) -> Mapping[str, tuple[Sku, ...]]:
        """Its hardware SKUs by the platform that knows them, for its target."""
        tables = {
            name: read_skus(facts, self.cages, self.target)
            for name, facts in self.platforms.items()
        }
        return {name: skus for name, skus in tables.items() if skus}

    def eligible(self, platform: str) -> tuple[Sku, ...]:
        """Return the SKUs that it may run as on a platform that knows them."""
        return tuple(sku for sku in self.skus[platform] if self.hwsku in (None, sku.name))

    def speeds(self) -> list[BitsPerSecond]:
        """Return the speeds of its usable cages, fastest first."""
        return sorted({mode.speed for cage in self.usable for mode in cage.modes}, reverse=True)

    def has_speed(self, speed: BitsPerSecond) -> bool:
        """Tell whether every usable cage can run at `speed`."""
        return all(speed in speeds for speeds in self._speeds)

    @cached_property
    def _speeds(self) -> frozenset[frozenset[BitsPerSecond]]:
        """The speeds of each sort of its usable cages."""
        return frozenset(frozenset(mode.speed for mode in cage.modes) for cage in self.usable)


@cache
def _files() -> dict[str, list[FactFile]]:
    """Return the files of each model: the one with its cages, and those that add platforms.

    A file is named vendor-model.yaml, so that none has to be read to find the model.
    """
    known: dict[str, list[FactFile]] = {}
    for file in fact_files("switches/*.yaml"):
        model = file.path.stem.partition("-")[2]
        if file.brought and model != _name(file).lower():
            raise file.refused("a file is called vendor-model.yaml, in lower case")
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
    """Return the model of that name, or None when the catalog does not have it."""
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
    """Return the model as the intent has it run: one object for all switches that are alike."""
    return replace(model, hwsku=hwsku, target=target)


def read_switch(facts: Mapping[str, Any], chip: Asic | None) -> SwitchModel:
    """Read one model from what its file says."""
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
    """Add what a package knows of a model for platforms of its own."""
    with file.reading():
        facts = file.read()
        if facts.keys() != {"model", "platforms"} or facts["model"] != name:
            raise file.refused(f"{name} is in the catalog; a file adds `platforms` to it alone")
        for platform, told in facts["platforms"].items():
            if platform in platforms:
                raise file.refused(f"what {platform} needs of {name} is in the catalog already")
            platforms[platform] = told
