"""Defines acknowledgments: findings that the owner of a site accepts until a date."""

from datetime import date
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from fabricgen.intent.model.vocabulary import IntentModel, SafeText

CODE = r"^[A-Z][A-Z0-9]{1,15}$"


def _read_date(value: Any) -> date:
    if isinstance(value, str):
        try:
            return date.fromisoformat(value)
        except ValueError:
            pass
    elif isinstance(value, date):
        return value
    raise PydanticCustomError("value", "must be a date, for example 2027-06-30")


Day = Annotated[
    date, BeforeValidator(_read_date), WithJsonSchema({"type": "string", "format": "date"})
]


class Acknowledgment(IntentModel):
    """Findings that are known and accepted. Errors cannot be acknowledged."""

    code: Annotated[
        str, Field(pattern=CODE, description="Code of the findings, for example FG211.")
    ]
    where: SafeText = Field(
        description="Intent key of the findings, or a key above it, for example `backend` or "
        "`backend.roce`."
    )
    text: SafeText | None = Field(
        None,
        description="Part of the message. The findings return when the message no longer "
        "contains it, for example because a number changed.",
    )
    count: int = Field(
        1,
        ge=1,
        le=10_000,
        description="Number of accepted findings. All of these findings return if the number "
        "grows.",
    )
    why: SafeText = Field(description="Reason why the findings are accepted.")
    owner: SafeText | None = Field(None, description="Person or team that accepts them.")
    until: Day = Field(description="Last day of the acknowledgment.")
