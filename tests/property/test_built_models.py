"""From changed intents: models that are built one by one answer as models built as a whole."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from fabricgen.core.diagnostics import Diagnostic, Position
from fabricgen.intent.files import read_site
from fabricgen.intent.load import _merge, _place, _validated
from fabricgen.intent.model.intent import Intent
from fabricgen.intent.model.vocabulary import IntentModel
from fabricgen.intent.source import Marks, SourceMap, read_text
from fabricgen.intent.unions import as_meant

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).resolve().parents[2]
SITES = ("lab", "full")
WRONG: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    1.5,
    "",
    "x",
    "1-4",
    "10.0.0.0/8",
    [],
    [1],
    ["x"],
    {},
    {"x": 1},
)
"""Values that some key takes and most do not."""


@cache
def whole() -> TypeAdapter[Intent]:
    """Return the validator of all models, which takes no part of what was built before."""
    models: list[Any] = [IntentModel]
    for each in models:
        models += each.__subclasses__()
    complete = [each for each in models if each.__pydantic_complete__]
    for each in complete:
        each.__pydantic_complete__ = False
    try:
        built = TypeAdapter(Intent)
        built.rebuild(force=True)
    finally:
        for each in complete:
            each.__pydantic_complete__ = True
    return built


@cache
def written(name: str) -> dict[str, Any]:
    """Return the merged YAML of an example."""
    source = SourceMap()
    problems: list[Diagnostic] = []
    source.mark(source.root, Marks(Position("site", 1, 1)))
    for file, text in read_site(ROOT / "intent" / name)[0].items():
        data, wrong = read_text(file, text, source)
        assert isinstance(data, dict), wrong
        _merge(data, source, problems)
    return source.root


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield every place of a document below its top."""
    steps = value.items() if isinstance(value, dict) else enumerate(value)
    for step, below in steps:
        yield (*path, step)
        if isinstance(below, dict | list):
            yield from places(below, (*path, step))


def at(data: Any, path: tuple[str | int, ...]) -> Any:
    """Return the value at a path, or None."""
    for step in path:
        inside = isinstance(data, dict) and step in data
        inside = inside or (isinstance(data, list) and isinstance(step, int) and step < len(data))
        data = data[step] if inside else None
    return data


def refused(data: dict[str, Any]) -> tuple[Intent | None, list[Any]]:
    """Validate as a whole; return the intent and its errors."""
    try:
        return whole().validate_python(data), []
    except ValidationError as error:
        items = error.errors(include_url=False, include_input=False)
        return None, [{**item, "loc": _place(item["loc"])} for item in items]


def judged(validate: Callable[..., tuple[Intent | None, list[Any]]], data: Any) -> tuple[Any, Any]:
    """Return the values of the intent, and its errors as the author meant the values."""
    intent, details = validate(data)
    values = None if intent is None else intent.model_dump()
    return values, as_meant(details, lambda path: at(data, path))


@pytest.mark.parametrize("name", SITES)
def test_an_example_has_the_same_values(name: str) -> None:
    values, errors = judged(_validated, deepcopy(written(name)))
    assert (values, errors) == judged(refused, deepcopy(written(name)))
    assert values
    assert errors == []


@given(st.data())
def test_a_changed_example_has_the_same_values_or_the_same_errors(data: st.DataObject) -> None:
    changed = deepcopy(written(data.draw(st.sampled_from(SITES))))
    for _ in range(data.draw(st.integers(1, 4))):
        *path, step = data.draw(st.sampled_from(list(places(changed))))
        inside, how = at(changed, tuple(path)), data.draw(st.sampled_from(["wrong", "gone", "new"]))
        if how == "gone":
            del inside[step]
        elif how == "new" and isinstance(inside, dict):
            inside[data.draw(st.sampled_from(["strange", "kind", "roce"]))] = inside[step]
        else:
            inside[step] = data.draw(st.sampled_from(WRONG))
        if not changed:
            return
    assert judged(_validated, changed) == judged(refused, changed)
