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
from fabricgen.intent.model.vips import Vip
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
    """Route targets of an existing network. Omitted targets are computed."""

    imports: Targets | None = Field(None, description="Route targets of imported routes.")
    exports: Targets | None = Field(None, description="Route targets of exported routes.")


RD = Field(
    None,
    description="Route distinguisher of an existing network. Either complete and the same on "
    "every leaf, for example 65000:1, or the half after each leaf's loopback. That "
    "half defaults to the VLAN id; for a VRF, to its transit VLAN.",
)
TARGETS = Field(
    None,
    description="Route targets of an existing network. Default: ASN and VNI, in both directions.",
)


class Vlan(IntentModel):
    """One VLAN with its L2VNI. With subnets, anycast gateways on every leaf route it."""

    id: VlanId = Field(description="VLAN id, unique in the fabric. Its VNI follows from it.")
    vni: Vni | None = Field(
        None, description="VNI of an existing network. Default: `l2vni_base` + id."
    )
    rd: RouteDistinguisher | None = RD
    route_targets: RouteTargets | None = TARGETS
    name: VlanName | None = Field(
        None,
        description="Name on the switches. Default: tenant name and VLAN name, for example "
        "red-web.",
    )
    subnet: Network | None = Field(
        None, description="Subnet. A VLAN without a subnet is not routed."
    )
    gateway: Address | None = Field(None, description="Gateway. Default: the first address.")
    subnet6: Network | None = Field(
        None, description="IPv6 subnet, in addition to `subnet` or alone."
    )
    gateway6: Address | None = Field(
        None, description="Gateway in `subnet6`. Default: the first address."
    )
    announce: Literal["slaac", "dhcp"] | None = Field(
        None,
        description="IPv6 router advertisements of the gateways. `slaac`: servers generate their "
        "addresses. `dhcp`: servers ask a DHCPv6 server. Default: none.",
    )
    multicast: Literal["snooped", "routed"] | None = Field(
        None,
        description="IPv4 multicast in this VLAN. `snooped`: IGMP snooping with a querier on "
        "every leaf delivers groups only to receivers. `routed`: also between VLANs, "
        "which no platform supports here. Default: flooded.",
    )
    description: SafeText | None = Field(
        None,
        description="Free text: the description of the VLAN and its gateway. Default: its name.",
    )
    qos: Name | None = Field(
        None, description="Class of server traffic in the VLAN. Default: the class of its VRF."
    )


class DhcpRelay(IntentModel):
    """DHCP servers of a VRF, and the source addresses of relayed requests."""

    servers: list[Address] = Field(
        min_length=1, max_length=8, description="DHCP servers, reached in this VRF."
    )
    sources: Network | None = Field(
        None,
        description="Prefix of the source addresses of relayed IPv4 requests. Leaf n uses address "
        "n. The gateway address is on every leaf, so an answer to it could reach another leaf.",
    )
    sources6: Network | None = Field(
        None, description="Prefix of the source addresses of relayed IPv6 requests."
    )


class Diagnostics(IntentModel):
    """Addresses from which each leaf probes the servers of a VRF."""

    subnet: Network = Field(
        description="IPv4 prefix of the diagnostic addresses. Leaf n has address n, in this VRF "
        "only. A push pings servers from it, since an answer to a gateway may reach any leaf."
    )


class Vrf(IntentModel):
    """One VRF of a tenant, with its L3VNI (symmetric IRB)."""

    id: int = Field(
        ge=1, le=999, description="Number, unique in the fabric. The L3VNI follows from it."
    )
    vni: Vni | None = Field(
        None, description="L3VNI of an existing network. Default: `l3vni_base` + id."
    )
    rd: RouteDistinguisher | None = RD
    route_targets: RouteTargets | None = TARGETS
    local: bool = Field(
        False,
        description="On rails: each leaf has a separate VRF. Servers meet only on a shared leaf, "
        "and no traffic is tunneled. Always true without spines.",
    )
    vlans: dict[Name, Vlan] = Field(
        default_factory=dict,
        description="Routed VLANs of this VRF by name. Required on an evpn fabric unless server "
        "ports are routed in the VRF. Not allowed on rails.",
    )
    qos: Name | None = Field(
        None,
        description="Class of the fabric's `classes` for server traffic in this VRF. Default: "
        "best effort.",
    )
    dhcp_relay: DhcpRelay | None = Field(
        None, description="Relay of DHCP requests to DHCP servers. Default: no relay."
    )
    diagnostics: Diagnostics | None = Field(
        None,
        description="A diagnostic address for each leaf with this VRF. Without it, a push probes "
        "servers only at ports of the same leaf.",
    )
    routes: list[Route] = Field(
        default_factory=list,
        max_length=800,
        description="Static routes on the leafs that reach the next hop. Other leafs learn them "
        "by EVPN. Add new entries at the end.",
    )
    external: dict[Name, ExternalPeer] = Field(
        default_factory=dict,
        description="External peers by name. They receive the subnets of this VRF's VLANs.",
    )
    firewalls: dict[Name, FirewallLeg] = Field(
        default_factory=dict,
        description="Legs on `firewalls` of the fabric, by name. Each unit has a session on "
        "every link, with the keys of `external`.",
    )
    hosts: dict[Name, HostBgp] = Field(
        default_factory=dict,
        description="BGP with servers on routed ports, by a name that attachments refer to.",
    )
    vips: dict[Name, Vip] = Field(
        default_factory=dict,
        description="Service addresses of load balancers, WAFs and gateways, by name.",
    )
    import_routes: dict[VrfName, Prefixes] = Field(
        default_factory=dict,
        description="Imported routes by source VRF: subnets of its VLANs, or prefixes that its "
        "external peers accept, exactly as written. Add new external prefixes at the end.",
    )
    share_routes: list[VrfName] = Field(
        default_factory=list,
        description="VRFs that exchange all VLAN subnets with this one, IPv4 and IPv6.",
    )

    @model_validator(mode="after")
    def _routed(self) -> "Vrf":
        for name, vlan in self.vlans.items():
            if vlan.subnet is None and vlan.subnet6 is None:
                raise PydanticCustomError(
                    "value",
                    "VLAN {name} in a VRF has no subnet; give it one or move it to the tenant's "
                    "`vlans`",
                    {"name": name},
                )
        return self


