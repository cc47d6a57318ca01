"""The cable plant: geometry of the room, lengths that are sold, and which media are laid."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from fabricgen.intent.model.fabric import FabricName
from fabricgen.intent.model.vocabulary import SafeText, Words

MetresWord = Annotated[float, Field(ge=0, le=100)]
PercentWord = Annotated[float, Field(ge=0, le=100)]
MediumName = Literal["twisted-pair", "copper", "active-copper", "AOC", "multimode", "single-mode"]
SOLD = [0.5, 1, 1.5, 2, 3, 5, 7, 10, 15, 20, 25, 30, 50, 75, 100, 150, 200, 300, 500]


class Slack(Words):
    """What a cable has more than its way."""

    metres: MetresWord = Field(0.5, description="At least so many metres.")
    percent: PercentWord = Field(10, description="At least so much of the way.")


class FabricMedia(Words):
    """What the cables of a fabric are made of, the first that reaches; default: by its kind."""

    servers: list[MediumName] | None = Field(
        None, min_length=1, max_length=6, description="Cables to servers, in order of preference."
    )
    switches: list[MediumName] | None = Field(
        None, min_length=1, max_length=6, description="Cables between switches."
    )
    copper: int | None = Field(
        None, ge=1, le=100, description="Longest copper in metres, if shorter than it reaches."
    )
    optics: list[Annotated[str, Field(min_length=1, max_length=60)]] = Field(
        default_factory=list,
        max_length=20,
        description="Optics and cables by name that are taken before all others, where they fit.",
    )
    colour: SafeText | None = Field(
        None, description="Colour of the cables, for the bill and the labels."
    )


class Spares(Words):
    """Spare parts in percent of each part, rounded up."""

    switches: PercentWord = Field(0, description="Of each model.")
    optics: PercentWord = Field(0, description="Of each optic.")
    cables: PercentWord = Field(0, description="Of each cable of one length.")


class Cabling(Words):
    """How cables are laid, and of what. All lengths are metres."""

    rack_width: Annotated[float, Field(gt=0, le=3)] = Field(
        0.6, description="From one place in a row to the next."
    )
    row_pitch: Annotated[float, Field(gt=0, le=50)] = Field(
        4.2, description="From one row to the next."
    )
    tray_rise: MetresWord = Field(0.45, description="From the top of a rack to the tray.")
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

    spares: Spares = Field(
        default_factory=Spares, description="Parts that are bought beside those that are built in."
    )
    minutes_per_cable: Annotated[float, Field(gt=0, le=480)] = Field(
        10, description="To lay, clean, inspect, plug and label one cable, both ends."
    )

    @model_validator(mode="after")
    def _rising(self) -> Cabling:
        lengths = self.unless_refused("lengths") or []
        if sorted(set(lengths)) != lengths:
            raise PydanticCustomError("value", "`lengths` rise, and none is there twice")
        return self
