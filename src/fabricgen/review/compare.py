"""Compares two trees of files and groups the devices whose changes differ in values only.

The risk rules classify one device for all devices with the same templates, ports, order of numbers
and state of ports. All devices of this class get its verdict.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace

from fabricgen.compile.output.risks import changes_in, remarks
from fabricgen.core.record import record
from fabricgen.core.tree.risk import Change, Risk
from fabricgen.core.units import natural
from fabricgen.review.model import Block, Reason
from fabricgen.review.shapes import Shaper, Template, Unit, merged

Files = Mapping[str, str]
Tree = Mapping[str, Files]
"""Folder of a device to its files."""
Reasons = tuple[Reason, ...]
NEW, GONE, CHANGED = "new", "removed", "changed"
_PORT_STATE = ('"admin_status": "', '"index": "')
"""Fields of a port whose values count, with the beginning of their value."""
_PORT = re.compile(r"(?:[A-Za-z-]+)\d+(?:/\d+)*(?:\|.*)?")


@record(kw_only=True)
class Device:
    """One changed switch or server."""

    folder: str
    status: str
    units: tuple[Unit, ...]
    added: int
    removed: int


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """All differences of two trees.

    Attributes:
        devices: Changed devices by folder.
        changes: Classified changes of one device for each class, by the folder of every member.
        first: Folder of the classified device, by the folder of every member.
        blocks: Devices with equal changes.
        total: Number of devices on either side.
    """

    devices: Mapping[str, Device]
    first: Mapping[str, str]
    judged: Mapping[str, tuple[Change, ...]]
    blocks: tuple[Block, ...]
    total: int
    radius: Mapping[Risk, int] = field(default_factory=dict)

    def changes(self, folder: str) -> tuple[Change, ...]:
        """Return the classified changes of a device, with its own values."""
        first = self.first[folder]
        changes = self.judged[first]
        own = renaming(self, first, folder)
        if own is None:
            return changes
        return tuple(
            replace(
                each,
                where=tuple(map(own, each.where)),
                before=own(each.before),
                after=own(each.after),
            )
            for each in changes
        )


def renaming(comparison: Comparison, first: str, folder: str) -> Callable[[str], str] | None:
    """Return a function from a text about one device to the same text about another one.

    Both have the same number of each template. The result is None if no value differs.
    """
    if first == folder:
        return None
    devices = comparison.devices
    pairs = zip(devices[first].units, devices[folder].units, strict=True)
    values = {
        one: other
        for mine, theirs in pairs
        for one, other in zip(mine.values, theirs.values, strict=True)
        if one != other
    }
    if not values:
        return None
    words = "|".join(map(re.escape, sorted(values, key=len, reverse=True)))
    pattern = re.compile(rf"(?<![\w.:])(?:{words})(?![\w:]|\.\d)")
    return lambda text: pattern.sub(lambda match: values[match[0]], text)


def compare(
    before: Tree,
    after: Tree,
    unchanged: Collection[str] = (),
    given: Mapping[str, Reasons] | None = None,
) -> Comparison:
    """Compare two trees.

    Args:
        before: Side A.
        after: Side B.
        unchanged: Further folders with equal files on both sides.
        given: Verdicts of the source of a side by folder, which saw the complete files.
    """
    given = given or {}
    folders = {*before, *after}
    names = {name.rpartition("/")[2] for name in (*folders, *unchanged)}
    shaper = Shaper(names)
    devices: dict[str, Device] = {}
    classes: dict[object, str] = {}
    first: dict[str, str] = {}
    judged: dict[str, tuple[Change, ...]] = {}
    for folder in sorted(folders):
        old, new = before.get(folder, {}), after.get(folder, {})
        device = _device(folder, old, new, shaper)
        if device is None:
            continue
        devices[folder] = device
        key = _class(device, old, new)
        first[folder] = classes.setdefault(key, folder)
        if first[folder] == folder:
            judged[folder] = tuple(changes_in(folder, old, new))
    radius = dict.fromkeys(sorted(Risk, reverse=True), 0)
    verdicts = {folder: given.get(folder) or _reasons(judged[first[folder]]) for folder in devices}
    for reasons in verdicts.values():
        radius[_worst(reasons)] += 1
    blocks = tuple(_blocks(devices, verdicts))
    total = len(folders | {*unchanged})
    return Comparison(
        devices=devices, first=first, judged=judged, blocks=blocks, total=total, radius=radius
    )


def _device(folder: str, old: Files, new: Files, shaper: Shaper) -> Device | None:
    """Return the difference of a device; None if its files are equal."""
    if not old or not new:
        lines = sum(text.count("\n") for text in (new or old).values())
        status = NEW if new else GONE
        added, removed = (lines, 0) if new else (0, lines)
        return Device(folder=folder, status=status, units=(), added=added, removed=removed)
    units: list[Unit] = []
    for path in sorted(old.keys() | new.keys()):
        one, other = old.get(path, ""), new.get(path, "")
        if one != other:
            units += shaper.units(path, one, other)
    if not units:
        return None
    units.sort(key=lambda unit: (unit.template.file, unit.template.place))
    return Device(
        folder=folder,
        status=CHANGED,
        units=tuple(units),
        added=sum(_lines(unit.template.added, unit.template) for unit in units),
        removed=sum(_lines(unit.template.removed, unit.template) for unit in units),
    )


def _lines(lines: tuple[str, ...], template: Template) -> int:
    head = template.whole and bool(lines) and lines != ("",)
    return len(lines) + head


def _class(device: Device, old: Files, new: Files) -> object:
    """Return a key of devices for which every risk rule has the same answer.

    The rules look at the changed lines, at the order of their numbers, at the names of ports, and
    at ports that are shut. A new or removed device has one rule, but other files by platform.
    """
    if device.status != CHANGED:
        return device.status, device.folder.partition("/")[0], *sorted(new or old)
    units = tuple(
        (unit.template, unit.rises, tuple(filter(_PORT.fullmatch, unit.values)))
        for unit in device.units
    )
    ports = any(names for *_, names in units)
    states = tuple(_states(files, ports=ports) for files in (old, new))
    return device.folder.partition("/")[0], units, states


def _states(files: Files, *, ports: bool) -> tuple[object, ...]:
    """Return the states of all ports, in the order of the files.

    Args:
        files: Files of a device.
        ports: Whether a changed line names a port. No rule reads the port table of others.
    """
    found: list[object] = []
    for path, text in sorted(files.items()):
        found.append(path)
        if text.startswith("{\n"):
            found.append(_port_states(text) if ports else ())
        elif "shutdown" in text or "link-down" in text or "no ip routing vrf" in text:
            found.append(tuple(_shut(text)))
    return tuple(found)


def _port_states(text: str) -> tuple[str, ...]:
    """Return the states and cages of all ports, in the order of the file."""
    table = _port_table(text)
    return tuple(
        value.partition('"')[0] for field in _PORT_STATE for value in table.split(field)[1:]
    )


def _port_table(text: str) -> str:
    """Return the table of ports of a database; empty without one."""
    start = text.find('\n    "PORT": {\n')
    return text[start : text.find("\n    }", start)] if start >= 0 else ""


_SHUT = re.compile(
    r"^(?:interface|iface|no ip routing vrf) (\S+)|^\s+(?:shutdown|link-down yes)$", re.MULTILINE
)


def _shut(text: str) -> Iterator[str]:
    head = ""
    for match in _SHUT.finditer(text):
        if match[1] is None:
            yield head
        else:
            head = match[1]
            if match[0].startswith("no "):
                yield match[0]


def _worst(reasons: Reasons) -> Risk:
    return max((each.risk for each in reasons), default=Risk.HITLESS)


def _blocks(devices: Mapping[str, Device], verdicts: Mapping[str, Reasons]) -> Iterator[Block]:
    """Yield devices of equal templates and verdicts, the highest risk first."""
    alike: dict[object, list[str]] = defaultdict(list)
    for folder, device in devices.items():
        verdict = frozenset((it.file, it.kind, it.risk, it.why) for it in verdicts[folder])
        templates = frozenset(unit.template for unit in device.units)
        kind = folder.startswith("hosts/")
        alike[device.status, kind, templates, verdict].append(folder)
    blocks = [_block(natural(folders), devices, verdicts[folders[0]]) for folders in alike.values()]
    yield from sorted(blocks, key=lambda it: (-it.risk, -len(it.folders), it.folders))


def _block(folders: list[str], devices: Mapping[str, Device], reasons: Reasons) -> Block:
    rows: dict[Template, list[tuple[str, tuple[str, ...]]]] = {}
    for folder in folders:
        for unit in devices[folder].units:
            rows.setdefault(unit.template, []).append((folder.rpartition("/")[2], unit.values))
    return Block(
        folders=tuple(folders),
        shapes=tuple(merged(template, own) for template, own in rows.items()),
        risk=_worst(reasons),
        status=devices[folders[0]].status,
        added=sum(devices[folder].added for folder in folders),
        removed=sum(devices[folder].removed for folder in folders),
        reasons=reasons,
    )


def _reasons(changes: tuple[Change, ...]) -> Reasons:
    """Return the verdict of each risk rule."""
    return tuple(
        Reason(
            risk=each.rule.risk,
            file=each.file,
            place=each.places[0],
            more=len(each.places) - 1,
            kind=each.kind.value,
            why=each.rule.why,
            source=each.rule.source,
            known=each.known,
        )
        for each in remarks(changes)
    )
