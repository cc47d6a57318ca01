"""Check whether zone policies permit a packet of a measurement into its fabric's routing.

A lab kernel without nftables for IP drops nothing, so every packet passes there.
"""

from fabricgen.compile.attached.host import Endpoint
from fabricgen.model.fabric.addressing import address_of
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.zones import UDP, Guard, Packet
from fabricgen.operate.lab.engine.probe_sockets import PORT
from fabricgen.operate.lab.plan import LabPlan

_FROM = 40_000
"""An ephemeral source port, as Linux assigns them from 32,768 on (ip(7))."""


class Gates:
    """The zone policies of all fabrics, if the lab enforces them."""

    def __init__(self, site: Site, plan: LabPlan) -> None:
        """Store the fabrics with enforced policies."""
        self._fabrics = {each.name: each for each in site.fabrics} if plan.guarded else {}

    def shut(self, one: Endpoint, other: Endpoint) -> bool:
        """Check whether a packet is dropped; within a VLAN there is no policy."""
        fabric = self._fabrics.get(one.fabric)
        guard = _guard(fabric, one) if fabric is not None else None
        if guard is None or other.segment in (one.segment, *one.beside):
            return False
        packet = Packet(
            address_of(one.address), address_of(other.address), UDP, _FROM, target_port=PORT
        )
        return not guard.allows(packet)[0]


def _guard(fabric: Fabric, end: Endpoint) -> Guard | None:
    """Return the policy of an endpoint's gateway, or of its external session."""
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
