"""Defines the intent keys of racks: types, positions and the contents of each type."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from fabricgen.intent.model.vocabulary import IntentModel, Name, Pattern, checked_pattern


def _switches(value: Any) -> str:
    return checked_pattern(value, more="*")


SwitchNames = Annotated[
    str,
    BeforeValidator(_switches),
    WithJsonSchema({"type": "string", "examples": ["be-su{rack:02}-*", "fe-leaf{rack:02}"]}),
]


HeldName = Annotated[str, Field(pattern=r"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$")]


class Held(IntentModel):
    """One kind of thing that stands in a rack."""

    switches: SwitchNames | None = Field(
        None,
        description="Switches by name; words: site, type, rack, row, position; `*` stands for any "
        "letters. In every rack at least one has to be there.",
    )
    airflow: Literal["port-side-intake", "port-side-exhaust"] | None = Field(
        None,
        description="Where air goes in or out of these switches, by the fans ordered with them.",
    )
    pdus: int | None = Field(None, ge=1, le=16, description="Power distribution units.")
    servers: Name | None = Field(
        None,
        description="Kind of servers; those that a fabric's own key says are called after it and "
        "their group or side: backend, frontend-racks, storage-compute.",
    )
    count: int | None = Field(None, ge=1, le=96, description="How many servers of that kind.")
    first: int | None = Field(
        None, ge=1, description="Number of the first server in the first rack; default: 1."
    )
    unit: int | None = Field(
        None,
        ge=1,
        le=60,
        description="Lowest rack unit of the first one, the others above it; default: servers from "
        "the bottom up, switches from the top down, and power units at the side.",
    )

    @model_validator(mode="after")
    def _one(self) -> "Held":
        kinds = (self.switches, self.pdus, self.servers)
        if sum(kind is not None for kind in kinds) != 1:
            raise PydanticCustomError("value", "give one of `servers`, `switches` and `pdus`")
        if (self.servers is None) is not (self.count is None):
            raise PydanticCustomError("value", "`servers` and `count` go together")
        if self.servers is None and self.first is not None:
            raise PydanticCustomError("value", "`first` is that of `servers`")
        if self.switches is None and self.airflow is not None:
            raise PydanticCustomError("value", "`airflow` is that of `switches`")
        return self


class RackType(IntentModel):
    """Racks that are alike; rack r is the r-th of its type, and more of them move none."""

    count: int = Field(1, ge=1, le=10_000, description="How many there are.")
    row: int = Field(1, ge=1, le=999, description="Row of the first one.")
    position: int = Field(1, ge=1, le=999, description="Place of the first one in its row.")
    per_row: int | None = Field(
        None, ge=1, le=999, description="Racks of the type in one row; default: all of them."
    )
    skips: list[Annotated[int, Field(ge=1, le=999)]] = Field(
        default_factory=list,
        max_length=100,
        description="Places of each row that racks of the type leave to others, as the leafs'.",
    )
    height: int = Field(42, ge=4, le=60, description="Rack units of each.")
    panels: int = Field(
        0, ge=0, le=40, description="Units at the top, kept for panels and cable managers."
    )
    power: int | None = Field(
        None, ge=100, le=1_000_000, description="Watts that each has at most."
    )
    ports: Literal["cold-aisle", "hot-aisle"] | None = Field(
        None, description="The aisle that the ports of its switches look at."
    )
    units: dict[HeldName, Annotated[int, Field(ge=1, le=60)]] = Field(
        default_factory=dict,
        description="Lowest rack unit of switches and servers that stand otherwise, by name.",
    )
    names: Pattern = Field(
        "r{row:02}-{position:02}",
        description="Rack names; words: site, type, rack, row, position.",
    )
    contents: list[Held] = Field(
        min_length=1,
        max_length=64,
        description="What stands in it, in the order of its management ports; new ones go to the "
        "end.",
    )
