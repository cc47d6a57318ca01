"""Sessions of all switches in, one by one; out come those that do not find the same one back."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.compile.checks import ends
from fabricgen.model.fabric.addressing import host_text
from fabricgen.model.fabric.switch import Session, SwitchSlice
from fabricgen.model.fabric.topology import Port, Switch

_BITS = 128  # one end of a session: an address, or the port that names it
_MASK = (1 << _BITS) - 1


class Waits(NamedTuple):
    """What one end said, until the other end says the same."""

    switch: Switch
    peer: Switch
    asn: int
    peer_asn: int
    up: bool


class SessionPairs:
    """Holds the ends that wait; a session is known by both names and both ends, packed in a number.

    A fabric of 4,000 switches has 200,000 sessions that wait at once, so an end is kept small.
    """

    def __init__(self) -> None:
        """Start with no end that waits."""
        self._waiting: dict[int, Waits] = {}
        self._numbers: dict[str, int] = {}

    def add(self, piece: SwitchSlice, session: Session) -> Waits | None:
        """Return the end that waited for this one (it may be the same end again), or wait."""
        here, there = self._number(piece.switch.name), self._number(session.peer.name)
        kind, near, far = _ends(session)
        if here > there:
            here, there, near, far = there, here, far, near
        key = (((here << 24 | there) << _BITS | near) << _BITS | far) << 4 | kind
        first = self._waiting.get(key)
        if first is None:
            self._waiting[key] = Waits(
                piece.switch, session.peer, piece.asn, session.peer_asn, session.up
            )
        elif first.switch.name != piece.switch.name:
            del self._waiting[key]
        return first

    def waiting(self) -> Iterator[tuple[str, Waits]]:
        """Yield each end that waited in vain, with the session in words."""
        for key, waits in self._waiting.items():
            near, far, kind = key >> 4 + _BITS & _MASK, key >> 4 & _MASK, key & 15
            if self._number(waits.switch.name) > self._number(waits.peer.name):
                near, far = far, near
            version, sort = kind >> 1, "overlay" if kind & 1 else "underlay"
            over = f"on port {ends.label(near)}"
            if version:
                over = f"from {host_text(near, version)} to {host_text(far, version)}"
            yield f"{sort} session {waits.switch.name} to {waits.peer.name} {over}", waits

    def _number(self, name: str) -> int:
        return self._numbers.setdefault(name, len(self._numbers))


def _ends(session: Session) -> tuple[int, int, int]:
    """Return (kind, near end, far end): addresses, or the ports of an unnumbered session."""
    interface = session.interface
    if session.local is not None and session.remote is not None:
        kind = session.local.version << 1 | session.overlay
        return kind, session.local.value, session.remote.value
    if interface is None:
        return int(session.overlay), 0, 0
    far = interface.peer_port
    return 0, ends.key(interface.port), ends.key(far) if isinstance(far, Port) else 0
