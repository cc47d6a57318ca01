"""Design the EVPN gateways between two sites with their cables and sessions.

The cables are found before fabrics are designed, so that no other link takes their cages. The
routes between the gateways follow from both designed fabrics.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code, IntentPath, Severity, did_you_mean
from fabricgen.core.provenance import Provenance
from fabricgen.intent.model import gateways as words
from fabricgen.intent.model.edge import EdgeLink
from fabricgen.intent.model.frontend import Frontend
from fabricgen.intent.model.intent import Intent
from fabricgen.intent.paths import at
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.gateways import Gateway, GatewayLink
from fabricgen.model.fabric.overlay import EvpnRules, Overlay, Vrf
from fabricgen.model.fabric.routing import VXLAN_OVERHEAD
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Switch
from fabricgen.model.fabric.vlans import Vlan


def cabled(intent: Intent, findings: Findings) -> Intent:
    """Return the intent with the cages of its gateways taken, each as a cable to the outside."""
    every: dict[str, words.Gateways] = intent.unless_refused("gateways") or {}
    fabrics = {each.name: each for each in intent.each_fabric() if isinstance(each, Frontend)}
    edges: dict[str, dict[str, EdgeLink]] = {}
    for name, pair in every.items():
        with findings.going_on():
            if not (pair.whole and _possible(name, pair, fabrics, findings)):
                continue
            for number, ends in enumerate(pair.links):
                for fabric, end in ends.items():
                    path = at("gateways", name, "links", number, fabric)
                    link = EdgeLink.model_construct(leaf=end.leaf, cages=(end.cage,))
                    edges.setdefault(fabric, {})[_called(name, number)] = link.told_at(path)
    return with_edges(intent, fabrics, edges)


def with_edges(
    intent: Intent, fabrics: Mapping[str, Frontend], edges: Mapping[str, dict[str, EdgeLink]]
) -> Intent:
    """Return the intent with more links to the outside, by fabric and name."""
    update, named = dict[str, Any](), dict(intent.unless_refused("fabrics") or {})
    for name, links in edges.items():
        words = fabrics[name]
        own: dict[str, EdgeLink] = words.unless_refused("edge") or {}
        key, *below = words.here
        both = words.model_copy(update={"edge": {**own, **links}})
        (named if below else update)[name if below else str(key)] = both
    return intent.model_copy(update={**update, "fabrics": named})


def _called(name: str, number: int) -> str:
    """Return the name of a link; names in the intent contain no dot."""
    return f"{name}.{number + 1}"


def _possible(
    name: str, pair: words.Gateways, fabrics: Mapping[str, Frontend], findings: Findings
) -> bool:
    """Return whether all links are between the same two fabrics, and have addresses."""
    before = len(findings.items)
    sites = sorted(pair.links[0])
    for number, ends in enumerate(pair.links):
        path = at("gateways", name, "links", number)
        if len(ends) != 2 or sorted(ends) != sites:
            text = f"all links of {name} must join the same two fabrics, but this one names others"
            findings.error(
                Code.BAD_VALUE, text, path, "use another entry of `gateways` for other sites"
            )
            continue
        for fabric in ends:
            if fabric not in fabrics:
                findings.unknown(
                    f"no fabric of kind evpn is named {fabric!r}", (*path, fabric), fabric, fabrics
                )
    pool, need = pair.pool, 2 * len(pair.links)
    if pool.version != 4 or pool.size < need:
        text = f"{len(pair.links)} links need {need} IPv4 addresses, but the pool is {pool}"
        findings.error(Code.POOL_TOO_SMALL, text, at("gateways", name, "pool"))
    return len(findings.items) == before


def with_gateways(intent: Intent, fabrics: Sequence[Fabric], findings: Findings) -> list[Fabric]:
    """Return the fabrics with their gateways, without fabrics that cannot be joined.

    Equal values of two sites are intended, so no check compares them then.
    """
    every: dict[str, words.Gateways] = intent.unless_refused("gateways") or {}
    made = {fabric.name: fabric for fabric in fabrics}
    joined: dict[str, str] = {}
    for name, pair in every.items():
        sites = _sites(pair)
        step = _Joining(name=name, pair=pair, fabrics=made, findings=findings)
        whole = pair.whole and all(_has(made.get(site), name, pair) for site in sites)
        if whole and step.alone(joined) and step.alike():
            made |= {site: step.joined(site) for site in sites}
        else:
            beside = {joined.get(site, name) for site in sites}  # whose other end would be alone
            apart = {*sites, *(site for each in beside for site in _sites(every[each]))}
            made = {site: fabric for site, fabric in made.items() if site not in apart}
    return [made[fabric.name] for fabric in fabrics if fabric.name in made]


def _sites(pair: words.Gateways) -> list[str]:
    return list((pair.unless_refused("links") or [{}])[0])


def _has(fabric: Fabric | None, name: str, pair: words.Gateways) -> bool:
    """Return whether a fabric is designed, with every cable of its gateways."""
    overlay = fabric.overlay if fabric is not None else None
    cables = (_called(name, number) for number in range(len(pair.links)))
    return overlay is not None and all(each in overlay.edge for each in cables)


@dataclass(kw_only=True)
class _Joining:
    """One pair of sites, both designed."""

    name: str
    pair: words.Gateways
    fabrics: Mapping[str, Fabric]
    findings: Findings
    lacks: bool = False

    @property
    def here(self) -> IntentPath:
        """Return its intent path."""
        return at("gateways", self.name)

    @property
    def sites(self) -> list[str]:
        """The two fabrics, in the order of the first link."""
        return list(self.pair.links[0])

    @property
    def cables(self) -> list[str]:
        """Return the names of its links in order."""
        return [_called(self.name, number) for number in range(len(self.pair.links))]

    def overlay(self, site: str) -> Overlay:
        """Return the tenants of a site."""
        overlay = self.fabrics[site].overlay
        assert overlay is not None
        return overlay

    def rules(self, site: str) -> EvpnRules:
        """Return the values that the tunnel endpoints of a site share."""
        rules = self.overlay(site).rules
        assert rules is not None
        return rules

    def leafs(self, site: str) -> dict[str, Switch]:
        """Return the gateways of a site by name; an MLAG pair is one, with both its leafs."""
        topology, edge = self.fabrics[site].topology, self.overlay(site).edge
        cabled = {edge[each].leaf for each in self.cables}
        shared = {each.shared for each in topology.switches if each.name in cabled}
        return {s.name: s for s in topology.switches if s.is_leaf and s.shared in shared}

    def alone(self, joined: dict[str, str]) -> bool:
        """Return whether each site has one gateway, for one other site; report another one."""
        before = len(self.findings.items)
        for site in self.sites:
            other = joined.setdefault(site, self.name)
            if other != self.name:
                self.findings.error(
                    Code.NO_GATEWAY,
                    f"{site} already has gateways for {other}: no vendor documents that a gateway "
                    "does not flood packets between the tunnels of two remote sites, so they "
                    "could arrive twice or loop",
                    self.here,
                    "join the third site VRF by VRF with `dci`",
                )
            if self.fabrics[site].routing.ospf:
                self.findings.error(
                    Code.NO_GATEWAY,
                    f"{site} has OSPF between its switches, and its gateway advertises no "
                    "loopback to the other site: BGP between gateways carries routes of BGP",
                    self.here,
                    f"set `protocol: bgp` in the underlay of {site}",
                )
            leafs, edge = self.leafs(site), self.overlay(site).edge
            bare = leafs.keys() - {edge[each].leaf for each in self.cables}
            if bare:
                self.findings.error(
                    Code.NO_GATEWAY,
                    f"{min(bare)} of {site} has no link of {self.name}, so half of the traffic to "
                    "the tunnel endpoint of its MLAG pair would end there",
                    (*self.here, "links"),
                    "add a link for each leaf of the pair",
                )
            if len({each.shared for each in leafs.values()}) > 1:
                self.findings.error(
                    Code.NO_GATEWAY,
                    f"{' and '.join(leafs)} of {site} would each flood the same packets: two "
                    "gateways of a site must be an MLAG pair with one tunnel endpoint",
                    (*self.here, "links"),
                    "use leafs of one group with `multihoming: {kind: mlag}`",
                )
        return len(self.findings.items) == before

    def alike(self) -> bool:
        """Return whether both sites use the same values; report differences."""
        before = len(self.findings.items)
        one, other = self.sites
        for word in ("route_target_asn", "anycast_mac"):
            ours, theirs = (getattr(self.rules(site), word) for site in (one, other))
            if ours != theirs:
                self._differs(f"`overlay.{word}`", ours, theirs, self.here)
        routing = [self.fabrics[site].routing for site in self.sites]
        for word, (ours, theirs) in (
            ("mtu", (each.mtu for each in routing)),
            ("bfd", ("off" if each.bfd is None else "on" for each in routing)),
        ):
            if ours != theirs:
                self._differs(f"`underlay.{word}`", ours, theirs, self.here)
        for vrf, vlans in self.pair.vrfs.items():
            path = (*self.here, "vrfs", vrf)
            self._same_vrf(vrf, path)
            for place, vlan in enumerate(vlans):
                self._same_vlan(vlan, vrf, (*path, place))
        for place, vlan in enumerate(self.pair.vlans):
            self._same_vlan(vlan, None, (*self.here, "vlans", place))
        self._one_speed()
        self._fits()
        return len(self.findings.items) == before and not self.lacks

    def _same_vrf(self, name: str, path: IntentPath) -> None:
        ends = [self.overlay(site).vrfs.get(name) for site in self.sites]
        for site, vrf in zip(self.sites, ends, strict=True):
            if vrf is None:
                hint = did_you_mean(name, self.overlay(site).vrfs)
                self._lacks(f"no tenant of {site} has a VRF {name}", path, hint)
                continue
            why = self._unable(site, vrf)
            if why:
                text = f"the VRF {name} of {site} {why}"
                self.findings.error(Code.NO_GATEWAY, text, path, "join this VRF with `dci`")
        if None not in ends:
            both = [vrf for vrf in ends if vrf is not None]
            targets = ((" ".join(vrf.pinned.exports), " ".join(vrf.pinned.imports)) for vrf in both)
            sent, taken = zip(*targets, strict=True)
            for what, (ours, theirs) in (
                ("vni", [vrf.vni for vrf in both]),
                ("route_targets.exports", sent),
                ("route_targets.imports", taken),
            ):
                if ours != theirs:
                    self._differs(f"the `{what}` of the VRF {name}", ours, theirs, path)

    def _unable(self, site: str, vrf: Vrf) -> str:
        """Return why a VRF cannot go on in another site; empty where it can."""
        overlay = self.overlay(site)
        if vrf.takes or any(
            each.source == vrf.name for v in overlay.vrfs.values() for each in v.takes
        ):
            return (
                "imports or exports routes of other VRFs, and it is undefined which of these "
                "gateways advertise"
            )
        if vrf.name in overlay.zones.members:
            return "has zones, but no list filters traffic from the tunnel of another site"
        return ""

    def _same_vlan(self, name: str, vrf: str | None, path: IntentPath) -> None:
        ends = [_named(self.overlay(site), name, vrf) for site in self.sites]
        for site, found in zip(self.sites, ends, strict=True):
            if len(found) != 1:
                where = f"the VRF {vrf} of {site}" if vrf is not None else f"{site}, in no VRF,"
                text = f"{where} has {'no VLAN' if not found else 'several VLANs'} {name}"
                self._lacks(text, path)
                return
        (one,), (other,) = ends
        for what, ours, theirs in (
            ("`vni`", one.vni, other.vni),
            ("gateways", *(" ".join(map(str, vlan.gateways)) for vlan in (one, other))),
        ):
            if ours != theirs:
                self._differs(f"the {what} of the VLAN {name}", ours, theirs, path)

    def _lacks(self, text: str, path: IntentPath, hint: str = "") -> None:
        """Report a missing VRF or VLAN, unless its tenant was omitted for another error."""
        self.lacks = True
        wrong = (item for item in self.findings.items if item.severity is Severity.ERROR)
        if all(item.path[:1] != ("tenants",) for item in wrong):
            self.findings.error(Code.UNKNOWN_REFERENCE, text, path, hint)

    def _differs(self, what: str, ours: object, theirs: object, path: IntentPath) -> None:
        one, other = self.sites
        self.findings.error(
            Code.SITES_DIFFER,
            f"{what} is {ours or 'none'} in {one} and {theirs or 'none'} in {other}, but "
            f"{self.name} joins the two",
            path,
            "set the same value at both sites",
        )

    def _one_speed(self) -> None:
        for number, called in enumerate(self.cables):
            ports = (self.overlay(site).edge[called].ports[0].port for site in self.sites)
            ours, theirs = (port.speed for port in ports)
            if ours != theirs:
                path = (*self.here, "links", number)
                self._differs(f"the speed of link {number + 1}", ours, theirs, path)

    def _fits(self) -> None:
        """Refuse a path that the longest packet in a tunnel exceeds; it is not fragmented."""
        for site in self.sites:
            most, mtu = self.fabrics[site].routing.mtu, self.pair.mtu
            if mtu is not None and mtu < most:
                self.findings.error(
                    Code.MTU_BROKEN,
                    f"servers of {site} send {most - VXLAN_OVERHEAD} bytes, which are {most} with "
                    f"{VXLAN_OVERHEAD} bytes of tunnel headers, but {self.name} carries {mtu}",
                    (*self.here, "mtu"),
                    f"use a path for {most} bytes, or set `underlay.mtu: {mtu}` in both fabrics",
                )

    def joined(self, site: str) -> Fabric:
        """Return a site with its gateways."""
        fabric, overlay = self.fabrics[site], self.overlay(site)
        links: dict[str, list[GatewayLink]] = {name: [] for name in self.leafs(site)}
        for number in range(len(self.pair.links)):
            leaf = overlay.edge[_called(self.name, number)].leaf
            links[leaf].append(self.link(site, number))
        own, far = (tuple(self.endpoints(each)) for each in (site, self.other(site)))
        vlans = {vlan.id: self.target(vlan) for vlan in self.stretched(site)}
        vrfs = [overlay.vrfs[name] for name in self.pair.vrfs]
        routed = (target for vrf in vrfs for target in self.rules(site).exported(vrf))
        common = Gateway(
            name=self.name,
            links=(),
            own=own,
            far=far,
            vlans=vlans,
            vrfs=tuple(sorted(self.pair.vrfs)),
            targets=tuple(sorted({*routed, *vlans.values()})),
            password=self.pair.password,
            because=Provenance((self.here,), "gateways extend VRFs and VLANs to the other site"),
        )
        gateways = {leaf: replace(common, links=tuple(own)) for leaf, own in links.items()}
        edge = {name: link for name, link in overlay.edge.items() if name not in self.cables}
        return replace(fabric, overlay=replace(overlay, edge=edge, gateways=gateways))

    def other(self, site: str) -> str:
        """Return the other site of the pair."""
        return next(each for each in self.sites if each != site)

    def link(self, site: str, number: int) -> GatewayLink:
        """Return one cable as the end at a site."""
        other, called = self.other(site), _called(self.name, number)
        mine, theirs = (self.overlay(each).edge[called] for each in (site, other))
        low = int(self.pair.pool.first) + 2 * number
        side = self.sites.index(site)
        path = at(*self.here, "links", number)
        why = Provenance((path, self.here), "eBGP between gateways for their loopbacks and EVPN")
        peer = next(s for s in self.fabrics[other].topology.switches if s.name == theirs.leaf)
        return GatewayLink(
            interface=replace(
                mine.ports[0],
                address=Ip(low + side, 31),
                mtu=self.pair.mtu or self.fabrics[site].routing.mtu,
                because=Provenance((at(*path, site), self.here), "the cable of a gateway"),
            ),
            remote=Ip(low + 1 - side, 31),
            peer=peer,
            peer_port=theirs.ports[0].port,
            peer_asn=self.fabrics[other].routing.asns.asn(peer),
            loopback=self.fabrics[other].addresses.loopback(peer),
            because=why,
        )

    def endpoints(self, site: str) -> Iterator[Ip]:
        """Yield router IDs and tunnel endpoints of the gateways of a site, in order."""
        addresses = self.fabrics[site].addresses
        leafs = self.leafs(site).values()
        ends = ((addresses.loopback(leaf), addresses.vtep(leaf)) for leaf in leafs)
        yield from sorted({ip for both in ends for ip in both if ip is not None})

    def stretched(self, site: str) -> Iterable[Vlan]:
        """Yield the VLANs of a site that are joined with VLANs of the other site."""
        overlay = self.overlay(site)
        named = [(vlan, vrf) for vrf, vlans in self.pair.vrfs.items() for vlan in vlans]
        for name, vrf in [*named, *((vlan, None) for vlan in self.pair.vlans)]:
            yield from _named(overlay, name, vrf)

    def target(self, vlan: Vlan) -> str:
        """Return the route target of a VLAN between the sites."""
        return f"{self.pair.number}:{vlan.vni}"


def _named(overlay: Overlay, name: str, vrf: str | None) -> list[Vlan]:
    """Return the VLANs that the intent has under a name, in a VRF or in none."""
    return [
        vlan
        for vlan in overlay.vlans.values()
        if vlan.vrf == vrf and vlan.because.main[-2:] == ("vlans", name)
    ]
