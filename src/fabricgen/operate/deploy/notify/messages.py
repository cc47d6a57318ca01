"""Define and validate inventory/notify.yaml: the webhooks that receive events of a push."""

from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from fabricgen.intent.model.secret import SecretReference


class News(StrEnum):
    """Events that a webhook may receive."""

    BREAK_GLASS = "break-glass"
    BEGUN = "begun"
    BATCH = "batch"
    ENDED = "ended"


class _Words(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", hide_input_in_errors=True)


class Hook(_Words):
    """One webhook."""

    url: SecretReference = Field(
        description="Reference to the URL: a user who knows the URL can send to it."
    )
    style: Literal["json", "slack"] = Field("json", description="Format of the messages.")
    on: list[Literal["break-glass", "begun", "batch", "ended"]] | None = Field(
        None, min_length=1, description="Events to send. Default: all."
    )


class Notify(_Words):
    """Content of inventory/notify.yaml."""

    webhooks: list[Hook] = Field(
        default_factory=list, description="Each webhook receives the events of every push."
    )
