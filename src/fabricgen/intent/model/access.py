"""The out-of-band network: a fabric for management ports of switches and power units."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from fabricgen.intent.model.fabric import FabricWords
from fabricgen.intent.model.frontend import Overlay
from fabricgen.intent.model.hardware import Exceptions, Links, SwitchRole, TierRole
from fabricgen.intent.model.tenants import ExternalPeer, VlanId
from fabricgen.intent.model.underlay import Underlay
from fabricgen.intent.model.vocabulary import (
    HostName,
    Mac,
    Name,
    Network,
    Pattern,
    Speed,
    VrfName,
    Words,
    pool,
)


class Zone(Words):
    """The access switches that racks of one type share, row by row."""

    switch: int = Field(ge=1, le=4096, description="Number of the first access switch.")
    port: int = Field(
        1, ge=1, le=4096, description="First port of the first rack of a row, counted from 1."
    )
    ports: int | None = Field(
        None,
        ge=1,
        le=512,
        description="Ports kept for each rack, so that what it holds can grow; default: what it "
        "holds.",
    )


class ManagedVlan(Words):
    """A VLAN of management ports, and the subnet that their addresses are of."""

    id: VlanId = Field(description="VLAN id, unique in the fabric; its VNI follows from it.")
    subnet: Network = Field(
        description="Subnet; the first address is its gateway, on every access switch."
    )


class SwitchVlan(Words):
    """The VLAN of the switches' management ports; its subnet is `site.management.subnet`."""

    id: VlanId = Field(description="VLAN id, unique in the fabric; its VNI follows from it.")


class AccessVlans(Words):
    """The VLANs of the out-of-band network."""

    switches: SwitchVlan = Field(description="Management ports of switches.")
    bmc: ManagedVlan | None = Field(
        None, description="Ports of servers, as their BMCs, that name no other VLAN."
    )
    pdu: ManagedVlan | None = Field(None, description="Power distribution units.")


class AccessPools(Words):
    """Where the addresses of the access fabric's own switches come from."""

    loopbacks: Network = Field(pool("10.224.0.0/16"), description="One /32 per switch.")
    vteps: Network = Field(
        pool("10.225.0.0/16"), description="One /32 per access switch: the VXLAN tunnel source."
    )
    links: Network = Field(
        pool("10.228.0.0/14"), description="Switch links: /31 (or a v6 pool: /127)."
    )


class AccessUnderlay(Underlay):
    """Routing between the switches of an access fabric."""

    mtu: int = Field(
        1550,
        ge=1500,
        le=9214,
        description="IP MTU of every routed link. 1550 leaves 1500 for management ports, inside "
        "VXLAN.",
    )


class FormerAccessNames(Words):
    """Name patterns of before a renaming, with the words of the present ones."""

    leaf: Pattern | None = Field(None, description="Pattern that access switches were named by.")
    spine: Pattern | None = Field(None, description="Pattern that the pair was named by.")


class AccessNames(Words):
    """Name patterns; words: site, index."""

    leaf: Pattern | None = Field(None, description="Pattern of access switches' names.")
    spine: Pattern | None = Field(None, description="Pattern of the pair's names.")
    was: FormerAccessNames = Field(
        default_factory=FormerAccessNames,
        description="Patterns that switches were named by until now: a push renames them.",
    )


class Access(FabricWords):
    """The out-of-band network: access switches under a management pair."""

    port_keys = frozenset({"fabric", "speed", "vlan"})

    kind: Literal["access"] = Field(
        "access", description="Its kind, needed in `fabrics`: management ports over VXLAN/EVPN."
    )
    leaf: SwitchRole = Field(description="The access switches.")
    spine: TierRole = Field(description="The management pair above them; two unless `count`.")
    zones: dict[Name, Zone] = Field(
        min_length=1, description="Where the racks of each type are cabled to, by type."
    )
    speed: Speed = Field(pool("1G"), description="Speed of management ports.")
    cable_length: int = Field(5, ge=1, le=100, description="Metres from rack to access switch.")
    links: Links = Field(default_factory=Links, description="Switch-to-switch links.")
    oversubscription: float = Field(
        4.0, gt=0, le=64, description="Most bandwidth of management ports per bandwidth up."
    )
    vrf: VrfName = Field("oob", description="Routing table of its VLANs.")
    vlans: AccessVlans = Field(description="Its VLANs.")
    addressing: AccessPools = Field(default_factory=AccessPools, description="Address pools.")
    underlay: AccessUnderlay = Field(
        default_factory=AccessUnderlay, description="Routing between switches."
    )
    overlay: Overlay = Field(default_factory=Overlay, description="EVPN numbering.")
    names: AccessNames = Field(default_factory=AccessNames, description="Name patterns.")
    external: dict[Name, ExternalPeer] = Field(
        default_factory=dict,
        description="Routers outside by name, by which people reach it; they are told its subnets. "
        "`leaf` is an access switch, `cage` one that no uplink needs.",
    )
    macs: dict[HostName, Mac] = Field(
        default_factory=dict,
        description="MAC addresses of management ports by server or power unit, for DHCP; those of "
        "switches stand in `switches` of their fabric.",
    )
    switches: Exceptions

    @property
    def design(self) -> str:
        """Return the one design there is."""
        return "access"
