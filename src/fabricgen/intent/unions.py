"""Finds the meant kind of a value that may have several kinds and reports its errors.

Pydantic tries every kind, puts its name into the path, and reports the errors of each. The author
meant one of them. So the path is that of the file, and only the errors of the meant kind are
reported.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pydantic_core import ErrorDetails

from fabricgen.core.diagnostics import IntentPath
from fabricgen.intent.paths import kinds_at

_SHAPES = {"string_type", "int_type", "model_type", "dict_type", "list_type"}
"""Error types that mean another kind of value; pydantic checked nothing else."""


def as_meant(
    details: Iterable[ErrorDetails], given: Callable[[IntentPath], Any]
) -> list[ErrorDetails]:
    """Return the errors, each at its place. `given`: the value in the file at a path."""
    every = [(item, _without_kinds(item)) for item in details]
    tried: dict[IntentPath, list[ErrorDetails]] = {}
    for item, place in every:
        if place != item["loc"]:
            tried.setdefault(_union(item, place), []).append({**item, "loc": place})
    found: list[ErrorDetails] = []
    for item, place in every:
        if place == item["loc"]:
            found.append(item)
        elif (path := _union(item, place)) in tried:
            found += _of_kind_meant(path, tried.pop(path), given(path))
    return found


def _without_kinds(item: ErrorDetails) -> IntentPath:
    """Return the path of an error without the kinds that pydantic tried."""
    path: IntentPath = ()
    for number, step in enumerate(item["loc"], 1):
        unknown = item["type"] == "extra_forbidden" and number == len(item["loc"])
        kinds = kinds_at(path)
        name_of_kind = len(kinds) > 1 and isinstance(step, str) and step != "[key]"
        if unknown or not name_of_kind or kinds_at((*path, step)):
            path = (*path, step)
    return path


def _union(item: ErrorDetails, place: IntentPath) -> IntentPath:
    """Return the path of the value that pydantic tried as several kinds."""
    pairs = zip(item["loc"], place, strict=False)
    same = next((number for number, (one, two) in enumerate(pairs) if one != two), len(place))
    return place[:same]


def _of_kind_meant(
    path: IntentPath, items: list[ErrorDetails], given: Any
) -> Iterator[ErrorDetails]:
    """Yield the errors of the intended kind, or of all kinds if none is clear."""
    inside = [item for item in items if item["loc"] != path]
    if isinstance(given, dict) and inside:
        yield from inside
        return
    own = [item for item in items if item["loc"] == path]
    others = _SHAPES | ({"literal_error"} if isinstance(given, dict) else set())
    yield from [item for item in own if item["type"] not in others][:1] or own[:1]
