"""Size a tier above the switches below it: counts, links and ports.

Each pair has the same number of links. Configured counts stay. Others are the smallest number that
carries the uplinks at the tier's ratio and divides them evenly.
"""

from math import ceil

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.wiring.faceplate import (
    Bank,
    common_speed,
    faceplate,
    find_model,
    per_cage,
)
from fabricgen.compile.design.wiring.tiers import Tier
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond
from fabricgen.intent.model.backend import Backend
from fabricgen.intent.model.frontend import Frontend
from fabricgen.intent.model.hardware import UpperTier
from fabricgen.model.catalog.switches import SwitchModel

_WIDER = {
    "spine": "add a tier (three-tier), larger switches, or more oversubscription",
    "superspine": "use larger superspines, or fewer pods",
}


@record(kw_only=True)
class Above:
    """Tier with its hardware, before it is sized.

    lower: the model below. speed: speed of the links from there. ratio: maximum bandwidth below per
    bandwidth up. wished: reserved number of switches, if growth sets it.
    """

    words: Backend
    name: str
    role: UpperTier
    model: SwitchModel
    lower: SwitchModel
    speed: BitsPerSecond
    ratio: float
    wished: int | None
    findings: Findings

    @property
    def slots(self) -> int | None:
        """Return the number of slots of the tier, if the intent or growth sets it."""
        return self.wished or self.role.count

    @property
    def each(self) -> int:
        """Return the ports of one cage towards the switches below."""
        said, far = self.role.breakout, [self.lower]
        return per_cage(self.model, self.speed, self.fast, self.findings, said, far)

    @property
    def allows(self) -> IntentPath:
        """Return the place of its ratio."""
        return self.words.at(*([self.name, "ratio"] if self.role.ratio else ["oversubscription"]))

    @property
    def cages(self) -> int:
        """How many cages a switch has."""
        return len(self.model.usable)

    @property
    def here(self) -> IntentPath:
        """Return the intent path of its number."""
        return self.words.at(self.name, *(["count"] if self.role.count else []))

    @property
    def fast(self) -> IntentPath:
        """Return the place of the speed of its links."""
        return speed_of(self.words, self.name, self.role)[1]

    def below(self, model: SwitchModel, breakout: str | None = None) -> int:
        """Return the ports of one cage of a switch below, for links to this tier."""
        return per_cage(model, self.speed, self.fast, self.findings, breakout, [self.model])

    def needed(self, ports: int, speed: BitsPerSecond) -> int:
        """Return how many links up a switch needs that has so many ports for below."""
        return ceil(ports * speed / self.ratio / self.speed)

    def uplinks(self, ports: int, speed: BitsPerSecond) -> int:
        """Return the number of uplinks for this tier; report too few as an error."""
        needed, links, slots = self.needed(ports, speed), self.role.links, self.slots
        if not links:
            return ceil(needed / slots) * slots if slots else needed
        slots = slots or ceil(needed / links)
        if slots * links < needed:
            raise self.findings.stop(
                Code.OVERSUBSCRIBED,
                f"{ports} ports of {speed} at {self.ratio:g} to 1 need {needed} uplinks of "
                f"{self.speed}, but {slots} {self.name}s with {links} link(s) to each take "
                f"{slots * links}",
                self.words.at(self.name, "links"),
                f"this fits: `{self.name}.links: {ceil(needed / slots)}`, or "
                f"`{self.name}.ratio: {_up(ports * speed / (slots * links * self.speed))}`",
            )
        return slots * links

    def split(self, lowers: int, uplinks: int, ports: int) -> tuple[int, int, int]:
        """Return (switches, slots, links per pair) for `lowers` switches below.

        ports: how many links from below one switch of this tier takes.
        """
        links, count = self.role.links, self.role.count
        slots = self.slots or (uplinks // links if links else _fewest(lowers, uplinks, ports))
        if uplinks % slots:
            raise self.findings.stop(
                Code.UPLINKS_NOT_DIVISIBLE,
                f"{uplinks} uplinks cannot be divided evenly over {slots} {self.name}s",
                self.here,
                f"use a number that divides {uplinks}",
            )
        each = uplinks // slots
        if lowers * each > ports:
            raise self.findings.stop(
                Code.RADIX_EXCEEDED,
                f"{lowers} switches with {each} link(s) to each {self.name} need {lowers * each} "
                f"ports on it, but it has {ports} of {self.speed}",
                self.here,
                _WIDER[self.name],
            )
        if count is not None and count > slots:
            raise self.findings.stop(
                Code.GROWTH_TOO_SMALL,
                f"{count} {self.name}s, but growth reserves {slots}",
                self.words.at("growth"),
                f"`growth: {{{self.name}s: {count}}}`",
            )
        return count or slots, slots, each

    def share(self, cages: int, below: int, above: int) -> int:
        """Return how many of a switch's cages may connect down, at the ratio of this tier above it.

        below, above: bandwidth of a cage for below, and of one for above.
        """
        part = self.ratio * (above / below)
        return int(cages * part / (1 + part))

    def top(self, lowers: int, uplinks: int) -> Tier:
        """Return the tier where none is above it: all its ports are for below."""
        split = self.split(lowers, uplinks, self.cages * self.each)
        return self.tier(split, self.cages, None)

    def tier(self, split: tuple[int, int, int], down: int, up: Bank | None) -> Tier:
        """Return the tier with its split cages for below and above."""
        count, slots, links = split
        face = faceplate(self.model, Bank(self.speed, self.each, down), up)
        return Tier(face=face, speed=self.speed, count=count, slots=slots, per_pair=links)


def above(
    words: Backend,
    name: str,
    lower: SwitchModel,
    findings: Findings,
    speed: BitsPerSecond | None = None,
) -> Above:
    """Return the tier of that name, or stop; `speed` is the speed of the tier below, if any.

    lower: the model of the switches below.
    """
    role = tier_role(words, name, findings)
    model = find_model(words, role.model, words.at(name, "model"), findings)
    wish, path = speed_of(words, name, role)
    if role.speed or not speed:
        speed = common_speed(lower, model, wish, path if wish else words.at(name), findings)
    return Above(
        words=words,
        name=name,
        role=role,
        model=model,
        lower=lower,
        speed=speed,
        ratio=role.ratio or words.oversubscription,
        wished=words.growth.spines if name == "spine" else None,
        findings=findings,
    )


def tier_role(words: Backend | Frontend, name: str, findings: Findings) -> UpperTier:
    """Return the words of a tier that the design needs, or stop where there are none."""
    role: UpperTier | None = getattr(words, name)
    if role is None:
        raise findings.stop(
            Code.MISSING_KEY,
            f"a {words.design} {words.name} needs `{name}`",
            words.here,
            f"add `{name}: {{model: …, platform: …}}` to the {words.name}",
        )
    return role


def speed_of(
    words: Backend | Frontend, name: str, role: UpperTier
) -> tuple[BitsPerSecond | None, IntentPath]:
    """Return the speed that is asked of the links to a tier, and where."""
    if role.speed:
        return role.speed, words.at(name, "speed")
    return words.links.speed, words.at("links", "speed")


def _fewest(lowers: int, uplinks: int, ports: int) -> int:
    """Return the smallest number of switches that carries the uplinks and divides them evenly."""
    return next(
        (
            number
            for number in range(1, uplinks)
            if uplinks % number == 0 and number * ports >= lowers * uplinks
        ),
        uplinks,
    )


def _up(ratio: float) -> str:
    """Spell a ratio, rounded up so that the printed value is sufficient."""
    return f"{ceil(ratio * 100) / 100:g}"
