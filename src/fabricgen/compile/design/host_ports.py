"""Design the routed server ports of an EVPN fabric."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from netaddr import IPNetwork

from fabricgen.compile.design.addressing import prefix_of
from fabricgen.compile.design.classes import Classes
from fabricgen.compile.design.edge.border import judge_asn, limit_of
from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.server_placement import attached_set, cables_of
from fabricgen.core.diagnostics import Code, IntentPath, did_you_mean
from fabricgen.core.late import Late
from fabricgen.core.provenance import Provenance
from fabricgen.intent.model import tenants as words
from fabricgen.intent.model.fabric import KindPorts
from fabricgen.intent.model.frontend import Frontend
from fabricgen.intent.model.ports import BackupBgp
from fabricgen.intent.model.ports import HostBgp as BgpWords
from fabricgen.intent.paths import at
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.external import Border, PrefixRule
from fabricgen.model.fabric.host_ports import HostBgp, HostPorts
from fabricgen.model.fabric.overlay import Overlay
from fabricgen.model.fabric.routing import Routing
from fabricgen.model.fabric.topology import Topology

_VIPS: Late[Any] = Late("fabricgen.compile.design.vips:vips_of")
_JUDGE_VIPS: Late[Any] = Late("fabricgen.compile.design.vips:judge_vips")


def with_host_ports(
    overlay: Overlay,
    frontend: Frontend,
    tenants: Mapping[str, words.Tenant],
    topology: Topology,
    routing: Routing,
    classes: Classes,
    findings: Findings,
) -> Overlay:
    """Return the overlay with the routed ports of servers."""
    design = _Design(
        overlay=overlay,
        frontend=frontend,
        topology=topology,
        routing=routing,
        classes=classes,
        findings=findings,
    )
    for name, tenant in tenants.items():
        for number, item in enumerate(tenant.attachments):
            if item.vrf is not None:
                with findings.going_on():
                    path = at(*tenant.place(name, "attachments", number))
                    design.attach(tenant, item, path)
    vrfs = (tenant.unless_refused("vrfs") or {} for tenant in tenants.values())
    if any(vrf.unless_refused("vips") for each in vrfs for vrf in each.values()):
        _JUDGE_VIPS(tenants, design.spoken, findings)
    return replace(overlay, routed=design.routed) if design.routed else overlay


@dataclass(kw_only=True)
class _Design:
    overlay: Overlay
    frontend: Frontend
    topology: Topology
    routing: Routing
    classes: Classes
    findings: Findings
    routed: dict[tuple[str, str], HostPorts] = field(default_factory=dict)
    spoken: dict[tuple[str, str], HostBgp] = field(default_factory=dict)
    pools: dict[tuple[str, str], tuple[str, Ip]] = field(default_factory=dict)

    def attach(self, tenant: words.Tenant, item: words.Attachment, path: IntentPath) -> None:
        """Route the ports that one attachment names."""
        vrf = item.vrf or ""
        if vrf not in tenant.vrfs:
            hint = did_you_mean(vrf, list(tenant.vrfs))
            raise self.findings.stop(
                Code.UNKNOWN_REFERENCE, f"the tenant has no VRF {vrf!r}", (*path, "vrf"), hint
            )
        if not isinstance(item.servers, str):
            raise self.findings.stop(
                Code.BAD_VALUE,
                "routed ports need servers of a kind in `servers`, whose numbers are stable",
                (*path, "group"),
                "move the servers of this leaf group to a kind",
            )
        named = attached_set(self.frontend, item, path, self.findings)
        if named is not None:
            ports = self.ports(tenant, named, item, path)
            self.place(ports, named, item, path)

    def ports(
        self, tenant: words.Tenant, named: KindPorts, item: words.Attachment, path: IntentPath
    ) -> HostPorts:
        """Return how the ports are routed; each server has as many as its set."""
        vrf, ports = str(item.vrf), named.ports.ports
        if named.ports.bond != "none":
            raise self.findings.stop(
                Code.BOND_ROUTED,
                f"the {named.network} ports of {named.kind} are a bond, but each routed port "
                "needs its own address and session",
                (*path, "vrf"),
                "remove `bond`: the server balances its traffic over its sessions",
            )
        pool = self.pool(item.links, named, vrf, path)
        bgp = self.bgp(tenant, vrf, item.bgp, path) if item.bgp is not None else None
        why = Provenance((path,), "this attachment must name the VRF of the routed port")
        above = tenant.place(str(path[1]), "vrfs", vrf)
        mark = self.classes.port(item, tenant.vrfs[vrf], path, above)
        return HostPorts(vrf=vrf, pool=pool, ports=ports, bgp=bgp, because=why, mark=mark)

    def pool(self, net: IPNetwork | None, named: KindPorts, vrf: str, path: IntentPath) -> Ip:
        """Return where the links are from; the last server of the kind must have its own."""
        if net is None:
            raise self.findings.stop(
                Code.MISSING_KEY,
                "routed ports need addresses, but no pool is set",
                path,
                "set `links: 10.96.0.0/20`, which gives every port a /31; or use `access`, `trunk`",
            )
        need = 2 * named.servers.count * named.ports.ports
        if net.version != 4:
            raise self.findings.stop(
                Code.UNSUPPORTED, "links to servers need IPv4 addresses", (*path, "links")
            )
        if net.size < need:
            raise self.findings.stop(
                Code.POOL_TOO_SMALL,
                f"{net} has {net.size // 2} links, but {named.servers.count} servers of "
                f"{named.kind} with {named.ports.ports} ports need {need // 2}",
                (*path, "links"),
                f"use a prefix of /{33 - need.bit_length() + (need & (need - 1) == 0)}",
            )
        pool, user = prefix_of(net), f"{named.kind} {named.network}"
        for (table, other), (text, taken) in self.pools.items():
            if table == vrf and pool.meets(taken) and (other != user or taken != pool):
                self.findings.error(
                    Code.ADDRESS_OVERLAP,
                    f"{net} and {text} of {other} in the same VRF overlap",
                    (*path, "links"),
                )
        self.pools[vrf, user] = (str(net), pool)
        return pool

    def bgp(self, tenant: words.Tenant, vrf: str, name: str, path: IntentPath) -> HostBgp:
        """Return how servers speak; one object for all attachments that name it."""
        hosts = tenant.vrfs[vrf].hosts
        if name not in hosts:
            raise self.findings.stop(
                Code.UNKNOWN_REFERENCE,
                f"the VRF {vrf} has no {name!r} in `hosts`",
                (*path, "bgp"),
                did_you_mean(name, list(hosts)),
            )
        if (vrf, name) not in self.spoken:
            here = at(*path[:2], "vrfs", vrf, "hosts", name)
            self.spoken[vrf, name] = self.speaks(hosts[name], tenant.vrfs[vrf], here)
        return self.spoken[vrf, name]

    def speaks(self, told: BgpWords, vrf: words.Vrf, here: IntentPath) -> HostBgp:
        """Check the BGP settings of servers once."""
        name = str(here[-1])
        vlans, findings = self.overlay.vlans.values(), self.findings
        plan = self.routing.asns
        taken = {plan.asn(switch): switch.name for switch in self.topology.switches}
        judge_asn(told.asn, taken, (*here, "asn"), self.findings)
        if name in vrf.external:
            self.findings.error(
                Code.DUPLICATE_ID, f"an external peer of this VRF is also named {name!r}", here
            )
        return HostBgp(
            name=name,
            asn=told.asn,
            speaker=told.speaker,
            accept=tuple(self.accepted(told, str(here[3]), here)),
            border=Border(
                max_prefixes=limit_of(told.max_prefixes, (*here, "max_prefixes"), self.findings),
                prefer="replica" if isinstance(told, BackupBgp) else "",
            ),
            bfd=self.watched(told, here),
            vips=tuple(_VIPS(name, vrf, here[:4], vlans, findings) if vrf.vips else ()),
            because=Provenance(
                (here,),
                "eBGP with each server: accepted prefixes are imported, and a default route is "
                "exported",
            ),
        )

    def watched(self, told: BgpWords, here: IntentPath) -> bool:
        """Return whether BFD watches the session: open releases of Cilium and Calico have none.

        Both makers sell it: docs.isovalent.com and docs.tigera.io/calico-enterprise have pages on
        BFD, docs.cilium.io and docs.tigera.io/calico have none.
        """
        spoken = told.speaker == "frr"
        if told.bfd and not spoken:
            self.findings.error(
                Code.UNSUPPORTED,
                f"{told.speaker.capitalize()} has no BFD, so no session with BFD would come up",
                (*here, "bfd"),
                "remove it, or set `speaker: frr`",
            )
        return spoken and told.bfd is not False and self.routing.bfd is not None

    def accepted(self, told: BgpWords, vrf: str, here: IntentPath) -> Iterator[PrefixRule]:
        """Yield the accepted blocks; a block with a subnet of the VRF would attract its traffic."""
        vlans = [vlan for vlan in self.overlay.vlans.values() if vlan.vrf == vrf]
        for place, net in enumerate(told.accept):
            path = (*here, "accept", place)
            if net.version != 4:
                raise self.findings.stop(
                    Code.UNSUPPORTED, f"{net} is not IPv4, but the session is", path
                )
            prefix = prefix_of(net)
            inside = [
                vlan.name
                for vlan in vlans
                if any(gateway.meets(prefix) for gateway in vlan.gateways)
            ]
            if inside:
                self.findings.error(
                    Code.ADDRESS_OVERLAP,
                    f"{net} and the subnet of VLAN {inside[0]} overlap: a server would attract "
                    "traffic of other servers",
                    path,
                )
            yield PrefixRule(10 * (place + 1), prefix, most=32)

    def place(
        self, ports: HostPorts, named: KindPorts, item: words.Attachment, path: IntentPath
    ) -> None:
        """Put them on the servers; a port is routed once, and carries no VLAN then."""
        taken, wanted = "", item.numbers and frozenset(item.numbers)
        for server, link in cables_of(self.topology, named.kind, named.network, wanted):
            key = (server.name, named.network)
            index = self.topology.places[key].index
            bridged = index in self.overlay.ports.get(link.upper.name, {})
            if bridged or self.routed.get(key, ports) is not ports:
                taken = taken or server.name
            self.routed[key] = ports
        if taken:
            self.findings.error(
                Code.PORT_USED_TWICE,
                f"the {named.network} ports of {taken} are already in another attachment",
                path,
                "choose other `numbers`: a routed port carries no VLAN and is in one VRF",
            )
