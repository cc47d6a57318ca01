"""Defines the intent keys of the frontend, a leaf-spine fabric with tenants over VXLAN/EVPN."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Literal, Self

from pydantic import Field, PrivateAttr, model_validator
from pydantic_core import PydanticCustomError

from fabricgen.core.diagnostics import IntentPath
from fabricgen.intent.model.classes import TenantClass
from fabricgen.intent.model.descriptions import MoreDescriptions
from fabricgen.intent.model.edge import EdgeLink
from fabricgen.intent.model.fabric import DEMAND, FabricDemand, FabricWords, KindPorts
from fabricgen.intent.model.firewalls import Firewall
from fabricgen.intent.model.hardware import (
    Exceptions,
    FormerNames,
    LeafRole,
    Links,
    UpperTier,
    shorter,
)
from fabricgen.intent.model.managed import MANAGEMENT_KEYS, SharedOob
from fabricgen.intent.model.numbering import NUMBERING, Numbering
from fabricgen.intent.model.own_lines import CUSTOM_CONFIG, UNMANAGED, KeptSections, OwnLines
from fabricgen.intent.model.ports import Errdisable
from fabricgen.intent.model.qos import Roce
from fabricgen.intent.model.servers import NetworkTool, PortSet
from fabricgen.intent.model.underlay import TenantUnderlay
from fabricgen.intent.model.vocabulary import (
    IntentModel,
    Mac,
    Name,
    Network,
    Numbers,
    Pattern,
    Speed,
    pool,
)
from fabricgen.model.settings import ports
from fabricgen.model.settings.setting import keys


class RackServers(IntentModel):
    """The servers of each rack of a leaf group, all of one type."""

    per_leaf: int = Field(ge=1, le=512, description="Servers per leaf.")
    speed: Speed = Field(description="Speed of one server link.")
    links: int = Field(1, ge=1, le=8, description="Links of one server to its leaf.")
    lag: bool = Field(False, description="Join the links of a server into an LACP port-channel.")
    cable_length: int = Field(
        5, ge=1, le=2000, description="Cable length from server to leaf, in meters."
    )
    profile: Name | None = Field(None, description="Profile of `port_profiles` for the leaf ports.")
    network: NetworkTool = Field(
        "netplan", description="Tool that configures interfaces and addresses on the servers."
    )
    names: Pattern = Field(
        "{leaf}-s{index:02}",
        description="Server name pattern with the placeholders site, leaf, group, index and "
        "number. The number continues from leaf to leaf.",
    )


class Multihoming(IntentModel):
    """How both leafs of a pair act as one switch to a server with a port-channel to both."""

    kind: Literal["esi", "mlag"] = Field(
        "esi",
        description="`esi`: an Ethernet segment for each port-channel, and no cable between the "
        "leafs. `mlag`: a pair with a peer link, one ASN and one tunnel endpoint.",
    )
    peer_links: int = Field(
        2, ge=1, le=8, description="Links between the leafs of an MLAG pair, next to the uplinks."
    )
    domain: Pattern | None = Field(
        None,
        description="Domain name of an MLAG pair, with the placeholders site, group and pair, "
        "which counts from 1 in its group. Default: the name of its first leaf.",
    )

    @model_validator(mode="after")
    def _of_mlag(self) -> Multihoming:
        for key in sorted(self.model_fields_set & {"peer_links", "domain"}):
            if self.kind == "esi":
                raise PydanticCustomError("value", "`{key}` needs `kind: mlag`", {"key": key})
        return self


class LeafGroup(IntentModel):
    """Leafs of one type: the racks of one kind."""

    leafs: Numbers | None = Field(
        None,
        description="Numbers of the leafs in this group. A number belongs to one group only. "
        "Default for the only group: as many as its kinds of `servers` need.",
    )
    servers: RackServers | None = Field(
        None,
        description="Servers in each rack. Short for a kind in `servers` that fills all racks.",
    )
    hardware: LeafRole | None = Field(
        None, description="Leaf hardware of this group, instead of the fabric's `leaf`."
    )
    custom_config: OwnLines | None = CUSTOM_CONFIG
    unmanaged: KeptSections | None = UNMANAGED
    multihoming: Multihoming = Field(
        default_factory=Multihoming,
        description="Redundancy of servers with `leafs: 2` and an LACP bond.",
    )

    @property
    def peer_links(self) -> int:
        """Return the number of links that join the leafs of each pair."""
        words = self.unless_refused("multihoming")
        kind = words.unless_refused("kind") if words is not None else None
        return words.unless_refused("peer_links") or 0 if kind == "mlag" else 0


class LeafPair(IntentModel):
    """Links between the two leafs of a collapsed pair."""

    links: int = Field(2, ge=1, le=16, description="Number of links.")


class FrontendGrowth(IntentModel):
    """Reserved sizes. Growth up to them changes nothing."""

    spines: int | None = Field(
        None, ge=1, le=256, description="Spines (per pod) to reserve. Default: 4."
    )
    superspines: int | None = Field(
        None, ge=1, le=256, description="Superspines to reserve. Default: 4."
    )


class FrontendPools(IntentModel):
    """Address pools of the frontend."""

    loopbacks: Network = Field(pool("10.64.0.0/16"), description="One /32 per switch.")
    vteps: Network = Field(
        pool("10.65.0.0/16"), description="One /32 per leaf for the VXLAN tunnel source."
    )
    links: Network = Field(
        pool("10.72.0.0/14"), description="Switch links, a /31 each (a /127 from an IPv6 pool)."
    )


class Overlay(IntentModel):
    """EVPN numbering: every id is a base plus the number in the intent."""

    l2vni_base: int = Field(10_000, ge=1, le=16_000_000, description="L2VNI = base + VLAN id.")
    l3vni_base: int = Field(50_000, ge=1, le=16_000_000, description="L3VNI = base + VRF id.")
    transit_vlan_base: int = Field(
        3000, ge=2, le=4000, description="VLAN of a VRF's L3VNI on a leaf = base + VRF id."
    )
    route_target_asn: int = Field(
        64_999, ge=1, le=65_535, description="First half of every route target (asn:vni)."
    )
    anycast_mac: Mac = Field(
        "00:1c:73:00:00:99", description="MAC address of the anycast gateway on every leaf."
    )


class FrontendOverlay(Overlay):
    """EVPN of the frontend: its numbers and its type of instance."""

    service: Literal["vlan-based", "vlan-aware"] = Field(
        "vlan-based",
        description="Type of EVPN instance (RFC 7432 section 6). `vlan-based`: one VLAN. "
        "`vlan-aware`: all VLANs of a VRF, distinguished by Ethernet tag. A VLAN "
        "without a VRF keeps its own instance.",
    )


class FrontendNames(IntentModel):
    """Name patterns with the placeholders site, pod, index and group."""

    leaf: Pattern | None = Field(None, description="Name pattern of leafs.")
    spine: Pattern | None = Field(None, description="Name pattern of spines.")
    superspine: Pattern | None = Field(None, description="Name pattern of superspines.")
    previous_name: FormerNames = Field(
        default_factory=FormerNames,
        description="Previous name patterns of the switches. A push renames the switches.",
    )


def _one_group() -> dict[str, LeafGroup]:
    return {"leafs": LeafGroup()}


class Frontend(FabricWords):
    """The frontend fabric."""

    port_keys: ClassVar[frozenset[str]] = frozenset(
        {
            "fabric",
            "speed",
            "cable_length",
            "nic",
            "nic_ports",
            "ports",
            "group",
            "leafs",
            "per_leaf",
            "first",
            "moved",
            "bond",
            *(each.key for each in keys(ports.PortSet)),
            "profile",
            "ptp",
        }
    )

    kind: Literal["evpn"] = Field(
        "evpn",
        description="Kind of fabric, needed in `fabrics`. A frontend has tenants over VXLAN/EVPN.",
    )
    design: Literal["leaf-spine", "superspine", "collapsed"] = Field(
        "leaf-spine",
        description="`leaf-spine`, also in pods joined by superspines, or `collapsed`, which is "
        "two linked leafs without spines.",
    )
    leaf_groups: dict[Name, LeafGroup] = Field(
        default_factory=_one_group,
        min_length=1,
        description="Leaf groups by name. Default: one group, `leafs`, for kinds of `servers`.",
    )
    leaf: LeafRole = Field(description="The leafs.")
    spine: UpperTier | None = Field(
        None,
        description="The spines, for example `spine: {model: 7050CX3-32S, platform: eos}`. A "
        "collapsed pair has none.",
    )
    superspine: UpperTier | None = Field(None, description="The superspines.")
    pair: LeafPair = Field(
        default_factory=LeafPair, description="Links between the leafs of a collapsed pair."
    )
    leafs_per_pod: int | None = Field(
        None,
        ge=1,
        le=1024,
        description="Leafs per pod, with superspines. Leafs 1 to n are pod 1, the next n are pod "
        "2.",
    )
    links_per_spine: int = Field(1, ge=1, le=16, description="Links from a leaf to each spine.")
    links: Links = Field(default_factory=Links, description="Switch-to-switch links.")
    oversubscription: float = Field(
        3.0,
        gt=0,
        le=64,
        description="Maximum ratio of server bandwidth to uplink bandwidth, per leaf.",
    )
    demand: FabricDemand | None = DEMAND
    growth: FrontendGrowth = Field(default_factory=FrontendGrowth, description="Reserved growth.")
    oob: SharedOob | None = Field(
        None,
        description="Out-of-band management in a VRF on the fabric's leafs, without separate "
        "switches. Sets of ports with a `vlan` connect there.",
    )
    edge: dict[Name, EdgeLink] = Field(
        default_factory=dict,
        description="External cables to routers and firewalls, by name. `external` of a VRF has "
        "a tag on one.",
    )
    firewalls: dict[Name, Firewall] = Field(
        default_factory=dict,
        description="Firewall pairs on links of `edge`, by name. VRFs have legs on them.",
    )
    addressing: FrontendPools = Field(default_factory=FrontendPools, description="Address pools.")
    underlay: TenantUnderlay = Field(
        default_factory=TenantUnderlay, description="Routing between switches."
    )
    overlay: FrontendOverlay = Field(default_factory=FrontendOverlay, description="EVPN numbering.")
    errdisable: Errdisable | None = Field(
        None,
        description="Causes of err-disabled ports that recover automatically. Default: no "
        "recovery.",
    )
    roce: Roce | None = Field(
        None,
        description="The lossless class for storage over RoCE, on every server port and between "
        "switches. Without it, all server traffic is best effort.",
    )
    classes: dict[Name, TenantClass] = Field(
        default_factory=dict,
        max_length=6,
        description="Classes of tenants by name, scheduled on every port. With classes, each "
        "server port marks traffic with the `qos` of its attachment, VLAN or VRF, or "
        "trusts its DSCPs.",
    )
    names: FrontendNames = Field(default_factory=FrontendNames, description="Name patterns.")
    descriptions: MoreDescriptions = Field(
        default_factory=MoreDescriptions,
        description="Interface description patterns of the fabric.",
    )
    numbering: Numbering = NUMBERING
    switches: Exceptions
    _here: IntentPath = PrivateAttr(("frontend",))

    @model_validator(mode="after")
    def _ospf_without_mlag(self) -> Self:
        paired = [name for name, group in self.leaf_groups.items() if group.peer_links]
        if self.underlay.ospf and paired:
            raise PydanticCustomError(
                "value",
                "leaf group {group} has MLAG pairs, whose leafs exchange the routes of the "
                "underlay by iBGP; use `multihoming: {{kind: esi}}`, or `protocol: bgp`",
                {"group": min(paired)},
            )
        return self

    @property
    def manages(self) -> bool:
        """Return whether management ports connect to its leafs."""
        return self.unless_refused("oob") is not None

    @property
    def served(self) -> tuple[KindPorts, ...]:
        """Return the sets of ports that tenants may use."""
        return tuple(each for each in super().served if not _of_management(each))

    @property
    def managed(self) -> tuple[KindPorts, ...]:
        """Return the sets of management ports."""
        return tuple(each for each in super().served if _of_management(each))

    def keys_of(self, ports: PortSet) -> frozenset[str]:
        """Return the valid keys of a set of ports; one with a `vlan` is a management set."""
        of_management = self.oob is not None and ports.unless_refused("vlan") is not None
        return MANAGEMENT_KEYS if of_management else self.port_keys

    @property
    def cables(self) -> tuple[int, ...]:
        """Return the cable lengths in meters."""
        own = [g.servers.cable_length for g in self.leaf_groups.values() if g.servers is not None]
        return (*own, *(each.ports.cable_length for each in self.served), self.links.length)

    def within(self, limit: int) -> Self:
        """Return a copy in which no cable exceeds this many meters."""
        groups = {
            name: group.model_copy(
                update={"servers": group.servers and shorter(group.servers, "cable_length", limit)}
            )
            for name, group in self.leaf_groups.items()
        }
        served = tuple(
            replace(each, ports=shorter(each.ports, "cable_length", limit)) for each in self.served
        )
        update = {"leaf_groups": groups, "links": shorter(self.links, "length", limit)}
        return self.model_copy(update=update).serving(served, every=self.all_served)


def _of_management(each: KindPorts) -> bool:
    return each.ports.unless_refused("vlan") is not None
