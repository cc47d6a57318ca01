"""Defines the intent keys of a frontend's traffic classes, which share its bandwidth."""

from typing import Annotated

from pydantic import Field

from fabricgen.intent.model.vocabulary import Dscp, IntentModel


class TenantClass(IntentModel):
    """One class: its queue, the DSCPs that are in it, and its share where a port is full."""

    queue: int = Field(
        ge=1,
        le=6,
        description="Queue and traffic class, the same on every switch; 0 is best effort, 7 is "
        "control traffic, and `roce` has its own.",
    )
    dscps: Annotated[list[Dscp], Field(min_length=1, max_length=16)] = Field(
        description="DSCPs that are in it. Ports that mark write the first one."
    )
    share: int = Field(
        ge=1,
        le=98,
        description="Share of a port in % where it is full; an idle class lends its share. Best "
        "effort has what the classes leave, or `roce.scheduler` says.",
    )