class Attachment(IntentModel):
    """Server ports that carry VLANs of this tenant, by server kind or leaf group."""

    servers: KindOrNumbers | None = Field(
        None,
        description="A kind of `servers`. With `group`, numbers of the group's servers in each "
        "rack, by default all. On rails omitted if the fabric's `servers` key defines them.",
    )
    port: Name | None = Field(
        None,
        description="Set of the kind's ports. Required if several sets connect to the tenant's "
        "fabric.",
    )
    numbers: Numbers | None = Field(
        None, description="Numbers of servers of the kind. Default: all servers."
    )
    group: Name | None = Field(
        None, description="Leaf group of the tenant's fabric with a `servers` key."
    )
    leafs: Numbers | None = Field(
        None, description="Leaf numbers. Default: all leafs of the group."
    )
    vrf: VrfName | None = Field(
        None,
        description="On rails, which have no VLANs: VRF of all NICs of these servers. On an evpn "
        "fabric: VRF in which their ports are routed.",
    )
    links: Network | None = Field(
        None,
        description="With `vrf` on an evpn fabric: prefix of the port addresses. Each port has a "
        "/31, of which the leaf has the first address. Server n has part n.",
    )
    bgp: Name | None = Field(
        None,
        description="With `links`: BGP entry in `hosts` of the VRF, through which servers "
        "advertise.",
    )
    access: Name | None = Field(None, description="One VLAN, untagged (an access port).")
    trunk: list[Name] | None = Field(None, min_length=1, description="VLANs, tagged (a trunk).")
    native: Name | None = Field(None, description="VLAN of a trunk that is untagged.")
    profile: Name | None = Field(
        None,
        description="Profile of `port_profiles` for the leaf ports. Default: the profile of the "
        "servers.",
    )
    qos: Name | None = Field(
        None,
        description="Class of traffic that these ports receive. Default: the class of the "
        "VLAN or VRF.",
    )
    trust: bool = Field(
        False,
        description="Trust the DSCPs of the servers. With the fabric's `classes`, other ports "
        "overwrite them.",
    )
    addresses: Literal["dhcp", "static", "none"] | None = Field(
        None,
        description="IPv4 address assignment of the servers in VLANs with a subnet. Default: "
        "dhcp, from your own server. See `addresses6` for IPv6.",
    )
    addresses6: Literal["static", "announced", "none"] | None = Field(
        None,
        description="IPv6 address assignment of the servers. `announced`: by router "
        "advertisements in the VLAN of the default route. Default: static with "
        "`addresses: static`, else announced if the VLAN has it, else none.",
    )
    first_host: int | None = Field(
        None,
        ge=1,
        le=1_000_000,
        description="With static addresses: host number of server 1 in the subnet. Server n is n "
        "- 1 further and counts like `{number}` in names. Default: 10.",
    )
    default_route: Name | None = Field(
        None,
        description="VLAN of the servers' default route. Default: among VLANs with addresses, "
        "the untagged one or the first of the trunk.",
    )

    _reaches: bool = PrivateAttr(default=False)

    @property
    def reaches(self) -> bool:
        """Return whether servers reach the imported routes of a VLAN's VRF by this VLAN."""
        return self._reaches

    def reaching(self) -> Self:
        """Return this attachment with routes of servers to what the VLAN's VRF imports."""
        mine = self.model_copy()
        mine._reaches = True  # noqa: SLF001 - its own
        return mine

    @model_validator(mode="after")
    def _one_kind(self) -> "Attachment":
        if [self.access, self.trunk, self.vrf].count(None) != 2:
            raise PydanticCustomError(
                "value", "give exactly one of `access: VLAN`, `trunk: [VLAN, …]` and `vrf: VRF`"
            )
        about: tuple[str, ...] = ("links", "bgp")
        if self.vrf is not None:
            about = ("addresses", "addresses6", "default_route", "profile")
        for key in about:
            if getattr(self, key) is not None:
                what = "`access` or `trunk`" if self.vrf is not None else "`vrf`"
                raise PydanticCustomError(
                    "value", "`{key}` needs {what}", {"key": key, "what": what}
                )
        if self.trust and self.qos is not None:
            raise PydanticCustomError(
                "value",
                "`qos` and `trust` exclude each other: a port "
                "either marks traffic or trusts its DSCPs",
            )
        if self.bgp is not None and self.links is None:
            raise PydanticCustomError(
                "value", "`bgp` needs `links`; give the prefix of the port addresses"
            )
        if self.native is not None and self.native not in (self.trunk or ()):
            raise PydanticCustomError("value", "`native` must be one of the trunk's VLANs")
        if self.first_host is not None and "static" not in (self.addresses, self.addresses6):
            raise PydanticCustomError(
                "value",
                "`first_host` needs static addresses: set `addresses` or `addresses6` to static",
            )
        if self.default_route not in (None, self.access, *(self.trunk or ())):
            raise PydanticCustomError("value", "`default_route` must be one of the port's VLANs")
        return self

    @model_validator(mode="after")
    def _one_place(self) -> "Attachment":
        of_kind = isinstance(self.servers, str) or (self.vrf is not None and not self.servers)
        if of_kind == (self.group is not None):
            raise PydanticCustomError(
                "value", "give a kind, for example `servers: gpu`, or the `group` of leafs"
            )
        keys = {"leafs"} if of_kind else {"port", "numbers"}
        for key in sorted(keys & self.model_fields_set):
            what = "kind of servers" if of_kind else "leaf group"
            raise PydanticCustomError(
                "value", "`{key}` does not apply to a {what}; remove it", {"key": key, "what": what}
            )
        return self


