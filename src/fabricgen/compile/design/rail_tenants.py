"""Design the VRF of each server of a rail fabric.

A server has all its NICs in one VRF, and every server of shared rails is in a VRF. From the
underlay's table, a server could send to the tunnel endpoints, which put every packet into a VRF.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.server_placement import attached_set, numbers_known
from fabricgen.compile.design.vrfs import VrfDesign
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.intent.model.backend import Backend
from fabricgen.intent.model.frontend import Overlay as Bases
from fabricgen.intent.model.tenants import Attachment, Tenant
from fabricgen.intent.paths import at
from fabricgen.model.fabric.overlay import EvpnRules, Member, Overlay
from fabricgen.model.fabric.topology import Server, Topology

_BASES = Bases()
"""Values without effect on rails, which have no VLANs: the defaults of evpn fabrics."""
_TENANTS = at("tenants")


def rail_overlay(
    kinds: Sequence[Backend],
    tenants: Mapping[str, Tenant],
    topology: Topology,
    findings: Findings,
) -> Overlay:
    """Design the tenants of one fabric of rails. Without spines every VRF is local."""
    spines = any(not switch.is_leaf for switch in topology.switches)
    vrfs = VrfDesign(bases=_BASES, here=(), findings=findings, local=not spines)
    design = _Design(kinds=kinds, topology=topology, findings=findings, vrfs=vrfs)
    before, owned = len(findings.items), vrfs.vrfs
    with findings.going_on():
        design.judge_mode()
    for step in (design.tenant, design.attach):
        for name, tenant in tenants.items():
            with findings.going_on():
                step(name, tenant)
    if len(findings.items) == before and all(tenant.whole for tenant in tenants.values()):
        for name, tenant in tenants.items():
            design.rest(name, tenant)
        design.judge_rest()
    else:  # the checks see the remaining parts, without consequences of an error
        used = {member.vrf for member in design.members.values()}
        owned = {name: vrf for name, vrf in owned.items() if name in used}
    tunnels = any(not vrf.local for vrf in owned.values())
    rules = EvpnRules(anycast_mac=None, route_target_asn=_BASES.route_target_asn, path=_TENANTS)
    return Overlay(
        vrfs=owned,
        vlans={},
        ports={},
        rules=rules if tunnels else None,
        members=design.members,
    )


@dataclass(slots=True, kw_only=True)
class _Design:
    kinds: Sequence[Backend]
    topology: Topology
    findings: Findings
    vrfs: VrfDesign
    members: dict[str, Member] = field(default_factory=dict)

    @property
    def fabric(self) -> Backend:
        return self.kinds[0]

    def judge_mode(self) -> None:
        """Refuse a subnet for each rail and leaf: servers of two tenants would share it."""
        if self.fabric.nic_addressing.mode == "subnet":
            self.findings.error(
                Code.BAD_VALUE,
                "servers of two tenants would share the subnet of a rail on their leaf",
                self.fabric.at("nic_addressing", "mode"),
                "use `mode: p2p` with tenants",
            )

    def tenant(self, name: str, tenant: Tenant) -> None:
        """Add the VRFs of one tenant, and refuse features that rails do not have."""
        here = at(*tenant.place(name))
        if tenant.unless_refused("vlans"):
            self.refuse("VLANs", (*here, "vlans"))
        for vrf, words in tenant.vrfs.items():
            path = at(*tenant.place(name, "vrfs", vrf))
            if words.unless_refused("vlans"):
                self.refuse("VLANs", (*path, "vlans"))
            for key, what in (
                ("external", "way out"),
                ("routes", "static route"),
                ("firewalls", "firewall"),
                ("import_routes", "route of another VRF"),
                ("share_routes", "VRF that others share"),
                ("qos", "classes of tenants"),
                ("vips", "VIP"),
                ("diagnostics", "diagnostic address"),
            ):
                if words.unless_refused(key):
                    self.refuse(what, (*path, key))
            with self.findings.going_on():
                self.vrfs.add(name, tenant, vrf, path)

    def rest(self, name: str, tenant: Tenant) -> None:
        """Put the servers that no tenant names into the VRF of idle servers, if there is one."""
        if tenant.is_rest:
            (vrf,) = tenant.vrfs
            why = Provenance((at(*tenant.place(name, "vrfs", vrf)),), "no job has this server")
            rest = [each for each in self.topology.servers if each.name not in self.members]
            self.members.update((server.name, Member(vrf, why)) for server in rest)
            if not rest:
                self.vrfs.vrfs.pop(vrf, None)

    def refuse(self, what: str, path: IntentPath) -> None:
        """Report that rails do not have it."""
        self.findings.error(
            Code.BAD_VALUE,
            f"the {self.fabric.name} is of kind rails, which supports no {what}",
            path,
            "remove it: a tenant of rails has `vrfs` with an `id`, and `attachments`",
        )

    def attach(self, name: str, tenant: Tenant) -> None:
        """Put the servers that a tenant names into its VRFs."""
        for number, item in enumerate(tenant.attachments):
            path = at(*tenant.place(name, "attachments", number))
            for key in ("qos", "trust"):
                if item.unless_refused(key):
                    self.refuse("classes of tenants", (*path, key))
            with self.findings.going_on():
                servers = self.servers(item, path)
                if servers is not None and self.owns(name, tenant, item, path):
                    why = Provenance((path,), "this attachment must name the server's VRF")
                    self.place(servers, Member(str(item.vrf), why), path)

    def owns(self, name: str, tenant: Tenant, item: Attachment, path: IntentPath) -> bool:
        """Return whether the tenant has the VRF; report an unknown or missing one."""
        if item.vrf is None:
            self.findings.error(
                Code.MISSING_KEY,
                f"the {self.fabric.name} is of kind rails, which has no VLANs",
                path,
                f"set `vrf:` to one of {', '.join(tenant.vrfs)}",
            )
        elif item.vrf not in tenant.vrfs:
            self.findings.unknown(
                f"tenant {name!r} has no VRF {item.vrf!r}", (*path, "vrf"), item.vrf, tenant.vrfs
            )
        return item.vrf in tenant.vrfs

    def servers(self, item: Attachment, path: IntentPath) -> list[Server] | None:
        """Return the servers of an attachment, or report a fault."""
        kind = ""
        if self.fabric.kind_of_servers is not None:
            if not isinstance(item.servers, str):
                self.findings.error(
                    Code.MISSING_KEY,
                    f"the servers of the {self.fabric.name} belong to kinds of `servers`",
                    path,
                    f"set `servers:` to one of {', '.join(each.kind_name for each in self.kinds)}",
                )
                return None
            if (named := attached_set(self.fabric, item, path, self.findings)) is None:
                return None
            kind = named.kind
        elif self.strange(item, path):
            return None
        wanted = item.numbers and frozenset(item.numbers)
        return [
            server
            for server in self.topology.servers
            if server.kind == kind and (wanted is None or server.number in wanted)
        ]

    def strange(self, item: Attachment, path: IntentPath) -> bool:
        """Return the parts of an attachment that do not apply to the fabric's own servers."""
        if item.servers is not None or item.group is not None:
            self.findings.error(
                Code.UNKNOWN_REFERENCE,
                f"the {self.fabric.name} has its own servers, without kinds or groups",
                (*path, "servers" if item.servers is not None else "group"),
                "remove it; `numbers` selects the servers",
            )
            return True
        count = self.fabric.servers.count
        return not numbers_known(item, count, "servers", path, self.findings)

    def place(self, servers: Sequence[Server], member: Member, path: IntentPath) -> None:
        """Put servers into a VRF; one is in one alone."""
        taken = [server for server in servers if server.name in self.members]
        if taken:
            first = taken[0].name
            self.findings.error(
                Code.PORT_USED_TWICE,
                f"{first}{_more(taken)} is already in the VRF {self.members[first].vrf}",
                path,
                "choose other `numbers`: a server has all its NICs in one VRF",
            )
        self.members.update((server.name, member) for server in servers)

    def judge_rest(self) -> None:
        """Report servers that no tenant takes."""
        rest = [server for server in self.topology.servers if server.name not in self.members]
        if rest:
            kinds = {each.kind_name: each for each in self.kinds}
            self.findings.error(
                Code.MISSING_KEY,
                f"{rest[0].name}{_more(rest)} has no tenant, but where tenants share the "
                f"{self.fabric.name}, every server needs one",
                kinds[rest[0].kind].at("servers"),
                "attach every server; add a tenant for spare servers",
            )


def _more(servers: Sequence[Server]) -> str:
    return f" (and {len(servers) - 1} more)" if len(servers) > 1 else ""
