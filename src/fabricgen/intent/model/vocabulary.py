"""Defines the basic types of the intent models: names, safe text, speeds, pools and ranges."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, get_args

from netaddr import AddrFormatError, IPAddress, IPNetwork
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    TypeAdapter,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError
from pydantic_core.core_schema import no_info_plain_validator_function

from fabricgen.core.diagnostics import Stop
from fabricgen.core.late import Late
from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond

MOST_NUMBERS = 10_000  # more leafs than any fabric has, but still designed within seconds


_BUILT: ContextVar[tuple[type[BaseModel], ...] | None] = ContextVar("_BUILT", default=None)


@contextmanager
def building(models: tuple[type[BaseModel], ...] | None) -> Iterator[None]:
    """Build only these models: a value of another model calls its validator. None: build all."""
    before = _BUILT.set(models)
    try:
        yield
    finally:
        _BUILT.reset(before)


@record()
class OneOf:
    """Marks a union of models with different values of a key; it is built for its first value."""

    key: str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> Any:
        """Return the schema of the union, or inside a model a call of its validator."""
        union: Any = Annotated[source, Field(discriminator=self.key)]
        if _BUILT.get() is None:
            return handler.generate_schema(union)

        @cache
        def built() -> TypeAdapter[Any]:
            with building(get_args(source)):
                return TypeAdapter(union)

        return no_info_plain_validator_function(lambda value: built().validate_python(value))


class LateModel(Late[type[BaseModel]]):
    """Marks a value whose model is imported for its first value: few sites have one."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> Any:
        """Return the schema of the model, or inside another model a call of its validator."""
        if _BUILT.get() is None:
            return handler.generate_schema(self.load())
        return no_info_plain_validator_function(lambda value: self.load().model_validate(value))


