"""Makes intent models from settings records, and resolves models to such records."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, TypeVar, get_origin

from pydantic import Field, create_model

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.core.units import Percent
from fabricgen.intent.model import vocabulary
from fabricgen.intent.model.secret import SecretReference
from fabricgen.intent.model.vocabulary import IntentModel
from fabricgen.model.settings.setting import (
    Address,
    Declared,
    DomainName,
    Name,
    Resolved,
    SafeText,
    Secret,
    declared,
    keys,
)

T = TypeVar("T")
M = TypeVar("M", bound=IntentModel)
CARRIED = "x-carried"
"""JSON Schema mark of a key whose value goes unchanged to a line."""
Layer = tuple[IntentModel, IntentPath]
"""A model with settings, and its place in the intent."""
_WRITTEN: dict[Any, Any] = {
    Percent: float,
    Address: vocabulary.Address,
    DomainName: vocabulary.DomainName,
    SafeText: vocabulary.SafeText,
    Name: vocabulary.Name,
    Secret: SecretReference,
}
"""YAML type of a value, if it differs from the record's type."""


_MODELS: dict[type[Any], type[IntentModel]] = {}
"""The model of each record that has its own model, with further keys or rules."""


def carries(kind: type[Any], *, is_rendered: bool = True) -> Callable[[type[M]], type[M]]:
    """Give an intent model the keys of a settings record after its own keys.

    Args:
        kind: The record. An omitted key stays None, so it can be inherited.
        is_rendered: Whether its values go to lines of files.
    """
    return partial(_model, kind, is_rendered=is_rendered)


def _model(kind: type[Any], base: type[M], *, is_rendered: bool = True) -> type[M]:
    fields: dict[str, Any] = {
        each.key: _field(each, is_rendered=is_rendered) for each in keys(kind)
    }
    # The signature in pydantic does not state the base of a type variable.
    made: Any = create_model(
        kind.__name__, __base__=base, __doc__=kind.__doc__, __module__=base.__module__, **fields
    )
    _MODELS[kind] = made
    return made  # type: ignore[no-any-return]


def _field(key: Declared, *, is_rendered: bool) -> tuple[Any, Any]:
    """Return the type and the field of one key, as pydantic expects them."""
    about, usual, written = key.setting, key.default, _written(key)
    extra: dict[str, Any] = {CARRIED: True} if is_rendered and not key.inner else {}
    limits: dict[str, Any] = {**about.bounds, "json_schema_extra": extra}
    if about.text:  # else the kind of the value describes itself
        limits["description"] = about.text
    if about.required:
        return written, Field(**limits)
    if isinstance(usual, tuple):
        return written, Field(default_factory=list, **limits)
    if key.inner is None and usual is not None and usual is not True:
        extra["default"] = usual
    return written | None, Field(None, **limits)


def _written(key: Declared) -> Any:
    """Return the YAML type of a value: a list for a tuple, a number for a share."""
    if key.inner is not None:
        item: Any = _MODELS.get(key.inner) or _model(key.inner, IntentModel)
    else:
        item = _WRITTEN.get(key.item, key.item)
    return list[item] if get_origin(key.kind) is tuple else item


def resolve(kind: type[T], layers: Sequence[Layer], why: Callable[[IntentPath], Provenance],
            *, name: str = "", because: Provenance | None = None) -> Resolved[T]:  # fmt: skip
    """Merge models of one record; the first model with a value decides.

    Args:
        kind: The settings record.
        layers: The nearest model first, then those that it inherits from.
        why: Returns the reason of a value for its place in the intent.
        name: Name of the nearest model.
        because: Reason of the record as a whole.

    Raises:
        Stop: A required value was refused.
    """
    nearest = ((each, next(_values(each, layers), None)) for each in declared(kind))
    found = [(each, *value) for each, value in nearest if value is not None]
    return Resolved(
        name=name,
        values=_filled(kind, {each.path: value for each, value, _ in found}, ()),
        chosen={each.key: why(place) for each, _, place in found},
        because=because,
    )


def values_of(kind: type[T], words: IntentModel) -> T:
    """Return the record of a model without inheritance. It has the reason of its owner."""
    return resolve(kind, [(words, ())], lambda path: Provenance((path,), "")).values


def _values(setting: Declared, layers: Sequence[Layer]) -> Iterator[tuple[Any, IntentPath]]:
    """Yield the value of a setting in each model that has it, with its place."""
    for words, place in layers:
        value: Any = words
        for key in setting.path:
            value = getattr(value, key) if value is not None else None
        if value is not None:
            yield _typed(setting, value), (*place, *setting.path)


def given(kind: type[Any], words: IntentModel) -> dict[str, Any]:
    """Return the values of a record that a model has, without refused values.

    A nested record counts only if no part of it was refused.
    """
    told = ((each, words.unless_refused(each.key)) for each in declared(kind))
    values = ((each, _accepted(value)) for each, value in told if value is not None)
    return {each.key: _typed(each, value) for each, value in values if value is not None}


def _accepted(value: Any) -> Any:
    """Return a value without records that have refused parts."""
    if isinstance(value, list):
        return [each for each in value if not isinstance(each, IntentModel) or each.whole]
    return value if not isinstance(value, IntentModel) or value.whole else None


def _typed(setting: Declared, value: Any) -> Any:
    if isinstance(value, list):
        one = tuple(_single(setting, each) for each in value)
        return tuple(sorted(set(one))) if setting.setting.is_set else one
    return _single(setting, value)


def _single(setting: Declared, value: Any) -> Any:
    if setting.inner is not None:
        return values_of(setting.inner, value)
    if setting.item is Percent:
        return Percent(value)
    return str(value) if setting.item == Address else value


def _filled(kind: type[T], values: dict[tuple[str, ...], Any], above: tuple[str, ...]) -> T:
    """Return a record with values by their paths, and defaults elsewhere."""
    chosen: dict[str, Any] = {}
    for each in keys(kind):
        path = above + each.path
        if path in values:
            chosen[each.key] = values[path]
        elif each.inner is not None and isinstance(each.default, each.inner):
            chosen[each.key] = _filled(each.inner, values, path)
    return kind(**chosen)
