"""Two looks at a switch, a moment apart, in; what of its BGP still moves out.

The first Established is no sign: with BFD a session is often reset once at the start, and routes
come after it. The sign is that each peer has ended its first table (End-of-RIB, RFC 4724 section 2)
and that nothing has happened between two looks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.fabric.observed import ESTABLISHED, Part

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fabricgen.fabric.observed import Observed, Running
    from fabricgen.proof.expected import Expected

Key = tuple[str, str]


def unsettled(expected: Expected, before: Observed, after: Observed) -> tuple[str, ...]:
    """Return a sentence for everything of BGP that is not settled; empty when all is.

    Whether the sessions are those of the model is not asked here. Sessions to what does not run
    never settle, and are left out.
    """
    if not expected.sessions:
        return ()
    for look in (before, after):
        if Part.BGP in look.unread:
            return (f"BGP sessions could not be read: {look.unread[Part.BGP]}",)
    if before.sessions.keys() != after.sessions.keys():
        return ("the BGP sessions are not those of a moment ago",)
    outside = {(session.vrf, session.peer) for session in expected.sessions if session.outside}
    found = [
        f"BGP neighbour {key[1]} {said}"
        for key, running in after.sessions.items()
        if key not in outside
        for said in _moves(before.sessions, key, running)
    ]
    if before.routes != after.routes:
        found.append("the underlay routes changed")
    return tuple(found)


def _moves(before: Mapping[Key, Running], key: Key, now: Running) -> Iterator[str]:
    """Say why a session is not settled; the first reason is enough."""
    then = before[key]
    missing = set(now.session.families) - set(now.pulse.ended)
    if now.state != ESTABLISHED:
        yield f"is {now.state}"
    elif then.pulse.resets != now.pulse.resets or now.pulse.up < then.pulse.up:
        yield "was reset"
    elif missing:
        yield f"has not ended its first table of {', '.join(sorted(missing))}"
    elif now.pulse.waiting:
        yield f"has {now.pulse.waiting} messages waiting"
    elif then.pulse.updates != now.pulse.updates:
        yield "still sends or gets updates"
    elif then.pulse.prefixes != now.pulse.prefixes:
        yield "still gains or loses prefixes"
