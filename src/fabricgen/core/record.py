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
_COMPILED = ("__init__", "__match_args__", "__dataclass_fields__", "__dataclass_params__")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(*, eq: bool = True, kw_only: bool = False) -> Callable[[type[T]], type[T]]:
    """Make a record. `eq`: compare by value; without it, compare and hash by identity."""

    def made(plain: type[T]) -> type[T]:
        once = _slotted(plain)
        compared = {"__eq__", "__hash__"} if eq else set()
        mine = ({"__init__"} | compared) - plain.__dict__.keys()

        def complete() -> None:
            with _LOCK:
                if isinstance(once.__dict__["__dataclass_fields__"], _Later):
                    _complete(once, plain, kw_only=kw_only, compared=compared & mine)

        if "__repr__" not in plain.__dict__:
            once.__repr__ = _shown
        for name in mine:
            setattr(once, name, _first_call(once, name, complete))
        for name in _COMPILED[1:]:
            setattr(once, name, _Later(name, complete))
        return once  # type: ignore[no-any-return]

    return made


class _Later:
    """An attribute of a class that exists after `complete`."""

    __slots__ = ("_complete", "_name")

    def __init__(self, name: str, complete: Callable[[], None]) -> None:
        self._name, self._complete = name, complete

    def __get__(self, _: object, owner: type[Any]) -> Any:
        self._complete()
        return getattr(owner, self._name)


def _first_call(kind: type[Any], name: str, complete: Callable[[], None]) -> Callable[..., Any]:
    """Return a method that makes the methods of a record, and then calls the one of its name."""

    def call(self: Any, *values: Any, **named: Any) -> Any:
        complete()
        return getattr(kind, name)(self, *values, **named)

    return call


def _slotted(plain: type[Any]) -> Any:
    """Return the class with a slot for each field of its own, and without their defaults."""
    own = [name for name, kind in plain.__annotations__.items() if not _of_class(kind)]
    above = {name for base in plain.__mro__[1:] for name in base.__dict__.get("__slots__", ())}
    left = {*own, "__dict__", "__weakref__"}
    inner = {name: value for name, value in plain.__dict__.items() if name not in left}
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


def _complete(once: Any, plain: type[Any], *, kw_only: bool, compared: set[str]) -> None:
    """Give a record what a dataclass has, and its comparisons."""
    plain.__doc__ = plain.__doc__ or plain.__name__  # else a dataclass spells its signature there
    dataclass(eq=False, repr=False, kw_only=kw_only)(plain)
    names = [each.name for each in fields(plain)]
    values = attrgetter(*names) if names else lambda _: ()
    if "__eq__" in compared:
        once.__eq__ = _equal(values)
    if "__hash__" in compared:
        once.__hash__ = _hash(values)
    for name in _COMPILED:
        setattr(once, name, plain.__dict__[name])


def _shown(self: Any) -> str:
    parts = (f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
    return f"{type(self).__qualname__}({', '.join(parts)})"


def _equal(values: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    def equal(self: Any, other: Any) -> Any:
        return values(self) == values(other) if type(self) is type(other) else NotImplemented

    return equal


def _hash(values: Callable[[Any], Any]) -> Callable[[Any], int]:
    return lambda self: hash(values(self))
