"""Defines the intent keys of jobs: pools of isolated networks for short-lived work, by slots."""

from netaddr import IPNetwork
from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from fabricgen.intent.model.tenants import Attachment, VlanId
from fabricgen.intent.model.vocabulary import (
    IntentModel,
    JobName,
    Name,
    Network,
    Numbers,
    SafeText,
    VrfName,
)


class Quota(IntentModel):
    """Maximum size of a job, or of all jobs of a pool."""

    servers: int | None = Field(None, ge=1, description="Maximum number of servers.")
    gpus: int | None = Field(None, ge=1, description="Maximum number of GPUs.")


class Job(IntentModel):
    """One job: a VRF of its own on each network, named after the job."""

    slot: int | None = Field(
        None,
        ge=1,
        le=998,
        description="Slot in the pool, which decides the numbers. Without a slot, the compiler "
        "names a free one.",
    )
    description: SafeText | None = Field(None, description="Free text: the description of its VRF.")
    servers: Numbers | None = Field(
        None, description="Numbers of its servers, of the kind in `servers` of the pool."
    )
    unit: int | None = Field(
        None, ge=1, description="Scalable unit of the rails, all of whose servers it takes."
    )
    quota: Quota | None = Field(None, description="Maximum size of this job.")
    attachments: list[Attachment] = Field(
        default_factory=list,
        description="More server ports of the job, as for a tenant. Its VLAN has the name of the "
        "job.",
    )

    @model_validator(mode="after")
    def _one_choice(self) -> "Job":
        if self.servers is not None and self.unit is not None:
            raise PydanticCustomError("value", "give `servers` or `unit`, not both")
        return self


class Subnets(IntentModel):
    """A prefix that is divided into equal subnets, one for each slot."""

    subnets: Network = Field(description="Prefix that is divided into job subnets, one per slot.")
    subnet_length: int | None = Field(
        None,
        ge=8,
        le=126,
        description="Prefix length of one job subnet. Default: 24, or 64 in IPv6.",
    )

    @model_validator(mode="after")
    def _fit(self) -> "Subnets":
        longest = 30 if self.subnets.version == 4 else 126
        if not int(self.subnets.prefixlen) <= self.length <= longest:
            raise PydanticCustomError(
                "value",
                "a job subnet must be a part of {pool} with room for servers; /{length} is not",
                {"pool": str(self.subnets), "length": self.length},
            )
        return self

    def subnet(self, slot: int) -> IPNetwork:
        """Return the subnet of a slot, counted from 1."""
        bits = 32 if self.subnets.version == 4 else 128
        first = int(self.subnets.first) + ((slot - 1) << (bits - self.length))
        return IPNetwork((first, self.length), version=self.subnets.version)

    @property
    def count(self) -> int:
        """Return the number of subnets."""
        return 1 << (self.length - int(self.subnets.prefixlen))

    @property
    def length(self) -> int:
        """Return the prefix length of each subnet."""
        return self.subnet_length or (24 if self.subnets.version == 4 else 64)


class JobRails(IntentModel):
    """Rails of the jobs: each job has a VRF there, with the VRF id of its slot."""

    fabric: Name = Field(description="Fabric of kind rails.")
    idle_vrf: int = Field(
        ge=1, le=999, description="VRF id of the servers that no job and no tenant has."
    )
    local: bool = Field(
        False, description="Each leaf has a separate VRF, as `local` of a tenant's VRF."
    )


class JobStorage(Subnets):
    """Storage network of the jobs, with the VRF id and the VLAN id of the slot."""

    fabric: Name = Field(description="Fabric of kind evpn.")
    port: Name | None = Field(
        None, description="Set of the servers' ports, if several connect to the fabric."
    )
    exports: list[VrfName] = Field(
        default_factory=list,
        description="VRFs of storage servers that every job shares routes with.",
    )

    @model_validator(mode="after")
    def _reached(self) -> "JobStorage":
        if self.subnets.version != 4:
            raise PydanticCustomError(
                "value", "storage of jobs needs IPv4 subnets: servers have no IPv6 routes to it"
            )
        return self


class JobPool(Subnets):
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
    servers: Name | None = Field(
        None, description="Kind of `servers` that the jobs take by `servers` or `unit`."
    )
    port: Name | None = Field(
        None, description="Set of its ports, if several connect to the fabric of the pool."
    )
    rails: JobRails | None = Field(None, description="Rails of the servers, one VRF for a job.")
    storage: JobStorage | None = Field(None, description="Storage network of the servers.")
    quota: Quota | None = Field(None, description="Maximum size of all jobs of the pool together.")
    jobs: dict[JobName, Job] = Field(default_factory=dict, description="Running jobs, by name.")

    @model_validator(mode="after")
    def _room(self) -> "JobPool":
        last = self.slots - 1
        for what, have in (
            ("subnets", self.count),
            ("subnets of `storage`", self.storage.count if self.storage else self.slots),
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

    @model_validator(mode="after")
    def _of_a_kind(self) -> "JobPool":
        if self.servers is None:
            for key in ("port", "rails", "storage", "quota"):
                if getattr(self, key) is not None:
                    raise PydanticCustomError(
                        "value", "`{key}` needs `servers`, the kind of servers", {"key": key}
                    )
        return self

    def shares(self, fabric: str | None, *, vlans: bool) -> bool:
        """Check whether its slots have VLAN ids, or VRF ids, on a fabric; None is the only one."""
        return None in (fabric, self.fabric) or fabric in self.fabrics(vlans=vlans)

    def meets(self, other: "JobPool", *, vlans: bool) -> bool:
        """Check whether both pools have VLAN ids, or VRF ids, on one fabric."""
        mine, theirs = self.fabrics(vlans=vlans), other.fabrics(vlans=vlans)
        return None in (self.fabric, other.fabric) or not mine.isdisjoint(theirs)

    def fabrics(self, *, vlans: bool) -> set[str | None]:
        """Return the fabrics with VLANs, or with VRFs, of its slots."""
        storage = {self.storage.fabric} if self.storage is not None else set()
        rails = {self.rails.fabric} if self.rails is not None and not vlans else set()
        return {self.fabric} | storage | rails
