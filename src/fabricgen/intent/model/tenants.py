"""Defines the intent keys of tenants: VRFs, VLANs, subnets and server attachments."""

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, PrivateAttr, model_validator
from pydantic_core import PydanticCustomError

from fabricgen.core.diagnostics import IntentPath
from fabricgen.intent.model.edge import ExternalPeer
from fabricgen.intent.model.firewalls import FirewallLeg
from fabricgen.intent.model.own_lines import CUSTOM_CONFIG, OwnLines
from fabricgen.intent.model.ports import HostBgp
from fabricgen.intent.model.routes import Route
from fabricgen.intent.model.vocabulary import (
    Address,
    IntentModel,
    KindOrNumbers,
    Name,
    Network,
    Numbers,
    SafeText,
    VlanName,
    VrfName,
    two_halves,
)

VlanId = Annotated[int, Field(ge=2, le=4094)]
Vni = Annotated[int, Field(ge=1, le=16_777_215)]


Target = Annotated[str, AfterValidator(two_halves)]
Targets = Annotated[list[Target], Field(min_length=1, max_length=32)]
Prefixes = Annotated[list[Network], Field(min_length=1, max_length=100)]
RouteDistinguisher = (
    Annotated[int, Field(ge=1, le=65_535)] | Annotated[str, AfterValidator(two_halves)]
)


class RouteTargets(IntentModel):
    """Route targets as an existing network has them; what is not said is computed."""

    imports: Targets | None = Field(None, description="Targets of routes that are taken.")
    exports: Targets | None = Field(None, description="Targets that its routes are sent with.")


RD = Field(
    None,
    description="Route distinguisher as it is: whole, as 65000:1, the same on every leaf, or its "
    "second half, beside each leaf's loopback. Default: that half is the VLAN id, of a VRF its "
    "transit VLAN.",
)
TARGETS = Field(None, description="Route targets as they are; default: ASN and VNI, both ways.")


class Vlan(IntentModel):
    """One VLAN with its L2VNI; with subnets it is routed by anycast gateways on every leaf."""

    id: VlanId = Field(description="VLAN id, unique in the fabric; its VNI follows from it.")
    vni: Vni | None = Field(None, description="VNI as it is; default: `l2vni_base` + id.")
    rd: RouteDistinguisher | None = RD
    route_targets: RouteTargets | None = TARGETS
    name: VlanName | None = Field(
        None, description="Name on the switches; default: the tenant's and the VLAN's, as red-web."
    )
    subnet: Network | None = Field(None, description="Subnet; without it the VLAN is not routed.")
    gateway: Address | None = Field(None, description="Gateway; default: the first address.")
    subnet6: Network | None = Field(
        None, description="IPv6 subnet, beside an IPv4 one or alone, as with `subnet`."
    )
    gateway6: Address | None = Field(
        None, description="Gateway in `subnet6`; default: the first address."
    )
    announce: Literal["slaac", "dhcp"] | None = Field(
        None,
        description="How gateways announce themselves as IPv6 routers: servers make addresses "
        "themselves (slaac), or ask a DHCPv6 server; default: not at all.",
    )
    multicast: Literal["snooped", "routed"] | None = Field(
        None,
        description="Groups of IPv4 in this VLAN: to servers that joined alone, by IGMP snooping "
        "with a querier on every leaf (snooped), or between VLANs too (routed, which no platform "
        "can be told here); default: flooded.",
    )
    description: SafeText | None = Field(
        None,
        description="Free text: the description of the VLAN and its gateway; default: its name.",
    )
    qos: Name | None = Field(
        None, description="Class of what servers send in it; default: that of its VRF."
    )


class DhcpRelay(IntentModel):
    """Who is asked for addresses of servers in a VRF, and from where."""

    servers: list[Address] = Field(
        min_length=1, max_length=8, description="DHCP servers, reached in this VRF."
    )
    sources: Network | None = Field(
        None,
        description="Where the address comes from that each leaf asks IPv4 servers from; leaf n "
        "has the n-th. The gateway is on every leaf, so an answer to it may come to another.",
    )
    sources6: Network | None = Field(None, description="The same for IPv6 servers.")


class Diagnostics(IntentModel):
    """Addresses by which each leaf probes the servers of a VRF."""

    subnet: Network = Field(
        description="IPv4 prefix of the diagnostic addresses: leaf n has the n-th, in this VRF "
        "alone. A push pings servers from it, since an answer to a gateway reaches any leaf.",
    )


