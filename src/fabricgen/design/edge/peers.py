"""External peers of VRFs in; port, addresses and policy of each session on a border leaf out."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from fabricgen.design.edge.cages import Cages
from fabricgen.design.edge.prefixes import accepted, announced
from fabricgen.diagnostics import Code, IntentPath, dotted
from fabricgen.fabric.addressing import Ip
from fabricgen.fabric.because import Because
from fabricgen.fabric.external import ExternalPeer, PrefixRule
from fabricgen.fabric.overlay import Overlay, Vlan
from fabricgen.fabric.routing import Routing
from fabricgen.fabric.switch import Interface, Use
from fabricgen.intent.paths import at

if TYPE_CHECKING:
    from fabricgen.design.findings import Findings
    from fabricgen.design.managing import Managing
    from fabricgen.design.wiring.access import WiredAccess
    from fabricgen.design.wiring.frontend import Wired
    from fabricgen.intent.model import edge
    from fabricgen.intent.model.managed import OutOfBand
    from fabricgen.intent.model.tenants import Tenant, Vrf

RESERVED_ASNS = {23_456: "AS_TRANS, RFC 6793", 65_535: "RFC 7300"}
OUTSIDE_MTU = 1500  # what routers elsewhere have unless told otherwise (RFC 894)


def with_external(
    overlay: Overlay,
    tenants: dict[str, Tenant],
    wired: Wired,
    routing: Routing,
    findings: Findings,
) -> Overlay:
    """Return the overlay with the external peers of its VRFs."""
    design = _Design(overlay=overlay, wired=wired, routing=routing, findings=findings)
    for tenant_name, tenant in tenants.items():
        for vrf_name, vrf in (tenant.unless_refused("vrfs") or {}).items():
            here = at(*tenant.place(tenant_name, "vrfs", vrf_name, "external"))
            if vrf.unless_refused("external"):
                design.vrf(vrf_name, vrf, here)
    return design.result()


def with_ways_out(
    overlay: Overlay,
    mine: Managing,
    wired: Wired | WiredAccess,
    routing: Routing,
    findings: Findings,
) -> Overlay:
    """Return the overlay with the external peers of management's VRF beside those it has."""
    design = _Design(overlay=overlay, wired=wired, routing=routing, findings=findings)
    for leaf, peers in overlay.external.items():
        design.made[leaf] = list(peers)
        design.cages.taken.update(
            ((leaf, peer.interface.port.cage), dotted(peer.because.main)) for peer in peers
        )
    if mine.words.unless_refused("external"):
        design.vrf(mine.words.vrf, mine.words, at(*mine.at("external")))
    return design.result()


