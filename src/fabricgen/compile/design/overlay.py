"""Design VRFs and VLANs of tenants and the VLANs of each server port."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fabricgen.compile.design.announcing import alike, announced, multicast_of, relays_of, takes
from fabricgen.compile.design.diagnostics import diagnostics_of
from fabricgen.compile.design.server_placement import attached_set, cables_of
from fabricgen.compile.design.vrfs import RULE, VrfDesign, pinned_of
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.intent.paths import at
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.overlay import INTERNAL_VLANS, EvpnRules, Overlay
from fabricgen.model.fabric.topology import Topology
from fabricgen.model.fabric.vlans import (
    Addressing,
    Announce,
    Carries,
    DefaultRoutePriority,
    OnHost,
    Vlan,
)

if TYPE_CHECKING:
    from netaddr import IPAddress, IPNetwork

    from fabricgen.compile.design.classes import Classes
    from fabricgen.compile.design.findings import Findings
    from fabricgen.compile.design.port_profiles import Profiles
    from fabricgen.intent.model import tenants as words
    from fabricgen.intent.model.frontend import Frontend, LeafGroup
    from fabricgen.model.fabric.relay import Relay

    Ports = list[tuple[str, int, str]]
    """Leaf, place on it, and how the server there is spoken of."""

_FIRST_HOST = 10
"""Default place of server 1 in its subnet; gateways are below."""


def overlay_of(
    frontend: Frontend,
    tenants: dict[str, words.Tenant],
    topology: Topology,
    profiles: Profiles,
    classes: Classes,
    findings: Findings,
) -> Overlay:
    """Design the overlay of a frontend."""
    path = at(*frontend.here, "overlay")
    aware = frontend.overlay.service == "vlan-aware"
    vrfs = VrfDesign(bases=frontend.overlay, here=path, findings=findings, aware=aware)
    design = _Design(
        frontend=frontend,
        topology=topology,
        findings=findings,
        vrfs=vrfs,
        profiles=profiles,
        classes=classes,
    )
    for step in (design.tenant, design.attach):
        for name, tenant in tenants.items():
            with findings.going_on():
                step(name, tenant)
    return Overlay(
        vrfs=vrfs.vrfs,
        vlans=dict(sorted(design.vlans.items())),
        ports=design.ports,
        rules=EvpnRules(
            anycast_mac=frontend.overlay.anycast_mac,
            route_target_asn=frontend.overlay.route_target_asn,
            path=path,
            asked=next((each.place(name)[:1] for name, each in tenants.items()), ("tenants",)),
        ),
    )


@dataclass(slots=True, kw_only=True)
class _Design:
    frontend: Frontend
    topology: Topology
    findings: Findings
    vrfs: VrfDesign
    profiles: Profiles
    classes: Classes
    vlans: dict[int, Vlan] = field(default_factory=dict)
    ports: dict[str, dict[int, Carries]] = field(default_factory=dict)
    named: dict[tuple[str, str], Vlan] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)

    def tenant(self, name: str, tenant: words.Tenant) -> None:
        """Add the VRFs and VLANs of one tenant."""
        here = at(*tenant.place(name))
        description = tenant.unless_refused("description")
        if description is not None and not tenant.vrfs:
            self.findings.warn(
                Code.BAD_VALUE,
                "the description of a tenant belongs to its VRFs, but it has none",
                (*here, "description"),
                "describe its VLANs",
            )
        for vrf_name, vrf in tenant.vrfs.items():
            path, found = tenant.place(name, "vrfs", vrf_name), self.findings
            with found.going_on():
                self.routes(vrf, path, [item.vrf for item in tenant.attachments])
                relays = relays_of(vrf_name, vrf, path, self.topology, found)
                probes = diagnostics_of(vrf, path, self.topology, found)
                self.vrfs.add(name, tenant, vrf_name, path, relays, probes)
            for vlan_name, vlan in (vrf.unless_refused("vlans") or {}).items():
                with self.findings.going_on():
                    below = tenant.place(name, "vrfs", vrf_name, "vlans", vlan_name)
                    self.classes.vlan(vlan, below, vrf)
                    self.vlan(name, vlan_name, vlan, vrf_name, below)
            if vrf_name in self.vrfs.bundles:
                alike(vrf.unless_refused("vlans") or {}, path, self.findings)
        for vlan_name, vlan in tenant.vlans.items():
            path = (*here, "vlans", vlan_name)
            for key in ("subnet", "gateway", "subnet6", "gateway6", "announce"):
                if vlan.unless_refused(key) is not None:
                    self.findings.error(
                        Code.BAD_VALUE,
                        f"a VLAN outside a VRF is bridged only and has no {key}",
                        (*path, key),
                        "move it into one of `vrfs`",
                    )
            with self.findings.going_on():
                self.classes.vlan(vlan, path, None)
                self.vlan(name, vlan_name, vlan, None, path)

    def routes(self, vrf: words.Vrf, path: IntentPath, ported: Sequence[str | None]) -> None:
        """Refuse a VRF of one leaf alone, or a VRF without VLANs and routed ports."""
        if vrf.unless_refused("local"):
            self.findings.error(
                Code.BAD_VALUE,
                f"a VRF of the {self.frontend.name}, of kind evpn, is on all its leafs",
                (*path, "local"),
                "remove it; it is for rails",
            )
        if vrf.unless_refused("vlans") == {} and path[-1] not in ported:
            self.findings.error(
                Code.MISSING_KEY,
                f"a VRF of the {self.frontend.name}, of kind evpn, needs VLANs, but this one has "
                "none",
                path,
                "add `vlans: {NAME: {id: …, subnet: …}}`",
            )

    def vlan(
        self, tenant: str, name: str, vlan: words.Vlan, vrf: str | None, path: IntentPath
    ) -> None:
        over = self.frontend.overlay
        if vlan.id in self.vlans:
            other = self.vlans[vlan.id]
            self.findings.error(
                Code.DUPLICATE_ID,
                f"the VLAN id {vlan.id} is also used by {other.tenant}/{other.name}",
                (*path, "id"),
            )
        if vlan.id > over.transit_vlan_base or vlan.id in INTERNAL_VLANS:
            self.findings.error(
                Code.VNI_CLASH,
                f"VLAN ids above {over.transit_vlan_base} are reserved for transit VLANs of VRFs "
                "and for routed ports",
                (*path, "id"),
                f"use an id from 2 to {over.transit_vlan_base}, or raise overlay.transit_vlan_base",
            )
        if (tenant, name) in self.named:
            self.findings.error(Code.DUPLICATE_ID, f"the tenant has two VLANs named {name!r}", path)
        pinned, pins = pinned_of(vlan, path)
        rule = f"L2VNI = {over.l2vni_base} + VLAN id {vlan.id}"
        if vlan.vni is not None:
            rule = "the intent sets the L2VNI"
        because = Provenance((path, self.vrfs.here, *pins), rule + (RULE if pins else ""))
        self.vrfs.alone(vrf, pins)
        gateways = self.gateways(vlan, path)
        announce = announced(vlan, gateways, path, self.findings) if vrf is not None else None
        designed = Vlan(
            id=vlan.id,
            name=self.called(tenant, name, vlan, path),
            tenant=tenant,
            vni=vlan.vni or over.l2vni_base + vlan.id,
            vrf=vrf,
            gateways=gateways,
            because=because,
            description=vlan.unless_refused("description") or vlan.name,
            relays=self.relays(gateways, announce, vrf),
            announce=announce,
            bundle=self.vrfs.bundles.get(vrf or ""),
            multicast=multicast_of(vlan, gateways, path, self.findings),
            pinned=pinned,
        )
        self.vlans[vlan.id] = self.named[tenant, name] = designed

    def called(self, tenant: str, name: str, vlan: words.Vlan, path: IntentPath) -> str:
        """Return the name of a VLAN on switches; report a name of two VLANs."""
        called = vlan.name or f"{tenant}-{name}"
        taken = self.names.setdefault(called, vlan.id)
        if taken != vlan.id and (tenant, name) not in self.named:
            self.findings.error(
                Code.DUPLICATE_ID,
                f"the VLAN name {called} is also used by VLAN {taken}",
                (*path, "name") if vlan.name else path,
                "set another `name` for one of the VLANs",
            )
        return called

    def relays(
        self, gateways: tuple[Ip, ...], announce: Announce | None, vrf: str | None
    ) -> tuple[Relay, ...]:
        """Return the relays of a VLAN, over IPv6 where it advertises DHCPv6."""
        asked = {gateway.version for gateway in gateways}
        asked -= set() if announce is Announce.DHCP else {6}
        every = self.vrfs.vrfs[vrf].relays if vrf in self.vrfs.vrfs else ()
        return tuple(relay for relay in every if relay.version in asked)

    def gateways(self, vlan: words.Vlan, path: IntentPath) -> tuple[Ip, ...]:
        """Return the gateways of a VLAN; `subnet` has either family, `subnet6` is IPv6."""
        if vlan.subnet6 is not None:
            six = [vlan.subnet6.version] + ([vlan.subnet.version] if vlan.subnet else [])
            if six not in ([6], [6, 4]):
                self.findings.error(
                    Code.BAD_VALUE,
                    "a VLAN has at most one IPv4 subnet and one IPv6 subnet",
                    (*path, "subnet6"),
                    "use `subnet` for IPv4, `subnet6` for IPv6",
                )
                return ()
        if vlan.gateway6 is not None and vlan.subnet6 is None:
            self.findings.error(Code.BAD_VALUE, "this key needs a `subnet6`", (*path, "gateway6"))
        subnets = (
            ("", vlan.subnet, vlan.gateway),
            ("6", vlan.subnet6, vlan.gateway6),
        )
        made = (self.gateway(net, own, key, path) for key, net, own in subnets if net is not None)
        return tuple(gateway for gateway in made if gateway is not None)

    def gateway(
        self, net: IPNetwork, own: IPAddress | None, key: str, path: IntentPath
    ) -> Ip | None:
        """Return the gateway of one subnet; `key` is the key suffix of its family."""
        if net.size < 4:
            self.findings.error(
                Code.POOL_TOO_SMALL,
                f"{net} has no room for a gateway and hosts",
                (*path, f"subnet{key}"),
            )
            return None
        value = int(own) if own is not None else int(net.first) + 1
        if not int(net.first) < value < int(net.last):
            self.findings.error(
                Code.BAD_VALUE, f"the gateway is not a host of {net}", (*path, f"gateway{key}")
            )
        return Ip(value, int(net.prefixlen), int(net.version))

    def attach(self, tenant: str, words_: words.Tenant) -> None:
        """Put the tenant's VLANs on the server ports it names."""
        for number, item in enumerate(words_.attachments):
            if item.vrf is not None:
                continue  # its ports are routed: host_ports.py
            path = at(*words_.place(tenant, "attachments", number))
            with self.findings.going_on():
                ports = self.group_ports(item, path) if item.group else self.kind_ports(item, path)
                carries = self.carries(tenant, words_, item, path)
                if ports is not None and carries is not None:
                    self.place(ports, carries, path)

    def group(self, name: str, path: IntentPath) -> LeafGroup | None:
        """Return a leaf group that has servers, or say which have."""
        group = self.frontend.leaf_groups.get(name)
        if group is not None and group.servers is not None:
            return group
        served = self.frontend.served
        if group is not None and any(each.ports.group in (None, name) for each in served):
            self.findings.error(
                Code.BAD_VALUE,
                f"the servers at the leafs of {name!r} belong to kinds of `servers`",
                (*path, "group"),
                "attach them by kind: `servers: gpu, port: front`",
            )
            return None
        self.findings.unknown(
            f"no leaf group {name!r} with servers",
            (*path, "group"),
            name,
            self.groups_with_servers(),
        )
        return None

    def groups_with_servers(self) -> list[str]:
        groups = self.frontend.leaf_groups.items()
        return [name for name, group in groups if group.unless_refused("servers")]

    def carries(
        self, tenant: str, of: words.Tenant, item: words.Attachment, path: IntentPath
    ) -> Carries | None:
        """Return the VLANs of a port; None for an unknown or refused one."""
        wanted = (
            [("access", item.access)]
            if item.access
            else [("trunk", name) for name in item.trunk or ()]
        )
        mine = of.vlan_names()
        for key, name in wanted:
            if mine is not None and name not in mine:
                self.findings.unknown(
                    f"tenant {tenant!r} has no VLAN {name!r}", (*path, key), name, mine
                )
        carried = [self.named[tenant, name] for _, name in wanted if (tenant, name) in self.named]
        if len(carried) < len(wanted):
            return None
        marks = self.classes.marks(carried, item, path)
        named = (mark.because.main for mark in marks.values() if mark.number)
        paths = tuple(dict.fromkeys((path, *named)))
        because = Provenance(paths, "this attachment must name the port's VLANs")
        native = self.named.get((tenant, item.native)) if item.native else None
        on_host = self.on_host(tenant, carried, native, item, path)
        tagged = [] if item.access else [vlan for vlan in carried if vlan is not native]
        return Carries(
            untagged=carried[0] if item.access else native,
            tagged=tuple(sorted(tagged, key=lambda vlan: vlan.id)),
            because=because,
            on_host=on_host,
            profile=self.profiles.of(self.frontend, item, path),
            marks=marks,
        )

    def on_host(
        self,
        tenant: str,
        vlans: list[Vlan],
        native: Vlan | None,
        item: words.Attachment,
        path: IntentPath,
    ) -> dict[int, OnHost]:
        """Return the addresses of servers per VLAN; the first with addresses is the default."""
        order = [native, *vlans] if native is not None else vlans
        chosen = {vlan.id: _addressing(vlan, item) for vlan in order}
        able = [vlan for vlan in order if set(chosen[vlan.id]) != {Addressing.NONE}]
        said = self.named.get((tenant, item.default_route)) if item.default_route else None
        self.judge_addresses(vlans, said if said not in able else None, item, path)
        ways = {able[0].id: DefaultRoutePriority.USUAL} if able else {}
        if said is not None:
            ways = {said.id: DefaultRoutePriority.SAID}
        for vlan in vlans if item.addresses6 == "announced" else ():
            takes(vlan, path, self.findings, way_out=vlan.id in ways)
        return {
            number: OnHost(
                addressing=addressing,
                six=Addressing.NONE if six is Addressing.ANNOUNCED and number not in ways else six,
                way_out=ways.get(number, DefaultRoutePriority.NO),
                path=path,
                first=item.first_host or _FIRST_HOST,
                reaches=item.reaches,
            )
            for number, (addressing, six) in chosen.items()
        }

    def judge_addresses(
        self, vlans: list[Vlan], closed: Vlan | None, item: words.Attachment, path: IntentPath
    ) -> None:
        """Refuse addresses in VLANs without subnets; `closed` is one with the default route."""
        if item.addresses is not None and not any(vlan.gateways for vlan in vlans):
            self.findings.error(
                Code.BAD_VALUE,
                "no VLAN of this attachment has a subnet, so servers have no addresses there",
                (*path, "addresses"),
                "remove it, or set a subnet in `vrfs`",
            )
        six = [vlan.name for vlan in vlans if vlan.gateway(6)]
        if item.addresses6 is not None and not six:
            self.findings.error(
                Code.BAD_VALUE,
                "no VLAN of this attachment has an IPv6 subnet",
                (*path, "addresses6"),
                "remove it, or set `subnet6` in a VLAN",
            )
        sixes = [vlan for vlan in vlans if vlan.gateway(6) and not vlan.announce]
        alone = [vlan.name for vlan in sixes if not vlan.gateway(4)]
        if item.addresses == "dhcp" and alone:
            self.findings.error(
                Code.UNSUPPORTED,
                f"VLAN {alone[0]} is IPv6: servers learn the default route from router "
                "advertisements, but no switch sends them",
                (*path, "addresses"),
                "set `addresses: static`, or `announce: dhcp` in the VLAN",
            )
        if closed is not None:
            self.findings.error(
                Code.BAD_VALUE,
                f"servers have no address in VLAN {closed.name}, so it cannot be the default route",
                (*path, "default_route"),
                "name a VLAN with a subnet and with `addresses` other than none",
            )

    def group_ports(self, item: words.Attachment, path: IntentPath) -> Ports | None:
        """Return the ports of an attachment by leaf group; report unknown ones."""
        group = self.group(item.group or "", path)
        if group is None or group.servers is None:
            return None
        places = range(1, group.servers.per_leaf + 1)
        leafs = group.leafs or ()
        wished = item.servers if isinstance(item.servers, tuple) else places
        for key, wanted, have in (
            ("servers", wished, places),
            ("leafs", item.leafs or leafs, leafs),
        ):
            missing = sorted(set(wanted) - set(have))
            if missing:
                self.findings.error(
                    Code.UNKNOWN_REFERENCE,
                    f"group {item.group!r} has no {key[:-1]} {missing[0]}",
                    (*path, key),
                )
                return None
        numbers = set(item.leafs or leafs)
        return [
            (leaf.name, place, f"server {place}")
            for leaf in self.topology.switches
            if leaf.group == item.group and leaf.index in numbers
            for place in wished
        ]

    def kind_ports(self, item: words.Attachment, path: IntentPath) -> Ports | None:
        """Return the places that an attachment names by kind of servers."""
        named = attached_set(self.frontend, item, path, self.findings)
        if named is None:
            return None
        return self.cabled(named.kind, named.network, item.numbers)

    def cabled(self, kind: str, network: str, numbers: Sequence[int] | None) -> Ports:
        """Return where the servers of a kind are cabled: each leaf once, in order of the cables."""
        wanted = set(numbers) if numbers is not None else None
        found = dict[tuple[str, int], str]()
        for server, link in cables_of(self.topology, kind, network, wanted):
            place = self.topology.places[server.name, network]
            found[link.upper.name, place.index] = server.name
        return [(leaf, place, name) for (leaf, place), name in found.items()]

    def place(self, wanted: Ports, carries: Carries, path: IntentPath) -> None:
        """Put the VLANs of an attachment on its ports."""
        clashes: dict[str, str] = {}
        for leaf, place, name in wanted:
            ports = self.ports.setdefault(leaf, {})
            before = ports.get(place)
            if before and before.untagged and carries.untagged:
                clashes.setdefault(name, before.untagged.name)
            if before is not None:
                self.unlike(before, carries, name, path)
            ports[place] = carries if before is None else before.joined(carries)
        if clashes:
            first, vlan = next(iter(clashes.items()))
            more = f" (and {len(clashes) - 1} more)" if len(clashes) > 1 else ""
            self.findings.error(
                Code.PORT_USED_TWICE,
                f"{first}{more} already has the untagged VLAN {vlan}",
                path,
                "make one of the two a trunk without `native`, because a port has one untagged "
                "VLAN",
            )

    def unlike(self, before: Carries, more: Carries, server: str, path: IntentPath) -> None:
        """Stop where two attachments of a port say different profiles, or one alone trusts."""
        said = hint = ""
        if before.profile and more.profile not in (None, before.profile):
            mine = f"the profile {before.profile.name!r}"
            said = f"the port of {server} has {mine} in another attachment"
            hint = "set the same `profile` in both"
        elif bool(before.marks) != bool(more.marks):
            said = f"the port of {server} has `trust: true` in one attachment, but not in another"
            hint = "set the same value in both"
        if said:
            raise self.findings.stop(Code.PORT_USED_TWICE, said, path, hint)


def _addressing(vlan: Vlan, item: words.Attachment) -> tuple[Addressing, Addressing]:
    """Return where servers have their IPv4 and IPv6 addresses in a VLAN from; none without one."""
    six = item.addresses6 or ("static" if item.addresses == "static" else "announced")
    if not vlan.gateway(6) or (six == "announced" and vlan.announce is None):
        six = "none"
    four = item.addresses or "dhcp" if vlan.gateway(4) else "none"
    return Addressing(four), Addressing(six)
