"""Print names from coordinates by the patterns of the intent."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from fabricgen.core.diagnostics import Code, IntentPath, dotted
from fabricgen.intent.model.access import Access
from fabricgen.intent.model.backend import Backend
from fabricgen.intent.model.routed import Routed
from fabricgen.intent.model.vocabulary import HOST_NAME, fill, pattern_words
from fabricgen.model.fabric.topology import Role, Server, Switch, Topology

if TYPE_CHECKING:
    from fabricgen.compile.design.findings import Findings
    from fabricgen.intent.model.intent import AnyFabric

    Say = Callable[[Code, str, IntentPath, str], None]


_BACKEND = {"site", "plane", "pod", "unit", "rail", "index", "number"}
PATTERN_WORDS = {
    "rails": {"leaf": _BACKEND, "spine": _BACKEND, "superspine": _BACKEND},
    "evpn": {
        "leaf": {"site", "pod", "index", "group"},
        "spine": {"site", "pod", "index"},
        "superspine": {"site", "index"},
    },
    "routed": {"leaf": {"site", "group", "unit", "index"}, "spine": {"site", "index"}},
    "access": {"leaf": {"site", "index"}, "spine": {"site", "index"}},
}
"""The words that the name patterns of each role may have."""


def judge_patterns(intent: AnyFabric, findings: Findings) -> None:
    """Report words that no name pattern of a fabric has."""
    for patterns, below in (
        (intent.names, ("names",)),
        (intent.names.previous_name, ("names", "previous_name")),
    ):
        for role, known in PATTERN_WORDS[intent.kind].items():
            pattern = patterns.unless_refused(role) or ""
            check_pattern(pattern, known, (*intent.here, *below, role), findings)
    if isinstance(intent, Backend):
        if intent.kind_of_servers is not None:
            return  # of the site: compile/design/server_placement.py
        where: IntentPath = intent.at("servers", "names")
        check_pattern(intent.server_names, {"site", "number"}, where, findings)
        return
    if isinstance(intent, Routed):
        for name in (name for name, side in intent.each_side.items() if side.kind is None):
            with findings.going_on():
                where = intent.at("sides", name, "servers", "names")
                check_pattern(intent.server_names(name), {"site", "number"}, where, findings)
        return
    if isinstance(intent, Access):
        return
    known = {"site", "leaf", "group", "index", "number"}
    for name, group in intent.leaf_groups.items():
        with findings.going_on():
            where = intent.at("leaf_groups", name, "servers", "names")
            check_pattern(group.servers.names if group.servers else "", known, where, findings)


def check_pattern(pattern: str, known: set[str], path: IntentPath, findings: Findings) -> None:
    """Report words of a name pattern that do not exist for this kind of object."""
    for word in sorted(pattern_words(pattern) - known):
        findings.spoil(
            Code.BAD_VALUE,
            f"unknown word {word!r} in this name pattern",
            path,
            f"allowed words: {', '.join(sorted(known))}",
        )


def judge_names(topology: Topology, words: AnyFabric, findings: Findings) -> None:
    """Report exceptions for switches that are not there, and names that will not do."""
    with findings.going_on():
        _judge_exceptions(topology, words, findings)
    if not _judge_hostnames(topology, words, findings):
        _judge_each(topology, words, findings)


def _judge_hostnames(topology: Topology, words: AnyFabric, findings: Findings) -> bool:
    """Report pinned host names that other devices have; return whether there are any."""
    every = [each for _, things in _named(topology) for each in things]
    times = Counter(each.name for each in every)
    wrong = [each for each in every if times[each.name] > 1 and _pin_of(each, words.here)]
    for each in wrong:
        path = _pin_of(each, words.here)
        who = each.key if isinstance(each, Switch) else f"server {each.number} of {each.kind}"
        findings.spoil(
            Code.PIN_CLASH,
            f"{who} is named {each.name!r}, like another switch or server of the {topology.fabric}",
            path,
        )
    return bool(wrong)


def _pin_of(thing: Switch | Server, here: IntentPath) -> IntentPath:
    """Return the place that pins a host name, empty where it follows from a pattern."""
    if isinstance(thing, Switch):
        return (*here, "switches", thing.said, "hostname") if thing.said else ()
    named = thing.pin is not None and thing.pin.hostname
    return (*thing.pin.path, "hostname") if thing.pin is not None and named else ()


def _judge_each(topology: Topology, intent: AnyFabric, findings: Findings) -> None:
    """Report names that two switches or two servers share, and names that no host may have."""
    here = intent.here
    told = {item.path for item in findings.items}
    for kind, things in _named(topology):
        known = PATTERN_WORDS[intent.kind].get(kind, {"number"})
        times = Counter(thing.name for thing in things)
        shared = next((thing for thing in things if times[thing.name] > 1), None)
        others = [thing for thing in things if shared is not None and thing.name == shared.name]
        wrong = next((thing for thing in things if not re.fullmatch(HOST_NAME, thing.name)), None)
        if isinstance(shared, Server) and shared.because.main != others[-1].because.main:
            say_alike(shared, others[-1], findings.spoil)
        elif shared is not None and _pattern_of(kind, shared, here) not in told:
            findings.spoil(
                Code.NAME_NOT_UNIQUE,
                f"{times[shared.name]} {kind}s of the {topology.fabric} are named {shared.name!r}",
                _pattern_of(kind, shared, here),
                "add a word that distinguishes them: "
                + ", ".join(f"{{{word}}}" for word in sorted(known - {"site"})),
            )
        if wrong is not None and _pattern_of(kind, wrong, here) not in told:
            findings.spoil(
                Code.BAD_VALUE,
                f"{wrong.name!r} is not a valid host name",
                _pattern_of(kind, wrong, here),
                "use lower-case letters, digits and '-', at most 63 characters, without '-' at "
                "either end",
            )


def say_alike(one: Switch | Server, other: Switch | Server, say: Say) -> None:
    """Report that servers of two kinds, or a switch and a server, have one name."""
    places = [dotted(each.because.main) for each in (one, other)]
    who, hint = (
        "two servers",
        (
            "make one server with ports in several fabrics a kind in `servers`, or give each "
            "kind its own names"
        ),
    )
    if isinstance(one, Switch):
        who, hint = (
            "a switch and a server",
            "files, commands and the lab identify both by name alone",
        )
    say(
        Code.NAME_NOT_UNIQUE,
        f"{who} are named {one.name!r}: of {places[0]} and of {places[1]}",
        _pattern_of("server", other, ()),
        hint,
    )


def _judge_exceptions(topology: Topology, words: AnyFabric, findings: Findings) -> None:
    """Report exceptions for switches that are not there."""
    names = {switch.key for switch in topology.switches}
    for name in words.switches:
        if name not in names:
            findings.unknown(
                f"no switch {name!r} in the {topology.fabric}",
                words.at("switches", name),
                name,
                names,
            )


def _named(topology: Topology) -> Iterator[tuple[str, Sequence[Switch | Server]]]:
    for role in Role:
        yield role.value, [switch for switch in topology.switches if switch.role is role]
    yield "server", topology.servers


def _pattern_of(kind: str, thing: Switch | Server, here: IntentPath) -> IntentPath:
    """Return the intent path of the pattern that named a thing."""
    if pin := _pin_of(thing, here):
        return pin
    return (*here, "names", kind) if isinstance(thing, Switch) else (*thing.because.main, "names")


def namer_of(words: AnyFabric, role: str, default: str, site: str) -> Namer:
    """Return the namer of the switches of a role: a pattern, or the fabric's prefix."""
    return Namer(getattr(words.names, role) or f"{words.prefix}-{default}", site)


class Namer:
    """Names from one pattern; the site's name is a variable everywhere."""

    def __init__(self, pattern: str, site: str) -> None:
        self.pattern, self.site = pattern, site

    def __call__(self, **words: str | int) -> str:
        """Return the name for these coordinates."""
        return fill(self.pattern, {"site": self.site, **words})
