"""Find the zone of each VLAN, external peer and prefix."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from fabricgen.compile.design.addressing import prefix_of
from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.zones.inside import Served
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.intent.model.tenants import Tenant
from fabricgen.intent.model.zones import AccessZone
from fabricgen.intent.paths import at
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.model.fabric.overlay import Overlay
from fabricgen.model.fabric.vlans import Vlan
from fabricgen.model.fabric.vrfs import NUMBER, Diagnostics
from fabricgen.model.fabric.zones import Member


@dataclass(kw_only=True)
class Members:
    """Zones of the members of one fabric.

    Attributes:
        carried: VLANs on the ports of each kind of servers.
        served: Services that every VLAN may use.
        isolated: Ids of VLANs whose ports do not reach one another.
        vlans: The zone of each VLAN id.
        peers: The zone of each router's label.
        hosts: The zone of each label of servers with BGP on routed ports.
        places: Zones that are not in `zones:`, with their places.
    """

    zones: Mapping[str, AccessZone]
    carried: Mapping[str, Collection[str]]
    overlay: Overlay
    findings: Findings
    served: Sequence[Served] = ()
    isolated: Collection[int] = ()
    vlans: dict[int, str] = field(default_factory=dict)
    peers: dict[str, str] = field(default_factory=dict)
    hosts: dict[str, str] = field(default_factory=dict)
    places: Mapping[str, IntentPath] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Read the zones: VLANs by name and by kind first, the rest of a VRF after them."""
        for name, zone in self.zones.items():
            here = at("zones", name)
            for place, reference in enumerate(zone.vlans):
                for vlan in self._called(reference):
                    self._put(vlan, name, (*here, "vlans", place))
            for place, kind in enumerate(zone.servers):
                for vlan in self._carried(kind):
                    self._put(vlan, name, (*here, "servers", place))
            for key, put in (("outside", self._outside), ("hosts", self._hosts)):
                for place, reference in enumerate(getattr(zone, key)):
                    put(reference, name, (*here, key, place))
        for name, zone in self.zones.items():
            for place, reference in enumerate(zone.vrfs):
                self._rest(reference, name, at("zones", name, "vrfs", place))

    def complete(self, outside: str, places: Mapping[str, IntentPath]) -> None:
        """Put each other VLAN into a zone of its own, and all other routers into one zone.

        Args:
            outside: The second part of the name of the routers' zone.
            places: The default zones with their places.
        """
        self.places = places
        for vlan in self.routed:
            self.vlans.setdefault(vlan.id, vlan_reference(vlan))
        for peer in self.overlay.peers:
            network = self._named(peer).partition("/")[0]
            self.peers.setdefault(peer.label, f"{network}/{outside}")

    def place(self, zone: str) -> IntentPath:
        """Return the place of a zone in the intent."""
        return self.places.get(zone, ("zones", zone))

    @property
    def routed(self) -> list[Vlan]:
        """The VLANs that have a gateway in a VRF."""
        return [each for each in self.overlay.vlans.values() if each.vrf and each.gateways]

    def _called(self, reference: str) -> Iterator[Vlan]:
        """Yield the VLANs of a name, `tenant/vlan`."""
        every = self.overlay.vlans.values()
        return (each for each in every if vlan_reference(each) == reference)

    def _carried(self, kind: str) -> Iterator[Vlan]:
        """Yield the routed VLANs on the ports of a kind of servers."""
        wanted = self.carried.get(kind, ())
        yield from (vlan for vlan in self.routed if vlan_reference(vlan) in wanted)

    def _put(self, vlan: Vlan, zone: str, path: IntentPath) -> None:
        """Put a VLAN in one zone, if a gateway can filter it."""
        other = self.vlans.setdefault(vlan.id, zone)
        if other != zone:
            self.findings.error(
                Code.ZONE_NOT_ENFORCED,
                f"VLAN {vlan.name} is in the zones {other} and {zone}: packets inside a VLAN "
                "cross no gateway, so no list separates them",
                path,
                "give each zone its own VLAN",
            )
        if not vlan.gateways or vlan.vrf is None:
            self.findings.error(
                Code.ZONE_NOT_ENFORCED,
                f"VLAN {vlan.name} of zone {zone} is not routed, so no gateway filters its traffic",
                path,
                "move it into a VRF and give it a subnet",
            )

    def _outside(self, reference: str, zone: str, path: IntentPath) -> None:
        for peer in self.overlay.peers:
            if self._named(peer) != reference:
                continue
            self._claim(self.peers, peer.label, zone, f"the external router {reference} is", path)

    def _hosts(self, reference: str, zone: str, path: IntentPath) -> None:
        """Put servers with BGP on routed ports in one zone."""
        for ports in self.overlay.speaking:
            if ports.bgp is None or "/".join(map(str, ports.bgp.because.main[1::2])) != reference:
                continue
            self._claim(self.hosts, ports.label, zone, f"the servers {reference} are", path)

    def _claim(
        self, known: dict[str, str], label: str, zone: str, who: str, path: IntentPath
    ) -> None:
        """Put sessions of a label in one zone."""
        other = known.setdefault(label, zone)
        if other != zone:
            self.findings.error(
                Code.ZONE_NOT_ENFORCED, f"{who} in the zones {other} and {zone}", path
            )

    def behind(self, label: str) -> Iterator[tuple[Ip, IntentPath]]:
        """Yield the links of servers with a label, and the prefixes accepted from them."""
        for ports in self.overlay.speaking:
            if ports.label == label and ports.bgp is not None:
                yield ports.pool, ports.because.main
                for rule in ports.bgp.accept:
                    yield rule.prefix.subnet, ports.bgp.because.main

    def _named(self, peer: ExternalPeer) -> str:
        """Return the words by which a zone names a router, or the other site on a link between."""
        place = peer.because.main
        if place[:1] == ("dci",):
            return f"{self.overlay.vrfs[peer.vrf].tenant}/{peer.vrf}/{peer.name}"
        if place[:1] == ("tenants",):
            return "/".join(map(str, place[1::2]))
        return f"{place[1]}/{place[-1]}" if place[-2:-1] == ("external",) else ""

    def _rest(self, reference: str, zone: str, path: IntentPath) -> None:
        for vlan in self.routed:
            if f"{vlan.tenant}/{vlan.vrf}" == reference and vlan.id not in self.vlans:
                self._put(vlan, zone, path)

    def seen_by(self, vrf: str) -> tuple[Member, ...]:
        """Return the prefixes that a VRF has routes to, the longest first; each in one zone."""
        found: dict[Ip, Member] = {}
        for member, path in self._reached(vrf):
            other = found.setdefault(member.prefix, member)
            if other.zone != member.zone:
                self.findings.error(
                    Code.ZONE_NOT_ENFORCED,
                    f"{member.prefix.prefix} of VRF {vrf} is in the zones {other.zone} and "
                    f"{member.zone}, so no list separates them",
                    path,
                    "narrow the prefixes that one of the routers accepts, or join the zones",
                )
        self._inside_vlans(vrf, found)
        return tuple(sorted(found.values(), key=lambda each: (-each.prefix.length, each.prefix)))

    def _reached(self, vrf: str) -> Iterator[tuple[Member, IntentPath]]:
        """Yield the prefixes of a VRF, and the prefixes behind its imported routes."""
        yield from self._prefixes(vrf)
        for taken in self.overlay.vrfs[vrf].takes:
            routes = [each.prefix.subnet for each in taken.prefixes]
            for member, path in self._prefixes(taken.source):
                if any(route.holds(member.prefix) for route in routes):
                    yield member, path

    def probing(self, vrf: str) -> list[Diagnostics]:
        """Return the diagnostic addresses that a VRF has itself, or takes of others."""
        own = self.overlay.vrfs[vrf]
        taken = (self.overlay.vrfs[t.source] for t in own.takes if t.of_number(NUMBER))
        return [each.diagnostics for each in (own, *taken) if each.diagnostics is not None]

    def _prefixes(self, vrf: str) -> Iterator[tuple[Member, IntentPath]]:
        zones = set()
        for vlan in self.routed:
            zone = self.vlans.get(vlan.id)
            if vlan.vrf == vrf and zone is not None:
                zones.add(zone)
                for subnet in subnets(vlan):
                    yield Member(subnet, zone, outside=False), vlan.because.main
        for member, path in self._behind_hosts(vrf):
            zones.add(member.zone)
            yield member, path
        peers = [peer for peer in self.overlay.peers if peer.vrf == vrf]
        for peer in peers:
            zone = self.peers.get(peer.label)
            for rule in peer.accept if zone is not None else ():
                yield Member(rule.prefix.subnet, str(zone), outside=True), peer.because.main
        for name, words in self.zones.items():
            if name in zones or (
                peers and not (words.vlans or words.vrfs or words.servers or words.hosts)
            ):
                for place, net in enumerate(words.prefixes):
                    yield (
                        Member(prefix_of(net), name, outside=name not in zones),
                        at("zones", name, "prefixes", place),
                    )

    def _behind_hosts(self, vrf: str) -> Iterator[tuple[Member, IntentPath]]:
        """Yield the prefixes of the servers with BGP in a VRF."""
        told = {each.label for each in self.overlay.speaking if each.vrf == vrf}
        for label in sorted(told & self.hosts.keys()):
            for prefix, path in dict.fromkeys(self.behind(label)):
                yield Member(prefix, self.hosts[label], outside=False), path

    def _inside_vlans(self, vrf: str, found: Mapping[Ip, Member]) -> None:
        """Refuse a prefix of one zone inside the subnet of a VLAN that is not in it."""
        for vlan in self.routed:
            for prefix, member in found.items() if vlan.vrf == vrf else ():
                inside = any(subnet.holds(prefix) for subnet in subnets(vlan))
                if inside and member.zone != self.vlans.get(vlan.id):
                    self.findings.error(
                        Code.ZONE_NOT_ENFORCED,
                        f"{prefix.prefix} of zone {member.zone} is inside the subnet of VLAN "
                        f"{vlan.name}, which is not in the zone: packets inside a VLAN cross no "
                        "gateway",
                        self.place(member.zone),
                        "give the zone its own VLAN",
                    )


def carried_by(tenants: Mapping[str, Tenant]) -> dict[str, set[str]]:
    """Return the VLANs of the attachments of each kind of servers, as `tenant/vlan`."""
    found: dict[str, set[str]] = {}
    for tenant, words in tenants.items():
        for each in words.attachments:
            names = (*(each.trunk or ()), *filter(None, (each.access,)))
            if isinstance(each.servers, str):
                found.setdefault(each.servers, set()).update(f"{tenant}/{name}" for name in names)
    return found


def vlan_reference(vlan: Vlan) -> str:
    """Return the name of a VLAN for zones: `tenant/vlan`, or `oob/bmc`."""
    path = vlan.because.main
    return f"{path[1]}/{path[-1]}"


def subnets(vlan: Vlan) -> tuple[Ip, ...]:
    """Return the subnets of a VLAN, one of each IP version."""
    return tuple(gateway.subnet for gateway in vlan.gateways)
