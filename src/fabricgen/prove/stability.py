"""Two looks at a switch, a moment apart, in; what of its BGP still moves out.

The first Established is no sign: with BFD a session is often reset once at the start, and routes
come after it. The sign is that each peer has ended its first table (End-of-RIB, RFC 4724 section 2)
and that nothing has happened between two looks.
"""

from collections.abc import Iterator

from fabricgen.core.tree.facts import Attributes
from fabricgen.nos.show import ESTABLISHED, Observed, Part, Pulse
from fabricgen.prove.runs import Expected


def unsettled(expected: Expected, before: Observed, after: Observed) -> tuple[str, ...]:
    """Return a sentence for everything of BGP that is not settled; empty when all is.

    Whether the sessions are those of the model is not asked here. Sessions to what does not run
    never settle, and are left out.
    """
    if not expected.of("session"):
        return ()
    for look in (before, after):
        if Part.BGP in look.unread:
            return (f"BGP sessions could not be read: {look.unread[Part.BGP]}",)
    if before.pulses.keys() != after.pulses.keys():
        return ("the BGP sessions are not those of a moment ago",)
    moving = [
        f"BGP neighbour {key[-1]} {why}"
        for key, pulse in after.pulses.items()
        if expected.waits_for(key)
        for why in _moves(before.pulses[key], pulse, after.facts[key])
    ]
    if before.of("route") != after.of("route"):
        moving.append("the underlay routes changed")
    return tuple(moving)


def _moves(then: Pulse, now: Pulse, session: Attributes) -> Iterator[str]:
    """Say why a session is not settled; the first reason is enough."""
    missing = set(session["families"]) - set(now.ended)
    if session["state"] != ESTABLISHED:
        yield f"is {session['state']}"
    elif then.resets != now.resets or now.up < then.up:
        yield "was reset"
    elif missing:
        yield f"has not ended its first table of {', '.join(sorted(missing))}"
    elif now.waiting:
        yield f"has {now.waiting} messages waiting"
    elif then.updates != now.updates:
        yield "still sends or gets updates"
    elif then.prefixes != now.prefixes:
        yield "still gains or loses prefixes"
