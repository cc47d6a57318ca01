"""Defines the intent keys of applications: their sites, their address and their latency."""

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from fabricgen.intent.model.fabric import FabricName
from fabricgen.intent.model.vocabulary import Address, IntentModel, Name, VrfName


class Replica(IntentModel):
    """Servers of an application at one site."""

    hosts: Name | None = Field(
        None,
        description="With `address`: name in `hosts` of the VRF, whose servers advertise it.",
    )
    backup: bool = Field(
        False, description="Use these servers while no other site advertises the address."
    )


class Application(IntentModel):
    """An application at one or two sites, and what its clients need of the circuits."""

    vrf: VrfName = Field(description="VRF of its servers, the same at each site.")
    replicas: dict[FabricName, Replica] = Field(
        min_length=1, max_length=2, description="Sites with servers, by fabric."
    )
    address: Address | None = Field(
        None,
        description="IPv4 address of the application. Servers advertise it, and links between "
        "sites carry it.",
    )
    clients: list[FabricName] = Field(
        default_factory=list, max_length=64, description="Fabrics of the sites with clients."
    )
    round_trip: float | None = Field(
        None,
        gt=0,
        le=10_000,
        description="Highest round-trip time over the circuits in milliseconds, from each site of "
        "`clients` to each replica.",
    )

    @model_validator(mode="after")
    def _complete(self) -> "Application":
        told = [each for each in self.replicas.values() if each.hosts is not None]
        backups = [each for each in self.replicas.values() if each.backup]
        if self.address is not None and self.address.version != 4:
            raise PydanticCustomError(
                "value", "sessions with servers are IPv4: give an IPv4 address"
            )
        if len(told) != (len(self.replicas) if self.address is not None else 0):
            raise PydanticCustomError(
                "value", "give `address`, and `hosts` at each replica, or neither"
            )
        if len(backups) != (self.address is not None and len(self.replicas) > 1):
            raise PydanticCustomError(
                "value", "of two replicas with an `address`, exactly one is the `backup`"
            )
        if (self.round_trip is None) != (not self.clients):
            raise PydanticCustomError("value", "`clients` and `round_trip` need each other")
        return self
