"""Adds overrides for ports and links whose cables differ from the design.

It adds as few as possible. A dead port names the new place of its cable only where the design rule
would choose another. A difference that no override can express, such as a server on another leaf,
remains.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from fabricgen.core.units import BitsPerSecond
from fabricgen.importer.cables import Cables, Ends, Key, ends_of, key_of
from fabricgen.importer.choices import Distance
from fabricgen.importer.draft import Draft
from fabricgen.importer.nearness import fabric_of, facing
from fabricgen.importer.tree import Tree, below, merged
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Link, Server, Switch

STATES = ("dead", "reserved")
Pins = dict[str, Tree]
"""By switch: its `ports` and `links`."""


def cabled(draft: Draft, tree: Tree, far: int, distance: Distance) -> tuple[Tree, int]:
    """Return the tree with overrides that bring its cables nearer, and the new distance.

    The argument `far` is the distance before. Ports that are shut do not count.
    """
    fabric = fabric_of(tree, draft.name)
    if fabric is None:
        return tree, far
    pins = _Pinning(draft, tree, fabric).pins()
    whole = _pinned(draft, tree, pins)
    if pins and (off := distance(whole)) <= far:
        return whole, off
    for name, own in pins.items():
        other = _pinned(draft, tree, {name: own})
        if (off := distance(other)) < far:
            tree, far = other, off
    return tree, far


def _pinned(draft: Draft, tree: Tree, pins: Pins) -> Tree:
    return merged(tree, below(draft.key("switches"), pins)) if pins else tree


class _Pinning:
    """The overrides of one fabric. links: links without any override."""

    def __init__(self, draft: Draft, tree: Tree, fabric: Fabric) -> None:
        self.draft, self.tree = draft, tree
        self.links = {key_of(link): link for link in fabric.topology.links}
        self.there = Cables(fabric, draft.part.plugs, facing(fabric, draft.part))
        self.goals = self.there.goals(fabric.topology.links)
        self.found: dict[tuple[str, str, str], Tree | str] = {}

    def pins(self) -> Pins:
        """Return the overrides as intent keys."""
        self.notes()
        self.gone()
        if any(self.ends_off()):
            self.moves(noted=True)
            self.moves(noted=False)
            self.elsewhere()
        self.planned()
        self.speeds()
        pins: dict[str, Any] = defaultdict(lambda: defaultdict(dict))
        for (name, kind, key), pin in self.found.items():
            pins[self.key(name)][kind][key] = pin
        for switch, _ in self.there.switches.values():
            if switch.key in pins:
                pins[switch.key]["ports"] = _by_cage(pins[switch.key]["ports"], switch)
        return {
            name: {kind: words for kind, words in own.items() if words}
            for name, own in pins.items()
        }

    def key(self, name: str) -> str:
        """Return the key of a switch in the intent."""
        return self.there.switches[name][0].key

    def notes(self) -> None:
        """Set the state of ports that are shut: the words of a state, or a missing cable."""
        left = {end for key, _ in self.ends_off() for end in ends_of(self.links[key])}
        for name, (switch, _) in self.there.switches.items():
            for port in switch.ports:
                said = self.there.note((name, port.label))
                if said in STATES:
                    self.found[name, "ports", port.label] = {"state": said}
                elif said and (name, port.label) in left:
                    words = {"state": STATES[1], "description": said}
                    self.found[name, "ports", port.label] = words

    def ends_off(self) -> Iterator[tuple[Key, Ends]]:
        """Yield links of the files that the design places elsewhere."""
        return ((key, ends) for key, ends in self.goals.items() if ends is not None)

    def gone(self) -> None:
        """Set links that are missing: by the name of the switch if it has none."""
        for key, ends in self.goals.items():
            if ends is None:
                self.say(self.links[key], "absent")

    def say(self, link: Link, pin: Tree | str) -> None:
        """Set a key of a link at its lower end."""
        name, label = ends_of(link)[0]
        if name not in self.there.switches:  # only the design has the switch
            return
        known = self.found.get((name, "links", label), {})
        both = {**known, **pin} if isinstance(known, dict) and isinstance(pin, dict) else pin
        self.found[name, "links", label] = both

    def moves(self, *, noted: bool) -> None:
        """Set the new place of a cable if the design rule chooses another. noted: states."""
        now = self.wired()
        for key, ends in self.ends_off():
            for at, end in enumerate(ends):
                before = ends_of(self.links[key])[at]
                pin = (before[0], "ports", before[1])
                if pin[0] not in self.there.switches or (pin in self.found) is not noted:
                    continue
                here = ends_of(now[key])[at] if key in now else before
                if here != end and end[0] == before[0] and (noted or self.movable(key, at)):
                    self.found[pin] = {**self.words(pin), "move_to": _label(end[1])}

    def words(self, pin: tuple[str, str, str]) -> Tree:
        """Return the keys of a port so far."""
        known = self.found.get(pin, {})
        return known if isinstance(known, dict) else {}

    def movable(self, key: Key, at: int) -> bool:
        """Check whether a key belongs to this end: the lower one of a link between switches."""
        return isinstance(self.links[key].lower, Server) or at == 0

    def elsewhere(self) -> None:
        """Set the upper ends of links between switches that use another port."""
        now = self.wired()
        for key, (_, upper) in self.ends_off():
            link = self.links[key]
            here = ends_of(now[key])[1] if key in now else None
            if here != upper and not isinstance(link.lower, Server):
                self.say(link, {"to": f"{self.key(upper[0])} port {upper[1]}"})

    def planned(self) -> None:
        """Set links whose ports are shut at both ends, with all their keys."""
        for key, link in self.links.items():
            ends = self.goals.get(key, ends_of(link))
            if ends is None or isinstance(link.lower, Server) or link.of_pair:
                continue
            if all(self.there.shut(end) and end in self.there.far for end in ends):
                self.say(link, {"state": "planned"})

    def speeds(self) -> None:
        """Set cages whose server ports all run at another speed than designed."""
        cages: dict[tuple[str, int], list[BitsPerSecond | None]] = defaultdict(list)
        for key, link in self.links.items() if self.draft.kind == "evpn" else ():
            ends, port = self.goals.get(key, ends_of(link)), link.upper_port
            if ends and link.to_server and link.upper.name in self.there.switches:
                speed = self.there.speed(ends[1])
                cages[link.upper.name, port.cage].append(speed if speed != link.speed else None)
        for (name, cage), every in cages.items():
            pin = (name, "ports", str(cage))
            if len({*every}) == 1 and every[0] is not None:
                self.found[pin] = {**self.words(pin), "speed": str(every[0])}

    def wired(self) -> dict[Key, Link]:
        """Return the links of the design with the keys so far. Empty if it cannot be designed."""
        pins: Pins = merged(
            *(
                {self.key(name): {kind: {label: pin}}}
                for (name, kind, label), pin in self.found.items()
            )
        )
        fabric = fabric_of(_pinned(self.draft, self.tree, pins), self.draft.name)
        return {key_of(link): link for link in fabric.topology.links} if fabric else {}


def _label(label: str) -> int | str:
    return int(label) if label.isdigit() else label


def _by_cage(ports: Tree, switch: Switch) -> Tree:
    """Replace equal keys of all ports of a cage by one key of the cage."""
    said = dict(ports)
    for cage in dict.fromkeys(port.cage for port in switch.ports if port.subs > 1):
        labels = [port.label for port in switch.ports if port.cage == cage]
        every = [_of_cage(label, said.get(label, {})) for label in labels]
        if every[0] and all(each == every[0] for each in every):
            said = {str(cage): every[0]} | {k: v for k, v in said.items() if k not in labels}
    return said


def _of_cage(label: str, words: Tree) -> Tree:
    """Return the keys of a port as a key of its cage."""
    cage, _, sub = str(words.get("move_to", "")).partition("/")
    same = sub and sub == label.partition("/")[2]
    return {**words, "move_to": int(cage)} if same else words
