"""Defines the keys of a file of hardware facts: a switch, a NIC or chips, each with its source.

catalog/data has the same files, so a file of a site can be contributed without changes.
"""

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, ConfigDict, Discriminator, Field, Tag, model_validator
from pydantic_core import PydanticCustomError

from fabricgen.intent.model.vocabulary import IntentModel, SafeText, Speed
from fabricgen.model.catalog.nics import FAMILIES
from fabricgen.model.catalog.optics import Kind, Media

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
        description="Where the facts are read: a document, or a file of a release.",
    ),
]
Name = Annotated[str, Field(pattern=MODEL)]
ModeName = Annotated[str, Field(pattern=MODE)]
LaneCount = Annotated[int, Field(ge=1, le=16)]
Count = Annotated[int, Field(ge=0, le=MOST_BYTES)]
Size = Annotated[int, Field(ge=1, le=MOST_BYTES)]


class AsicFacts(IntentModel):
    """One chip. What no source gives is null: then no budget is proven on it."""

    packet_buffer: Size | None = Field(
        description="Bytes of packet memory that a shipped configuration may use."
    )
    cell: Annotated[int, Field(ge=1, le=65_536)] | None = Field(
        description="Bytes in which the memory is handed out."
    )
    source: Source
    voq: bool = Field(
        False,
        description="Packets wait in virtual output queues: no memory that all ports share.",
    )
    bandwidth: Speed | None = Field(None, description="Of all ports together, for people.")
    confidence: SafeText | None = Field(None, description="How well it is known, for people.")


Meter = Annotated[int, Field(ge=1, le=200_000)]
Spoken = dict[ModeName, SafeText]


class OpticFacts(IntentModel):
    """One optic, or a cable with fixed ends. What no source gives is left out."""

    kind: Kind = Field(description="A module for fiber, or a cable with fixed ends.")
    cages: dict[SafeText, Annotated[Spoken, Field(min_length=1)]] = Field(
        min_length=1,
        max_length=4,
        description="By the form of a cage: what is spoken by each way to use it, as "
        "{2x400G: 400GBASE-DR4}. A cable has its two ends, or one form where they are alike.",
    )
    lanes: LaneCount = Field(description="Electrical lanes of the module.")
    reach: Meter = Field(description="Meters, with all patch panels.")
    less: dict[ModeName, Meter] = Field(
        default_factory=dict, description="Meters of ways to use it that reach less."
    )
    media: Media
    connector: SafeText | None = None
    fibers: int | None = Field(None, ge=1, le=64, description="Of both directions together.")
    wavelength: SafeText | None = None
    fec: SafeText | None = Field(None, description="Forward error correction that it needs.")
    power: float | None = Field(None, gt=0, le=100, description="Watts of one end, at most.")
    loss: float | None = Field(
        None, gt=0, le=50, description="dB that the fiber between may lose, with all panels."
    )
    source: Source

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        spoken = {mode for modes in self.cages.values() for mode in modes}
        for mode in sorted(self.less.keys() - spoken):
            sentence = "`less` has {mode}, which no cage is used as"
            raise PydanticCustomError("value", sentence, {"mode": mode})
        if any(meters > self.reach for meters in self.less.values()):
            raise PydanticCustomError("value", "`less` is more than `reach`")
        if self.kind != "transceiver" and len(self.cages) > len(("near", "far")):
            raise PydanticCustomError("value", "a cable has two ends: give one or two forms")
        return self


class CageRow(IntentModel):
    """Cages of the faceplate that are alike; the first mode is the native one."""

    first: int = Field(ge=1, le=MOST_CAGES)
    last: int = Field(ge=1, le=MOST_CAGES)
    form: SafeText = Field(description="Form factor, as OSFP.")
    lanes: LaneCount
    modes: dict[ModeName, LaneCount] = Field(
        min_length=1,
        description="How a cage is used, as 2x400G, and the lanes of each interface then.",
    )
    service: bool = Field(False, description="Not for fabric and servers.")


class LineFact(IntentModel):
    """How well it is known that a model takes some lines."""

    confidence: Literal["vendor document", "vendor statement", "field configuration", "derived"]
    source: Source


class EosFacts(IntentModel):
    """What EOS needs to know of a model."""

    queue_block: Literal["uc-tx-queue", "tx-queue"] = "tx-queue"
    load_balancing: list[Literal["queue-pair", "flowlet"]] = Field(
        default_factory=list, description="What it is known to choose equal paths by."
    )
    memory: dict[Literal["profile", "pool"], LineFact] = Field(
        default_factory=dict, description="Which lines of `platform trident mmu` it takes."
    )
    tunnels: dict[Literal["dscp", "ecn"], LineFact] = Field(
        default_factory=dict,
        description="Which lines of `vxlan qos` it takes: DSCP both ways, and ECN.",
    )
    gateway: dict[Literal["tunnels"], LineFact] = Field(
        default_factory=dict,
        description="Whether what leaves one of its tunnels enters another, as at EVPN gateways.",
    )
    port_mtu: bool = Field(True, description="Whether it takes an MTU of a single interface.")


