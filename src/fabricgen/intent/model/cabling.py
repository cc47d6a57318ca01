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
    """What a cable has more than its way."""

    meters: MetersWord = Field(0.5, description="At least so many meters.")
    percent: PercentWord = Field(10, description="At least so much of the way.")


class FabricMedia(IntentModel):
    """What the cables of a fabric are made of, the first that reaches; default: by its kind."""

    servers: list[MediumName] | None = Field(
        None, min_length=1, max_length=6, description="Cables to servers, in order of preference."
    )
    switches: list[MediumName] | None = Field(
        None, min_length=1, max_length=6, description="Cables between switches."
    )
    copper: int | None = Field(
        None, ge=1, le=100, description="Longest copper in meters, if shorter than it reaches."
    )
    optics: list[Annotated[str, Field(min_length=1, max_length=60)]] = Field(
        default_factory=list,
        max_length=20,
        description="Optics and cables by name that are taken before all others, where they fit.",
    )
    color: SafeText | None = Field(
        None, description="Color of the cables, for the bill and the labels."
    )


class Spares(IntentModel):
    """Spare parts in percent of each part, rounded up."""

    switches: PercentWord = Field(0, description="Of each model.")
    optics: PercentWord = Field(0, description="Of each optic.")
    cables: PercentWord = Field(
        0, description="Of each cable of one length, and of what is at panels."
    )


class Structured(IntentModel):
    """Fiber between racks by trunks from panel to panel; cords at both ends."""

    trunk: Literal[8, 12, 16, 24] = Field(
        12, description="Fibers of a trunk: MPO-12 with 8 or 12 of them, MPO-16, MPO-24."
    )
    between: list[Annotated[list[Name], Field(min_length=2, max_length=2)]] = Field(
        default_factory=list,
        max_length=64,
        description="Pairs of rack types that have trunks between them; default: all.",
    )
    spare: Annotated[float, Field(ge=0, le=400)] = Field(
        0, description="Percent of the fibers that lie ready besides."
    )
    next_fibers: Literal[2, 4, 8, 16, 32] | None = Field(
        None,
        description="Fibers of one cable at the next speed: whether the trunks have as many is "
        "checked.",
    )


class Panel(IntentModel):
    """One patch panel."""

    ports: int = Field(48, ge=1, le=288, description="Ports at its front.")
    units: int = Field(1, ge=1, le=8, description="Rack units.")


class Losses(IntentModel):
    """What light loses."""

    # The most that a vendor of 400G and 800G optics allows: MPO of low loss, LC of grade B
    # (IEC 61753-1), OM3 and OM4 alike, OS2 (docs.nvidia.com/networking/display/
    # intrcnctcabreqndr400eth, MPO/LC Cable Requirements). TIA-568.3 allows a pair 0.75 dB.
    mpo: Decibels = Field(0.35, description="dB where two MPO plugs meet.")
    lc: Decibels = Field(0.25, description="dB where two LC plugs meet.")
    multimode: Decibels = Field(3.0, description="dB per km of multimode fiber at 850 nm.")
    single_mode: Decibels = Field(0.4, description="dB per km of single-mode fiber at 1310 nm.")


class Counted(IntentModel):
    """A network that is bought and cabled, and that nothing here configures."""

    kind: Literal["NVLink", "InfiniBand", "Fibre Channel"] = Field(description="What it is.")
    switches: Annotated[int, Field(ge=0, le=100_000)] = Field(
        0, description="How many switches it has."
    )
    links: Annotated[int, Field(ge=0, le=10_000_000)] = Field(description="How many cables.")
    length: Annotated[float, Field(gt=0, le=10_000)] = Field(
        description="Of each cable, in meters; rounded up like all others."
    )
    medium: MediumName = Field(
        "copper", description="What they are made of; fiber has a transceiver at both ends."
    )
    watts: Annotated[int, Field(ge=0, le=100_000)] | None = Field(
        None, description="Of one switch, at most."
    )


class Cabling(IntentModel):
    """How cables are laid, and of what. All lengths are meters."""

    rack_width: Annotated[float, Field(gt=0, le=3)] = Field(
        0.6, description="From one place in a row to the next."
    )
    row_pitch: Annotated[float, Field(gt=0, le=50)] = Field(
        4.2, description="From one row to the next."
    )
    tray_rise: MetersWord = Field(0.45, description="From the top of a rack to the tray.")
    slack: Slack = Field(
        default_factory=Slack, description="What each cable is longer than its way."
    )
    lengths: list[Annotated[float, Field(gt=0, le=10_000)]] = Field(
        SOLD,
        min_length=1,
        max_length=64,
        description="Lengths that are sold; a cable is rounded up to one of them.",
    )
    media: dict[FabricName, FabricMedia] = Field(
        default_factory=dict, description="What the cables of each fabric are made of."
    )
    structured: dict[FabricName, Structured] = Field(
        default_factory=dict,
        description="Fabrics whose fiber between racks runs by trunks; default: each cable "
        "from port to port.",
    )
    panel: Panel = Field(default_factory=Panel, description="Patch panels.")
    manager: int | None = Field(
        None, ge=1, le=1000, description="Cables of a rack for each unit of cable manager."
    )
    losses: Losses = Field(default_factory=Losses, description="What light loses on its way.")

    other_networks: dict[FabricName, Counted] = Field(
        default_factory=dict,
        max_length=32,
        description="Networks beside the fabrics, for the bill alone.",
    )
    spares: Spares = Field(
        default_factory=Spares, description="Parts that are bought beside those that are built in."
    )
    minutes_per_cable: Annotated[float, Field(gt=0, le=480)] = Field(
        10, description="To lay, clean, inspect, plug and label one cable, both ends."
    )

    @model_validator(mode="after")
    def _rising(self) -> "Cabling":
        lengths = self.unless_refused("lengths") or []
        if sorted(set(lengths)) != lengths:
            raise PydanticCustomError("value", "`lengths` rise, and none is there twice")
        return self
