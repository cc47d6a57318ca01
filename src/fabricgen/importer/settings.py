"""Turns the facts of a switch back into the keys of a settings record."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, get_args, get_origin

from fabricgen.core.tree.facts import TRUE, Value
from fabricgen.core.units import Percent
from fabricgen.importer.tree import Fragment
from fabricgen.model.settings.setting import Declared, declared
from fabricgen.prove.walk.values import text, words


def _always(feature: str) -> bool:
    del feature
    return True


def keys_of(
    kind: type[Any],
    places: Sequence[Mapping[str, Value]],
    is_supported: Callable[[str], bool] = _always,
) -> Fragment:
    """Return the keys whose values are required, or not those by default.

    Args:
        kind: The settings record.
        places: Facts of the objects that may state a setting; the first that does counts.
        is_supported: Tells whether the platform has a feature. Without it, silence means nothing.

    Returns:
        Keys and values as the intent has them. It is empty where a required key is missing.
    """
    keys: Fragment = {}
    for each in declared(kind):
        feature = each.setting.feature
        if feature and not is_supported(feature):
            continue
        stated = next((own[each.setting.fact] for own in places if each.setting.fact in own), None)
        value = _value(each, stated)
        if value is None and each.setting.required:
            return {}
        if value is not None and (each.setting.required or value != each.default):
            _put(keys, each.path, value)
    return keys


def _value(setting: Declared, stated: Value | None) -> Any:
    """Return the value of a fact as the intent has it; None where there is none."""
    if setting.kind is bool:
        return stated == TRUE
    if isinstance(setting.default, tuple):
        allowed = get_args(get_args(setting.kind)[0])
        return [each for each in allowed if each in words(stated)] or None
    told = text(stated) if stated is not None else None
    if get_origin(setting.kind) is Literal:
        return told if told in get_args(setting.kind) else None
    try:
        return None if told is None else setting.kind(told)
    except ValueError:
        return None


def _put(keys: Fragment, path: tuple[str, ...], value: Any) -> None:
    for key in path[:-1]:
        keys = keys.setdefault(key, {})
    keys[path[-1]] = float(value) if isinstance(value, Percent) else value
