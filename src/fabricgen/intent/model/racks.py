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
    """One kind of equipment in a rack."""

    switches: SwitchNames | None = Field(
        None,
        description="Switches by name, with the placeholders site, type, rack, row and position. "
        "`*` matches any characters. Every rack needs at least one match.",
    )
    airflow: Literal["port-side-intake", "port-side-exhaust"] | None = Field(
        None, description="Airflow direction of `switches`, by the fans ordered with them."
    )
    pdus: int | None = Field(None, ge=1, le=16, description="Power distribution units.")
    servers: Name | None = Field(
        None,
        description="Kind of servers. The names of kinds from a fabric's own key are backend, "
        "frontend-GROUP and storage-SIDE, for example frontend-racks or storage-compute.",
    )
    count: int | None = Field(
        None, ge=1, le=96, description="Number of servers of that kind per rack."
    )
    first: int | None = Field(
        None, ge=1, description="Number of the first server in the first rack. Default: 1."
    )
    unit: int | None = Field(
        None,
        ge=1,
        le=60,
        description="Lowest rack unit of the first item; the others are above it. Default: servers "
        "from the bottom up, switches from the top down, power units at the side.",
    )

    @model_validator(mode="after")
    def _one(self) -> "Held":
        kinds = (self.switches, self.pdus, self.servers)
        if sum(kind is not None for kind in kinds) != 1:
            raise PydanticCustomError(
                "value", "give exactly one of `servers`, `switches` and `pdus`"
            )
        if (self.servers is None) is not (self.count is None):
            raise PydanticCustomError("value", "`servers` and `count` are needed together")
        if self.servers is None and self.first is not None:
            raise PydanticCustomError("value", "`first` needs `servers`")
        if self.switches is None and self.airflow is not None:
            raise PydanticCustomError("value", "`airflow` needs `switches`")
        return self


class RackType(IntentModel):
    """Racks of one type. Adding racks moves no existing rack."""

    count: int = Field(1, ge=1, le=10_000, description="Number of racks.")
    row: int = Field(1, ge=1, le=999, description="Row of the first rack.")
    position: int = Field(1, ge=1, le=999, description="Position of the first rack in its row.")
    per_row: int | None = Field(
        None, ge=1, le=999, description="Racks of the type in one row. Default: all racks."
    )
    skips: list[Annotated[int, Field(ge=1, le=999)]] = Field(
        default_factory=list,
        max_length=100,
        description="Positions of each row that are left to other types, for example racks of "
        "leafs.",
    )
    height: int = Field(42, ge=4, le=60, description="Rack units of each rack.")
    panels: int = Field(
        0,
        ge=0,
        le=40,
        description="Units at the top that are reserved for panels and cable managers.",
    )
    power: int | None = Field(None, ge=100, le=1_000_000, description="Maximum watts of each rack.")
    ports: Literal["cold-aisle", "hot-aisle"] | None = Field(
        None, description="Aisle that the switch ports face."
    )
    units: dict[HeldName, Annotated[int, Field(ge=1, le=60)]] = Field(
        default_factory=dict,
        description="Lowest rack unit of switches and servers with another position, by name.",
    )
    names: Pattern = Field(
        "r{row:02}-{position:02}",
        description="Rack name pattern with the placeholders site, type, rack, row and position.",
    )
    contents: list[Held] = Field(
        min_length=1,
        max_length=64,
        description="Contents of a rack, in the order of its management ports. Add new entries "
        "at the end.",
    )
