"""Defines the keys of hardware facts: a switch, a NIC or chips, each with its source.

catalog/data has the same format, so a site's file can be contributed without changes.
"""

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, ConfigDict, Discriminator, Field, Tag, model_validator
from pydantic_core import PydanticCustomError

from fabricgen.intent.model.vocabulary import IntentModel, SafeText, Speed
from fabricgen.model.catalog.nics import FAMILIES

MODEL = r"^[A-Za-z0-9][A-Za-z0-9 ._+/-]{0,38}[A-Za-z0-9]$"
MODE = r"^[1-8]x[1-9][0-9]{0,3}(\.[0-9])?[MGT]$"
NUMBER = r"^[1-9][0-9]{0,3}$"
SPAN = r"^[1-9][0-9]{0,3}(-[1-9][0-9]{0,3})?$"
ALIASED = r"^[1-9][0-9]{0,3}(-[1-9][0-9]{0,3})?/[1-8]$"
ALIAS = r"^([A-Za-z0-9/():_-]|\{(cage|letter|sub|lane)\}){1,64}$"
BREAKOUT = r"^[1-8]x[0-9.]+[MGT]?(\([0-9]+\))?(\[[0-9.,MGT]+\])?(\([0-9]+\))?$"
PORT = r"^Ethernet(0|[1-9][0-9]{0,4})$"
LANES = r"^[0-9]{1,5}(,[0-9]{1,5}){0,15}$"
SETTING = r"^[A-Z][A-Z0-9_]{0,63}$"
SETTINGS = r"^[A-Z][A-Z0-9_]*(\[[0-9.]+\])?=[0-9A-F]+( [A-Z][A-Z0-9_]*(\[[0-9.]+\])?=[0-9A-F]+)*$"
MOST_CAGES = 1_024
MOST_BYTES = 10**12

Source = Annotated[
    str,
    Field(
        min_length=8,
        max_length=1_000,
        description="Source of the facts: a document, or a file of a release.",
    ),
]
Name = Annotated[str, Field(pattern=MODEL)]
ModeName = Annotated[str, Field(pattern=MODE)]
LaneCount = Annotated[int, Field(ge=1, le=16)]
Count = Annotated[int, Field(ge=0, le=MOST_BYTES)]
Size = Annotated[int, Field(ge=1, le=MOST_BYTES)]


class AsicFacts(IntentModel):
    """One chip. A null value has no source, so no budget is computed with it."""

    packet_buffer: Size | None = Field(
        description="Packet memory in bytes that a shipped configuration may use."
    )
    cell: Annotated[int, Field(ge=1, le=65_536)] | None = Field(
        description="Allocation unit of the memory in bytes."
    )
    source: Source
    voq: bool = Field(
        False,
        description="Whether packets wait in virtual output queues. Ports then share no memory.",
    )
    bandwidth: Speed | None = Field(
        None, description="Total bandwidth of all ports, for information."
    )
    confidence: SafeText | None = Field(
        None, description="Confidence in the facts, for information."
    )


class CageRow(IntentModel):
    """Faceplate cages of one type. The first mode is the native one."""

    first: int = Field(ge=1, le=MOST_CAGES)
    last: int = Field(ge=1, le=MOST_CAGES)
    form: SafeText = Field(description="Form factor, for example OSFP.")
    lanes: LaneCount
    modes: dict[ModeName, LaneCount] = Field(
        min_length=1,
        description="Modes of a cage, for example 2x400G, with the lanes of each interface.",
    )
    service: bool = Field(
        False, description="Service cages, unavailable for fabric links and servers."
    )


class LineFact(IntentModel):
    """Confidence that a model supports some lines."""

    confidence: Literal["vendor document", "vendor statement", "field configuration", "derived"]
    source: Source


