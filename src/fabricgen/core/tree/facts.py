"""Defines the facts of one switch in one shape for the design, the files and the running state.

An object has a key of words, its kind and its name, and attributes: ("session", "default",
"10.72.0.0") has {"asn": "4294967294", "families": ("ipv4",)}. A value is text, or a tuple for
several values. docs/reference/facts.md lists the kinds. Two sides agree if their facts are equal.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fabricgen.core.record import record

Key = tuple[str, ...]
Value = str | tuple[Any, ...]
Attributes = dict[str, Value]
Facts = dict[Key, Attributes]
Topic = tuple[str, str]
"""Kind and attribute: the topic of a fact, for any object."""
TRUE, FALSE = "true", "false"
CHOSEN = "any value that an invariant accepts"
"""A value that a platform may choose: an invariant checks it, and the design does not set it."""
GLOBAL = "default"
"""The name of the global VRF."""
NAME = ""
"""Attribute name for the name of the object."""
_SUBJECTS = {"session": "BGP neighbor", "bfd": "BFD of BGP neighbor", "route": "route"}
"""Objects whose key is a VRF and a name."""
_KINDS = {"vrf": "VRF", "vlan": "VLAN", "vni": "VNI", "bgp": "BGP of VRF", "vtep": "VTEP"}
_ATTRIBUTES = {
    ("session", "asn"): "remote ASN",
    ("bgp", "asn"): "ASN",
    ("session", "families"): "address families",
    ("session", "source"): "update source",
    ("session", "in"): "import policy",
    ("session", "out"): "export policy",
    ("session", "evpn-in"): "EVPN import policy",
    ("session", "evpn-out"): "EVPN export policy",
    ("vlan", "vni"): "VNI",
    ("vrf", "vni"): "VNI",
    ("interface", "mtu"): "MTU",
    ("interface", "vrf"): "VRF",
    ("interface", "vlans"): "VLANs",
    ("interface", "untagged"): "untagged VLAN",
}
"""Attributes whose common name differs from their key."""
Span = tuple[int, int, Key, str]
"""Begin and end of a value in a text, and its meaning: an attribute of an object, or NAME."""


@dataclass(slots=True)
class Reading:
    """Facts of a text. `unclaimed`: lines that no row of the grammar claims, with their numbers.

    `lines`: the line numbers of each fact; only of a traced reading.
    """

    facts: Facts = field(default_factory=dict)
    unclaimed: list[tuple[int, str]] = field(default_factory=list)
    lines: dict[tuple[Key, str], list[int]] = field(default_factory=dict)


@record(kw_only=True)
class Disagreement:
    """One fact on which two sides differ; None if a side does not have it."""

    key: Key
    attribute: str
    designed: Value | None
    witnessed: Value | None

    def __str__(self) -> str:
        """Return `BGP neighbor 10.72.0.0: ASN is 65001, but the design has 65002`."""
        return self.sentence()

    def sentence(self, far: str = "") -> str:
        """Return the difference as a sentence.

        Args:
            far: Name of the switch or server at the remote end, if the object has one.
        """
        subject = " ".join(filter(None, (subject_of(self.key), far and f"({far})")))
        word = attribute_word(self.key[0], self.attribute)
        about = f"{subject}: {word}" if word != NAME else subject
        if self.witnessed is None:
            return f"{about} is missing; the design has {spelled(self.designed)}"
        shown = f"{about} is {spelled(self.witnessed)}"
        if self.designed is None:
            return f"{shown}, but it is not in the design"
        return f"{shown}, but the design has {spelled(self.designed)}"


def disagreements(
    designed: Mapping[Key, Mapping[str, Value]], witnessed: Mapping[Key, Mapping[str, Value]]
) -> list[Disagreement]:
    """Return every difference, missing facts first."""
    wrong = []
    for key in (*designed, *(key for key in witnessed if key not in designed)):
        one, other = designed.get(key, {}), witnessed.get(key, {})
        wrong += [
            Disagreement(key=key, attribute=name, designed=one.get(name), witnessed=other.get(name))
            for name in (*one, *(name for name in other if name not in one))
            if one.get(name) != other.get(name)
        ]
    return wrong


def settled(designed: Facts, witnessed: Facts) -> Facts:
    """Return a design in which each chosen value is the witness's value, if it has one."""
    found = dict(designed)
    for key, own in designed.items():
        chosen = [name for name, value in own.items() if value == CHOSEN]
        seen = witnessed.get(key, {})
        if chosen:
            found[key] = own | {name: seen[name] for name in chosen if seen.get(name)}
    return found


def merged(one: Attributes, other: Attributes) -> Attributes:
    """Return the union of two places about one object: lists add up, and so do two texts.

    No design has two texts of one object. So a file that contradicts itself or another agrees with
    no design.
    """
    both = {**one, **other}
    for name in one.keys() & other.keys():
        first, second = one[name], other[name]
        if first != second:
            several = (
                (*(value if isinstance(value, tuple) else (value,)),) for value in (first, second)
            )
            both[name] = tuple(sorted({part for value in several for part in value}))
    return both


def add(facts: Facts, key: Key, attributes: Attributes) -> None:
    """Add the attributes of an object from one place to those of other places."""
    old = facts.get(key)
    facts[key] = attributes if old is None else merged(old, attributes)


def attribute_word(kind: str, attribute: str) -> str:
    """Return the common name of an attribute: `remote ASN` for the `asn` of a session."""
    return _ATTRIBUTES.get((kind, attribute), attribute.replace("-", " "))


def subject_of(key: Key) -> str:
    """Return the text for an object: `BGP neighbor 10.72.0.0 in VRF red`, `interface Vlan10`."""
    kind, *names = key
    if kind in _SUBJECTS and len(names) == 2:
        vrf, name = names
        return f"{_SUBJECTS[kind]} {name}" + (f" in VRF {vrf}" if vrf != GLOBAL else "")
    word = _KINDS.get(kind, kind.replace("-", " "))
    return " ".join((word, *names)) if names else word


def spelled(value: Value | None) -> str:
    """Format a value for people: parts of a tuple with commas, of an inner tuple with blanks."""
    if not isinstance(value, tuple):
        return str(value)
    return ", ".join(map(_spelled_part, value)) or "nothing"


def _spelled_part(part: Any) -> str:
    return " ".join(map(_spelled_part, part)) if isinstance(part, tuple) else str(part)
