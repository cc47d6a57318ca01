"""Builds the part of an intent that remains without its refused values.

A refused value is absent, even as a default. A reader of it ends with Stop (`IntentModel`), and all
other parts continue. So one run reports all errors, without errors that follow from others.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from copy import copy
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar, get_args

from pydantic import create_model

from fabricgen.core.diagnostics import IntentPath, Stop
from fabricgen.intent.model.vocabulary import IntentModel
from fabricgen.intent.paths import alternatives, is_model

if TYPE_CHECKING:
    Refused = set[IntentPath]
    """Paths below a value; the empty one is the value itself."""

W = TypeVar("W", bound=IntentModel)
KEY = "[key]"
"""Suffix that pydantic adds to the path of an entry with a refused key."""


def salvaged(kind: type[W], data: Any, refused: Iterable[IntentPath]) -> W:
    """Return the model of `data` without the values at these paths.

    Of refused parts only models remain, without values.
    """
    paths = set(refused)
    nothing = () in paths or not isinstance(data, dict)
    names = set(kind.model_fields) if nothing else {path[0] for path in paths}
    built: Any = kind.model_construct()
    vars(built).clear()
    if not nothing:
        rest = _rest(kind, frozenset(names))
        valid = rest.model_validate({key: data[key] for key in rest.model_fields if key in data})
        vars(built).update(vars(valid))
        built.model_fields_set.update(valid.model_fields_set)
    for name in kind.model_fields.keys() & names:
        with suppress(Stop):
            value = None if nothing else data.get(name)
            below: Refused = {()} if nothing else _below(paths, name)
            vars(built)[name] = _part(kind.model_fields[name].annotation, value, below)
    return built  # type: ignore[no-any-return]


def _part(annotation: Any, value: Any, refused: Refused) -> Any:
    """Return the rest of a value; Stop if nothing remains. Only models have parts."""
    kind = alternatives(annotation)[0]
    if is_model(kind):
        return salvaged(kind, value, refused)
    entries = alternatives(next(reversed(get_args(kind)), None))
    models = tuple(filter(is_model, entries))
    if () in refused or not models:
        raise Stop
    if isinstance(value, dict):
        return {
            key: _entry(models, each, _below(refused, key))
            for key, each in value.items()
            if not (models[0].says_of_its_key and (key, KEY) in refused)
        }
    return [salvaged(models[0], each, _below(refused, at)) for at, each in enumerate(value)]


def _entry(models: tuple[Any, ...], value: Any, refused: Refused) -> Any:
    """Return the rest of an entry; plain text instead of a model stays complete."""
    if isinstance(value, str) and not refused:
        return value
    return salvaged(_read_as(models, value), value, refused)


def _read_as(kinds: tuple[Any, ...], value: Any) -> Any:
    """Return the model that a value is read as; the first one if the value does not decide."""
    named = value.get("kind") if isinstance(value, dict) else None
    meant = (each for each in kinds if named and each.model_fields["kind"].default == named)
    return next(meant, kinds[0])


def _below(refused: Refused, step: str | int) -> Refused:
    return {path[1:] for path in refused if path[0] == step and path[1:] != (KEY,)}


@cache
def _rest(kind: type[IntentModel], without: frozenset[str]) -> type[IntentModel]:
    """Return the model that has the other fields, cached for repeated entries."""
    fields = {
        name: (field.annotation, copy(field))
        for name, field in kind.model_fields.items()
        if name not in without
    }
    return create_model("Rest", __base__=IntentModel, **fields)  # type: ignore[call-overload, no-any-return]
