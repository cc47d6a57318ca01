"""Describes one setting, and finds the settings of a record."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, Field, field, fields, is_dataclass
from types import NoneType
from typing import Annotated, Any, ClassVar, Generic, TypeVar, get_args, get_origin, get_type_hints

from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.core.tree.facts import TRUE, Attributes, Key

T = TypeVar("T")
Address = Annotated[str, "address"]
DomainName = Annotated[str, "domain name"]
SafeText = Annotated[str, "safe text"]
Name = Annotated[str, "name"]
Secret = Annotated[str, "secret"]
"""Types of text. The vocabulary of the intent defines their spelling.

A `Secret` is a reference to a secret, never its value.
"""
PLACEHOLDER = re.compile(r"<<secret:([^<>\s]+)>>")
"""Placeholder of a secret in a rendered text, around its reference."""


def placeholder(reference: str) -> str:
    """Return the placeholder of a secret in a rendered file; only a push resolves it."""
    return f"<<secret:{reference}>>"


@record(eq=False, kw_only=True)
class Setting:
    """Declaration of one key.

    Attributes:
        text: Sentence for the schema and the reference page.
        fact: Attribute of the neutral fact that the files of a switch state. Without one, the
            setting has a designed expectation, or its nested record declares its own facts.
        feature: Name of the capability that a platform needs for the key.
        bounds: Limits of the value, as pydantic names them (`gt`, `le`, `min_length` …).
        required: The key must be present if its record is.
        is_set: The order and repetitions of a list have no meaning.
        per_entry: Each entry of a list is an object of kind `fact`.
    """

    text: str
    fact: str
    feature: str
    bounds: Mapping[str, Any]
    required: bool
    is_set: bool
    per_entry: bool


def setting(
    default: T,
    text: str,
    *,
    fact: str = "",
    feature: str = "",
    is_set: bool = False,
    per_entry: bool = False,
    **bounds: Any,
) -> T:
    """Declare a key of a settings record with its default.

    Args:
        default: Value if the intent has none. None: only the intent gives one.
        text: See `Setting`.
        fact: See `Setting`.
        feature: See `Setting`.
        is_set: See `Setting`.
        per_entry: See `Setting`.
        **bounds: See `Setting`.
    """
    about = Setting(
        text=text,
        fact=fact,
        feature=feature,
        bounds=bounds,
        required=default is MISSING,
        is_set=is_set,
        per_entry=per_entry,
    )
    # mypy uses the default as the type of the field value
    declaration: Any = field(default=default, metadata={"setting": about})
    return declaration  # type: ignore[no-any-return]


def required(text: str, **about: Any) -> Any:
    """Declare a key that must be present if its record is. `about`: see `setting`."""
    return setting(MISSING, text, **about)


@record(eq=False, kw_only=True)
class Declared:
    """One setting of a record.

    Attributes:
        path: Keys from the record to the value: `("storm_control", "broadcast")`.
        kind: Type of the value, without `None` for an optional setting.
        default: Value if the intent has none. `MISSING`: the key is required.
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
        """Return the value of this setting in a record; None if a parent record is absent."""
        found: Any = values
        for key in self.path:
            found = getattr(found, key, None)
        return found

    @property
    def item(self) -> Any:
        """The type of each entry of a list; for other values the type."""
        return get_args(self.kind)[0] if get_origin(self.kind) is tuple else self.kind

    @property
    def inner(self) -> type[Any] | None:
        """The settings record in the value or in each of its entries."""
        return self.item if is_dataclass(self.item) else None  # type: ignore[return-value]


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
    """Switches share the text that a template renders from it."""
    values: T
    chosen: Mapping[str, Provenance] = field(default_factory=dict)
    because: Provenance | None = None
    name: str = ""


# functools.cache does not work here: mypy does not accept type[Any] as hashable
_KEYS: dict[type[Any], tuple[Declared, ...]] = {}
_DECLARED: dict[type[Any], tuple[Declared, ...]] = {}


def keys(kind: type[Any]) -> tuple[Declared, ...]:
    """Return each key of a record, without the keys of nested records."""
    if kind not in _KEYS:
        types = get_type_hints(kind, include_extras=True)
        declarations = [each for each in fields(kind) if "setting" in each.metadata]
        _KEYS[kind] = tuple(_key(each, types[each.name]) for each in declarations)
    return _KEYS[kind]


def _key(declaration: Field[Any], kind: Any) -> Declared:
    about, default = declaration.metadata["setting"], declaration.default
    return Declared(path=(declaration.name,), setting=about, kind=present(kind), default=default)


def declared(kind: type[Any]) -> tuple[Declared, ...]:
    """Return every setting of a record in order.

    A mandatory nested record (`storm_control`) is replaced by its settings. An optional record, or
    a list of records, is one setting.
    """
    if kind not in _DECLARED:
        _DECLARED[kind] = tuple(_declared(kind))
    return _DECLARED[kind]


def _declared(kind: type[Any]) -> Iterator[Declared]:
    for each in keys(kind):
        if each.inner is not None and isinstance(each.default, each.inner):
            yield from (_below(each, inner) for inner in declared(each.inner))
        else:
            yield each


def _below(above: Declared, each: Declared) -> Declared:
    return Declared(
        path=above.path + each.path, setting=each.setting, kind=each.kind, default=each.default
    )


def default_of(kind: type[Any], key: str) -> Any:
    """Return the default of a key of a record."""
    return next(each.default for each in keys(kind) if each.key == key)


def present(kind: Any) -> Any:
    """Return a type without its `None`."""
    if NoneType not in get_args(kind):
        return kind
    return next(each for each in get_args(kind) if each is not NoneType)


def facts_of(
    values: object,
    is_supported: Callable[[str], bool] = lambda _: True,
    usual: Callable[[str], str] = lambda _: "",
) -> Attributes:
    """Return the neutral facts of a record, which the files of a switch must state.

    Args:
        values: The record.
        is_supported: Returns whether the platform supports a feature.
        usual: Returns the platform's default value, which no file states.
    """
    found = ((each, each.value(values)) for each in declared(type(values)))
    return {
        each.setting.fact: _stated(each, value)
        for each, value in found
        if value
        and (each.setting.fact and not each.setting.per_entry)
        and (
            not each.setting.feature
            or (is_supported(each.setting.feature) and value != usual(each.setting.feature))
        )
    }


def entries_of(values: object) -> Iterator[Key]:
    """Yield the object of each list entry in a record: `("ntp", "192.0.2.1")`."""
    for each in declared(type(values)):
        if each.setting.per_entry:
            yield from ((each.setting.fact, entry) for entry in each.value(values))


def _stated(setting: Declared, value: Any) -> str | tuple[str, ...]:
    if setting.kind == Secret:
        return placeholder(value)
    if value is True:
        return TRUE
    return tuple(map(str, value)) if isinstance(value, tuple) else str(value)
