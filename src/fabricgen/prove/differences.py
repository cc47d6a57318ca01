"""Lists every difference between the expected and the running state of a switch once.

The comparison is the one of rendered files. This module adds the rules of the running state: values
better than required, values that may still arrive, and consequences of a reported difference.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from fabricgen.core.diagnostics import dotted
from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.core.tree.facts import (
    FALSE,
    Disagreement,
    Key,
    Topic,
    Value,
    disagreements,
    spelled,
)
from fabricgen.nos.show import ENABLED, ESTABLISHED, UP, Observed, Part
from fabricgen.prove import left, sentences
from fabricgen.prove.invariants.laws import of_switch
from fabricgen.prove.invariants.switch import Switch
from fabricgen.prove.left import is_others
from fabricgen.prove.runs import Expected, strangers, topic


class Kind(StrEnum):
    """Reaction to a difference."""

    WRONG = "wrong"  # a value contradicts the model: waiting does not change it
    NOT_YET = "not yet"  # a protocol result is missing: it may still arrive
    UNREAD = "unread"  # unknown, because it could not be read


@record(kw_only=True)
class Difference:
    """One difference; `what` is its topic, `sentence` the complete message.

    `key`: the object, or the first of several similar ones. Empty for unread state. `because`: its
    reason in the design. `attribute`: the one that differs. `expected`, `actual`: its two values,
    for people. `source`: command and field of the actual value.
    """

    switch: str
    kind: Kind
    what: str
    sentence: str
    key: Key = ()
    because: Provenance | None = None
    attribute: str = ""
    expected: str = ""
    actual: str = ""
    source: str = ""

    @property
    def topic(self) -> Topic | None:
        """Return the topic of its fact. None if no fact differs."""
        return topic(self.key, self.attribute) if self.attribute else None

    def as_data(self) -> dict[str, str]:
        """Return its JSON. `intent` has the place that the design follows from."""
        return {
            "switch": self.switch,
            "kind": self.kind,
            "what": self.what,
            "said": self.sentence,
            "intent": dotted(self.because.main) if self.because is not None else "",
            "expected": self.expected,
            "actual": self.actual,
            "source": self.source,
        }


_ORDER = (
    *("cable", "vrf", "interface", "session", "bfd", "vni", "route", "queues"),
    *("fib", *left.LEFT),
)
_NONE = frozenset(("address", "vrf", "bundle", "bridge", "vlans", "untagged"))
"""Attributes of an interface that the model has nowhere by default, also on an unknown interface;
the same holds for all attributes of queues. Other attributes are compared only if the model has
them.
"""
_REPORTED = frozenset(
    (
        "component",
        "module",
        "daemon",
        "saved",
        "reload",
        "identity",
        "clock",
        "ptp",
        "segment",
        "switch",
    )
)
"""Kinds that a switch also reports of objects that no design has. Rules check these."""
_LEARNED = frozenset(("evpn", "evpn-prefix", "hardware"))
"""Kinds of routes. Only routes of the model are asked for."""
_TUNNEL = ("device", "vlan", "layer", "vrf", "import")
"""Attributes of a VNI without which no EVPN route is imported and no packet is flooded."""
_STEPS = frozenset({("vni", "device"), ("vni", "layer"), ("vni", "rd"), ("queues", "scheduler")})
"""Attributes without which no other attribute of the object can be right."""


def compare(expected: Expected, observed: Observed) -> tuple[Difference, ...]:
    """Return every difference between the expected and the running state."""
    sides = Sides(expected, observed)
    alike: dict[tuple[object, ...], list[Disagreement]] = defaultdict(list)
    for each in sides.differing():
        alike[_shared(expected, each)].append(each)
    named = (_difference(sides, group) for group in alike.values())
    return (*_unread(expected, observed), *named, *_unlawful(expected, observed))


def _unlawful(expected: Expected, observed: Observed) -> Iterator[Difference]:
    """Yield broken laws of a running switch, for values that no design sets.

    A law about an unread value is not checked. The value is absent only from the answers.
    """
    lost = {each for each, part in expected.about.items() if part in observed.unread}
    seen = Switch(expected.switch, expected.platform, observed.facts, frozenset(expected.about))
    for law, each in of_switch(seen):
        if law.needs & lost:
            continue
        key = each.spots[0].key
        yield Difference(
            switch=expected.switch, kind=Kind.WRONG, what=law.name, sentence=each.said, key=key
        )


def _unread(expected: Expected, observed: Observed) -> Iterator[Difference]:
    """Yield unread topics that the model needs for the comparison."""
    asked = {
        expected.about[topic(key, name)]
        for key, own in expected.facts.items()
        if not expected.may_lack(key)
        for name in own
    } | left.parts(expected)
    causes: dict[str, list[Part]] = defaultdict(list)
    for part, why in observed.unread.items():
        if part in asked:
            causes[why].append(part)
    for why, parts in causes.items():
        what = ", ".join(parts)
        says = f"{expected.switch}: {what} could not be read: {why}"
        yield Difference(switch=expected.switch, kind=Kind.UNREAD, what=what, sentence=says)


def _shared(expected: Expected, each: Disagreement) -> tuple[object, ...]:
    """Return the key by which differences are joined: similar queues, routes of one switch."""
    values = (each.designed, each.witnessed)
    if each.key[0] in sentences.OF_PORTS:
        return each.key[0], each.attribute, *each.key[2:], *values
    if each.key[0] == "route":
        return (expected.role(each.key), *values) if each.designed is not None else ("route",)
    return each.key, each.attribute


def _difference(sides: "Sides", group: list[Disagreement]) -> Difference:
    first, switch = group[0], sides.expected.switch
    thing, sentence = sentences.of(sides.expected, sides.observed, group)
    return Difference(
        switch=switch,
        kind=Kind.NOT_YET if _may_come(first) else Kind.WRONG,
        what=thing,
        sentence=f"{switch}: {sentence}",
        key=first.key,
        because=sides.expected.because(first.key),
        attribute=first.attribute,
        expected=spelled(first.designed) if first.designed is not None else "absent",
        actual=spelled(first.witnessed) if first.witnessed is not None else "absent",
        source=_source(sides.expected, first),
    )


def _source(expected: Expected, each: Disagreement) -> str:
    """Return the command and the field of a value."""
    found = expected.sources.get(topic(each.key, each.attribute))
    return found.text if found is not None else ""


_BROUGHT = frozenset(
    {
        *(("cable", "far"), ("kernel-route", "way"), ("flood", "vteps"), ("evpn", "imet")),
        *(("evpn-prefix", "vteps"), ("hardware", "programmed"), ("segment", "forwarder")),
        ("clock", "synchronized"),
    }
)
_STATES = frozenset({"session", "bfd", "bundle-member", "pair", "acl-rule"})
"""Kinds whose state a protocol or agent brings. Other states do not change by waiting."""
_LISTS = frozenset({("flood", "vteps"), ("evpn", "imet"), ("evpn-prefix", "vteps")})


def _may_come(each: Disagreement) -> bool:
    """Return whether protocols produce the value."""
    about = topic(each.key, each.attribute)
    if about == ("interface", "link"):
        return (each.designed, each.witnessed) == (UP, ENABLED)
    if about == ("route", "ports"):
        return each.designed is not None and set(each.witnessed or ()) <= set(each.designed)
    if about in _LISTS and each.designed is not None:
        return set(each.witnessed or ()) <= set(each.designed)
    missing = about in _BROUGHT and each.witnessed in (None, FALSE)
    comes = each.attribute == "state" and each.key[0] in _STATES
    return missing or (comes and each.designed is not None)


def _rank(key: Key) -> int:
    """Return the place of a kind in the order of messages; other kinds come last."""
    return _ORDER.index(key[0]) if key[0] in _ORDER else len(_ORDER)


def _is_worse(about: Topic, each: Disagreement) -> bool:
    """Return whether a value is worse than the model's. More headroom loses no packet."""
    if about != ("headroom", "bytes"):
        return about != ("interface", "link") or (each.designed, each.witnessed) != (ENABLED, UP)
    sizes = [str(each.witnessed), str(each.designed)]
    return not all(map(str.isdecimal, sizes)) or int(sizes[0]) < int(sizes[1])


