"""Defines the gates of a site: rules of `fabricgen diff` for every change."""

from collections.abc import Callable
from typing import Annotated, Literal

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from fabricgen.core.diagnostics import IntentPath, did_you_mean
from fabricgen.core.late import Late
from fabricgen.intent.model.vocabulary import OWNER, PLACE, IntentModel

SEPARATOR = "/"
_KNOWN: Late[Callable[[IntentPath], bool]] = Late("fabricgen.intent.paths:known")
_BELOW: Late[Callable[[IntentPath], list[str]]] = Late("fabricgen.intent.paths:known_below")
"""Paths follow from all models, this one included, so their functions are imported when needed."""
Bar = Literal["session-reset", "lossless-disruptive", "reboot"]


def _path(text: str) -> str:
    known = _KNOWN.load()
    steps = steps_of(text)
    end = next((end for end in range(1, len(steps) + 1) if not known(steps[:end])), None)
    if end is not None:
        hint = did_you_mean(steps[end - 1], _BELOW.load()(steps[: end - 1]))
        raise PydanticCustomError(
            "value",
            "must be the path of a key, for example tenants/acme: there is no {step} ({hint})",
            {"step": repr(steps[end - 1]), "hint": hint or "it has no keys"},
        )
    return text


Owner = Annotated[str, Field(pattern=OWNER, examples=["@net-acme"])]
Owners = Annotated[list[Owner], Field(min_length=1, max_length=100)]
Place = Annotated[str, Field(max_length=200, pattern=PLACE), AfterValidator(_path)]


class ReviewLimits(IntentModel):
    """Greatest size of one change."""

    switches: Annotated[int, Field(ge=0, le=100_000)] | None = Field(
        None, description="Most switches that change, come or go."
    )
    servers: Annotated[int, Field(ge=0, le=1_000_000)] | None = Field(
        None, description="Most servers that lose something. Refused where this is not known."
    )
    gpus: Annotated[int, Field(ge=0, le=10_000_000)] | None = Field(
        None, description="Most GPUs whose servers lose something. Refused where it is not known."
    )


class ReviewRules(IntentModel):
    """Gates of `fabricgen diff`. Side A has the gates, so a change cannot relax its own gates."""

    fail_on: Bar | None = Field(
        None, description="Refuse changes of this risk or a higher one. Default: no risk."
    )
    freeze: list[Place] = Field(
        default_factory=list,
        max_length=1000,
        description="Keys that must not change, for example `tenants/acme` or `backend`: not in "
        "the intent, not on a switch of the fabric, and no server of the tenant may lose anything.",
    )
    owners: dict[Place, Owners] = Field(
        default_factory=dict,
        max_length=1000,
        description="Owners by key, for example `tenants/acme: ['@net-acme']`. One owner of each "
        "changed key must approve (`diff --owner`). The owners of `review` approve its changes.",
    )
    limits: ReviewLimits = Field(default_factory=ReviewLimits, description="Limits of one change.")
    allow_own_declaration: list[Owner] = Field(
        default_factory=list,
        max_length=100,
        description="Owners whose approval permits a declared change that the change itself brings "
        "or edits. Default: it is refused.",
    )


def steps_of(place: str) -> tuple[str, ...]:
    """Return the keys of a place."""
    return tuple(place.split(SEPARATOR))
