"""Makes a record class: slotted, frozen for mypy, and fast at run time.

A frozen dataclass costs three times as much for each object, and half a millisecond for each class
while Python starts. mypy proves that no field is written again, so no check runs here. The methods
of a record are compiled for its first object: most verbs use a few of the records that they import.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from operator import attrgetter
from threading import RLock
from typing import Any, ClassVar, TypeVar, dataclass_transform

T = TypeVar("T")
_LOCK = RLock()
_OF_DATACLASS = ("__match_args__", "__dataclass_fields__", "__dataclass_params__")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(*, eq: bool = True, kw_only: bool = False) -> Callable[[type[T]], type[T]]:
    """Make a record. `eq`: compare by value; without it, compare and hash by identity."""

    def made(plain: type[T]) -> type[T]:
        once = _slotted(plain)
        names = ("__init__", "__repr__", *(("__eq__", "__hash__") if eq else ()))
        later = {*_OF_DATACLASS, *(name for name in names if name not in vars(plain))}
        for name in later:
            setattr(once, name, _Later(name, later, once, plain, kw_only))
        return once  # type: ignore[no-any-return]

    return made


class _Later:
    """A method of a record, or what a dataclass has: all are made when one is first used."""

    def __init__(self, *made: Any) -> None:
        self._made = made

    def __get__(self, owned: Any, owner: Any) -> Any:
        name, later, once, plain, kw_only = self._made
        with _LOCK:
            if vars(once)[name] is self:
                every = _compiled(plain, kw_only=kw_only)
                for each in later:
                    setattr(once, each, every[each])
        found = vars(once)[name]
        return found.__get__(owned, owner) if callable(found) else found


def _slotted(plain: type[Any]) -> Any:
    """Return the class with a slot for each field of its own, and without their defaults."""
    own = [name for name, kind in plain.__annotations__.items() if not _of_class(kind)]
    above = {name for base in plain.__mro__[1:] for name in vars(base).get("__slots__", ())}
    left = {*own, "__dict__", "__weakref__"}
    inner = {name: value for name, value in vars(plain).items() if name not in left}
    inner["__slots__"] = tuple(name for name in own if name not in above)
    kind: Any = type(plain)
    once = kind(plain.__name__, plain.__bases__, inner)
    once.__qualname__ = plain.__qualname__
    return once


def _of_class(kind: Any) -> bool:
    """Return whether an annotation is of an attribute of the class."""
    if isinstance(kind, str):
        return kind.startswith(("ClassVar", "typing.ClassVar"))
    return kind is ClassVar or getattr(kind, "__origin__", None) is ClassVar


def _compiled(plain: type[Any], *, kw_only: bool) -> dict[str, Any]:
    """Return the methods of a record by name, and what a dataclass has."""
    plain.__doc__ = plain.__doc__ or plain.__name__  # else a dataclass spells its signature there
    dataclass(eq=False, repr=False, kw_only=kw_only)(plain)
    names = [each.name for each in fields(plain)]
    values = attrgetter(*names) if names else lambda _: ()

    def equal(self: Any, other: Any) -> Any:
        return values(self) == values(other) if type(self) is type(other) else NotImplemented

    own = {"__eq__": equal, "__hash__": lambda self: hash(values(self)), "__repr__": _shown}
    return own | {name: vars(plain)[name] for name in (*_OF_DATACLASS, "__init__")}


def _shown(self: Any) -> str:
    parts = (f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
    return f"{type(self).__qualname__}({', '.join(parts)})"
