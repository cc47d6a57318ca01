"""Derives the effects of a change from the neutral differences of the changed devices.

One device is read for all devices with the same number of each template. The others have their own
names and values in its effects. Equal effects of several devices are one effect.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from fabricgen.compile.output.risks import platform_of
from fabricgen.core.tree.facts import Key, Value, spelled
from fabricgen.core.tree.judge import JOINED, worst
from fabricgen.core.tree.risk import Change, Kind, Risk
from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.nos.hosts.lower import CHECK, LINKS
from fabricgen.review.compare import CHANGED, Comparison, Device, Tree, renaming
from fabricgen.review.differences import FactDifference
from fabricgen.review.effect_text import PORT, SCRIPT, SETTING, effect_text, setting_text
from fabricgen.review.facts import QUEUES, Meaning, meaning
from fabricgen.review.model import Act, Effect, Reason, Unexplained

HOSTS = "hosts/"
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
_MANY = 3
"""Number of different values of an attribute that are listed."""
_ACTS = {Kind.ADDED: Act.ADDED, Kind.REMOVED: Act.REMOVED, Kind.CHANGED: Act.CHANGED}
_DOWN = ("true", True)
_CHECKED = frozenset((CHECK, LINKS))
"""Files of a server that only its check reads: they follow from its other files."""
_OF_QUEUES = frozenset((("interface", "cable"),))
"""Attributes that the reader of queues gives as well."""
_READ = 24
"""Number of equal devices that are read one by one, if their lines do not name the objects."""


@dataclass(frozen=True, kw_only=True)
class Found:
    """One effect on one device, with the object that causes it.

    Attributes:
        key: The neutral object.
        text: Reason of the risk rule, for an object that only a rule knows.
        line: Line that comes or goes, of such an object.
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
    line: str = ""
    derived: bool = False


@dataclass(kw_only=True)
class _Group:
    """Equal effects: devices, names and values of all objects."""

    on: dict[str, None] = field(default_factory=dict)
    names: dict[str, None] = field(default_factory=dict)
    objects: int = 0
    risk: Risk = Risk.HITLESS
    text: str = ""
    lines: dict[str, None] = field(default_factory=dict)
    derived: bool = False
    keys: list[tuple[str, Key]] = field(default_factory=list)


@dataclass(kw_only=True)
class DeviceEffects:
    """Effects of all devices, the neutral objects behind each, and the lines without any."""

    effects: list[tuple[Effect, tuple[tuple[str, Key], ...]]]
    unexplained: tuple[Unexplained, ...]


def device_effects(
    comparison: Comparison,
    trees: tuple[Tree, Tree],
    models: Mapping[str, SwitchModel],
    is_custom: Callable[[str, Change], bool],
    given: Mapping[str, Sequence[Reason]],
) -> DeviceEffects:
    """Return the effects of all changed devices.

    Args:
        comparison: The compared trees.
        trees: Files of both sides by the folder of a device.
        models: Hardware of the switches that have a model, by folder.
        is_custom: Returns whether a line on a switch is custom config.
        given: Verdicts of the source of a side by folder. Its files are only parts, so each line
            has the meaning of its verdict.
    """
    groups: dict[tuple[str, ...], dict[tuple[str, str], _Group]] = {}
    unexplained: list[Unexplained] = []

    def read(folder: str) -> Meaning:
        files = (trees[0][folder], trees[1][folder])
        platform = None if folder.startswith(HOSTS) else platform_of(folder, files[1])
        found = meaning(platform, models.get(folder), files, comparison.changes(folder))
        if folder in given:
            return replace(found, unknown=())
        custom = [each for each in found.unknown if is_custom(folder.rpartition("/")[2], each)]
        unknown = tuple(each for each in found.unknown if each not in custom)
        return replace(found, settings=(*found.settings, *custom), unknown=unknown)

    for members in _alike(comparison):
        first = read(members[0])
        for each in first.unknown:
            where = JOINED.join(each.where)
            unexplained += (Unexplained(folder=it, file=each.file, line=where) for it in members)
        alike = _is_named(first, comparison.devices[members[0]]) or len(members) > _READ
        found = [*_effects(first, comparison.changes(members[0])), *_verdicts(given, members[0])]
        for number, folder in enumerate(members):
            own = renaming(comparison, members[0], folder) if alike else None
            if number and not alike:
                found = _effects(read(folder), comparison.changes(folder))
            for one in found:
                _add(groups, one, folder.rpartition("/")[2], own)
    effects = [it for key, values in groups.items() for it in _joined(key, values)]
    return DeviceEffects(effects=effects, unexplained=tuple(unexplained))


