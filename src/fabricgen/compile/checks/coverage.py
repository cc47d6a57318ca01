"""Check that everything in the intent reaches a switch and that every switch gets its slice.

An object that reaches no switch is absent without an error: the run is green and the tenant has no
network. To fix it, attach the VLAN or remove it. A port in another VRF than its server's is worse.
The check examines switches, servers, VLANs, VRFs, attached ports and external peers. A VLAN or VRF
without a port is a warning, and all else is an error.
"""

from collections import Counter

from fabricgen.compile.checks import ends
from fabricgen.compile.checks.tally import Tallied
from fabricgen.core.diagnostics import Code, Examined, Severity
from fabricgen.core.provenance import Provenance
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.overlay import Overlay
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice
from fabricgen.model.fabric.topology import Nic, Server


class Coverage(Tallied):
    """Intent objects that no slice has covered yet."""

    name, code, noun = "coverage", Code.INTENT_WITHOUT_LINES, "objects of the intent"

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.slices: Counter[tuple[str, str]] = Counter()
        self.reached: set[tuple[str, str, int | str]] = set()

    def see(self, fabric: Fabric, switch_slice: SwitchSlice) -> None:
        """Remove the objects of one switch from the list."""
        name = switch_slice.switch.name
        self.slices[fabric.name, name] += 1
        self.reached.update((fabric.name, "VLAN", vlan.id) for vlan in switch_slice.vlans)
        self.reached.update((fabric.name, "VRF", vrf.name) for vrf in switch_slice.vrfs)
        self.reached.update(
            (fabric.name, "external peer", f"{name} {peer.vrf} {peer.name}")
            for peer in switch_slice.external
        )
        if all(interface.use is Use.UNUSED for interface in switch_slice.interfaces):
            self.tally.add(
                "switches without an interface",
                f"{name} has no interface in use",
                switch_slice.switch.because,
            )
        if fabric.overlay is not None and fabric.overlay.members:
            self.members(fabric.overlay, switch_slice)
        wanted = fabric.overlay.ports.get(name, {}) if fabric.overlay else {}
        if wanted:
            places = fabric.topology.places
            carried = {
                places[i.peer.name, i.peer_port.network].index
                for i in switch_slice.interfaces
                if isinstance(i.peer_port, Nic) and i.peer is not None and i.carries is not None
            }
            for number in wanted.keys() - carried:
                self.tally.add(
                    "attachments without a port",
                    f"server {number} of {name} is attached, but no port carries its VLANs",
                    wanted[number].because,
                )

    def members(self, overlay: Overlay, switch_slice: SwitchSlice) -> None:
        """Require that every port to a server of a tenant is in the VRF of that tenant."""
        for interface in switch_slice.interfaces:
            peer = interface.peer
            member = overlay.members.get(peer.name) if isinstance(peer, Server) else None
            if member is not None and interface.vrf != member.vrf:
                end = ends.text(switch_slice.switch, interface.port)
                text = (
                    f"{end} is in VRF {interface.vrf or 'none'}, but its server is in {member.vrf}"
                )
                self.tally.add("ports in another VRF", text, member.because)

    def result(self) -> Examined:
        """Report the objects that no slice covers."""
        for fabric in self.site.fabrics:
            self.hardware(fabric)
            if fabric.overlay is not None:
                self.overlay(fabric, fabric.overlay)
        return self.tally.result()

    def hardware(self, fabric: Fabric) -> None:
        """Require one slice for every switch and a link for every server."""
        topology = fabric.topology
        self.tally.objects += len(topology.switches) + len(topology.servers)
        for switch in topology.switches:
            times = self.slices[fabric.name, switch.name]
            if times != 1:
                self.tally.add(
                    "switches without one slice",
                    f"{switch.name} has {times} slices instead of one",
                    switch.because,
                )
        for server in topology.servers:
            if not topology.links_at.get(server.name):
                text = f"{server.name} has no link to any switch"
                self.tally.add("servers without a link", text, server.because)

    def overlay(self, fabric: Fabric, overlay: Overlay) -> None:
        """Require a switch for every VLAN and VRF, and a leaf for every attachment."""
        vlans, vrfs = overlay.vlans.values(), overlay.vrfs.values()
        self.tally.objects += len(vlans) + len(vrfs) + sum(map(len, overlay.ports.values()))
        for vlan in vlans:
            if (fabric.name, "VLAN", vlan.id) not in self.reached:
                self.unattached("VLANs", f"VLAN {vlan.name} ({vlan.id})", vlan.because)
        for vrf in vrfs:
            if (fabric.name, "VRF", vrf.name) not in self.reached:
                self.unattached("VRFs", f"VRF {vrf.name}", vrf.because)
        for leaf, peers in overlay.external.items():
            self.outside(fabric, leaf, peers)
        leafs = {switch.name for switch in fabric.topology.switches if switch.is_leaf}
        for name in sorted(overlay.ports.keys() - leafs):
            because = next(iter(overlay.ports[name].values())).because
            text = f"servers of {name} are attached, but no leaf has this name"
            self.tally.add("attachments without a leaf", text, because)

    def outside(self, fabric: Fabric, leaf: str, peers: tuple[ExternalPeer, ...]) -> None:
        """Require a session on the border leaf for every external peer."""
        self.tally.objects += len(peers)
        for peer in peers:
            if (fabric.name, "external peer", f"{leaf} {peer.vrf} {peer.name}") not in self.reached:
                text = f"{leaf} has no session with its external peer {peer.name} in VRF {peer.vrf}"
                self.tally.add("external peers without a session", text, peer.because)

    def unattached(self, kind: str, what: str, because: Provenance) -> None:
        """Report a tenant network or a management network of racks that is on no switch."""
        tenant = because.main[0] in ("tenants", "jobs")
        self.tally.add(
            f"{kind} without attachment",
            f"{what} has no attachment, so no switch is configured with it"
            if tenant
            else (
                f"no rack contains a device with a port in {what}, so no switch is configured with "
                "it"
            ),
            because.main,
            "attach it to servers, or remove it"
            if tenant
            else "add the devices with a port there to `contents` of a rack",
            Severity.WARNING,
        )
