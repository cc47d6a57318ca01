"""Defines the keys of an optic, or of a cable with fixed ends, in the catalog."""

from typing import Annotated, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from fabricgen.intent.model.facts import LaneCount, ModeName, Source
from fabricgen.intent.model.vocabulary import IntentModel, SafeText
from fabricgen.model.catalog.optics import Kind, Media

Meter = Annotated[int, Field(ge=1, le=200_000)]
Dbm = Annotated[float, Field(ge=-60, le=30)]
Spoken = dict[ModeName, SafeText]


class OpticFacts(IntentModel):
    """One optic, or a cable with fixed ends. Values without a source are omitted."""

    kind: Kind = Field(description="A module for fiber, or a cable with fixed ends.")
    cages: dict[SafeText, Annotated[Spoken, Field(min_length=1)]] = Field(
        min_length=1,
        max_length=4,
        description="Media by form of cage and mode of use, for example {2x400G: 400GBASE-DR4}. "
        "A cable has two forms, or one form if its ends are equal.",
    )
    lanes: LaneCount = Field(description="Electrical lanes of the module.")
    reach: Annotated[int, Field(ge=0, le=200_000)] = Field(
        description="Reach in meters without amplifiers, including all patch panels. 0 for optics "
        "of amplified lines only."
    )
    less: dict[ModeName, Meter] = Field(
        default_factory=dict, description="Reach in meters of modes that reach less."
    )
    media: Media
    connector: SafeText | None = None
    fibers: int | None = Field(None, ge=1, le=64, description="Fibers in both directions together.")
    wavelength: SafeText | None = None
    fec: SafeText | None = Field(None, description="Required forward error correction.")
    power: float | None = Field(None, gt=0, le=100, description="Maximum watts of one end.")
    loss: float | None = Field(
        None, gt=0, le=50, description="Maximum loss in dB of the fiber, including all panels."
    )
    amplified: int | None = Field(
        None, ge=1, le=5_000_000, description="Reach in meters over an amplified line."
    )
    dispersion: int | None = Field(
        None, ge=1, le=1_000_000, description="Tolerated chromatic dispersion in ps/nm."
    )
    osnr: float | None = Field(None, gt=0, le=50, description="Needed OSNR in dB for 0.1 nm.")
    latency: float | None = Field(
        None, gt=0, le=1000, description="Latency in one end in microseconds."
    )
    receive: Annotated[list[Dbm], Field(max_length=2)] | None = Field(
        None,
        description="Minimum and maximum average power in dBm that one lane receives, for the "
        "acceptance sheet.",
    )
    source: Source

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        spoken = {mode for modes in self.cages.values() for mode in modes}
        for mode in sorted(self.less.keys() - spoken):
            sentence = "`less` lists {mode}, but no cage has this mode"
            raise PydanticCustomError("value", sentence, {"mode": mode})
        if not (self.reach or self.amplified):
            raise PydanticCustomError("value", "an optic needs a `reach`, or one that is amplified")
        pair = self.receive
        if pair is not None and (len(pair) < len(("least", "most")) or pair[0] >= pair[1]):
            raise PydanticCustomError("value", "`receive` needs a minimum and then a maximum")
        if any(meters > self.reach for meters in self.less.values()):
            raise PydanticCustomError("value", "a value of `less` exceeds `reach`")
        if self.kind != "transceiver" and len(self.cages) > len(("near", "far")):
            raise PydanticCustomError("value", "a cable has two ends; give one or two forms")
        return self
