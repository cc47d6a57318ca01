"""Tells whether zone policies permit a packet of a measurement into its fabric's routing.

A lab kernel without nftables for IP drops nothing, so every packet passes there.
"""

from fabricgen.compile.attached.host import Endpoint
from fabricgen.model.fabric.addressing import address_of
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.zones import UDP, Guard, Packet
from fabricgen.operate.lab.engine.probe_sockets import PORT
from fabricgen.operate.lab.plan import LabPlan

_FROM = 40_000
"""A port that is nobody's service, as Linux gives them from 32,768 on (ip(7))."""


class Gates:
    """The guards of all fabrics, where the lab has any."""

    def __init__(self, site: Site, plan: LabPlan) -> None:
        """Take them down."""
        self._fabrics = {each.name: each for each in site.fabrics} if plan.guarded else {}

    def shut(self, one: Endpoint, other: Endpoint) -> bool:
        """Tell whether what one sends to the other is dropped; within a VLAN nobody asks."""
        fabric = self._fabrics.get(one.fabric)
        guard = _guard(fabric, one) if fabric is not None else None
        if guard is None or other.segment in (one.segment, *one.beside):
            return False
        packet = Packet(
            address_of(one.address), address_of(other.address), UDP, _FROM, target_port=PORT
        )
        return not guard.allows(packet)[0]


def _guard(fabric: Fabric, end: Endpoint) -> Guard | None:
    """Return the guard of an endpoint's gateway, or of the session that it is behind."""
    overlay = fabric.overlay
    if overlay is None:
        return None
    for vlan in overlay.vlans.values():
        if (vlan.name, vlan.vrf or vlan.name) == (end.segment, end.group):
            return overlay.zones.vlans.get(vlan.id)
    for peer in overlay.peers:
        if (peer.name, peer.vrf, peer.version) == (end.segment, end.group, end.version):
            return overlay.zones.peers.get(peer.label)
    return None
