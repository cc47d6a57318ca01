"""Design the port, the addresses and the policy of each session to an external peer."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from netaddr import IPAddress, IPNetwork

from fabricgen.compile.design.edge.border import border_of, judge_asn
from fabricgen.compile.design.edge.links import Cages, Links, carrier, tunnel_of
from fabricgen.compile.design.edge.prefixes import accepted, announced
from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.managing import Managing
from fabricgen.compile.design.wiring.access import WiredAccess
from fabricgen.compile.design.wiring.frontend import Wired
from fabricgen.compile.design.zones.sources import with_guarded_sources
from fabricgen.core.diagnostics import Code, IntentPath, dotted
from fabricgen.core.late import Late
from fabricgen.core.provenance import Provenance
from fabricgen.intent.model import edge
from fabricgen.intent.model.frontend import Frontend
from fabricgen.intent.model.managed import OutOfBand
from fabricgen.intent.model.tenants import Tenant, Vrf
from fabricgen.intent.paths import at
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.external import ExternalPeer, PrefixRule
from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.overlay import Overlay
from fabricgen.model.fabric.routing import Routing
from fabricgen.model.fabric.vlans import Vlan

if TYPE_CHECKING:
    from fabricgen.intent.model.dci import SitePeer, TunnelPeer

_SITE_PEER: Late[type["SitePeer"]] = Late("fabricgen.intent.model.dci:SitePeer")
_TUNNEL_PEER: Late[type["TunnelPeer"]] = Late("fabricgen.intent.model.dci:TunnelPeer")
BACKBONE = "0.0.0.0"  # noqa: S104 - an area of OSPF, no address to listen on
_RANGE = "move the range of frontend.underlay.asn"


def with_external(
    overlay: Overlay,
    words: Frontend,
    tenants: dict[str, Tenant],
    wired: Wired,
    routing: Routing,
    findings: Findings,
) -> Overlay:
    """Return the overlay with the links to the outside and the external peers of its VRFs."""
    design = _Design(overlay=overlay, wired=wired, routing=routing, findings=findings)
    design.links.add(words.unless_refused("edge") or {}, at(*words.at("edge")))
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
    """Return the overlay with the external peers of the management VRF added."""
    design = _Design(overlay=overlay, wired=wired, routing=routing, findings=findings)
    design.remember()
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
        """Return the cages of the fabric, with their users."""
        return Cages(wired=self.wired, findings=self.findings)

    @cached_property
    def links(self) -> Links:
        """The links to the outside that VRFs share."""
        most, made = self.routing.tenant_mtu, dict(self.overlay.edge)
        return Links(cages=self.cages, most=most, findings=self.findings, made=made)

    @cached_property
    def asns(self) -> dict[int, str]:
        """Return every ASN of the fabric, with a switch that has it."""
        plan = self.routing.asns
        return {plan.asn(switch): switch.name for switch in self.wired.topology.switches}

    def remember(self) -> None:
        """Record designed sessions, and the cages of each link.

        A later link gets another cage, and no tag.
        """
        for leaf, peers in self.overlay.external.items():
            self.made[leaf] = list(peers)
            for peer in peers:
                self.cages.taken[leaf, peer.interface.port.cage] = dotted(peer.because.main)
        for link in self.overlay.edge.values():
            for item in link.ports:
                self.cages.taken[link.leaf, item.port.cage] = dotted(link.because.main)

    def result(self) -> Overlay:
        """Return the overlay with the links, and the peers by the cage that each is behind."""
        made = replace(
            self.overlay,
            edge=self.links.made,
            external={
                leaf: tuple(sorted(peers, key=_place)) for leaf, peers in sorted(self.made.items())
            },
        )
        return with_guarded_sources(made, self.findings)

    def vrf(self, name: str, vrf: Vrf | OutOfBand, here: IntentPath) -> None:
        """Add the peers of one VRF."""
        vlans = [vlan for vlan in self.overlay.vlans.values() if vlan.vrf == name]
        subnets = [(f"VLAN {vlan.name}", own) for vlan in vlans for own in vlan.gateways]
        announce = announced(name, vlans, vrf, here, self.findings) if vrf.whole else ()
        for peer_name, peer in vrf.external.items():
            with self.findings.going_on():
                path = peer.place((*here, peer_name))
                leaf, interface = self.interface(peer_name, peer, name, path)
                sessions = list(self.sessions(peer, vlans, subnets, path))
                accepts = [rule for _, _, rules in sessions for rule in rules]
                border = border_of(peer, accepts, path, self.findings)
                self.alone(name, peer, leaf, path)
                speaks = peer.protocol == "bgp"
                for local, remote, accept in sessions if interface is not None else ():
                    assert interface is not None
                    self.made.setdefault(leaf, []).append(
                        ExternalPeer(
                            vrf=name,
                            name=peer_name,
                            interface=interface,
                            local=local,
                            remote=remote,
                            peer_asn=peer.asn or 0,
                            accept=accept,
                            announce=(
                                *(rule for rule in announce if _alike(rule.prefix, local)),
                                *_told(peer, local.version),
                            ),
                            bfd=speaks and peer.bfd and self.routing.bfd is not None,
                            because=interface.because,
                            border=border,
                            protocol=peer.protocol,
                            area=str(peer.area or BACKBONE) if peer.protocol == "ospf" else "",
                        )
                    )

    def alone(
        self, vrf: str, peer: edge.ExternalPeer | edge.OutsideRouter, leaf: str, path: IntentPath
    ) -> None:
        """Refuse a second OSPF neighbor in a VRF, because one list filters the complete table."""
        beside = [each for each in self.made.get(leaf, []) if each.vrf == vrf and each.floods]
        if peer.protocol == "ospf" and beside:
            self.findings.error(
                Code.BAD_VALUE,
                f"{leaf} already has {beside[0].name} in OSPF of VRF {vrf}: a leaf filters the "
                "routes of all OSPF neighbors with one list",
                (*path, "protocol"),
                "move one of the two to another leaf",
            )

    def sessions(
        self,
        peer: edge.ExternalPeer | edge.OutsideRouter,
        vlans: list[Vlan],
        subnets: list[tuple[str, Ip]],
        path: IntentPath,
    ) -> Iterator[tuple[Ip, Ip, tuple[PrefixRule, ...]]]:
        """Yield both ends and the accepted prefixes for each family of `subnets` of the VRF."""
        for key in ("asn", "local_asn"):
            asn: int | None = getattr(peer, key)
            if asn is not None:
                judge_asn(asn, self.asns, (*path, key), self.findings, _RANGE)
        ends = ((peer.address, peer.peer, ""), (peer.address6, peer.peer6, "6"))
        rules = accepted(peer, vlans, (*path, "accept"), self.findings)
        for net, other, word in ends:
            if net is None or other is None:
                continue
            local = _end(net)
            self.apart(local, subnets, (*path, f"address{word}"))
            subnets.append((f"external peer {path[-1]}", local))
            remote = self.remote(net, other, (*path, f"peer{word}"))
            yield local, remote, tuple(r for r in rules if _alike(r.prefix, local))

    def interface(
        self,
        name: str,
        peer: edge.ExternalPeer | edge.OutsideRouter,
        vrf: str,
        path: IntentPath,
    ) -> tuple[str, Interface | None]:
        """Return the leaf and the port that the peer is behind, or its share of a link."""
        four, six = (
            _end(net) if net is not None else None for net in (peer.address, peer.address6)
        )
        because = Provenance(
            (path, path[:-2]),
            "eBGP out of the site: only subnets of the VRF's VLANs are exported, and only "
            "accepted prefixes are imported",
        )
        if isinstance(peer, _TUNNEL_PEER.load()):
            way = carrier(peer, self.links.made, self.cages)
            if way is None or peer.mtu is None:
                return "", None
            own = Interface(port=way.port, use=Use.EXTERNAL, mtu=peer.mtu, because=because)
            own = replace(own, vrf=vrf, outside=str(path[-1]), lag=way.lag, tag=peer.vlan)
            own = replace(own, tunnel=tunnel_of(peer), address=four or six)
            return way.leaf, replace(own, address6=six if four else None)
        if peer.link is not None:
            link = self.links.share(peer, path)
            if link is None:
                return "", None
            own = replace(link.ports[0], because=because, outside=name, vrf=vrf)
            return link.leaf, replace(
                own, tag=peer.vlan, address=four or six, address6=six if four else None
            )
        assert peer.leaf is not None
        assert peer.cage is not None
        leaf = self.cages.leaf(peer.leaf, (*path, "leaf"))
        port = self.cages.port(leaf, peer.cage, path, (*path, "cage")) if leaf is not None else None
        mtu = self.links.mtu(peer.mtu, (*path, "mtu"))
        if leaf is None or port is None:
            return "", None
        return leaf.name, Interface(
            port=port,
            use=Use.EXTERNAL,
            mtu=mtu,
            because=because,
            address=four or six,
            address6=six if four else None,
            vrf=vrf,
            outside=name,
        )

    def remote(self, net: IPNetwork, other: IPAddress, where: IntentPath) -> Ip:
        """Return the other end; it must be another host of the same subnet."""
        value, hosts = int(other), (int(net.first), int(net.last))
        if net.version == 4 and net.prefixlen < 31:
            hosts = (hosts[0] + 1, hosts[1] - 1)
        if other.version != net.version:
            message = f"{other} is IPv{other.version}, but its session runs over IPv{net.version}"
            self.findings.error(Code.BAD_VALUE, message, where)
        elif not hosts[0] <= value <= hosts[1]:
            self.findings.error(
                Code.BAD_VALUE,
                f"the peer {other} is not a host address of {net.cidr}, the subnet of {net.ip}",
                where,
            )
        elif value == int(net.ip):
            self.findings.error(
                Code.BAD_VALUE, f"both ends of the session have the address {net.ip}", where
            )
        return Ip(value, int(net.prefixlen), int(net.version))

    def apart(self, local: Ip, subnets: list[tuple[str, Ip]], path: IntentPath) -> None:
        """Compare a link's subnet with the others of its VRF."""
        for what, other in subnets:
            if local.meets(other):
                self.findings.error(
                    Code.ADDRESS_OVERLAP,
                    f"the subnet {local.prefix} overlaps {other.prefix} of {what} in the same VRF",
                    path,
                )


_FIRST = 5000
"""Number of the first address of an application in a prefix list, after all VLAN ids."""


def _told(peer: object, version: int) -> Iterator[PrefixRule]:
    """Yield the addresses of applications that a link between sites advertises."""
    told = peer.told if isinstance(peer, _SITE_PEER.load()) else ()
    for place, address in enumerate(told):
        if address.version == version:
            yield PrefixRule(_FIRST + 10 * place, Ip(int(address), 32, version))


def _place(peer: ExternalPeer) -> tuple[int, int, int]:
    return peer.interface.port.cage, peer.interface.tag or 0, peer.version


def _end(net: IPNetwork) -> Ip:
    return Ip(int(net.ip), int(net.prefixlen), int(net.version))


def _alike(one: Ip, other: Ip) -> bool:
    return one.version == other.version
