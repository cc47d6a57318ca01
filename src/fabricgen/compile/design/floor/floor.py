"""Design the floor of a site and the lengths of its cables.

Racks decide the cable lengths, and settings depend on them. So a site is designed and its longest
cables are measured. Where they differ from the assumed lengths, the site is designed once more.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.floor.prices import judge_prices
from fabricgen.compile.design.floor.rack_placement import stands_of
from fabricgen.compile.design.reach import length_key
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.core.record import record
from fabricgen.core.units import Meters, counted
from fabricgen.intent.model import cabling as words
from fabricgen.intent.model.cabling import Cabling, FabricMedia
from fabricgen.intent.model.fabric import FabricWords
from fabricgen.intent.model.intent import Intent
from fabricgen.intent.model.vocabulary import IntentModel
from fabricgen.intent.paths import at
from fabricgen.model.cabling.lengths import longest_between
from fabricgen.model.catalog.catalog import SHIPPED, Catalog
from fabricgen.model.catalog.prices import PriceList
from fabricgen.model.fabric.floor import (
    Area,
    Beside,
    Buying,
    Floor,
    Laying,
    Losses,
    Media,
    Panels,
    Rack,
    Stand,
    Structured,
)
from fabricgen.model.fabric.managed import management_port
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Link

# The largest draw counts: for switches with the most that their cages permit, for servers from the
# intent. A device without watts counts as zero, and the bill names it.


def judge_power(floor: Floor, findings: Findings) -> None:
    """Report the first rack of each type with too little power."""
    held: dict[str, list[Stand]] = defaultdict(list)
    for stand in floor.stands.values():
        held[stand.rack.name].append(stand)
    told: set[str] = set()
    for rack in floor.racks:
        watts = sum(stand.watts or 0 for stand in held[rack.name])
        if rack.watts is None or watts <= rack.watts or rack.type in told:
            continue
        told.add(rack.type)
        silent = sum(stand.watts is None for stand in held[rack.name])
        more = f", and {counted(silent, 'device')} without known watts" if silent else ""
        findings.error(
            Code.RACK_POWER,
            f"the devices in rack {rack.name} may draw {watts:,} W{more}, but it has "
            f"{rack.watts:,} W",
            (*rack.path, "power"),
            "use fewer servers or switches in each, or racks with more power",
        )


def _areas(
    said: words.Structured, path: IntentPath, racks: Iterable[Rack], findings: Findings
) -> Mapping[str, Area]:
    """Return the areas where trunks of a fabric meet. Trunks must lead to each area."""
    ends = {each for pair in said.between for each in pair}
    for area in sorted(said.through.keys() - ends):
        findings.unknown(f"no trunks to racks of type {area!r}", (*path, "through"), area, ends)
    return {
        area: Area(
            racks=tuple(rack for rack in racks if rack.type == area),
            panels=1 if kind == "interconnect" else 2,
        )
        for area, kind in said.through.items()
        if area in ends
    }


def structured_of(
    intent: Intent, fabrics: Iterable[str], racks: Sequence[Rack], findings: Findings
) -> Mapping[str, Structured]:
    """Return how fiber runs, of the fabrics that have trunks."""
    known, found = set(fabrics), {}
    for name, said in intent.cabling.structured.items():
        path = at("cabling", "structured", name)
        if name not in known:
            findings.error(Code.UNKNOWN_REFERENCE, f"no fabric {name!r}", path)
            continue
        for number, pair in enumerate(said.between):
            for each in sorted(set(pair) - intent.racks.keys()):
                findings.unknown(
                    f"no racks of type {each!r}", (*path, "between", number), each, intent.racks
                )
        found[name] = Structured(
            fibers=said.trunk,
            between=frozenset(map(frozenset, said.between)),
            spare=said.spare,
            next_fibers=said.next_fibers,
            path=path,
            polarity=said.polarity,
            gender=said.gender or "",
            through=_areas(said, path, racks, findings),
            most_panels=said.most_panels,
        )
    return found


def panels_of(said: words.Cabling) -> Panels:
    """Return the number of cables that panels and cable managers take."""
    return Panels(ports=said.panel.ports, units=said.panel.units, cables=said.manager)


def losses_of(said: words.Losses) -> Losses:
    """Return the loss of connectors and fiber."""
    fiber = {"multimode": said.multimode, "single-mode": said.single_mode}
    return Losses(mpo=said.mpo, lc=said.lc, fiber=fiber)


_FIBER = ("multimode", "single-mode")
_COPPER = ("twisted-pair", "copper", *_FIBER)


def floor_of(intent: Intent, fabrics: Sequence[Fabric], findings: Findings) -> Floor:
    """Return the rack of every device."""
    words = intent.cabling
    racks, stands = stands_of(intent, fabrics, findings)
    media = {fabric.name: _media(fabric, words.media.get(fabric.name)) for fabric in fabrics}
    for name in sorted(words.media.keys() - media.keys()):
        findings.error(Code.UNKNOWN_REFERENCE, f"no fabric {name!r}", at("cabling", "media", name))
    ports = {management_port(name): stand for name, stand in stands.items()}
    ends = {**stands, **ports}
    floor = Floor(
        laying=_laying(words),
        media=media,
        optics=_catalog(intent).optics(),
        racks=tuple(racks),
        stands=stands,
        ends=ends,
        buying=_buying(words, _catalog(intent).prices),
        structured=structured_of(intent, media, racks, findings),
        panels=panels_of(words),
        losses=losses_of(words.losses),
        beside=tuple(_beside(words, media.keys(), findings)),
    )
    judge_power(floor, findings)
    judge_prices(_catalog(intent), floor, findings)
    return floor


def _catalog(intent: Intent) -> Catalog:
    """Return the hardware that the site may name, its own with it."""
    return next((words.catalog for words in intent.each_fabric()), SHIPPED)


def _laying(words: Cabling) -> Laying:
    return Laying(
        width=words.rack_width,
        pitch=words.row_pitch,
        rise=words.tray_rise,
        slack=words.slack.meters,
        percent=words.slack.percent,
        lengths=tuple(map(float, words.lengths)),
    )


def _buying(words: Cabling, prices: PriceList) -> Buying:
    spares = words.spares
    return Buying(
        switches=_exact(spares.switches),
        optics=_exact(spares.optics),
        cables=_exact(spares.cables),
        minutes=_exact(words.minutes_per_cable),
        prices=prices.prices,
        currency=prices.currency,
    )


def _beside(words: Cabling, fabrics: Collection[str], findings: Findings) -> Iterator[Beside]:
    for name, own in words.other_networks.items():
        if name in fabrics:
            hint = "another name"
            text = f"{name} is a fabric, whose parts are already counted"
            findings.error(Code.DUPLICATE_ID, text, at("cabling", "other_networks", name), hint)
        yield Beside(
            name=name,
            kind=own.kind,
            switches=own.switches,
            links=own.links,
            meters=own.length,
            medium=own.medium,
            watts=own.watts,
        )


def _exact(value: float) -> Decimal:
    """Return a number as it was written: a tenth of a percent is that, and no more."""
    return Decimal(str(value))


def _media(fabric: Fabric, said: FabricMedia | None) -> Media:
    """Return the media of a fabric; rails take fiber, unless copper is chosen."""
    usual = _FIBER if fabric.gpus else _COPPER
    said = said or FabricMedia()
    return Media(
        servers=tuple(said.servers or usual),
        switches=tuple(said.switches or usual),
        copper=said.copper,
        best=tuple(said.optics),
        color=said.color or "",
        jacket=said.jacket or "",
    )


@record(kw_only=True)
class Longest:
    """Longest cable of one length key, with its ends."""

    meters: Meters
    link: Link
    ends: tuple[Stand, Stand]


def measured(
    words: Sequence[FabricWords], fabrics: Sequence[Fabric], floor: Floor
) -> dict[IntentPath, Longest]:
    """Return the longest cable of each length key, if both ends are in racks."""
    longest: dict[IntentPath, Longest] = {}
    said = {each.name: each for each in words}
    for fabric in fabrics:
        for link, ends in _placed(fabric, floor):
            path = length_key(said[fabric.name], link)
            meters = Meters(-(-longest_between(*ends, floor, fabric.name).meters // 1))
            if path not in longest or meters > longest[path].meters:
                longest[path] = Longest(meters=meters, link=link, ends=ends)
    return longest


def _placed(fabric: Fabric, floor: Floor) -> Iterator[tuple[Link, tuple[Stand, Stand]]]:
    """Yield one link of each two places that links of one kind join."""
    seen: set[tuple[object, ...]] = set()
    for link in fabric.topology.links:
        lower, upper = floor.ends.get(link.lower.name), floor.ends.get(link.upper.name)
        if lower is None or upper is None:
            continue
        places = id(lower.rack), lower.unit, id(upper.rack), upper.unit
        pair = (link.because.main, link.to_server, *places)
        if pair not in seen:
            seen.add(pair)
            yield link, (lower, upper)


def with_lengths(intent: Intent, longest: dict[IntentPath, Longest], findings: Findings) -> Intent:
    """Return the intent with cable lengths from the racks where it sets none."""
    for path, each in longest.items():
        above: Any = intent
        for step in path[:-1]:
            above = above[step] if isinstance(above, dict) else getattr(above, str(step))
        key = str(path[-1])
        said = getattr(above, key)
        if key not in above.model_fields_set:
            intent = _with(intent, path, int(each.meters))
        elif said < each.meters:
            one, other = each.ends
            findings.error(
                Code.CABLE_TOO_SHORT,
                f"the cable from {one.name} in rack {one.rack.name} to {other.name} in "
                f"{other.rack.name} is {each.meters:,} m long, but the intent sets {said:,} m",
                path,
                "remove the length, so that it follows from the racks",
            )
    return intent


def _with(words: Any, path: IntentPath, value: int) -> Any:
    """Return words with another value at a path."""
    first, *rest = path
    if isinstance(words, dict):
        return {**words, first: _with(words[first], tuple(rest), value)}
    assert isinstance(words, IntentModel)
    below = getattr(words, str(first))
    return words.model_copy(
        update={str(first): _with(below, tuple(rest), value) if rest else value}
    )
