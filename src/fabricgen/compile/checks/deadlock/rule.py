"""One slice in; out comes every way in which the switch departs from the rule of up, then down.

The rule is what the argument in this package's docstring rests on. A departure is no fault by
itself: where there is one, the routes are simulated instead.
"""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.model.fabric.switch import Session, SwitchSlice


class Departure(NamedTuple):
    """Where a switch departs from the rule, in words; `simulated`: a simulation shows its routes.

    What cannot be simulated leaves the fabric unproven.
    """

    switch: str
    what: str
    simulated: bool = True

    def __str__(self) -> str:
        """Return it as a sentence."""
        return f"{self.switch} {self.what}"


def departures(piece: SwitchSlice) -> Iterator[Departure]:
    """Yield each departure of one switch from the rule."""
    name, tier = piece.switch.name, piece.switch.role.tier
    for static in piece.statics:
        yield Departure(name, f"has a static route to {static.prefix.prefix}")
    for session in piece.sessions:
        if session.overlay:
            continue
        if session.peer_asn == piece.asn:
            what = f"has a session inside its ASN, to {session.peer.name}"
            yield Departure(name, what, simulated=False)
        if not _crosses(session):
            what = f"has a session to {session.peer.name} that crosses no cable to it"
            yield Departure(name, what, simulated=False)
        if session.peer.role.tier - tier != (1 if session.up else -1):
            where = "up" if session.up else "down"
            what = (
                f"has a session {where} to {session.peer.name}, which is not the next tier {where}"
            )
            yield Departure(name, what)
        elif session.up and not session.valley_free:
            yield Departure(name, "may send routes from above up again")


def _crosses(session: Session) -> bool:
    at = session.interface
    return at is not None and at.peer is not None and at.peer.name == session.peer.name