class EosFacts(IntentModel):
    """Facts about a model on EOS."""

    queue_block: Literal["uc-tx-queue", "tx-queue"] = "tx-queue"
    load_balancing: list[Literal["queue-pair", "flowlet"]] = Field(
        default_factory=list, description="Supported load balancing methods."
    )
    memory: dict[Literal["profile", "pool"], LineFact] = Field(
        default_factory=dict, description="Supported lines of `platform trident mmu`."
    )
    tunnels: dict[Literal["dscp", "ecn"], LineFact] = Field(
        default_factory=dict,
        description="Supported lines of `vxlan qos`: DSCP in both directions, and ECN.",
    )
    gateway: dict[Literal["tunnels"], LineFact] = Field(
        default_factory=dict,
        description="Whether traffic from one tunnel can enter another, as at EVPN gateways.",
    )
    port_mtu: bool = Field(True, description="Whether a single interface can have its own MTU.")


class LinuxFacts(IntentModel):
    """Facts about a model on Linux."""

    driver: SafeText | None = Field(
        None, description="Kernel driver with DCB support, for example mlxsw."
    )
    source: Source | None = None

    @model_validator(mode="after")
    def _sourced(self) -> Self:
        if self.driver is not None and self.source is None:
            raise PydanticCustomError("value", "a `driver` needs a `source`")
        return self


class Pool(IntentModel):
    """One buffer pool, as in a buffers template."""

    size: Size
    xoff: Count | None = Field(None, description="Headroom part of the pool.")
    mode: Literal["dynamic", "static"]


class Pools(IntentModel):
    """The buffer pools of a hwsku, and the source template."""

    ingress_lossless_pool: Pool | None = None
    ingress_lossy_pool: Pool | None = None
    egress_lossless_pool: Pool | None = None
    egress_lossy_pool: Pool | None = None
    lossy_pool: Pool | None = Field(
        None, description="Pool of lossy traffic in both directions, as Teralynx templates have it."
    )
    source: Source


Threshold = Annotated[int, Field(ge=-8, le=8)]


class Profile(IntentModel):
    """One buffer profile, as in a buffers template."""

    pool: SafeText
    size: Count
    static_th: Count | None = None
    dynamic_th: Threshold | None = None


HeadroomRow = Annotated[
    tuple[
        Annotated[int, Field(ge=100, le=10_000_000)],
        Annotated[int, Field(ge=1, le=200_000)],
        Count,
        Count,
        Size,
        Threshold,
        Count | None,
    ],
    Field(strict=False),
]


Layout = Annotated[
    dict[Annotated[str, Field(pattern=SPAN)], ModeName],
    Field(min_length=1, description="Mode of each cage, by ranges such as 1-32."),
]
Aliases = Annotated[
    dict[Annotated[str, Field(pattern=ALIASED)], Annotated[SafeText, Field(pattern=ALIAS)]],
    Field(
        description="Aliases that do not follow from the port map, by cages and their interface "
        "count, for example 1-32/4. The text has {cage}, {letter}, {sub} or {lane}."
    ),
]
TopologyName = Literal["t0", "t1", "t2"]


class MemoryFacts(IntentModel):
    """The packet memory of a hwsku."""

    lacks: SafeText | None = Field(
        None, description="Reason why the hwsku has no packet memory for lossless traffic."
    )
    pools: Pools | None = None
    profiles: dict[SafeText, Profile] = Field(default_factory=dict)
    headroom: list[HeadroomRow] = Field(
        default_factory=list,
        description="Rows of pg_profile_lookup.ini: Mbit/s, meters, size, xon, xoff, threshold, "
        "xon offset.",
    )
    releases: list[SafeText] = Field(
        default_factory=list, description="Releases in which this holds. Default: all releases."
    )
    topologies: list[TopologyName] = Field(
        default_factory=list,
        description="Buffers templates: t0 for leafs, t1 for spines, t2 for superspines.",
    )
    aliases: Aliases = Field(default_factory=dict)


class TargetFacts(MemoryFacts):
    """Facts for some releases or topologies only; they replace the facts of the hwsku."""

    layout: Layout | None = None
    splits: bool | None = None


