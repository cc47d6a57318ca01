"""One MTU from end to end: the largest frame a server may send crosses every link.

A smaller MTU anywhere drops exactly the large frames: ping works, training hangs. Fix
`underlay.mtu`. All fabric interfaces have the fabric's MTU, and so have NIC ports, less the VXLAN
headers where there are tunnels; a bridged port must leave room for those, and so must a port to an
external peer, whose other end the site does not know; a bundle has the MTU of its members, and a
cable between gateways of two sites carries tunnels, so it has the fabric's MTU at least. A fabric
of GPU servers, or with a lossless class, has room for the largest packets of RDMA.
"""

from fabricgen.compile.checks import ends
from fabricgen.compile.checks.tally import Tallied
from fabricgen.core.diagnostics import Code, Severity
from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.switch import Fabric, SwitchSlice
from fabricgen.model.fabric.topology import Switch

VXLAN_HEADERS = 50  # outer Ethernet 14, IPv4 20, UDP 8, VXLAN 8 (RFC 7348 section 5)

RDMA = 4096 + 60
"""The largest path MTU of RDMA (IBTA volume 1: 256 to 4096 bytes) with its headers (annex RoCEv2):
IPv4 20, UDP 8, BTH 12, RETH 16, ICRC 4."""


class Mtu(Tallied):
    """Compares every interface in use with the MTU of its fabric."""

    name, code, noun = "mtu", Code.MTU_BROKEN, "interfaces"

    def see(self, fabric: Fabric, piece: SwitchSlice) -> None:
        """Look at the interfaces of one switch."""
        most = fabric.routing.mtu
        if most < RDMA and (fabric.gpus or (piece.qos is not None and piece.qos.lossless)):
            self.tally.add(
                "fabrics with small packets",
                f"an MTU of {most:,} makes RDMA use small packets; its largest, of 4,096 bytes, "
                f"have {RDMA:,} with their headers",
                (*fabric.place, "underlay", "mtu"),
                "leave out `mtu`, or use 4,200 and more",
                Severity.WARNING,
            )
        tunnels = fabric.overlay is not None and fabric.overlay.rules is not None
        edge = most - VXLAN_HEADERS if tunnels else most
        across = self.across(fabric, piece)
        used = len(across)
        for interface in piece.interfaces:
            if interface.use is Use.UNUSED or interface in across:
                continue
            used += 1
            if interface.use in (Use.EDGE, Use.EXTERNAL):
                if interface.mtu > edge:
                    self.say(
                        fabric,
                        piece.switch,
                        interface,
                        f"at most {edge} so that VXLAN fits into {most}"
                        if edge < most
                        else f"at most {most}",
                    )
                continue
            every = edge if interface.use is Use.NIC else most
            if interface.mtu != every:
                self.say(fabric, piece.switch, interface, f"{every} as all of the {fabric.name}")
        self.tally.objects += used
        for lag in piece.lags:
            if any(member.mtu != lag.mtu for member in lag.members):
                text = (
                    f"{piece.switch.name} bundle {lag.number} has MTU {lag.mtu}, a member another"
                )
                self.tally.add("bundles with another MTU", text, lag.because)

    def across(self, fabric: Fabric, piece: SwitchSlice) -> tuple[Interface, ...]:
        """Return the cables to gateways of another site; they carry tunnels."""
        most, cables = fabric.routing.mtu, piece.gateway.cables if piece.gateway is not None else ()
        for cable in cables:
            if cable.mtu < most:
                self.say(fabric, piece.switch, cable, f"{most} at least: it carries tunnels")
        return cables

    def say(self, fabric: Fabric, switch: Switch, interface: Interface, wanted: str) -> None:
        """Add a finding about one interface."""
        text = f"{ends.text(switch, interface.port)} ({interface.use}) has MTU {interface.mtu}"
        path = (*fabric.place, "underlay", "mtu")
        self.tally.add(
            f"{interface.use} ports with another MTU", f"{text}; it must be {wanted}", path
        )
