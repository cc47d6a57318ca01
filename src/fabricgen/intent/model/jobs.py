"""Defines the intent keys of jobs: pools of isolated VRFs, each with one VLAN, and their slots."""

from netaddr import IPNetwork
from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from fabricgen.intent.model.tenants import Attachment, VlanId
from fabricgen.intent.model.vocabulary import IntentModel, JobName, Name, Network, SafeText


class Job(IntentModel):
    """One job: a VRF and a VLAN of its name, apart from all others while it runs."""

    slot: int | None = Field(
        None,
        ge=1,
        le=998,
        description="Its place in the pool, from which its numbers follow; without one the "
        "compiler says which is free.",
    )
    description: SafeText | None = Field(None, description="Free text: the description of its VRF.")
    attachments: list[Attachment] = Field(
        default_factory=list,
        description="Its servers' ports, as those of a tenant; its VLAN has the name of the job.",
    )


class JobPool(IntentModel):
    """Numbers and subnets for jobs: slot n has the n-th of each."""

    fabric: Name | None = Field(
        None, description="Fabric it lives on; needed where several are of kind evpn."
    )
    slots: int = Field(ge=1, le=998, description="How many jobs may run at once.")
    vrf_ids: int = Field(
        ge=1, le=999, description="VRF id of slot 1; no tenant may have one of the pool's."
    )
    vlan_ids: VlanId = Field(description="VLAN id of slot 1; no tenant may have one of the pool's.")
    subnets: Network = Field(description="Where the jobs' subnets are cut from, slot by slot.")
    subnet_length: int | None = Field(
        None, ge=8, le=126, description="Length of one job's subnet; default: 24, in IPv6 64."
    )
    jobs: dict[JobName, Job] = Field(default_factory=dict, description="Jobs that run, by name.")

    @model_validator(mode="after")
    def _room(self) -> "JobPool":
        longest = 30 if self.subnets.version == 4 else 126
        if not int(self.subnets.prefixlen) <= self.length <= longest:
            raise PydanticCustomError(
                "value",
                "a job's subnet is a part of {pool} with room for servers, and /{length} is none",
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
                    "{slots} slots, and {have} {what}",
                    {"slots": self.slots, "have": have, "what": what},
                )
        return self

    def subnet(self, slot: int) -> IPNetwork:
        """Return the subnet of a slot, counted from 1."""
        bits = 32 if self.subnets.version == 4 else 128
        first = int(self.subnets.first) + ((slot - 1) << (bits - self.length))
        return IPNetwork((first, self.length), version=self.subnets.version)

    def shares(self, fabric: str | None) -> bool:
        """Tell whether it lives on a fabric; None: on the only one."""
        return None in (fabric, self.fabric) or fabric == self.fabric

    @property
    def length(self) -> int:
        """Return the length of each subnet."""
        return self.subnet_length or (24 if self.subnets.version == 4 else 64)