@dataclass(kw_only=True)
class _Design:
    overlay: Overlay
    wired: Wired | WiredAccess
    routing: Routing
    findings: Findings
    made: dict[str, list[ExternalPeer]] = field(default_factory=dict)

    @cached_property
    def cages(self) -> Cages:
        """The cages of the fabric, with what has them."""
        return Cages(wired=self.wired, findings=self.findings)

    @cached_property
    def asns(self) -> dict[int, str]:
        """Every ASN of the fabric, with a switch that has it."""
        plan = self.routing.asns
        return {plan.asn(switch): switch.name for switch in self.wired.topology.switches}

    def result(self) -> Overlay:
        """Return the overlay with the peers, by the cage that each is behind."""
        return replace(
            self.overlay,
            external={
                leaf: tuple(sorted(peers, key=lambda peer: peer.interface.port.cage))
                for leaf, peers in sorted(self.made.items())
            },
        )

    def vrf(self, name: str, vrf: Vrf | OutOfBand, here: IntentPath) -> None:
        """Add the peers of one VRF."""
        vlans = [vlan for vlan in self.overlay.vlans.values() if vlan.vrf == name]
        subnets = {f"VLAN {vlan.name}": own for vlan in vlans if (own := vlan.gateway(4))}
        announce = announced(name, vlans, here, self.findings) if vrf.whole else ()
        for peer_name, peer in vrf.external.items():
            with self.findings.going_on():
                external = self.peer(name, peer, vlans, subnets, announce, (*here, peer_name))
                if external is not None:
                    self.made.setdefault(self.cages.leafs[peer.leaf].name, []).append(external)

    def peer(
        self,
        vrf: str,
        peer: edge.ExternalPeer,
        vlans: list[Vlan],
        subnets: dict[str, Ip],
        announce: tuple[PrefixRule, ...],
        path: IntentPath,
    ) -> ExternalPeer | None:
        """Design one session; `subnets` are those of its VRF, to which it adds its own."""
        self.asn(peer.asn, (*path, "asn"))
        local = Ip(int(peer.address.ip), int(peer.address.prefixlen))
        self.apart(local, subnets, (*path, "address"))
        subnets[f"external peer {path[-1]}"] = local
        remote = self.remote(peer, path)
        accept = accepted(peer.accept, vlans, (*path, "accept"), self.findings)
        interface = self.interface(peer, local, vrf, path)
        if interface is None:
            return None
        return ExternalPeer(
            vrf=vrf,
            name=str(path[-1]),
            interface=interface,
            local=local,
            remote=remote,
            peer_asn=peer.asn,
            accept=accept,
            announce=announce,
            bfd=peer.bfd and self.routing.bfd is not None,
            because=interface.because,
        )

    def interface(
        self, peer: edge.ExternalPeer, local: Ip, vrf: str, path: IntentPath
    ) -> Interface | None:
        """Return the port of the border leaf that the peer is behind."""
        mtu = self.mtu(peer.mtu, (*path, "mtu"))
        leaf = self.cages.leaf(peer.leaf, (*path, "leaf"))
        port = self.cages.port(leaf, peer.cage, path) if leaf is not None else None
        if port is None:
            return None
        because = Because(
            (path, path[:-2]),
            "eBGP out of the site: the subnets of the VRF's VLANs go out, what is accepted comes "
            "in, nothing else",
        )
        return Interface(
            port=port,
            use=Use.EXTERNAL,
            mtu=mtu,
            because=because,
            address=local,
            vrf=vrf,
            outside=str(path[-1]),
        )

    def remote(self, peer: edge.ExternalPeer, path: IntentPath) -> Ip:
        """Return the other end; it must be another host of the same subnet."""
        net, where = peer.address, (*path, "peer")
        value, hosts = int(peer.peer), (int(net.first), int(net.last))
        if net.prefixlen < 31:
            hosts = (hosts[0] + 1, hosts[1] - 1)
        if peer.peer.version != 4:
            self.findings.error(Code.BAD_VALUE, "an external session runs over IPv4", where)
        elif not hosts[0] <= value <= hosts[1]:
            self.findings.error(
                Code.BAD_VALUE,
                f"the peer {peer.peer} is no host of {net.cidr}, the subnet of {net.ip}",
                where,
            )
        elif value == int(net.ip):
            self.findings.error(
                Code.BAD_VALUE, f"both ends of the session have the address {net.ip}", where
            )
        return Ip(value, int(net.prefixlen))

    def apart(self, local: Ip, subnets: dict[str, Ip], path: IntentPath) -> None:
        """Compare a link's subnet with the others of its VRF."""
        first, last = local.network
        for what, other in subnets.items():
            low, high = other.network
            if other.version == 4 and first <= high and low <= last:
                self.findings.error(
                    Code.ADDRESS_OVERLAP,
                    f"the subnet {local.prefix} overlaps {other.prefix} of {what} in the same VRF",
                    path,
                )

    def asn(self, asn: int, path: IntentPath) -> None:
        """The path of a learned route must not look like a loop to any switch."""
        if asn in self.asns:
            self.findings.error(
                Code.ASN_CLASH,
                f"the ASN {asn} is also that of {self.asns[asn]}, which would drop what comes "
                "from there as a loop",
                path,
                "move the range of frontend.underlay.asn",
            )
        if asn in RESERVED_ASNS:
            self.findings.error(
                Code.BAD_VALUE, f"the ASN {asn} is reserved ({RESERVED_ASNS[asn]})", path
            )

    def mtu(self, wished: int | None, path: IntentPath) -> int:
        most = self.routing.tenant_mtu
        if wished is not None and wished > most:
            self.findings.error(
                Code.BAD_VALUE,
                f"an MTU of {wished} does not fit into a tunnel: servers have {most}",
                path,
            )
        return wished or min(OUTSIDE_MTU, most)
