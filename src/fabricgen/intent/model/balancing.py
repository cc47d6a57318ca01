"""Defines the intent keys by which a backend spreads packets over ECMP paths."""

from typing import Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from fabricgen.intent.model.vocabulary import IntentModel

HashField = Literal[
    "source-ip", "destination-ip", "protocol", "source-port", "destination-port", "queue-pair"
]
Seed = Field(
    None, ge=0, le=4_294_967_295, description="Hash seed of this tier; default: as SONiC ships it."
)


class HashSeeds(IntentModel):
    """The hash seed of each tier: two tiers with one seed choose alike (polarisation)."""

    leaf: int | None = Seed
    spine: int | None = Seed
    superspine: int | None = Seed


class LoadBalancing(IntentModel):
    """How packets are spread over equal paths, the same on every switch but for the seed."""

    mode: Literal["ecmp", "flowlet", "spray", "cluster"] = Field(
        "ecmp",
        description="ecmp: a flow keeps the path its hash chose. flowlet: it may change to the "
        "least loaded one after a pause. spray: each packet chooses; NICs must place what arrives "
        "out of order. cluster: flows are placed one by one (Arista CLB).",
    )
    hash: list[HashField] | None = Field(
        None,
        min_length=1,
        max_length=6,
        description="What the hash is made of; queue-pair is the destination queue pair of RoCE. "
        "Default: addresses, ports and protocol, and queue-pair where those are too few flows and "
        "the switch can.",
    )
    queue_pairs: int | None = Field(
        None,
        ge=1,
        le=128,
        description="Queue pairs per connection that NCCL spreads a NIC's data over; default: as "
        "the catalog has it for the NIC.",
    )
    seeds: HashSeeds = Field(default_factory=HashSeeds, description="Hash seeds by tier.")

    @model_validator(mode="after")
    def _each_once(self) -> "LoadBalancing":
        if self.hash is not None and len(set(self.hash)) != len(self.hash):
            raise PydanticCustomError("value", "a field stands twice in the hash")
        return self
