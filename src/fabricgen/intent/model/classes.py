"""Defines the intent keys of a frontend's traffic classes, which share its bandwidth."""

from typing import Annotated

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from fabricgen.intent.model.vocabulary import Dscp, IntentModel


class ClassEcn(IntentModel):
    """ECN marking of a class that may lose packets. Servers must ask for ECN in TCP."""

    minimum: int = Field(
        ge=1500, le=256_000_000, description="Queue in bytes from which packets are marked."
    )
    maximum: int = Field(
        ge=1500, le=256_000_000, description="Queue in bytes above which every packet is marked."
    )
    probability: int = Field(
        100, ge=1, le=100, description="Marking probability at the maximum, in %."
    )

    @model_validator(mode="after")
    def _rising(self) -> "ClassEcn":
        low, high = self.unless_refused("minimum"), self.unless_refused("maximum")
        if low is not None and high is not None and low >= high:
            raise PydanticCustomError(
                "value",
                "`minimum: {low}` must be below `maximum: {high}`",
                {"low": low, "high": high},
            )
        return self


class TenantClass(IntentModel):
    """One class: its queue, its DSCPs, and its share of a congested port."""

    queue: int = Field(
        ge=1,
        le=6,
        description="Queue and traffic class, the same on every switch. 0 is best effort, 7 is "
        "control traffic, and `roce` has its own.",
    )
    dscps: Annotated[list[Dscp], Field(min_length=1, max_length=16)] = Field(
        description="DSCPs of the class. Ports that mark packets write the first one."
    )
    share: int = Field(
        ge=1,
        le=98,
        description="Share in % of a congested port. Other classes may use the share of an idle "
        "class. Best effort has the rest, or the share in `roce.scheduler`.",
    )
    ecn: ClassEcn | None = Field(
        None,
        description="ECN marking of the class on every port, for TCP with ECN (DCTCP). Default: "
        "full queues drop packets.",
    )
