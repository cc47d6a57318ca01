"""Defines the intent keys of server kinds: the number of servers and their ports by network."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from fabricgen.intent.model.vocabulary import (
    NUMBERS,
    Address,
    HostName,
    IntentModel,
    Name,
    Pattern,
    PciAddress,
    Speed,
    expanded,
    pattern_words,
)
from fabricgen.intent.settings import carries, given
from fabricgen.model.settings import ports
from fabricgen.model.settings.setting import keys

SET_NAME = r"^[a-z][a-z0-9]{0,7}$"
"""Interfaces are named after their set, and Linux allows 15 characters with VLAN and NIC."""
NUMBER = r"^[1-9][0-9]{0,6}$"
SetName = Annotated[str, Field(pattern=SET_NAME)]
_NAME_WORDS = {"site", "kind", "number"}
NetworkTool = Literal["netplan", "networkd", "networkmanager"]
NICS = ["connectx-7", "thor2", "pollara-400"]
NicName = Annotated[str, Field(min_length=1, max_length=40, examples=NICS)]
Nics = Annotated[int, Field(ge=1, le=64)]
NicPorts = Annotated[int, Field(ge=1, le=4)]
NicSlots = Annotated[list[PciAddress], Field(min_length=1, max_length=64)]
CableLength = Annotated[int, Field(ge=1, le=2000)]


class Moved(IntentModel):
    """Place of a server that does not follow its number."""

    leaf: int = Field(
        ge=1, le=100_000, description="Number of the leaf in its group. For a pair, its first leaf."
    )
    place: int = Field(ge=1, le=512, description="Free place on the leaf, or one more.")


@carries(ports.PortSet)
class PortSet(IntentModel):
    """Ports of every server of a kind to one fabric. The fabric decides the valid keys."""

    fabric: Name = Field(description="Fabric of the cables.")
    speed: Speed = Field(description="Speed of one port.")
    cable_length: CableLength = Field(5, description="Cable length from server to leaf, in meters.")
    nics: Nics | None = Field(
        None, description="On rails: RDMA NICs per server. Default: one per GPU."
    )
    nic_ports: NicPorts = Field(
        1,
        description="Ports per NIC. On rails with several planes, port p connects to plane p. On "
        "other fabrics the ports of a NIC are consecutive.",
    )
    nic: NicName = Field(
        "connectx-7",
        description="NIC model from the catalog. It limits the port speed and decides the optics "
        "of the cabling plan. On rails and routed fabrics it also decides QoS on the host. The "
        "default applies to rails, and to routed fabrics with `roce`; it is optional elsewhere.",
    )
    nic_slots: NicSlots | None = Field(
        None,
        description="PCI address of the first port of each NIC, in the order of the rails, or of "
        "the ports of a routed fabric. It gives the interfaces their names. Without "
        "it, the host image must name them.",
    )
    unit: int = Field(
        1,
        ge=1,
        le=10_000,
        description="On rails: first scalable unit of this kind. No other kind shares its units.",
    )
    ports: int = Field(1, ge=1, le=16, description="On other fabrics: ports of one server.")
    group: Name | None = Field(None, description="Leaf group. Required if the fabric has several.")
    leafs: Literal[1, 2] = Field(
        1,
        description="Leafs that the ports of one server are spread over; 2 are a pair. Default: "
        "1. On a routed fabric with an even number of ports: 2.",
    )
    per_leaf: int | None = Field(
        None,
        ge=1,
        le=512,
        description="Servers per leaf, or per pair of leafs. Default: as many as fit, if no "
        "other kind is on the leafs.",
    )
    first: int = Field(
        1,
        ge=1,
        le=512,
        description="Place of the first server on the leaf. Earlier places stay free.",
    )
    moved: dict[Annotated[str, Field(pattern=NUMBER)], Moved] = Field(
        {},
        description="On an evpn fabric: servers at another place, by number. Their places stay "
        "free, and no other server moves.",
    )
    vlan: Name | None = Field(
        None,
        description="Out of band: VLAN of the port in `vlans`. Default: bmc. On an evpn fabric "
        "this key makes the port a management port.",
    )
    profile: Name | None = Field(
        None, description="On an evpn fabric: profile of `port_profiles` for the leaf ports."
    )
    bond: Literal["none", "lacp", "active-backup"] = Field(
        "none",
        description="Bond mode of the server's ports. lacp over two leafs is an Ethernet segment.",
    )
    ptp: Literal["client", "grandmaster"] | None = Field(
        None,
        description="On an evpn fabric: the server is a PTP client or grandmaster on this port.",
    )

    @model_validator(mode="after")
    def _bonds(self) -> PortSet:
        if self.bond != "none" and self.ports < 2:
            raise PydanticCustomError("value", "a bond needs two ports or more; set `ports`")
        of_any = {each.key for each in keys(ports.AnyPorts)}
        of_bonds = [key for key in given(ports.PortSet, self) if key not in of_any]
        if self.bond != "lacp" and of_bonds:
            raise PydanticCustomError("value", "`{key}` needs `bond: lacp`", {"key": of_bonds[0]})
        if self.ports > 1 and self.ptp is not None:
            raise PydanticCustomError("value", "PTP needs a set with exactly one port")
        if self.ports % self.leafs:
            raise PydanticCustomError(
                "value",
                "{ports} ports cannot be divided evenly over {leafs} leafs",
                {"ports": self.ports, "leafs": self.leafs},
            )
        return self


class ServerPin(IntentModel):
    """Overrides of one server, instead of values that follow from its number."""

    says_of_its_key: ClassVar[bool] = True

    hostname: HostName | None = Field(
        None, description="Name of the server in every file.", examples=["ora-prod3"]
    )
    addresses: Annotated[list[Address], Field(min_length=1, max_length=64)] | None = Field(
        None,
        description="Static addresses, each in the VLAN with that subnet. In other VLANs the "
        "address follows from the number.",
    )

    @model_validator(mode="after")
    def _tells(self) -> ServerPin:
        if self.hostname is None and self.addresses is None:
            raise PydanticCustomError("value", "the entry of this server is empty; remove it")
        return self


def _known_words(pattern: str) -> str:
    for word in sorted(pattern_words(pattern) - _NAME_WORDS):
        raise PydanticCustomError(
            "value",
            "unknown placeholder {word} in this name pattern; use {known}",
            {"word": repr(word), "known": ", ".join(sorted(_NAME_WORDS))},
        )
    return pattern


def _states(value: Any) -> Any:
    if isinstance(value, dict) and "drained" in value.values():
        raise PydanticCustomError(
            "value",
            "a server cannot be drained here; drain it in its scheduler (docs/operate/exports.md)",
        )
    return value


ServerStates = Annotated[
    dict[Annotated[str, Field(pattern=NUMBERS)], Literal["planned", "dead"]],
    BeforeValidator(_states),
    Field(
        default_factory=dict,
        description="Server states by number, for example `12` or `60-64`. `planned`: not "
        "installed yet. The servers are numbered, cabled and counted, and their "
        "switch ports are shut. `dead`: broken until repair. Their ports stay "
        "unchanged, and no command waits for them.",
    ),
]


class ServerKind(IntentModel):
    """Servers of one type. The number of a server decides its name and place."""

    count: int = Field(ge=1, le=1_000_000, description="Number of servers.")
    gpus: int = Field(0, ge=0, le=64, description="GPUs per server.")
    names: Annotated[Pattern, AfterValidator(_known_words)] = Field(
        "{kind}{number:04}",
        description="Server name pattern with the placeholders site, kind and number.",
    )
    height: int = Field(2, ge=1, le=48, description="Rack units of each server; a DGX H100 has 8.")
    watts: int | None = Field(None, ge=1, le=1_000_000, description="Maximum watts of each server.")
    network: NetworkTool = Field(
        "netplan", description="Tool that configures addresses and routes on the servers."
    )
    ports: dict[SetName, PortSet] = Field(min_length=1, description="Sets of ports by network.")
    states: ServerStates
    pins: dict[Annotated[str, Field(pattern=NUMBER)], ServerPin] = Field(
        {}, description="Name and address overrides of single servers, by number."
    )

    @model_validator(mode="after")
    def _has_them(self) -> ServerKind:
        count, said = vars(self).get("count"), vars(self).get("states") or {}
        every = [number for key in said for number in expanded(key)]
        if len({*every}) < len(every):
            raise PydanticCustomError("value", "a server can have only one state")
        every += map(int, vars(self).get("pins") or ())
        if count is not None and max(every, default=0) > count:
            raise PydanticCustomError(
                "value", f"server {max(every)} does not exist; the kind has {count}"
            )
        return self


W = TypeVar("W", bound=IntentModel)


def stated(model: type[W], said: dict[str, Any]) -> W:
    """Return a copy in which all missing values count as refused or omitted."""
    bare: Any = model
    built: W = bare.model_construct()
    vars(built).clear()
    vars(built).update({key: said[key] for key in model.model_fields if key in said})
    return built
