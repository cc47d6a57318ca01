"""Finds dead and isolated switches, dead daemons, and switches without sessions."""

import re
from collections.abc import Iterator

from fabricgen.nos.show import Part
from fabricgen.prove.incidents.graph import Cable
from fabricgen.prove.incidents.model import Cause, Kind, Thing, is_unread
from fabricgen.prove.incidents.parts import FORWARDING, LLDP, ROLES, ROUTING, WATCHING
from fabricgen.prove.incidents.view import View

_MANY = 3
"""Cables from which on a healthy switch with dark cables alone counts as one fault; our choice."""
_STOPPED = re.compile(r"\b([a-z][a-z0-9]+) is not running\b")
_ROLES = (ROUTING, FORWARDING, WATCHING, LLDP)


def silent(view: View) -> Iterator[Cause]:
    """Yield switches without an answer: down, or unreachable if a neighbor sees the switch."""
    for name, why in view.silent.items():
        cables = view.graph.between(name)
        signs = [sign for cable in cables for sign in view.signs(cable)]
        down = bool(signs) and not any(signs)
        lost: set[Thing] = {("switch", name)} if down else set()
        state = "no neighbor sees the switch" if down else "its neighbors see the switch"
        if not signs:
            state = "no neighbor was read"
        yield Cause(
            kind=Kind.SWITCH_DOWN if down else Kind.SWITCH_UNREACHABLE,
            root=(name,),
            sentence=f"{name} does not answer ({why}); {state}",
            lost=frozenset(lost),
            dead_switches=(name,) if down else (),
        )


def isolated(view: View) -> Iterator[Cause]:
    """Yield answering switches all of whose cables to other switches are dark."""
    for name in view.seen:
        cables = view.graph.between(name)
        if len(cables) < 2 or not all(map(view.is_dark, cables)) or _is_behind(view, cables):
            continue
        stopped = [*_stopped(view, name)]
        if len(cables) < _MANY and not stopped:
            continue
        also = f", and {', '.join(sorted(stopped))} not running" if stopped else ""
        parts = {("daemon", name, role) for role in _ROLES}
        yield Cause(
            kind=Kind.SWITCH_ISOLATED,
            root=(name,),
            sentence=f"{name} answers, but no cable to another switch has a link{also}",
            lost=frozenset({("switch", name), ("within", name), ("unread", name), *parts}),
            dead_switches=(name,),
        )


def _is_behind(view: View, cables: list[Cable]) -> bool:
    """Return whether lost neighbors explain all dark cables."""
    return all(view.is_explained(*(("switch", end[0]) for end in cable.ends)) for cable in cables)


def _stopped(view: View, name: str) -> Iterator[str]:
    """Yield the daemons that a switch reports as stopped, each once."""
    seen = view.seen[name]
    found = {
        match[1]: None for why in seen.observed.unread.values() for match in _STOPPED.finditer(why)
    }
    for part, why in seen.observed.unread.items():
        if _NO_FRR in why:
            found["frr"] = None
        if part is Part.LLDP and _NO_LLDP.search(why):
            found["lldpd"] = None
    for key, own in seen.expected.facts.items():
        shown = seen.observed.facts.get(key, {})
        if key[0] == "daemon" and shown and shown.get("state") != own.get("state"):
            found[key[1]] = None
    yield from found


_NO_FRR = "failed to connect to any daemons"
"""Answer of vtysh without any daemon (FRRouting/frr vtysh/vtysh_main.c)."""
_NO_LLDP = re.compile(r"unable to connect to socket|not running")
"""Answer of lldpcli without lldpd (lldpd/lldpd src/lib/connection.c, src/client/lldpcli.c)."""


def daemons(view: View) -> Iterator[Cause]:
    """Yield daemons that a switch reports as stopped."""
    for name, seen in view.seen.items():
        for daemon in _stopped(view, name):
            roles = ROLES.get(daemon, ())
            parts: set[Thing] = {("daemon", name, role) for role in roles}
            parts |= {
                ("said", name, each.sentence)
                for each in seen.findings
                if is_unread(each) and _names(each.sentence, daemon)
            }
            parts.add(("object", name, "daemon", daemon, "state"))
            routes = ROUTING in roles or FORWARDING in roles
            yield Cause(
                kind=Kind.DAEMON,
                root=(name, daemon),
                sentence=f"{name}: {daemon} is not running",
                lost=frozenset(parts),
                dead_switches=(name,) if routes else (),
            )


def _names(sentence: str, daemon: str) -> bool:
    """Return whether unread state is due to a daemon."""
    if daemon == "frr" and _NO_FRR in sentence:
        return True
    lldp = LLDP in ROLES.get(daemon, ()) and Part.LLDP in sentence
    return lldp or f"{daemon} is not running" in sentence


def routing(view: View) -> Iterator[Cause]:
    """Yield switches whose sessions, or BFD sessions, with all neighbors are down without cause."""
    for kind, role, said in (
        ("session", ROUTING, "BGP session"),
        ("bfd", WATCHING, "BFD session"),
    ):
        down = [each for each in view.values() if each.key[:1] == (kind,)]
        names = {each.switch for each in down}
        names |= {view.graph.peer(each.switch, each.key) for each in down}
        for name in sorted(names & view.graph.switches):
            states = [*_states(view, name, kind)]
            if len(states) < 2 or any(states):
                continue
            if view.is_explained(("daemon", name, role), ("switch", name)):
                continue
            yield Cause(
                kind=Kind.ROUTING,
                root=(name, role),
                sentence=f"{name} has no {said} with any neighbor, and all links are up",
                lost=frozenset({("daemon", name, role), ("packets", name)}),
                dead_switches=(name,) if role == ROUTING else (),
            )


def _states(view: View, name: str, kind: str) -> Iterator[bool]:
    """Yield for each neighbor whether a session with it is up, without explained ones."""
    for cable in view.graph.between(name):
        found: list[bool] = []
        for switch, session in view.sessions_on(cable):
            key = (kind, *session[1:])
            up = view.is_up(switch, key)
            if up is not None and not view.is_explained(*view.needs(switch, key)):
                found.append(up)
        if found:
            yield any(found)
