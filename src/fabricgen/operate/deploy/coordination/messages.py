"""Describe the differences between two ends in the sentences of a plan."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from statistics import median

from fabricgen.core.tree.facts import Value
from fabricgen.core.units import counted, shortened
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.operate.deploy.coordination.effects import is_session
from fabricgen.operate.deploy.coordination.split import Apart, said, servers_of
from fabricgen.operate.deploy.coordination.terms import ADDRESS, ASN, MTU, VLAN, VRF
from fabricgen.operate.deploy.plan.document import Split

_NAMES = 4
_VALUES = 3


def in_words(
    site: Site,
    aparts: Iterable[Apart],
    when: Mapping[str, int],
    pace: Sequence[float] = (),
    idle: Collection[str] = (),
) -> tuple[Split, ...]:
    """Return one entry per group of similar differences; interruptions come first.

    pace: durations of batches of this site in seconds. idle: drained switches.
    """
    groups: dict[tuple[object, ...], list[Apart]] = defaultdict(list)
    for each in aparts:
        groups[_alike(each)].append(each)
    fabrics = {fabric.name: fabric for fabric in site.fabrics}
    parts = (
        _part(fabrics[group[0].term.fabric], sorted(group, key=_place), when, pace, idle)
        for group in groups.values()
    )
    return tuple(sorted(parts, key=lambda part: (not part.breaks, part.begins, part.what)))


def _place(each: Apart) -> tuple[int, str]:
    """Return a sort key: VLANs by id, others by name."""
    of = each.term.of
    return (int(of) if each.term.kind == VLAN else 0, of)


def _alike(each: Apart) -> tuple[object, ...]:
    """Return the grouping key."""
    term, open_ = each.term, each.ends is None
    if is_session(term):
        within = each.begins if each.begins == each.ends else 0
        return (term.fabric, term.word, each.begins == 0, open_, within)
    leafs = tuple(end.switch for end in term.ends)
    return (term.fabric, term.kind, term.word, each.begins, each.ends, leafs)


def _part(
    fabric: Fabric,
    group: list[Apart],
    when: Mapping[str, int],
    pace: Sequence[float],
    idle: Collection[str],
) -> Split:
    first = group[0]
    begins = min(each.begins for each in group)
    ends = None if first.ends is None else max(each.ends or 0 for each in group)
    between = sorted({end.switch for each in group for end in each.term.ends})
    leafs = [item for item in fabric.topology.switches if item.is_leaf and item.name in {*between}]
    unused = [idle and {end.switch for end in each.term.ends}.intersection(idle) for each in group]
    servers = 0 if all(unused) else servers_of(fabric, [leaf.name for leaf in leafs])
    return Split(
        fabric=fabric.name,
        what=_what(fabric, group),
        differs=_differs(group, when, begins),
        begins=begins,
        ends=ends,
        seconds=_seconds(begins, ends, pace),
        effect=_effect(group, servers) + ("; no traffic on them" if all(unused) else ""),
        source=first.effect.source,
        breaks=any(each.stops for each in group),
        servers=servers,
        between=tuple(between),
        outside=tuple(sorted({name for each in group for name in each.outside})),
    )


def _seconds(begins: int, ends: int | None, pace: Sequence[float]) -> int | None:
    """Return the duration: complete batches, or one batch in which all ends change."""
    if ends is None or not pace:
        return None
    return max(1, round(max(1, ends - max(1, begins)) * median(pace)))


def _what(fabric: Fabric, group: list[Apart]) -> str:
    """Name the setting: `ASN of fe-spine1 and 3 more`, `VLAN 100 jobs`."""
    term, noun = group[0].term, group[0].effect.noun
    if term.kind == VLAN and fabric.overlay is not None:
        names = {str(vlan.id): f"{vlan.id} {vlan.name}" for vlan in fabric.overlay.vlans.values()}
        return f"VLAN {_few(names.get(each.term.of, each.term.of) for each in group)}"
    if term.kind == VRF:
        return f"VRF {_few(each.term.of for each in group)}"
    if term.word in (ASN, ADDRESS):
        return f"{noun} of {_few(each.term.of for each in group)}"
    return noun


def _differs(group: list[Apart], when: Mapping[str, int], moment: int) -> str:
    """Return the values after the batch that makes them differ, with the number of switches."""
    term = group[0].term
    if group[0].begins == group[0].ends and not is_session(term):
        return _at_once(group[0])
    if is_session(term):
        values = sorted({_shown(term.word, it) for each in group for it in _values(each)})
        told = term.word in (ASN, ADDRESS, MTU) and len(values) <= _VALUES
        return " and ".join(values) if told else ""
    states = [said(end, when, moment) for end in term.ends]
    words = _segments(states) if term.kind in (VLAN, VRF) else [_many(each) for each in states]
    counts = Counter(sorted(words))
    return ", ".join(
        f"{value} on {counted(count, 'leaf')}" for value, count in counts.most_common()
    )


def _at_once(each: Apart) -> str:
    """Return the old and new value for ends that change in one batch."""
    end = next(end for end in each.term.ends if end.will is not None and end.was != end.will)
    sides = [end.was, end.will]
    words = _segments(sides) if each.term.kind in (VLAN, VRF) else map(_many, sides)
    return " becomes ".join(words)


def _segments(states: list[Value | None]) -> list[str]:
    """Format the VNIs; if they are equal, format the route targets."""
    segments = [each for each in states if isinstance(each, tuple)]
    if len({each[0] for each in segments}) > 1:
        return [f"VNI {each[0]}" for each in segments]
    return [f"import {_many(each[1])} export {_many(each[2])}" for each in segments]


def _values(each: Apart) -> Iterator[Value]:
    """Yield the old and new value of the changing end."""
    for end in each.term.ends:
        if end.was != end.will:
            yield from (value for value in (end.was, end.will) if value is not None)


def _many(values: object) -> str:
    return " ".join(map(str, values)) if isinstance(values, tuple) else str(values)


def _shown(word: str, value: Value | None) -> str:
    if word == MTU:
        return f"{value} bytes"
    return _many(value)


def _effect(group: list[Apart], servers: int) -> str:
    effect, term = group[0].effect, group[0].term
    if is_session(term):
        pairs = {(each.term.kind, *sorted(end.switch for end in each.term.ends)) for each in group}
        count = len(group) if term.word == MTU else len(pairs)  # an MTU belongs to a cable
        behind = f"; {counted(servers, 'server')} behind" if servers else ""
        return f"{counted(count, effect.of)} {effect.says}{behind}"
    return f"{counted(servers, effect.of)} {effect.says}"


def _few(names: Iterable[str]) -> str:
    return shortened(list(dict.fromkeys(names)), _NAMES)
