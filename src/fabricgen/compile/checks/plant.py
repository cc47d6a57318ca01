"""Check that every cable between racks can be laid: reach, equal ends and optical budget.

Panels must fit into the units that their rack reserves, and the check reports whether trunks can
carry the next speed. A cross-connect is laid only through areas of the intent. To fix it, change
the rack, the panels or the media. A cable with an end in no rack is not examined, because its
length is unknown. Neither is light where no source gives the budget of the optics.
"""

from typing import TYPE_CHECKING, Any

from fabricgen.compile.checks.tally import Tally
from fabricgen.core.diagnostics import Code, Diagnostic, Examined, Severity
from fabricgen.core.late import Late
from fabricgen.core.units import counted
from fabricgen.model.cabling.cables import Cable, cables
from fabricgen.model.cabling.media import TWINAX, unlike_fiber, unlike_polish
from fabricgen.model.fabric.floor import Floor, Rack, Structured
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice
from fabricgen.model.fabric.topology import Link

if TYPE_CHECKING:
    from fabricgen.model.cabling.patched import Patched, Patching

# Only cables of a site with racks are patched.
_PATCHING: Late[Any] = Late("fabricgen.model.cabling.panels:patching")
_LOSS: Late[Any] = Late("fabricgen.model.cabling.loss:loss_of")
_MOUNTED: Late[Any] = Late("fabricgen.model.cabling.mounted:mounted")
_UNITS: Late[Any] = Late("fabricgen.model.cabling.mounted:units_of")
_JUDGE_PANELS: Late[Any] = Late("fabricgen.compile.checks.trunks:judge_panels")
_JUDGE_GENDER: Late[Any] = Late("fabricgen.compile.checks.trunks:judge_gender")


