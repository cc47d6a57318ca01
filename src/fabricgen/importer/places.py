"""Finds the place of a custom line in the intent."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fabricgen.compile.custom_config.sentences import MOST_LINES, facts_of
from fabricgen.compile.design.custom_config import places, takes
from fabricgen.importer.own import Own, written
from fabricgen.importer.tree import at, below, merged
from fabricgen.intent.model.own_lines import MOST
from fabricgen.intent.source import MAX_TEXT
from fabricgen.nos.lowering import spell
from fabricgen.nos.registry import nos

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from fabricgen.core.diagnostics import IntentPath
    from fabricgen.core.tree.settings import Path
    from fabricgen.importer.distance import Drawn
    from fabricgen.importer.tree import Tree
    from fabricgen.model.fabric.switch import SwitchSlice


Heads = dict[tuple[str, "Path"], str]
"""Types of ports by `custom_config` key, and the sections for ports in its file."""


def of_ports(
    switch_slice: SwitchSlice, lines: Iterable[Own], pinned: Collection[str]
) -> Iterator[tuple[str, list[Own]]]:
    """Yield lines below ports by port or cage. An empty name has the lines of the switch.

    The argument `pinned` has ports and cages with keys in the tree, which decide the form.
    """
    heads = _heads(switch_slice, pinned)
    found: dict[str, list[Own]] = defaultdict(list)
    for line in lines:
        deep = next((n for n in (1, 2) if (line.kind, line.texts[:n]) in heads), 0)
        if deep and len(line.texts) > deep:
            label = heads[line.kind, line.texts[:deep]]
            found[label].append(replace(line, texts=line.texts[deep:]))
        else:
            found[""].append(line)
    for cage, labels in _split(switch_slice).items():
        own = [found.get(label, []) for label in labels]
        alike = own[0] and all(each == own[0] for each in own)
        if alike and not any(label in pinned for label in labels):
            found[cage] = own[0]
            for label in labels:
                del found[label]
    yield from found.items()


def _heads(switch_slice: SwitchSlice, pinned: Collection[str]) -> Heads:
    heads: Heads = {}
    ports = [
        each.port
        for each in switch_slice.interfaces
        if each.port.subs == 1 or str(each.port.cage) not in pinned
    ]
    for kind, late in nos(switch_slice.switch.platform).own.items():
        file = late.load()
        for port in ports if file.port else ():
            name = spell(switch_slice.switch, port)
            head = (file.port, name) if file.manner is None else (file.port.format(name),)
            heads[kind, head] = port.label
    return heads


def _split(switch_slice: SwitchSlice) -> dict[str, list[str]]:
    """Return the ports of each split cage."""
    cages: dict[str, list[str]] = defaultdict(list)
    for port in (each.port for each in switch_slice.interfaces):
        if port.subs > 1 and port.label not in cages[str(port.cage)]:
            cages[str(port.cage)].append(port.label)
    return {cage: labels for cage, labels in cages.items() if labels}


_VARIABLES = ("loopback", "vtep", "management", "name", "asn")
_ANY = re.compile("")
_TELLING = 1000
"""The least number that counts as an ASN."""

Spread = dict["IntentPath", dict[str, list[Own]]]
"""Lines by place and key of `custom_config`."""


def spread(drawn: Drawn, own: Mapping[str, list[Own]]) -> Spread:
    """Choose the places of the custom lines of all switches."""
    left = {name: dict.fromkeys(lines) for name, lines in _with_variables(drawn, own).items()}
    result: Spread = defaultdict(dict)
    for place, members, about in _members(drawn):
        for kind in sorted({line.kind for lines in left.values() for line in lines}):
            who = [name for name in members if kind in nos(drawn.switches[name].platform).own]
            if len(who) < 2 or any(name not in left for name in who):
                continue
            first, *others = (left[name] for name in who)
            common = [
                line
                for line in first
                if line.kind == kind
                and all(line in other for other in others)
                and about.search(" > ".join(line.texts))
            ]
            if common:
                result[place].setdefault(kind, []).extend(common)
            for name in who:
                for line in common:
                    del left[name][line]
    for name, lines in left.items():
        place = own_place(drawn, name)
        pinned = at(drawn.tree, *map(str, place), "ports") or {}
        for label, rows in of_ports(drawn.slice(name), lines, pinned) if lines else ():
            for line in rows:
                here = (*place, "ports", label) if label else place
                result[here].setdefault(line.kind, []).append(line)
    return result


def own_place(drawn: Drawn, name: str) -> IntentPath:
    """Return the place in the intent for the keys of one switch."""
    switch = drawn.switches[name]
    return (*drawn.fabric_of(switch).place, "switches", switch.key)


def _members(drawn: Drawn) -> Iterator[tuple[IntentPath, list[str], re.Pattern[str]]]:
    """Yield the places for several switches, the widest first, and the matching lines.

    Tenants come first with lines that contain their names, and then with any line.
    """
    intent = drawn.loaded.intent
    members: dict[IntentPath, list[str]] = {}
    about: dict[IntentPath, set[str]] = {}
    for switch in drawn.switches.values():
        for place in places(switch, drawn.fabric_of(switch)):
            members.setdefault(place, []).append(switch.name)
        for tenant, words in _of_tenants(drawn.slice(switch.name)).items():
            members.setdefault(("tenants", tenant), []).append(switch.name)
            about.setdefault(("tenants", tenant), set()).update(words)
    if intent is None:
        return
    wide = [each for each in members if each[-2:-1] != ("switches",) and takes(intent, each)]
    wide.sort(key=lambda each: (-len(members[each]), each[0] != "site", each[0] == "tenants"))
    for place in (each for each in wide if each in about):
        yield place, members[place], re.compile(rf"(?i)(?:{'|'.join(sorted(about[place]))})\b")
    for place in wide:
        yield place, members[place], _ANY


def _of_tenants(switch_slice: SwitchSlice) -> dict[str, set[str]]:
    """Return the VRFs and VLANs of each tenant on a switch, as patterns."""
    found: dict[str, set[str]] = defaultdict(set)
    for vrf in switch_slice.vrfs:
        found[vrf.tenant].add(rf"\bvrf[ _]{re.escape(vrf.name)}(?!-)")
    for vlan in switch_slice.vlans:
        found[vlan.tenant].add(rf"\bvlan[ _|]?{vlan.id}")
    return found


def _with_variables(drawn: Drawn, own: Mapping[str, list[Own]]) -> dict[str, list[Own]]:
    """Replace facts of the switch by variables, if several lines become equal."""
    counts: Counter[Own] = Counter()
    named: dict[str, list[tuple[Own, Own]]] = {}
    for name, lines in own.items():
        facts = facts_of(drawn.slice(name))["switch"]
        named[name] = [(line, _named(line, facts)) for line in lines]
        counts.update({each for pair in named[name] for each in pair})
    return {
        name: [more if counts[more] > counts[line] else line for line, more in pairs]
        for name, pairs in named.items()
    }


def _named(line: Own, facts: Mapping[str, Any]) -> Own:
    blank = "" if line.kind == "config_db" else " "
    values = {
        str(facts[word]): f"{{{{{blank}switch.{word}{blank}}}}}"
        for word in reversed(_VARIABLES)
        if word in facts and (word != "asn" or facts[word] >= _TELLING)
    }
    any_of = "|".join(map(re.escape, values))
    pattern = re.compile(
        rf"(?<![\w.:-])(?:{any_of})(?![\w-]|\.\d|:(?!\d+$))"
    )  # a route distinguisher is 10.0.0.1:100

    def put(text: str) -> str:
        return pattern.sub(lambda match: values[match[0]], text)

    return replace(line, texts=tuple(map(put, line.texts)), said=put(line.said))


def add_custom_config(tree: Tree, lines: Spread) -> Tree:
    """Return the tree with custom config. A full place takes as many lines as fit."""
    for place, kinds in lines.items():
        for kind, rows in kinds.items():
            known = at(tree, *map(str, place), "custom_config", kind) or ""
            said, _ = written(kind, rows)
            if isinstance(said, str):
                said = known + _cut(said, known)
            if said:
                tree = merged(tree, below((*place, "custom_config", kind), said))
    return tree


def _cut(text: str, known: str) -> str:
    """Return the lines of a text that a place takes, in complete sections."""
    rows, size, kept = text.splitlines(keepends=True), len(known), 0
    for number, row in enumerate(rows, 1):
        size += len(row)
        if size > min(MOST, MAX_TEXT) or known.count("\n") + number >= MOST_LINES:
            break
        kept = number
    return "".join(rows[:kept])
