"""Finds the ports, links and networks of a switch that its changes interrupt.

A change that no name attributes to a part of the switch interrupts the complete switch.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from fabricgen.core.tree.judge import JOINED
from fabricgen.core.tree.risk import Change, Risk
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Link, Switch
from fabricgen.review.places import VLANS, VNIS, Places, Ports, numbers_in, words_of

_DOWN = re.compile(
    r"link goes down|port is shut|shuts the port|(?:port is|ports are) deleted"
    r"|link is trained again"
)
"""Reasons of rules whose link goes down, so that the other end of a bond moves its traffic."""
_WIDE = re.compile(
    r"(?i)\b(?:mlag configuration|mclag_(?!interface)\w+|peer-link|link tracking"
    r"|spanning-tree mode)\b"
)
"""Settings of a port or VLAN that also concern other ports of the switch."""
_EVERY = re.compile(
    r"\b(?:every|all its) (?:\w+ ){0,2}(?:ports?|sessions?|tunnels?|neighbors?)\b"
    r"|\bcomplete (?:file|switch)\b"
)
"""Reasons of rules that concern the complete switch, although a change names one part."""
_SHUT = "the link goes down"
_FILTER = "connections that no rule permits any more end"


@dataclass(slots=True, kw_only=True)
class Cut:
    """Interruption of one link.

    Attributes:
        change: The change that causes it.
        down: Whether the link goes down. Otherwise its ends do not notice the interruption.
        partial: Whether only some VLANs or VRFs of a server port are interrupted.
    """

    change: Change
    down: bool
    partial: bool = False

    @property
    def stays(self) -> bool:
        """Return whether the port stays shut after the change."""
        return self.change.rule.why.startswith(_SHUT)


@dataclass(slots=True, eq=False, kw_only=True)
class Touched:
    """Parts of one switch that its changes interrupt.

    Attributes:
        folder: Folder of the switch in the tree.
        fabric: Fabric of side A.
        down: Change by which all ports of the switch go down.
        reset: Change that interrupts the complete switch although its ports stay up.
        cuts: Interrupted links by identity.
        exits: Changes of external connections by VRF.
        dropping: Links whose packets of lossless classes may be lost.
        filtering: Links some of whose connections end, since a filter changes.
    """

    folder: str
    fabric: Fabric
    switch: Switch
    down: Change | None = None
    reset: Change | None = None
    cuts: dict[Link, Cut] = field(default_factory=dict)
    exits: dict[str, Change] = field(default_factory=dict)
    dropping: dict[Link, Change] = field(default_factory=dict)
    filtering: dict[Link, Change] = field(default_factory=dict)

    @property
    def whole(self) -> Change | None:
        """Return the change that interrupts the complete switch, if there is one."""
        return self.down or self.reset

    @property
    def uplinks(self) -> list[Link]:
        """Return the interrupted links to other switches."""
        return [link for link in self.cuts if not link.to_server]

    def why(self, change: Change) -> str:
        """Return the place and the reason of a change."""
        return reason(self.folder, change)


def reason(folder: str, change: Change) -> str:
    """Return the file, the place and the reason of a change: `FILE: PLACE (reason)`."""
    file = f"{folder}/{change.file}" if change.file else folder
    place = f": {JOINED.join(change.where)}" if change.where else ""
    return f"{file}{place} ({change.rule.why})"


def touched_by(
    folder: str, fabric: Fabric, sides: Sequence[Places], changes: Iterable[Change]
) -> Touched:
    """Return the parts of a switch that some changes interrupt.

    Args:
        folder: Folder of the switch in the tree.
        fabric: Fabric of side A.
        sides: Names in the configuration of side A, then of side B unless the switch is removed.
        changes: Changes of the switch.
    """
    found = Touched(folder=folder, fabric=fabric, switch=sides[0].switch)
    ends = _links_by_label(fabric, sides[0].switch)
    for change in changes:
        if change.risk is Risk.HITLESS:
            continue
        if change.risk is Risk.REBOOT or not change.known:
            found.down = found.down or change
            continue
        ports = _ports(change, sides)
        if change.risk is Risk.LOSSLESS_DISRUPTIVE:
            _note(found.dropping, change, ports, ends)
            if not _goes_down(change.rule.why):
                continue
        elif _FILTER in change.rule.why:
            _note(found.filtering, change, ports, ends)
            continue
        _cut(found, change, ports, ends)
    return found


@cache
def _goes_down(why: str) -> bool:
    """Return whether the reason of a rule says that a link goes down."""
    return bool(_DOWN.search(why))


@cache
def _is_about_all(why: str) -> bool:
    """Return whether the reason of a rule concerns the complete switch."""
    return bool(_EVERY.search(why))


def _links_by_label(fabric: Fabric, switch: Switch) -> dict[str, list[Link]]:
    """Return the links of a switch that carry traffic, by the label of its port."""
    found: dict[str, list[Link]] = {}
    for link in fabric.topology.links_at.get(switch.name, ()):
        if link.standing is None and getattr(link.lower, "standing", None) is None:
            port = link.upper_port if link.upper is switch else link.lower_port
            found.setdefault(port.label, []).append(link)
    return found


def _note(
    links: dict[Link, Change],
    change: Change,
    ports: tuple[Ports, bool] | None,
    ends: Mapping[str, list[Link]],
) -> None:
    """Record the links of some ports, or of all ports of the switch."""
    for label in ends if ports is None else ports[0].labels:
        for link in ends.get(label, ()):
            links.setdefault(link, change)


def _cut(
    found: Touched, change: Change, ports: tuple[Ports, bool] | None, ends: Mapping[str, list[Link]]
) -> None:
    """Record an interruption of some ports, or of the complete switch."""
    if ports is None:
        found.reset = found.reset or change
        return
    part, partial = ports
    links = [link for label in part.labels for link in ends.get(label, ())]
    every = [link for at in ends.values() for link in at]
    for peer in part.peers:
        ways = [it for it in every if peer in (it.lower.name, it.upper.name)]
        if not ways and found.fabric.topology.links_at.get(peer):  # a session over other switches
            found.reset = found.reset or change
        links += ways
    if any(link.of_pair for link in links):  # a pair without its peer link shuts other ports, too
        found.reset = found.reset or change
    down = _goes_down(change.rule.why)
    for link in links:
        old = found.cuts.get(link)
        if old is None:
            found.cuts[link] = Cut(change=change, down=down, partial=partial)
        elif (old.down, old.partial) != (down, partial):
            old.down, old.partial = old.down and down, old.partial and partial
    for vrf in part.exits:
        found.exits.setdefault(vrf, change)


def _ports(change: Change, sides: Sequence[Places]) -> tuple[Ports, bool] | None:
    """Return the ports of a change, and whether it concerns only some of their networks.

    None: the names of the change do not limit its effect to some ports.
    """
    text = " ".join((*change.where, *_differing(change)))
    if _WIDE.search(text) or _is_about_all(change.rule.why):
        return None
    words = words_of(text)
    found = Ports()
    hits = [_named(side, sides[0], words, found) for side in sides]
    if any(hits):
        if "cage" in change.rule.why:
            _complete_cages(found, sides[0])
        return found, False
    for side in sides:
        hits += [_take(side.vlans.get(number), found) for number in numbers_in(VLANS, text)]
        hits += [_take(side.vnis.get(number), found) for number in numbers_in(VNIS, text)]
    if not any(hits):
        hits = [_take(side.vrf(word), found) for side in sides for word in words]
    return (found, True) if any(hits) else None


def _differing(change: Change) -> Iterable[str]:
    """Return the values of a change; of two lists only the items that one of them lacks."""
    one, other = (words_of(value) for value in (change.before, change.after))
    if not one or not other:
        return change.before, change.after
    return [
        *(each for each in one if each not in other),
        *(each for each in other if each not in one),
    ]


def _named(side: Places, before: Places, words: Sequence[str], found: Ports) -> bool:
    """Add the ports, LAGs and neighbors among some words; return whether there was one."""
    hit = False
    for word in words:
        port, _, share = word.partition(".")
        label = side.ports.get(word) or (side.ports.get(port) if share.isdigit() else None)
        if label is not None:
            hit = True
            found.labels.add(label)
            if label not in before.labels:
                _complete_cages(found, before)
            found.exits |= side.outside.get(label, frozenset())
    if hit:
        return True
    for word in words:
        name = word.partition(".")[0] if word.partition(".")[2].isdigit() else word
        hit |= _take(side.bundle(name) or side.address(word), found)
    return hit


def _take(ports: Ports | None, found: Ports) -> bool:
    """Add the ports of a name to others; return whether the name is known."""
    if ports is not None:
        found.add(ports)
    return ports is not None


def _complete_cages(found: Ports, before: Places) -> None:
    """Add all ports of the cages of some ports."""
    cages = {label.partition("/")[0] for label in found.labels}
    found.labels |= {label for label in before.labels if label.partition("/")[0] in cages}
