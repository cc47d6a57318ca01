"""Finds channels with too many panels, and trunks whose plugs cannot mate."""

from collections.abc import Iterable

from fabricgen.compile.checks.tally import Tally
from fabricgen.model.cabling.cables import Cable
from fabricgen.model.cabling.finish import UNPINNED
from fabricgen.model.cabling.patched import Bundle, Patching
from fabricgen.model.fabric.floor import ENDS, Floor, Structured


def judge_panels(placed: Iterable[Cable], floor: Floor, tally: Tally) -> None:
    """Report the first cable of each pair of rack types with too many panels."""
    told: set[tuple[str, ...]] = set()
    for cable in placed:
        words = floor.structured.get(cable.fabric)
        if words is None or cable.fixed is not None or cable.way is None:
            continue
        assert cable.near.stand is not None
        assert cable.far.stand is not None
        near, far = cable.near.stand.rack, cable.far.stand.rack
        areas = words.areas(near, far) or ()
        kind = (cable.fabric, *sorted((near.type, far.type)))
        if words.panels(areas) <= words.most_panels or kind in told:
            continue
        told.add(kind)
        count, most = words.panels(areas), words.most_panels
        what = (
            f"fiber from {cable.near.name} to {cable.far.name} crosses {count} panels "
            f"({_sum(words, areas)}), but a channel may have {most}"
        )
        hint = f"add `[{near.type}, {far.type}]` to `between`, or raise `most_panels`"
        tally.add("cables", what, (*words.path, "most_panels"), hint)


def _sum(words: Structured, areas: Iterable[str]) -> str:
    """Return the terms of a number of panels: 2 at the ends + 2 in middle."""
    terms = (f"{words.through[area].panels} in {area}" for area in areas)
    return " + ".join((f"{ENDS} at the ends", *terms))


def judge_gender(plan: Patching, floor: Floor, tally: Tally) -> None:
    """Report trunks of a written gender whose plugs meet plugs of the same gender."""
    for fabric in dict.fromkeys(bundle.fabric for bundle in plan.bundles):
        words = floor.structured[fabric]
        if not words.gender:
            continue
        bundles = (bundle for bundle in plan.bundles if bundle.fabric == fabric)
        clashes = (meets for bundle in bundles if (meets := _clash(bundle, words.gender)))
        first = next(clashes, None)
        if first is not None:
            what = f"the {words.gender} trunks of the {fabric} meet {first}"
            hint = "remove `gender`, so that each end mates"
            tally.add("fabrics", what, (*words.path, "gender"), hint)


def _clash(bundle: Bundle, gender: str) -> str:
    """Return the equal plugs that trunks of a bundle meet; empty if all plugs mate."""
    name = bundle.trunks[0].name
    if any(not joint.has_cord for joint in bundle.joints):
        return f"each other in an adapter, for example {name}"
    sides = (side for each in bundle.patched for side in (each.near, each.far))
    if gender == UNPINNED and (bundle.joints or any(side.straight for side in sides)):
        return f"cords without pins in adapters, for example {name}"
    return ""
