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

SET_NAME = r"^[a-z][a-z0-9]{0,7}$"
"""Interfaces are named after their set, and Linux has room for 15 characters with VLAN and NIC."""
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
    """Where a server stands other than by its number."""

    leaf: int = Field(
        ge=1, le=100_000, description="Number of the leaf, of its group; of a pair its first one."
    )
    place: int = Field(ge=1, le=512, description="Place there: a free one, or one more.")


@carries(ports.PortSet)
class PortSet(IntentModel):
    """Ports of every server of a kind that go to one fabric, which decides what keys it takes."""

    fabric: Name = Field(description="Fabric that they are cabled to.")
    speed: Speed = Field(description="Speed of one port.")
    cable_length: CableLength = Field(5, description="Meters from server to leaf.")
    nics: Nics | None = Field(
        None, description="On rails: RDMA NICs per server; default: one per GPU."
    )
    nic_ports: NicPorts = Field(
        1,
        description="Ports per NIC. On rails with several planes, port p goes to plane p; on "
        "other fabrics the ports of a NIC follow one another.",
    )
    nic: NicName = Field(
        "connectx-7",
        description="NIC model from the catalog. It limits the speed of the ports, decides the "
        "optics of the cabling plan and, on rails and routed fabrics, how the host's QoS is set. "
        "The default is of rails, and of routed fabrics with `roce`; others need name none.",
    )
    nic_slots: NicSlots | None = Field(
        None,
        description="PCI address of each NIC, of its first port, in the order of the rails, or of "
        "the ports of a routed fabric; gives the interfaces their names. Left out, the host's "
        "image has to.",
    )
    unit: int = Field(
        1,
        ge=1,
        le=10_000,
        description="On rails: first scalable unit that this kind fills; it has them to itself.",
    )
    ports: int = Field(1, ge=1, le=16, description="On other fabrics: ports of one server.")
    group: Name | None = Field(
        None, description="Leaf group; needed where the fabric has several of them."
    )
    leafs: Literal[1, 2] = Field(
        1,
        description="Leafs that the ports of one server are spread over: 2 are a pair. Default: "
        "1; on a routed fabric 2, where its ports are even in number.",
    )
    per_leaf: int | None = Field(
        None,
        ge=1,
        le=512,
        description="Servers per leaf, or per pair of leafs; default: as many as fit, where no "
        "other kind is on the leafs.",
    )
    first: int = Field(
        1, ge=1, le=512, description="Place on the leaf of the first server; places before it stay."
    )
    moved: dict[Annotated[str, Field(pattern=NUMBER)], Moved] = Field(
        {},
        description="On an evpn fabric: servers that stand elsewhere, by number. Their places "
        "stay free, and no other server moves.",
    )
    vlan: Literal["bmc", "switches", "pdu"] | None = Field(
        None,
        description="Out of band: VLAN of the port; default: bmc. On an evpn fabric it says "
        "that the port is one of management.",
    )
    profile: Name | None = Field(
        None, description="On an evpn fabric: profile of `port_profiles` for the leafs' ports."
    )
    bond: Literal["none", "lacp", "active-backup"] = Field(
        "none",
        description="How the server bundles the ports; lacp over two leafs is an Ethernet segment.",
    )
    ptp: Literal["client", "grandmaster"] | None = Field(
        None,
        description="On an evpn fabric: the server takes the time of PTP here, or gives it.",
    )

    @model_validator(mode="after")
    def _bonds(self) -> PortSet:
        if self.bond != "none" and self.ports < 2:
            raise PydanticCustomError("value", "a bond is of two ports or more: say `ports`")
        if self.bond != "lacp" and (keys := given(ports.PortSet, self)):
            raise PydanticCustomError(
                "value", "`{key}` is of ports with `bond: lacp`", {"key": next(iter(keys))}
            )
        if self.ports > 1 and self.ptp is not None:
            raise PydanticCustomError("value", "PTP runs on one port, so the set has one")
        if self.ports % self.leafs:
            raise PydanticCustomError(
                "value",
                "{ports} ports do not divide over {leafs} leafs",
                {"ports": self.ports, "leafs": self.leafs},
            )
        return self


