"""Checks that every cable between racks can be laid: reach, equal ends and optical budget.

Panels must fit into the units that their rack reserves, and the check reports whether trunks can
carry the next speed. A cross-connect, which is more than two panels, is not laid. To fix it, change
the rack, the panels or the media. A cable with an end in no rack is not examined, because its
length is unknown. Neither is light where no source gives the budget of the optics.
"""

from fabricgen.compile.checks.tally import Tally
from fabricgen.core.diagnostics import Code, Diagnostic, Examined, Severity
from fabricgen.core.units import counted
from fabricgen.model.cabling.cables import Cable, cables
from fabricgen.model.cabling.loss import loss_of
from fabricgen.model.cabling.media import TWINAX, unlike_fiber, unlike_polish
from fabricgen.model.cabling.mounted import mounted, units_of
from fabricgen.model.cabling.panels import Patched, Patching, patching
from fabricgen.model.fabric.floor import Floor, Rack, Structured
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice
from fabricgen.model.fabric.topology import Link


class Plant:
    """Judges the cables of a site that has racks."""

    name = "physical plan"

    def __init__(self, site: Site) -> None:
        """Look at every cable that has both ends in racks."""
        self.site, self.switches = site, 0
        codes = (Code.LOSS_TOO_HIGH, Code.ENDS_UNLIKE, Code.NO_MEDIUM, Code.FIBERS_SHORT)
        places = (Code.RACK_FULL, Code.CROSS_CONNECT, Code.COPPER_ACROSS_ROWS)
        self.said = {
            code: Tally(check=self.name, code=code, noun="switches") for code in (*codes, *places)
        }
        if site.floor.racks:
            self.judge(list(cables(site)))

    def see(self, _fabric: Fabric, _piece: SwitchSlice) -> None:
        """Count the switch as examined: its cables were."""
        self.switches += 1

    def judge(self, laid: list[Cable]) -> None:
        """Judge cables, of each sort one; then all copper, and what they need together."""
        plan = patching(laid, self.site.floor)
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

    def crossing(self, placed: list[Cable]) -> None:
        """Say where a cross-connect is asked for: a channel has two panels, and no more."""
        found: dict[tuple[str, ...], Cable] = {}
        for cable in placed:
            words, near, far = _asked(self.site.floor, cable)
            middle = words.middle(near, far) if words is not None else None
            if middle is not None and cable.way is not None and cable.fixed is None:
                found.setdefault((cable.fabric, *sorted((near.type, far.type)), middle), cable)
        for (fabric, one, other, middle), cable in found.items():
            what = (
                f"from {cable.near.name} to {cable.far.name} fiber runs from port to port: by the "
                f"racks of {middle} it would meet four panels, and a channel has at most two"
            )
            where = (*self.site.floor.structured[fabric].path, "between")
            hint = f"`[{one}, {other}]` in `between`: trunks of their own"
            self.said[Code.CROSS_CONNECT].add("cables", what, where, hint, Severity.WARNING)

    def unlaid(self, cable: Cable, link: Link) -> None:
        """Refuse a cable that no allowed medium reaches; warn where no way is known at all."""
        what = (
            f"from {cable.near.name} to {cable.far.name} a cable of {cable.speed} is "
            f"{cable.length.meters:g} m long"
        )
        hint = "other `media`, racks that are nearer, or optics of your own in catalog/optics.yaml"
        if cable.shortfall is None:
            what += ", and no medium allowed there is known to join its ends"
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
            what = f"{names} meet, and one is {near.media}, the other {far.media}"
            self.said[Code.ENDS_UNLIKE].add("cables", what, link.because, "optics of one fiber")
            return
        if not unlike_polish(cable.way):
            return
        what = f"{names} meet, plugged in by {near.connector} and {far.connector}"
        hint = "a cord with both, or optics that are alike"
        self.said[Code.ENDS_UNLIKE].add("cables", what, link.because, hint, Severity.WARNING)

    def light(self, cable: Cable, link: Link, by: Patched | None) -> None:
        """Say where more light is lost than the optics bear."""
        loss = loss_of(cable, self.site.floor.losses, by)
        if loss is None or not loss.too_much:
            return
        what = (
            f"from {cable.near.name} to {cable.far.name} {loss.total:.2f} dB are lost, by "
            f"{loss.mpo} pairs of MPO, {loss.lc} of LC and {cable.length.meters:g} m, and "
            f"the optics bear {loss.budget:g} dB"
        )
        hint = "trunks that need no cassette, connectors that lose less, or optics that bear more"
        words = self.site.floor.structured.get(cable.fabric)
        where = words.path if words is not None and by is not None else link.because
        self.said[Code.LOSS_TOO_HIGH].add("cables", what, where, hint)

    def together(self, plan: Patching, laid: list[Cable]) -> None:
        """Say where panels have no room, and where trunks are short of the next speed."""
        floor = self.site.floor
        there = mounted(plan, laid, floor)
        for rack in floor.racks:
            panels, managers = units_of(there[rack.name])
            if panels + managers > rack.panels:
                what = (
                    f"rack {rack.name} needs {counted(panels, 'unit')} for panels and "
                    f"{managers} for cable managers, and keeps {rack.panels}"
                )
                hint = f"`panels: {panels + managers}` of its type of racks"
                self.said[Code.RACK_FULL].add("racks", what, rack.path, hint)
        for bundle in plan.bundles:
            words = floor.structured[bundle.fabric]
            count = len(bundle.patched)
            wanted = count * (words.next_fibers or 0)
            if wanted > bundle.installed:
                one, other = (rack.name for rack in bundle.racks)
                what = (
                    f"from {one} to {other} {count} cables take {wanted} fibers at the "
                    f"next speed, and {bundle.installed} are there"
                )
                hint = "more `spare`"
                self.said[Code.FIBERS_SHORT].add(
                    "pairs of racks", what, (*words.path, "next_fibers"), hint, Severity.WARNING
                )

    def result(self) -> Examined:
        """Say what was found."""
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


def _sort(cable: Cable, by: Patched | None) -> tuple[object, ...]:
    """Return what cables have in common that are judged alike."""
    assert cable.link is not None
    way = cable.way and (cable.way.near.name, cable.way.far.name)
    panels = by and (by.near.straight, by.far.straight)
    return cable.link.because.main, cable.speed, way, cable.length.meters, panels


_HINT = "racks of one row, or fiber alone in `cabling.media`"


def judge_copper(cable: Cable, tally: Tally) -> None:
    """Say where twinaxial copper goes to another row; twisted pair reaches far enough.

    It is thick, stiff and a few meters long: it fits only as long as no rack moves, fills the tray
    above the aisle, and cannot be longer when it has to go another way.
    """
    near, far, fixed = cable.near.stand, cable.far.stand, cable.fixed
    if near is None or far is None or cable.link is None or fixed is None:
        return
    if near.rack.row == far.rack.row or cable.medium not in TWINAX:
        return
    what = (
        f"from {near.name} in rack {near.rack.name} to {far.name} in {far.rack.name} a "
        f"{fixed.name} of {cable.length.meters:g} m crosses from row {near.rack.row} to "
        f"row {far.rack.row}"
    )
    tally.add(f"in the {cable.fabric}", what, cable.link.because, _HINT, Severity.WARNING)
