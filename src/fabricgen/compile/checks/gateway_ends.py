"""Checks that the gateways of two sites agree on the VLANs and VRFs between them."""

from collections.abc import Iterator

from fabricgen.core.because import Because
from fabricgen.model.fabric.gateways import Gateway, GatewayLink
from fabricgen.model.fabric.switch import SwitchSlice

Wrong = tuple[str, Because]


class GatewayEnds:
    """Keeps the gateways of all fabrics, and compares both ends of each cable."""

    def __init__(self) -> None:
        """Start with none."""
        self._seen: dict[str, tuple[SwitchSlice, Gateway]] = {}

    def see(self, piece: SwitchSlice) -> None:
        """Keep a leaf that is a gateway."""
        if piece.gateway is not None:
            self._seen[piece.switch.name] = piece, piece.gateway

    def wrongs(self) -> Iterator[Wrong]:
        """Yield what one end says that the other is not, or does not say."""
        for name, (piece, gateway) in self._seen.items():
            if not gateway.links:
                yield f"the gateway {name} has no link to another site", gateway.because
            for link in gateway.links:
                for what in self._link(piece, gateway, link):
                    text = f"the gateway {name} to {link.peer.name} {what}"
                    yield text, link.because

    def _link(self, piece: SwitchSlice, gateway: Gateway, link: GatewayLink) -> Iterator[str]:
        if link.peer.name not in self._seen or link.peer.fabric == piece.switch.fabric:
            yield "goes to what is no gateway of another site"
            return
        far, theirs = self._seen[link.peer.name]
        back = next((each for each in theirs.links if each.remote == link.interface.address), None)
        if back is None or back.interface.address != link.remote or back.peer is not piece.switch:
            yield f"speaks from {link.interface.address}, to which nobody there speaks"
        if (link.peer_asn, link.loopback) != (far.asn, far.loopback):
            yield f"expects the ASN {link.peer_asn} at {link.loopback.host}, and has it elsewhere"
        own = [each for each in (piece.loopback, piece.vtep) if each not in gateway.own]
        if own or set(gateway.own) != set(theirs.far):
            yield "does not tell of the loopbacks that are expected there"
        if gateway.targets != theirs.targets or _numbers(piece) != _numbers(far):
            yield "makes other VRFs and VLANs one than the other end"


def _numbers(piece: SwitchSlice) -> list[tuple[object, ...]]:
    """Return VNI, gateways and route target of all that goes on in another site."""
    gateway = piece.gateway
    assert gateway is not None
    vlans = [
        (vlan.vni, vlan.gateways, gateway.vlans[vlan.id])
        for vlan in piece.vlans
        if vlan.id in gateway.vlans
    ]
    vrfs = [(vrf.name, vrf.vni) for vrf in piece.vrfs if vrf.name in gateway.vrfs]
    missing = (len(gateway.vlans) - len(vlans), len(gateway.vrfs) - len(vrfs))
    return [*sorted(vlans, key=str), *sorted(vrfs), missing]
