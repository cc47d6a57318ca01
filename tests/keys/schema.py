"""The intent's pydantic models in; every key that a person may write, with its type, out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args, get_origin

from fabricgen.intent.model.access import Access
from fabricgen.intent.model.intent import Intent
from fabricgen.intent.model.routed import Routed
from fabricgen.intent.paths import alternatives, is_model

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic.fields import FieldInfo

ANY = "*"
"""Stands in a key's path for the name in a mapping and for the place in a list of models."""
SHOWN_ELSEWHERE = ("fabrics", "kind")
"""What tests/unit/design/test_fabrics.py shows: `fabrics` has the models of `frontend` and
`backend`, and `kind` says which; their own keys are tested where they stand alone."""


# `custom_config` and `unmanaged` have one model in all places. The site's shows each key, and
# test_own_lines.py and tests/unit/custom_config/test_keeping.py that each place is heard.
SHOWN_ON_BACKENDS = ("roce", "switches", "previous_name", "release", "hwsku", "numbering")
"""Keys of a routed fabric, or what is below them, that are the very models of a backend."""
OF_A_BACKEND = ("frontend", "roce")
"""What is below has the very model of a backend's; what it does on a frontend is in
tests/unit/design/test_frontend_lossless.py."""
ONLY_IN_FABRICS: tuple[tuple[str, Any], ...] = (("oob", Access),)
"""Kinds without a short key, as the sites here name their fabrics."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key that holds a value: its path, and the field of the model that declares it."""

    path: tuple[str, ...]
    field: FieldInfo

    def __str__(self) -> str:
        """Return the key as a test's name has it."""
        return ".".join(self.path)


def every_key() -> Iterator[Key]:
    """Yield every key of the intent, and of the kinds of fabric that have no short spelling."""
    yield from (key for key in keys() if key.path[:2] != OF_A_BACKEND)
    for key in keys(Routed, ("fabrics", ANY)):
        if not {*key.path}.intersection(SHOWN_ON_BACKENDS):
            yield key
    for name, model in ONLY_IN_FABRICS:
        yield from keys(model, ("fabrics", name))


def keys(model: Any = Intent, above: tuple[str, ...] = ()) -> Iterator[Key]:
    """Yield every key of a model and of the models below it that holds a value of its own."""
    for name, field in model.model_fields.items():
        if name in SHOWN_ELSEWHERE or (
            name in ("custom_config", "unmanaged") and above != ("site",)
        ):
            continue
        path = (*above, name)
        models = [
            (below, kind)
            for part in alternatives(field.annotation)
            for below, kind in _models(part)
        ]
        for below, kind in models:
            yield from keys(kind, (*path, *below))
        if not models:
            yield Key(path, field)


def _models(kind: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the models that stand at a key: the value itself, or what its mapping or list holds."""
    if is_model(kind):
        yield (), kind
    elif get_origin(kind) in (dict, list):
        for part in alternatives(get_args(kind)[-1]):
            yield from (((ANY, *below), model) for below, model in _models(part))
