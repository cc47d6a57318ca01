"""Design the links between sites as edge links or tunnels with their peers.

This module designs both ends, so the addresses, tags, ASNs and prefixes of one match those of the
other.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from netaddr import IPNetwork

from fabricgen.compile.design.edge.firewalls import link_ends, with_peers
from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.gateways import with_edges
from fabricgen.compile.design.homes import tenants_on
from fabricgen.compile.design.replicas import Replicas
from fabricgen.compile.design.transfers import judge_distribution, judge_transfers
from fabricgen.core.diagnostics import Code
from fabricgen.core.units import counted
from fabricgen.intent.model.dci import Dci, DciEnd, SitePeer, TunnelPeer
from fabricgen.intent.model.edge import EdgeLink, ExternalPeer
from fabricgen.intent.model.frontend import Frontend
from fabricgen.intent.model.intent import Intent
from fabricgen.intent.model.tenants import Tenant, Vrf
from fabricgen.intent.paths import at
from fabricgen.model.fabric.interface import GRE_OVERHEAD
from fabricgen.model.fabric.routing import VXLAN_OVERHEAD
from fabricgen.model.fabric.switch import Fabric


def joined(intent: Intent, findings: Findings) -> Intent:
    """Return the intent with its fabrics joined; report and omit invalid links."""
    links: dict[str, Dci] = intent.unless_refused("dci") or {}
    fabrics = {each.name: each for each in intent.each_fabric() if isinstance(each, Frontend)}
    step = _Joining(intent=intent, links=links, fabrics=fabrics, findings=findings)
    step.replicas.add(intent)
    for name, link in links.items():
        with findings.going_on():
            if link.whole and step.possible(name, link):
                step.join(name, link)
                step.judge_mtu(name, link)
                judge_transfers(name, link, fabrics, findings)
    judge_distribution(intent, links, fabrics, findings)
    return step.result()


@dataclass(kw_only=True)
class _Joining:
    """Link and peer settings that are added to fabrics and tenants.

    tenants: the tenants of each fabric in use.
    """

    intent: Intent
    links: dict[str, Dci]
    fabrics: dict[str, Frontend]
    findings: Findings
    edges: dict[str, dict[str, EdgeLink]] = field(default_factory=dict)
    peers: dict[tuple[str, str], dict[str, ExternalPeer]] = field(default_factory=dict)
    tenants: dict[str, dict[str, Tenant]] = field(default_factory=dict)

    @cached_property
    def replicas(self) -> Replicas:
        """Return the addresses of applications."""
        return Replicas(
            fabrics=self.fabrics, links=self.links, home=self.home, findings=self.findings
        )

    def possible(self, name: str, link: Dci) -> bool:
        """Return whether both ends exist, with every VRF; report a missing one."""
        before = len(self.findings.items)
        for fabric in link.ends:
            here = at("dci", name, "ends", fabric)
            words = self.fabrics.get(fabric)
            if words is None:
                self.findings.unknown(
                    f"no fabric of kind evpn is named {fabric!r}", here, fabric, self.fabrics
                )
                continue
            if link.gre is not None:
                self.carries(name, fabric, link.gre.vrf)
            elif name in (words.unless_refused("edge") or {}):
                sentence = f"{fabric} already has a link {name} in `edge`"
                self.findings.error(Code.DUPLICATE_ID, sentence, here, "choose another name")
            for vrf in link.vrfs:
                path, home = at("dci", name, "vrfs", vrf), self.home(fabric, vrf)
                if home is None:
                    sentence = f"no tenant of {fabric} has a VRF {vrf}"
                    self.findings.error(Code.UNKNOWN_REFERENCE, sentence, path)
                elif name in home[1].external:
                    sentence = f"the VRF {vrf} of {home[0]} already has an external peer {name}"
                    self.findings.error(Code.DUPLICATE_ID, sentence, path, "choose another name")
        (one, near), (other, far) = link.ends.items()
        counts = [len(end.cages or ()) for end in (near, far)]
        if counts[0] != counts[1]:
            self.findings.error(
                Code.SITES_DIFFER,
                f"{name} has {counted(counts[0], 'cage')} at {one} and {counts[1]} at {other}, "
                "but each cable has two ends",
                at("dci", name, "ends", other, "cages"),
                "list the same number of cages at both sites",
            )
        return len(self.findings.items) == before

    def carries(self, name: str, fabric: str, vrf: str) -> None:
        """Report why a VRF of a fabric does not carry tunnels."""
        end = self.links[name].ends[fabric]
        here, home = at("dci", name, "ends", fabric, "peer"), self.home(fabric, vrf)
        if home is None:
            sentence = f"no tenant of {fabric} has a VRF {vrf}"
            self.findings.error(Code.UNKNOWN_REFERENCE, sentence, at("dci", name, "gre", "vrf"))
        elif end.peer not in home[1].external:
            self.findings.unknown(
                f"the VRF {vrf} of {home[0]} has no external peer {end.peer}",
                here,
                str(end.peer),
                home[1].external,
            )
        elif home[1].external[end.peer].address is None:
            sentence = f"tunnels need IPv4, but {end.peer} has no IPv4 address"
            self.findings.error(Code.BAD_VALUE, sentence, here)

    def way(self, fabric: str, link: Dci) -> ExternalPeer:
        """Return the external connection that carries the tunnels of one end."""
        assert link.gre is not None
        home = self.home(fabric, link.gre.vrf)
        assert home is not None
        return home[1].external[str(link.ends[fabric].peer)]

    def home(self, fabric: str, vrf: str) -> tuple[str, Vrf] | None:
        """Return the tenant with a VRF on a fabric, and the VRF; a VRF of a job has no tenant."""
        if fabric not in self.tenants:
            own = self.intent.unless_refused("tenants") or {}
            every = tenants_on(self.intent, fabric)
            self.tenants[fabric] = {name: every[name] for name in own if name in every}
        for name, tenant in self.tenants[fabric].items():
            vrfs: dict[str, Vrf] = tenant.unless_refused("vrfs") or {}
            if vrf in vrfs and vrfs[vrf].whole:
                return name, vrfs[vrf]
        return None

    def join(self, name: str, link: Dci) -> None:
        """Add both ends."""
        (one, near), (two, far) = link.ends.items()
        for number, (fabric, mine, other, theirs) in enumerate(
            ((one, near, two, far), (two, far, one, near))
        ):
            way: dict[str, Any] = {"link": name}
            if link.gre is None:
                assert mine.leaf is not None
                assert mine.cages is not None
                own: dict[str, Any] = {
                    "leaf": mine.leaf,
                    "cages": mine.cages,
                    "mtu": link.mtu,
                    "rate": link.rate,
                }
                edge = EdgeLink.model_construct(**own)
                edges = self.edges.setdefault(fabric, {})
                edges[name] = edge.told_at(("dci", name, "ends", fabric))
            else:
                outer, beyond = self.way(fabric, link), self.way(other, link).address
                assert beyond is not None
                way = {"outer": outer, "below": link.gre.vrf, "beyond": beyond.ip}
                way["mtu"] = link.mtu - GRE_OVERHEAD
            for vrf in link.vrfs:
                home, away = self.home(fabric, vrf), self.home(other, vrf)
                assert home is not None
                assert away is not None
                told = self.replicas.addresses
                accept = [*_subnets(away[1]), *map(IPNetwork, told.get((other, vrf), ()))]
                way["told"] = told.get((fabric, vrf), [])
                peer = _peer(name, link, vrf, number, mine, theirs, accept, way)
                self.peers.setdefault((home[0], vrf), {})[name] = peer

    def judge_mtu(self, name: str, link: Dci) -> None:
        """Warn where servers send packets that do not fit between the sites."""
        inside = link.mtu - (GRE_OVERHEAD if link.gre is not None else 0)
        room = f"{link.mtu} - {GRE_OVERHEAD} = {inside}" if link.gre is not None else str(inside)
        for fabric in link.ends:
            underlay = self.fabrics[fabric].unless_refused("underlay")
            most = underlay.mtu - VXLAN_OVERHEAD if underlay is not None else inside
            if inside < most:
                self.findings.warn(
                    Code.MTU_BROKEN,
                    f"servers of {fabric} send packets of up to {most} bytes, but {name} carries "
                    f"{room}: the border drops longer packets and sends ICMP to the sender",
                    at("dci", name, "mtu") if "mtu" in link.model_fields_set else at("dci", name),
                    "permit ICMP between the sites, or give servers a smaller MTU",
                )
                return

    def result(self) -> Intent:
        """Return the intent with the added parts."""
        intent = with_edges(self.intent, self.fabrics, self.edges)
        tenants = self.replicas.applied(intent.unless_refused("tenants") or {})
        for (tenant, vrf), peers in self.peers.items():
            tenants[tenant] = with_peers(tenants[tenant], vrf, peers)
        made = {"tenants": tenants, "applications": self.replicas.possible}
        return intent.model_copy(update=made)


def judge_speeds(intent: Intent, fabrics: Sequence[Fabric], findings: Findings) -> None:
    """Report links whose two designed ends have different speeds."""
    edges = {each.name: each.overlay.edge for each in fabrics if each.overlay is not None}
    links: dict[str, Dci] = intent.unless_refused("dci") or {}
    for name, link in links.items():
        if not link.whole or link.gre is not None:
            continue
        made = {end: edges[end][name] for end in link.ends if name in edges.get(end, {})}
        speeds = {end: each.ports[0].port.speed for end, each in made.items()}
        if len(set(speeds.values())) > 1:
            (one, near), (other, far) = speeds.items()
            findings.error(
                Code.SITES_DIFFER,
                f"{name} starts in a port of {near} at {one}, but ends in one of {far} at {other}",
                at("dci", name, "ends", other, "cages"),
                "use cages of one speed at both sites",
            )


def _peer(
    name: str,
    link: Dci,
    vrf: str,
    number: int,
    mine: DciEnd,
    theirs: DciEnd,
    accept: list[IPNetwork],
    way: dict[str, Any],
) -> ExternalPeer:
    """Return the session of a VRF at one end; `number` is 0 or 1 for the first or second end.

    way: the settings of its link, or of its tunnel.
    """
    known = {net.version for net in (link.pool, link.pool6) if net is not None}
    kind = SitePeer if link.gre is None else TunnelPeer
    return kind.model_construct(
        vlan=link.vrfs[vrf],
        asn=theirs.asn,
        local_asn=mine.asn,
        accept=[net for net in accept if net.version in known],
        bfd=link.bfd,
        password=link.password,
        prefer="backup" if link.prefer == "backup" else None,
        **link_ends(link.pool, link.pool6, link.vrfs[vrf], number),
        **way,
    ).told_at(("dci", name, "vrfs", vrf))


def _subnets(vrf: Vrf) -> Iterator[IPNetwork]:
    for vlan in vrf.vlans.values():
        yield from (net for net in (vlan.subnet, vlan.subnet6) if net is not None)
