"""Turns facts that switches state into keys of the intent."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Literal, TypeVar, get_args, get_origin

from fabricgen.core.tree.facts import TRUE, Attributes, Key, Value
from fabricgen.core.units import Percent
from fabricgen.importer.tree import Fragment, said
from fabricgen.model.fabric.services import SPELLED
from fabricgen.model.settings.setting import PLACEHOLDER, Declared, Secret, declared
from fabricgen.nos.registry import nos
from fabricgen.prove.foreign.switch import Judged
from fabricgen.prove.walk.values import text, words

T = TypeVar("T")


def most(switches: Iterable[Judged], told: Callable[[Judged], T]) -> T | None:
    """Return the most frequent value among switches whose platform can state it, or None.

    The argument `told` returns a hashable value. An empty value does not count.
    """
    said = [(each.platform, told(each)) for each in switches]
    able = {platform for platform, value in said if value}
    values = Counter(value for platform, value in said if platform in able)
    return next((value for value, _ in values.most_common(1) if value), None)


def hosts(switches: list[Judged], kind: str) -> list[str]:
    """Return the servers of a kind in the most frequent order."""
    return list(most(switches, lambda each: tuple(key[1] for key, _ in of(each, kind))) or ())


def of(switch: Judged, *kind: str) -> Iterator[tuple[tuple[str, ...], Attributes]]:
    """Yield the objects of a kind on a switch."""
    size = len(kind)
    return ((key, own) for key, own in switch.facts.items() if key[:size] == kind)


def management(switch: Judged) -> list[tuple[str, Attributes]]:
    """Return the management ports: those with the platform's name of the first one."""
    names = nos(switch.platform).names
    assert names is not None
    start = names.management.rstrip("0123456789")
    return [(key[1], own) for key, own in of(switch, "interface") if _numbered(key[1], start)]


def _numbered(name: str, start: str) -> bool:
    return name.startswith(start) and name[len(start) :].isdigit()


def secret(value: object, *words: str) -> str | None:
    """Return a reference to a secret: the one in the file, or a new one.

    The secret itself is not stored. words: its kind, such as ("snmp", "community").
    """
    if not isinstance(value, str) or not value:
        return None
    known = PLACEHOLDER.fullmatch(value)
    if known is not None:
        return SPELLED.sub("", known[1])
    letters = "_".join(words).upper()
    return "env:" + "".join(each if each.isalnum() else "_" for each in letters)


def flat(words: Fragment) -> tuple[tuple[str, Any], ...]:
    """Return keys as a value that can be counted. `nested` reverses this."""
    return tuple((key, _hashable(value)) for key, value in words.items())


def _hashable(value: Any) -> Any:
    if isinstance(value, dict):
        return _Keys(flat(value))
    return tuple(value) if isinstance(value, list) else value


class _Keys(tuple[tuple[str, Any], ...]):
    """A mapping as a tuple, different from a list."""

    __slots__ = ()


def nested(words: Iterable[tuple[str, Any]] | None) -> Fragment:
    """Return the keys from a value of `flat`."""
    return {key: _plain(value) for key, value in words or ()}


def _plain(value: Any) -> Any:
    if isinstance(value, _Keys):
        return nested(value)
    return list(value) if isinstance(value, tuple) else value


def listed(switches: list[Judged], kind: str, word: str) -> list[str]:
    """Return the values of a numbered list in order."""
    told = most(switches, lambda each: tuple(_in_order(each, kind, word)))
    return list(told or ())


def _in_order(switch: Judged, kind: str, word: str) -> Iterator[str]:
    for _, own in sorted(of(switch, kind), key=lambda each: int(each[0][1])):
        yield str(own[word])


def keys_of(
    kind: type[Any],
    places: Sequence[Mapping[str, Value]],
    is_supported: Callable[[str], bool] = lambda _: True,
    *,
    owner: Sequence[str] = (),
) -> Fragment:
    """Return the keys that state a fact, and are required or not as by default.

    Args:
        kind: The settings record.
        places: Facts of the objects that may state a setting; the first that does counts.
        is_supported: Checks whether the platform has a feature. Without it, silence means nothing.
        owner: Words that name the secrets of the record; see `secret`.

    Returns:
        Keys and values as the intent has them. It is empty where a required key is missing.
    """
    keys: Fragment = {}
    for each in declared(kind):
        fact, feature = each.setting.fact, each.setting.feature
        if not fact or (feature and not is_supported(feature)):
            continue
        value = _value(each, next((own[fact] for own in places if fact in own), None), owner)
        if value is None and each.setting.required:
            return {}
        if value is not None and (each.setting.required or value != each.default):
            _put(keys, each.path, value)
    return keys


def site_keys(
    kind: type[Any], switches: Sequence[Judged], place: Key = ("switch",), owner: Sequence[str] = ()
) -> Fragment:
    """Return the keys of a record by majority of the switches of a site."""
    found = (
        (each, most(switches, partial(_own, each, place, owner)))
        for each in declared(kind)
        if each.setting.fact
    )
    return said(**nested((each.key, value) for each, value in found if value != each.default))


def _own(setting: Declared, place: Key, owner: Sequence[str], switch: Judged) -> Any:
    """Return the value of a setting on a switch."""
    fact = setting.setting.fact
    if setting.setting.per_entry:
        return tuple(key[1] for key, _ in of(switch, fact))
    return _value(setting, switch.own(place).get(fact), owner)


def _value(setting: Declared, stated: Value | None, owner: Sequence[str]) -> Any:
    """Return the intent value of a fact, or None."""
    if setting.kind is bool:
        return stated == TRUE
    if setting.kind == Secret:
        return secret(stated, *owner, setting.setting.fact)
    if get_origin(setting.kind) is tuple:
        allowed = get_args(setting.item)
        return [each for each in allowed if each in words(stated)] or None
    told = text(stated).strip()
    if get_origin(setting.kind) is Literal:
        return told if told in get_args(setting.kind) else None
    try:
        return setting.kind(told) if told and "\n" not in told else None
    except ValueError:
        return None


def _put(keys: Fragment, path: tuple[str, ...], value: Any) -> None:
    for key in path[:-1]:
        keys = keys.setdefault(key, {})
    keys[path[-1]] = float(value) if isinstance(value, Percent) else value