def _verdicts(given: Mapping[str, Sequence[Reason]], folder: str) -> Iterator[Found]:
    """Yield the effects of the verdicts that the source of a side has on a device."""
    for each in given.get(folder, ()):
        section = each.place.partition(JOINED)[0].partition(" ")[0]
        yield Found(
            act=_ACTS[Kind(each.kind)],
            kind=SETTING,
            name=f"{each.file}:{section}" if each.file else section,
            attribute="",
            before="",
            after="",
            risk=each.risk,
            key=(SETTING, each.file, each.place),
            text=each.why,
            line=each.place,
        )


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


def _is_named(read: Meaning, device: Device) -> bool:
    """Return whether the changed lines name every object, so that it can be renamed."""
    words = {word for unit in device.units for value in unit.values for word in value.split("|")}
    words |= {word for value in words for word in value.replace(",", " ").split()}
    return all(
        any(word in words for word in each.designed[-1].split("|"))
        for each in read.facts
        if each.key[0] not in _OF_NETWORK and len(each.key) > 1
    )


def _effects(read: Meaning, changes: Iterable[Change]) -> list[Found]:
    return [*_found(read.facts, changes), *_settings(read.settings, read.facts)]


def _found(facts: Iterable[FactDifference], changes: Iterable[Change]) -> Iterator[Found]:
    """Yield the effects of neutral differences; of a port that goes into use only this."""
    every, judged = [*facts], [*changes]
    queues = any(each.key[0] == QUEUES for each in every)
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
            risk=_risk(each.designed[-1] if rest else "", judged),
            key=each.designed,
            derived=(queues and (kind, each.attribute) in _OF_QUEUES)
            or (kind == "interface" and _vlan_of(rest[0]) in vlans),
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
            kind=SETTING,
            name=f"{each.file}:{section}" if each.file else section,
            attribute=each.where[-1].split(" ")[0] if len(each.where) > 2 else "",
            before="" if section == SCRIPT else each.before,
            after="" if section == SCRIPT else each.after,
            risk=each.risk,
            key=("setting", each.file, *each.where),
            text=each.rule.why,
            line="" if section == SCRIPT else each.where[-1] if each.where else "",
            derived=queues or each.file in _CHECKED,
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
    network = name if each.kind in _OF_NETWORK or each.kind == SETTING else ""
    key = (each.act, each.kind, network, each.attribute)
    values = (rename(each.before), rename(each.after))
    group = groups.setdefault(key, {}).setdefault(values, _Group())
    group.on[device] = None
    group.names[name] = None
    group.objects += 1
    group.risk = max(group.risk, each.risk)
    group.text = group.text or each.text
    group.lines |= dict.fromkeys(filter(None, [rename(each.line)]))
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
            whole.lines |= group.lines
            whole.derived |= group.derived
            whole.keys += group.keys
        groups = [(("", ""), whole)]
    for (before, after), group in groups:
        act, kind, name, attribute = Act(key[0]), *key[1:]
        single = kind != "switch" and [*group.names] == [""]
        shown = name or (next(iter(group.names)) if len(group.names) == 1 else "")
        yield (
            Effect(
                act=act,
                kind=kind,
                name=shown,
                attribute=attribute,
                before=before,
                after=after,
                text=setting_text(act, shown, attribute, (before, after), group.lines, group.text)
                if kind == SETTING
                else effect_text(
                    act, kind, shown, attribute, (before, after), 0 if single else group.objects
                ),
                on=tuple(sorted(group.on)),
                objects=group.objects,
                risk=group.risk,
                derived=group.derived,
            ),
            tuple(group.keys),
        )
