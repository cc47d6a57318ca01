"""Makes intent models from settings records, and resolves what people wrote to such a record."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import is_dataclass
from functools import partial
from typing import Any, TypeVar, get_args, get_origin

from pydantic import Field, create_model

from fabricgen.core.because import Because
from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.units import Percent
from fabricgen.intent.model import vocabulary
from fabricgen.intent.model.vocabulary import Words
from fabricgen.model.settings.setting import (
    Address,
    Declared,
    DomainName,
    Resolved,
    SafeText,
    Setting,
    declared,
    hints,
    present,
)

T = TypeVar("T")
M = TypeVar("M", bound=Words)
Layer = tuple[Words, IntentPath]
"""A model with settings, and the place where it stands in the intent."""
_WRITTEN: dict[Any, Any] = {
    Percent: float,
    Address: vocabulary.Address,
    DomainName: vocabulary.DomainName,
    SafeText: vocabulary.SafeText,
}
"""How YAML writes a kind of value, where it is not the kind itself."""


def carries(kind: type[Any]) -> Callable[[type[M]], type[M]]:
    """Give an intent model the keys of a settings record, behind its own.

    Args:
        kind: The record. A key that the intent leaves out stays None, so it can be inherited.
    """
    return partial(_model, kind)


def _model(kind: type[Any], base: type[M]) -> type[M]:
    usual = kind()
    fields: dict[str, Any] = {
        name: _field(hint, getattr(usual, name)) for name, hint in hints(kind).items()
    }
    # pydantic's signature names no base of a type variable
    made: Any = create_model(
        kind.__name__,
        __base__=base,
        __doc__=kind.__doc__,
        __module__=base.__module__,
        **fields,
    )
    return made  # type: ignore[no-any-return]


def _field(hint: Any, usual: Any) -> tuple[Any, Any]:
    """Return the type and the field of one key, as pydantic takes them. usual: its default."""
    told, about = get_args(hint)
    if not isinstance(about, Setting):
        return _model(told, Words) | None, Field(None, description=about)
    is_shown = usual and usual is not True and not about.required
    shown = {"default": usual} if is_shown else {}
    limits: Any = {"description": about.text, "json_schema_extra": shown, **about.bounds}
    written = _written(present(told))
    if about.required:
        return written, Field(**limits)
    if isinstance(usual, tuple):
        return written, Field(default_factory=list, **limits)
    return written | None, Field(None, **limits)


def _written(kind: Any) -> Any:
    """Return how YAML writes a type: a list for a tuple, a number for a share."""
    if get_origin(kind) is tuple:
        return list[_written(get_args(kind)[0])]  # type: ignore[misc]
    return _WRITTEN.get(kind, kind)


def resolve(kind: type[T], layers: Sequence[Layer], why: Callable[[IntentPath], Because],
            *, name: str = "", because: Because | None = None) -> Resolved[T]:  # fmt: skip
    """Merge models of one record; the first that has a value decides.

    Args:
        kind: The settings record.
        layers: The nearest model first, then those that it inherits from.
        why: Returns the reason of a value for its place in the intent.
        name: Name of the nearest model.
        because: Reason of the record as a whole.

    Raises:
        Stop: A value that is needed was refused.
    """
    nearest = ((each, next(_values(each, layers), None)) for each in declared(kind))
    found = [(each, *value) for each, value in nearest if value is not None]
    return Resolved(
        name=name,
        values=_filled(kind, {each.path: value for each, value, _ in found}, ()),
        chosen={each.key: why(place) for each, _, place in found},
        because=because,
    )


def values_of(kind: type[T], words: Words) -> T:
    """Return the record of a model that inherits nothing. The reason is that of its owner."""
    return resolve(kind, [(words, ())], lambda path: Because((path,), "")).values


def _values(setting: Declared, layers: Sequence[Layer]) -> Iterator[tuple[Any, IntentPath]]:
    """Yield the value of a setting in each model that has it, with its place."""
    for words, place in layers:
        value: Any = words
        for key in setting.path:
            value = getattr(value, key) if value is not None else None
        if value is not None:
            yield _typed(setting, value), (*place, *setting.path)


def given(kind: type[Any], words: Words) -> dict[str, Any]:
    """Return the values of a record that a model has, without those that were refused."""
    values = ((each, words.unless_refused(each.key)) for each in declared(kind))
    return {each.key: _typed(each, value) for each, value in values if value is not None}


def _typed(setting: Declared, value: Any) -> Any:
    if isinstance(value, list):
        return tuple(sorted(set(value)) if setting.setting.is_set else map(str, value))
    return Percent(value) if setting.kind is Percent else value


def _filled(kind: type[Any], values: dict[tuple[str, ...], Any], above: tuple[str, ...]) -> Any:
    """Return a record with values, by their paths; defaults everywhere else."""
    chosen: dict[str, Any] = {}
    for name, hint in hints(kind).items():
        path, inner = (*above, name), get_args(hint)[0]
        if is_dataclass(inner):
            chosen[name] = _filled(inner, values, path)  # type: ignore[arg-type]
        elif path in values:
            chosen[name] = values[path]
    return kind(**chosen)
