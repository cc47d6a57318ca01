"""Defines the intent keys of failures: power zones, joint failures and promised availability."""

from typing import Annotated, Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from fabricgen.intent.model.fabric import FabricName
from fabricgen.intent.model.racks import SwitchNames
from fabricgen.intent.model.vocabulary import IntentModel, Name, SafeText

Percent = Annotated[float, Field(gt=0, le=100)]
Failing = Literal[
    "server-link", "link", "site-link", "leaf", "spine", "superspine", "power-zone", "double"
]


class PowerZone(IntentModel):
    """Switches that lose power together."""

    switches: list[SwitchNames] = Field(
        min_length=1, max_length=1000, description="Switches by name; `*` stands for any letters."
    )


class PromiseWords(IntentModel):
    """A requirement that every failure must meet; `fabricgen failures` checks it."""

    fabric: FabricName | None = Field(None, description="The fabric it is about.")
    rails: bool = Field(False, description="About each rail of the fabric, not about its whole.")
    tenant: Name | None = Field(None, description="The tenant it is about, in place of a fabric.")
    between: Annotated[list[FabricName], Field(min_length=2, max_length=2)] | None = Field(
        None, description="Two fabrics: it is about the ways between them, in place of a fabric."
    )
    keeps: Percent | None = Field(
        None,
        description="Per cent of its bandwidth that are left at least, of all its servers; with "
        "`between`, of the bandwidth between both.",
    )
    each_server_keeps: Percent | None = Field(
        None, description="The same of each server that does not lose it."
    )
    no_server_loses_it: bool = Field(
        False, description="Every server still reaches more than half of the others."
    )
    no_vrf_loses_it: bool = Field(
        False, description="With `between`: each VRF and VLAN that goes on there keeps a way."
    )
    after: list[Failing] | None = Field(
        None,
        min_length=1,
        description="What fails, one at a time; default: each of them that there is.",
    )

    @model_validator(mode="after")
    def _complete(self) -> "PromiseWords":
        given = {key: self.unless_refused(key) for key in type(self).model_fields}
        if sum(given[key] is not None for key in ("fabric", "tenant", "between")) != 1:
            raise PydanticCustomError("value", "give one of `fabric`, `tenant` and `between`")
        if given["rails"] and given["fabric"] is None:
            raise PydanticCustomError("value", "`rails` are those of a `fabric`")
        if given["between"] is not None and len(set(given["between"])) == 1:
            raise PydanticCustomError("value", "`between` are two fabrics")
        every = ("keeps", "each_server_keeps", "no_server_loses_it", "no_vrf_loses_it")
        own = every[:3] if given["between"] is None else (every[0], every[3])
        strange = [key for key in every if given[key] and key not in own]
        if strange:
            raise PydanticCustomError(
                "value",
                "`{key}` is no word of a promise about {what}",
                {"key": strange[0], "what": "two sites" if given["between"] else "one"},
            )
        if not any(given[key] for key in own):
            raise PydanticCustomError(
                "value",
                "nothing is promised: {words}",
                {"words": " or ".join(f"`{key}`" for key in own)},
            )
        return self


class FailureWords(IntentModel):
    """Failures that `fabricgen failures` simulates beyond single ones, and the requirements."""

    power_zones: dict[Name, PowerZone] = Field(
        default_factory=dict, description="Sets of switches that lose power together, by name."
    )
    double_failures: list[Annotated[list[SafeText], Field(min_length=2, max_length=16)]] = Field(
        default_factory=list,
        max_length=1000,
        description="Lists of what fails together: switches, and ports as `switch:port`, a port "
        "written as in `fabricgen model` (`29`, `1/2`).",
    )
    promises: dict[Name, PromiseWords] = Field(
        default_factory=dict, description="What is kept, by a name of yours."
    )
