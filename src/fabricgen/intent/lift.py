"""Lists the network OSes that an intent names, or moves the design to another OS or release."""

from collections.abc import Callable, Iterator
from typing import Any

from fabricgen.core.diagnostics import IntentPath
from fabricgen.intent.model.hardware import SwitchException, SwitchRole
from fabricgen.intent.model.intent import Intent
from fabricgen.intent.model.vocabulary import IntentModel
from fabricgen.model.catalog.catalog import Catalog

_Lift = Callable[[SwitchRole], SwitchRole]


def platforms_in(intent: Intent) -> Iterator[tuple[IntentPath, str, str | None]]:
    """Yield each named platform with its place and release, except refused ones."""
    for words in intent.each_fabric():
        for path, named in roles_in(words, words.here):
            if (platform := named.unless_refused("platform")) is not None:
                yield path, platform, named.unless_refused("release")


def roles_in(
    value: object, path: IntentPath = ()
) -> Iterator[tuple[IntentPath, SwitchRole | SwitchException]]:
    """Yield the roles and exceptions of switches in a part of the intent, with their places."""
    if isinstance(value, SwitchRole | SwitchException):
        yield path, value
    elif isinstance(value, IntentModel | dict):
        for key, inner in value.items() if isinstance(value, dict) else value:
            yield from roles_in(inner, (*path, key))


def lift(intent: Intent, platform: str) -> Intent:
    """Return the intent with its switches on a platform, or a release of it: `sonic:202505`.

    A model that does not run it keeps its platform, for example on an out-of-band network. If no
    model of the site runs it, all are moved, so that each one is reported.
    """
    name, _, release = platform.partition(":")
    every = list(intent.each_fabric())
    some = any(_runs(role, name, words.catalog) for words in every for _, role in roles_in(words))
    target = {"platform": name, "release": release or None}

    def onto(catalog: Catalog) -> _Lift:
        def lifted(role: SwitchRole) -> SwitchRole:
            if some and _runs(role, name, catalog) is False:
                return role
            kept = {} if role.unless_refused("platform") == name else {"hwsku": None}
            return role.model_copy(update={**target, **kept})

        return lifted

    update: dict[str, Any] = {}
    for words in every:
        top, *below = words.here
        lifted = _lifted(words, onto(words.catalog))
        update[str(top)] = {**update.get(str(top), {}), words.name: lifted} if below else lifted
    return intent.model_copy(update=update)


def _runs(role: SwitchRole | SwitchException, platform: str, catalog: Catalog) -> bool | None:
    """Return whether a model runs a platform; None if unknown."""
    name = role.unless_refused("model") if isinstance(role, SwitchRole) else None
    model = catalog.switch(name) if name is not None else None
    return platform in model.platforms if model is not None else None


def _lifted(value: Any, onto: _Lift) -> Any:
    """Return a value with its roles moved; omitted keys stay omitted."""
    if isinstance(value, SwitchRole):
        return onto(value)
    if isinstance(value, SwitchException):
        kept = {} if value.unless_refused("platform") is None else {"hwsku": None}
        return value.model_copy(update={"platform": None, "release": None, **kept})
    if isinstance(value, dict):
        return {key: _lifted(inner, onto) for key, inner in value.items()}
    if isinstance(value, IntentModel):
        update = {key: _lifted(inner, onto) for key, inner in value if any(roles_in(inner))}
        return value.model_copy(update=update)
    return value
