"""Turns the facts of a switch back into the keys of a settings record."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from fabricgen.core.tree.facts import TRUE, Value
from fabricgen.core.units import Percent
from fabricgen.importer.told import most, nested, of, said
from fabricgen.model.settings.setting import Declared, declared
from fabricgen.prove.walk.values import text, words

if TYPE_CHECKING:
    from fabricgen.importer.tree import Fragment
    from fabricgen.prove.foreign.switch import Judged


def keys_of(
    kind: type[Any],
    places: Sequence[Mapping[str, Value]],
    is_supported: Callable[[str], bool] = lambda _: True,
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


def site_keys(kind: type[Any], switches: Sequence[Judged]) -> Fragment:
    """Return the keys of a record as most switches of a site state them."""
    found = ((each.key, most(switches, partial(_own, each))) for each in declared(kind))
    return said(**nested(found))


def _own(setting: Declared, switch: Judged) -> Any:
    """Return the value of a setting that a switch states of itself."""
    fact = setting.setting.fact
    if setting.setting.per_entry:
        return tuple(key[1] for key, _ in of(switch, fact))
    return _value(setting, switch.own(("switch",)).get(fact))


def _value(setting: Declared, stated: Value | None) -> Any:
    """Return the value of a fact as the intent has it; None where there is none."""
    if setting.kind is bool:
        return stated == TRUE
    if isinstance(setting.default, tuple):
        allowed = get_args(get_args(setting.kind)[0])
        return [each for each in allowed if each in words(stated)] or None
    told = text(stated).strip() if stated is not None else "\n"
    if get_origin(setting.kind) is Literal:
        return told if told in get_args(setting.kind) else None
    try:
        return None if "\n" in told else setting.kind(told)
    except ValueError:
        return None


def _put(keys: Fragment, path: tuple[str, ...], value: Any) -> None:
    for key in path[:-1]:
        keys = keys.setdefault(key, {})
    keys[path[-1]] = float(value) if isinstance(value, Percent) else value
