"""Derives the effects of a change from the neutral differences of the changed devices.

One device is read for all devices with the same number of each template. The others have their own
names and values in its effects. Equal effects of several devices are one effect.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from fabricgen.compile.output.risks import platform_of
from fabricgen.core.tree.facts import Key, Value, attribute_word, spelled, subject_of
from fabricgen.core.tree.judge import JOINED, worst
from fabricgen.core.tree.risk import Change, Kind, Risk
from fabricgen.core.units import counted
from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.review.compare import CHANGED, Comparison, Tree, renaming
from fabricgen.review.facts import QUEUES, FactDifference, meaning
from fabricgen.review.model import Act, Effect, Unexplained

HOSTS = "hosts/"
PORT = "port"
_OF_NETWORK = frozenset(
    (
        *("vlan", "vrf", "vni", "ntp", "syslog", "dns", "user", "login", "snmp-user", "trap"),
        *("sflow", "collector", "admitted", "rule", "acl", "acl-type", "bundle", "secret"),
        *("unit", "route", "bgp", "file", "always"),
    )
)
"""Kinds whose names are the same on every switch, so that each name is one effect."""
_OF_PORT = frozenset(("neighbor", "maps", "sampled", "cage", "bfd", QUEUES))
"""Kinds that exist for a port and have no meaning without it."""
_NOUNS = {
    "interface": "interface",
    PORT: "port",
    "session": "BGP session",
    "bfd": "BFD session",
    QUEUES: "port",
    "peer": "neighbor entry",
    "maps": "QoS map of a port",
    "sampled": "sFlow port",
    "neighbor": "neighbor entry",
}
NOTHING = "nothing"
"""Spelling of a list without items."""
_SWITCHED = {"true": "on", "false": "off", "none": "off"}
_WORDS = {"bfd": "BFD", "ipv6": "IPv6", "rd": "route distinguisher", "mtu": "MTU", "fec": "FEC"}
"""Common names of attributes that several kinds have."""
_MANY = 3
"""Number of different values of an attribute that are listed."""
_ACTS = {Kind.ADDED: Act.ADDED, Kind.REMOVED: Act.REMOVED, Kind.CHANGED: Act.CHANGED}
_DOWN = ("true", True)


@dataclass(frozen=True, kw_only=True)
class Found:
    """One effect on one device, with the object that causes it.

    Attributes:
        key: The neutral object.
        text: Reason of the risk rule, for an object that only a rule knows.
    """

    act: Act
    kind: str
    name: str
    attribute: str
    before: str
    after: str
    risk: Risk
    key: Key = ()
    text: str = ""
    derived: bool = False


@dataclass
class _Group:
    """Equal effects: devices, names and values of all objects."""

    on: dict[str, None] = field(default_factory=dict)
    names: dict[str, None] = field(default_factory=dict)
    objects: int = 0
    risk: Risk = Risk.HITLESS
    text: str = ""
    derived: bool = False
    keys: list[tuple[str, Key]] = field(default_factory=list)


@dataclass(kw_only=True)
class DeviceEffects:
    """Effects of all devices, the neutral objects behind each, and the lines without any."""

    effects: list[tuple[Effect, tuple[tuple[str, Key], ...]]]
    unexplained: tuple[Unexplained, ...]


def device_effects(
    comparison: Comparison, trees: tuple[Tree, Tree], models: Mapping[str, SwitchModel]
) -> DeviceEffects:
    """Return the effects of all changed devices.

    Args:
        comparison: The compared trees.
        trees: Files of both sides by the folder of a device.
        models: Hardware of the switches that have a model, by folder.
    """
    groups: dict[tuple[str, ...], dict[tuple[str, str], _Group]] = {}
    unexplained: list[Unexplained] = []
    for members in _alike(comparison):
        first = members[0]
        files = (trees[0][first], trees[1][first])
        platform = None if first.startswith(HOSTS) else platform_of(first, files[1])
        changes = comparison.changes(first)
        read = meaning(platform, models.get(first), files, changes)
        found = [*_found(read.facts, changes), *_settings(read.settings, read.facts)]
        for each in read.unknown:
            where = JOINED.join(each.where)
            unexplained += (Unexplained(folder=it, file=each.file, line=where) for it in members)
        for folder in members:
            own = renaming(comparison, first, folder)
            for one in found:
                _add(groups, one, folder.rpartition("/")[2], own)
    effects = [it for key, values in groups.items() for it in _joined(key, values)]
    return DeviceEffects(effects=effects, unexplained=tuple(unexplained))


def _alike(comparison: Comparison) -> Iterator[list[str]]:
    """Yield the devices of a block with the same number of each template."""
    for block in comparison.blocks:
        if block.status != CHANGED:
            continue
        groups: dict[object, list[str]] = {}
        for folder in block.folders:
            templates = tuple(unit.template for unit in comparison.devices[folder].units)
            groups.setdefault(templates, []).append(folder)
        yield from groups.values()


def _found(facts: Iterable[FactDifference], changes: Iterable[Change]) -> Iterator[Found]:
    """Yield the effects of neutral differences; of a port that goes into use only this."""
    every, judged = [*facts], [*changes]
    vlans = {each.key[1] for each in every if each.key[0] == "vlan"}
    used = {
        each.key[1]: each.before in _DOWN
        for each in every
        if each.key[0] == "interface" and each.attribute == "shut"
    }
    for name, comes in used.items():
        states = ("unused", "in use") if comes else ("in use", "unused")
        yield Found(
            act=Act.CHANGED,
            kind=PORT,
            name=name,
            attribute="use",
            before=states[0],
            after=states[1],
            risk=_risk(name, judged),
            key=("interface", name),
        )
    for each in every:
        kind, *rest = each.key
        if rest and rest[0] in used and (kind == "interface" or kind in _OF_PORT):
            continue
        if each.key == ("switch",) and each.attribute == "vlans" and vlans:
            continue  # the list of VLANs that have their own differences
        complete = not each.attribute
        act = Act.CHANGED
        if complete or each.before is None or each.after is None:
            act = Act.CHANGED if not complete else Act.ADDED if each.before is None else Act.REMOVED
        yield Found(
            act=act,
            kind=kind,
            name=" ".join(rest),
            attribute=each.attribute,
            before="" if complete else _value(each.before, each.after),
            after="" if complete else _value(each.after, each.before),
            risk=_risk(rest[-1] if rest else "", judged),
            key=each.key,
            derived=kind == "interface" and _vlan_of(rest[0]) in vlans,
        )


def _vlan_of(interface: str) -> str:
    """Return the number at the end of the name of an interface without slots: Vlan310, vlan310."""
    match = re.fullmatch(r"[A-Za-z-]+(\d+)", interface)
    return match[1] if match is not None else ""


def _value(value: Value | None, other: Value | None) -> str:
    """Return a value; of a list only the items that the other side lacks."""
    if value is None:
        return "none"
    if isinstance(value, tuple) and isinstance(other, tuple) and len(set(value)) == len(value):
        return spelled(tuple(item for item in value if item not in other)) if value else ""
    return spelled(value)


def _risk(name: str, changes: Iterable[Change]) -> Risk:
    """Return the highest risk of the lines that name an object; without one, of all lines."""
    every = [*changes]
    word = re.compile(rf"(?<![\w/]){re.escape(name)}(?![\w/])")
    own = [each for each in every if name and any(map(word.search, each.where))]
    return worst(own or every)


def _settings(changes: Iterable[Change], facts: Iterable[FactDifference]) -> Iterator[Found]:
    """Yield the effects of lines that only a risk rule knows, one for each section and reason.

    A line that names an object with neutral differences belongs to them. Lines of queues follow
    from the differences that the reader of queues found.
    """
    every = [*facts]
    named = {word for each in every for word in each.key[1:2]}
    queues = any(each.key[0] == QUEUES for each in every)
    for each in _joined_values(changes):
        words = {word for level in each.where for word in re.split(r"[\s|]", level)}
        if words & named:
            continue
        where = each.where[0] if each.where else each.file
        section = where.partition(" ")[0].rstrip(":")
        yield Found(
            act=_ACTS[each.kind],
            kind="setting",
            name=f"{each.file}:{section}" if each.file else section,
            attribute=each.where[-1].split(" ")[0] if len(each.where) > 2 else "",
            before=each.before,
            after=each.after,
            risk=each.risk,
            key=("setting", each.file, *each.where),
            text=each.rule.why,
            derived=queues,
        )


def _joined_values(changes: Iterable[Change]) -> Iterator[Change]:
    """Join a removed and an added line of one section that begin with the same words."""
    pairs: dict[tuple[object, ...], list[Change]] = {}
    for each in changes:
        stem = each.where[-1].rpartition(" ")[0] if each.where else ""
        pairs.setdefault((each.file, each.where[:-1], stem, id(each.rule)), []).append(each)
    for group in pairs.values():
        stem = group[0].where[-1].rpartition(" ")[0] if group[0].where else ""
        kinds = sorted(each.kind.value for each in group)
        if not stem or kinds != ["added", "removed"]:
            yield from group
            continue
        old, new = sorted(group, key=lambda each: each.kind.value, reverse=True)
        values = (each.where[-1].rpartition(" ")[2] for each in (old, new))
        before, after = values
        where = (*new.where[:-1], stem)
        yield replace(new, kind=Kind.CHANGED, where=where, before=before, after=after)


def _add(
    groups: dict[tuple[str, ...], dict[tuple[str, str], _Group]],
    each: Found,
    device: str,
    own: Callable[[str], str] | None,
) -> None:
    rename = own or str
    name = rename(each.name)
    network = name if each.kind in _OF_NETWORK or each.kind == "setting" else ""
    key = (each.act, each.kind, network, each.attribute)
    values = (rename(each.before), rename(each.after))
    group = groups.setdefault(key, {}).setdefault(values, _Group())
    group.on[device] = None
    group.names[name] = None
    group.objects += 1
    group.risk = max(group.risk, each.risk)
    group.text = group.text or each.text
    group.derived |= each.derived
    group.keys.append((device, tuple(map(rename, each.key))))


def _joined(
    key: tuple[str, ...], values: Mapping[tuple[str, str], _Group]
) -> Iterator[tuple[Effect, tuple[tuple[str, Key], ...]]]:
    """Yield one effect for each value, or one for all if there are many values."""
    groups = [*values.items()]
    if len(groups) > _MANY:
        whole = _Group()
        for _, group in groups:
            whole.on |= group.on
            whole.names |= group.names
            whole.objects += group.objects
            whole.risk = max(whole.risk, group.risk)
            whole.text = whole.text or group.text
            whole.derived |= group.derived
            whole.keys += group.keys
        groups = [(("", ""), whole)]
    for (before, after), group in groups:
        act, kind, name, attribute = Act(key[0]), *key[1:]
        shown = name or (next(iter(group.names)) if len(group.names) == 1 else "")
        yield (
            Effect(
                act=act,
                kind=kind,
                name=shown,
                attribute=attribute,
                before=before,
                after=after,
                text=_text(key, shown, (before, after), group),
                on=tuple(sorted(group.on)),
                objects=group.objects,
                risk=group.risk,
                derived=group.derived,
            ),
            tuple(group.keys),
        )


def _text(key: tuple[str, ...], name: str, values: tuple[str, str], group: _Group) -> str:
    """Return the effect in the words of an engineer."""
    act, kind, _, attribute = key
    if kind == "setting":
        file, _, section = name.partition(":")
        subject = f"{section} in {file}" if section else file
        word = f" {attribute}" if attribute else ""
        change = _change(values) if act == Act.CHANGED and any(values) else f" {act}"
        return f"{subject}:{word}{change} ({group.text})"
    noun = _NOUNS.get(kind, kind.replace("-", " "))
    if kind in _OF_NETWORK or (name and kind not in (PORT, QUEUES)):
        subject = subject_of((kind, *name.split(" "))) if name else noun
    else:
        subject = f"{noun} {name}" if name and group.objects == 1 else counted(group.objects, noun)
    if not attribute:
        return f"{subject} {act}"
    word = _WORDS.get(attribute) or attribute_word(kind, attribute)
    about = "" if kind == "switch" else f"{subject}: "
    return f"{about}{word}{_change(values)}"


def _change(values: tuple[str, str]) -> str:
    before, after = (_SWITCHED.get(value, value) if _is_flag(values) else value for value in values)
    if NOTHING in values and before != after:
        return f" +{_short(after)}" if before == NOTHING else f" -{_short(before)}"
    if before or after:
        return f" {_short(before)} → {_short(after)}"
    return " changes, with another value on each"


def _is_flag(values: tuple[str, str]) -> bool:
    """Return whether both values say only whether something is on."""
    return "true" in values and set(values) <= _SWITCHED.keys()


def _short(value: str, most: int = 60) -> str:
    return value if len(value) <= most else f"{value[: most - 1]}…"
