"""The design that a push brings in; which routes a switch has by it out.

What the design has no more ends by intent and is no loss: a link that is pinned absent, and who is
heard over it alone. Routes are computed when one is missed, since all of a big fabric take long.
"""

from collections import defaultdict
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cached_property

from fabricgen.compile.checks import ends
from fabricgen.compile.design.slices import Slicer
from fabricgen.model.fabric.switch import Site, SwitchSlice
from fabricgen.nos.lowering import spell
from fabricgen.prove.designed import peer_of
from fabricgen.prove.underlay import Keys, Ways


@dataclass
class Routes:
    """Routes of a site by its design. there: the switches that run; piece: the slice of one."""

    site: Site
    there: Collection[str]
    piece: Callable[[str], SwitchSlice]
    _ways: dict[str, Ways] = field(default_factory=dict, init=False)
    _to: dict[str, dict[str, Keys]] = field(default_factory=dict, init=False)

    @cached_property
    def addresses(self) -> dict[str, list[str]]:
        """The host routes of the underlay, loopbacks and VTEPs, and which switches have each."""
        found: dict[str, list[str]] = defaultdict(list)
        for fabric in self.site.fabrics:
            for switch in fabric.topology.switches:
                found[fabric.addresses.loopback(switch).prefix].append(switch.name)
                if (vtep := fabric.addresses.vtep(switch)) is not None:
                    found[vtep.prefix].append(switch.name)
        return dict(found)

    def more(self, name: str, prefix: str, has: int) -> bool:
        """Tell whether a switch has more ways to one of the addresses by design than `has`.

        It is said of who has an address in another fabric, too, whose routes are not known here.
        """
        ports = self._leaving(name, prefix)
        return ports is None or len(ports) > has

    def by(self, name: str, prefix: str, port: str) -> bool:
        """Tell whether a switch goes to a prefix by a port by design.

        It is said of what the design has no way to, too, and of all but host routes of the fabric.
        """
        ports = self._leaving(name, prefix) if prefix in self.addresses else None
        piece = self.piece(name)
        own = (it.port for it in piece.interfaces if spell(piece.switch, it.port) == port)
        return not ports or any(ends.key(each) in ports for each in own)

    def _leaving(self, name: str, prefix: str) -> set[int] | None:
        """Return by which own ports packets to an address leave; None where it is not known."""
        fabric = self._fabrics[name]
        owners = self.addresses[prefix]
        if any(self._fabrics[owner] != fabric for owner in owners):
            return None
        ways = self._ways.get(fabric) or self._ways.setdefault(fabric, self._of(fabric))
        ports: set[int] = set()
        for owner in ways.names.keys() & owners:
            if owner not in self._to:
                self._to[owner] = ways.to(owner)
            ports.update(self._to[owner].get(name, ()))
        return ports

    @cached_property
    def _fabrics(self) -> dict[str, str]:
        fabrics = self.site.fabrics
        return {it.name: fabric.name for fabric in fabrics for it in fabric.topology.switches}

    def _of(self, name: str) -> Ways:
        fabric = next(each for each in self.site.fabrics if each.name == name)
        pieces = Slicer(fabric).slices()
        return Ways(piece for piece in pieces if piece.switch.name in self.there)

    def told(self, name: str, peer: str) -> bool:
        """Tell whether the EVPN session of a switch with a peer, by its address, brings routes.

        It does when a tunnel end, or somebody outside, is found through it without the switch.
        """
        piece = self.piece(name)
        far = [it.peer.name for it in piece.sessions if it.overlay and peer_of(piece, it) == peer]
        if not far:
            return True
        left, seen = far, {name, *far}
        while left:
            there = self.piece(left.pop())
            if there.vtep is not None or there.peers:
                return True
            beyond = {it.peer.name for it in there.sessions if it.overlay} - seen
            seen |= beyond
            left += beyond
        return False
