"""Check that tunnels have a route to their far end outside of tunnels, and room for headers.

The VRF that carries a tunnel must learn the route to its far end by the exit, and never by a
session through a tunnel. Otherwise the tunnel is up until it has advertised that route, and then
down.
"""

from collections.abc import Iterator

from fabricgen.compile.checks.tally import Tally
from fabricgen.core.diagnostics import Code, Examined
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.model.fabric.interface import GRE_OVERHEAD, Interface, Tunnel
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice


class Tunnels:
    """Check of every tunnel of every switch."""

    name = "tunnels"

    def __init__(self, _site: Site) -> None:
        noun = "switches and tunnels"
        self.tally = Tally(check=self.name, code=Code.TUNNEL_IN_ITSELF, noun=noun)
        self.room = Tally(check=self.name, code=Code.MTU_BROKEN, noun=noun)

    def see(self, _fabric: Fabric, switch_slice: SwitchSlice) -> None:
        self.tally.objects += 1
        for peer in switch_slice.external:
            if peer.interface.tunnel is not None:
                self.tally.objects += 1
                self.tunnel(switch_slice, peer, peer.interface.tunnel)

    def tunnel(self, switch_slice: SwitchSlice, peer: ExternalPeer, tunnel: Tunnel) -> None:
        """Report the faults of one tunnel."""
        what = f"the tunnel of {peer.vrf} to {tunnel.remote.host} on {switch_slice.switch.name}"
        carriers = [
            each
            for each in switch_slice.external
            if each.vrf == tunnel.vrf and each.local == tunnel.local and not each.interface.tunnel
        ]
        if not any(_told(each, tunnel) for each in carriers):
            text = f"{what} has no route: the exit with {tunnel.local.host} does not lead there"
            self.tally.add("tunnels without a route", text, peer.because.main)
        if any(_told(each, tunnel) for each in _inside(switch_slice, tunnel)):
            text = (
                f"{what} gets the route to its remote end through a tunnel, so it would lead into "
                "itself"
            )
            self.tally.add("tunnels into themselves", text, peer.because.main)
        for each in {id(each.interface): each.interface for each in carriers}.values():
            self.fits(what, peer.interface, each, peer)

    def fits(self, what: str, inner: Interface, outer: Interface, peer: ExternalPeer) -> None:
        """Compare both MTUs."""
        if inner.mtu + GRE_OVERHEAD > outer.mtu:
            text = (
                f"{what} takes packets of {inner.mtu} bytes, which exceed the MTU {outer.mtu} of "
                f"the port below with {GRE_OVERHEAD} bytes of headers"
            )
            self.room.add("tunnels with a large MTU", text, peer.because.main)

    def result(self) -> Examined:
        own = self.tally.result()
        findings = (*own.findings, *self.room.result().findings)
        return Examined(check=self.name, objects=own.objects, noun=own.noun, findings=findings)


def _inside(switch_slice: SwitchSlice, tunnel: Tunnel) -> Iterator[ExternalPeer]:
    """Yield the sessions through tunnels that may advertise the route to its remote end."""
    vrfs = {tunnel.vrf} | {
        taken.source
        for own in switch_slice.vrfs
        if own.name == tunnel.vrf
        for taken in own.takes
        if any(each.holds(tunnel.remote.value, tunnel.remote.version) for each in taken.prefixes)
    }
    for peer in switch_slice.external:
        if peer.interface.tunnel is not None and peer.vrf in vrfs:
            yield peer


def _told(peer: ExternalPeer, tunnel: Tunnel) -> bool:
    return any(rule.prefix.holds(tunnel.remote) for rule in peer.accept)
