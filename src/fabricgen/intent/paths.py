"""Builds intent paths from keys and list positions and refuses paths that the schema lacks.

A design step that reads a key cites its path with `at`, so every cited path exists in the schema.
Keys of a mapping are names that people choose, so any text is valid there.
"""

from functools import cache
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel

from fabricgen.core.diagnostics import IntentPath, did_you_mean, dotted
from fabricgen.intent.model.intent import Intent
from fabricgen.intent.model.vocabulary import LateModel

Step = str | int


def at(*steps: Step) -> IntentPath:
    """Return the path of these steps; raise LookupError if the schema has no such place."""
    if not kinds_at(steps):
        raise LookupError(_unknown(steps))
    return steps


def known(path: IntentPath) -> bool:
    """Return whether the schema has this path."""
    return bool(kinds_at(path))


def known_below(path: IntentPath) -> list[str]:
    """Return the keys that the schema has below a path."""
    return [key for kind in kinds_at(path) if is_model(kind) for key in kind.model_fields]


def kinds_at(path: IntentPath, top: type[BaseModel] = Intent) -> tuple[Any, ...]:
    """Return the types that may be at a path below a model; empty if the path is invalid."""
    kinds: tuple[Any, ...] = (top,)
    for step in path:
        kinds = _below(kinds, step)
    return kinds


def _unknown(path: IntentPath) -> str:
    end = next(number for number in range(len(path)) if not kinds_at(path[: number + 1]))
    above, step = path[:end], path[end]
    hint = did_you_mean(str(step), known_below(above))
    return f"the intent has no {step!r} in {dotted(above) or 'its top level'}; {hint}"


def is_model(kind: Any) -> bool:
    """Return whether a type is a model with keys."""
    return isinstance(kind, type) and issubclass(kind, BaseModel)


@cache
def _below(kinds: tuple[Any, ...], step: Step) -> tuple[Any, ...]:
    """Return the types that may be one step below any of these types."""
    return tuple(below for kind in kinds for below in _step(kind, step))


def _step(kind: Any, step: Step) -> tuple[Any, ...]:
    if is_model(kind):
        field = kind.model_fields.get(step)
        return alternatives(field.annotation) if field is not None else ()
    arguments = get_args(kind)
    if get_origin(kind) is dict and isinstance(step, str):
        return alternatives(arguments[1])
    if get_origin(kind) is list and isinstance(step, int):
        return alternatives(arguments[0])
    return ()


def alternatives(annotation: Any) -> tuple[Any, ...]:
    """Return the types of a value: the members of a union without None and annotations."""
    origin = get_origin(annotation)
    if origin is Annotated:
        plain, *marks = get_args(annotation)
        late = next((each for each in marks if isinstance(each, LateModel)), None)
        return alternatives(plain) if late is None else (late.load(),)
    if origin in (Union, UnionType):
        return tuple(kind for part in get_args(annotation) for kind in alternatives(part))
    return () if annotation is type(None) else (annotation,)
