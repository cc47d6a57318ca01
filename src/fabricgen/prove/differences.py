"""Lists every difference between the expected and the running state of a switch once.

The comparison is that of rendered files. This module adds the rules of the running state: values
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
from fabricgen.core.tree.facts import Disagreement, Key, Value, disagreements
from fabricgen.nos.show import ENABLED, ESTABLISHED, UP, Observed, Part
from fabricgen.prove import left, sentences
from fabricgen.prove.invariants.laws import of_switch
from fabricgen.prove.invariants.switch import Switch
from fabricgen.prove.left import is_others
from fabricgen.prove.runs import Expected, strangers, topic


class Kind(StrEnum):
    """What to do about a difference."""

    WRONG = "wrong"  # a value contradicts the model: waiting will not change it
    NOT_YET = "not yet"  # what protocols bring about is missing: it may still come
    UNREAD = "unread"  # nothing is known, because it could not be read


@record(kw_only=True)
class Difference:
    """One difference; `what` is the thing it is about, `sentence` says all of it.

    key: the object, or the first of several alike; empty for what was not read. because: why the
    design has it so.
    """

    switch: str
    kind: Kind
    what: str
    sentence: str
    key: Key = ()
    because: Provenance | None = None

    def as_data(self) -> dict[str, str]:
        """Return what JSON has of it; intent: the place that the design follows from."""
        return {
            "switch": self.switch,
            "kind": self.kind,
            "what": self.what,
            "said": self.sentence,
            "intent": dotted(self.because.main) if self.because is not None else "",
        }


_ORDER = (
    *("cable", "vrf", "interface", "session", "bfd", "vni", "route", "queues"),
    *("fib", *left.LEFT),
)
_NONE = frozenset(("address", "vrf", "bundle", "bridge", "vlans", "untagged"))
"""Attributes of an interface of which the model has none where it is silent, also of one that it
does not know; so it is with all attributes of queues. No other is compared where it is not said."""
_STEPS = frozenset({("vni", "device"), ("vni", "layer"), ("vni", "rd"), ("queues", "scheduler")})
"""Without these nothing else of the object can be right."""


def compare(expected: Expected, observed: Observed) -> tuple[Difference, ...]:
    """Return every difference between what a switch must show and what it shows."""
    sides = Sides(expected, observed)
    alike: dict[tuple[object, ...], list[Disagreement]] = defaultdict(list)
    for each in sides.differing():
        alike[_shared(expected, each)].append(each)
    named = (_difference(sides, group) for group in alike.values())
    return (*_unread(expected, observed), *named, *_unlawful(expected, observed))


def _unlawful(expected: Expected, observed: Observed) -> Iterator[Difference]:
    """Yield the laws that a running switch breaks: of what no design gives a value."""
    seen = Switch(expected.switch, expected.platform, observed.facts, frozenset(expected.about))
    for law, each in of_switch(seen):
        key = each.spots[0].key
        yield Difference(
            switch=expected.switch, kind=Kind.WRONG, what=law.name, sentence=each.said, key=key
        )


def _unread(expected: Expected, observed: Observed) -> Iterator[Difference]:
    """Yield why something could not be read that the model has something to compare with."""
    asked = {
        expected.about[topic(key, name)]
        for key, own in expected.facts.items()
        if key not in expected.optional
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
    """Return what makes differences one: queues that are alike, routes of one switch that are."""
    values = (each.designed, each.witnessed)
    if each.key[0] == "queues":
        return each.attribute, *values
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
    )


_BROUGHT = frozenset({("cable", "far"), ("kernel-route", "way")})


def _may_come(each: Disagreement) -> bool:
    """Tell whether protocols bring it about."""
    about = topic(each.key, each.attribute)
    if about == ("interface", "link"):
        return (each.designed, each.witnessed) == (UP, ENABLED)
    if about == ("route", "ports"):
        return each.designed is not None and set(each.witnessed or ()) <= set(each.designed)
    missing = about in _BROUGHT and each.witnessed is None
    return missing or each.attribute == "state"


@dataclass(frozen=True)
class Sides:
    """What a switch must show, and what it shows."""

    expected: Expected
    observed: Observed

    def differing(self) -> Iterator[Disagreement]:
        """Yield what counts; of an object that is missing, or unknown, the first thing."""
        ended: set[Key] = set()
        wrong = disagreements(self.expected.facts, self.observed.facts)
        for each in sorted(wrong, key=lambda each: _ORDER.index(each.key[0])):
            if each.key in ended or not self._counts(each):
                continue
            if not self._there(each.key) or self._ends(each):
                ended.add(each.key)
            if not self._follows(each):
                yield each

    def _there(self, key: Key) -> bool:
        return key in self.expected.facts and key in self.observed.facts

    def _ends(self, each: Disagreement) -> bool:
        step = topic(each.key, each.attribute) in _STEPS
        return step and (each.witnessed is None or each.key[0] == "queues")

    def _counts(self, each: Disagreement) -> bool:
        """Tell whether something was read, and is not as good as what the model says."""
        about = topic(each.key, each.attribute)
        part = self.expected.about.get(about)
        if part is None or part in self.observed.unread:
            return False
        if about == left.PROTOCOLS:
            return not set(each.witnessed or ()) <= set(each.designed or ())
        if each.designed is None:
            return self._denied(each)
        if each.witnessed is None:
            lost = each.key[0] == "kernel-route" and each.key[1] in self.lost_vrfs
            return each.key not in self.expected.optional and not lost
        if about == ("cable", "far"):
            return self._miswired(each)
        return about != ("interface", "link") or (each.designed, each.witnessed) != (ENABLED, UP)

    def _miswired(self, each: Disagreement) -> bool:
        """Tell whether someone else was heard; a NIC whose firmware speaks LLDP gives no name."""
        others = strangers(each.designed, each.witnessed)
        nameless = each.key in self.expected.optional
        return bool(each.designed) and any(end[0] or not nameless for end in others)

    def _denied(self, each: Disagreement) -> bool:
        """Tell whether the model denies what it does not say."""
        known = self.expected.facts.get(each.key)
        if each.key[0] in left.LEFT:
            return left.concerns(each.key, self.expected)
        if known is None and is_others(each.key, self.expected.others):
            return False
        if each.key[0] == "interface":
            return each.attribute in _NONE
        if each.key[0] != "queues":
            return known is None
        dscp = each.attribute.startswith("dscp")  # one without a filter has the default
        return known is not None and not (dscp and each.witnessed == known.get("default"))

    def _follows(self, each: Disagreement) -> bool:
        """Tell whether it only follows from a difference that is named elsewhere."""
        match each.key[0]:
            case "session":
                down = each.attribute == "state" and self._explained(each.key)
                return each.key[1] in self.lost_vrfs or down
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

    def _up(self, session: Key) -> bool:
        return self.observed.facts.get(session, {}).get("state") == ESTABLISHED

    def _differs(self, key: Key, *names: str) -> bool:
        one, other = self.expected.facts.get(key, {}), self.observed.facts.get(key, {})
        return any(one.get(name) != other.get(name) for name in names)

    def _explained(self, session: Key) -> bool:
        """Tell whether something else of a session is wrong, its cable, or those it needs."""
        cabled = self.expected.ports.get(session) in self.miscabled
        needs = f"{session[-1]}/32" in self.cut_off
        return cabled or needs or self._differs(session, "asn", "families")

    def _named(self, each: Disagreement) -> bool:
        """Tell whether more is said of an interface elsewhere: by its VRF, VNI or VLANs."""
        if each.attribute == "vrf":
            return each.designed in self.lost_vrfs
        if each.attribute == "untagged":
            return self._differs(each.key, "vlans")
        return each.key[1] in self.devices and not self._there(each.key)

    def _unrouted(self, each: Disagreement) -> bool:
        """Tell whether a VNI's VRF is missing; that of layer 3 has no routing at all, then."""
        own = self.expected.facts.get(each.key, {})
        routing = each.attribute not in ("device", "source", "vlan")
        needs = each.attribute == "vrf" or own.get("layer") == "3"
        return routing and needs and own.get("vrf") in self.lost_vrfs

    @cached_property
    def devices(self) -> frozenset[Value]:
        """Interfaces of VRFs and VNIs: that one is missing, or unknown, is said of those."""
        both = (self.expected.facts, self.observed.facts)
        vrfs = {key[1] for facts in both for key in facts if key[0] == "vrf"}
        return frozenset(
            vrfs | {own["device"] for facts in both for own in facts.values() if "device" in own}
        )

    @cached_property
    def lost_vrfs(self) -> frozenset[Value | None]:
        """VRFs that are not there: what should be in one of them is not named once more."""
        if Part.INTERFACES in self.observed.unread:
            return frozenset()
        return frozenset(key[1] for key in self.expected.of("vrf").keys() - self.observed.of("vrf"))

    @cached_property
    def silent(self) -> frozenset[str]:
        """Ports whose session with the next switch is down: routes over them are missing, too."""
        return frozenset(port for key, port in self.expected.ports.items() if not self._up(key))

    @cached_property
    def miscabled(self) -> frozenset[str | None]:
        """Ports at whose other end someone else was heard: no session can be expected there."""
        cables, heard = self.expected.of("cable"), self.observed.facts
        return frozenset(
            key[1]
            for key, own in cables.items()
            if key in heard and strangers(own["far"], heard[key]["far"])
        )

    @cached_property
    def cut_off(self) -> frozenset[str]:
        """Prefixes all of whose ways lead over silent ports: sessions to them cannot be up."""
        routes = self.expected.of("route").items()
        return frozenset(key[2] for key, own in routes if self.silent.issuperset(own["ports"]))
