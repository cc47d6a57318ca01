"""Describes one setting, and finds the settings of a record."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, fields, is_dataclass
from functools import reduce
from types import NoneType
from typing import Any, ClassVar, Generic, NewType, TypeVar, get_args, get_type_hints

from fabricgen.core.because import Because
from fabricgen.core.record import record
from fabricgen.core.tree.facts import TRUE, Attributes, Key

T = TypeVar("T")
Address = NewType("Address", str)
DomainName = NewType("DomainName", str)
SafeText = NewType("SafeText", str)
"""Kinds of text. The vocabulary of the intent says how each is written."""


@record(eq=False, kw_only=True)
class Setting:
    """Declaration of one key.

    Attributes:
        text: Sentence for the schema and the reference page.
        fact: Attribute of the neutral fact that the files of a switch state.
        feature: Name of the capability that a platform needs for the key.
        bounds: Limits of the value, as pydantic names them (`gt`, `le`, `min_length` …).
        required: The key has to stand wherever its record does.
        is_set: The order of a list and repetitions mean nothing.
        per_entry: Each entry of a list is an object, whose kind is `fact`.
    """

    text: str
    fact: str
    feature: str = ""
    bounds: Mapping[str, Any] = field(default_factory=dict)
    required: bool = False
    is_set: bool = False
    per_entry: bool = False


@record(eq=False, kw_only=True)
class Declared:
    """One setting of a record.

    Attributes:
        path: Keys from the record to the value: `("storm_control", "broadcast")`.
        kind: Type of the value; without the `None` of a setting that may be absent.
        default: Value where the intent has none.
    """

    path: tuple[str, ...]
    setting: Setting
    kind: Any
    default: Any

    @property
    def key(self) -> str:
        """The path as text: `storm_control.broadcast`."""
        return ".".join(self.path)

    def value(self, values: object) -> Any:
        """Return the value of this setting in a record."""
        return reduce(getattr, self.path, values)


@record(eq=False, kw_only=True)
class Resolved(Generic[T]):
    """A settings record with everything that it inherits.

    Attributes:
        name: Name of the profile, if it has one.
        values: The record.
        chosen: Reason of each setting that the intent names, by its key.
        because: Reason of the record itself.
    """

    shared: ClassVar[bool] = True
    """Switches share the text that a template makes of it."""
    values: T
    chosen: Mapping[str, Because] = field(default_factory=dict)
    because: Because | None = None
    name: str = ""


# functools.cache would do, but mypy takes no type[Any] for hashable
_DECLARED: dict[type[Any], tuple[Declared, ...]] = {}
_HINTS: dict[type[Any], dict[str, Any]] = {}


def declared(kind: type[Any]) -> tuple[Declared, ...]:
    """Return every setting of a record and of the records in it, in their order."""
    if kind not in _DECLARED:
        _DECLARED[kind] = tuple(_declared(kind, ()))
    return _DECLARED[kind]


def _declared(kind: type[Any], above: tuple[str, ...]) -> Iterator[Declared]:
    usual = {each.name: each.default for each in fields(kind)}
    for name, hint in hints(kind).items():
        path, default = (*above, name), usual[name]
        told, setting = get_args(hint)
        if is_dataclass(told):
            yield from _declared(type(default), path)
        else:
            yield Declared(path=path, setting=setting, kind=present(told), default=default)


def hints(kind: type[Any]) -> dict[str, Any]:
    """Return the annotation of each setting of a record, with its declaration."""
    if kind not in _HINTS:
        every = get_type_hints(kind, include_extras=True)
        _HINTS[kind] = {name: hint for name, hint in every.items() if hasattr(hint, "__metadata__")}
    return _HINTS[kind]


def present(kind: Any) -> Any:
    """Return a type without its `None`."""
    if NoneType not in get_args(kind):
        return kind
    return next(each for each in get_args(kind) if each is not NoneType)


def facts_of(values: object, is_supported: Callable[[str], bool] = lambda _: True) -> Attributes:
    """Return the neutral facts of a record: what the files of a switch have to state."""
    every = [each for each in declared(type(values)) if not each.setting.per_entry]
    found = ((each, each.value(values)) for each in every)
    return {
        each.setting.fact: _stated(value)
        for each, value in found
        if value and (not each.setting.feature or is_supported(each.setting.feature))
    }


def entries_of(values: object) -> Iterator[Key]:
    """Yield the object that each entry of a list of a record is: `("ntp", "192.0.2.1")`."""
    for each in declared(type(values)):
        if each.setting.per_entry:
            yield from ((each.setting.fact, entry) for entry in each.value(values))


def _stated(value: Any) -> str | tuple[str, ...]:
    if value is True:
        return TRUE
    return tuple(map(str, value)) if isinstance(value, tuple) else str(value)
