"""BGP and BFD sessions: all of the model and no others, and what keeps one from being up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.fabric.facts import DEFAULT
from fabricgen.fabric.observed import ESTABLISHED, Part
from fabricgen.proof.compare.difference import Differences, Kind, Sides, listed

if TYPE_CHECKING:
    from fabricgen.fabric.facts import Session, Timers
    from fabricgen.fabric.observed import Bfd, Running


def bgp(sides: Sides) -> Differences:
    """Yield every difference of BGP sessions; at most one of a session.

    One that is down is not named on a port that is cabled to someone else; nor is one between
    loopbacks while the sessions that its packets need are down.
    """
    if not sides.read(Part.BGP):
        return
    wanted = {
        (session.vrf, session.peer): session
        for session in sides.expected.sessions
        if session.vrf not in sides.lost_vrfs
    }
    for key, session in wanted.items():
        running = sides.observed.sessions.get(key)
        if running is None:
            says = f"{_name(session)} is not configured"
            yield sides.missing(_what(session), says)
        else:
            yield from _compared(sides, session, running)
    for key, running in sides.observed.sessions.items():
        if key not in wanted and key[0] not in sides.lost_vrfs:
            session = running.session
            says = f"there is a {_name(session)} with remote ASN {session.asn}"
            yield sides.unknown(_what(session), says)


def _compared(sides: Sides, session: Session, running: Running) -> Differences:
    there, down = running.session, running.state != ESTABLISHED
    why = f" ({running.why})" if running.why else ""
    state = f"the session is {running.state}{why}"
    wrong = [
        (label, model, found)
        for label, model, found in (
            ("remote ASN", str(session.asn), str(there.asn)),
            ("the address families", listed(session.families), listed(there.families)),
        )
        if model != found
    ]
    if wrong:
        has = " and ".join(
            f"has {label} {found}, the model says {model}" for label, model, found in wrong
        )
        says = f"{_name(session)} {has}{f' and {state}' if down else ''}"
        models, found = (listed(row[place] for row in wrong) for place in (1, 2))
        yield sides.differs(Kind.WRONG, _what(session), models, found, says)
    elif down and not session.outside and not _explained(sides, session):
        says = f"{_name(session)} is not up: {state}"
        yield sides.differs(Kind.NOT_YET, _what(session), ESTABLISHED, running.state, says)


def _explained(sides: Sides, session: Session) -> bool:
    return session.interface in sides.miscabled or f"{session.peer}/32" in sides.cut_off


def _what(session: Session) -> str:
    return f"BGP neighbour {session.peer}" + _inside(session.vrf)


def _name(session: Session) -> str:
    label = f" ({session.label})" if session.label else ""
    return f"BGP neighbour {session.peer}{label}{_inside(session.vrf)}"


def _inside(vrf: str) -> str:
    return "" if vrf == DEFAULT else f" in VRF {vrf}"


def bfd(sides: Sides) -> Differences:
    """Yield every difference of BFD sessions. Of a BGP session that is down none is missed."""
    if not sides.read(Part.BFD):
        return
    left = list(sides.observed.bfd)
    for session in sides.expected.sessions:
        found = next((one for one in left if _watches(one, session)), None)
        if found is not None:
            left.remove(found)
            yield from _watched(sides, session, found)
        elif session.bfd is not None and _up(sides, session):
            what = f"BFD of {_what(session)}"
            yield sides.missing(what, f"{_name(session)} is not watched by BFD")
    for one in left:
        says = f"there is a BFD session with {one.peer}{_inside(one.vrf)}"
        yield sides.unknown(f"BFD session {one.peer}", says)


def _watches(one: Bfd, session: Session) -> bool:
    return one.vrf == session.vrf and session.peer in (one.peer, one.interface)


def _up(sides: Sides, session: Session) -> bool:
    running = sides.observed.sessions.get((session.vrf, session.peer))
    return running is not None and running.state == ESTABLISHED


def _watched(sides: Sides, session: Session, found: Bfd) -> Differences:
    what, subject = f"BFD of {_what(session)}", f"BFD of {_name(session)}"
    if session.bfd is None:
        yield sides.wrong(what, f"{_name(session)} has BFD with", "no BFD", _timers(found.timers))
    elif found.timers != session.bfd:
        yield sides.wrong(what, f"{subject} has", _timers(session.bfd), _timers(found.timers))
    elif not found.up and _up(sides, session):
        yield sides.differs(Kind.NOT_YET, what, "up", "down", f"{subject} is not up")


def _timers(timers: Timers) -> str:
    return f"{timers.interval} ms times {timers.multiplier}"