@dataclass(frozen=True)
class Sides:
    """Expected and running state of a switch."""

    expected: Expected
    observed: Observed

    def differing(self) -> Iterator[Disagreement]:
        """Yield relevant differences; of a missing or unknown object only the first."""
        ended: set[Key] = set()
        wrong = disagreements(self.expected.facts, self.observed.facts)
        for each in sorted(wrong, key=lambda each: _rank(each.key)):
            if each.key in ended or not self._counts(each):
                continue
            if not self._there(each.key) or self._ends(each):
                ended.add(each.key)
            if not self._follows(each) and not self._unlearned(each):
                yield each

    def _there(self, key: Key) -> bool:
        return key in self.expected.facts and key in self.observed.facts

    def _ends(self, each: Disagreement) -> bool:
        step = topic(each.key, each.attribute) in _STEPS
        return step and (each.witnessed is None or each.key[0] == "queues")

    def _counts(self, each: Disagreement) -> bool:
        """Return whether the value was read, and is worse than the model's."""
        about = topic(each.key, each.attribute)
        part = self.expected.about.get(about)
        if part is None or part in self.observed.unread or self._is_unknown(each):
            return False
        if about == left.PROTOCOLS:
            return not set(each.witnessed or ()) <= set(each.designed or ())
        if each.designed is None:
            return self._denied(each)
        if each.witnessed is None:
            lost = each.key[0] == "kernel-route" and each.key[1] in self.lost_vrfs
            return not self.expected.may_lack(each.key) and not lost
        if about == ("cable", "far"):
            return self._miswired(each)
        return _is_worse(about, each)

    def _is_unknown(self, each: Disagreement) -> bool:
        """Return whether this release or model does not report the value."""
        about, unknown = topic(each.key, each.attribute), self.observed.unknown
        return about in unknown or (*about, *each.key[1:]) in unknown

    def _miswired(self, each: Disagreement) -> bool:
        """Return whether another neighbor was seen; a NIC with LLDP in its firmware has no name."""
        others = strangers(each.designed, each.witnessed)
        nameless = self.expected.may_lack(each.key)
        return bool(each.designed) and any(end[0] or not nameless for end in others)

    def _denied(self, each: Disagreement) -> bool:
        """Return whether the model excludes what it does not contain."""
        known = self.expected.facts.get(each.key)
        if each.key[0] in left.LEFT:
            return left.concerns(each.key, self.expected)
        if each.key[0] in _REPORTED | _LEARNED:
            return False
        if known is None and is_others(each.key, self.expected.others):
            return False
        if each.key[0] == "interface":
            return each.attribute in _NONE
        if each.key[0] != "queues":
            return known is None
        dscp = each.attribute.startswith("dscp")  # a DSCP without a filter has the default
        return known is not None and not (dscp and each.witnessed == known.get("default"))

    def _follows(self, each: Disagreement) -> bool:
        """Return whether the difference only follows from another one."""
        match each.key[0]:
            case "session":
                late = each.attribute == "state" and each.designed is not None
                return each.key[1] in self.lost_vrfs or (late and self._explained(each.key))
            case "bfd":
                late = each.attribute == "state" or each.witnessed is None
                up = self._up(("session", *each.key[1:]))
                return each.designed is not None and late and not up
            case "interface":
                return self._named(each)
            case "vni":
                return self._unrouted(each)
            case "route":
                there, wanted = set(each.witnessed or ()), set(each.designed or ())
                return there <= wanted and wanted - there <= self.silent and bool(wanted)
        return False

    def _unlearned(self, each: Disagreement) -> bool:
        """Return whether a route is missing in the chip, or of another leaf, with its cause."""
        if each.key[0] == "hardware":
            return ("route", *each.key[1:]) not in self.observed.facts
        learned = (each.key[0], each.attribute) in _LISTS
        missing = learned and each.witnessed is None
        return missing and (self._without_evpn or self._untunneled(each.key))

    def _untunneled(self, key: Key) -> bool:
        """Return whether a reported fault of a VNI or VRF explains its missing EVPN routes."""
        about = {"flood": "vlan", "evpn-prefix": "vrf"}.get(key[0])
        vnis = (
            vni
            for vni, own in self.expected.of("vni").items()
            if (vni[1] if about is None else own.get(about)) == key[1]
            and (about != "vrf" or own.get("layer") == "3")
        )
        return key[1] in self.lost_vrfs or any(self._differs(each, *_TUNNEL) for each in vnis)

    def _up(self, session: Key) -> bool:
        return self.observed.facts.get(session, {}).get("state") == ESTABLISHED

    def _differs(self, key: Key, *names: str) -> bool:
        """Return whether one of some values differs, and this release reports it."""
        one, other, unknown = (
            self.expected.facts.get(key, {}),
            self.observed.facts.get(key, {}),
            self.observed.unknown,
        )
        return any(
            one.get(name) != other.get(name)
            and (key[0], name) not in unknown
            and (key[0], name, *key[1:]) not in unknown
            for name in names
        )

    def _explained(self, session: Key) -> bool:
        """Return whether another fault of a session explains it: its cable, or other sessions."""
        cabled = self.expected.ports.get(session) in self.miscabled
        needs = f"{session[-1]}/32" in self.cut_off
        return cabled or needs or self._differs(session, "asn", "families")

    def _named(self, each: Disagreement) -> bool:
        """Return whether the VRF, VNI or VLANs of an interface report it."""
        if each.attribute == "vrf":
            return each.designed in self.lost_vrfs
        if each.attribute == "untagged":
            return self._differs(each.key, "vlans")
        return each.key[1] in self.devices and not self._there(each.key)

    def _unrouted(self, each: Disagreement) -> bool:
        """Return whether a VNI's VRF is missing; its layer-3 VNI then has no routing."""
        own = self.expected.facts.get(each.key, {})
        routing = each.attribute not in ("device", "source", "vlan")
        needs = each.attribute == "vrf" or own.get("layer") == "3"
        return routing and needs and own.get("vrf") in self.lost_vrfs

    @cached_property
    def devices(self) -> frozenset[Value]:
        """Interfaces of VRFs and VNIs, which report missing or unknown devices."""
        both = (self.expected.facts, self.observed.facts)
        vrfs = {key[1] for facts in both for key in facts if key[0] == "vrf"}
        return frozenset(
            vrfs | {own["device"] for facts in both for own in facts.values() if "device" in own}
        )

    @cached_property
    def _without_evpn(self) -> bool:
        """Whether no EVPN session is up, so that routes of other leafs are missing."""
        sessions = self.expected.of("session").items()
        evpn = [key for key, own in sessions if "evpn" in own.get("families", ())]
        return bool(evpn) and not any(map(self._up, evpn))

    @cached_property
    def lost_vrfs(self) -> frozenset[Value | None]:
        """Missing VRFs: objects in them are not reported again."""
        if Part.INTERFACES in self.observed.unread:
            return frozenset()
        return frozenset(key[1] for key in self.expected.of("vrf").keys() - self.observed.of("vrf"))

    @cached_property
    def silent(self) -> frozenset[str]:
        """Ports whose session with the next switch is down: routes over them are missing, too."""
        return frozenset(port for key, port in self.expected.ports.items() if not self._up(key))

    @cached_property
    def miscabled(self) -> frozenset[str | None]:
        """Ports with another neighbor than expected: their sessions cannot come up."""
        cables, heard = self.expected.of("cable"), self.observed.facts
        return frozenset(
            key[1]
            for key, own in cables.items()
            if key in heard and strangers(own["far"], heard[key]["far"])
        )

    @cached_property
    def cut_off(self) -> frozenset[str]:
        """Prefixes whose paths all use silent ports: sessions to them cannot come up."""
        routes = self.expected.of("route").items()
        return frozenset(key[2] for key, own in routes if self.silent.issuperset(own["ports"]))