class LinuxFacts(IntentModel):
    """What Linux needs to know of a model."""

    driver: SafeText | None = Field(None, description="Kernel driver with DCB, as mlxsw.")
    source: Source | None = None

    @model_validator(mode="after")
    def _sourced(self) -> Self:
        if self.driver is not None and self.source is None:
            raise PydanticCustomError("value", "a driver has a source")
        return self


class Pool(IntentModel):
    """One buffer pool, as a buffers template has it."""

    size: Size
    xoff: Count | None = Field(None, description="Of it, for headroom.")
    mode: Literal["dynamic", "static"]


class Pools(IntentModel):
    """The buffer pools of a hwsku, and the template that they are read from."""

    ingress_lossless_pool: Pool | None = None
    ingress_lossy_pool: Pool | None = None
    egress_lossless_pool: Pool | None = None
    egress_lossy_pool: Pool | None = None
    source: Source


Threshold = Annotated[int, Field(ge=-8, le=8)]


class Profile(IntentModel):
    """One buffer profile, as a buffers template has it."""

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
    Field(min_length=1, description="The mode of each cage, by ranges: 1-32."),
]
Aliases = Annotated[
    dict[Annotated[str, Field(pattern=ALIASED)], Annotated[SafeText, Field(pattern=ALIAS)]],
    Field(
        description="Aliases that do not follow from the port map. Cages and interfaces of each, "
        "1-32/4: a text with {cage}, {letter}, {sub} or {lane}."
    ),
]
TopologyName = Literal["t0", "t1", "t2"]


class MemoryFacts(IntentModel):
    """The packet memory of a hwsku."""

    lacks: SafeText | None = Field(
        None, description="Why it has no packet memory for lossless traffic."
    )
    pools: Pools | None = None
    profiles: dict[SafeText, Profile] = Field(default_factory=dict)
    headroom: list[HeadroomRow] = Field(
        default_factory=list,
        description="Rows of pg_profile_lookup.ini: Mbit/s, meters, size, xon, xoff, threshold, "
        "offset of xon.",
    )
    releases: list[SafeText] = Field(
        default_factory=list, description="The releases in which this holds; left out: all."
    )
    topologies: list[TopologyName] = Field(
        default_factory=list,
        description="The buffers templates: t0 of leafs, t1 of spines, t2 of superspines.",
    )
    aliases: Aliases = Field(default_factory=dict)


class TargetFacts(MemoryFacts):
    """What holds for some releases or topologies alone, in place of what the hwsku says."""

    layout: Layout | None = None
    splits: bool | None = None


class SkuFacts(MemoryFacts):
    """One hwsku: its ports as they ship, and its packet memory."""

    layout: Layout
    splits: bool = Field(description="Whether a cage can be split as platform.json lists.")
    default_topology: TopologyName | None = Field(
        None, description="The template that the hwsku names itself: superspines before 202411."
    )
    targets: list[TargetFacts] = Field(default_factory=list)


class TrafficFacts(IntentModel):
    """What the image computes headroom for, in the dynamic model."""

    releases: list[SafeText] = Field(default_factory=list)
    mtu: Count
    small_packets: Annotated[int, Field(ge=0, le=100)]


def _ports_known(rows: dict[str, Any]) -> dict[str, Any]:
    if not rows:
        raise PydanticCustomError("value", "a port map has a row for every cage")
    return rows


PortRow = Annotated[
    tuple[
        Annotated[str, Field(pattern=PORT)],
        SafeText,
        Annotated[int, Field(ge=0, le=MOST_CAGES)],
        Annotated[str, Field(pattern=LANES)],
    ],
    Field(strict=False, description="Name, alias, index and lanes, as port_config.ini has them."),
]


class SonicFacts(IntentModel):
    """What SONiC needs to know of a model: the port map and its hwskus."""

    platform: SafeText = Field(description="As /host/machine.conf names it.")
    buffer_model: Literal["traditional", "dynamic"]
    name_step: int = Field(ge=1, le=16, description="Numbers between the names of two cages.")
    source: Source
    ports: Annotated[
        dict[Annotated[str, Field(pattern=NUMBER)], PortRow], AfterValidator(_ports_known)
    ]
    pools: Pools | None = None
    breakouts: list[Annotated[str, Field(pattern=BREAKOUT)]] = Field(default_factory=list)
    traffic: list[TrafficFacts] = Field(default_factory=list)
    hwskus: list[SafeText] = Field(
        default_factory=list,
        description="All that SONiC has for the platform, also those that do not stand here.",
    )
    skus: dict[SafeText, SkuFacts] = Field(min_length=1)


