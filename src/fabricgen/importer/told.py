"""What the switches of a network say one by one in; what they say as a whole out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from fabricgen.model.fabric.services import SPELLED
from fabricgen.model.settings.setting import PLACEHOLDER
from fabricgen.nos.registry import nos

if TYPE_CHECKING:
    from fabricgen.core.tree.facts import Attributes
    from fabricgen.importer.tree import Fragment
    from fabricgen.prove.foreign.switch import Judged

T = TypeVar("T")


def most(switches: Iterable[Judged], told: Callable[[Judged], T]) -> T | None:
    """Return what most switches tell, of those whose platform lets any tell it; None for nothing.

    told: a value that can be hashed; an empty one is nothing.
    """
    said = [(each.platform, told(each)) for each in switches]
    able = {platform for platform, value in said if value}
    values = Counter(value for platform, value in said if platform in able)
    return next((value for value, _ in values.most_common(1) if value), None)


def hosts(switches: list[Judged], kind: str) -> list[str]:
    """Return the servers of a kind, in the order in which most switches name them."""
    return list(most(switches, lambda each: tuple(key[1] for key, _ in of(each, kind))) or ())


def of(switch: Judged, *kind: str) -> Iterator[tuple[tuple[str, ...], Attributes]]:
    """Yield the objects of a kind that a switch has."""
    size = len(kind)
    return ((key, own) for key, own in switch.facts.items() if key[:size] == kind)


def management(switch: Judged) -> list[tuple[str, Attributes]]:
    """Return its management ports: those called as its platform calls the first one."""
    names = nos(switch.platform).names
    assert names is not None
    start = names.management.rstrip("0123456789")
    return [(key[1], own) for key, own in of(switch, "interface") if _numbered(key[1], start)]


def _numbered(name: str, start: str) -> bool:
    return name.startswith(start) and name[len(start) :].isdigit()


def secret(value: object, *words: str) -> str | None:
    """Return a reference to a secret: the one that stands in its place, else a name of its own.

    The secret itself is nowhere else. words: what it is of, as ("snmp", "community").
    """
    if not isinstance(value, str) or not value:
        return None
    known = PLACEHOLDER.fullmatch(value)
    if known is not None:
        return SPELLED.sub("", known[1])
    letters = "_".join(words).upper()
    return "env:" + "".join(each if each.isalnum() else "_" for each in letters)


def said(**keys: Any) -> dict[str, Any]:
    """Return the keys that have a value."""
    return {key: value for key, value in keys.items() if value not in (None, [], {}, "")}


def flat(words: Fragment) -> tuple[tuple[str, Any], ...]:
    """Return keys as a value that can be counted; `nested` gives them back."""
    return tuple((key, _hashable(value)) for key, value in words.items())


def _hashable(value: Any) -> Any:
    if isinstance(value, dict):
        return _Keys(flat(value))
    return tuple(value) if isinstance(value, list) else value


class _Keys(tuple[tuple[str, Any], ...]):
    """A mapping as a tuple, to be told from a list."""

    __slots__ = ()


def nested(words: Iterable[tuple[str, Any]] | None) -> Fragment:
    """Return the keys that `flat` made a value of."""
    return {key: _plain(value) for key, value in words or ()}


def _plain(value: Any) -> Any:
    if isinstance(value, _Keys):
        return nested(value)
    return list(value) if isinstance(value, tuple) else value


def listed(switches: list[Judged], kind: str, word: str) -> list[str]:
    """Return what stands in a numbered list, in its order."""
    told = most(switches, lambda each: tuple(_in_order(each, kind, word)))
    return list(told or ())


def _in_order(switch: Judged, kind: str, word: str) -> Iterator[str]:
    for _, own in sorted(of(switch, kind), key=lambda each: int(each[0][1])):
        yield str(own[word])
