"""Defines the intent keys of a frontend's traffic classes, which share its bandwidth."""

from typing import Annotated

from pydantic import Field

from fabricgen.intent.model.vocabulary import Dscp, IntentModel


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
