"""Defines the intent keys by which a backend spreads packets over ECMP paths."""

from typing import Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from fabricgen.intent.model.vocabulary import IntentModel

HashField = Literal[
    "source-ip", "destination-ip", "protocol", "source-port", "destination-port", "queue-pair"
]
Seed = Field(
    None,
    ge=0,
    le=4_294_967_295,
    description="Hash seed of this tier. Default: the value that SONiC ships.",
)


class HashSeeds(IntentModel):
    """Hash seed of each tier. Two tiers with one seed choose the same paths (polarization)."""

    leaf: int | None = Seed
    spine: int | None = Seed
    superspine: int | None = Seed


class LoadBalancing(IntentModel):
    """Distribution of packets over ECMP paths, the same on all switches except the seed."""

    mode: Literal["ecmp", "flowlet", "spray", "cluster"] = Field(
        "ecmp",
        description="`ecmp`: a flow keeps the path that its hash chose. `flowlet`: after a pause, "
        "a flow may move to the least loaded path. `spray`: each packet chooses a path, and NICs "
        "must reorder. `cluster`: flows are placed individually (Arista CLB).",
    )
    hash: list[HashField] | None = Field(
        None,
        min_length=1,
        max_length=6,
        description="Hash fields. queue-pair is the destination queue pair of RoCE. Default: "
        "addresses, ports and protocol, plus queue-pair where these give too few "
        "flows and the switch supports it.",
    )
    queue_pairs: int | None = Field(
        None,
        ge=1,
        le=128,
        description="Queue pairs per connection over which NCCL spreads the data of a NIC. "
        "Default: the NIC's value in the catalog.",
    )
    seeds: HashSeeds = Field(default_factory=HashSeeds, description="Hash seeds by tier.")

    @model_validator(mode="after")
    def _each_once(self) -> "LoadBalancing":
        if self.hash is not None and len(set(self.hash)) != len(self.hash):
            raise PydanticCustomError("value", "a field is listed twice in the hash; remove one")
        return self
