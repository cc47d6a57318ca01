"""Defines the intent keys of jobs: pools of isolated VRFs, each with one VLAN, and their slots."""

from netaddr import IPNetwork
from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from fabricgen.intent.model.tenants import Attachment, VlanId
from fabricgen.intent.model.vocabulary import IntentModel, JobName, Name, Network, SafeText


class Job(IntentModel):
    """One job: an isolated VRF with one VLAN, both named after the job."""

    slot: int | None = Field(
        None,
        ge=1,
        le=998,
        description="Slot in the pool, which decides the numbers. Without a slot, the compiler "
        "names a free one.",
    )
    description: SafeText | None = Field(None, description="Free text: the description of its VRF.")
    attachments: list[Attachment] = Field(
        default_factory=list,
        description="Server ports of the job, as for a tenant. Its VLAN has the name of the job.",
    )


class JobPool(IntentModel):
    """Numbers and subnets for jobs. Slot n has number n of each."""

    fabric: Name | None = Field(
        None, description="Fabric of the pool. Required if several fabrics are of kind evpn."
    )
    slots: int = Field(ge=1, le=998, description="Maximum number of jobs at a time.")
    vrf_ids: int = Field(
        ge=1, le=999, description="VRF id of slot 1. No tenant may use a VRF id of the pool."
    )
    vlan_ids: VlanId = Field(
        description="VLAN id of slot 1. No tenant may use a VLAN id of the pool."
    )
    subnets: Network = Field(description="Prefix that is divided into job subnets, one per slot.")
    subnet_length: int | None = Field(
        None,
        ge=8,
        le=126,
        description="Prefix length of one job subnet. Default: 24, or 64 in IPv6.",
    )
    jobs: dict[JobName, Job] = Field(default_factory=dict, description="Running jobs, by name.")

    @model_validator(mode="after")
    def _room(self) -> "JobPool":
        longest = 30 if self.subnets.version == 4 else 126
        if not int(self.subnets.prefixlen) <= self.length <= longest:
            raise PydanticCustomError(
                "value",
                "a job subnet must be a part of {pool} with room for servers; /{length} is not",
                {"pool": str(self.subnets), "length": self.length},
            )
        last = self.slots - 1
        for what, have in (
            ("subnets", 1 << (self.length - int(self.subnets.prefixlen))),
            ("VRF ids up to 999", 1000 - self.vrf_ids),
            ("VLAN ids up to 4094", 4095 - self.vlan_ids),
        ):
            if have <= last:
                raise PydanticCustomError(
                    "value",
                    "{slots} slots exceed {have} {what}; lower `slots`",
                    {"slots": self.slots, "have": have, "what": what},
                )
        return self

    def subnet(self, slot: int) -> IPNetwork:
        """Return the subnet of a slot, counted from 1."""
        bits = 32 if self.subnets.version == 4 else 128
        first = int(self.subnets.first) + ((slot - 1) << (bits - self.length))
        return IPNetwork((first, self.length), version=self.subnets.version)

    def shares(self, fabric: str | None) -> bool:
        """Check whether the pool uses a fabric; None is the only fabric."""
        return None in (fabric, self.fabric) or fabric == self.fabric

    @property
    def length(self) -> int:
        """Return the prefix length of each subnet."""
        return self.subnet_length or (24 if self.subnets.version == 4 else 64)
