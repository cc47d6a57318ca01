"""Check that the gateways of two sites agree on the VLANs and VRFs between them."""

from collections.abc import Iterator

from fabricgen.core.provenance import Provenance
from fabricgen.model.fabric.gateways import Gateway, GatewayLink
from fabricgen.model.fabric.switch import SwitchSlice

Wrong = tuple[str, Provenance]


class GatewayEnds:
    """Gateways of all fabrics, compared at both ends of each cable."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[SwitchSlice, Gateway]] = {}

    def see(self, switch_slice: SwitchSlice) -> None:
        """Record a leaf that is a gateway."""
        if switch_slice.gateway is not None:
            self._seen[switch_slice.switch.name] = switch_slice, switch_slice.gateway

    def wrongs(self) -> Iterator[Wrong]:
        """Yield each difference between the two ends."""
        for name, (switch_slice, gateway) in self._seen.items():
            if not gateway.links:
                yield f"the gateway {name} has no link to another site", gateway.because
            for link in gateway.links:
                for what in self._link(switch_slice, gateway, link):
                    text = f"the gateway link {name} to {link.peer.name} {what}"
                    yield text, link.because

    def _link(
        self, switch_slice: SwitchSlice, gateway: Gateway, link: GatewayLink
    ) -> Iterator[str]:
        if link.peer.name not in self._seen or link.peer.fabric == switch_slice.switch.fabric:
            yield "goes to a switch that is not a gateway of another site"
            return
        far, theirs = self._seen[link.peer.name]
        back = next((each for each in theirs.links if each.remote == link.interface.address), None)
        if (
            back is None
            or back.interface.address != link.remote
            or back.peer is not switch_slice.switch
        ):
            yield (
                f"uses the address {link.interface.address}, but the other end has no session to it"
            )
        if (link.peer_asn, link.loopback) != (far.asn, far.loopback):
            yield (
                f"expects the ASN {link.peer_asn} at {link.loopback.host}, but the other end has "
                "another"
            )
        own = [
            each for each in (switch_slice.loopback, switch_slice.vtep) if each not in gateway.own
        ]
        if own or set(gateway.own) != set(theirs.far):
            yield "does not advertise the loopbacks that the other end expects"
        if gateway.targets != theirs.targets or _numbers(switch_slice) != _numbers(far):
            yield "joins other VRFs and VLANs than the other end"


def _numbers(switch_slice: SwitchSlice) -> list[tuple[object, ...]]:
    """Return VNI, gateways and route target of all networks that extend to another site."""
    gateway = switch_slice.gateway
    assert gateway is not None
    vlans = [
        (vlan.vni, vlan.gateways, gateway.vlans[vlan.id])
        for vlan in switch_slice.vlans
        if vlan.id in gateway.vlans
    ]
    vrfs = [(vrf.name, vrf.vni) for vrf in switch_slice.vrfs if vrf.name in gateway.vrfs]
    missing = (len(gateway.vlans) - len(vlans), len(gateway.vrfs) - len(vrfs))
    return [*sorted(vlans, key=str), *sorted(vrfs), missing]
