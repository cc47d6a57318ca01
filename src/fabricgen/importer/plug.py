"""A cabled port of a switch and the port at its other end."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond

if TYPE_CHECKING:
    from fabricgen.prove.foreign.switch import Judged


@record(kw_only=True)
class Plug:
    """A port with a cable. place: of its port on the faceplate, cage and part of it, of `subs`.

    far, far_port: who is behind it, as they are called. to: the switch that this is, None for a
    server. management: the far port is that of a switch for management, or a power unit's (power).
    speed: 0 where it cannot be told. bundle: it is part of one.
    """

    switch: Judged
    port: str
    place: tuple[int, int]
    subs: int
    far: str
    far_port: str
    to: Judged | None
    management: bool
    power: bool
    speed: BitsPerSecond
    bundle: bool

    @property
    def network(self) -> str:
        """Return the set of ports of a server that the far port is of: `rdma` of rdma3."""
        return re.sub(r"\d+$", "", self.far_port)
