"""Defines and validates inventory/notify.yaml: the webhooks that receive events of a push."""

from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from fabricgen.intent.model.secret import SecretReference


class News(StrEnum):
    """What a webhook may hear of."""

    BREAK_GLASS = "break-glass"
    BEGUN = "begun"
    BATCH = "batch"
    ENDED = "ended"


class _Words(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", hide_input_in_errors=True)


class Hook(_Words):
    """One webhook."""

    url: SecretReference = Field(description="Where its URL is kept: who knows it can write there.")
    style: Literal["json", "slack"] = Field("json", description="What is sent to it.")
    on: list[Literal["break-glass", "begun", "batch", "ended"]] | None = Field(
        None, min_length=1, description="What it hears of; without it, all."
    )


class Notify(_Words):
    """inventory/notify.yaml."""

    webhooks: list[Hook] = Field(default_factory=list, description="Each hears of every push.")
