"""Defines the intent keys of the bandwidth that a fabric with tenants or rails must carry."""

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from fabricgen.intent.model.vocabulary import IntentModel, Speed

PURPOSES = ("ingest", "inference", "checkpoint", "storage_reads")


class FabricDemand(IntentModel):
    """Bandwidth of all servers together, in one direction, that crosses every tier at one time."""

    ingest: Speed | None = Field(None, description="Data that enters from outside.")
    inference: Speed | None = Field(None, description="Answers to users outside.")
    checkpoint: Speed | None = Field(None, description="Checkpoints to storage on this fabric.")
    storage_reads: Speed | None = Field(None, description="Reads from storage on this fabric.")
    growth: float = Field(
        1.0, ge=1, le=1000, description="Factor that all rates grow by. A warning names its limit."
    )
    years: float | None = Field(
        None,
        gt=0,
        le=50,
        description="Years until `growth` is reached, with equal growth every year.",
    )

    @model_validator(mode="after")
    def _said(self) -> "FabricDemand":
        if self.whole and not any(getattr(self, name) for name in PURPOSES):
            raise PydanticCustomError(
                "value",
                "the demand has no rate; add one of {words}",
                {"words": ", ".join(f"`{name}`" for name in PURPOSES)},
            )
        if self.whole and self.years is not None and self.growth == 1:
            raise PydanticCustomError("value", "`years` needs a `growth` above 1")
        return self


DEMAND = Field(
    None,
    description="Bandwidth that the fabric must carry. Less bandwidth of a tier, of the server "
    "ports or of the external links is an error.",
)
