"""External peers of VRFs in; port, addresses and policy of each session on a border leaf out."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from fabricgen.diagnostics import Code, IntentPath, did_you_mean, dotted
from fabricgen.fabric.addressing import Ip
from fabricgen.fabric.because import Because
from fabricgen.fabric.external import ExternalPeer, PrefixRule
from fabricgen.fabric.overlay import Overlay, Vlan
from fabricgen.fabric.routing import Routing
from fabricgen.fabric.switch import Interface, Use
from fabricgen.fabric.topology import Port, Switch
from fabricgen.intent.paths import at
from fabricgen.units import spans

if TYPE_CHECKING:
    from netaddr import IPNetwork

    from fabricgen.design.findings import Findings
    from fabricgen.design.managing import Managing
    from fabricgen.design.wiring.access import WiredAccess
    from fabricgen.design.wiring.frontend import Wired
    from fabricgen.intent.model import tenants as words
    from fabricgen.intent.model.managed import OutOfBand

RESERVED_ASNS = {23_456: "AS_TRANS, RFC 6793", 65_535: "RFC 7300"}
OUTSIDE_MTU = 1500  # what routers elsewhere have unless told otherwise (RFC 894)


def with_external(
    overlay: Overlay,
    tenants: dict[str, words.Tenant],
    wired: Wired,
    routing: Routing,
    findings: Findings,
) -> Overlay:
    """Return the overlay with the external peers of its VRFs."""
    design = _Design(overlay=overlay, wired=wired, routing=routing, findings=findings)
    for tenant_name, tenant in tenants.items():
        for vrf_name, vrf in (tenant.unless_refused("vrfs") or {}).items():
            here = at("tenants", tenant_name, "vrfs", vrf_name, "external")
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
        design.taken.update(
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
    taken: dict[tuple[str, int], str] = field(default_factory=dict)

    @cached_property
    def leafs(self) -> dict[int, Switch]:
        """Leafs by the number that people give them."""
        return {leaf.index: leaf for leaf in self.wired.topology.switches if leaf.is_leaf}

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

    def vrf(self, name: str, vrf: words.Vrf | OutOfBand, here: IntentPath) -> None:
        """Add the peers of one VRF."""
        vlans = [vlan for vlan in self.overlay.vlans.values() if vlan.vrf == name]
        subnets = {f"VLAN {vlan.name}": vlan.gateway for vlan in vlans if vlan.gateway is not None}
        announce = self.announced(name, vlans, here) if vrf.whole else ()
        for peer_name, peer in vrf.external.items():
            with self.findings.going_on():
                external = self.peer(name, peer, vlans, subnets, announce, (*here, peer_name))
                if external is not None:
                    self.made.setdefault(self.leafs[peer.leaf].name, []).append(external)

    def peer(
        self,
        vrf: str,
        peer: words.ExternalPeer,
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
        accept = self.accepted(peer.accept, vlans, (*path, "accept"))
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
        self, peer: words.ExternalPeer, local: Ip, vrf: str, path: IntentPath
    ) -> Interface | None:
        """Return the port of the border leaf that the peer is behind."""
        mtu = self.mtu(peer.mtu, (*path, "mtu"))
        leaf = self.leafs.get(peer.leaf)
        if leaf is None:
            self.findings.error(
                Code.UNKNOWN_REFERENCE,
                f"the {self.wired.topology.fabric} has no leaf {peer.leaf}",
                (*path, "leaf"),
                did_you_mean(str(peer.leaf), map(str, self.leafs)),
            )
            return None
        port = self.port(leaf, peer.cage, path)
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

    def announced(self, vrf: str, vlans: list[Vlan], here: IntentPath) -> tuple[PrefixRule, ...]:
        """Return the IPv4 subnets of a VRF; a subnet keeps the number of its VLAN for ever."""
        rules = tuple(
            PrefixRule(vlan.id, vlan.gateway)
            for vlan in vlans
            if vlan.gateway is not None and vlan.gateway.version == 4
        )
        six = [vlan.name for vlan in vlans if vlan.gateway and vlan.gateway.version == 6]
        if vlans and not rules:
            self.findings.error(
                Code.BAD_VALUE,
                f"the VRF {vrf} has no IPv4 subnet that it could announce",
                here,
                "external sessions carry IPv4",
            )
        elif six:
            self.findings.warn(
                Code.UNSUPPORTED,
                f"external sessions carry IPv4, so the outside is not told the subnet of {six[0]}"
                + (f" and of {len(six) - 1} more" if six[1:] else ""),
                here,
            )
        return rules

    def port(self, leaf: Switch, cage: int, path: IntentPath) -> Port | None:
        """Return the native port of a cage, or say what else the cage is for."""
        ports = {port.cage: port for port in leaf.ports}
        where = (*path, "cage")
        if cage not in ports:
            self.findings.error(
                Code.PORTS_EXHAUSTED,
                f"leaf {leaf.index} has no cage {cage}: a {leaf.model} has {max(ports)}",
                where,
                self.free(leaf),
            )
            return None
        other = self.taken.get((leaf.name, cage))
        use = f"for the external peer {other}" if other else self.use(leaf, ports[cage])
        if use:
            self.findings.error(
                Code.PORT_USED_TWICE,
                f"cage {cage} of leaf {leaf.index} is already {use}",
                where,
                self.free(leaf),
            )
            return None
        self.taken[leaf.name, cage] = dotted(path)
        return ports[cage]

    def use(self, leaf: Switch, port: Port) -> str | None:
        """Say what a cage is kept for; None when it is free."""
        face = self.wired.faces[leaf.group]
        if port.service:
            return f"a service port of {port.speed}"
        if any(kept.cage == port.cage for kept in face.down):
            return f"for the servers of group {leaf.group}"
        if any(kept.cage == port.cage for kept in face.managed):
            return "for management ports"
        if any(kept.cage == port.cage for kept in face.up):
            return "kept for uplinks (spines, and those that growth reserves)"
        return None

    def free(self, leaf: Switch) -> str:
        cages = [
            port.cage
            for port in leaf.ports
            if (leaf.name, port.cage) not in self.taken and not self.use(leaf, port)
        ]
        return f"free cages: {spans(cages)}" if cages else "this leaf has no free cage"

    def remote(self, peer: words.ExternalPeer, path: IntentPath) -> Ip:
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

    def accepted(
        self, prefixes: list[IPNetwork], vlans: list[Vlan], path: IntentPath
    ) -> tuple[PrefixRule, ...]:
        rules: list[PrefixRule] = []
        for place, net in enumerate(prefixes):
            prefix = Ip(int(net.first), int(net.prefixlen), int(net.version))
            where = (*path, place)
            if prefix.version != 4:
                self.findings.error(Code.BAD_VALUE, f"{net} is not IPv4, the session is", where)
            if any(prefix == rule.prefix for rule in rules):
                self.findings.error(Code.DUPLICATE_ID, f"{net} is accepted twice", where)
            inside = [vlan.name for vlan in vlans if vlan.gateway and _holds(vlan.gateway, prefix)]
            if inside:
                self.findings.error(
                    Code.ADDRESS_OVERLAP,
                    f"{net} lies in the subnet of VLAN {inside[0]}: the outside would attract "
                    "traffic of its servers",
                    where,
                )
            rules.append(PrefixRule(10 * (place + 1), prefix))
        return tuple(rules)

    def mtu(self, wished: int | None, path: IntentPath) -> int:
        most = self.routing.tenant_mtu
        if wished is not None and wished > most:
            self.findings.error(
                Code.BAD_VALUE,
                f"an MTU of {wished} does not fit into a tunnel: servers have {most}",
                path,
            )
        return wished or min(OUTSIDE_MTU, most)


def _holds(subnet: Ip, prefix: Ip) -> bool:
    first, last = subnet.network
    low, high = prefix.network
    return subnet.version == prefix.version and first <= low and high <= last
