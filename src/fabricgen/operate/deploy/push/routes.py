"""Compute the routes of a switch by the design of a push and check its running state.

A removal by the intent is no loss: a link that is pinned absent, and a neighbor that is reached
only over it. Routes are computed only when one is missing, since all routes of a big fabric take
long.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from fabricgen.compile.checks import ends
from fabricgen.compile.design.slices import Slicer
from fabricgen.core.tree.facts import GLOBAL, Facts, Key
from fabricgen.model.fabric.switch import Site, SwitchSlice
from fabricgen.nos.health import Health
from fabricgen.nos.lowering import spell
from fabricgen.operate.deploy.coordination.terms import longer
from fabricgen.prove.designed import peer_of
from fabricgen.prove.underlay import Keys, Ways


@dataclass
class Routes:
    """Routes of a site by design.

    Attributes:
        there: The running switches.
        switch_slice: Returns the slice of a switch.
    """

    site: Site
    there: Collection[str]
    switch_slice: Callable[[str], SwitchSlice]
    _ways: dict[str, Ways] = field(default_factory=dict, init=False)
    _to: dict[str, dict[str, Keys]] = field(default_factory=dict, init=False)

    @cached_property
    def addresses(self) -> dict[str, list[str]]:
        """Return the switches by host route of the underlay (loopbacks and VTEPs)."""
        found: dict[str, list[str]] = defaultdict(list)
        for fabric in self.site.fabrics:
            for switch in fabric.topology.switches:
                found[fabric.addresses.loopback(switch).prefix].append(switch.name)
                if (vtep := fabric.addresses.vtep(switch)) is not None:
                    found[vtep.prefix].append(switch.name)
        return dict(found)

    def more(self, name: str, prefix: str, has: int) -> bool:
        """Check whether a switch has more than `has` paths to an address by design.

        The result is True for an address in another fabric, whose routes are unknown here.
        """
        ports = self._leaving(name, prefix)
        return ports is None or len(ports) > has

    def by(self, name: str, prefix: str, port: str) -> bool:
        """Check whether a switch uses a port for a prefix by design.

        The result is also True without a designed route, and for prefixes other than host routes of
        the fabric.
        """
        ports = self._leaving(name, prefix) if prefix in self.addresses else None
        switch_slice = self.switch_slice(name)
        own = (
            it.port for it in switch_slice.interfaces if spell(switch_slice.switch, it.port) == port
        )
        return not ports or any(ends.key(each) in ports for each in own)

    def _leaving(self, name: str, prefix: str) -> set[int] | None:
        """Return the egress ports for an address; None if unknown."""
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
        return Ways(
            switch_slice for switch_slice in pieces if switch_slice.switch.name in self.there
        )

    def told(self, name: str, peer: str) -> bool:
        """Check whether the EVPN session of a switch with a peer address can bring routes.

        That is true if a VTEP or an external peer is reachable through the peer without the switch.
        """
        switch_slice = self.switch_slice(name)
        far = [
            it.peer.name
            for it in switch_slice.sessions
            if it.overlay and peer_of(switch_slice, it) == peer
        ]
        if not far:
            return True
        left, seen = far, {name, *far}
        while left:
            there = self.switch_slice(left.pop())
            if there.vtep is not None or there.peers:
                return True
            beyond = {it.peer.name for it in there.sessions if it.overlay} - seen
            seen |= beyond
            left += beyond
        return False


# A switch advertises longer AS paths over a drained link, or has the highest OSPF cost there, so
# the remote end uses other paths. The paths of the design are computed in one place, the same as
# for `verify`.

_KIND = "drained link"


def drained_links(switch_slice: SwitchSlice, running: Facts) -> Iterator[Key]:
    """Yield the remote switch and port of each link that a new configuration drains."""
    for each in switch_slice.sessions:
        if each.drained is None or each.interface is None or each.interface.peer_port is None:
            continue
        before = running.get(("session", GLOBAL, peer_of(switch_slice, each)), {})
        if each.ospf:
            port = spell(switch_slice.switch, each.interface.port)
            told = running.get(("interface", port), {}).get("cost") == str(each.cost)
        else:
            told = longer(before.get("out"))
        if not told:
            yield _KIND, each.peer.name, spell(each.peer, each.interface.peer_port)


def ports_of(name: str, told: Iterable[Key]) -> set[str]:
    """Return the ports of a switch at remote ends of drained links."""
    return {key[2] for key in told if key[:2] == (_KIND, name)}


def still_sent(
    name: str, ports: set[str], looks: tuple[Health, Health], routes: Routes
) -> Iterator[str]:
    """Yield a sentence for each drained port that still sends despite another path by design.

    looks: snapshots before and after the batch. A prefix without another path may get one in a
    later batch. A push to EOS reads no paths.
    """
    if not ports:
        return
    then, now = map(_ways, looks)
    for port in sorted(ports):
        for prefix, used in now.items():
            other = used.union(then.get(prefix, ())) - ports
            if port in used and other and not routes.by(name, prefix, port):
                yield f"still sends to {prefix} over {port}, whose link is drained"
                break


def _ways(health: Health) -> dict[str, set[str]]:
    """Return the egress ports of each underlay prefix."""
    seen = health.observed.of("route") if health.observed is not None else {}
    return {key[2]: {*own["ports"]} for key, own in seen.items() if key[1] == GLOBAL}
