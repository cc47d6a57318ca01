"""Defines the intent keys of failures: power zones, joint failures and requirements."""

from typing import Annotated, Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from fabricgen.intent.model.fabric import FabricName
from fabricgen.intent.model.racks import SwitchNames
from fabricgen.intent.model.vocabulary import IntentModel, Name, SafeText

Percent = Annotated[float, Field(gt=0, le=100)]
Time = Annotated[int | None, Field(ge=0, le=600_000)]
Failing = Literal[
    "server-link", "link", "site-link", "leaf", "spine", "superspine", "power-zone", "double"
]


class PowerZone(IntentModel):
    """Switches that lose power together."""

    switches: list[SwitchNames] = Field(
        min_length=1, max_length=1000, description="Switches by name. `*` matches any characters."
    )


class PromiseWords(IntentModel):
    """A requirement that every failure must meet. `fabricgen failures` checks it."""

    fabric: FabricName | None = Field(None, description="Fabric of the requirement.")
    rails: bool = Field(
        False, description="Apply the requirement to each rail instead of the whole fabric."
    )
    tenant: Name | None = Field(None, description="Tenant of the requirement, instead of a fabric.")
    between: Annotated[list[FabricName], Field(min_length=2, max_length=2)] | None = Field(
        None, description="Two fabrics: the requirement is about the paths between them."
    )
    keeps: Percent | None = Field(
        None,
        description="Minimum percentage of bandwidth that remains for all servers. With "
        "`between`, of the bandwidth between both fabrics.",
    )
    each_server_keeps: Percent | None = Field(
        None,
        description="Minimum percentage of bandwidth that remains for each server that "
        "keeps the network.",
    )
    no_server_loses_it: bool = Field(
        False, description="Every server still reaches more than half of the other servers."
    )
    no_vrf_loses_it: bool = Field(
        False, description="With `between`: each joined VRF and VLAN keeps a path."
    )
    recovers_within: int | None = Field(
        None,
        ge=1,
        le=600_000,
        description="Maximum time until traffic flows again, in ms. Only figures with a source "
        "count (`recovery`).",
    )
    silent: bool | None = Field(
        None,
        description="With `recovers_within`: also for elements that fail while their links stay "
        "up. Default: true.",
    )
    after: list[Failing] | None = Field(
        None, min_length=1, description="Elements that fail, one at a time. Default: every element."
    )

    @model_validator(mode="after")
    def _complete(self) -> "PromiseWords":
        given = {key: self.unless_refused(key) for key in type(self).model_fields}
        if sum(given[key] is not None for key in ("fabric", "tenant", "between")) != 1:
            raise PydanticCustomError(
                "value", "give exactly one of `fabric`, `tenant` and `between`"
            )
        if given["rails"] and given["fabric"] is None:
            raise PydanticCustomError("value", "`rails` needs `fabric`")
        if given["between"] is not None and len(set(given["between"])) == 1:
            raise PydanticCustomError("value", "`between` needs two fabrics")
        if given["silent"] is not None and given["recovers_within"] is None:
            raise PydanticCustomError("value", "`silent` needs `recovers_within`")
        every = (
            *("keeps", "each_server_keeps", "no_server_loses_it", "recovers_within"),
            "no_vrf_loses_it",
        )
        own = every[:4] if given["between"] is None else (every[0], every[4])
        strange = [key for key in every if given[key] and key not in own]
        if strange:
            raise PydanticCustomError(
                "value",
                "`{key}` does not apply to {what}; remove it",
                {"key": strange[0], "what": "two sites" if given["between"] else "one"},
            )
        if not any(given[key] for key in own):
            raise PydanticCustomError(
                "value",
                "the promise has no requirement; add one of {words}",
                {"words": " or ".join(f"`{key}`" for key in own)},
            )
        return self


class RecoveryFigures(IntentModel):
    """Times of one platform, from its vendor or from a measurement on its hardware."""

    link_down: Time = Field(None, description="Until a switch acts on a port without light, in ms.")
    withdrawal: Time = Field(
        None, description="Until the next switch knows that a route ended, in ms."
    )
    fib_update: Time = Field(None, description="Until the ASIC forwards by other paths, in ms.")
    source: SafeText = Field(description="Document or measurement that states the times.")


class FailureWords(IntentModel):
    """Joint failures that `fabricgen failures` simulates, and the availability requirements."""

    power_zones: dict[Name, PowerZone] = Field(
        default_factory=dict, description="Sets of switches that lose power together, by name."
    )
    double_failures: list[Annotated[list[SafeText], Field(min_length=2, max_length=16)]] = Field(
        default_factory=list,
        max_length=1000,
        description="Lists of elements that fail together: switches, and ports as `switch:port`. "
        "Write a port as in `fabricgen model` (`29`, `1/2`).",
    )
    promises: dict[Name, PromiseWords] = Field(
        default_factory=dict, description="Availability requirements, by a name of your choice."
    )
    recovery: dict[Name, RecoveryFigures] = Field(
        default_factory=dict,
        description="Times of each platform (`eos`, `sonic`, `linux`) for `recovers_within`.",
    )
