"""Finds facts that one switch, port or session lacks and all others of its class have.

This module does not use the design. groups.py forms the classes, so a finding says only that one
member differs from the others. With fewer than four members it is a note.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator
from typing import NamedTuple

from fabricgen.core.diagnostics import Code, Diagnostic, Examined, Severity, shortened
from fabricgen.core.tree.facts import Key, subject_of
from fabricgen.prove.audit.classes import Classes
from fabricgen.prove.audit.statements import MANAGEMENT, OBJECTS, Statements
from fabricgen.prove.foreign.network import Network
from fabricgen.prove.foreign.switch import Judged, finding

NAME, NOUN = "likeness", "objects compared with others of their class"
MOST_SAID = 60
SURE = 3
"""Minimum members that must agree for a warning."""
_TEXTS = frozenset({"description", "note", "name", "port"})
"""Texts of an object in the intent, which may differ among few objects."""
_HIDDEN = frozenset({"hash", "key", "auth", "privacy", "password", "community"})


class Item(NamedTuple):
    """A member of a class, with its statements by name."""

    switch: Judged
    key: Key
    states: dict[str, Hashable]


def judge(network: Network) -> Examined:
    """Compare the members of each class."""
    classes: dict[Hashable, list[Item]] = defaultdict(list)
    for item in _items(network):
        classes[item[0]].append(item[1])
    found = [each for name, items in classes.items() for each in _unlike(items, _open(name))]
    return Examined(
        check=NAME,
        objects=sum(map(len, classes.values())),
        noun=NOUN,
        findings=shortened(found, "members that differ from their class"),
    )


def _items(network: Network) -> Iterator[tuple[Hashable, Item]]:
    sorting, saying = Classes(network), Statements(network)
    for switch in network.switches:
        system: dict[str, Hashable] = {}
        for key, own in switch.facts.items():
            if key[0] == "interface" and key[1].lower().startswith((*MANAGEMENT, "lo")):
                system[f"{key[0]} {key[1]} exists"] = True
            if key[0] == "vrf" and key[1].lower().startswith(MANAGEMENT) and "exists" in own:
                system[f"vrf {key[1]} exists"] = True
            of_all = key[0] == "route" and key[1].lower().startswith(MANAGEMENT)
            if key[0] in OBJECTS and not of_all:
                states = saying.of(switch, key, own)
                yield sorting.of(switch, key), Item(switch, key, states)
            else:
                said = saying.of(switch, key, own)
                system |= {" ".join((*key, name)): value for name, value in said.items()}
        system["queues read"] = tuple(sorted(switch.qos.faults))  # of pools that ports share
        yield (sorting.groups[switch],), Item(switch, ("switch",), system)


def _open(name: Hashable) -> bool:
    """Return whether members of a class may have different neighbors."""
    sub = name[-1] if isinstance(name, tuple) else name
    first = sub[0] if isinstance(sub, tuple) and sub else sub
    return first in ("routed", "parent", "tag", "outside", "bundle", "edge", "gateway")


def _unlike(items: list[Item], is_open: bool) -> Iterator[Diagnostic]:  # noqa: FBT001
    """Yield the members of a class that lack a statement or differ in it.

    `is_open`: texts of few members are not compared.
    """
    if len(items) < 2:
        return
    for name in dict.fromkeys(name for item in items for name in item.states):
        values = [item.states.get(name) for item in items]
        count = Counter(values)
        if len(count) == 1:
            continue
        if (is_open and name in _TEXTS) or (
            len(count) > 2 and count.most_common(1)[0][1] < 0.6 * len(items)
        ):
            values = [value is not None for value in values]  # each member has a different value
            count = Counter(values)
            if len(count) == 1:
                continue
        usual, many = max(count.items(), key=lambda each: (each[1], bool(each[0])))
        if usual is None or usual is False:
            continue  # one member has more than the others
        odd = [(i, v) for i, v in zip(items, values, strict=True) if v != usual]
        if _is_one(odd, items, many):
            other = next(i for i, v in zip(items, values, strict=True) if v == usual)
            yield _finding(name, odd[0][0], other, len(odd), many)


def _is_one(odd: list[tuple[Item, Hashable]], items: list[Item], many: int) -> bool:
    """Return whether the differing members are one object, or all those of one switch."""
    switches = {id(item.switch) for item, _ in odd}
    if len(switches) > 1 or many < len(odd):
        return False
    here = sum(id(item.switch) in switches for item in items)
    return len(odd) in (1, here) and (here < len(items) or many >= SURE)


def _finding(name: str, item: Item, other: Item, odd: int, many: int) -> Diagnostic:
    whole = item.key == ("switch",)
    what = item.switch.name if whole else f"{item.switch.name}: {subject_of(item.key)}"
    mine, theirs = (_word(name, each.states.get(name)) for each in (item, other))
    have = f"has {name} {mine}" if mine else f"has no {name}"
    more = f" (and {odd - 1} more on {item.switch.name})" if odd > 1 else ""
    said = f"{what} {have}; {many} similar ones have {theirs or 'it'}{more}"
    *words, attribute = name.split() if whole else (*item.key, name)
    there = tuple(words) if whole else other.key
    places = (item.switch.place(tuple(words), attribute), other.switch.place(there, attribute))
    severity = Severity.WARNING if many >= SURE else Severity.NOTE
    return finding(Code.UNLIKE_ITS_CLASS, said, *places, severity=severity)


def _word(name: str, value: Hashable) -> str:
    """Return a value for a finding; secrets and whole tables are not printed."""
    if value is None or name.rpartition(" ")[2] in _HIDDEN or not isinstance(value, str):
        return ""
    return value if len(value) <= MOST_SAID else ""