class Plant:
    """Check of the cables of a site with racks."""

    name = "physical plan"

    def __init__(self, site: Site) -> None:
        """Collect every cable with both ends in racks."""
        self.site, self.switches = site, 0
        codes = (Code.LOSS_TOO_HIGH, Code.ENDS_UNLIKE, Code.NO_MEDIUM, Code.FIBERS_SHORT)
        places = (Code.RACK_FULL, Code.CROSS_CONNECT, Code.COPPER_ACROSS_ROWS)
        trunks = (Code.PANELS_TOO_MANY, Code.GENDERS_CLASH)
        self.said = {
            code: Tally(check=self.name, code=code, noun="switches")
            for code in (*codes, *places, *trunks)
        }
        if site.floor.racks:
            self.judge(list(cables(site)))

    def see(self, _fabric: Fabric, _piece: SwitchSlice) -> None:
        """Count the switch as examined: its cables were checked at the start."""
        self.switches += 1

    def judge(self, laid: list[Cable]) -> None:
        """Check one cable of each sort, all copper cables, and the racks together."""
        plan: Patching = _PATCHING(laid, self.site.floor)
        by = {each.cable.name: each for each in plan.patched}
        placed = [each for each in laid if each.near.stand and each.far.stand]
        sorts = {_sort(each, by.get(each.name)): each for each in reversed(placed)}
        for cable in sorts.values():
            assert cable.link is not None
            if cable.way is None:
                self.unlaid(cable, cable.link)
            else:
                self.ends(cable, cable.link)
                self.light(cable, cable.link, by.get(cable.name))
        for cable in placed:
            judge_copper(cable, self.said[Code.COPPER_ACROSS_ROWS])
        self.together(plan, laid)
        self.crossing(placed)
        _JUDGE_PANELS(placed, self.site.floor, self.said[Code.PANELS_TOO_MANY])
        _JUDGE_GENDER(plan, self.site.floor, self.said[Code.GENDERS_CLASH])

    def crossing(self, placed: list[Cable]) -> None:
        """Report fiber between racks that no trunks connect, directly or through an area."""
        found: dict[tuple[str, ...], Cable] = {}
        for cable in placed:
            words, near, far = _asked(self.site.floor, cable)
            apart = words is not None and words.areas(near, far) is None
            middle = words.middle(near, far) if words is not None and apart else None
            if middle is not None and cable.way is not None and cable.fixed is None:
                found.setdefault((cable.fabric, *sorted((near.type, far.type)), middle), cable)
        for (fabric, one, other, middle), cable in found.items():
            what = (
                f"fiber from {cable.near.name} to {cable.far.name} crosses four panels by the "
                f"racks of {middle}, but a channel has at most two panels"
            )
            where = (*self.site.floor.structured[fabric].path, "between")
            hint = (
                f"add `[{one}, {other}]` to `between` for direct trunks, or "
                f"`through: {{{middle}: cross-connect}}`"
            )
            self.said[Code.CROSS_CONNECT].add("cables", what, where, hint, Severity.WARNING)

    def unlaid(self, cable: Cable, link: Link) -> None:
        """Report a cable that no allowed medium reaches; warn where no medium is known."""
        what = (
            f"a cable of {cable.speed} from {cable.near.name} to {cable.far.name} is "
            f"{cable.length.meters:g} m long ({cable.length.arithmetic})"
        )
        hint = "allow other `media`, place the racks nearer, or add optics to catalog/optics.yaml"
        if cable.shortfall is None:
            what += ", and no allowed medium is known to connect its ends"
            self.said[Code.NO_MEDIUM].add("cables", what, link.because, hint, Severity.WARNING)
            return
        what += f": {cable.shortfall.explanation}"
        self.said[Code.NO_MEDIUM].add("cables", what, link.because, hint)

    def ends(self, cable: Cable, link: Link) -> None:
        """Compare fiber and polish at both ends."""
        assert cable.way is not None
        near, far = cable.way.near, cable.way.far
        names = f"{near.name} in {cable.near.name} and {far.name} in {cable.far.name}"
        if unlike_fiber(cable.way):
            what = f"{names} are connected, but one is {near.media} and the other is {far.media}"
            self.said[Code.ENDS_UNLIKE].add(
                "cables", what, link.because, "use optics for the same fiber"
            )
            return
        if not unlike_polish(cable.way):
            return
        what = (
            f"{names} are connected, but their connectors are {near.connector} and {far.connector}"
        )
        hint = "use a cord with both connectors, or identical optics"
        self.said[Code.ENDS_UNLIKE].add("cables", what, link.because, hint, Severity.WARNING)

    def light(self, cable: Cable, link: Link, by: "Patched | None") -> None:
        """Report a path that loses more light than the optics tolerate."""
        loss = _LOSS(cable, self.site.floor.losses, by)
        if loss is None or not loss.too_much:
            return
        what = (
            f"the path from {cable.near.name} to {cable.far.name} loses {loss.total:.2f} dB "
            f"({loss.mpo} pairs of MPO, {loss.lc} of LC, {cable.length.meters:g} m), but the "
            f"optics tolerate {loss.budget:g} dB"
        )
        hint = (
            "use trunks without cassettes, connectors with less loss, or optics with a larger "
            "budget"
        )
        words = self.site.floor.structured.get(cable.fabric)
        where = words.path if words is not None and by is not None else link.because
        self.said[Code.LOSS_TOO_HIGH].add("cables", what, where, hint)

    def together(self, plan: "Patching", laid: list[Cable]) -> None:
        """Report panels without room, and trunks without fibers for the next speed."""
        floor = self.site.floor
        there = _MOUNTED(plan, laid, floor)
        for rack in floor.racks:
            panels, managers = _UNITS(there[rack.name])
            if panels + managers > rack.panels:
                what = (
                    f"rack {rack.name} needs {counted(panels, 'unit')} for panels and {managers} "
                    f"for cable managers, but reserves {rack.panels}"
                )
                hint = f"set `panels: {panels + managers}` for its rack type"
                self.said[Code.RACK_FULL].add("racks", what, rack.path, hint)
        for bundle in plan.bundles:
            words = floor.structured[bundle.fabric]
            count = len(bundle.patched)
            wanted = count * (words.next_fibers or 0)
            if wanted > bundle.installed:
                one, other = (rack.name for rack in bundle.racks)
                what = (
                    f"{count} cables from {one} to {other} need {wanted} fibers at the next "
                    f"speed, but {bundle.installed} are installed"
                )
                hint = "more `spare`"
                self.said[Code.FIBERS_SHORT].add(
                    "pairs of racks", what, (*words.path, "next_fibers"), hint, Severity.WARNING
                )

    def result(self) -> Examined:
        findings: list[Diagnostic] = []
        for tally in self.said.values():
            findings.extend(tally.result().findings)
        return Examined(
            check=self.name, objects=self.switches, noun="switches", findings=tuple(findings)
        )


def _asked(floor: Floor, cable: Cable) -> tuple[Structured | None, Rack, Rack]:
    """Return how the fiber of a cable's fabric runs, and its racks."""
    assert cable.near.stand is not None
    assert cable.far.stand is not None
    return floor.structured.get(cable.fabric), cable.near.stand.rack, cable.far.stand.rack


def _sort(cable: Cable, by: "Patched | None") -> tuple[object, ...]:
    """Return the facts that cables with the same result share."""
    assert cable.link is not None
    way = cable.way and (cable.way.near.name, cable.way.far.name)
    panels = by and (by.near.straight, by.far.straight)
    return cable.link.because.main, cable.speed, way, cable.length.meters, panels


_HINT = "place the racks in one row, or allow only fiber in `cabling.media`"


def judge_copper(cable: Cable, tally: Tally) -> None:
    """Report twinaxial copper to another row; twisted pair reaches far enough.

    Twinaxial copper is thick, stiff and a few meters long. It fits only while no rack moves,
    fills the tray above the aisle, and cannot be longer on another route.
    """
    near, far, fixed = cable.near.stand, cable.far.stand, cable.fixed
    if near is None or far is None or cable.link is None or fixed is None:
        return
    if near.rack.row == far.rack.row or cable.medium not in TWINAX:
        return
    what = (
        f"a {fixed.name} of {cable.length.meters:g} m from {near.name} in rack {near.rack.name} "
        f"to {far.name} in {far.rack.name} crosses from row {near.rack.row} to row {far.rack.row}"
    )
    tally.add(f"in the {cable.fabric}", what, cable.link.because, _HINT, Severity.WARNING)
