"""Reads the vendor-neutral differences of one device from its files on both sides.

The grammars that prove rendered files give the facts of switches. The reader of queues gives the
memory and marking of ports. Other changed lines have the meaning of the risk rule that classifies
them; a line without a rule has none.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from fabricgen.core.tree.facts import Attributes, Facts, Key, Value, add
from fabricgen.core.tree.risk import Change
from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.model.fabric.port_qos import PortQos
from fabricgen.nos.registry import nos
from fabricgen.prove.written import Judge, judge_of
from fabricgen.review.differences import FactDifference
from fabricgen.review.filters import is_rule, rule_differences
from fabricgen.review.shapes import Place, places_of

QUEUES = "queues of port"
"""Kind of the objects that the reader of queues gives."""
_IDLE = "shut"


@dataclass(frozen=True, kw_only=True)
class Meaning:
    """All differences of one device.

    Attributes:
        facts: Neutral differences.
        settings: Changes without a neutral fact, which a risk rule knows, and custom config.
        unknown: Changes that nothing knows.
    """

    facts: tuple[FactDifference, ...]
    settings: tuple[Change, ...]
    unknown: tuple[Change, ...]


def meaning(
    platform: str | None,
    model: SwitchModel | None,
    files: tuple[Mapping[str, str], Mapping[str, str]],
    changes: Iterable[Change],
) -> Meaning:
    """Return the differences of a device.

    Args:
        platform: The network OS. None for a server.
        model: Hardware of a switch, if it is known.
        files: Files on both sides, by path.
        changes: Classified changes of the device.
    """
    judge = judge_of(platform) if platform is not None else None
    found: list[FactDifference] = []
    claimed: dict[str, set[Place]] = {}
    if judge is not None and platform is not None:
        sides = [_read(judge, side, files[1 - number]) for number, side in enumerate(files)]
        queues = [_queues(platform, model, side) for side in files]
        found = [*_differing(sides[0].facts, sides[1].facts)]
        claimed = _claimed(found, sides, files)
        found = [each for each in found if not is_rule(each.key)]
        found += rule_differences(sides[0].facts, sides[1].facts)
        found += _differing(*queues)
    known: list[Change] = []
    unknown: list[Change] = []
    for change in changes:
        if not _covers(claimed.get(change.file, set()), change.where):
            (known if change.known else unknown).append(change)
    return Meaning(facts=tuple(found), settings=tuple(known), unknown=tuple(unknown))


@dataclass
class _Side:
    """Facts of the files of one side, and the lines of each fact by file."""

    facts: Facts = field(default_factory=dict)
    lines: dict[str, dict[tuple[Key, str], list[int]]] = field(default_factory=dict)


def _read(judge: Judge, files: Mapping[str, str], others: Mapping[str, str]) -> _Side:
    """Read the files that differ from the other side."""
    side = _Side()
    for path, text in files.items():
        if others.get(path) == text:
            continue
        reading = judge.read(path, text, trace=True)
        for key, attributes in reading.facts.items():
            add(side.facts, key, attributes)
        side.lines[path] = reading.lines
    return side


def _differing(ones: Facts, others: Facts) -> Iterator[FactDifference]:
    for key in dict.fromkeys((*ones, *others)):
        one, other = ones.get(key), others.get(key)
        if one is None or other is None:
            yield FactDifference(
                key=key,
                attribute="",
                before=None if one is None else "",
                after=None if other is None else "",
            )
            continue
        for name in dict.fromkeys((*one, *other)):
            if one.get(name) != other.get(name):
                yield FactDifference(
                    key=key, attribute=name, before=one.get(name), after=other.get(name)
                )


def _claimed(
    found: Iterable[FactDifference], sides: list[_Side], files: tuple[Mapping[str, str], ...]
) -> dict[str, set[Place]]:
    """Return the places of the lines that state a differing fact, by file."""
    wanted: dict[Key, set[str] | None] = {}
    for each in found:
        names = wanted.setdefault(each.key, set())
        if not each.attribute:
            wanted[each.key] = None
        elif names is not None:
            names.add(each.attribute)
    claimed: dict[str, set[Place]] = {}
    for side, texts in zip(sides, files, strict=True):
        for path, lines in side.lines.items():
            places = places_of(texts[path])
            for (key, name), numbers in lines.items():
                if key in wanted and ((names := wanted[key]) is None or name in names):
                    own = claimed.setdefault(path, set())
                    own.update(places[number] for number in numbers if number in places)
    return claimed


def _covers(claimed: set[Place], where: Place) -> bool:
    """Return whether a claimed line is a change's place, a line in it, or a list that has it."""
    for place in claimed:
        size = min(len(place), len(where))
        if all(map(_same, place[:size], where[:size])) and (
            len(place) >= len(where) or place[size - 1].startswith(where[size - 1])
        ):
            return True
    return False


def _same(line: str, word: str) -> bool:
    """Compare a line with a level of a change, which may be its first words."""
    return line == word or line.startswith((f"{word}:", f"{word} "))


def _queues(platform: str, model: SwitchModel | None, files: Mapping[str, str]) -> Facts:
    """Return the queues of each port that is up."""
    reader = nos(platform).qos
    if reader is None:
        return {}
    state = reader.load()(model, files)
    return {(QUEUES, name): _attributes(port) for name, port in state.ports.items() if port.up}


def _attributes(port: PortQos) -> Attributes:
    """Return the settings of the queues of a port as text."""
    every: dict[str, object] = {
        "DSCP classification": _classes(port) if port.trust == "dscp" else port.trust,
        "queue of each class": port.queues,
        "priority group of each class": port.groups,
        "PFC priorities": tuple(sorted(port.paused)),
        "watched priorities": tuple(sorted(port.watched)),
        "headroom cable": port.cable,
        "scheduled rate": port.sends,
    }
    watch = port.watch
    if watch is not None:
        times = (watch.poll, watch.detection, watch.restoration)
        poll, detection, restoration = ("-" if time is None else f"{time:g} ms" for time in times)
        every["PFC watchdog"] = (
            f"detection {detection}, restoration {restoration}, poll {poll}, {watch.action}"
        )
    for queue, marks in port.marks.items():
        every[f"ECN of queue {queue}"] = (
            f"{marks.minimum:,} to {marks.maximum:,} bytes, {marks.percent:g} %"
        )
    shares = []
    for queue, serving in port.serving.items():
        share = f"{serving.share:g} %" if serving.share is not None else "not known"
        shares.append(f"queue {queue} {'strict' if serving.strict else share}")
    every["scheduling"] = tuple(shares)
    for group, size in port.headroom.items():
        every[f"headroom of group {group}"] = (
            "computed by the switch" if size is None else f"{size:,} bytes"
        )
    for group, alpha in port.alpha.items():
        every[f"threshold of group {group}"] = f"2^{alpha}"
    for queue, cut in port.cuts.items():
        every[f"trimming of queue {queue}"] = (
            f"{cut.size} bytes, DSCP {cut.dscp}, queue {cut.queue}"
        )
    return {name: _text(value) for name, value in every.items() if value is not None}


def _classes(port: PortQos) -> tuple[str, ...]:
    """Return the class of each DSCP that is not in class 0."""
    return tuple(f"{dscp} in class {each}" for dscp, each in enumerate(port.classes) if each)


def _text(value: object) -> Value:
    return tuple(map(str, value)) if isinstance(value, tuple) else str(value)
