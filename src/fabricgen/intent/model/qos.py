"""Defines the intent keys of traffic classes: RoCE of a backend, classes of a frontend."""

from typing import Literal

from pydantic import Field

from fabricgen.intent.model.vocabulary import Dscp, IntentModel, Priority

MOST_OVER_SUBSCRIPTION = 16  # maximum oversubscription of a headroom pool

RoceProfileName = Literal[
    "computed",
    "nvidia-roce",
    "sonic-default",
    "arista-ai",
    "arista-ai-leaf",
    "cisco-nexus-ai",
    "juniper-jvd",
    "hpcc-scaled",
    "nvidia-lossy-multi-tc",
]


class Cnp(IntentModel):
    """Congestion notification packets (DCQCN's answer to a mark)."""

    dscp: Dscp = Field(48, description="DSCP that NICs set on CNPs. Default: from the profile.")
    priority: Priority = Field(
        6, description="Traffic class of CNPs, with strict priority and without pause."
    )


class Ecn(IntentModel):
    """ECN marking on the lossless queue. Omitted values come from the profile."""

    enabled: bool = Field(
        True, description="Mark packets. With false, only PFC works (Meta's choice)."
    )
    minimum: int | None = Field(None, ge=1500, le=256_000_000, description="Kmin in bytes.")
    maximum: int | None = Field(None, ge=1500, le=256_000_000, description="Kmax in bytes.")
    probability: int | None = Field(
        None, ge=1, le=100, description="Marking probability at Kmax, %."
    )


class Storage(IntentModel):
    """A second lossless class, for storage (NVMe-oF, GPUDirect) that shares the backend.

    DSCP 4 in priority 4 next to RoCE data, with equal weights of the sharing queues, has two
    sources: `roce enable` in Dell's Enterprise SONiC, printed in ROCm's guide to cluster
    networking, and SONiC's AZURE maps (files/build_templates/qos_config.j2: DSCP 3 and 4, lossless
    3 and 4).
    """

    dscp: Dscp = Field(4, description="DSCP of storage traffic.")
    priority: Priority = Field(4, description="Priority that PFC pauses, and traffic class.")
    share: int = Field(
        33,
        ge=1,
        le=98,
        description="Share of the storage queue in %. Without `roce.scheduler`, the profile's "
        "shares are scaled to the rest. With it, the three shares add up to 100.",
    )
    ecn: Ecn = Field(default_factory=Ecn, description="ECN marking of storage traffic.")


class Trimming(IntentModel):
    """Packet trimming: a full queue sends the start of a packet instead of dropping it.

    NVIDIA's profile packet-trim-default has the same values (CumulusNetworks/docs
    cumulus-linux-514 Packet-Trimming.md).
    """

    size: int = Field(256, ge=64, le=4084, description="Bytes that remain of a trimmed packet.")
    dscp: Dscp = Field(11, description="DSCP of trimmed packets, by which NICs recognize them.")
    priority: Priority = Field(
        4, description="Traffic class of trimmed packets, with strict priority."
    )


class Watchdog(IntentModel):
    """PFC watchdog: reaction of a switch to a neighbor that pauses for too long.

    Omitted timers come from the profile, if it has any.
    """

    enabled: bool = Field(True, description="Watch the lossless queues.")
    action: Literal["drop", "forward"] = Field(
        "drop", description="Action on traffic of a stuck queue."
    )
    poll: int = Field(100, ge=100, le=1000, description="Polling interval in ms.")
    detection: int = Field(
        200, ge=100, le=5000, description="Pause time that counts as stuck, in ms."
    )
    restoration: int = Field(
        200, ge=100, le=60_000, description="Quiet time before normal operation, in ms."
    )


class Scheduler(IntentModel):
    """Bandwidth shares of the queues without strict priority, in percent; they add up to 100.

    The share of a storage class counts as well.
    """

    lossless: int = Field(ge=1, le=99, description="Share of the lossless queue in %.")
    best_effort: int = Field(ge=1, le=99, description="Share of all other traffic in %.")


class Roce(IntentModel):
    """The lossless class: one DSCP, one priority, the same on every switch and NIC."""

    enabled: bool = Field(True, description="Build the lossless class.")
    profile: RoceProfileName = Field(
        "computed",
        description="`computed`: ECN from speed, distance and packet memory. Other profiles are "
        "published numbers that fill omitted keys below.",
    )
    dscp: Dscp = Field(
        26, description="DSCP that NICs set on RoCE data. Default: from the profile, if it has one."
    )
    priority: Priority = Field(3, description="Priority that PFC pauses, and traffic class.")
    cnp: Cnp = Field(default_factory=Cnp, description="The class of congestion notifications.")
    storage: Storage | None = Field(
        None, description="A second lossless class for storage, paused separately. Default: none."
    )
    pfc: bool = Field(True, description="Pause the lossless priorities instead of dropping.")
    trimming: Trimming | None = Field(
        None,
        description="Trim packets of the RoCE classes that a full queue would drop. It needs "
        "`pfc: false`. Default: from the profile, else none.",
    )
    ecn: Ecn = Field(default_factory=Ecn, description="ECN marking.")
    watchdog: Watchdog = Field(default_factory=Watchdog, description="PFC watchdog.")
    alpha: int | None = Field(
        None,
        ge=-8,
        le=7,
        description="Threshold exponent n: a lossless group may hold 2^n times the free memory. "
        "Default: the value that the model ships with, else 0.",
    )
    pause_response: Literal["shipped", "conservative"] | None = Field(
        None,
        description="Time for which an 800G peer may still send after a pause. SONiC ships 905 "
        "quanta; 1810 quanta keep the time of 400G. Default: the value of the chip's table.",
    )
    over_subscription: int = Field(
        4,
        ge=1,
        le=MOST_OVER_SUBSCRIPTION,
        description="Maximum ratio of the headroom of all ports to their shared pool. Shipped "
        "tables reach 3.2 (Trident 3) and 2.7 (Tomahawk 5) with every port lossless, "
        "and twice that with SONiC's two lossless classes.",
    )
    congested_ingresses: int | None = Field(
        None,
        ge=1,
        le=512,
        description="Ingress ports that feed one queue at once, in equal parts. Marking must end "
        "before they are paused. Default: 1. If nothing fits and no port is faster "
        "than the queue, the default is 2, the fewest that fill it.",
    )
    scheduler: Scheduler | None = Field(
        None, description="Queue shares. Default: from the profile."
    )
