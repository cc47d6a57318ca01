"""Defines the file of a declared change: its meaning, its effects and the servers that it hits."""

import re
from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from fabricgen.core.diagnostics import did_you_mean
from fabricgen.intent.model.vocabulary import IntentModel

NOBODY = "nobody"
ACTS = ("added", "removed", "changed", "moved", "renamed", "replaced")
"""First word of an effect, as in `review.model.Act`."""
MOST = 2_000
"""Maximum number of effects in a file."""
Losing = Literal["bandwidth", "leg", "network", "server"]
_KIND = re.compile(r"[a-z]")


def _effect(text: str) -> str:
    act, _, rest = text.partition(" ")
    if act not in (*ACTS, "*"):
        hint = did_you_mean(act, ACTS, most=6)
        raise PydanticCustomError(
            "value",
            "must start with what happens, for example `added vlan 310` ({hint})",
            {"hint": hint},
        )
    if not _KIND.match(rest):
        raise PydanticCustomError(
            "value",
            "must name the kind of the effect after its first word, for example `added vlan *`: "
            "`*` alone declares everything",
        )
    return text


def _list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _hits(value: Any) -> Any:
    if value == NOBODY:
        return []
    if isinstance(value, str):
        raise PydanticCustomError(
            "value", "must be `nobody` or a list of entries with `servers` and `loss`"
        )
    return value


Plain = Annotated[str, Field(min_length=1, max_length=300)]
Globs = Annotated[
    list[Plain],
    BeforeValidator(_list),
    Field(min_length=1, max_length=500),
    WithJsonSchema(
        {
            "oneOf": [
                {"type": "string", "minLength": 1},
                {"type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 1},
            ]
        }
    ),
]
"""One name or several. `*` matches any characters."""


class DeclaredEffect(IntentModel):
    """One effect that is meant."""

    effect: Annotated[Plain, AfterValidator(_effect)] = Field(
        description="Key of the effect, as `diff --declare` prints it. `*` matches any characters, "
        "but the kind must be written."
    )
    on: Globs | None = Field(
        None,
        description="Switches and servers of the effect, one name or a list. `*` matches any "
        "characters. Default: all.",
    )
    before: Plain | None = Field(None, description="Old value. Default: any.")
    after: Plain | None = Field(None, description="New value. Default: any.")


class DeclaredHit(IntentModel):
    """Servers that may lose something, and their greatest loss."""

    servers: Globs | None = Field(
        None, description="Names of the servers, one or a list. `*` matches any characters."
    )
    tenant: Plain | None = Field(None, description="Tenant of all these servers.")
    job: Plain | None = Field(None, description="Job of all these servers.")
    rail: Annotated[int, Field(ge=1, le=64)] | None = Field(
        None, description="The only rail that they lose, from 1."
    )
    network: Plain | None = Field(None, description="Fabric in which they lose it. Default: any.")
    loss: Losing = Field(
        description="Greatest loss: part of the bandwidth, one leg of several, the network, or "
        "the server with all its networks."
    )

    @model_validator(mode="after")
    def _selects(self) -> "DeclaredHit":
        if all(map(_absent(self), ("servers", "tenant", "job", "rail"))):
            raise PydanticCustomError(
                "value", "name who is hit: one of `servers`, `tenant`, `job` and `rail`"
            )
        return self


def _absent(model: IntentModel) -> Any:
    return lambda key: model.unless_refused(key) is None


class DeclaredChange(IntentModel):
    """A change that people agreed on before it was written: nothing else may happen."""

    meaning: Annotated[str, Field(min_length=1, max_length=400)] = Field(
        description="The change in one sentence."
    )
    effects: Annotated[list[DeclaredEffect], Field(min_length=1, max_length=MOST)] = Field(
        description="Every effect that is meant. Effects that only follow from them need no entry."
    )
    hit: Annotated[
        list[DeclaredHit],
        BeforeValidator(_hits),
        Field(max_length=MOST),
    ] = Field(
        default_factory=list,
        description="Servers that may lose something. Default: `nobody`.",
    )


def contradictions(change: DeclaredChange) -> Iterable[tuple[tuple[str | int, ...], str]]:
    """Yield the path and the sentence of each entry that contradicts or repeats another one."""
    seen: dict[object, int] = {}
    for number, each in enumerate(change.effects):
        on = tuple(sorted(each.on or ()))
        whole = (each.effect, on, each.before, each.after)
        first = seen.setdefault(whole, number)
        if first != number:
            yield ("effects", number), f"repeats effect {first + 1} ({each.effect!r}); keep one"
            continue
        for other, same in _opposites(each, on):
            if (known := seen.get(other)) is not None:
                yield ("effects", number), f"contradicts effect {known + 1}: {same}"
        seen.setdefault(("act", each.effect, on), number)
        value = seen.setdefault(("after", each.effect, on), number)
        if value != number:
            yield ("effects", number), _other_value(each, value)
    for number, entry in enumerate(change.hit):
        key = ("hit", entry.model_copy(update={"loss": "leg"}).model_dump_json())
        if (known := seen.setdefault(key, number)) != number:
            yield ("hit", number), f"repeats entry {known + 1} of `hit`; keep one with the loss"


def _opposites(each: DeclaredEffect, on: object) -> Iterable[tuple[object, str]]:
    act, _, rest = each.effect.partition(" ")
    other = {"added": "removed", "removed": "added"}.get(act)
    if other is not None and "*" not in rest:
        text = f"{rest!r} cannot be both added and removed; keep one"
        yield ("act", f"{other} {rest}", on), text


def _other_value(each: DeclaredEffect, first: int) -> str:
    return (
        f"gives {each.effect!r} other values than effect {first + 1}; name the devices of each "
        "with `on`"
    )