class SkuFacts(MemoryFacts):
    """One hwsku: its shipped ports and its packet memory."""

    layout: Layout
    splits: bool = Field(description="Whether cages can be split as platform.json lists.")
    default_topology: TopologyName | None = Field(
        None, description="Default template of the hwsku; superspines use it before 202411."
    )
    targets: list[TargetFacts] = Field(default_factory=list)


class TrafficFacts(IntentModel):
    """Parameters for which the image computes headroom in the dynamic model."""

    releases: list[SafeText] = Field(default_factory=list)
    mtu: Count
    small_packets: Annotated[int, Field(ge=0, le=100)]


def _ports_known(rows: dict[str, Any]) -> dict[str, Any]:
    if not rows:
        raise PydanticCustomError("value", "the port map needs a row for every cage")
    return rows


PortRow = Annotated[
    tuple[
        Annotated[str, Field(pattern=PORT)],
        SafeText,
        Annotated[int, Field(ge=0, le=MOST_CAGES)],
        Annotated[str, Field(pattern=LANES)],
    ],
    Field(strict=False, description="Name, alias, index and lanes, as in port_config.ini."),
]


class SonicFacts(IntentModel):
    """Facts about a model on SONiC: the port map and its hwskus."""

    platform: SafeText = Field(description="Platform name, as in /host/machine.conf.")
    buffer_model: Literal["traditional", "dynamic"]
    name_step: int = Field(
        ge=1, le=16, description="Number distance between the names of two neighboring cages."
    )
    source: Source
    ports: Annotated[
        dict[Annotated[str, Field(pattern=NUMBER)], PortRow], AfterValidator(_ports_known)
    ]
    pools: Pools | None = None
    breakouts: list[Annotated[str, Field(pattern=BREAKOUT)]] = Field(default_factory=list)
    traffic: list[TrafficFacts] = Field(default_factory=list)
    hwskus: list[SafeText] = Field(
        default_factory=list,
        description="All hwskus of the platform in SONiC, including those without facts here.",
    )
    skus: dict[SafeText, SkuFacts] = Field(min_length=1)


class WithoutFacts(IntentModel):
    """A platform that runs on a model but cannot be configured there."""

    unsupported: SafeText = Field(description="Reason, as one sentence.")


TOLD, NOT_TOLD = "told", "must be one of the listed values"
"""Names that pydantic gives to both types of SONiC facts in the path of an error."""


def _said_of(value: Any) -> str:
    return NOT_TOLD if isinstance(value, dict) and "unsupported" in value else TOLD


class PlatformFacts(IntentModel):
    """Facts about a model by network OS. Platforms of other packages add their own.

    fabricgen does not render a model for a platform without facts.
    """

    model_config = ConfigDict(extra="allow")

    eos: EosFacts | None = None
    sonic: (
        Annotated[
            Annotated[SonicFacts, Tag(TOLD)] | Annotated[WithoutFacts, Tag(NOT_TOLD)],
            Discriminator(_said_of),
        ]
        | None
    ) = None
    linux: LinuxFacts | None = None

    @model_validator(mode="before")
    @classmethod
    def _mappings(cls, value: Any) -> Any:
        for name, facts in value.items() if isinstance(value, dict) else ():
            if not isinstance(facts, dict):
                sentence = "the facts of {name} must be a mapping; use {{}} if there are none"
                raise PydanticCustomError("value", sentence, {"name": str(name)})
        return value


Draw = Annotated[int, Field(ge=1, le=100_000)]


class WattsFacts(IntentModel):
    """Power of a switch, as its vendor documents it. Values without a source are omitted."""

    typical: Draw | None = Field(None, description="Watts without optics, or with passive copper.")
    maximum: Draw | None = Field(None, description="Watts with the maximum load of all cages.")
    source: Source


class LatencyFacts(IntentModel):
    """Delay of a packet through an idle switch."""

    nanoseconds: Annotated[int, Field(ge=1, le=1_000_000)] = Field(
        description="Nanoseconds from port to port."
    )
    source: Source


