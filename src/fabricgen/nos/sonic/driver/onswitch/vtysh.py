"""Compute the commands that change the running configuration of FRR to another frr.conf.

Only lines of the old file are removed, because other programs of the switch have lines of their own
in FRR (sonic-bgpcfgd, frrcfgd). A line that another of its kind replaces is overwritten in place. A
referenced object is added before its references and removed after them.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from fabricgen.nos.sonic.driver.onswitch import filters
from fabricgen.nos.sonic.driver.onswitch.routing import is_live, places

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fabricgen.nos.sonic.driver.onswitch.routing import Place

_UNSAID = re.compile(r"vrf \S+|.* address-family \S+ \S+")
"""Sections that FRR does not show if they are empty."""
_OPENS = re.compile(r"router bgp \S+ vrf \S+|.* address-family \S+ \S+ vni \d+|bfd profile \S+")
"""Lines that are settings and also open a section in FRR."""
_ONCE = re.compile(
    r"(neighbor \S+ (?:remote-as|description|ebgp-multihop|update-source|bfd profile)) .*"
    r"|(neighbor \S+ route-map) \S+ (in|out)"
    r"|(bgp router-id|maximum-paths|rd|detect-multiplier|transmit-interval|receive-interval) .*"
    r"|(redistribute connected)(?: .*)?"
    r"|(zebra nexthop-group keep) .*"
)
"""Lines that a section has once. Lines with the same groups overwrite each other."""
_TIMERS = {"detect-multiplier": 3, "transmit-interval": 300, "receive-interval": 300}
"""FRR's defaults (bfdd/bfd.h). FRR 8.4 has no `no` for them in a profile (bfdd/bfdd_cli.c)."""
_PEER = re.compile(r"neighbor (\S+)(?: remote-as \S+| (?:interface )?peer-group \S+|( peer-group))")


class States(NamedTuple):
    """Lines in order: `running` in FRR, in its `old` file, and in the `new` one."""

    running: tuple[Place, ...]
    old: tuple[Place, ...]
    new: tuple[Place, ...]

    @classmethod
    def of(cls, running: str, old: str, new: str) -> States:
        return cls(read(running), read(old), read(new))

    @property
    def ours(self) -> tuple[Place, ...]:
        """The lines of the old file, and entries that a killed change has left closed."""
        return (*self.old, *filter(filters.closes, self.running))

    @property
    def goes(self) -> list[Place]:
        """The managed lines that run and are not wanted."""
        return _without(_without(self.ours, self.new), _without(self.ours, self.running))

    @property
    def comes(self) -> list[Place]:
        """The wanted lines that do not run and can be configured."""
        return [place for place in _without(self.new, self.running) if is_live(place)]


def read(frr: str) -> tuple[Place, ...]:
    """Read FRR's text and return the lines that are settings."""
    return tuple(place for place in places(frr) if not _UNSAID.fullmatch(" ".join(place)))


def _without(lines: Iterable[Place], others: Iterable[Place]) -> list[Place]:
    known = {*others}
    return [place for place in lines if place not in known]


def wrong(before: States, running: tuple[Place, ...], *, refused: bool) -> list[str]:
    """Return the differences from the wanted state: + for missing lines, - for remaining ones.

    A line of both files that FRR never shows is its default, unless FRR refused a command.
    """
    silent = _without(before.old, before.running)
    unsaid = [place for place in silent if not (refused and is_live(place))]
    missing = _without(before.new, (*running, *unsaid))
    left = [place for place in before.goes if place in running]
    other = _without(running, (*before.running, *before.old, *before.new))
    return [
        *(f"+ {' > '.join(place)}" for place in missing),
        *(f"- {' > '.join(place)}" for place in (*left, *filter(_is_ours, other))),
    ]


def _is_ours(place: Place) -> bool:
    return is_live(place) or filters.closes(place)


def commands(states: States) -> list[str]:
    """Return the lines of a file for `vtysh -f`; none if FRR runs the wanted state."""
    comes, goes = states.comes, list(_removed(states))
    filtering = filters.Change(
        running=filters.Filters.of(states.running),
        ours=filters.Filters.of(states.ours),
        wanted=filters.Filters.of(states.new),
    )
    return [
        *_said(_no(place) for place in goes if place[0].startswith("zebra ")),
        *_said(place for place in comes if place[0].startswith("zebra ")),
        *_said(_no(place) for place in goes if place[0].startswith("vrf ")),
        *filtering.made(),
        *_said(place for place in comes if place[0] == "bfd"),
        *_said(place for place in comes if place[0].startswith("vrf ")),
        *_bgp(states, goes),
        *filtering.gone(),
        *_said(_no(place) for place in goes if place[0] == "bfd"),
    ]


def _removed(states: States) -> Iterator[Place]:
    """Yield lines to remove: no other line overwrites them, and their section remains."""
    gone = {*states.goes}
    taken = {_slot(place) for place in states.comes}
    for place in states.goes:
        inside = any(place[:depth] in gone for depth in range(1, len(place)))
        if not inside and _slot(place) not in taken:
            yield place


def _slot(place: Place) -> tuple[object, ...]:
    """Return the key of a line's value; the line itself if its section has many."""
    match = _ONCE.fullmatch(place[-1])
    return (*place[:-1], match.groups()) if match else place


def _no(place: Place) -> Place:
    """Return the line that removes a line."""
    *around, line = place
    word = line.split()[0]
    if word in _TIMERS:
        return (*around, f"{word} {_TIMERS[word]}")
    return (*around, line[3:] if word == "no" else f"no {line}")


def _bgp(states: States, goes: list[Place]) -> Iterator[str]:
    """Yield the changes of instances: removed neighbors, other removed lines, new lines.

    A neighbor that leaves its group is removed and added again. Policies exist before a family is
    active, and until it no longer is.
    """
    goes = [place for place in reversed(goes) if _of_bgp(place)]
    peers = {peer for place in goes if (peer := _gone(place))}
    names = {(top, line.split()[2]) for top, line in peers}
    yield from _said(sorted(peers, key=lambda peer: peer[1].endswith(" peer-group")))
    left = [_no(place) for place in goes if _neighbor(place) not in names]
    yield from _said(sorted(left, key=_activates, reverse=True))
    comes = {*states.comes}
    new = [place for place in states.new if place in comes or _neighbor(place) in names]
    yield from _said(sorted(filter(_of_bgp, new), key=_activates))


def _gone(place: Place) -> Place:
    """Return the command that removes a neighbor or group, if its line does; else nothing."""
    match = _PEER.fullmatch(place[-1])
    return (place[0], f"no neighbor {match[1]}{match[2] or ''}") if match else ()


def _neighbor(place: Place) -> Place:
    """Return the instance and the neighbor of a line; empty for other lines."""
    word, *rest = place[-1].split()
    return (place[0], rest[0]) if word == "neighbor" else ()


def _activates(place: Place) -> bool:
    return place[-1].endswith(" activate")


def _of_bgp(place: Place) -> bool:
    return place[0].startswith("router bgp ")


def _said(lines: Iterable[Place]) -> Iterator[str]:
    """Yield lines below the openers of their sections, which are closed again."""
    for around, below in groupby(lines, key=lambda place: place[:-1]):
        yield from around
        for place in below:
            yield place[-1]
            if _OPENS.fullmatch(" ".join(place)):
                yield "exit"
        yield from ["exit"] * len(around)
