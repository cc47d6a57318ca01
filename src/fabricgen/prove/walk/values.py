"""Reads the values of facts: one text, several, and values that are invalid for their kind."""

from collections.abc import Callable
from ipaddress import IPv4Address, ip_address

from fabricgen.core.record import record
from fabricgen.core.tree.facts import Attributes, Facts, Key, Value
from fabricgen.prove.walk.packet import interface


def text(value: Value | None) -> str:
    """Return a single value; several values count as none, since no switch accepts them."""
    return value if isinstance(value, str) else ""


def words(value: Value | None) -> tuple[str, ...]:
    """Return several values."""
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else value


def _vlan(value: str) -> object:
    return range(4096)[int(value)]


def _vni(value: str) -> object:
    return range(2**24)[int(value)]


def _key(value: str) -> object:
    """Return an LACP key of SONiC (sonic-portchannel.yang): `auto`, or a number."""
    return value == "auto" or range(65536)[int(value)]


READ: dict[tuple[str, str], Callable[[str], object]] = {
    ("interface", "address"): interface,
    ("interface", "untagged"): _vlan,
    ("interface", "vlans"): _vlan,
    ("interface", "vlan"): _vlan,
    ("interface", "tag"): _vlan,
    ("interface", "mtu"): int,
    ("interface", "lacp-key"): _key,
    ("interface", "vni"): _vni,
    ("vlan", "vni"): _vni,
    ("vrf", "vni"): _vni,
    ("vtep", "address"): interface,
    ("bgp", "router-id"): IPv4Address,
    ("bgp", "network"): interface,
    ("listens", ""): interface,
    ("vlan", ""): _vlan,
    ("vni", ""): _vni,
}
"""Parsers of a fact's value, or of an object's name; ValueError or IndexError for a bad one."""
WALKED: dict[tuple[str, str], Callable[[str], object]] = {
    **READ,
    ("bgp", "asn"): int,
    ("bgp", "paths"): int,
    ("bgp", "maximum-paths"): lambda value: int(value.rpartition(":")[2]),  # of a VRF: ipv4:64
    ("route", ""): interface,
    ("route", "via"): ip_address,
}
"""The same parsers, and those for values in rendered files that a walk uses."""


@record(kw_only=True)
class InvalidValue:
    """An invalid value for its kind."""

    key: Key
    attribute: str
    value: str

    @property
    def name(self) -> str:
        """The object and its attribute."""
        return " ".join((*self.key, self.attribute)).strip()


def is_bad(
    key: Key,
    name: str,
    value: str,
    parsers: dict[tuple[str, str], Callable[[str], object]] | None = None,
) -> bool:
    """Return whether a value of an object, or its name if `name` is empty, is invalid."""
    read = (READ if parsers is None else parsers).get((key[0], name))
    if read is None or (key[0], name, len(key)) == ("interface", "", 2):
        return False
    try:
        read(value)
    except (ValueError, IndexError):
        return True
    return False


def sound(facts: Facts) -> tuple[Facts, list[InvalidValue]]:
    """Return facts without values that a walk cannot read, and those values."""
    kept: Facts = {}
    odd: list[InvalidValue] = []
    for key, own in facts.items():
        if is_bad(key, "", key[-1], WALKED):
            odd.append(InvalidValue(key=key, attribute="", value=key[-1]))
            continue
        good: Attributes = {}
        for name, value in own.items():
            bad = [str(each) for each in words(value) if is_bad(key, name, str(each), WALKED)]
            odd += [InvalidValue(key=key, attribute=name, value=each) for each in bad]
            if not bad:
                good[name] = value
        kept[key] = good
    return kept, odd