class ServerPin(IntentModel):
    """What is said of one server, in the place of what follows from its number."""

    says_of_its_key: ClassVar[bool] = True

    hostname: HostName | None = Field(
        None,
        description="What it is called, in every file and wherever servers are named.",
        examples=["ora-prod3"],
    )
    addresses: Annotated[list[Address], Field(min_length=1, max_length=64)] | None = Field(
        None,
        description="Its static addresses, each in the VLAN whose subnet it lies in; in others it "
        "has the one of its number.",
    )

    @model_validator(mode="after")
    def _tells(self) -> ServerPin:
        if self.hostname is None and self.addresses is None:
            raise PydanticCustomError("value", "nothing is said of this server: leave it out")
        return self


def _known_words(pattern: str) -> str:
    for word in sorted(pattern_words(pattern) - _NAME_WORDS):
        raise PydanticCustomError(
            "value",
            "no word {word} in this name pattern; words here: {known}",
            {"word": repr(word), "known": ", ".join(sorted(_NAME_WORDS))},
        )
    return pattern


def _states(value: Any) -> Any:
    if isinstance(value, dict) and "drained" in value.values():
        raise PydanticCustomError(
            "value", "a server is drained by its scheduler, not here (docs/operate/exports.md)"
        )
    return value


ServerStates = Annotated[
    dict[Annotated[str, Field(pattern=NUMBERS)], Literal["planned", "dead"]],
    BeforeValidator(_states),
    Field(
        default_factory=dict,
        description="Servers that are not simply there, by number, as `12` or `60-64`. `planned`: "
        "not there yet; numbered, cabled and counted for room, and their ports on switches are "
        "shut. `dead`: gone until they are mended; their ports stay as they are, and nobody waits.",
    ),
]


class ServerKind(IntentModel):
    """Servers that are alike. Server n is named by its number and stays where it is."""

    count: int = Field(ge=1, le=1_000_000, description="How many servers.")
    gpus: int = Field(0, ge=0, le=64, description="GPUs per server.")
    names: Annotated[Pattern, AfterValidator(_known_words)] = Field(
        "{kind}{number:04}", description="Server names; words: site, kind, number."
    )
    height: int = Field(2, ge=1, le=48, description="Rack units of each; a DGX H100 has 8.")
    watts: int | None = Field(None, ge=1, le=1_000_000, description="Watts of each at most.")
    network: NetworkTool = Field(
        "netplan", description="What configures the servers' addresses and routes."
    )
    ports: dict[SetName, PortSet] = Field(min_length=1, description="Sets of ports by network.")
    states: ServerStates
    pins: dict[Annotated[str, Field(pattern=NUMBER)], ServerPin] = Field(
        {}, description="Names and addresses of single servers as they are, by number."
    )

    @model_validator(mode="after")
    def _has_them(self) -> ServerKind:
        count, said = vars(self).get("count"), vars(self).get("states") or {}
        every = [number for key in said for number in expanded(key)]
        if len({*every}) < len(every):
            raise PydanticCustomError("value", "a server has one state")
        every += map(int, vars(self).get("pins") or ())
        if count is not None and max(every, default=0) > count:
            raise PydanticCustomError("value", f"there is no server {max(every)} of {count}")
        return self


W = TypeVar("W", bound=IntentModel)


def stated(model: type[W], said: dict[str, Any]) -> W:
    """Return words of which this is known: what is not there was refused, or nobody said it."""
    bare: Any = model
    built: W = bare.model_construct()
    vars(built).clear()
    vars(built).update({key: said[key] for key in model.model_fields if key in said})
    return built