class SwitchFacts(IntentModel):
    """One switch model."""

    model: Name
    vendor: SafeText
    asic: SafeText = Field(
        description="Chip from the catalog, or `none` or `unknown`, which have no memory."
    )
    source: Source
    rack_units: Annotated[int, Field(ge=1, le=60)] | None = Field(
        None, description="Height in rack units of 44.45 mm."
    )
    watts: WattsFacts | None = Field(None, description="Power of the switch.")
    latency: LatencyFacts | None = Field(None, description="Delay of a packet through the switch.")
    cages: list[CageRow] = Field(min_length=1, max_length=64)
    platforms: PlatformFacts


class PausedFacts(IntentModel):
    """Number of priorities that a NIC pauses at once."""

    priorities: int = Field(ge=1, le=8)
    source: Source


class TrimmedFacts(IntentModel):
    """Packet trimming of a NIC."""

    dscp: int = Field(ge=0, le=63, description="DSCP by which the NIC recognizes trimmed packets.")
    source: Source


class NcclFacts(IntentModel):
    """NCCL settings of a NIC."""

    gid_index: int = Field(ge=0, le=255)
    ecn_bits: int = Field(ge=0, le=3)
    queue_pairs: int = Field(ge=1, le=128)


RateName = Literal[
    "token-bucket-size",
    "ai-rate",
    "alpha-update-interval",
    "alpha-update-g",
    "initial-alpha-value",
    "rate-increase-byte-count",
    "hai-rate",
    "rate-reduce-monitor-period",
    "rate-increase-threshold",
    "rate-increase-interval",
]
"""Settings that `nicctl show dcqcn` names; a setting that cannot be read back is not supported."""


class NicFacts(IntentModel):
    """One NIC model."""

    model: Name
    vendor: SafeText
    family: Annotated[
        str, Field(description=f"Family whose tools configure the NIC: {', '.join(FAMILIES)}.")
    ]
    source: Source
    ports: dict[Annotated[str, Field(pattern=r"^[1-8]$")], Speed] = Field(
        min_length=1,
        description="Ports of a card, and the maximum speed of each port at that count.",
    )
    cages: dict[
        Annotated[str, Field(pattern=r"^[1-8]$")], Annotated[list[SafeText], Field(min_length=1)]
    ] = Field(default_factory=dict, description="Possible cage forms of a card, by port count.")
    ports_per_cage: dict[
        Annotated[str, Field(pattern=r"^[1-8]$")], Annotated[int, Field(ge=1, le=8)]
    ] = Field(
        default_factory=dict,
        description="Ports that share one cage, and so one optic, by port count of the card. "
        "Default: 1.",
    )
    speeds: list[Speed] = Field(min_length=1)
    largest_mtu: int = Field(ge=1_280, le=65_535)
    lossless: PausedFacts
    spray: bool = Field(description="Whether the NIC reorders packets that arrive out of order.")
    spreads: bool = Field(
        False, description="Whether the NIC itself sends a queue pair over many paths."
    )
    dcqcn: bool
    trimmed: TrimmedFacts | None = Field(
        None, description="Packet trimming. Default: no source states that the NIC supports it."
    )
    nccl: NcclFacts
    firmware: dict[Annotated[str, Field(pattern=SETTING)], Annotated[int, Field(ge=0)]] = Field(
        default_factory=dict, description="Persistent firmware settings, as mlxconfig names them."
    )
    split: dict[
        Annotated[str, Field(pattern=r"^[1-8]$")], Annotated[str, Field(pattern=SETTINGS)]
    ] = Field(
        default_factory=dict,
        description="mlxconfig settings that split its cage into this many ports.",
    )
    rates: dict[RateName, Annotated[int, Field(ge=0)]] = Field(
        default_factory=dict, description="DCQCN settings, as nicctl names them."
    )

    @model_validator(mode="after")
    def _known_family(self) -> Self:
        if self.family not in FAMILIES:
            raise PydanticCustomError("value", f"the family must be one of {', '.join(FAMILIES)}")
        return self
