"""Defines the intent keys of the cable plant: room geometry, sold lengths and media."""

from typing import Annotated, Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from fabricgen.intent.model.fabric import FabricName
from fabricgen.intent.model.vocabulary import IntentModel, Name, SafeText

MetersWord = Annotated[float, Field(ge=0, le=100)]
PercentWord = Annotated[float, Field(ge=0, le=100)]
MediumName = Literal["twisted-pair", "copper", "active-copper", "AOC", "multimode", "single-mode"]
Decibels = Annotated[float, Field(ge=0, le=10)]
SOLD = [0.5, 1, 1.5, 2, 3, 5, 7, 10, 15, 20, 25, 30, 50, 75, 100, 150, 200, 300, 500]


class Slack(IntentModel):
    """Extra length of a cable beyond its path."""

    meters: MetersWord = Field(0.5, description="Minimum extra length in meters.")
    percent: PercentWord = Field(10, description="Minimum extra length in percent of the path.")


class FabricMedia(IntentModel):
    """Media of a fabric's cables: the first entry that reaches. Default: by kind of fabric."""

    servers: list[MediumName] | None = Field(
        None, min_length=1, max_length=6, description="Cables to servers, in order of preference."
    )
    switches: list[MediumName] | None = Field(
        None, min_length=1, max_length=6, description="Cables between switches."
    )
    copper: int | None = Field(
        None,
        ge=1,
        le=100,
        description="Maximum length of copper in meters, if shorter than its reach.",
    )
    optics: list[Annotated[str, Field(min_length=1, max_length=60)]] = Field(
        default_factory=list,
        max_length=20,
        description="Names of optics and cables that are preferred where they fit.",
    )
    color: SafeText | None = Field(
        None, description="Color of the cables, for the bill of materials and the labels."
    )
    jacket: Literal["LSZH", "riser", "plenum"] | None = Field(
        None,
        description="Jacket of fiber and twisted pair, for the bill of materials and the labels. "
        "The building code decides it, so there is no default.",
    )


class Spares(IntentModel):
    """Spare parts in percent of each part, rounded up."""

    switches: PercentWord = Field(0, description="For each switch model.")
    optics: PercentWord = Field(0, description="For each type of optic.")
    cables: PercentWord = Field(
        0, description="For each cable type and length, and for parts at panels."
    )


class Structured(IntentModel):
    """Fiber trunks between the panels of racks, with cords at both ends."""

    trunk: Literal[8, 12, 16, 24] = Field(
        12, description="Fibers of a trunk: MPO-12 with 8 or 12 fibers, MPO-16, or MPO-24."
    )
    between: list[Annotated[list[Name], Field(min_length=2, max_length=2)]] = Field(
        default_factory=list,
        max_length=64,
        description="Pairs of rack types that are joined by trunks. Default: all pairs.",
    )
    through: dict[Name, Literal["interconnect", "cross-connect"]] = Field(
        default_factory=dict,
        max_length=16,
        description="Rack types of `between` whose panels connect trunks, such as a zone. With "
        "interconnect two trunks meet in an adapter. With cross-connect a cord joins two panels.",
    )
    most_panels: int = Field(
        4, ge=2, le=8, description="Maximum panels of one channel, with the panels of both ends."
    )
    spare: Annotated[float, Field(ge=0, le=400)] = Field(0, description="Percent of spare fibers.")
    polarity: Literal["A", "B"] = Field(
        "B",
        description="Polarity method of TIA-568.3. A: type-A trunks, and a crossed cord at the "
        "lower end. B: type-B trunks and equal cords.",
    )
    gender: Literal["pinned", "unpinned"] | None = Field(
        None,
        description="Gender of all MPO plugs of the trunks. Default: pinned in adapters, unpinned "
        "behind cassettes.",
    )
    next_fibers: Literal[2, 4, 8, 16, 32] | None = Field(
        None,
        description="Fibers of one cable at the next speed. fabricgen checks that the trunks "
        "have enough fibers.",
    )


