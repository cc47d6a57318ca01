"""Whether a switch or a link of it is drained in; the route maps of what neighbours are told out.

The peer group of a side has the map of that side. A session over a drained link has a map of its
own, which goes before that of its group: FRRouting/frr bgpd/bgpd.h, filter_override; EOS:
aristanetworks/avd eos_designs underlay/router_bgp.py, which gives a neighbour of a group its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.core.record import record

if TYPE_CHECKING:
    from fabricgen.model.fabric.because import Because
    from fabricgen.model.fabric.state import Detour
    from fabricgen.model.fabric.switch import Session, SwitchSlice


@record()
class Outward:
    """A route map of what peers are told. detour: ASNs before each path, where it is drained.

    because: of that of a drained link alone; others are there as the policy is.
    """

    name: str
    detour: Detour | None
    because: Because | None = None


def outward(piece: SwitchSlice, *, up: bool) -> tuple[Outward, ...]:
    """Return the maps of one side, if any: that of all peers there, that of drained links."""
    peers = [it for it in piece.sessions if it.up is up and not it.overlay]
    side = [Outward(_side(up), piece.detour)] if peers else []
    alone = [each for it in peers if (each := of_link(piece, it)) is not None]
    return (*side, *alone[:1])


def of_link(piece: SwitchSlice, session: Session) -> Outward | None:
    """Return the map of a session over a drained link."""
    if session.drained is None:
        return None
    name = f"{_side(session.up)}-DRAINED"
    return Outward(name, piece.detour_of(session), session.drained)


def _side(up: bool) -> str:  # noqa: FBT001 - a side
    return "TO-ABOVE" if up else "TO-BELOW"
