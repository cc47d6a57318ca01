"""Defines the intent keys of management ports: their racks, VLANs and access from outside."""

from pydantic import Field

from fabricgen.intent.model.edge import OutsideRouter
from fabricgen.intent.model.tenants import VlanId
from fabricgen.intent.model.vocabulary import (
    HostName,
    IntentModel,
    Mac,
    Name,
    Network,
    Numbers,
    Speed,
    VrfName,
    pool,
)

MANAGEMENT_KEYS = frozenset({"fabric", "speed", "vlan"})
"""What a set of management ports may say."""


class Zone(IntentModel):
    """The switches that racks of one type share, row by row."""

    switch: int = Field(ge=1, le=4096, description="Number of the first access switch, or leaf.")
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


class ManagedVlan(IntentModel):
    """A VLAN of management ports, and the subnet that their addresses are of."""

    id: VlanId = Field(description="VLAN id, unique in the fabric; its VNI follows from it.")
    subnet: Network = Field(
        description="Subnet; the first address is its gateway, on every access switch."
    )


class SwitchVlan(IntentModel):
    """The VLAN of the switches' management ports; its subnet is `site.management.subnet`."""

    id: VlanId = Field(description="VLAN id, unique in the fabric; its VNI follows from it.")


class AccessVlans(IntentModel):
    """The VLANs of the out-of-band network."""

    switches: SwitchVlan = Field(description="Management ports of switches.")
    bmc: ManagedVlan | None = Field(
        None, description="Ports of servers, as their BMCs, that name no other VLAN."
    )
    pdu: ManagedVlan | None = Field(None, description="Power distribution units.")


class OutOfBand(IntentModel):
    """Management ports in one VRF: of a fabric of their own, or on leafs of another."""

    zones: dict[Name, Zone] = Field(
        min_length=1,
        description="Leafs for the racks of each type, as "
        "`zones: {compute: {switch: 1, ports: 10}}`. `compute` is a type in `racks`, `switch` the "
        "first leaf of a row.",
    )
    speed: Speed = Field(pool("1G"), description="Speed of management ports.")
    cable_length: int = Field(5, ge=1, le=100, description="Meters from rack to switch.")
    vrf: VrfName = Field("oob", description="Routing table of its VLANs.")
    vlans: AccessVlans = Field(
        description="VLANs of management ports, as `vlans: {switches: {id: 20}, bmc: {id: 10, "
        "subnet: 10.250.0.0/20}}`."
    )
    external: dict[Name, OutsideRouter] = Field(
        default_factory=dict,
        description="Routers outside by name, by which people reach it; they are told its subnets. "
        "`leaf` is an access switch, or a leaf; `cage` one that nothing else needs.",
    )
    macs: dict[HostName, Mac] = Field(
        default_factory=dict,
        description="MAC addresses of management ports by server or power unit, for DHCP; those of "
        "switches stand in `switches` of their fabric.",
    )


class SharedOob(OutOfBand):
    """Management ports on leafs that carry tenants, in a VRF that no tenant is in."""

    cages: dict[Name, Numbers] = Field(
        min_length=1,
        description="Cages of each leaf that are for management ports, by leaf group; unsplit. "
        "Zones count them from 1.",
    )
    id: int = Field(
        499, ge=1, le=999, description="Number of the VRF, as a tenant's; the L3VNI follows."
    )