class Panel(IntentModel):
    """One patch panel."""

    ports: int = Field(48, ge=1, le=288, description="Front ports.")
    units: int = Field(1, ge=1, le=8, description="Rack units.")


class Losses(IntentModel):
    """Optical loss."""

    # Maximum loss that a vendor of 400G and 800G optics allows: low-loss MPO, grade B LC (IEC
    # 61753-1), OM3, OM4 and OS2 (docs.nvidia.com/networking/display/ intrcnctcabreqndr400eth,
    # MPO/LC Cable Requirements). TIA-568.3 allows a pair 0.75 dB.
    mpo: Decibels = Field(0.35, description="dB per junction of two MPO plugs.")
    lc: Decibels = Field(0.25, description="dB per junction of two LC plugs.")
    multimode: Decibels = Field(3.0, description="dB per km of multimode fiber at 850 nm.")
    single_mode: Decibels = Field(0.4, description="dB per km of single-mode fiber at 1310 nm.")


class Counted(IntentModel):
    """A network that is bought and cabled, but not configured by fabricgen."""

    kind: Literal["NVLink", "InfiniBand", "Fibre Channel"] = Field(description="Type of network.")
    switches: Annotated[int, Field(ge=0, le=100_000)] = Field(0, description="Number of switches.")
    links: Annotated[int, Field(ge=0, le=10_000_000)] = Field(description="Number of cables.")
    length: Annotated[float, Field(gt=0, le=10_000)] = Field(
        description="Length of each cable in meters, rounded up like all cables."
    )
    medium: MediumName = Field(
        "copper", description="Cable medium. Fiber has a transceiver at both ends."
    )
    watts: Annotated[int, Field(ge=0, le=100_000)] | None = Field(
        None, description="Maximum power of one switch in watts."
    )


class Cabling(IntentModel):
    """Cable routes and media. All lengths are in meters."""

    rack_width: Annotated[float, Field(gt=0, le=3)] = Field(
        0.6, description="Distance between neighboring positions of a row."
    )
    row_pitch: Annotated[float, Field(gt=0, le=50)] = Field(
        4.2, description="Distance between neighboring rows."
    )
    tray_rise: MetersWord = Field(0.45, description="Height from the top of a rack to the tray.")
    slack: Slack = Field(
        default_factory=Slack, description="Extra length of each cable beyond its path."
    )
    lengths: list[Annotated[float, Field(gt=0, le=10_000)]] = Field(
        SOLD,
        min_length=1,
        max_length=64,
        description="Lengths for sale. A cable is rounded up to one of them.",
    )
    media: dict[FabricName, FabricMedia] = Field(
        default_factory=dict, description="Media of each fabric's cables."
    )
    structured: dict[FabricName, Structured] = Field(
        default_factory=dict,
        description="Fabrics whose fiber between racks runs through trunks. Default: each cable "
        "runs from port to port.",
    )
    panel: Panel = Field(default_factory=Panel, description="Patch panels.")
    manager: int | None = Field(
        None, ge=1, le=1000, description="Cables of a rack per unit of cable manager."
    )
    losses: Losses = Field(default_factory=Losses, description="Optical loss on the path.")

    other_networks: dict[FabricName, Counted] = Field(
        default_factory=dict,
        max_length=32,
        description="Other networks that only the bill of materials includes.",
    )
    spares: Spares = Field(default_factory=Spares, description="Spare parts to buy.")
    minutes_per_cable: Annotated[float, Field(gt=0, le=480)] = Field(
        10, description="Minutes to lay, clean, inspect, plug and label one cable at both ends."
    )

    @model_validator(mode="after")
    def _rising(self) -> "Cabling":
        lengths = self.unless_refused("lengths") or []
        if sorted(set(lengths)) != lengths:
            raise PydanticCustomError("value", "`lengths` must rise without duplicates")
        return self