class WithoutFacts(IntentModel):
    """A platform that runs on a model, and cannot be configured there."""

    unsupported: SafeText = Field(description="Why, in a sentence.")


TOLD, NOT_TOLD = "told", "not told"
"""What pydantic calls the two kinds of facts of SONiC, in the place of an error."""


def _said_of(value: Any) -> str:
    return NOT_TOLD if isinstance(value, dict) and "unsupported" in value else TOLD


class PlatformFacts(IntentModel):
    """What network OSes need to know of a model; those of other packages have facts of their own.

    One that does not stand here is not rendered for this model.
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
                sentence = "what {name} needs to know is a mapping: {{}} where it is nothing"
                raise PydanticCustomError("value", sentence, {"name": str(name)})
        return value


Draw = Annotated[int, Field(ge=1, le=100_000)]


class WattsFacts(IntentModel):
    """What a switch draws, as its maker prints it. What no source gives is left out."""

    typical: Draw | None = Field(None, description="Without optics, or with passive copper.")
    maximum: Draw | None = Field(None, description="With all that its cages may draw.")
    source: Source


class LatencyFacts(IntentModel):
    """How long a packet takes through an idle switch."""

    nanoseconds: Annotated[int, Field(ge=1, le=1_000_000)] = Field(description="Port to port.")
    source: Source


class SwitchFacts(IntentModel):
    """One switch model."""

    model: Name
    vendor: SafeText
    asic: SafeText = Field(
        description="Its chip: one of the catalog, or `none` and `unknown`, which have no memory."
    )
    source: Source
    rack_units: Annotated[int, Field(ge=1, le=60)] | None = Field(
        None, description="Its height in a rack, in units of 44.45 mm."
    )
    watts: WattsFacts | None = Field(None, description="What it draws.")
    latency: LatencyFacts | None = Field(None, description="How long a packet takes through it.")
    cages: list[CageRow] = Field(min_length=1, max_length=64)
    platforms: PlatformFacts


class MorePlatforms(IntentModel):
    """Platforms that a model of the catalog lacks."""

    model: Name
    platforms: PlatformFacts


class PausedFacts(IntentModel):
    """How many priorities a NIC pauses at once."""

    priorities: int = Field(ge=1, le=8)
    source: Source


class NcclFacts(IntentModel):
    """What NCCL is told of a NIC."""

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
"""Those that `nicctl show dcqcn` has a name for: a setting that cannot be read back is none."""


class NicFacts(IntentModel):
    """One NIC model."""

    model: Name
    vendor: SafeText
    family: Annotated[str, Field(description=f"Whose tools set it: {', '.join(FAMILIES)}.")]
    source: Source
    ports: dict[Annotated[str, Field(pattern=r"^[1-8]$")], Speed] = Field(
        min_length=1, description="Ports of a card, and the fastest speed of each then."
    )
    cages: dict[
        Annotated[str, Field(pattern=r"^[1-8]$")], Annotated[list[SafeText], Field(min_length=1)]
    ] = Field(
        default_factory=dict,
        description="Forms that the cages of a card with so many ports may have.",
    )
    ports_per_cage: dict[
        Annotated[str, Field(pattern=r"^[1-8]$")], Annotated[int, Field(ge=1, le=8)]
    ] = Field(
        default_factory=dict,
        description="Ports that share one cage, and so one optic, of a card with so many ports; "
        "default: 1.",
    )
    speeds: list[Speed] = Field(min_length=1)
    largest_mtu: int = Field(ge=1_280, le=65_535)
    lossless: PausedFacts
    spray: bool = Field(description="It places packets that arrive out of order.")
    spreads: bool = Field(False, description="It sends a queue pair over many paths itself.")
    dcqcn: bool
    nccl: NcclFacts
    firmware: dict[Annotated[str, Field(pattern=SETTING)], Annotated[int, Field(ge=0)]] = Field(
        default_factory=dict, description="What the card keeps, in the words of mlxconfig."
    )
    split: dict[
        Annotated[str, Field(pattern=r"^[1-8]$")], Annotated[str, Field(pattern=SETTINGS)]
    ] = Field(default_factory=dict, description="What makes so many ports of its cage, likewise.")
    rates: dict[RateName, Annotated[int, Field(ge=0)]] = Field(
        default_factory=dict, description="Of DCQCN, in the words of nicctl."
    )

    @model_validator(mode="after")
    def _known_family(self) -> Self:
        if self.family not in FAMILIES:
            raise PydanticCustomError("value", f"the family is one of {', '.join(FAMILIES)}")
        return self
