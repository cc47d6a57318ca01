"""Build the switches of a Clos tier and the links between two tiers."""

from collections.abc import Iterable, Mapping

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.wiring.faceplate import Faceplate
from fabricgen.compile.design.wiring.naming import PATTERN_WORDS, Namer, namer_of
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond, Meters
from fabricgen.intent.model.access import Access
from fabricgen.intent.model.backend import Backend, GpuServers
from fabricgen.intent.model.frontend import Frontend, RackServers
from fabricgen.intent.model.hardware import Links, SwitchException, SwitchRole, runs_on
from fabricgen.intent.model.intent import AnyFabric
from fabricgen.intent.model.routed import Routed, SideServers
from fabricgen.intent.model.servers import PortSet
from fabricgen.intent.paths import at
from fabricgen.model.catalog.switches import SwitchModel, running_as
from fabricgen.model.catalog.targets import target_of
from fabricgen.model.fabric.topology import Domain, Link, Port, Role, Server, Switch


def length_of(words: GpuServers | RackServers | SideServers | PortSet | Links) -> Meters:
    """Return the length of cables; 0 where it was refused: no port and no address needs it."""
    key = "length" if isinstance(words, Links) else "cable_length"
    return Meters(words.unless_refused(key) or 0)


@record(kw_only=True)
class Tier:
    """One tier above another: `count` switches (of `slots` reserved), `per_pair` links of `speed`.

    A lower switch has `slots * per_pair` uplinks; slot s takes uplinks s*per_pair and on.
    """

    face: Faceplate
    speed: BitsPerSecond
    count: int
    slots: int
    per_pair: int


@record(kw_only=True)
class UpperTiers:
    """The tiers above the leafs; a design with fewer has None."""

    spines: Tier | None = None
    superspines: Tier | None = None

    @property
    def tiers(self) -> Mapping[Role, Tier]:
        """Return the tiers that there are, by role."""
        both = {Role.SPINE: self.spines, Role.SUPERSPINE: self.superspines}
        return {role: tier for role, tier in both.items() if tier is not None}


@record(kw_only=True)
class Seat:
    """The coordinates of a switch, as `Switch` has them. Its name follows from them."""

    ordinal: int
    index: int
    plane: int = 1
    pod: int = 1
    unit: int = 0
    rails: tuple[int, ...] = ()
    group: str = ""
    domain: Domain | None = None


@record(kw_only=True)
class Row:
    """The switches of a role. default: their name pattern where the intent has none."""

    words: AnyFabric
    role: Role
    default: str
    site: str

    @property
    def namer(self) -> Namer:
        """Return the namer of its switches."""
        return namer_of(self.words, self.role, self.default, self.site)

    def switch(
        self, hardware: SwitchRole, ports: tuple[Port, ...], seat: Seat, because: Provenance
    ) -> Switch:
        """Return the switch of these coordinates, with its pins by name."""
        coordinates: dict[str, str | int] = {
            "plane": seat.plane,
            "pod": seat.pod,
            "unit": seat.unit,
            "rail": seat.rails[0] if seat.rails else 0,
            "index": seat.index,
            "group": seat.group,
            "number": seat.ordinal + 1 if self.role is Role.LEAF else seat.index,
        }
        known = PATTERN_WORDS[self.words.kind][self.role]
        name = self.namer(**{key: coordinates[key] for key in known - {"site"}})
        words = self.words
        exception = words.switches.get(name)
        platform, release = runs_on(hardware, exception)
        if exception:
            first, *rest = because.paths
            said = at(*words.at("switches", name))
            because = Provenance((first, said, *rest), because.rule)
        hostname = exception.unless_refused("hostname") if exception else None
        return Switch(
            name=hostname or name,
            said=name if hostname else "",
            fabric=words.name,
            role=self.role,
            plane=seat.plane,
            pod=seat.pod,
            unit=seat.unit,
            index=seat.index,
            ordinal=seat.ordinal,
            model=_model(words, hardware, exception, self.role),
            platform=platform,
            release=release,
            ports=ports,
            rails=seat.rails,
            group=seat.group,
            because=because,
            domain=seat.domain,
        )


def _model(
    words: AnyFabric, hardware: SwitchRole, exception: SwitchException | None, role: Role
) -> SwitchModel:
    """Return the model of a switch; a check reports an unknown model."""
    said = exception.unless_refused("model") if exception else None
    hwsku = exception.unless_refused("hwsku") if exception else None
    model = words.catalog.switch(said) if said else None
    if model is None:
        model, hwsku = words.catalog.known(hardware.model), hwsku or hardware.hwsku
    platform, release = runs_on(hardware, exception)
    if platform not in model.skus:
        return running_as(model, hwsku, model.target) if hwsku else model
    return running_as(model, hwsku, target_of(role, release))


@record(kw_only=True)
class Cabling:
    """Connection of the switches of a tier to the tier above, the same for every pair."""

    words: AnyFabric
    tier: Tier
    uplinks: int
    because: Provenance

    def pair(
        self, lower: Switch, up: tuple[Port, ...], upper: Switch, slot: int, place: int
    ) -> list[Link]:
        """Cable one pair: uplinks of the upper's slot to the ports kept for the lower's place.

        uplinks: how many each lower switch may have; they number the links of a fabric.
        """
        each, length = self.tier.per_pair, length_of(self.words.links)
        return [
            Link(
                lower=lower,
                lower_port=up[slot * each + k],
                upper=upper,
                upper_port=self.tier.face.down[place * each + k],
                speed=self.tier.speed,
                length=length,
                slot=lower.ordinal * self.uplinks + slot * each + k,
                because=self.because,
                place=k + 1,
            )
            for k in range(each)
        ]

    def fan(
        self, lower: Switch, up: tuple[Port, ...], uppers: Iterable[Switch], place: int
    ) -> list[Link]:
        """Cable a lower switch to every upper one, slot by slot."""
        every = enumerate(uppers)
        return [link for slot, upper in every for link in self.pair(lower, up, upper, slot, place)]


def row_of_spines(
    words: Access | Routed, ports: tuple[Port, ...], count: int, site: str, rule: str
) -> list[Switch]:
    """Return the spines of a fabric that has one row of them."""
    row = Row(words=words, role=Role.SPINE, default="spine{index}", site=site)
    because = Provenance((at(*words.at("spine")),), rule)
    seats = [Seat(ordinal=s, index=s + 1) for s in range(count)]
    return [row.switch(words.spine, ports, seat, because) for seat in seats]


def count_servers(
    names: str, count: int, tool: str, site: str, because: Provenance
) -> list[Server]:
    """Return the servers that a fabric counts itself, as no kind of the site does."""
    name = Namer(names, site)
    return [
        Server(name=name(number=number), kind="", number=number, because=because, tool=tool)
        for number in range(1, count + 1)
    ]


def reserved(
    words: Frontend | Backend | Routed, key: str, have: int, findings: Findings
) -> int | None:
    """Return the number that growth reserves, or None; report a number that is too small."""
    wish: int | None = getattr(words.growth, key)
    if wish is not None and wish < have:
        path: IntentPath = words.at("growth", key)
        sentence = f"growth reserves {wish} {key}, but the intent already has {have}"
        findings.error(Code.GROWTH_TOO_SMALL, sentence, path, f"`growth: {{{key}: {have}}}`")
    return wish


def ratios_of(words: Backend | Frontend) -> dict[Role, float]:
    """Return by tier the ratio of the tier above, if it has its own."""
    above = ((Role.LEAF, words.spine), (Role.SPINE, words.superspine))
    return {role: tier.ratio for role, tier in above if tier is not None and tier.ratio}