class Vrf(IntentModel):
    """One routing table of a tenant, with its L3VNI (symmetric IRB)."""

    id: int = Field(ge=1, le=999, description="Number, unique in the fabric; the L3VNI follows.")
    vni: Vni | None = Field(None, description="L3VNI as it is; default: `l3vni_base` + id.")
    rd: RouteDistinguisher | None = RD
    route_targets: RouteTargets | None = TARGETS
    local: bool = Field(
        False,
        description="On rails: every leaf has it for itself, so servers meet where they share a "
        "leaf, and nothing is tunneled. Without spines it is never otherwise.",
    )
    vlans: dict[Name, Vlan] = Field(
        default_factory=dict,
        description="Routed VLANs of this VRF by name; needed on an evpn fabric where no ports of "
        "servers are routed in it, none on rails.",
    )
    qos: Name | None = Field(
        None,
        description="One of the fabric's `classes`: of what servers send in this VRF; default: "
        "best effort.",
    )
    dhcp_relay: DhcpRelay | None = Field(
        None, description="Requests of servers are relayed to DHCP servers; without it, to none."
    )
    diagnostics: Diagnostics | None = Field(
        None,
        description="A diagnostic address for each leaf with this VRF. Without it the probes of a "
        "push reach servers at the ports of the same leaf alone.",
    )
    routes: list[Route] = Field(
        default_factory=list,
        max_length=800,
        description="Static routes, on the leafs that reach the next hop; others learn of them by "
        "EVPN. New ones go to the end.",
    )
    external: dict[Name, ExternalPeer] = Field(
        default_factory=dict,
        description="Ways out by name. They are told the subnets of this VRF's VLANs.",
    )
    firewalls: dict[Name, FirewallLeg] = Field(
        default_factory=dict,
        description="Legs on `firewalls` of the fabric, by name: a session with each unit by every "
        "link, with what `external` would say of it.",
    )
    hosts: dict[Name, HostBgp] = Field(
        default_factory=dict,
        description="BGP with servers on routed ports, by a name that attachments give.",
    )
    import_routes: dict[VrfName, Prefixes] = Field(
        default_factory=dict,
        description="Routes of other VRFs that it takes, by VRF: subnets of their VLANs, or what "
        "their ways out accept, exactly as written. New ones of ways out go to the end.",
    )
    share_routes: list[VrfName] = Field(
        default_factory=list,
        description="VRFs that share it: they take the subnets of its VLANs, and it takes theirs, "
        "IPv4 and IPv6.",
    )

    @model_validator(mode="after")
    def _routed(self) -> "Vrf":
        for name, vlan in self.vlans.items():
            if vlan.subnet is None and vlan.subnet6 is None:
                raise PydanticCustomError(
                    "value",
                    "VLAN {name} stands in a VRF but has no subnet; give it one or move it to the "
                    "tenant's own `vlans`",
                    {"name": name},
                )
        return self


