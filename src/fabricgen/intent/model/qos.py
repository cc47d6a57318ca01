"""Defines the intent keys of traffic classes: RoCE of a backend, classes of a frontend."""

from typing import Literal

from pydantic import Field

from fabricgen.intent.model.vocabulary import Dscp, IntentModel, Priority

MOST_OVER_SUBSCRIPTION = 16  # of a headroom pool that may be asked for

RoceProfileName = Literal[
    "computed",
    "nvidia-roce",
    "sonic-default",
    "arista-ai",
    "arista-ai-leaf",
    "cisco-nexus-ai",
    "juniper-jvd",
    "hpcc-scaled",
]


class Cnp(IntentModel):
    """Congestion notification packets (DCQCN's answer to a mark)."""

    dscp: Dscp = Field(48, description="DSCP that NICs put on CNPs; left out, the profile's.")
    priority: Priority = Field(6, description="Traffic class of CNPs; strict, never paused.")


class Ecn(IntentModel):
    """ECN marking on the lossless queue. Left out, the profile's numbers hold."""

    enabled: bool = Field(True, description="Mark; false keeps PFC alone (Meta's choice).")
    minimum: int | None = Field(None, ge=1500, le=256_000_000, description="Kmin in bytes.")
    maximum: int | None = Field(None, ge=1500, le=256_000_000, description="Kmax in bytes.")
    probability: int | None = Field(
        None, ge=1, le=100, description="Marking probability at Kmax, %."
    )


class Storage(IntentModel):
    """A second lossless class, for storage (NVMe-oF, GPUDirect) that shares the backend.

    DSCP 4 in priority 4 beside RoCE data, and the same weight for all queues that share: what
    Dell's Enterprise SONiC makes of `roce enable` (ROCm's guide to cluster networking prints it)
    and SONiC's own AZURE maps (files/build_templates/qos_config.j2: DSCP 3 and 4, lossless 3 and
    4).
    """

    dscp: Dscp = Field(4, description="DSCP that storage traffic carries.")
    priority: Priority = Field(4, description="Priority that PFC pauses; also the traffic class.")
    share: int = Field(
        33,
        ge=1,
        le=98,
        description="Share of the storage queue in %. Without `roce.scheduler` the profile's "
        "shares are scaled to what is left; with it, the three add up to 100.",
    )
    ecn: Ecn = Field(default_factory=Ecn, description="ECN marking of storage traffic.")


class Watchdog(IntentModel):
    """PFC watchdog: what a switch does when a neighbor pauses for too long.

    Timers that are left out are the profile's, if it has any.
    """

    enabled: bool = Field(True, description="Watch the lossless queues.")
    action: Literal["drop", "forward"] = Field("drop", description="What happens to stuck traffic.")
    poll: int = Field(100, ge=100, le=1000, description="Polling interval in ms.")
    detection: int = Field(200, ge=100, le=5000, description="Pause time that counts as stuck, ms.")
    restoration: int = Field(200, ge=100, le=60_000, description="Quiet time until normal, ms.")


class Scheduler(IntentModel):
    """Bandwidth shares of the queues that are not strict, in percent; they add up to 100.

    The share of a storage class counts with them.
    """

    lossless: int = Field(ge=1, le=99, description="Share of the lossless queue in %.")
    best_effort: int = Field(ge=1, le=99, description="Share of everything else in %.")


class Roce(IntentModel):
    """The lossless class: one DSCP, one priority, the same on every switch and NIC."""

    enabled: bool = Field(True, description="Build the lossless class at all.")
    profile: RoceProfileName = Field(
        "computed",
        description="computed: ECN from speed, distance and packet memory; or a named set of "
        "published numbers, which fill the keys below that are left out.",
    )
    dscp: Dscp = Field(
        26, description="DSCP that NICs put on RoCE data; left out, the profile's, if it has one."
    )
    priority: Priority = Field(3, description="Priority that PFC pauses; also the traffic class.")
    cnp: Cnp = Field(default_factory=Cnp, description="The class of congestion notifications.")
    storage: Storage | None = Field(
        None, description="A second lossless class for storage, paused on its own; default: none."
    )
    pfc: bool = Field(True, description="Pause the lossless priorities instead of dropping.")
    ecn: Ecn = Field(default_factory=Ecn, description="ECN marking.")
    watchdog: Watchdog = Field(default_factory=Watchdog, description="PFC watchdog.")
    alpha: int | None = Field(
        None,
        ge=-8,
        le=7,
        description="Threshold 2^n: a lossless group may hold that many times what is free. "
        "Default: as the model ships, else 2^0.",
    )
    pause_response: Literal["shipped", "conservative"] | None = Field(
        None,
        description="How long an 800G peer may go on after pause: the 905 quanta that SONiC ships, "
        "or the 1810 that keep the time of 400G. Default: what the chip's own table goes by.",
    )
    over_subscription: int = Field(
        4,
        ge=1,
        le=MOST_OVER_SUBSCRIPTION,
        description="How far the headroom of all ports may exceed the pool they share. Shipped "
        "tables reach 3.2 (Trident 3) and 2.7 (Tomahawk 5) when every port is lossless, and twice "
        "that with the two lossless classes SONiC ships them for.",
    )
    congested_ingresses: int | None = Field(
        None,
        ge=1,
        le=512,
        description="Ingress ports that feed one queue at once, in equal parts; marking must end "
        "before they are paused. Default: 1; where nothing fits below that and no port of the "
        "switch is faster than the queue, 2, the fewest that then fill it.",
    )
    scheduler: Scheduler | None = Field(None, description="Queue shares; default: the profile's.")