class IntentModel(BaseModel):
    """Base of every intent model: strict, frozen, no unknown keys, no values in error messages."""

    model_config = ConfigDict(
        strict=True,
        frozen=True,
        extra="forbid",
        hide_input_in_errors=True,
        arbitrary_types_allowed=True,
        allow_inf_nan=False,
        validate_default=True,
        defer_build=True,  # only the complete intent needs a validator
    )
    says_of_its_key: ClassVar[bool] = False
    """Marks a model that only refines what its key names; without that key it has no effect."""

    @classmethod
    def model_rebuild(cls, **options: Any) -> bool | None:
        """Build the validator of this model alone: a site has values of few models."""
        options["_parent_namespace_depth"] = options.get("_parent_namespace_depth", 2) + 1
        with building((cls,)):
            built = super().model_rebuild(**options)
        if "__pydantic_core_schema__" in vars(cls):
            del cls.__pydantic_core_schema__  # a whole schema must not contain this one
        return built

    @classmethod
    def model_json_schema(cls, *args: Any, **options: Any) -> dict[str, Any]:
        """Return the JSON Schema of this model and of all models below it."""
        return TypeAdapter(cls).json_schema(*args, **options)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> Any:
        """Return the schema of this model, or inside another model a call of its validator."""
        models = _BUILT.get()
        mine = models is None or cls in models
        return handler(source) if mine else no_info_plain_validator_function(cls.model_validate)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Raise Stop for a refused value, on which nothing may depend."""
            if name in type(self).model_fields:
                raise Stop(name)
            return super().__getattr__(name)

    def unless_refused(self, key: str) -> Any:
        """Return the value of a key, or None if it was refused; for callers that decide nothing."""
        return vars(self).get(key)

    @property
    def whole(self) -> bool:
        """Return whether no value in it or below was refused."""
        return len(vars(self)) == len(type(self).model_fields) and all(
            map(_whole, vars(self).values())
        )


def _whole(value: Any) -> bool:
    if isinstance(value, dict | list):
        return all(map(_whole, value.values() if isinstance(value, dict) else value))
    return value.whole if isinstance(value, IntentModel) else True


def _text(value: Any, what: str) -> str:
    if isinstance(value, bool | int | float):
        raise PydanticCustomError("value", "{what} must be text; put it in quotes", {"what": what})
    if not isinstance(value, str):
        kinds = ((list, "a list"), (dict, "a mapping"))
        there = next((word for kind, word in kinds if isinstance(value, kind)), "no value")
        raise PydanticCustomError(
            "value", "{what} must be text, but this is {there}", {"what": what, "there": there}
        )
    return value


def _safe(value: str) -> str:
    for index, letter in enumerate(value):
        if not " " <= letter <= "~":
            raise PydanticCustomError(
                "unsafe",
                "character U+{point} at position {place} is not allowed in switch configuration",
                {"point": f"{ord(letter):04X}", "place": index + 1},
            )
    if any(letter in value for letter in '"?`\\') or value.strip() != value or value[:1] in "!#":
        raise PydanticCustomError(
            "unsafe",
            'switch text must not contain " ? ` \\, start with ! or #, or begin or end with spaces',
        )
    if "${" in value or "<%" in value:  # ifupdown2.conf of Debian: template_engine=mako
        raise PydanticCustomError(
            "unsafe", "switch text must not contain ${ or <%: Linux would execute the text after it"
        )
    return value


def _speed(value: Any) -> BitsPerSecond:
    if not isinstance(value, str):
        raise PydanticCustomError(
            "value", "write a speed as a number and M, G or T, for example 400G"
        )
    try:
        return BitsPerSecond.parse(value)
    except ValueError as error:
        raise PydanticCustomError("value", "{said}", {"said": str(error)}) from None


def _network(value: Any) -> IPNetwork:
    text = _text(value, "a prefix")
    if not re.fullmatch(r"[0-9a-fA-F.:]{2,39}/[0-9]{1,3}", text):
        raise PydanticCustomError(
            "value", "write a prefix as address/length, for example 10.0.0.0/16"
        )
    try:
        network = IPNetwork(text)
        plain = str(IPAddress(text.split("/")[0]))
    except (AddrFormatError, ValueError):
        raise PydanticCustomError("value", "not an IP prefix") from None
    if plain != str(network.network):
        raise PydanticCustomError(
            "value", "host bits are set; the prefix is {net}", {"net": str(network.cidr)}
        )
    if network.version == 4 and text.split("/")[0] != plain:
        raise PydanticCustomError(
            "value", "write an IPv4 address as four decimal numbers, for example 10.0.0.0"
        )
    return network


def pool(text: str) -> Any:
    """Return a default pool, validated like text from the intent."""
    return text


def _address(value: Any) -> IPAddress:
    text = _text(value, "an address")
    try:
        address = IPAddress(text)
    except (AddrFormatError, ValueError):
        raise PydanticCustomError("value", "not an IP address") from None
    if address.version == 4 and str(address) != text:
        raise PydanticCustomError(
            "value", "write an IPv4 address as four decimal numbers, for example 10.0.0.1"
        )
    return address


def _interface(value: Any) -> IPNetwork:
    """Read an address with its prefix length; the host bits identify the end."""
    text = _text(value, "an interface address")
    if not re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,3}){3}/[0-9]{1,2}", text):
        raise PydanticCustomError(
            "value", "write an interface address as IPv4 address/length, for example 192.0.2.1/31"
        )
    try:
        network = IPNetwork(text)
    except (AddrFormatError, ValueError):
        raise PydanticCustomError("value", "not an IPv4 address with a prefix length") from None
    if str(network) != text:
        raise PydanticCustomError(
            "value", "write an IPv4 address as four decimal numbers, for example 192.0.2.1"
        )
    if not 1 <= network.prefixlen <= 31:
        raise PydanticCustomError("value", "the subnet needs room for two ends: use /31 or shorter")
    if network.prefixlen < 31 and network.ip in (network.network, network.broadcast):
        raise PydanticCustomError(
            "value",
            "the first and the last address of {net} cannot be host addresses",
            {"net": str(network.cidr)},
        )
    return network


def _interface6(value: Any) -> IPNetwork:
    """Read an IPv6 address with the prefix length of a subnet that has room for two ends."""
    text = _text(value, "an interface address")
    wrong = PydanticCustomError(
        "value", "write this interface address as IPv6 address/length, for example 2001:db8::1/127"
    )
    if not re.fullmatch(r"[0-9a-fA-F:]{2,39}/[0-9]{1,3}", text):
        raise wrong
    try:
        network = IPNetwork(text)
    except (AddrFormatError, ValueError):
        raise wrong from None
    if not 1 <= network.prefixlen <= 127:
        raise PydanticCustomError(
            "value", "the subnet needs room for two ends: use /127 or shorter"
        )
    if network.prefixlen < 127 and network.ip == network.network:
        raise PydanticCustomError(
            "value",
            "the first address of {net} is the subnet-router anycast address",
            {"net": str(network.cidr)},
        )
    return network


NUMBERS = r"^[0-9]+(-[0-9]+)?( *, *[0-9]+(-[0-9]+)?)*$"
"""Number ranges as users write them: 1-16, or 1-8,12."""


def expanded(value: Any) -> tuple[int, ...]:
    """Expand `1-16,33` into its numbers, after a check of the size."""
    text = _text(value, "a range of numbers such as 1-16 or 1-8,12")
    spans: list[tuple[int, int]] = []
    for part in text.replace(" ", "").split(","):
        match = re.fullmatch(r"([0-9]{1,6})(?:-([0-9]{1,6}))?", part)
        if not match:
            raise PydanticCustomError("value", "write numbers from 1, for example 1-16 or 1-8,12")
        first, last = int(match[1]), int(match[2] or match[1])
        if not 1 <= first <= last:
            raise PydanticCustomError("value", "a range must rise and start at 1 or above")
        spans.append((first, last))
    if sum(last - first + 1 for first, last in spans) > MOST_NUMBERS:
        raise PydanticCustomError("value", f"the range has more than {MOST_NUMBERS:,} numbers")
    numbers = [number for first, last in spans for number in range(first, last + 1)]
    if len(set(numbers)) != len(numbers):
        raise PydanticCustomError("value", "a number is listed twice in the range")
    return tuple(sorted(numbers))


def _kind_or_numbers(value: Any) -> str | tuple[int, ...]:
    text = _text(value, "a kind of servers, or a range of numbers")
    return text if re.fullmatch(NAME, text) else expanded(text)


_PLACEHOLDER = re.compile(r"\{([a-z]+)(?::0([1-9]))?\}")


def _pattern(value: Any) -> str:
    return checked_pattern(value)


def checked_pattern(value: Any, more: str = "") -> str:
    """Return a checked name pattern. `more`: a permitted character besides those in names."""
    text = _text(value, "a name pattern")
    bare = _PLACEHOLDER.sub("", text)
    if not re.fullmatch(rf"[a-z0-9{more}-]{{0,40}}", bare):
        raise PydanticCustomError(
            "value",
            "a name pattern has lower-case letters, digits, '-'{more} and placeholders such as "
            "{index:02}",
            {"more": f", '{more}'" if more else ""},
        )
    if not re.fullmatch(rf"[a-z0-9{{{more}](.*[a-z0-9}}{more}])?", text):
        raise PydanticCustomError("value", "a name must start and end with a letter or digit")
    return text


def fill(pattern: str, words: dict[str, str | int]) -> str:
    """Fill a name pattern: `{unit:02}` with unit=3 gives `03`. Unknown placeholders stay.

    A checked pattern contains bare names only, so it is safe as a format string.
    """
    try:
        return pattern.format_map(words)
    except KeyError:  # set by the design before this call
        return pattern


def pattern_words(pattern: str) -> set[str]:
    """Return the placeholders of a pattern."""
    return {match[1] for match in _PLACEHOLDER.finditer(pattern)}


NAME = r"^[a-z][a-z0-9-]{0,30}$"
VRF_NAME = r"^[a-zA-Z][a-zA-Z0-9_-]{0,29}$"
VLAN_NAME = r"^[a-zA-Z0-9][a-zA-Z0-9._:/+-]{0,63}$"
JOB_NAME = r"^[a-z][a-z0-9-]{0,9}$"
HOST_NAME = r"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$"
OWNER = r"^@[A-Za-z0-9][A-Za-z0-9._/-]{0,98}$"
PLACE = r"^[a-z][a-z0-9_-]*(/[A-Za-z0-9._-]+)*$"
"""Keys of a path in the intent, for example tenants/acme."""
DOMAIN_NAME = r"^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$"
MAC = r"^[0-9a-f]{2}(:[0-9a-f]{2}){5}$"
PCI = r"^[0-9a-f]{4}:[0-9a-f]{2}:[01][0-9a-f]\.[0-7]$"


_OCTET = r"(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_IPV4 = rf"{_OCTET}(\.{_OCTET}){{3}}"


def two_halves(text: str) -> str:
    """Return a checked route distinguisher or target of two halves (RFC 4364 section 4.2)."""
    first, _, number = text.rpartition(":")
    if not re.fullmatch(r"0|[1-9][0-9]{0,9}", number):
        first = ""
    wide = False
    if re.fullmatch(r"[1-9][0-9]{0,9}", first) and int(first) < 1 << 32:
        wide = int(first) < 1 << 16
    elif not re.fullmatch(_IPV4, first):
        raise PydanticCustomError("value", "write two halves, for example 65000:1 or 10.0.0.1:5")
    if int(number) >= 1 << (32 if wide else 16):
        raise PydanticCustomError(
            "value", "after an address or a 4-byte ASN, the second half has 16 bits: 0-65535"
        )
    return text


Name = Annotated[str, Field(pattern=NAME)]
VrfName = Annotated[str, Field(pattern=VRF_NAME)]
VlanName = Annotated[str, Field(pattern=VLAN_NAME)]
JobName = Annotated[str, Field(pattern=JOB_NAME)]
HostName = Annotated[str, Field(pattern=HOST_NAME)]
DomainName = Annotated[str, Field(max_length=200, pattern=DOMAIN_NAME)]
SafeText = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_safe)]
Speed = Annotated[
    BitsPerSecond,
    BeforeValidator(_speed),
    WithJsonSchema(
        {
            "type": "string",
            "pattern": r"^[1-9][0-9]{0,3}(\.[0-9])?[MGT]$",
            "examples": ["100G", "400G", "1.6T"],
        }
    ),
]
Network = Annotated[
    IPNetwork,
    BeforeValidator(_network),
    WithJsonSchema({"type": "string", "examples": ["10.0.0.0/16", "2001:db8::/48"]}),
]
Address = Annotated[
    IPAddress,
    BeforeValidator(_address),
    WithJsonSchema({"type": "string", "examples": ["192.0.2.5"]}),
]
InterfaceAddress = Annotated[
    IPNetwork,
    BeforeValidator(_interface),
    WithJsonSchema({"type": "string", "examples": ["192.0.2.1/31"]}),
]
InterfaceAddress6 = Annotated[
    IPNetwork,
    BeforeValidator(_interface6),
    WithJsonSchema({"type": "string", "examples": ["2001:db8::1/127"]}),
]
Numbers = Annotated[
    tuple[int, ...],
    BeforeValidator(expanded),
    WithJsonSchema({"type": "string", "pattern": NUMBERS, "examples": ["1-16", "1-8,12"]}),
]
KindOrNumbers = Annotated[
    str | tuple[int, ...],
    BeforeValidator(_kind_or_numbers),
    WithJsonSchema({"type": "string", "examples": ["gpu", "1-16"]}),
]
Pattern = Annotated[
    str,
    BeforeValidator(_pattern),
    WithJsonSchema({"type": "string", "examples": ["be-su{unit:02}-leaf{index}"]}),
]
PciAddress = Annotated[str, Field(pattern=PCI, examples=["0000:18:00.0"])]
Asn = Annotated[int, Field(ge=1, le=4_294_967_294)]
Dscp = Annotated[int, Field(ge=0, le=63)]
Priority = Annotated[int, Field(ge=0, le=7)]
Mac = Annotated[str, Field(pattern=MAC, examples=["00:1c:73:00:00:99"])]