class Attachment(IntentModel):
    """Server ports that carry VLANs of this tenant: of a kind of servers, or of a leaf group."""

    servers: KindOrNumbers | None = Field(
        None,
        description="A kind of `servers`; with `group`, numbers of the group's own servers in "
        "each rack, default: all of them. On rails left out where the fabric's own key says them.",
    )
    port: Name | None = Field(
        None,
        description="Set of the kind's ports; needed where several go to the tenant's fabric.",
    )
    numbers: Numbers | None = Field(
        None, description="Numbers of servers of the kind; default: all of them."
    )
    group: Name | None = Field(
        None, description="Leaf group with `servers` of its own in the tenant's fabric."
    )
    leafs: Numbers | None = Field(None, description="Leaf numbers; default: all of the group.")
    vrf: VrfName | None = Field(
        None,
        description="VRF of all NICs of these servers, on rails, which have no VLANs; on an evpn "
        "fabric their ports are routed in it.",
    )
    links: Network | None = Field(
        None,
        description="With `vrf` on an evpn fabric: where the addresses of the ports are from, a "
        "/31 for each, the leaf's first. Server n has the n-th part.",
    )
    bgp: Name | None = Field(
        None, description="With `links`: one of the VRF's `hosts`, by which servers announce."
    )
    access: Name | None = Field(None, description="One VLAN, untagged (an access port).")
    trunk: list[Name] | None = Field(None, min_length=1, description="VLANs, tagged (a trunk).")
    native: Name | None = Field(None, description="VLAN of a trunk that is untagged.")
    profile: Name | None = Field(
        None,
        description="Profile of `port_profiles` for the leafs' ports; default: that of the servers "
        "themselves.",
    )
    qos: Name | None = Field(
        None, description="Class of what these ports take in; default: that of each VLAN, or VRF."
    )
    trust: bool = Field(
        False,
        description="Take the DSCPs that the servers set: with the fabric's `classes` other ports "
        "write one of their own.",
    )
    addresses: Literal["dhcp", "static", "none"] | None = Field(
        None,
        description="Where the servers have their addresses from, in VLANs with a subnet; default: "
        "dhcp, from a server that is yours; IPv6 has `addresses6`.",
    )
    addresses6: Literal["static", "announced", "none"] | None = Field(
        None,
        description="Where the servers have their IPv6 addresses from; announced: as the VLAN of "
        "their default route announces. Default: static with `addresses: static`, else announced "
        "where it does, else none.",
    )
    first_host: int | None = Field(
        None,
        ge=1,
        le=1_000_000,
        description="With static addresses: the place of server 1 in the subnet, server n has "
        "the one n - 1 further; n counts as `{number}` in names does. Default: 10.",
    )
    default_route: Name | None = Field(
        None,
        description="VLAN by which the servers' default route goes; default: of those with "
        "addresses the untagged one, or the first of the trunk.",
    )

    @model_validator(mode="after")
    def _one_kind(self) -> "Attachment":
        if [self.access, self.trunk, self.vrf].count(None) != 2:
            raise PydanticCustomError(
                "value",
                "give one of `access: VLAN`, `trunk: [VLAN, …]` and `vrf: VRF`",
            )
        about: tuple[str, ...] = ("links", "bgp")
        if self.vrf is not None:
            about = ("addresses", "addresses6", "default_route", "profile")
        for key in about:
            if getattr(self, key) is not None:
                what = (
                    "VLANs, which ports in a VRF" if self.vrf is not None else "a VRF, which VLANs"
                )
                raise PydanticCustomError(
                    "value", "`{key}` is about {what} do not have", {"key": key, "what": what}
                )
        if self.trust and self.qos is not None:
            raise PydanticCustomError("value", "a port marks (`qos`) or takes marks (`trust`)")
        if self.bgp is not None and self.links is None:
            raise PydanticCustomError("value", "`bgp` runs over `links`: say where they are from")
        if self.native is not None and self.native not in (self.trunk or ()):
            raise PydanticCustomError("value", "`native` must be one of the trunk's VLANs")
        if self.first_host is not None and "static" not in (self.addresses, self.addresses6):
            raise PydanticCustomError("value", "`first_host` is of static addresses")
        if self.default_route not in (None, self.access, *(self.trunk or ())):
            raise PydanticCustomError("value", "`default_route` must be one of the port's VLANs")
        return self

    @model_validator(mode="after")
    def _one_place(self) -> "Attachment":
        of_kind = isinstance(self.servers, str) or (self.vrf is not None and not self.servers)
        if of_kind == (self.group is not None):
            raise PydanticCustomError(
                "value", "give a kind, as `servers: gpu`, or the `group` of leafs"
            )
        keys = {"leafs"} if of_kind else {"port", "numbers"}
        for key in sorted(keys & self.model_fields_set):
            what = "kind of servers" if of_kind else "leaf group"
            raise PydanticCustomError(
                "value", "`{key}` says nothing of a {what}", {"key": key, "what": what}
            )
        return self


class Tenant(IntentModel):
    """One tenant of an evpn fabric, or of rails that are shared."""

    fabric: Name | None = Field(
        None,
        description="Fabric it lives on; needed where several are of kind evpn, and on rails.",
    )
    description: SafeText | None = Field(
        None, description="Free text: the description of the tenant's VRFs."
    )
    vrfs: dict[VrfName, Vrf] = Field(
        default_factory=dict, description="VRFs by name; a VRF name is unique in the fabric."
    )
    vlans: dict[Name, Vlan] = Field(
        default_factory=dict, description="VLANs that are bridged only, by name."
    )
    attachments: list[Attachment] = Field(
        default_factory=list, description="Which server ports carry which VLANs."
    )
    custom_config: OwnLines | None = CUSTOM_CONFIG
    _job: IntentPath = PrivateAttr(())

    def place(self, name: str, *steps: str | int) -> IntentPath:
        """Return where the intent says a part of the tenant of that name; of a job its slot."""
        if not self._job:
            return ("tenants", name, *steps)
        return (*self._job, "slot") if steps[:1] == ("vrfs",) else (*self._job, *steps)

    def vlan_names(self) -> set[str] | None:
        """Return the names of all VLANs as written; None if a refused value may hide some."""
        vrfs = self.unless_refused("vrfs")
        if vrfs is None or self.unless_refused("vlans") is None:
            return None
        listed = [self.vlans, *(vrf.unless_refused("vlans") for vrf in vrfs.values())]
        return None if None in listed else {name for vlans in listed for name in vlans}

    def of_job(self, path: IntentPath) -> Self:
        """Return this tenant as the one that a job stands for."""
        mine = self.model_copy()
        mine._job = path  # noqa: SLF001 - its own class
        return mine