class Tenant(IntentModel):
    """One tenant of an evpn fabric, or of rails that are shared."""

    fabric: Name | None = Field(
        None,
        description="Fabric of the tenant. Required on rails, and if several fabrics are of kind "
        "evpn.",
    )
    description: SafeText | None = Field(
        None, description="Free text: the description of the tenant's VRFs."
    )
    vrfs: dict[VrfName, Vrf] = Field(
        default_factory=dict, description="VRFs by name. A VRF name is unique in the fabric."
    )
    vlans: dict[Name, Vlan] = Field(
        default_factory=dict, description="VLANs without routing, by name."
    )
    attachments: list[Attachment] = Field(
        default_factory=list, description="Server ports and the VLANs that they carry."
    )
    custom_config: OwnLines | None = CUSTOM_CONFIG
    _job: IntentPath = PrivateAttr(())
    _servers: IntentPath = PrivateAttr(())
    _numbers: IntentPath = PrivateAttr(("slot",))
    _exports: IntentPath = PrivateAttr(())

    def place(self, name: str, *steps: str | int) -> IntentPath:
        """Return the intent path of a part of the tenant; for a job the path of its slot."""
        if not self._job:
            return ("tenants", name, *steps)
        if self._servers and steps[:1] == ("attachments",):
            if len(steps) > 1 and steps[1] == 0:
                return (*self._job, *self._servers)
            steps = ("attachments", *(step - 1 for step in steps[1:2] if isinstance(step, int)))
        return (*self._job, *(self._numbers if steps[:1] == ("vrfs",) else steps))

    def vlan_names(self) -> set[str] | None:
        """Return all VLAN names as written; None if a refused value may hide some."""
        vrfs = self.unless_refused("vrfs")
        if vrfs is None or self.unless_refused("vlans") is None:
            return None
        listed = [self.vlans, *(vrf.unless_refused("vlans") for vrf in vrfs.values())]
        return None if None in listed else {name for vlans in listed for name in vlans}

    @property
    def is_rest(self) -> bool:
        """Return whether it takes the servers of rails that no other tenant has."""
        return self._numbers[-1] == "idle_vrf"

    def shared(self, name: str, vrf: str) -> IntentPath:
        """Return the intent path of the VRFs that share routes with a VRF."""
        return self._exports or (*self.place(name, "vrfs", vrf), "share_routes")

    def of_job(
        self,
        path: IntentPath,
        servers: IntentPath = (),
        numbers: IntentPath = ("slot",),
        exports: IntentPath = (),
    ) -> Self:
        """Return this tenant as the tenant of a job.

        Args:
            path: Place of the job.
            servers: Key of its first attachment, if it has one.
            numbers: Key of its VRF id.
            exports: Place of the VRFs that share routes with it.
        """
        mine = self.model_copy()
        mine._job, mine._servers, mine._numbers = path, servers, numbers  # noqa: SLF001 - its own
        mine._exports = exports  # noqa: SLF001 - its own
        return mine
