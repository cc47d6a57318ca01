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
"""Keys of a set of management ports."""


class Zone(IntentModel):
    """Switches that racks of one type share, row by row."""

    switch: int = Field(ge=1, le=4096, description="Number of the first access switch or leaf.")
    port: int = Field(
        1, ge=1, le=4096, description="First port of the first rack of a row, counted from 1."
    )
    ports: int | None = Field(
        None,
        ge=1,
        le=512,
        description="Ports reserved for each rack, so that its contents can grow. Default: the "
        "present number.",
    )


class ManagedVlan(IntentModel):
    """A VLAN of management ports with its subnet."""

    id: VlanId = Field(description="VLAN id, unique in the fabric. Its VNI follows from it.")
    subnet: Network = Field(
        description="Subnet. Its first address is the gateway on every access switch."
    )
    isolated: bool = Field(
        True,
        description="Its ports reach the gateway, and no other port of the VLAN except for DHCP. "
        "Needs `separate`.",
    )


class SwitchVlan(IntentModel):
    """The VLAN of the switches' management ports; its subnet is `site.management.subnet`."""

    id: VlanId = Field(description="VLAN id, unique in the fabric. Its VNI follows from it.")


class AccessVlans(IntentModel):
    """The VLANs of the out-of-band network."""

    switches: SwitchVlan = Field(description="Management ports of switches.")
    bmc: ManagedVlan | None = Field(
        None, description="Server ports without another `vlan`, for example BMCs."
    )
    pdu: ManagedVlan | None = Field(None, description="Power distribution units.")
    others: dict[Name, ManagedVlan] = Field(
        default_factory=dict,
        description="More VLANs by name, for ports of servers with this `vlan`: consoles, license, "
        "LDAP, time or log servers.",
    )

    @property
    def addressed(self) -> dict[str, ManagedVlan]:
        """Return the VLANs with subnets of their own, by name."""
        every = {"bmc": self.bmc, "pdu": self.pdu, **self.others}
        return {key: vlan for key, vlan in every.items() if vlan is not None}


class OutOfBand(IntentModel):
    """Management ports in one VRF, on a dedicated fabric or on leafs of another fabric."""

    zones: dict[Name, Zone] = Field(
        min_length=1,
        description="Leafs for the racks of each type, for example `zones: {compute: {switch: 1, "
        "ports: 10}}`. `compute` is a type in `racks`, `switch` the first leaf of a row.",
    )
    speed: Speed = Field(pool("1G"), description="Speed of management ports.")
    cable_length: int = Field(
        5, ge=1, le=100, description="Cable length from rack to switch, in meters."
    )
    vrf: VrfName = Field("oob", description="VRF of the VLANs.")
    vlans: AccessVlans = Field(
        description="VLANs of management ports, for example `vlans: {switches: {id: 20}, bmc: "
        "{id: 10, subnet: 10.250.0.0/20}}`."
    )
    external: dict[Name, OutsideRouter] = Field(
        default_factory=dict,
        description="External routers by name for access by operators. They receive the management "
        "subnets. `leaf` is an access switch or a leaf; `cage` is one that nothing else needs.",
    )
    separate: bool = Field(
        True,
        description="Each VLAN and the external routers are zones, such as `oob/bmc` and "
        "`oob/outside`. Between zones only `flows`, `operators` and answers pass.",
    )
    operators: bool = Field(
        True,
        description="External routers and the VLAN `switches` open connections to every zone: "
        "TCP, ICMP, SNMP and IPMI, and all TCP and UDP between each other. Needs `separate`.",
    )
    macs: dict[HostName, Mac] = Field(
        default_factory=dict,
        description="MAC addresses of management ports by server or power unit, for DHCP. Write "
        "the MAC of a switch in `switches` of its fabric.",
    )


class SharedOob(OutOfBand):
    """Management ports on leafs that carry tenants, in a VRF without tenants."""

    cages: dict[Name, Numbers] = Field(
        min_length=1,
        description="Unsplit cages of each leaf for management ports, by leaf group. Zones count "
        "them from 1.",
    )
    id: int = Field(
        499,
        ge=1,
        le=999,
        description="Number of the VRF, as for a tenant. The L3VNI follows from it.",
    )
